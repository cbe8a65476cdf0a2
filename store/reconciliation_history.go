package store

import (
	"context"
	"fmt"
	"strconv"
	"strings"
	"time"

	"gorm.io/gorm"

	"daybook/recon"
)

// WorkDone is something that a person did in a reconciliation. What one did with several breaks in one minute, in one way and for one reason,
// is one of these.
type WorkDone struct {
	About      WorkAbout
	Event      string // as in BreakEvent, in ReconciliationStep, or one of made, reduced and unmatched of a match; "" for a matching
	Resolution recon.Resolution
	ReasonCode recon.Reason
	Note       string
	User       string
	Assignee   string
	At         time.Time
	Count      int     // how many breaks
	BreakIDs   []int64 `gorm:"-"` // the first few of them
	MatchID    int64
	Lines      int // of the bank, that the match had
	Postings   int // that it had
	ApprovalID int64
	Seq        int64
	Version    int // of the reconciliation, for a step
}

// WorkAbout is what something was done with.
type WorkAbout string

// What a person works with in a reconciliation.
const (
	WorkOnBreaks   WorkAbout = "breaks"
	WorkOnMatch    WorkAbout = "match"
	WorkOnSignOff  WorkAbout = "signoff"
	WorkOnMatching WorkAbout = "matching"
)

// workRow is WorkDone as it is read.
type workRow struct {
	WorkDone
	Breaks string
}

// ReconciliationHistory lists what people did in a reconciliation since it began, the latest first, after a number of such; more reports
// whether others follow. Error: KindNotFound.
func (s *Store) ReconciliationHistory(ctx context.Context, actor Actor, id int64, after, limit int) (items []WorkDone, more bool, err error) {
	if err := actor.Need(RightRead); err != nil {
		return nil, false, err
	}
	limit = pageSize(limit)
	err = s.inSnapshot(ctx, func(tx *gorm.DB) error {
		if err := needReconciliation(tx, actor.Book, id); err != nil {
			return err
		}
		rows, err := query[workRow](tx, historySQL, map[string]any{
			"book": actor.Book.ID, "id": id, "object": fmt.Sprintf("reconciliation %d", id), "after": after, "limit": limit + 1, "few": historyBreaks,
		})
		if err != nil {
			return fmt.Errorf("read the history of reconciliation %d: %w", id, err)
		}
		for _, row := range rows {
			items = append(items, row.done())
		}
		return nil
	})
	if more = len(items) > limit; more {
		items = items[:limit]
	}
	return items, more, err
}

func (r workRow) done() WorkDone {
	done := r.WorkDone
	done.At = done.At.UTC()
	for _, text := range strings.Split(r.Breaks, ",") {
		if id, err := strconv.ParseInt(text, 10, 64); err == nil {
			done.BreakIDs = append(done.BreakIDs, id)
		}
	}
	return done
}

// historyBreaks is how many breaks of one decision are named.
const historyBreaks = 12

// What a match settled is told by the match, and an entry that settled a break by the break, so that each is told once.
const historySQL = `
	WITH done AS (
		SELECT 'breaks' AS about, v.event, coalesce(v.resolution, '') AS resolution, v.reason_code, v.note, v.user_id, v.assignee_id, v.at, v.break_id,
		       CAST(0 AS bigint) AS match_id, coalesce(v.approval_id, 0) AS approval_id, coalesce(v.seq, 0) AS seq, 0 AS version
		  FROM reconciliations r
		  JOIN reconciliation_breaks h ON h.book_id = r.book_id AND h.reconciliation_id = r.id
		  JOIN break_events v ON v.book_id = h.book_id AND v.break_id = h.break_id
		 WHERE r.book_id = @book AND r.id = @id AND v.user_id IS NOT NULL AND v.at >= r.created_at
		   AND v.event IN ('resolved', 'reopened', 'assigned', 'commented', 'requested', 'returned') AND v.resolution IS DISTINCT FROM 'matched'
		UNION ALL
		SELECT 'match', v.event, '', '', v.note, v.user_id, NULL, v.at, NULL, v.match_id, 0, 0, 0
		  FROM matches m JOIN match_events v ON v.book_id = m.book_id AND v.match_id = m.id
		 WHERE m.book_id = @book AND m.reconciliation_id = @id AND (v.event <> 'made' OR m.rule = 'hand')
		UNION ALL
		SELECT 'signoff', v.event, '', '', v.reason, v.user_id, NULL, v.at, NULL, 0, 0, 0, v.version
		  FROM reconciliation_events v WHERE v.book_id = @book AND v.reconciliation_id = @id
		UNION ALL
		SELECT 'matching', '', '', '', '', v.user_id, NULL, v.at, NULL, 0, 0, 0, 0
		  FROM audit_log v WHERE v.book_id = @book AND v.object = @object AND v.action = 'reconciliation.match' AND v.outcome = 'done'),
	page AS (
		SELECT d.about, d.event, d.resolution, d.reason_code, d.note, d.user_id, d.assignee_id, max(d.at) AS at, count(d.break_id) AS count,
		       array_to_string((array_agg(d.break_id ORDER BY d.break_id))[1:CAST(@few AS integer)], ',') AS breaks, d.match_id, max(d.approval_id) AS approval_id, max(d.seq) AS seq, d.version
		  FROM done d
		 GROUP BY d.about, d.event, d.resolution, d.reason_code, d.note, d.user_id, d.assignee_id, d.match_id, d.version,
		          date_trunc('minute', d.at), CASE WHEN d.about = 'breaks' AND d.event <> 'commented' THEN NULL ELSE d.at END
		 ORDER BY max(d.at) DESC, d.about, d.match_id, min(d.break_id) OFFSET @after LIMIT @limit)
	SELECT p.about, p.event, p.resolution, p.reason_code, p.note, coalesce(u.name, '') AS user, coalesce(a.name, '') AS assignee, p.at, p.count, coalesce(p.breaks, '') AS breaks,
	       p.match_id, p.approval_id, p.seq, p.version,
	       (SELECT count(*) FROM match_lines i WHERE i.book_id = @book AND i.match_id = p.match_id) AS lines,
	       (SELECT count(*) FROM match_postings i WHERE i.book_id = @book AND i.match_id = p.match_id) AS postings
	  FROM page p LEFT JOIN users u ON u.id = p.user_id LEFT JOIN users a ON a.id = p.assignee_id
	 ORDER BY p.at DESC, p.about, p.match_id, p.breaks`

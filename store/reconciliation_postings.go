package store

import (
	"context"
	"fmt"

	"gorm.io/gorm"

	"daybook/recon"
)

// ScopePosting is a posting of the account that a reconciliation is about, and what became of it there: the kind of its match, or its break.
type ScopePosting struct {
	PostingSide
	MatchID    int64
	MatchKind  recon.Kind
	BreakID    int64
	BreakType  recon.BreakType
	Status     recon.Status
	Resolution recon.Resolution
}

// ScopePostings lists the postings that a reconciliation matched or holds as a break, in the order of the journal, after a number of them;
// more reports whether others follow. One that is signed off is listed as it was. Error: KindNotFound.
func (s *Store) ScopePostings(ctx context.Context, actor Actor, reconciliationID int64, after, limit int) (items []ScopePosting, more bool, err error) {
	if err := actor.Need(RightRead); err != nil {
		return nil, false, err
	}
	limit = pageSize(limit)
	err = s.inSnapshot(ctx, func(tx *gorm.DB) error {
		if err := needReconciliation(tx, actor.Book, reconciliationID); err != nil {
			return err
		}
		version, err := signedVersion(tx, actor.Book, reconciliationID)
		if err != nil {
			return err
		}
		items, err = scopePostings(tx, map[string]any{"book": actor.Book.ID, "id": reconciliationID, "after": after, "limit": limit + 1}, version)
		return err
	})
	if more = len(items) > limit; more {
		items = items[:limit]
	}
	return items, more, err
}

// scopePostings reads a page. What is matched is told as that, whatever break it was before; of breaks the last one counts.
func scopePostings(tx *gorm.DB, args map[string]any, version int) ([]ScopePosting, error) {
	items, err := query[ScopePosting](tx, `
		WITH ours AS (
			SELECT DISTINCT ON (o.seq, o.line) o.seq, o.line, o.match_id, o.break_id
			  FROM (SELECT x.seq, x.line, x.match_id, CAST(0 AS bigint) AS break_id FROM `+signedMatchPostings.from(version)+` x
			        UNION ALL SELECT x.seq, x.line, 0, x.break_id FROM `+signedBreakPostings.from(version)+` x) o
			 ORDER BY o.seq, o.line, o.match_id DESC, o.break_id DESC OFFSET @after LIMIT @limit)
		SELECT p.seq, p.line, e.tx_id, e.effective_on, e.description, coalesce(nullif(e.metadata->>'reference', ''), e.tx_id) AS reference, p.amount_minor, p.currency,
		       o.match_id, coalesce(m.kind, '') AS match_kind, o.break_id, coalesce(b.type, '') AS break_type, coalesce(b.status, '') AS status,
		       coalesce(b.resolution, '') AS resolution
		  FROM ours o
		  JOIN postings p ON p.book_id = @book AND p.seq = o.seq AND p.line = o.line
		  JOIN entries e ON e.book_id = @book AND e.seq = o.seq
		  LEFT JOIN matches m ON m.book_id = @book AND m.id = o.match_id
		  LEFT JOIN `+signedBreaks.from(version)+` b ON b.break_id = o.break_id
		 ORDER BY o.seq, o.line`, args)
	if err != nil {
		return nil, fmt.Errorf("list the postings of a reconciliation: %w", err)
	}
	return items, nil
}

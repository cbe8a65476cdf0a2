package store

import (
	"context"
	"fmt"
	"time"

	"gorm.io/gorm"

	"daybook/recon"
)

// Match is a set of postings and lines that agree, or did as long as it was live. MadeBy is who made it, "" for the matching.
type Match struct {
	ID               int64
	ReconciliationID int64
	Kind             recon.Kind
	Rule             string
	Score            int
	Why              string
	Live             bool
	MadeBy           string
	MadeAt           time.Time
	RulesVersion     int   // of the account's rules that it was made by, 0 where a person made it, or where that was not kept
	BookedSeq        int64 // the entry that booked the difference which the rules let it have, 0 for none
	Ledger           []PostingSide
	Bank             []LineSide
}

// Matches lists the matches of a reconciliation by id, after an id; more reports whether others follow. Error: KindNotFound.
func (s *Store) Matches(ctx context.Context, actor Actor, reconciliationID, after int64, limit int) (items []Match, more bool, err error) {
	if err := actor.Need(RightRead); err != nil {
		return nil, false, err
	}
	db := s.db.WithContext(ctx)
	if err := needReconciliation(db, actor.Book, reconciliationID); err != nil {
		return nil, false, err
	}
	if version, err := signedVersion(db, actor.Book, reconciliationID); err != nil || version != 0 {
		if err != nil {
			return nil, false, err
		}
		return matchesKept(db, actor.Book, reconciliationID, version, after, limit)
	}
	limit = pageSize(limit)
	items, err = loadMatches(db, actor.Book, `m.reconciliation_id = ? AND m.live AND m.id > ? ORDER BY m.id LIMIT ?`, reconciliationID, after, limit+1)
	if more = len(items) > limit; more {
		items = items[:limit]
	}
	return items, more, err
}

// A match that was reduced shows what it still holds; one that was taken apart what it held.
const (
	matchLinesShown    = `(SELECT i.book_id, i.match_id, i.line_id FROM match_lines i WHERE i.live OR NOT ` + matchIsLive + `)`
	matchPostingsShown = `(SELECT i.book_id, i.match_id, i.seq, i.line FROM match_postings i WHERE i.live OR NOT ` + matchIsLive + `)`
	matchIsLive        = `EXISTS (SELECT FROM matches n WHERE n.book_id = i.book_id AND n.id = i.match_id AND n.live)`
)

// loadMatches reads matches m by a condition, which may end in an order and a limit.
func loadMatches(db *gorm.DB, book Book, condition string, args ...any) ([]Match, error) {
	rows, err := query[struct {
		ID, ReconciliationID int64
		Kind                 recon.Kind
		Rule, Why, MadeBy    string
		Score                int
		Live                 bool
		MadeAt               time.Time
		RulesVersion         int
		BookedSeq            int64
	}](db, `
		SELECT coalesce(m.rules_version, 0) AS rules_version, coalesce(m.booked_seq, 0) AS booked_seq, m.id, m.reconciliation_id, m.kind, m.rule, m.score, m.why, m.live, m.made_at, coalesce(u.name, '') AS made_by
		  FROM matches m LEFT JOIN users u ON u.id = m.made_by WHERE m.book_id = ? AND `+condition, append([]any{book.ID}, args...)...)
	if err != nil {
		return nil, fmt.Errorf("read matches: %w", err)
	}
	ids := make(array[int64], len(rows))
	items := make([]Match, len(rows))
	for i, r := range rows {
		ids[i] = r.ID
		items[i] = Match{ID: r.ID, ReconciliationID: r.ReconciliationID, Kind: r.Kind, Rule: r.Rule, Score: r.Score, Why: r.Why, Live: r.Live,
			MadeBy: r.MadeBy, MadeAt: r.MadeAt.UTC(), RulesVersion: r.RulesVersion, BookedSeq: r.BookedSeq}
	}
	postings, lines, err := loadSides(db, book, matchPostingsShown, matchLinesShown, "match_id", ids)
	for i := range items {
		items[i].Ledger, items[i].Bank = postings[items[i].ID], lines[items[i].ID]
	}
	return items, err
}

func loadMatch(db *gorm.DB, book Book, id int64) (Match, error) {
	items, err := loadMatches(db, book, `m.id = ?`, id)
	if err != nil {
		return Match{}, err
	}
	if len(items) == 0 {
		return Match{}, noMatch(book, id)
	}
	return items[0], nil
}

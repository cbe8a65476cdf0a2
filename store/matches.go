package store

import (
	"context"
	"fmt"

	"daybook/recon"
)

// Match is a set of postings and lines that agree.
type Match struct {
	ID     int64
	Kind   recon.Kind
	Rule   string
	Score  int
	Why    string
	Ledger []PostingSide
	Bank   []LineSide
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
	rows, err := query[struct {
		ID        int64
		Kind      recon.Kind
		Rule, Why string
		Score     int
	}](db, `
		SELECT id, kind, rule, score, why FROM matches WHERE book_id = ? AND reconciliation_id = ? AND live AND id > ? ORDER BY id LIMIT ?`,
		actor.Book.ID, reconciliationID, after, limit+1)
	if err != nil {
		return nil, false, fmt.Errorf("list matches: %w", err)
	}
	if more = len(rows) > limit; more {
		rows = rows[:limit]
	}
	ids := make(array[int64], len(rows))
	for i, row := range rows {
		ids[i] = row.ID
	}
	postings, lines, err := loadSides(db, actor.Book, "match_postings", "match_lines", "match_id", ids)
	for _, row := range rows {
		items = append(items, Match{ID: row.ID, Kind: row.Kind, Rule: row.Rule, Score: row.Score, Why: row.Why, Ledger: postings[row.ID], Bank: lines[row.ID]})
	}
	return items, more, err
}

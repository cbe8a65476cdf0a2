package store

import (
	"fmt"

	"gorm.io/gorm"

	"daybook/recon"
	"daybook/store/ledger"
)

// openingRow is a reconciliation as its opening balance sees it.
type openingRow struct {
	ID                 int64
	ScopeFrom, ScopeTo ledger.Date
	BalanceSource      recon.BalanceSource
	Status             string
	LedgerSeq          int64
}

// shiftOpenings keeps assumed opening balances right. Where no statement says what the bank had before the first one, that is what the
// ledger had, less the postings of before that are matched: the bank had not seen them yet. So whoever matches some takes their sum off
// (sign -1), and whoever takes such a match apart adds it again (1): in the reconciliation that assumed it, and in those that go on from
// its end, where they are open and count the posting. fresh is one that has just worked out what it assumed by itself, 0 for none.
func shiftOpenings(tx *gorm.DB, book Book, accountID int64, postings []handPosting, sign, fresh int64) error {
	if len(postings) == 0 {
		return nil
	}
	rows, err := query[openingRow](tx, `
		SELECT id, scope_from, scope_to, balance_source, status, ledger_seq FROM reconciliations WHERE book_id = ? AND account_id = ? ORDER BY id`, book.ID, accountID)
	if err != nil {
		return fmt.Errorf("read the openings of an account: %w", err)
	}
	takenIn, err := loadTakenIn(tx, book, postings)
	if err != nil {
		return err
	}
	assumed := assumedFrom(rows)
	var ids, minors array[int64]
	for i, r := range rows {
		if r.Status != ReconciliationOpen || r.ID == fresh && r.BalanceSource == recon.AssumedOpening {
			continue
		}
		minor := int64(0)
		for _, p := range postings {
			if p.EffectiveOn.Before(assumed[i]) && (p.Seq <= r.LedgerSeq || takenIn[takenPosting{r.ID, p.Seq, p.Line}]) {
				minor += p.AmountMinor // part of the account's turnover, which is bounded
			}
		}
		if minor != 0 {
			ids, minors = append(ids, r.ID), append(minors, sign*minor)
		}
	}
	if len(ids) == 0 {
		return nil
	}
	if _, err := exec(tx, `
		UPDATE reconciliations r SET statement_minor = r.statement_minor + u.minor FROM unnest(?::bigint[], ?::bigint[]) AS u (id, minor)
		 WHERE r.book_id = ? AND r.id = u.id`, ids, minors, book.ID); err != nil {
		return fmt.Errorf("shift assumed openings: %w", err)
	}
	return nil
}

// takenPosting is a posting that a reconciliation counts though it came after its matching.
type takenPosting struct {
	ReconciliationID, Seq int64
	Line                  int
}

func loadTakenIn(tx *gorm.DB, book Book, postings []handPosting) (map[takenPosting]bool, error) {
	seqs, lines := handSet{postings: postings}.postingRefs()
	rows, err := query[takenPosting](tx, `
		SELECT t.reconciliation_id, t.seq, t.line
		  FROM reconciliation_postings t JOIN unnest(?::bigint[], ?::integer[]) AS u (seq, line) ON t.seq = u.seq AND t.line = u.line
		 WHERE t.book_id = ?`, seqs, lines, book.ID)
	if err != nil {
		return nil, fmt.Errorf("read which postings count early: %w", err)
	}
	taken := map[takenPosting]bool{}
	for _, row := range rows {
		taken[row] = true
	}
	return taken, nil
}

// assumedFrom gives, for each reconciliation in the order of their numbers, the first day of the one whose opening was assumed and that its
// balance goes back to; no day where it goes back to a balance that a bank stated.
func assumedFrom(rows []openingRow) []ledger.Date {
	from := make([]ledger.Date, len(rows))
	for i, r := range rows {
		switch r.BalanceSource {
		case recon.AssumedOpening:
			from[i] = r.ScopeFrom
		case recon.PreviousClosing:
			if before := previousOf(rows[:i], r); before >= 0 {
				from[i] = from[before]
			}
		}
	}
	return from
}

// previousOf finds the reconciliation whose closing was the opening of a later one: of those before it that end no later, the one that
// ends last; -1 for none.
func previousOf(earlier []openingRow, r openingRow) int {
	found := -1
	for i, e := range earlier {
		if !e.ScopeTo.After(r.ScopeTo) && (found < 0 || !e.ScopeTo.Before(earlier[found].ScopeTo)) {
			found = i
		}
	}
	return found
}

// shiftOpenings is shiftOpenings for what a run matched.
func (r *run) shiftOpenings(fresh int64) error {
	var old []handPosting
	for _, m := range r.result.Matches {
		for _, i := range m.Ledger {
			if e := r.entries[i]; e.EffectiveOn.Before(r.period.From) {
				old = append(old, handPosting{Seq: e.Seq, Line: e.Line, EffectiveOn: e.EffectiveOn, AmountMinor: e.AmountMinor})
			}
		}
	}
	return shiftOpenings(r.tx, r.actor.Book, r.account.ID, old, -1, fresh)
}

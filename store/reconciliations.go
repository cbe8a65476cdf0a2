package store

import (
	"context"
	"encoding/json"
	"fmt"
	"strconv"
	"time"

	"gorm.io/gorm"

	"daybook/recon"
	"daybook/store/ledger"
)

// Reconciliation is one account's statement held against the journal, with the state its breaks are in now. Counts are of the
// breaks it holds by type; Totals are of the lines and postings in its matches and breaks, in the account's currency.
type Reconciliation struct {
	ID            int64
	Account       ledger.Account
	Status        string
	ScopeFrom     ledger.Date
	ScopeTo       ledger.Date
	PeriodStated  bool
	LedgerSeq     int64 // the head of the journal when it was last matched
	BalanceSource recon.BalanceSource
	CreatedAt     time.Time
	Statement     Statement
	Latest        bool // no later reconciliation of the account: matching can be run again
	Matches       int
	Counts        map[recon.BreakType]int
	Breaks        []BreakSum
	OpenBreaks    int
	Totals        recon.Totals
	Proof         recon.Proof
}

type reconciliationRow struct {
	ID                                     int64
	StatementID                            int64
	Account                                string
	Status                                 string
	ScopeFrom, ScopeTo, CreatedAt          time.Time
	PeriodStated                           bool
	LedgerSeq, LedgerMinor, StatementMinor int64
	BalanceSource                          recon.BalanceSource
	Rules                                  string
	Latest                                 bool
}

const selectReconciliations = `
	SELECT r.id, r.statement_id, a.code AS account, r.status, r.scope_from, r.scope_to, r.created_at, r.period_stated, r.ledger_seq, r.ledger_minor,
	       r.statement_minor, r.balance_source, r.rules::text AS rules,
	       NOT EXISTS (SELECT FROM reconciliations n WHERE n.book_id = r.book_id AND n.account_id = r.account_id AND n.id > r.id) AS latest
	  FROM reconciliations r JOIN accounts a ON a.book_id = r.book_id AND a.id = r.account_id`

// Reconciliation gives one reconciliation of the actor's book. Error: KindNotFound.
func (s *Store) Reconciliation(ctx context.Context, actor Actor, id int64) (Reconciliation, error) {
	if err := actor.Need(RightRead); err != nil {
		return Reconciliation{}, err
	}
	var result Reconciliation
	err := s.inTx(ctx, func(tx *gorm.DB) (err error) {
		result, err = loadReconciliation(tx, actor.Book, id)
		return err
	})
	return result, err
}

func loadReconciliation(tx *gorm.DB, book Book, id int64) (Reconciliation, error) {
	row, err := queryOne[reconciliationRow](tx, fmt.Sprintf("book %s has no reconciliation %d", book.Code, id),
		selectReconciliations+` WHERE r.book_id = ? AND r.id = ?`, book.ID, id)
	if err != nil {
		return Reconciliation{}, err
	}
	r := Reconciliation{
		ID: row.ID, Status: row.Status, ScopeFrom: ledger.DateOf(row.ScopeFrom), ScopeTo: ledger.DateOf(row.ScopeTo), PeriodStated: row.PeriodStated,
		LedgerSeq: row.LedgerSeq, BalanceSource: row.BalanceSource, CreatedAt: row.CreatedAt.UTC(), Latest: row.Latest, Counts: map[recon.BreakType]int{},
	}
	if r.Account, err = loadAccount(tx, book, row.Account, ""); err != nil {
		return r, err
	}
	statements, err := loadStatements(tx, book, `s.id = ?`, row.StatementID)
	if err != nil {
		return r, err
	}
	r.Statement = statements[0]
	if r.Matches, err = queryOne[int](tx, "no count", `SELECT count(*) FROM matches WHERE book_id = ? AND reconciliation_id = ? AND live`, book.ID, id); err != nil {
		return r, err
	}
	if r.Totals, err = sumItems(tx, book, id, r.Account.Currency); err != nil {
		return r, err
	}
	return r, r.prove(tx, book, row)
}

// BreakSum counts the breaks of a reconciliation that are of one type, status and resolution, and adds up their differences.
type BreakSum struct {
	Type            recon.BreakType
	Status          recon.Status
	Resolution      recon.Resolution // "" while they are not resolved
	Breaks          int
	DifferenceMinor int64
}

// prove counts the breaks and adds up the proof. A break that a later statement settled was carried to it: here it stays explained.
func (r *Reconciliation) prove(tx *gorm.DB, book Book, row reconciliationRow) error {
	sums, err := query[BreakSum](tx, `
		SELECT b.type, b.status, coalesce(b.resolution, '') AS resolution, sum(b.difference_minor) AS difference_minor, count(*) AS breaks
		  FROM reconciliation_breaks l JOIN breaks b ON b.book_id = l.book_id AND b.id = l.break_id
		 WHERE l.book_id = ? AND l.reconciliation_id = ? AND b.superseded_by IS DISTINCT FROM l.reconciliation_id
		 GROUP BY b.type, b.status, b.resolution, b.difference_minor < 0 ORDER BY b.type, b.status, b.resolution, b.difference_minor < 0`, book.ID, r.ID)
	if err != nil {
		return err
	}
	r.Breaks = sums
	var differences []recon.Difference
	for _, sum := range sums {
		r.Counts[sum.Type] += sum.Breaks
		resolution := sum.Resolution
		if resolution == recon.Superseded {
			resolution = recon.CarriedForward
		}
		if sum.Status != recon.Resolved {
			r.OpenBreaks += sum.Breaks
		}
		differences = append(differences, recon.Difference{Type: sum.Type, Resolution: resolution, Minor: sum.DifferenceMinor})
	}
	lateMinor, err := queryOne[int64](tx, "no sum", `
		SELECT coalesce(sum(p.amount_minor), 0)
		  FROM matches m
		  JOIN match_postings i ON i.book_id = m.book_id AND i.match_id = m.id AND i.live
		  JOIN postings p ON p.book_id = i.book_id AND p.seq = i.seq AND p.line = i.line
		  JOIN entries e ON e.book_id = p.book_id AND e.seq = p.seq
		 WHERE m.book_id = ? AND m.reconciliation_id = ? AND m.live AND e.effective_on > ?`, book.ID, r.ID, r.ScopeTo)
	if err != nil {
		return err
	}
	if lateMinor != 0 { // the bank had it in the period, the ledger only after its end
		differences = append(differences, recon.Difference{Type: recon.MissingInLedger, Resolution: recon.CarriedForward, Minor: -lateMinor})
	}
	r.Proof, err = recon.Prove(row.LedgerMinor, row.StatementMinor, differences)
	return err
}

// sumItems adds up both sides of all that the reconciliation matched or holds as a break.
func sumItems(tx *gorm.DB, book Book, id int64, currency string) (recon.Totals, error) {
	row, err := queryOne[struct{ LedgerMinor, BankMinor string }](tx, "no sums", `
		WITH held AS (
			SELECT l.break_id FROM reconciliation_breaks l JOIN breaks b ON b.book_id = l.book_id AND b.id = l.break_id
			 WHERE l.book_id = @book AND l.reconciliation_id = @id AND b.superseded_by IS DISTINCT FROM l.reconciliation_id),
		made AS (SELECT id FROM matches WHERE book_id = @book AND reconciliation_id = @id AND live)
		SELECT (SELECT coalesce(sum(p.amount_minor), 0)::text FROM postings p
		         WHERE p.book_id = @book AND p.currency = @currency AND (p.seq, p.line) IN (
		               SELECT i.seq, i.line FROM match_postings i JOIN made ON made.id = i.match_id WHERE i.book_id = @book
		               UNION SELECT i.seq, i.line FROM break_postings i JOIN held ON held.break_id = i.break_id WHERE i.book_id = @book)) AS ledger_minor,
		       (SELECT coalesce(sum(s.amount_minor), 0)::text FROM statement_lines s
		         WHERE s.book_id = @book AND s.currency = @currency AND s.id IN (
		               SELECT i.line_id FROM match_lines i JOIN made ON made.id = i.match_id WHERE i.book_id = @book
		               UNION SELECT i.line_id FROM break_lines i JOIN held ON held.break_id = i.break_id WHERE i.book_id = @book)) AS bank_minor`,
		map[string]any{"book": book.ID, "id": id, "currency": currency})
	if err != nil {
		return recon.Totals{}, err
	}
	return totalsOf(row.LedgerMinor, row.BankMinor)
}

// totalsOf reads two sums that Postgres computed without bounds. Error: KindAmountOverflow.
func totalsOf(ledgerMinor, bankMinor string) (recon.Totals, error) {
	ours, errOurs := strconv.ParseInt(ledgerMinor, 10, 64)
	theirs, errTheirs := strconv.ParseInt(bankMinor, 10, 64)
	difference, ok := ledger.Add(ours, -theirs)
	if errOurs != nil || errTheirs != nil || !ok {
		return recon.Totals{}, ledger.Refuse(ledger.KindAmountOverflow, "the totals of the reconciliation are beyond the largest amount")
	}
	return recon.Totals{LedgerMinor: ours, BankMinor: theirs, DifferenceMinor: difference}, nil
}

// Reconciliations lists the reconciliations of the actor's book, newest first, before an id (0: from the newest), each whole.
func (s *Store) Reconciliations(ctx context.Context, actor Actor, before int64, limit int) (items []Reconciliation, more bool, err error) {
	if err := actor.Need(RightRead); err != nil {
		return nil, false, err
	}
	limit = min(pageSize(limit), 100)
	err = s.inTx(ctx, func(tx *gorm.DB) error {
		ids, err := query[int64](tx, `SELECT id FROM reconciliations WHERE book_id = ? AND (? = 0 OR id < ?) ORDER BY id DESC LIMIT ?`,
			actor.Book.ID, before, before, limit+1)
		if err != nil {
			return err
		}
		if more = len(ids) > limit; more {
			ids = ids[:limit]
		}
		items = nil
		for _, id := range ids {
			item, err := loadReconciliation(tx, actor.Book, id)
			if err != nil {
				return err
			}
			items = append(items, item)
		}
		return nil
	})
	return items, more, err
}

// RunMatching matches an account's newest reconciliation again, with what the journal holds by now. Errors: KindForbidden,
// KindNotFound, KindIllegalTransition for an older reconciliation.
func (s *Store) RunMatching(ctx context.Context, actor Actor, id int64) error {
	if err := actor.Need(RightResolve); err != nil {
		return err
	}
	return s.inTx(ctx, func(tx *gorm.DB) error {
		row, err := queryOne[reconciliationRow](tx, fmt.Sprintf("book %s has no reconciliation %d", actor.Book.Code, id),
			selectReconciliations+` WHERE r.book_id = ? AND r.id = ?`, actor.Book.ID, id)
		if err != nil {
			return err
		}
		account, err := loadAccount(tx, actor.Book, row.Account, "FOR NO KEY UPDATE OF a")
		if err != nil {
			return err
		}
		if row, err = queryOne[reconciliationRow](tx, "the reconciliation is gone", selectReconciliations+` WHERE r.book_id = ? AND r.id = ?`, actor.Book.ID, id); err != nil {
			return err
		}
		if !row.Latest || row.Status != "open" {
			return ledger.Refuse(ledger.KindIllegalTransition, "account %s has a later reconciliation: run the matching there", account.Code)
		}
		return s.matchAgain(tx, actor, account, row)
	})
}

func (s *Store) matchAgain(tx *gorm.DB, actor Actor, account ledger.Account, row reconciliationRow) error {
	latest, err := latestPeriod(tx, actor.Book, account)
	if err != nil {
		return err
	}
	r := &run{store: s, tx: tx, actor: actor, account: account, id: row.ID, period: latest}
	if err := json.Unmarshal([]byte(row.Rules), &r.rules); err != nil {
		return fmt.Errorf("read the rules of reconciliation %d: %w", row.ID, err)
	}
	if err := r.match(); err != nil {
		return err
	}
	ledgerMinor, err := r.ledgerBalance(ledger.DateOf(row.ScopeTo))
	if err != nil {
		return err
	}
	if _, err := exec(tx, `UPDATE reconciliations SET ledger_seq = ?, ledger_minor = ? WHERE book_id = ? AND id = ?`,
		r.seq, ledgerMinor, actor.Book.ID, row.ID); err != nil {
		return err
	}
	return s.audit(tx, actor, "reconciliation.match", fmt.Sprintf("reconciliation %d", row.ID), map[string]any{"entry": r.seq})
}

// CountItems counts the postings and the lines that a reconciliation holds in matches and breaks in a currency.
func (s *Store) CountItems(ctx context.Context, actor Actor, reconciliationID int64, currency string) (postings, lines int, err error) {
	if err := actor.Need(RightRead); err != nil {
		return 0, 0, err
	}
	row, err := queryOne[struct{ Postings, Lines int }](s.db.WithContext(ctx), "no counts", `
		WITH held AS (
			SELECT l.break_id FROM reconciliation_breaks l JOIN breaks b ON b.book_id = l.book_id AND b.id = l.break_id
			 WHERE l.book_id = @book AND l.reconciliation_id = @id AND b.superseded_by IS DISTINCT FROM l.reconciliation_id),
		made AS (SELECT id FROM matches WHERE book_id = @book AND reconciliation_id = @id AND live)
		SELECT (SELECT count(*) FROM postings p WHERE p.book_id = @book AND p.currency = @currency AND (p.seq, p.line) IN (
		               SELECT i.seq, i.line FROM match_postings i JOIN made ON made.id = i.match_id WHERE i.book_id = @book
		               UNION SELECT i.seq, i.line FROM break_postings i JOIN held ON held.break_id = i.break_id WHERE i.book_id = @book)) AS postings,
		       (SELECT count(*) FROM statement_lines s WHERE s.book_id = @book AND s.currency = @currency AND s.id IN (
		               SELECT i.line_id FROM match_lines i JOIN made ON made.id = i.match_id WHERE i.book_id = @book
		               UNION SELECT i.line_id FROM break_lines i JOIN held ON held.break_id = i.break_id WHERE i.book_id = @book)) AS lines`,
		map[string]any{"book": actor.Book.ID, "id": reconciliationID, "currency": currency})
	return row.Postings, row.Lines, err
}

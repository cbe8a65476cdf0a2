package store

import (
	"fmt"
	"strconv"
	"time"

	"gorm.io/gorm"

	"daybook/recon"
	"daybook/store/ledger"
)

// reconciliationRow is a reconciliation as it is stored.
type reconciliationRow struct {
	ID, AccountID, StatementID             int64
	Status                                 string
	Version                                int
	ScopeFrom, ScopeTo                     ledger.Date
	CreatedAt                              time.Time
	PeriodStated                           bool
	LedgerSeq, LedgerMinor, StatementMinor int64
	BalanceSource                          recon.BalanceSource
	Rules                                  string
	RulesVersion                           int
	Latest                                 bool
	NewestID                               int64
}

// queryReconciliations reads reconciliations r by a condition, which may end in an order and a limit.
func queryReconciliations(tx *gorm.DB, book Book, condition string, args ...any) ([]reconciliationRow, error) {
	rows, err := query[reconciliationRow](tx, `
		SELECT r.id, r.account_id, r.statement_id, r.status, r.version, r.scope_from, r.scope_to, r.created_at, r.period_stated, r.ledger_seq, r.ledger_minor,
		       r.statement_minor, r.balance_source, r.rules::text AS rules, CAST(coalesce(r.rules->>'Version', '1') AS integer) AS rules_version,
		       coalesce(n.id = r.id, false) AS latest, coalesce(n.id, 0) AS newest_id
		  FROM reconciliations r
		  LEFT JOIN LATERAL (SELECT n.id FROM reconciliations n WHERE n.book_id = r.book_id AND n.account_id = r.account_id AND n.status <> 'undone'
		                      ORDER BY n.scope_to DESC, n.id DESC LIMIT 1) n ON true
		 WHERE r.book_id = ? AND `+condition, append([]any{book.ID}, args...)...)
	if err != nil {
		return nil, fmt.Errorf("read reconciliations: %w", err)
	}
	return rows, nil
}

// loadReconciliations is queryReconciliations for whole ones: what each holds is read for all of them at once.
func loadReconciliations(tx *gorm.DB, book Book, condition string, args ...any) ([]Reconciliation, error) {
	parts := append([]loadPart{reconciliationLoad.statements, reconciliationLoad.matches, reconciliationLoad.totals}, proofParts()...)
	return loadParts(tx, book, parts, condition, args...)
}

// loadProofs is loadReconciliations without what a proof does not ask for: statements, matches and totals are left out.
func loadProofs(tx *gorm.DB, book Book, condition string, args ...any) ([]Reconciliation, error) {
	return loadParts(tx, book, proofParts(), condition, args...)
}

// loadPart reads one part of what reconciliations hold.
type loadPart func(reconciliationLoad) error

func proofParts() []loadPart {
	return []loadPart{reconciliationLoad.accounts, reconciliationLoad.breaks, reconciliationLoad.clearedLater, reconciliationLoad.bookedLater, reconciliationLoad.reversedLater, reconciliationLoad.partlyLater, reconciliationLoad.outside}
}

func loadParts(tx *gorm.DB, book Book, parts []loadPart, condition string, args ...any) ([]Reconciliation, error) {
	rows, err := queryReconciliations(tx, book, condition, args...)
	if err != nil || len(rows) == 0 {
		return nil, err
	}
	load := reconciliationLoad{tx: tx, book: book, rows: rows, byID: map[int64]*Reconciliation{}, differences: map[int64][]recon.Difference{}}
	items := make([]Reconciliation, len(rows))
	for i, r := range rows {
		items[i] = Reconciliation{
			ID: r.ID, Status: r.Status, Version: r.Version, ScopeFrom: r.ScopeFrom, ScopeTo: r.ScopeTo, PeriodStated: r.PeriodStated, LedgerSeq: r.LedgerSeq, RulesVersion: r.RulesVersion,
			BalanceSource: r.BalanceSource, CreatedAt: r.CreatedAt.UTC(), Latest: r.Latest, NewestID: r.NewestID, Counts: map[recon.BreakType]int{},
		}
		load.byID[r.ID] = &items[i]
		if r.Status != ReconciliationUndone { // of that nothing is left
			load.ids = append(load.ids, r.ID)
		}
	}
	for _, part := range parts {
		if err := part(load); err != nil {
			return nil, fmt.Errorf("read what reconciliations hold: %w", err)
		}
	}
	for i, r := range rows {
		if r.Status == ReconciliationUndone {
			continue
		}
		if items[i].Proof, err = recon.Prove(r.LedgerMinor, r.StatementMinor, load.differences[r.ID]); err != nil {
			return nil, err
		}
	}
	return items, load.signed()
}

// reconciliationLoad puts into reconciliations what other tables have of them.
type reconciliationLoad struct {
	tx          *gorm.DB
	book        Book
	rows        []reconciliationRow
	ids         array[int64]
	byID        map[int64]*Reconciliation
	differences map[int64][]recon.Difference // what the proof is made of
}

func (l reconciliationLoad) accounts() error {
	var accountIDs array[int64]
	for _, r := range l.rows {
		accountIDs = append(accountIDs, r.AccountID)
	}
	accounts, err := query[ledger.Account](l.tx, `SELECT `+accountColumns+` FROM accounts a WHERE a.book_id = ? AND a.id = ANY(?::bigint[])`,
		l.book.ID, accountIDs)
	for _, r := range l.rows {
		for _, account := range accounts {
			if account.ID == r.AccountID {
				l.byID[r.ID].Account = account
			}
		}
	}
	return err
}

func (l reconciliationLoad) statements() error {
	var statementIDs array[int64]
	for _, r := range l.rows {
		statementIDs = append(statementIDs, r.StatementID)
	}
	statements, err := loadStatements(l.tx, l.book, `s.id = ANY(?::bigint[])`, statementIDs)
	for _, r := range l.rows {
		for _, statement := range statements {
			if statement.ID == r.StatementID {
				l.byID[r.ID].Statement = statement
			}
		}
	}
	return err
}

func (l reconciliationLoad) matches() error {
	counts, err := query[struct {
		ID      int64
		Matches int
	}](l.tx, `
		SELECT reconciliation_id AS id, count(*) AS matches FROM matches
		 WHERE book_id = ? AND reconciliation_id = ANY(?::bigint[]) AND live GROUP BY reconciliation_id`, l.book.ID, l.ids)
	for _, c := range counts {
		l.byID[c.ID].Matches = c.Matches
	}
	return err
}

// totals adds up both sides of all that a reconciliation matched or holds as a break, in the currency of its account.
func (l reconciliationLoad) totals() error {
	sums, err := query[struct {
		ID                     int64
		Postings, Lines        int
		LedgerMinor, BankMinor string
	}](l.tx, `
		WITH held AS (
			SELECT h.reconciliation_id AS id, h.break_id FROM reconciliation_breaks h JOIN breaks b ON b.book_id = h.book_id AND b.id = h.break_id
			 WHERE h.book_id = @book AND h.reconciliation_id = ANY(CAST(@ids AS bigint[])) AND b.superseded_by IS DISTINCT FROM h.reconciliation_id`+notUndoneSQL+`),
		made AS (SELECT reconciliation_id AS id, id AS match_id FROM matches WHERE book_id = @book AND reconciliation_id = ANY(CAST(@ids AS bigint[])) AND live),
		ours AS (
			SELECT m.id, i.seq, i.line FROM made m JOIN match_postings i ON i.book_id = @book AND i.match_id = m.match_id AND i.live
			UNION SELECT h.id, i.seq, i.line FROM held h JOIN break_postings i ON i.book_id = @book AND i.break_id = h.break_id),
		theirs AS (
			SELECT m.id, i.line_id FROM made m JOIN match_lines i ON i.book_id = @book AND i.match_id = m.match_id AND i.live
			UNION SELECT h.id, i.line_id FROM held h JOIN break_lines i ON i.book_id = @book AND i.break_id = h.break_id),
		of_ledger AS (
			SELECT o.id, p.currency, count(*) AS items, sum(p.amount_minor) AS minor
			  FROM ours o JOIN postings p ON p.book_id = @book AND p.seq = o.seq AND p.line = o.line GROUP BY o.id, p.currency),
		of_bank AS (
			SELECT t.id, s.currency, count(*) AS items, sum(s.amount_minor) AS minor
			  FROM theirs t JOIN statement_lines s ON s.book_id = @book AND s.id = t.line_id GROUP BY t.id, s.currency)
		SELECT r.id, coalesce(o.items, 0) AS postings, coalesce(t.items, 0) AS lines,
		       coalesce(o.minor, 0)::text AS ledger_minor, coalesce(t.minor, 0)::text AS bank_minor
		  FROM reconciliations r
		  JOIN accounts a ON a.book_id = r.book_id AND a.id = r.account_id
		  LEFT JOIN of_ledger o ON o.id = r.id AND o.currency = a.currency
		  LEFT JOIN of_bank t ON t.id = r.id AND t.currency = a.currency
		 WHERE r.book_id = @book AND r.id = ANY(CAST(@ids AS bigint[]))`, map[string]any{"book": l.book.ID, "ids": l.ids})
	for _, sum := range sums {
		r := l.byID[sum.ID]
		r.Postings, r.Lines = sum.Postings, sum.Lines
		if r.Totals, err = totalsOf(sum.LedgerMinor, sum.BankMinor); err != nil {
			return err
		}
	}
	return err
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

// breaks counts the breaks and gives their differences to the proof. One that was superseded is not part of it any more: its lines are
// matched or in other breaks.
func (l reconciliationLoad) breaks() error {
	sums, err := query[struct {
		ID int64
		BreakSum
		Minor string
	}](l.tx, `
		SELECT h.reconciliation_id AS id, b.type, b.status, coalesce(b.resolution, '') AS resolution, sum(b.difference_minor)::text AS minor, count(*) AS breaks
		  FROM reconciliation_breaks h JOIN breaks b ON b.book_id = h.book_id AND b.id = h.break_id
		 WHERE h.book_id = ? AND h.reconciliation_id = ANY(?::bigint[]) AND b.superseded_by IS DISTINCT FROM h.reconciliation_id`+notUndoneSQL+`
		 GROUP BY h.reconciliation_id, b.type, b.status, b.resolution, b.difference_minor < 0
		 ORDER BY h.reconciliation_id, b.type, b.status, b.resolution, b.difference_minor < 0`, l.book.ID, l.ids)
	for _, sum := range sums {
		if sum.DifferenceMinor, err = strconv.ParseInt(sum.Minor, 10, 64); err != nil {
			return ledger.Refuse(ledger.KindAmountOverflow, "the differences of the breaks add up to more than the largest amount")
		}
		r := l.byID[sum.ID]
		r.Breaks = append(r.Breaks, sum.BreakSum)
		r.Counts[sum.Type] += sum.Breaks
		if sum.Status != recon.Resolved {
			r.OpenBreaks += sum.Breaks
		}
		l.differences[sum.ID] = append(l.differences[sum.ID], recon.Difference{Type: sum.Type, Resolution: sum.Resolution, Minor: sum.DifferenceMinor})
	}
	return err
}

package store

import (
	"fmt"

	"gorm.io/gorm"

	"daybook/store/ledger"
)

// Continuity is how a statement follows the one before it, by its days and by its balance.
type Continuity struct {
	ReconciliationID int64 // of the statement before
	Dates            DatesCheck
	Opening          *OpeningCheck // nil where one of the two balances is not known
}

// OpeningDiffers is the balance before the new lines less the closing of the statement before; known is false where nobody can tell.
func (c Continuity) OpeningDiffers() (minor int64, known bool) {
	if c.Opening == nil {
		return 0, false
	}
	return ledger.Add(c.Opening.OpeningMinor, -c.Opening.ClosingMinor)
}

// OpeningCheck holds the balance before the new lines against the closing of the statement before.
type OpeningCheck struct {
	StatementID  int64
	ClosedOn     ledger.Date
	ClosingMinor int64
	OpeningMinor int64
}

// OK reports whether they are equal.
func (c OpeningCheck) OK() bool { return c.ClosingMinor == c.OpeningMinor }

// DatesCheck holds the period against that of the statement before: the days between them, and the days they share.
type DatesCheck struct {
	StatementID int64
	PreviousTo  ledger.Date
	From        ledger.Date
	GapDays     int
	OverlapDays int
	// Continues is true where the balances prove that nothing is missing between them, whatever the days say.
	Continues bool
}

// OK reports whether no time may be missing.
func (c DatesCheck) OK() bool { return c.GapDays == 0 || c.Continues }

// continuityOf holds a statement, or a file that is none yet (0), against the statement before it: that of the account which ends last of those
// that neither begin nor end later. It is nil where there is none. openingNew is the balance before the new lines, nil when it is not known.
func continuityOf(tx *gorm.DB, book Book, accountID, statementID int64, period statedPeriod, openingNew *int64) (*Continuity, error) {
	before, err := query[struct {
		ID, ReconciliationID int64
		PeriodTo             ledger.Date
		ClosingMinor         *int64
	}](tx, `
		SELECT s.id, r.id AS reconciliation_id, s.period_to, coalesce(s.closing_minor, CASE WHEN r.balance_source = 'previous' THEN r.statement_minor END) AS closing_minor
		  FROM statements s JOIN reconciliations r ON r.book_id = s.book_id AND r.statement_id = s.id
		 WHERE s.book_id = ? AND s.account_id = ? AND s.undone_at IS NULL AND s.id <> ? AND s.period_from <= ? AND s.period_to <= ?
		   AND (? = 0 OR s.period_to < ? OR s.id < ?)
		 ORDER BY s.period_to DESC, s.id DESC LIMIT 1`, book.ID, accountID, statementID, period.From, period.To, statementID, period.To, statementID)
	if err != nil {
		return nil, fmt.Errorf("read the statement before: %w", err)
	}
	if len(before) == 0 {
		return nil, nil
	}
	previous := before[0]
	c := &Continuity{ReconciliationID: previous.ReconciliationID}
	if openingNew != nil && previous.ClosingMinor != nil {
		c.Opening = &OpeningCheck{StatementID: previous.ID, ClosedOn: previous.PeriodTo, ClosingMinor: *previous.ClosingMinor, OpeningMinor: *openingNew}
	}
	between := previous.PeriodTo.DaysUntil(period.From)
	c.Dates = DatesCheck{StatementID: previous.ID, PreviousTo: previous.PeriodTo, From: period.From,
		GapDays: max(between-1, 0), OverlapDays: max(1-between, 0), Continues: c.Opening != nil && c.Opening.OK()}
	return c, nil
}

// loadContinuity is continuityOf for a stored statement.
func loadContinuity(tx *gorm.DB, book Book, id int64) (*Continuity, error) {
	s, err := queryOne[struct {
		AccountID            int64
		PeriodFrom, PeriodTo ledger.Date
		OpeningNewMinor      *int64
	}](tx, fmt.Sprintf("book %s has no statement %d", book.Code, id),
		`SELECT account_id, period_from, period_to, opening_new_minor FROM statements WHERE book_id = ? AND id = ?`, book.ID, id)
	if err != nil {
		return nil, err
	}
	return continuityOf(tx, book, s.AccountID, id, statedPeriod{From: s.PeriodFrom, To: s.PeriodTo}, s.OpeningNewMinor)
}

package store

import (
	"errors"
	"fmt"
	"strings"

	"gorm.io/gorm"

	"daybook/recon"
	"daybook/recon/statement"
	"daybook/store/ledger"
)

// balanceRefusal gives the refusal of a file whose balances do not add up, nil for any other.
func (r reading) balanceRefusal() *statement.Refusal {
	if refusal := r.found.Refusal; refusal != nil && refusal.Class == statement.ClassBalance && r.sorted && !r.unfit {
		return refusal
	}
	return nil
}

// accepted takes a file whose balances do not add up for a reason, with the balances that it states; why is what it is refused for otherwise.
// Errors: why without a reason, and whatever else keeps the file from being stored.
func (r reading) accepted(reason string, why error) (reading, error) {
	refusal := r.balanceRefusal()
	if refusal == nil || !errors.Is(why, refusal) || strings.TrimSpace(reason) == "" {
		return r, why
	}
	if err := ledger.CheckText("balance_reason", reason, true); err != nil {
		return r, err
	}
	parsed := *r.found.Statement
	parsed.OpeningMinor, parsed.ClosingMinor = refusal.OpeningMinor, refusal.ClosingMinor
	found := *r.found
	found.Statement = &parsed
	r.found, r.balanceReason = &found, reason
	return r, r.fault
}

// settleBalances opens, carries and clears the breaks of balances for a new statement.
func (s *Store) settleBalances(tx *gorm.DB, actor Actor, account ledger.Account, stored UploadResult, read reading) error {
	if err := s.openBalanceBreak(tx, actor, account, stored.ReconciliationID, read); err != nil {
		return err
	}
	if err := s.clearBalanceBreaks(tx, actor, account, stored.StatementID, stored.ReconciliationID, read); err != nil {
		return err
	}
	return carryBalanceBreaks(tx, actor.Book, account, stored.ReconciliationID, read.period.To)
}

// openBalanceBreak opens the break of a file that was stored although its balances do not add up: the lines lack its difference.
func (s *Store) openBalanceBreak(tx *gorm.DB, actor Actor, account ledger.Account, reconciliationID int64, read reading) error {
	if read.balanceReason == "" {
		return nil
	}
	var minor int64
	if proof := read.proof(); proof != nil && proof.DifferenceMinor != nil {
		minor = *proof.DifferenceMinor
	}
	id, err := nextNumber(tx, actor.Book.ID, "break", 1)
	if err != nil {
		return err
	}
	now := s.now()
	if _, err := exec(tx, `
		INSERT INTO breaks (book_id, id, account_id, type, difference_minor, currency, why, first_seen_on, since, reconciliation_id, status, live, created_at)
		VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 'open', true, ?)`,
		actor.Book.ID, id, account.ID, recon.Balance, minor, account.Currency, storable(read.found.Refusal.Detail), ledger.DateOf(now), read.period.To, reconciliationID, now); err != nil {
		return fmt.Errorf("open the break of a balance: %w", err)
	}
	_, err = exec(tx, `INSERT INTO break_events (book_id, break_id, n, event, type, reason_code, note, user_id, at) VALUES (?, ?, 1, 'found', ?, '', ?, ?, ?)`,
		actor.Book.ID, id, recon.Balance, "stored all the same: "+read.balanceReason, actor.UserID, now)
	return err
}

// carryBalanceBreaks puts the account's open matters of balances into a new reconciliation: what lines lack once, they lack at every later end.
func carryBalanceBreaks(tx *gorm.DB, book Book, account ledger.Account, reconciliationID int64, ends ledger.Date) error {
	linked, err := exec(tx, `
		INSERT INTO reconciliation_breaks (book_id, reconciliation_id, break_id)
		SELECT book_id, ?, id FROM breaks WHERE book_id = ? AND account_id = ? AND type = ? AND live AND since <= ?
		ON CONFLICT (book_id, reconciliation_id, break_id) DO NOTHING`, reconciliationID, book.ID, account.ID, recon.Balance, ends)
	if err != nil {
		return fmt.Errorf("carry the breaks of balances: %w", err)
	}
	if linked > 0 {
		_, err = loadProofs(tx, book, `r.id = ?`, reconciliationID) // refuses what adds up beyond the largest amount
	}
	return err
}

// clearBalanceBreaks ends the breaks of balances that a file cures: it proves a time that holds all of theirs, and with what it brought the lines
// that are stored of that time lead from its opening to its closing.
func (s *Store) clearBalanceBreaks(tx *gorm.DB, actor Actor, account ledger.Account, statementID, reconciliationID int64, read reading) error {
	parsed := read.found.Statement
	if read.balanceReason != "" || parsed.OpeningMinor == nil || parsed.ClosingMinor == nil {
		return nil
	}
	of := map[string]any{"book": actor.Book.ID, "account": account.ID, "type": recon.Balance, "not_a_break": recon.NotABreak,
		"from": read.period.From, "to": read.period.To, "opening": *parsed.OpeningMinor, "closing": *parsed.ClosingMinor, "currency": account.Currency}
	cured, err := query[int64](tx, `
		SELECT b.id FROM breaks b
		  JOIN reconciliations r ON r.book_id = b.book_id AND r.id = b.reconciliation_id AND r.scope_from >= @from AND r.scope_to <= @to
		 WHERE b.book_id = @book AND b.account_id = @account AND b.type = @type AND b.live AND b.resolution IS DISTINCT FROM @not_a_break
		   AND (SELECT coalesce(sum(l.amount_minor), 0) FROM statement_lines l
		         WHERE l.book_id = @book AND l.account_id = @account AND l.booked_on BETWEEN @from AND @to AND l.currency = @currency AND NOT l.undone)
		       = CAST(@closing AS numeric) - CAST(@opening AS numeric)
		 ORDER BY b.id`, of)
	if err != nil || len(cured) == 0 {
		return err
	}
	if _, err := exec(tx, `UPDATE breaks SET status = ?, resolution = ?, live = false, superseded_by = ? WHERE book_id = ? AND id = ANY(?::bigint[])`,
		recon.Resolved, recon.Superseded, reconciliationID, actor.Book.ID, array[int64](cured)); err != nil {
		return fmt.Errorf("clear the breaks of balances: %w", err)
	}
	r := run{store: s, tx: tx, actor: actor}
	superseded := string(recon.Superseded)
	return r.addEvents("superseded", &superseded, fmt.Sprintf("statement %d brought what was missing: its balances and all lines of its time add up", statementID), cured...)
}

package store

import (
	"cmp"
	"fmt"
	"time"

	"gorm.io/gorm"

	"daybook/recon/statement"
	"daybook/store/ledger"
)

// insertLines stores the new lines of a statement, and gives them as they are stored.
func insertLines(tx *gorm.DB, book Book, account ledger.Account, statementID int64, lines []freshLine, p *jobProgress) ([]lineItem, error) {
	if len(lines) == 0 {
		return nil, nil
	}
	first, err := nextNumber(tx, book.ID, "statement_line", int64(len(lines)))
	if err != nil {
		return nil, err
	}
	stored := make([]lineItem, len(lines))
	for i, line := range lines {
		stored[i] = lineItem{ID: first + int64(i), BookedOn: line.Date, AmountMinor: line.AmountMinor, Currency: cmp.Or(line.Currency, account.Currency),
			Reference: storable(line.Reference), Description: storable(line.Description)}
	}
	return stored, p.inPieces(len(lines), func(from, to int) error {
		return insertSomeLines(tx, book, account, statementID, stored[from:to], lines[from:to])
	})
}

func insertSomeLines(tx *gorm.DB, book Book, account ledger.Account, statementID int64, stored []lineItem, lines []freshLine) error {
	var ids, rows, amounts, occurrences []int64
	var balances []*int64
	var days []time.Time
	var currencies, references, descriptions, bankIDs, raws []string
	var fingerprints [][]byte
	for i, line := range lines {
		s := stored[i]
		ids, rows, amounts = append(ids, s.ID), append(rows, int64(line.Row)), append(amounts, line.AmountMinor)
		occurrences, balances, days = append(occurrences, int64(line.occurrence)), append(balances, line.BalanceMinor), append(days, line.Date.Time())
		currencies, references = append(currencies, s.Currency), append(references, s.Reference)
		descriptions, bankIDs, raws = append(descriptions, s.Description), append(bankIDs, storable(line.BankID)), append(raws, storable(line.Raw))
		fingerprints = append(fingerprints, line.fingerprint[:])
	}
	_, err := exec(tx, `
		INSERT INTO statement_lines (book_id, id, account_id, statement_id, row, booked_on, amount_minor, currency, reference, description, bank_id,
		                             balance_minor, raw, fingerprint_version, fingerprint, occurrence, undone)
		SELECT ?, u.id, ?, ?, u.row, u.booked_on, u.amount_minor, u.currency, u.reference, u.description, u.bank_id, u.balance_minor, u.raw, ?, u.fingerprint, u.occurrence, false
		  FROM unnest(?::bigint[], ?::integer[], ?::date[], ?::bigint[], ?::text[], ?::text[], ?::text[], ?::text[], ?::bigint[], ?::text[], ?::bytea[], ?::integer[])
		       AS u (id, row, booked_on, amount_minor, currency, reference, description, bank_id, balance_minor, raw, fingerprint, occurrence)`,
		book.ID, account.ID, statementID, statement.FingerprintVersion,
		array[int64](ids), array[int64](rows), array[time.Time](days), array[int64](amounts), array[string](currencies), array[string](references),
		array[string](descriptions), array[string](bankIDs), array[*int64](balances), array[string](raws), array[[]byte](fingerprints), array[int64](occurrences))
	return err
}

func insertRowNotes(tx *gorm.DB, book Book, statementID int64, notes []RowNote, p *jobProgress) error {
	return p.inPieces(len(notes), func(from, to int) error { return insertSomeNotes(tx, book, statementID, notes[from:to]) })
}

func insertSomeNotes(tx *gorm.DB, book Book, statementID int64, notes []RowNote) error {
	var rows []int64
	var classes, reasons, details, raws []string
	var knownBy array[*int64]
	var mayBeNew array[bool]
	for _, note := range notes {
		rows, classes, reasons = append(rows, int64(note.Row)), append(classes, note.Class), append(reasons, note.Reason)
		details, raws = append(details, storable(note.Detail)), append(raws, storable(note.Raw))
		knownBy, mayBeNew = append(knownBy, nullable(note.KnownBy)), append(mayBeNew, note.MayBeNew)
	}
	_, err := exec(tx, `
		INSERT INTO statement_rows (book_id, statement_id, row, class, reason, detail, raw, known_statement_id, may_be_new)
		SELECT ?, ?, u.row, u.class, u.reason, u.detail, u.raw, u.known_by, u.may_be_new
		  FROM unnest(?::integer[], ?::text[], ?::text[], ?::text[], ?::text[], ?::bigint[], ?::boolean[])
		       AS u (row, class, reason, detail, raw, known_by, may_be_new)`,
		book.ID, statementID, array[int64](rows), array[string](classes), array[string](reasons), array[string](details), array[string](raws), knownBy, mayBeNew)
	return err
}

func loadRowNotes(db *gorm.DB, book Book, statementID int64, condition string, args ...any) ([]RowNote, error) {
	notes, err := query[RowNote](db, `
		SELECT row, class, reason, detail, raw, coalesce(known_statement_id, 0) AS known_by, may_be_new FROM statement_rows WHERE book_id = ? AND statement_id = ? AND `+condition,
		append([]any{book.ID, statementID}, args...)...)
	if err != nil {
		return nil, fmt.Errorf("read the rows of statement %d: %w", statementID, err)
	}
	return notes, nil
}

type statementRow struct {
	ID                                                           int64
	Account, AccountName, FileName, Currency, UploadedBy         string
	AccountPrinted                                               string
	ProfileName                                                  *string
	ProfileVersion                                               int
	FileHash                                                     ledger.Hash
	PeriodFrom, PeriodTo                                         ledger.Date
	UploadedAt                                                   time.Time
	PeriodStated                                                 bool
	OpeningMinor, ClosingMinor                                   *int64
	RowsNew, RowsKnown, RowsDuplicate, RowsRejected, RowsSkipped int
	ReconciliationID                                             int64
}

// loadStatements reads statements s by a condition, which may end in an order and a limit.
func loadStatements(db *gorm.DB, book Book, condition string, args ...any) ([]Statement, error) {
	rows, err := query[statementRow](db, `
		SELECT s.id, a.code AS account, a.name AS account_name, s.file_name, s.currency, u.name AS uploaded_by, s.file_hash, s.period_from, s.period_to,
		       s.uploaded_at, s.period_stated, s.opening_minor, s.closing_minor, s.rows_new, s.rows_known, s.rows_duplicate, s.rows_rejected, s.rows_skipped,
		       s.account_printed, p.name AS profile_name, coalesce(p.version, 0) AS profile_version, r.id AS reconciliation_id
		  FROM statements s
		  JOIN accounts a ON a.book_id = s.book_id AND a.id = s.account_id
		  JOIN users u ON u.id = s.uploaded_by
		  JOIN reconciliations r ON r.book_id = s.book_id AND r.statement_id = s.id
		  LEFT JOIN statement_profiles p ON p.book_id = s.book_id AND p.id = s.profile_id AND p.version = s.profile_version
		 WHERE s.book_id = ? AND `+condition, append([]any{book.ID}, args...)...)
	if err != nil {
		return nil, fmt.Errorf("read statements: %w", err)
	}
	items := make([]Statement, len(rows))
	for i, r := range rows {
		items[i] = Statement{
			ID: r.ID, Account: r.Account, AccountName: r.AccountName, FileName: r.FileName, FileHash: r.FileHash, Currency: r.Currency,
			PeriodFrom: r.PeriodFrom, PeriodTo: r.PeriodTo, PeriodStated: r.PeriodStated,
			OpeningMinor: r.OpeningMinor, ClosingMinor: r.ClosingMinor,
			Rows:       RowCounts{New: r.RowsNew, Known: r.RowsKnown, Duplicate: r.RowsDuplicate, Rejected: r.RowsRejected, Skipped: r.RowsSkipped},
			UploadedBy: r.UploadedBy, UploadedAt: r.UploadedAt.UTC(), ReconciliationID: r.ReconciliationID, AccountPrinted: r.AccountPrinted,
		}
		if r.ProfileName != nil {
			items[i].Profile = &ProfileVersion{Name: *r.ProfileName, Version: r.ProfileVersion}
		}
	}
	return items, nil
}

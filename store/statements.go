package store

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/json"
	"fmt"

	"gorm.io/gorm"

	"daybook/recon/statement"
	"daybook/store/ledger"
)

// Upload is a bank's file for an account. A period that is given is stated; without one it is taken from the lines. Profile is the name
// of one of the account, in any case of its letters; NoProfile is none, and without a name it is the one that the header of the file is known by.
// Hints win over it.
type Upload struct {
	Account    string
	Profile    string
	FileName   string
	Data       []byte
	Hints      statement.Hints
	PeriodFrom ledger.Date
	PeriodTo   ledger.Date
	Include    []int // rows that may be new, though an equal line is stored, and that a person says are
	fileHash   ledger.Hash
}

// hash is that of the file, worked out once.
func (u *Upload) hash() ledger.Hash {
	if u.fileHash == (ledger.Hash{}) {
		u.fileHash = ledger.Hash(sha256.Sum256(u.Data))
	}
	return u.fileHash
}

// RowCounts says what became of the rows of a file; they add up to its rows.
type RowCounts struct{ New, Known, Duplicate, Rejected, Skipped int }

// RowNote is a row of a file that did not become a line, and why.
type RowNote struct {
	Row    int
	Class  string // one of RowClasses
	Reason string
	Detail string
	Raw    string
	// KnownBy is the statement that stored a known row. MayBeNew says that it may be one more, equal to a stored line: nothing decided it.
	KnownBy  int64
	MayBeNew bool
}

// UploadResult is what came of a file: the statement, its reconciliation, the profile that it was read under, and every rejected row.
type UploadResult struct {
	StatementID      int64
	ReconciliationID int64
	Profile          *ProfileVersion // nil for none
	Rows             RowCounts
	Rejects          []RowNote
	InDoubt          []RowNote   // known rows that may be new
	Continuity       *Continuity // nil for the account's first statement
	JobID            int64       // of the job that stores it, 0 where that is done; all else is empty then
	StoredBefore     bool        // not by this request: the file, or the draft, had been stored already
}

// UploadStatement stores a file for an account and holds it against the journal, all or nothing. The same file again for the
// account gives the first result, as a duplicate, whatever the hints. Errors: KindForbidden, KindUnknownAccount, KindInvalid, KindCurrencyMismatch,
// KindStatementRefused with error_class and row, KindKeyReused, KindBusy. One of more than JobLines lines is stored by a job, which the result
// names.
func (s *Store) UploadStatement(ctx context.Context, actor Actor, key string, upload Upload) (result UploadResult, duplicate bool, err error) {
	if err := actor.Need(RightUpload); err != nil {
		return UploadResult{}, false, err
	}
	hash := upload.hash()
	content := map[string]any{"account": upload.Account, "file": hash.String()}
	lines, err := s.readAhead(ctx, actor, upload)
	if err != nil {
		return UploadResult{}, false, err
	}
	if len(upload.Include) > 0 {
		content["include"] = upload.Include
	}
	err = s.inTx(ctx, func(tx *gorm.DB) error {
		again := false
		result, duplicate, err = once(s, tx, actor, key, "statement", content, func() (result UploadResult, err error) {
			if lines > s.jobLines {
				result, again, err = s.uploadByJob(ctx, tx, actor, upload)
				return result, err
			}
			account, err := holdAccount(tx, actor.Book, upload.Account)
			if err != nil {
				return UploadResult{}, err
			}
			first, found, err := uploadedBefore(tx, actor.Book, account, hash)
			if again = found; found || err != nil {
				return first, err
			}
			profile, err := chooseProfile(tx, actor.Book, account, upload.Profile, upload.Data)
			if err != nil {
				return UploadResult{}, err
			}
			read, err := s.readUpload(tx, actor.Book, account, upload, profile)
			if err := cmp.Or(err, read.tookAll(upload.Include)); err != nil {
				return UploadResult{}, err
			}
			return s.importStatement(tx, actor, account, upload, read, 0)
		})
		duplicate = duplicate || again
		return err
	})
	if err == nil && result.JobID == 0 {
		s.readings.drop(hash)
	}
	return result, duplicate, err
}

// holdAccount holds the account's row: files and matchings of one account come one after the other.
func holdAccount(tx *gorm.DB, book Book, code string) (ledger.Account, error) {
	return accountOfBook(tx, book, code, "FOR NO KEY UPDATE")
}

// accountOfBook is loadAccount for an account that a request names. Error: KindUnknownAccount.
func accountOfBook(tx *gorm.DB, book Book, code, lock string) (ledger.Account, error) {
	account, err := loadAccount(tx, book, code, lock)
	if ledger.KindOf(err) == ledger.KindNotFound {
		return account, ledger.Refuse(ledger.KindUnknownAccount, "book %s has no account %q", book.Code, code).At("account", "is no account of this book")
	}
	return account, err
}

func uploadedBefore(tx *gorm.DB, book Book, account ledger.Account, hash ledger.Hash) (UploadResult, bool, error) {
	ids, err := query[int64](tx, `SELECT id FROM statements WHERE book_id = ? AND account_id = ? AND file_hash = ? AND undone_at IS NULL`,
		book.ID, account.ID, hash)
	if err != nil || len(ids) == 0 {
		return UploadResult{}, false, err
	}
	first, err := loadUploadResult(tx, book, ids[0])
	return first, err == nil, err
}

// loadUploadResult gives what came of a stored file.
func loadUploadResult(tx *gorm.DB, book Book, id int64) (UploadResult, error) {
	items, err := loadStatements(tx, book, `s.id = ? ORDER BY r.id LIMIT 1`, id)
	if err != nil {
		return UploadResult{}, err
	}
	result := UploadResult{StatementID: items[0].ID, ReconciliationID: items[0].ReconciliationID, Profile: items[0].Profile, Rows: items[0].Rows}
	if result.Rejects, err = loadRowNotes(tx, book, id, `class = ? ORDER BY row`, RowRejected); err != nil {
		return result, err
	}
	if result.InDoubt, err = loadRowNotes(tx, book, id, `may_be_new ORDER BY row`); err != nil {
		return result, err
	}
	result.Continuity, err = loadContinuity(tx, book, id)
	return result, err
}

// importStatement stores what is new in a file, and holds it against the journal. The account's row is held. draftID is the draft that it was
// confirmed from, 0 for none.
func (s *Store) importStatement(tx *gorm.DB, actor Actor, account ledger.Account, upload Upload, read reading, draftID int64) (UploadResult, error) {
	if len(read.fresh) > pieceRows { // sorting and checking so much on disk takes longer than all else
		if _, err := exec(tx, `SET LOCAL work_mem = '48MB'`); err != nil {
			return UploadResult{}, err
		}
	}
	id, err := nextNumber(tx, actor.Book.ID, "statement", 1)
	if err != nil {
		return UploadResult{}, err
	}
	result := UploadResult{StatementID: id, Profile: read.profile.named(), Rows: read.counts, Rejects: ofClass(read.notes, RowRejected), InDoubt: read.inDoubt()}
	if err := s.insertStatement(tx, actor, account, upload, read, result, draftID); err != nil {
		return UploadResult{}, fmt.Errorf("store statement %d: %w", id, err)
	}
	read.progress.begin(PhaseStoring, len(read.fresh)+len(read.notes))
	fresh, err := insertLines(tx, actor.Book, account, id, read.fresh, read.progress)
	if err != nil {
		return UploadResult{}, fmt.Errorf("store the lines of statement %d: %w", id, err)
	}
	if err := insertRowNotes(tx, actor.Book, id, read.notes, read.progress); err != nil {
		return UploadResult{}, fmt.Errorf("store the other rows of statement %d: %w", id, err)
	}
	if account.ReconcileFrom.IsZero() {
		account.ReconcileFrom = read.period.From
		if _, err := exec(tx, `UPDATE accounts SET reconcile_from = ? WHERE book_id = ? AND id = ?`, read.period.From, actor.Book.ID, account.ID); err != nil {
			return UploadResult{}, fmt.Errorf("make account %s reconcilable: %w", account.Code, err)
		}
	}
	if result.ReconciliationID, err = s.startReconciliation(tx, actor, account, id, read.period, read.found.Statement.ClosingMinor, fresh, read.progress); err != nil {
		return UploadResult{}, fmt.Errorf("reconcile statement %d: %w", id, err)
	}
	if err := s.settleBalances(tx, actor, account, result, read); err != nil {
		return UploadResult{}, err
	}
	if result.Continuity, err = loadContinuity(tx, actor.Book, id); err != nil {
		return UploadResult{}, err
	}
	return result, s.audit(tx, actor, "statement.upload", fmt.Sprintf("statement %d", id),
		read.audited(map[string]any{"account": account.Code, "file": upload.FileName, "sha256": upload.hash().String()}))
}

// statedPeriod is the time that a statement speaks for; Stated says that a person or the file said so.
type statedPeriod struct {
	From, To ledger.Date
	Stated   bool
}

func checkPeriod(from, to ledger.Date) error {
	if from.IsZero() != to.IsZero() || to.Before(from) {
		return ledger.Refuse(ledger.KindInvalid, "give both days of the period, the first not after the last").
			At("period_from", "goes with period_to, and is not after it")
	}
	return nil
}

func periodOf(upload Upload, parsed *statement.Statement, today ledger.Date) (statedPeriod, error) {
	from, to := upload.PeriodFrom, upload.PeriodTo
	if err := checkPeriod(from, to); err != nil {
		return statedPeriod{}, err
	}
	if from.IsZero() && !parsed.StatedFrom.IsZero() && !parsed.StatedTo.After(today) {
		return statedPeriod{From: parsed.StatedFrom, To: parsed.StatedTo, Stated: true}, nil
	}
	if from.IsZero() && len(parsed.Lines) == 0 {
		return statedPeriod{From: today, To: today}, nil
	}
	if from.IsZero() {
		first, last := parsed.Lines[0].Date, parsed.Lines[0].Date
		for _, line := range parsed.Lines {
			if line.Date.Before(first) {
				first = line.Date
			}
			if line.Date.After(last) {
				last = line.Date
			}
		}
		return statedPeriod{From: first, To: last}, nil
	}
	for _, line := range parsed.Lines {
		if line.Date.Before(from) || line.Date.After(to) {
			return statedPeriod{}, ledger.Refuse(ledger.KindInvalid, "row %d is dated %s, outside the period %s to %s", line.Row, line.Date, from, to).
				At("period_to", "the file has a line dated %s in row %d", line.Date, line.Row)
		}
	}
	return statedPeriod{From: from, To: to, Stated: true}, nil
}

func (s *Store) insertStatement(tx *gorm.DB, actor Actor, account ledger.Account, upload Upload, read reading, result UploadResult, draftID int64) error {
	parsed, rows := read.found.Statement, result.Rows
	hints, err := json.Marshal(read.hints)
	if err != nil {
		return err
	}
	settings, err := json.Marshal(parsed.Settings)
	if err != nil {
		return err
	}
	currency := parsed.Currency
	if currency == "" {
		currency = account.Currency
	}
	profileID, profileVersion := read.profile.reference()
	_, err = exec(tx, `
		INSERT INTO statements (book_id, id, account_id, file_name, file_hash, file, format, currency, hints, settings, period_from, period_to, period_stated,
		                        opening_minor, closing_minor, rows_new, rows_known, rows_duplicate, rows_rejected, rows_skipped, uploaded_by, uploaded_at,
		                        profile_id, profile_version, account_printed, draft_id, opening_new_minor, made_reconcilable, balance_reason)
		VALUES (?, ?, ?, ?, ?, ?, ?, ?, CAST(? AS jsonb), CAST(? AS jsonb), ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, nullif(?, ''))`,
		actor.Book.ID, result.StatementID, account.ID, upload.FileName, upload.hash(), upload.Data, parsed.Format, currency, string(hints), storable(string(settings)),
		read.period.From, read.period.To, read.period.Stated, parsed.OpeningMinor, parsed.ClosingMinor,
		rows.New, rows.Known, rows.Duplicate, rows.Rejected, rows.Skipped, actor.UserID, s.now(),
		profileID, profileVersion, storable(parsed.AccountPrinted), nullable(draftID), read.openingNew(), account.ReconcileFrom.IsZero(), read.balanceReason)
	return err
}

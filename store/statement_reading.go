package store

import (
	"cmp"
	"errors"
	"slices"
	"strings"

	"gorm.io/gorm"

	"daybook/recon/statement"
	"daybook/store/ledger"
)

// reading is a bank's file as an account takes it: how it was read, and what becomes of each of its rows. A preview shows it and an upload
// stores it.
type reading struct {
	readings *readings
	progress *jobProgress    // told while it is stored; nil where nobody looks
	prints   [][32]byte      // the fingerprints of the lines
	profile  *Profile        // nil when none is applied
	hints    statement.Hints // those of the profile and those told
	given    statement.Hints // those it was read under: with what the account and its period say, and its header where it stands
	found    *statement.Inspection
	period   statedPeriod
	unfit    bool  // the profile would misread the file
	fault    error // what keeps the file from being stored besides how it reads
	// balanceReason is why it is stored although its balances do not add up.
	balanceReason string
	whose         *AccountCheck // nil while nothing is known, and for a file that prints no account
	sorted        bool          // what follows is known
	fresh         []freshLine
	notes         []RowNote
	counts        RowCounts
	tally         tally
}

// readUpload reads a file for an account under a profile. With a refusal, what is known so far is given too. Errors: KindInvalid,
// KindClosedAccount, KindCurrencyMismatch, KindStatementRefused with error_class and row.
func (s *Store) readUpload(tx *gorm.DB, book Book, account ledger.Account, upload Upload, profile *Profile) (reading, error) {
	r := reading{readings: s.readings, profile: profile, found: &statement.Inspection{}}
	if err := cmp.Or(takesStatements(account), checkPeriod(upload.PeriodFrom, upload.PeriodTo)); err != nil {
		return r, err
	}
	refusal := r.read(account, upload)
	if r.found.Statement == nil {
		return r, refusal
	}
	r.fault = r.sort(tx, book, account, upload, ledger.DateOf(s.now()))
	return r, cmp.Or(refusal, r.fault)
}

// acceptable refuses a file as a draft about which a person can do nothing on the page of a draft.
func (s *Store) acceptable(account ledger.Account, upload Upload, profile *Profile) error {
	if err := cmp.Or(takesStatements(account), checkPeriod(upload.PeriodFrom, upload.PeriodTo)); err != nil {
		return err
	}
	r := reading{readings: s.readings, profile: profile, found: &statement.Inspection{}}
	err := r.read(account, upload)
	if ledger.KindOf(err) == ledger.KindStatementRefused && r.changeable() {
		return nil
	}
	return err
}

// changeable reports whether a person can do something about the refusal of a file by what the page of a draft lets change.
func (r reading) changeable() bool {
	refusal := r.found.Refusal
	mappable := refusal != nil && refusal.Class == statement.ClassMalformed && refusal.Row == 0 && len(r.found.Settings.Columns) > 1
	return r.unfit || r.found.Question != nil || r.found.Statement != nil || mappable
}

func takesStatements(account ledger.Account) error {
	if !account.Type.Reconcilable() {
		return ledger.Refuse(ledger.KindInvalid, "account %s is of type %s: only asset and liability accounts take statements", account.Code, account.Type).
			At("account", "takes no statements")
	}
	if account.Closed {
		return ledger.Refuse(ledger.KindClosedAccount, "account %s is closed and takes no statements", account.Code).At("account", "is closed")
	}
	return nil
}

// settle works out the hints that the file is read under: those of the profile and what was told, in the account's currency unless another was
// told: a file that says another itself is refused. A stated period says the year of dates without one.
func (r *reading) settle(account ledger.Account, upload Upload) error {
	r.hints = r.profile.under(upload.Hints)
	hints, err := r.profile.located(r.hints, upload.Hints, upload.Data)
	if err != nil {
		return err
	}
	defaults := map[string]string{"currency": account.Currency, "period_start": upload.PeriodFrom.String(), "period_end": upload.PeriodTo.String()}
	for hint, value := range defaults {
		if hints[hint] == "" && value != "" {
			hints[hint] = value
		}
	}
	r.given = hints
	return nil
}

// read reads the file under the profile and what was told.
func (r *reading) read(account ledger.Account, upload Upload) error {
	if err := r.settle(account, upload); err != nil {
		return err
	}
	kept, err := r.readings.inspect(upload.hash(), upload.Data, r.given)
	if err != nil && r.profile != nil && !namesAny(err, upload.Hints) {
		if kept, err := r.readings.inspect(upload.hash(), upload.Data, nil); err == nil {
			r.found = kept.found
		}
		return r.misfit(statement.ClassMalformed, 0, wordsOf(err))
	}
	if err != nil {
		return err
	}
	r.found, r.prints = kept.found, kept.prints
	if class, row, why := r.profile.misfit(upload.Hints, r.found); why != "" {
		return r.misfit(class, row, why)
	}
	if r.found.Refusal != nil {
		return refusedStatement(r.found.Refusal)
	}
	return nil
}

// misfit refuses a file that the profile would misread: its rows are not shown as if they were right.
func (r *reading) misfit(class statement.Class, row int, why string) error {
	found := *r.found
	found.Statement, found.Question = nil, nil
	r.unfit, r.found = true, &found
	return refusedStatement(&statement.Refusal{Class: class, Row: row,
		Detail: "The profile “" + r.profile.Name + "” does not fit this file. " + why + " Choose another profile or none."})
}

// namesAny reports whether an error about hints is about one of these.
func namesAny(err error, hints statement.Hints) bool {
	var refusal *ledger.Error
	if !errors.As(err, &refusal) {
		return false
	}
	for _, fault := range refusal.Fields {
		if hints[strings.TrimPrefix(fault.Field, "hint.")] != "" {
			return true
		}
	}
	return false
}

// wordsOf gives what is wrong with hints as a sentence.
func wordsOf(err error) string {
	var refusal *ledger.Error
	if !errors.As(err, &refusal) || len(refusal.Fields) == 0 {
		return "It cannot be applied."
	}
	words := refusal.Fields[0].Detail
	return strings.ToUpper(words[:1]) + words[1:] + "."
}

func refusedStatement(refusal *statement.Refusal) error {
	e := &ledger.Error{Kind: ledger.KindStatementRefused, Message: refusal.Detail, Err: refusal}
	e.With("error_class", string(refusal.Class))
	if refusal.Row > 0 {
		e.With("row", refusal.Row)
	}
	return e
}

// sort finds what becomes of each row, and which time the statement speaks for.
func (r *reading) sort(tx *gorm.DB, book Book, account ledger.Account, upload Upload, today ledger.Date) (err error) {
	parsed := r.found.Statement
	if parsed.Currency != "" && parsed.Currency != account.Currency {
		return ledger.Refuse(ledger.KindCurrencyMismatch, "the file is in %s and account %s in %s: choose the account that the file is of",
			parsed.Currency, account.Code, account.Currency).At("account", "is in %s, the file in %s", account.Currency, parsed.Currency)
	}
	period, refusal := periodOf(upload, parsed, today)
	if r.fresh, r.notes, r.tally, err = sortRows(tx, book, account, parsed, r.prints, wholeDaysOf(period, today), upload.Include); err != nil {
		return err
	}
	if r.whose, err = accountCheck(tx, book, account, parsed.AccountPrinted); err != nil {
		return err
	}
	r.sorted, r.counts, r.period = true, countRows(len(r.fresh), r.notes), period
	return cmp.Or(refusal, r.whose.refusal(account, r.hints))
}

// included gives the rows that are new because a person says so.
func (r reading) included() []int {
	var rows []int
	for _, line := range r.fresh {
		if line.included {
			rows = append(rows, line.Row)
		}
	}
	return rows
}

// tookAll refuses rows to be included that are new anyway, or known for certain.
func (r reading) tookAll(include []int) error {
	taken := r.included()
	for _, row := range include {
		if !slices.Contains(taken, row) {
			return ledger.Refuse(ledger.KindInvalid, "row %d cannot be included: only a row can that is known and may be one more", row).
				At("include", "names row %d, of which nothing is in doubt", row)
		}
	}
	return nil
}

// audited adds what a person decided over the reading to the detail of the audit log.
func (r reading) audited(detail map[string]any) map[string]any {
	if rows := r.included(); len(rows) > 0 {
		detail["included_rows"] = rows
	}
	if r.balanceReason != "" {
		detail["balance_reason"] = r.balanceReason
	}
	return detail
}

// asks gives the one question about the file: what it leaves open, else whether it is of the account, nil for none.
func (r reading) asks(account ledger.Account) *statement.Question {
	if r.found.Question == nil && r.whose.refusal(account, r.hints) != nil {
		return r.whose.question()
	}
	return r.found.Question
}

// inDoubt gives the known rows that may be new.
func (r reading) inDoubt() []RowNote {
	var notes []RowNote
	for _, note := range r.notes {
		if note.MayBeNew {
			notes = append(notes, note)
		}
	}
	return notes
}

// openingNew is the balance before the new lines, nil where the file does not tell it.
func (r reading) openingNew() *int64 {
	if proof := r.proof(); proof != nil {
		return proof.OpeningNewMinor
	}
	return nil
}

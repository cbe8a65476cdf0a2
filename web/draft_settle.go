package web

import (
	"maps"
	"slices"
	"strconv"
	"strings"

	"daybook/store"
	"daybook/store/ledger"
	"daybook/templates"
	"daybook/templates/ui"
)

// profileOf names the profile of a draft as its control does.
func profileOf(draft store.Draft) string {
	if draft.Profile == nil {
		return store.NoProfile
	}
	return draft.Profile.Name
}

// draftTyped is what stands in the controls of a draft.
type draftTyped struct {
	settings             draftSettings
	account, profile     string
	periodFrom, periodTo string
	profileName          string // "" for the one that is proposed
	balanceReason        string
	forget               bool
}

// typedOf is a draft as its controls show it.
func typedOf(draft store.Draft) draftTyped {
	return draftTyped{
		settings: settingsOf(draft.Told), account: draft.Account.Code, profile: profileOf(draft),
		periodFrom: draft.PeriodFrom.String(), periodTo: draft.PeriodTo.String(),
	}
}

// draftChange reads the controls that were sent. What the form lacks stays as it is.
func (f *form) draftChange(draft store.Draft) (typed draftTyped, change store.DraftChange) {
	typed, change = typedOf(draft), store.DraftChange{PeriodFrom: draft.PeriodFrom, PeriodTo: draft.PeriodTo, Include: f.included(draft.Included)}
	change.Version, _ = strconv.Atoi(f.text("version"))
	typed.settings, change.Told = f.settings(draft.Told)
	if account, sent := f.pressed("account"); sent {
		typed.account = account
	}
	if profile, sent := f.pressed("profile"); sent {
		typed.profile = profile
	}
	change.Account, change.Profile = typed.account, typed.profile
	if typed.account != draft.Account.Code {
		change.Profile = "" // the profiles are those of an account: the other one may know this header too
		if told := draft.Told["account"]; told == change.Told["account"] {
			delete(change.Told, "account") // that it is the account of the bank was said of the other one
			typed.settings[fileAccount] = ""
		}
	}
	if _, sent := f.pressed("period_from"); sent {
		typed.periodFrom, typed.periodTo = f.raw("period_from"), f.raw("period_to")
		change.PeriodFrom, change.PeriodTo = f.period()
	}
	typed.balanceReason = f.raw("balance_reason")
	if name, sent := f.pressed("profile_name"); sent {
		_, remember := f.pressed("remember")
		typed.profileName, typed.forget = name, !remember
	}
	return typed, change
}

// withoutReason asks for the reason that a form left out, of a file whose balances do not add up.
func withoutReason(f *form, refusal *ledger.Error) *ledger.Error {
	if _, sent := f.pressed("balance_reason"); sent && refusal.Kind == ledger.KindStatementRefused && f.text("balance_reason") == "" {
		refusal.At("balance_reason", "Say why the file is stored although its balances do not add up")
	}
	return refusal
}

// included are the rows that are stored though an equal line is, with the one row that a button adds or takes back.
func (f *form) included(rows []int) []int {
	if row, ok := number(f.text("include")); ok {
		return append(slices.Clone(rows), row)
	}
	if row, ok := number(f.text("exclude")); ok {
		return slices.DeleteFunc(slices.Clone(rows), func(included int) bool { return included == row })
	}
	return rows
}

// changes says whether a change would change anything.
func changes(draft store.Draft, to store.DraftChange) bool {
	told := maps.Clone(draft.Told)
	maps.DeleteFunc(told, func(_, value string) bool { return value == "" })
	return to.Account != draft.Account.Code || to.Profile != profileOf(draft) || to.PeriodFrom != draft.PeriodFrom || to.PeriodTo != draft.PeriodTo ||
		!maps.Equal(told, to.Told) || !slices.Equal(to.Include, draft.Included)
}

// profileNamed is the name of the profile as typed, else as proposed.
func (d *draftShown) profileNamed() string {
	if d.typed.profileName != "" {
		return d.typed.profileName
	}
	return d.ProfileName
}

// profileField offers the profiles of the account, and none.
func (d *draftShown) profileField() ui.Field {
	field := ui.Field{Name: "profile", Label: "Profile", Value: d.typed.profile, Options: []ui.Option{{Value: store.NoProfile, Text: "No profile"}}, Error: ui.ErrorOf(d.errors, "profile")}
	for _, p := range d.Profiles {
		field.Options = append(field.Options, ui.Option{Value: p.Name, Text: p.Name + ", version " + d.reader.Number(p.Version)})
	}
	switch {
	case d.Profile != nil && d.Settings.Message != "" && d.Profile.HeaderFingerprint == d.Settings.HeaderFingerprint:
		field.Hint = "Chosen by the format of the file"
	case d.Profile != nil && d.Profile.HeaderFingerprint == d.Settings.HeaderFingerprint:
		field.Hint = "Chosen by the header row"
	case len(d.Profiles) == 0:
		field.Hint = "The account has none yet"
	case d.Profile == nil:
		field.Hint = "What is asked here is told by the profile next time"
	}
	return field
}

// step is how far the draft has come.
func (d *draftShown) step() templates.DraftStep {
	switch {
	case d.asksWhose():
		return templates.DraftStepFile
	case d.Refusal != nil && d.Refusal.Kind != ledger.KindStatementRefused && d.Refusal.Kind != ledger.KindInvalid:
		return templates.DraftStepFile // it is the account that does not fit
	case d.Question != nil && strings.HasSuffix(d.Question.Hint, "_column"):
		return templates.DraftStepColumns
	case d.Question != nil:
		return templates.DraftStepFormat
	case !d.Readable && len(d.Settings.Columns) > 0:
		return templates.DraftStepColumns
	case !d.Readable:
		return templates.DraftStepFormat
	}
	if d.Refusal != nil || slices.ContainsFunc(d.checksView(), func(c templates.DraftCheck) bool { return c.Tone == ui.Warn }) {
		return templates.DraftStepRows
	}
	return templates.DraftStepConfirm
}

// refusalView says why the draft cannot be stored as it is, nil when it can, or when it is only a matter of answering the question. Balances
// that do not add up have other causes too.
func (d *draftShown) refusalView() *templates.StatementRefusal {
	if d.Refusal == nil || (d.Question != nil && !d.Readable) || d.Refusal.Extra["error_class"] == store.ClassOtherAccount {
		return nil
	}
	view := &templates.StatementRefusal{FileName: d.FileName, ErrorClass: string(d.Refusal.Kind), Detail: strings.TrimSuffix(sentence(d.Refusal.Message), ".") + ".", Raw: shortened(d.RefusedRow), Waiting: true}
	if class, ok := d.Refusal.Extra["error_class"].(string); ok {
		view.ErrorClass = class
	}
	view.Row, _ = d.Refusal.Extra["row"].(int)
	return view
}

// shortened cuts a row of the file to a length that can be read.
func shortened(raw string) string {
	const most = 400
	if runes := []rune(raw); len(runes) > most {
		return string(runes[:most]) + "…"
	}
	return raw
}

// proofView is the arithmetic of the file: only what it states or proves has a row.
func (d *draftShown) proofView() *ui.Sum {
	p := d.Proof
	if p == nil {
		return nil
	}
	sum := &ui.Sum{Caption: "Balance proof, " + d.currency()}
	add := func(label string, minor *int64, total bool) {
		if minor != nil {
			sum.Rows = append(sum.Rows, ui.SumRow{Label: label, Money: ui.Money{Minor: *minor, Currency: d.currency()}, Total: total})
		}
	}
	add("Opening in file", p.OpeningMinor, false)
	if p.Known.Rows > 0 {
		add(d.reader.Plural(p.Known.Rows, "known row", "known rows"), &p.Known.Minor, false)
		add("Opening of what is new", p.OpeningNewMinor, true)
	}
	if p.Duplicate.Rows > 0 {
		add(d.reader.Plural(p.Duplicate.Rows, "duplicate row", "duplicate rows"), &p.Duplicate.Minor, false)
	}
	add("Money in, "+d.reader.Plural(p.In.Rows, "line", "lines"), &p.In.Minor, false)
	add("Money out, "+d.reader.Plural(p.Out.Rows, "line", "lines"), &p.Out.Minor, false)
	add("Closing computed", p.ComputedMinor, true)
	add("Closing in file", p.ClosingMinor, false)
	if p.DifferenceMinor != nil {
		add("Difference", p.DifferenceMinor, false)
		sum.Rows[len(sum.Rows)-1].Final = true
	}
	return sum
}

// currency is that of the lines, or of the account while there are none.
func (d *draftShown) currency() string {
	if d.Currency != "" {
		return d.Currency
	}
	return d.Account.Currency
}

// rowsView is the class of rows that is open.
func (d *draftShown) rowsView(address string) *templates.DraftRows {
	if !d.Readable {
		return nil
	}
	view := &templates.DraftRows{Counts: templates.RowCounts(d.Rows), Class: d.window.Class, Currency: d.currency()}
	page := func(after int) string {
		return address + "?rows=" + view.Class + "&after=" + strconv.Itoa(after) + "#rows"
	}
	if d.window.AfterRow > 0 {
		view.First = address + "?rows=" + view.Class + "#rows"
	}
	for _, row := range d.Shown {
		if row.Line == nil {
			view.Others = append(view.Others, fileRow(row.RowNote))
			continue
		}
		view.Lines = append(view.Lines, draftLine(row))
	}
	for i := range view.Others {
		view.Others[i].Offered = view.Others[i].MayBeNew
	}
	if d.More {
		view.Next = page(d.Shown[len(d.Shown)-1].Row)
	}
	return view
}

func draftLine(row store.PreviewRow) templates.DraftLine {
	line := row.Line
	return templates.DraftLine{
		Row: line.Row, BookedOn: line.Date, Description: line.Description, Reference: line.Reference, AmountMinor: line.AmountMinor,
		BalanceMinor: line.BalanceMinor, BalanceEqual: row.BalanceEqual, Included: row.Included,
	}
}

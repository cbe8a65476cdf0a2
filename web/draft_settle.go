package web

import (
	"maps"
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

// typeInto takes what was typed into the controls that were sent, and gives it as a change of the draft. What the form lacks stays as it is.
func (d *draftShown) typeInto(f *form) store.DraftChange {
	change := store.DraftChange{PeriodFrom: d.PeriodFrom, PeriodTo: d.PeriodTo}
	change.Version, _ = strconv.Atoi(f.text("version"))
	d.typed, change.Told = f.settings(d.Told)
	if account, sent := f.pressed("account"); sent {
		d.account = account
	}
	if profile, sent := f.pressed("profile"); sent {
		d.profile = profile
	}
	change.Account, change.Profile = d.account, d.profile
	if d.account != d.Account.Code {
		change.Profile = "" // the profiles are those of an account: the other one may know this header too
	}
	if _, sent := f.pressed("period_from"); sent {
		d.periodFrom, d.periodTo = f.raw("period_from"), f.raw("period_to")
		change.PeriodFrom, change.PeriodTo = f.period()
	}
	if name, sent := f.pressed("profile_name"); sent {
		d.profileName = name
		_, d.remember = f.pressed("remember")
	}
	return change
}

// changed says whether a change would change anything.
func (d *draftShown) changed(to store.DraftChange) bool {
	told := maps.Clone(d.Told)
	maps.DeleteFunc(told, func(_, value string) bool { return value == "" })
	return to.Account != d.Account.Code || to.Profile != profileOf(d.Draft) || to.PeriodFrom != d.PeriodFrom || to.PeriodTo != d.PeriodTo ||
		!maps.Equal(told, to.Told)
}

// profileField offers the profiles of the account, and none.
func (d *draftShown) profileField() ui.Field {
	field := ui.Field{Name: "profile", Label: "Profile", Value: d.profile, Options: []ui.Option{{Value: store.NoProfile, Text: "No profile"}}, Error: ui.ErrorOf(d.errors, "profile")}
	for _, p := range d.Profiles {
		field.Options = append(field.Options, ui.Option{Value: p.Name, Text: p.Name + ", version " + ui.Number(p.Version)})
	}
	switch {
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
	case d.Question != nil && strings.HasSuffix(d.Question.Hint, "_column"):
		return templates.DraftStepColumns
	case d.Question != nil:
		return templates.DraftStepFormat
	case !d.Readable && len(d.Settings.Columns) > 0:
		return templates.DraftStepColumns
	case !d.Readable:
		return templates.DraftStepFormat
	}
	for _, check := range d.checksView() {
		if !check.OK {
			return templates.DraftStepRows
		}
	}
	if d.Refusal != nil {
		return templates.DraftStepRows
	}
	return templates.DraftStepConfirm
}

// refusalView says why the draft cannot be stored as it is, nil when it can.
func (d *draftShown) refusalView() *templates.StatementRefusal {
	if d.Refusal == nil {
		return nil
	}
	view := &templates.StatementRefusal{FileName: d.FileName, ErrorClass: string(d.Refusal.Kind), Detail: sentence(d.Refusal.Message), Waiting: true}
	if class, ok := d.Refusal.Extra["error_class"].(string); ok {
		view.ErrorClass = class
	}
	view.Row, _ = d.Refusal.Extra["row"].(int)
	return view
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
		add(ui.Plural(p.Known.Rows, "known row", "known rows"), &p.Known.Minor, false)
		add("Opening of what is new", p.OpeningNewMinor, true)
	}
	if p.Duplicate.Rows > 0 {
		add(ui.Plural(p.Duplicate.Rows, "duplicate row", "duplicate rows"), &p.Duplicate.Minor, false)
	}
	add("Money in, "+ui.Plural(p.In.Rows, "line", "lines"), &p.In.Minor, false)
	add("Money out, "+ui.Plural(p.Out.Rows, "line", "lines"), &p.Out.Minor, false)
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

// checksView is what was looked at, with what to do where it does not hold.
func (d *draftShown) checksView() []templates.DraftCheck {
	if !d.Readable {
		return nil
	}
	var checks []templates.DraftCheck
	add := func(ok bool, good, bad, advice string) {
		check := templates.DraftCheck{OK: ok, Text: good}
		if !ok {
			check = templates.DraftCheck{Text: bad, Advice: advice}
		}
		checks = append(checks, check)
	}
	d.checkAccount(add)
	if c := d.Checks.Opening; c != nil {
		add(c.OK(), "Opening equals the closing of the statement before", "Opening differs from the closing before",
			"The statement before and this one do not join: a file may be missing between them, or hold rows that this one lacks.")
		if differs, ok := ledger.Add(c.OpeningMinor, -c.ClosingMinor); ok && !c.OK() {
			checks[len(checks)-1].Money = &ui.Money{Minor: differs, Currency: d.currency()}
		}
	}
	if c := d.Checks.Dates; c != nil {
		good := "No gap between statements"
		if c.OverlapDays > 0 {
			good = ui.Plural(c.OverlapDays, "day", "days") + " shared with the statement before"
		}
		add(c.OK(), good, ui.Plural(c.GapDays, "day", "days")+" between the statements", "Upload what lies between, if anything was booked then.")
		if !c.OK() {
			checks[len(checks)-1].Since = c.PreviousTo
		}
	}
	if c := d.Checks.Balances; c != nil {
		equal := ui.Number(c.Equal) + " of " + ui.Number(c.Compared) + " row balances equal"
		add(c.OK(), equal, equal, "Look for the rows that differ under “New”: a row may be missing before them.")
	} else if p := d.Proof; p != nil && p.ComputedMinor == nil && d.Rows.New > 0 {
		add(true, "No balances in the file: nothing to prove it by", "", "")
	}
	d.checkRows(add)
	return checks
}

// checkAccount holds the account that the file prints against those of the files before it.
func (d *draftShown) checkAccount(add func(ok bool, good, bad, advice string)) {
	if c := d.Checks.Account; c != nil && len(c.Earlier) > 0 {
		add(c.OK(), "Same account of the bank as before", "Another account of the bank than before",
			"The file is of "+c.Printed+", the files before of "+strings.Join(c.Earlier, " and ")+". Choose the account that it is of, or store it if the bank has renumbered it.")
	}
	if len(d.Elsewhere) > 0 {
		add(false, "", "Stored for "+strings.Join(d.Elsewhere, " and ")+" too", "The same file is stored for another account: is the account right?")
	}
	if d.Stored != nil {
		add(false, "", "Stored for this account already", "Storing it again changes nothing.")
	}
}

// checkRows names what a person should have seen before the rest is stored.
func (d *draftShown) checkRows(add func(ok bool, good, bad, advice string)) {
	for _, c := range d.Settings.Contradictions {
		add(false, "", "The rows contradict a setting", c.Detail)
	}
	if n := d.Rows.Rejected; n > 0 {
		add(false, "", ui.Plural(n, "row is rejected", "rows are rejected"), "The reasons stand under “Rejected”. These rows are not stored, the others are.")
	}
	if d.Rows.New+d.Rows.Known+d.Rows.Duplicate == 0 {
		add(false, "", "No line in the file", "A month without movements has none. Otherwise, is it the right file?")
	}
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
	if d.More {
		view.Next = page(d.Shown[len(d.Shown)-1].Row)
	}
	return view
}

func draftLine(row store.PreviewRow) templates.DraftLine {
	line := row.Line
	return templates.DraftLine{
		Row: line.Row, BookedOn: line.Date, Description: line.Description, Reference: line.Reference, AmountMinor: line.AmountMinor,
		BalanceMinor: line.BalanceMinor,
	}
}

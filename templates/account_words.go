package templates

import (
	"net/url"
	"slices"
	"strings"

	"daybook/store/ledger"
	"daybook/templates/ui"
)

func (f AccountFacts) title() string { return f.Code + " " + f.Name }

func (f AccountFacts) lead() string {
	lead := sentence(string(f.Type)) + ", " + f.Currency + "."
	if f.NoNegative {
		lead += " Never below zero."
	}
	if !f.ReconcileFrom.IsZero() {
		lead += " Held against bank statements from " + ui.LongDate(f.ReconcileFrom) + " on."
	}
	return lead
}

func (f AccountFacts) tags() ui.Tags {
	if !f.Closed {
		return nil
	}
	return ui.Tags{{Text: "Closed: takes no entries", Icon: "lock"}}
}

func (a AccountStatement) figures() ui.Figures {
	money := func(minor int64) *ui.Money { return &ui.Money{Minor: minor, Currency: a.Account.Currency} }
	closing := a.balance(a.ClosingMinor)
	closing.WithCode = true
	opening := a.balance(a.OpeningMinor)
	return ui.Figures{
		{Label: labelled("Opening", a.From), Money: &opening},
		{Label: "Debits, " + a.Format.Plural(int(a.Turnover.Debits), "posting", "postings"), Money: money(a.Turnover.DebitMinor)},
		{Label: "Credits, " + a.Format.Plural(int(a.Turnover.Credits), "posting", "postings"), Money: money(a.Turnover.CreditMinor)},
		{Label: labelled("Closing", a.To), Money: &closing},
		{Label: "Proof", Chip: a.proof()},
	}
}

func labelled(name string, day ledger.Date) string {
	if day.IsZero() {
		return name
	}
	return name + ", " + ui.LongDate(day)
}

// proof says what was computed, on the side that the figures are shown on.
func (a AccountStatement) proof() ui.Chip {
	sum := "Opening + debits − credits"
	if a.sign() < 0 {
		sum = "Opening − debits + credits"
	}
	if !a.Proven {
		return ui.Chip{Text: sum + " is not the closing: run daybook verify", Tone: ui.Bad}
	}
	return ui.Chip{Text: sum + " = closing", Tone: ui.OK}
}

// actions are what a reader of the statement may want next.
func (a AccountStatement) actions() []ui.Button {
	buttons := []ui.Button{
		{Text: "Journal", Icon: "notebook", Href: a.Book.JournalURL(a.Account.Code)},
		{Text: "Export CSV", Icon: "download", Href: a.exportURL()},
	}
	if len(a.Errors) > 0 || a.unused() {
		buttons = buttons[:1]
	}
	switch {
	case a.ReconciliationID > 0:
		buttons = append(buttons, ui.Button{Text: "Reconcile", Icon: "building-bank", Href: a.Book.ReconciliationURL(a.ReconciliationID)})
	case a.MayUpload && a.Account.Type.Reconcilable():
		buttons = append(buttons, ui.Button{Text: "Reconcile", Icon: "building-bank", Href: a.Book.URL("statements", "new") + "?account=" + url.QueryEscape(a.Account.Code)})
	}
	if a.ReconciliationID > 0 {
		buttons = append(buttons, ui.Button{Text: "Rules", Icon: "scale", Href: a.Book.RulesURL(a.Account.Code)})
	}
	if a.MayChange {
		buttons = append(buttons, ui.Button{Text: "Settings", Icon: "list-details", Href: a.Book.URL("accounts", a.Account.Code, "settings")})
	}
	return buttons
}

func (a AccountStatement) caption() string {
	return "Postings of account " + a.Account.title() + ", " + rangeInWords(a.From, a.To) + ", with the balance after each, " + a.Account.Currency
}

func rangeInWords(from, to ledger.Date) string {
	switch {
	case from.IsZero() && to.IsZero():
		return "of all days"
	case from.IsZero():
		return "up to " + ui.LongDate(to)
	case to.IsZero():
		return "from " + ui.LongDate(from)
	}
	return ui.LongDate(from) + " to " + ui.LongDate(to)
}

// notes explain the figures below the table.
func (a AccountStatement) notes() string {
	var notes []string
	switch {
	case a.signed() && a.sign() < 0:
		notes = append(notes, "Amounts and balances are credit − debit, the normal side of this account.")
	case a.signed():
		notes = append(notes, "Amounts and balances are debit − credit, the normal side of this account.")
	case !a.Account.Type.DebitNormal():
		notes = append(notes, "Balances are debit − credit: a credit balance, as this account normally has, is negative.")
	}
	if a.narrowed() {
		notes = append(notes, "The filter leaves postings out. Each balance is that of the account all the same: it counts every posting before it.")
	}
	if slices.ContainsFunc(a.Lines, func(l AccountLine) bool { return l.Bank.State == BankOutOfScope }) {
		notes = append(notes, "Out of scope are postings before "+ui.LongDate(a.Account.ReconcileFrom)+", which need not be on a statement.")
	}
	return strings.Join(notes, " ")
}

// empty stands where postings would be.
func (a AccountStatement) empty() ui.Empty {
	all := ui.Button{Text: "All postings", Href: a.Book.AccountURL(a.Account.Code) + "?from=&to="}
	switch {
	case a.unused():
		return ui.Empty{Icon: "notebook", Title: "No postings yet", Text: "Nothing was posted to this account so far. Its balance is zero."}
	case a.narrowed() && a.Turnover.postings() > 0:
		whole := a
		whole.Filter = StatementFilter{}
		return ui.Empty{
			Icon: "search", Title: "No posting is like that", Text: "There are " + a.Format.Plural(int(a.Turnover.postings()), "posting", "postings") + ", " + rangeInWords(a.From, a.To) + ", and the filter leaves all of them out.",
			Actions: []ui.Button{{Text: "Clear the filter", Icon: "x", Href: a.Book.AccountURL(a.Account.Code) + "?" + whole.values().Encode()}},
		}
	}
	return ui.Empty{Icon: "calendar", Title: "Nothing was posted in this time", Text: "The account has no posting, " + rangeInWords(a.From, a.To) + ". Its balance did not change.", Actions: []ui.Button{all}}
}

package templates

import (
	"net/url"
	"strconv"

	"daybook/recon"
	"daybook/store/ledger"
	"daybook/templates/ui"
)

// AccountStatement is a page of an account's postings in the order of their days, with the balance after each.
type AccountStatement struct {
	Shell
	Account AccountFacts
	Filter  StatementFilter
	// From and To are the range that is shown; a zero day leaves that end open.
	From, To                   ledger.Date
	OpeningMinor, ClosingMinor int64
	// Turnover is that of all postings in the range, Found that of those that the filter leaves.
	Turnover, Found AccountTurnover
	// Proven says that opening + debits − credits was found to be the closing.
	Proven bool
	Lines  []AccountLine
	// Earlier and Later are the cursors of the pages around this one, empty at an end.
	Earlier, Later string
	// ReconciliationID is the account's latest. Without one there is no column for the bank.
	ReconciliationID int64
	// Banks are what the bank's side can be narrowed to.
	Banks []BankState
	// MayUpload offers to reconcile an account that has no statement yet, MayChange leads to its settings.
	MayUpload, MayChange bool
	// Errors are those of the filter.
	Errors []ledger.FieldError
}

// AccountFacts are what an account is.
type AccountFacts struct {
	Code, Name    string
	Type          ledger.AccountType
	Currency      string
	NoNegative    bool
	Closed        bool
	ReconcileFrom ledger.Date
}

// StatementFilter is what the controls hold, as typed.
type StatementFilter struct {
	From, To, Bank string
	Amounts        AmountView
	Subtotals      string
}

// AmountView is how amounts are shown: debit and credit where it is empty, or one of those alone.
type AmountView string

// The views of amounts. Signed is positive on the account's normal side, as its balance then is.
const (
	DebitsOnly  AmountView = "debit"
	CreditsOnly AmountView = "credit"
	Signed      AmountView = "signed"
)

// AccountTurnover counts postings and adds them up, both sides positive.
type AccountTurnover struct {
	Debits, Credits         int64
	DebitMinor, CreditMinor int64
}

func (t AccountTurnover) postings() int64 { return t.Debits + t.Credits }

// AccountLine is one posting. Balance is that of the account after it; DebitMinor what was debited up to it since the range began.
type AccountLine struct {
	Seq                            int64
	EffectiveOn                    ledger.Date
	Description, Reference         string
	Against                        string
	AgainstMore                    int
	Reverses, Replaces, ReversedBy int64
	Adjustment, Pending            bool
	AmountMinor                    int64
	BalanceMinor, DebitMinor       int64
	Bank                           BankStanding
	// Subtotal is that of the day or month that ends with this line.
	Subtotal *AccountTurnover
}

// BankState is where a posting stands at the bank: one of those below, or the type of an open break.
type BankState string

// The states besides the types of open breaks.
const (
	BankMatched       BankState = "matched"
	BankReversedPair  BankState = "reversed_pair"
	BankOpen          BankState = "open"
	BankCarried       BankState = "carried_forward"
	BankResolved      BankState = "resolved"
	BankNotReconciled BankState = "not_reconciled"
	BankOutOfScope    BankState = "out_of_scope"
)

// BankStanding is a state with what it leads to.
type BankStanding struct {
	State            BankState
	ReconciliationID int64
	BreakID          int64
	Resolution       recon.Resolution
}

func (s BankState) label() string {
	switch s {
	case BankMatched:
		return "Matched"
	case BankReversedPair:
		return "Reversed pair"
	case BankOpen:
		return "Open break, any type"
	case BankCarried:
		return "Carried forward"
	case BankResolved:
		return "Resolved break"
	case BankNotReconciled:
		return "Not reconciled"
	case BankOutOfScope:
		return "Out of scope"
	}
	return recon.BreakType(s).Label()
}

func (s BankStanding) chip(b Book) ui.Chip {
	chip := ui.Chip{Text: s.State.label()}
	if s.BreakID > 0 {
		chip.Href = b.BreakURL(s.BreakID)
	}
	switch s.State {
	case BankMatched:
		chip.Tone, chip.Href = ui.OK, b.ReconciliationURL(s.ReconciliationID)+"?tab=matched"
	case BankReversedPair:
		chip.Icon, chip.Href = "arrow-back-up", b.ReconciliationURL(s.ReconciliationID)+"?tab=matched"
	case BankCarried:
		chip.Icon = resolutionWords[recon.CarriedForward].icon
	case BankResolved:
		chip.Text, chip.Tone, chip.Icon = s.Resolution.Label(), ui.OK, resolutionWords[s.Resolution].icon
	case BankNotReconciled, BankOutOfScope:
		chip.Icon = "circle-dashed"
	default:
		chip.Tone = ui.Warn
	}
	return chip
}

// sign turns debit − credit into what is shown: on the account's normal side where amounts are signed.
func (a AccountStatement) sign() int64 {
	if a.Filter.Amounts == Signed && !a.Account.Type.DebitNormal() {
		return -1
	}
	return 1
}

func (a AccountStatement) balance(minor int64) ui.Money {
	return ui.Money{Minor: a.sign() * minor, Currency: a.Account.Currency}
}

func (a AccountStatement) debits() bool {
	return a.Filter.Amounts == "" || a.Filter.Amounts == DebitsOnly
}
func (a AccountStatement) credits() bool {
	return a.Filter.Amounts == "" || a.Filter.Amounts == CreditsOnly
}
func (a AccountStatement) signed() bool { return a.Filter.Amounts == Signed }

// banked says whether there is a column for the bank's side.
func (a AccountStatement) banked() bool { return a.ReconciliationID > 0 }

// narrowed says that postings of the range are left out.
func (a AccountStatement) narrowed() bool {
	return a.Filter.Bank != "" || a.Filter.Amounts == DebitsOnly || a.Filter.Amounts == CreditsOnly
}

// unused says that the account never had a posting, as far as the range tells.
func (a AccountStatement) unused() bool {
	return a.From.IsZero() && a.To.IsZero() && a.Turnover == (AccountTurnover{})
}

// carried is what was debited and credited since the range began, up to a line and with it.
func (a AccountStatement) carried(line AccountLine) AccountTurnover {
	return AccountTurnover{DebitMinor: line.DebitMinor, CreditMinor: a.OpeningMinor + line.DebitMinor - line.BalanceMinor}
}

// brought is the same up to the first line of the page, without it.
func (a AccountStatement) brought() (sums AccountTurnover, balanceMinor int64) {
	first := a.Lines[0]
	sums = a.carried(first)
	sums.DebitMinor -= max(first.AmountMinor, 0)
	sums.CreditMinor -= max(-first.AmountMinor, 0)
	return sums, first.BalanceMinor - first.AmountMinor
}

// values are the range and the filter as a query. The range is always there: without it the page shows the latest month.
func (a AccountStatement) values() url.Values {
	q := filled(map[string]string{"bank": a.Filter.Bank, "amounts": string(a.Filter.Amounts), "subtotals": a.Filter.Subtotals}, nil)
	q.Set("from", a.From.String())
	q.Set("to", a.To.String())
	return q
}

func (a AccountStatement) page(direction, cursor string) string {
	if cursor == "" {
		return ""
	}
	q := a.values()
	q.Set(direction, cursor)
	return a.Book.AccountURL(a.Account.Code) + "?" + q.Encode()
}

func (a AccountStatement) exportURL() string {
	return a.Book.URL("accounts", a.Account.Code, "statement.csv") + "?" + a.values().Encode()
}

// columns counts them, for what spans them.
func (a AccountStatement) columns() int {
	n := 6
	for _, shown := range []bool{a.debits(), a.credits(), a.signed(), a.banked()} {
		if shown {
			n++
		}
	}
	return n
}

// between counts the columns from the description to the balance.
func (a AccountStatement) between() int {
	n := a.columns() - 3
	if a.banked() {
		n--
	}
	return n
}

func (a AccountStatement) amountOptions() []ui.Option {
	return []ui.Option{
		{Text: "Debit and credit"}, {Value: string(Signed), Text: "Signed"}, {Value: string(DebitsOnly), Text: "Debits only"}, {Value: string(CreditsOnly), Text: "Credits only"},
	}
}

func (a AccountStatement) subtotalOptions() []ui.Option {
	return []ui.Option{{Text: "None"}, {Value: "day", Text: "Day"}, {Value: "month", Text: "Month"}}
}

func (a AccountStatement) bankOptions() []ui.Option {
	options := []ui.Option{{Text: "Any state"}}
	for _, state := range a.Banks {
		options = append(options, ui.Option{Value: string(state), Text: state.label()})
	}
	return options
}

// subtotalName names the day or month that ends with a line.
func (a AccountStatement) subtotalName(line AccountLine) string {
	name := ui.LongDate(line.EffectiveOn)
	if a.Filter.Subtotals == "month" {
		name = line.EffectiveOn.Time().Format("January 2006")
	}
	return "Total of " + name + ", " + a.Format.Plural(int(line.Subtotal.postings()), "posting", "postings")
}

func (l AccountLine) tags(f ui.Format, b Book) ui.Tags {
	return entryTags(f, b, l.Reverses, l.Replaces, l.ReversedBy, l.Adjustment, l.Pending)
}

func (l AccountLine) against() string {
	switch {
	case l.Against == "":
		return "–"
	case l.AgainstMore > 0:
		return l.Against + " +" + strconv.Itoa(l.AgainstMore)
	}
	return l.Against
}

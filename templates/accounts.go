package templates

import (
	"net/url"

	"daybook/store/ledger"
	"daybook/templates/ui"
)

// Accounts is a page of the book's accounts, by type.
type Accounts struct {
	Shell
	Filter AccountsFilter
	Groups []AccountGroup
	// Found counts all that the filter finds, not only those of this page.
	Found int64
	// Next is the code that the next page begins behind, empty on the last.
	Next string
	// MayOpen shows the button for a new account and leads to the settings of each.
	MayOpen bool
	Errors  []ledger.FieldError
}

// AccountsFilter is what the controls hold, as typed. After is the code this page begins behind.
type AccountsFilter struct{ Query, Type, Status, After string }

// AccountGroup is the accounts of one type.
type AccountGroup struct {
	Name string
	Rows []AccountRow
}

// AccountRow is an account with where it stands. BalanceMinor is debit − credit over all entries.
type AccountRow struct {
	AccountFacts
	LastPostedOn, LastStatement ledger.Date
	BalanceMinor                int64
}

func (f AccountsFilter) values() url.Values {
	return filled(map[string]string{"q": f.Query, "type": f.Type, "status": f.Status}, nil)
}

func (f AccountsFilter) active() bool { return len(f.values()) > 0 }

func (v Accounts) address(q url.Values) string {
	if len(q) == 0 {
		return v.Book.URL("accounts")
	}
	return v.Book.URL("accounts") + "?" + q.Encode()
}

func (v Accounts) next() string {
	q := v.Filter.values()
	q.Set("after", v.Next)
	return v.address(q)
}

func (v Accounts) shown() int {
	n := 0
	for _, g := range v.Groups {
		n += len(g.Rows)
	}
	return n
}

func (v Accounts) columns() string {
	if v.MayOpen {
		return "11"
	}
	return "10"
}

func (v Accounts) types() []ui.Option {
	options := []ui.Option{{Text: "Any"}}
	return append(options, accountTypes()...)
}

func accountTypes() []ui.Option {
	var options []ui.Option
	for _, t := range ledger.AccountTypes {
		options = append(options, ui.Option{Value: string(t), Text: sentence(string(t))})
	}
	return options
}

func (v Accounts) states() []ui.Option {
	return []ui.Option{{Text: "Any"}, {Value: "open", Text: "Open"}, {Value: "closed", Text: "Closed"}}
}

func (v Accounts) newAccount() ui.Button {
	return ui.Button{Text: "New account", Icon: "plus", Href: v.Book.URL("new-account"), Primary: true, Hotkey: "n"}
}

func (v Accounts) empty() ui.Empty {
	if v.Filter.active() || v.Filter.After != "" {
		return ui.Empty{
			Icon: "search", Title: "No account is like that", Text: "The search looks into codes and names. Write less of it, or take a filter away.",
			Actions: []ui.Button{{Text: "All accounts", Icon: "x", Href: v.Book.URL("accounts")}},
		}
	}
	if !v.MayOpen {
		none := v.Book.noAccounts("Then entries can be posted to them.")
		none.Actions = nil // they lead here
		return none
	}
	open := v.newAccount()
	open.Hotkey, open.Primary = "", false
	return ui.Empty{Icon: "list-details", Title: "No accounts yet", Text: "Open the first one. Then entries can be posted to it.", Actions: []ui.Button{open}}
}

func (f AccountFacts) status() ui.Chip {
	if f.Closed {
		return ui.Chip{Text: "Closed", Icon: "lock"}
	}
	return ui.Chip{Text: "Open", Icon: "circle-dot"}
}

// NewAccount is the form of an account that is opened, with what was typed.
type NewAccount struct {
	Shell
	Form                             string
	Code, Name, Type, Currency, From string
	NoNegative                       bool
	Message                          string
	Errors                           []ledger.FieldError
}

// AccountSettings is what of an account can be changed, each by a form of its own.
type AccountSettings struct {
	Shell
	Account AccountFacts
	// Form is the key that all of them carry: one is sent at a time.
	Form string
	// Name and From are what was typed.
	Name         string
	From         string
	BalanceMinor int64
	Message      string
	Errors       []ledger.FieldError
}

func (v AccountSettings) action(name string) string {
	return v.Book.URL("accounts", v.Account.Code, name)
}

func (v AccountSettings) heldFrom() string {
	if v.Account.ReconcileFrom.IsZero() {
		return "Its first statement decides from which day on its postings must be on one."
	}
	return "Postings from " + ui.LongDate(v.Account.ReconcileFrom) + " on must be on a statement, or they are breaks. Those of before may match a line, and never break."
}

func (v AccountSettings) fromHint() string {
	return "The newest reconciliation, where it is open, is matched again by it. What is signed off stays as it is"
}

func (v AccountSettings) facts() ui.KeyValue {
	balance := &ui.Money{Minor: v.BalanceMinor, Currency: v.Account.Currency, WithCode: true}
	return ui.KeyValue{
		{Name: "Code", Text: v.Account.Code}, {Name: "Type", Text: sentence(string(v.Account.Type))}, {Name: "Currency", Text: v.Account.Currency},
		{Name: "Balance, debit − credit", Money: balance}, {Name: "State", Chip: v.Account.status()},
	}
}

// belowZero is what an account that is never below zero may not have.
func (f AccountFacts) belowZero() string {
	if f.Type.DebitNormal() {
		return "credit balance"
	}
	return "debit balance"
}

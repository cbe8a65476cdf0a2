package templates

import (
	"net/url"
	"strconv"
	"time"

	"daybook/store/ledger"
	"daybook/store/payment"
	"daybook/templates/ui"
)

// Payments is a page of the payments of a book, and one of them beside it.
type Payments struct {
	Shell
	Filter PaymentsFilter
	Rows   []PaymentRow // newest first
	// Figures are sums over all that the filter finds, the currency of the book first.
	Figures []PaymentFigures
	// Newer and Older are the cursors of the pages before and after this one, empty at an end.
	Newer, Older string
	// Open is the payment that is shown beside the list, nil for none.
	Open   *PaymentView
	Errors []ledger.FieldError
	// MayPost offers a new payment, Simulated the page of the simulator. Ready says that accounts are set for some currency.
	MayPost, Simulated, Ready bool
}

// PaymentsFilter is what the controls hold, as typed. Before and After are the cursor this page was opened with.
type PaymentsFilter struct {
	Query, State, Bank, Unsettled, From, To string
	Before, After                           string
}

// PaymentRow is a payment in the list. Amounts are in minor units of Currency.
type PaymentRow struct {
	ID        int64
	CreatedAt time.Time
	Customer  string
	Reference string
	Currency  string
	// GrossMinor is what was captured or, before that, asked for; BackMinor what of it was refunded, is disputed or was lost.
	GrossMinor, BackMinor, FeeMinor, NetMinor int64
	Taken                                     bool // it was captured once
	State                                     payment.State
	// Call is the state of what was asked of the gateway and is not settled, empty for nothing.
	Call, Bank string
}

// PaymentFigures are the sums of one currency, and the balance of its clearing account; Clearing is its code, empty for none.
type PaymentFigures struct {
	Currency                                                                   string
	Count, Captured, Refunded, Authorized, Unknown, Unposted                   int64
	CapturedMinor, RefundedMinor, AuthorizedMinor, UnknownMinor, UnpostedMinor int64
	ClearingMinor                                                              int64
	Clearing                                                                   string
}

func (v Payments) base() string { return v.Book.URL("payments") }

func (f PaymentsFilter) values(without ...string) url.Values {
	return filled(map[string]string{"q": f.Query, "state": f.State, "bank": f.Bank, "unsettled": f.Unsettled, "from": f.From, "to": f.To}, without)
}

func (f PaymentsFilter) active() bool { return len(f.values()) > 0 }

func (v Payments) address(q url.Values) string { return withQuery(v.base(), q) }

// withQuery is an address with what stands behind its question mark, where there is any.
func withQuery(base string, q url.Values) string {
	if len(q) == 0 {
		return base
	}
	return base + "?" + q.Encode()
}

func (v Payments) page(direction, cursor string) string {
	if cursor == "" {
		return ""
	}
	q := v.Filter.values()
	q.Set(direction, cursor)
	return v.address(q)
}

// open is this page with a payment beside the list.
func (v Payments) open(id int64) string {
	q := v.Filter.values()
	for name, cursor := range map[string]string{"before": v.Filter.Before, "after": v.Filter.After} {
		if cursor != "" {
			q.Set(name, cursor)
		}
	}
	q.Set("id", strconv.FormatInt(id, 10))
	return v.address(q) + "#payment"
}

func (v Payments) export() string { return withQuery(v.base()+".csv", v.Filter.values()) }

func (v Payments) count() int {
	var n int64
	for _, f := range v.Figures {
		n += f.Count
	}
	return int(n)
}

// with is the list narrowed to one thing more; nothing leads to an empty list.
func (v Payments) with(name, value string, count int64) string {
	if count == 0 {
		return ""
	}
	q := v.Filter.values()
	q.Set(name, value)
	return v.address(q)
}

// figures are those of one currency; its code stands with the first where there are several.
func (v Payments) figures(of PaymentFigures) ui.Figures {
	amount := func(minor int64) *ui.Money {
		return &ui.Money{Minor: minor, Currency: of.Currency, WithCode: len(v.Figures) > 1}
	}
	counted := func(word string, n int64) string { return word + ", " + v.Format.Number(int(n)) }
	figures := ui.Figures{
		{Label: counted("Captured", of.Captured), Money: amount(of.CapturedMinor), Href: v.with("state", PaymentsTaken, of.Captured)},
		{Label: counted("Refunded", of.Refunded), Money: amount(-of.RefundedMinor), Href: v.with("state", PaymentsBack, of.Refunded)},
		{Label: counted("Authorized", of.Authorized), Money: amount(of.AuthorizedMinor), Href: v.with("state", payment.Authorized.String(), of.Authorized)},
		{Label: counted("Unknown", of.Unknown), Money: amount(of.UnknownMinor), Href: v.with("unsettled", "yes", of.Unknown)},
	}
	if of.Unposted > 0 {
		figures = append(figures, ui.Figure{Label: counted("Entry refused", of.Unposted), Money: amount(of.UnpostedMinor), Href: v.with("unsettled", "yes", of.Unposted)})
	}
	if of.Clearing != "" {
		figures = append(figures, ui.Figure{Label: "Left at the processor, " + of.Clearing, Money: amount(of.ClearingMinor), Href: v.Book.AccountURL(of.Clearing)})
	}
	return figures
}

// Groups of states that a filter can ask for by one word.
const (
	PaymentsTaken = "taken" // captured once, whatever became of it
	PaymentsBack  = "back"  // some or all of it refunded
)

func paymentStates() []ui.Option {
	options := []ui.Option{{Text: "Any"}}
	for _, s := range payment.States() {
		options = append(options, ui.Option{Value: s.String(), Text: StateOfPayment(s)})
	}
	return append(options, ui.Option{Value: PaymentsTaken, Text: "Captured once"}, ui.Option{Value: PaymentsBack, Text: "Refunded, some or all"})
}

func paymentBanks() []ui.Option {
	options := []ui.Option{{Text: "Any"}}
	for _, bank := range []string{MoneyNotPaidOut, MoneyInTransit, MoneyMatched} {
		options = append(options, ui.Option{Value: bank, Text: bankChip(bank).Text})
	}
	return options
}

func (v Payments) pills() ui.Pills {
	f, pills := v.Filter, ui.Pills{Clear: v.base()}
	add := func(text, name string) {
		pills.Items = append(pills.Items, ui.Pill{Text: text, Remove: v.address(f.values(name))})
	}
	if f.Query != "" {
		add("“"+f.Query+"”", "q")
	}
	if f.State != "" {
		add(optionText(paymentStates(), f.State), "state")
	}
	if f.Bank != "" {
		add(optionText(paymentBanks(), f.Bank), "bank")
	}
	if f.Unsettled != "" {
		add("Not settled", "unsettled")
	}
	if f.From != "" {
		add("From "+f.From, "from")
	}
	if f.To != "" {
		add("To "+f.To, "to")
	}
	return pills
}

func (v Payments) pager() ui.Pager {
	text := v.Format.Number(len(v.Rows)) + " of " + v.Format.Plural(v.count(), "payment", "payments")
	return ui.Pager{Label: "Pages of payments", Text: text, Newer: v.page("after", v.Newer), Older: v.page("before", v.Older)}
}

func (v Payments) empty() ui.Empty {
	switch {
	case v.Filter.Unsettled != "" && v.Filter.Query+v.Filter.State+v.Filter.Bank+v.Filter.From+v.Filter.To == "":
		return ui.Empty{Icon: "circle-check", Title: "Everything is settled", Text: "The gateway has answered all that it was asked, and what it did is booked.", Actions: clearFilters(v.base())}
	case v.Filter.active():
		return ui.Empty{
			Icon: "search", Title: "No payment is like that", Actions: clearFilters(v.base()),
			Text: "Take a filter away, or write it differently: the search looks for a payment, a customer, a reference or a key.",
		}
	}
	e := ui.Empty{Icon: "credit-card", Title: "No payment yet", Text: "A payment is asked for here or by a program. What becomes of it at the gateway, and its entries, stand here."}
	if v.MayPost {
		e.Actions = []ui.Button{{Text: "New payment", Icon: "plus", Href: v.Book.URL("payments", "new")}}
	}
	if !v.Ready {
		e.Text = "Nobody has said yet on which accounts payments are booked. " + unsetPayments
		e.Actions = append(e.Actions, ui.Button{Text: "Accounts of payments", Icon: "list-details", Href: v.Book.URL("payments", "settings")})
	}
	return e
}

func clearFilters(base string) []ui.Button {
	return []ui.Button{{Text: "Clear all filters", Icon: "x", Href: base}}
}

// givenBack says whether some payment of the page was refunded, is disputed or was lost: then it has a column, so that each row adds up. Beside a
// payment there is no room for it.
func (v Payments) givenBack() bool {
	if v.Open != nil {
		return false
	}
	for _, r := range v.Rows {
		if r.BackMinor != 0 {
			return true
		}
	}
	return false
}

// severalCurrencies has each amount say in what it is.
func (v Payments) severalCurrencies() bool { return len(v.Figures) > 1 }

func (r PaymentRow) money(minor int64, code bool) ui.Money {
	return ui.Money{Minor: minor, Currency: r.Currency, WithCode: code}
}

package templates

import (
	"net/url"
	"slices"
	"strings"

	"daybook/store/ledger"
	"daybook/templates/ui"
)

// Balances is the trial balance as of a day. With From, the time before and the movement since then stand apart.
type Balances struct {
	Shell
	// AsOf is the last effective day that counts; none counts all entries.
	AsOf ledger.Date
	From ledger.Date
	// KnownAt is the value of the control of that name: the book as recorded until then, in UTC.
	KnownAt string
	// All shows accounts without activity too; Hidden counts those left out.
	All    bool
	Hidden int
	Groups []BalanceGroup
	// Errors are those of the filter.
	Errors []ledger.FieldError
}

// BalanceGroup is the accounts of one type.
type BalanceGroup struct {
	Name string
	Rows []BalanceRow
}

// BalanceRow is one account, in minor units. Opening and Balance are debit minus credit; Debit and Credit are the
// turnover, both positive, of all entries or, with From, since then.
type BalanceRow struct {
	Code, Name, Currency    string
	OpeningMinor            int64
	DebitMinor, CreditMinor int64
	BalanceMinor            int64
}

// balanceSum is what the columns of one currency add up to.
type balanceSum struct {
	currency                   string
	accounts                   int
	opening, turnover, balance ui.SideTotal
}

func sums(groups ...BalanceGroup) []balanceSum {
	var all []balanceSum
	for _, g := range groups {
		for _, r := range g.Rows {
			i := slices.IndexFunc(all, func(s balanceSum) bool { return s.currency == r.Currency })
			if i < 0 {
				i = len(all)
				all = append(all, balanceSum{currency: r.Currency})
			}
			all[i].add(r)
		}
	}
	return all
}

func (s *balanceSum) add(r BalanceRow) {
	s.accounts++
	s.opening.Add(r.OpeningMinor)
	s.turnover.Add(r.DebitMinor)
	s.turnover.Add(-r.CreditMinor)
	s.balance.Add(r.BalanceMinor)
}

// balanced says whether debits equal credits in every pair of columns.
func (s balanceSum) balanced() bool {
	for _, side := range []ui.SideTotal{s.opening, s.turnover, s.balance} {
		if side.Incomplete || side.DebitMinor != side.CreditMinor {
			return false
		}
	}
	return true
}

func (b Balances) chip() ui.Chip {
	var off []string
	for _, s := range sums(b.Groups...) {
		if !s.balanced() {
			off = append(off, s.currency)
		}
	}
	if len(off) > 0 {
		return ui.Chip{Text: "Not balanced: " + strings.Join(off, ", "), Tone: ui.Bad}
	}
	return ui.Chip{Text: "Balanced: debits = credits", Tone: ui.OK}
}

func (b Balances) accounts() int {
	n := 0
	for _, g := range b.Groups {
		n += len(g.Rows)
	}
	return n
}

// mixed says whether a column for the currency is needed.
func (b Balances) mixed() bool { return len(sums(b.Groups...)) > 1 }

func (b Balances) currencies() string {
	var codes []string
	for _, s := range sums(b.Groups...) {
		codes = append(codes, s.currency)
	}
	if len(codes) == 0 {
		return b.Book.Currency
	}
	return strings.Join(codes, ", ")
}

func (b Balances) lead() string {
	if b.AsOf.IsZero() {
		return "All entries, " + b.currencies() + "."
	}
	return "As of " + ui.LongDate(b.AsOf) + ", " + b.currencies() + ", effective dates up to and including that day."
}

func (b Balances) openingHead() string { return "Opening " + ui.LongDate(b.From) }

func (b Balances) turnoverHead() string {
	if b.From.IsZero() {
		return "Turnover"
	}
	return "Movement"
}

func (b Balances) balanceHead() string {
	head := "Balance"
	if !b.From.IsZero() {
		head = "Closing"
	}
	return strings.TrimSpace(head + " " + ui.LongDate(b.AsOf))
}

// behind says what the figures open. A statement shows what is known now, so figures of an earlier knowledge open nothing.
func (b Balances) behind() string {
	if b.KnownAt != "" {
		return "The figures open nothing: a statement shows what is known now, not what was known then."
	}
	return "Every figure opens the postings behind it."
}

// statement is the postings behind a figure of an account, "" where the statement would show others. They add up to the figure: as the movement
// of one side, or as the closing balance.
func (b Balances) statement(code string, from, to ledger.Date, amounts AmountView) string {
	if b.KnownAt != "" {
		return ""
	}
	q := filled(map[string]string{"amounts": string(amounts)}, nil)
	q.Set("from", from.String())
	q.Set("to", to.String())
	return b.Book.AccountURL(code) + "?" + q.Encode()
}

// columns counts them all, for the rows that span them.
func (b Balances) columns() int {
	n := 6
	if b.mixed() {
		n++
	}
	if !b.From.IsZero() {
		n += 2
	}
	return n
}

func (b Balances) asKnown() ui.Alert {
	return ui.Alert{
		Title: "The book as it was known on " + strings.Replace(b.KnownAt, "T", " ", 1) + " UTC.",
		Text:  "What was recorded later is left out.", Link: ui.Link{Text: "Back to now", Href: b.now()},
	}
}

// now is this page without KnownAt.
func (b Balances) now() string { return b.Book.URL("balances") + "?" + b.values().Encode() }

// exportURL is what the page shows, as a file.
func (b Balances) exportURL() string {
	q := b.values()
	if b.KnownAt != "" {
		q.Set("known_at", b.KnownAt)
	}
	return b.Book.URL("balances.csv") + "?" + q.Encode()
}

// values are the filter as a query, but for KnownAt.
func (b Balances) values() url.Values {
	q := url.Values{}
	for name, day := range map[string]ledger.Date{"as_of": b.AsOf, "from": b.From} {
		if !day.IsZero() {
			q.Set(name, day.String())
		}
	}
	if b.All {
		q.Set("all", "1")
	}
	return q
}

func (b Balances) hiddenText() string {
	return b.Format.Plural(b.Hidden, "account without activity is", "accounts without activity are") + " not shown."
}

package templates

import (
	"net/url"
	"strconv"
	"strings"
	"time"

	"daybook/store/ledger"
	"daybook/templates/ui"
)

// Journal is a page of the entries that a filter finds, newest first.
type Journal struct {
	Shell
	Filter JournalFilter
	// Accounts are offered where an account is typed.
	Accounts []ui.AccountChoice
	Rows     []JournalRow
	// Open is the entry whose postings are shown, 0 for none.
	Open int64
	// Totals are of all that the filter finds, not of this page.
	Totals JournalTotals
	// Account is the one that the filter asks for: rows and totals then show what concerns it. Nil without one.
	Account *JournalAccount
	// Newer and Older are the cursors of the pages before and after this one, empty at an end.
	Newer, Older string
	// MayPost shows the button for a new entry.
	MayPost bool
	// Errors are those of the filter.
	Errors []ledger.FieldError
}

// JournalFilter is what the controls hold, as typed. Before and After are the cursor this page was opened with.
type JournalFilter struct {
	Query, Account, Side, From, To, Kind, Amount string
	// AccountName is the name of Account, for the pill.
	AccountName   string
	Before, After string
}

// JournalRow is one entry.
type JournalRow struct {
	Seq                            int64
	EffectiveOn                    ledger.Date
	RecordedAt                     time.Time
	TxID, Description, By          string
	ReversedBy, Reverses, Replaces int64
	// Adjustment marks an entry that a reconciliation posted, Pending one whose reversal waits for approval.
	Adjustment, Pending bool
	// PostingCount counts them all; Postings may hold only the first.
	PostingCount int
	Postings     []ui.Posting
	// Debits are the debit totals, one a currency.
	Debits []ui.Money
	// DebitMinor and CreditMinor are what the entry did to the account of the filter, both positive.
	DebitMinor, CreditMinor int64
}

// JournalAccount is an account with the sums of its postings in all that a filter finds, debits and credits both positive.
type JournalAccount struct {
	Code, Name, Currency                  string
	Side                                  AccountSide
	DebitMinor, CreditMinor, BalanceMinor int64
}

// AccountSide is the one side of an account that is shown; none shows both.
type AccountSide string

// The sides.
const (
	DebitSide  AccountSide = "debit"
	CreditSide AccountSide = "credit"
)

func (a JournalAccount) debits() bool  { return a.Side != CreditSide }
func (a JournalAccount) credits() bool { return a.Side != DebitSide }

// balance is the line below the totals, where both sides are shown.
func (a JournalAccount) balance() bool { return a.Side == "" }

// money is an amount of the account, blank where the entry has none on that side.
func (a JournalAccount) money(minor int64, class string) ui.Cell {
	return ui.Cell{Money: ui.Money{Minor: minor, Currency: a.Currency}, Blank: minor == 0, Class: class}
}

// total is a sum of the account, also where it is zero.
func (a JournalAccount) total(minor int64, class string) ui.Cell {
	return ui.Cell{Money: ui.Money{Minor: minor, Currency: a.Currency}, Class: class}
}

// JournalTotals is what a filter finds.
type JournalTotals struct {
	Entries, Postings int64
	Debits            []ui.Money
}

// values are the filter as a query; without leaves one name out and, as the rows change, the cursor too.
func (f JournalFilter) values(without ...string) url.Values {
	return filled(map[string]string{
		"q": f.Query, "account": f.Account, "side": f.Side, "from": f.From, "to": f.To, "kind": f.Kind, "amount": f.Amount,
	}, without)
}

func (f JournalFilter) active() bool { return len(f.values()) > 0 }

func (j Journal) address(q url.Values) string {
	if len(q) == 0 {
		return j.Book.URL("journal")
	}
	return j.Book.URL("journal") + "?" + q.Encode()
}

// exportURL is the file of all that the filter finds.
func (j Journal) exportURL() string {
	q := j.Filter.values("before", "after")
	return j.Book.URL("journal.csv") + "?" + q.Encode()
}

// page is another page of the same filter.
func (j Journal) page(direction, cursor string) string {
	if cursor == "" {
		return ""
	}
	q := j.Filter.values()
	q.Set(direction, cursor)
	return j.address(q)
}

// expand is this page with the postings of an entry shown, or closed again.
func (j Journal) expand(seq int64) string {
	q := j.Filter.values()
	for name, cursor := range map[string]string{"before": j.Filter.Before, "after": j.Filter.After} {
		if cursor != "" {
			q.Set(name, cursor)
		}
	}
	if seq == j.Open {
		return j.address(q)
	}
	q.Set("open", strconv.FormatInt(seq, 10))
	return j.address(q) + "#e" + strconv.FormatInt(seq, 10)
}

func (j Journal) pills() ui.Pills {
	f := j.Filter
	pills := ui.Pills{Clear: j.Book.URL("journal")}
	add := func(text string, names ...string) {
		pills.Items = append(pills.Items, ui.Pill{Text: text, Remove: j.address(f.values(names...))})
	}
	if f.Query != "" {
		add("“"+f.Query+"”", "q")
	}
	if f.Account != "" {
		add(strings.TrimSpace("Account "+f.Account+" "+f.AccountName), "account", "side")
	}
	if f.Side != "" {
		add(sentence(f.Side)+"s only", "side")
	}
	if f.From != "" || f.To != "" {
		add(between(j.Format, f.From, f.To), "from", "to")
	}
	if f.Kind != "" {
		add("Kind "+f.Kind, "kind")
	}
	if f.Amount != "" {
		add("Amount "+f.Amount, "amount")
	}
	return pills
}

func (j Journal) kinds() []ui.Option {
	return []ui.Option{
		{Text: "Any"}, {Value: "entry", Text: "Entry"}, {Value: "reversal", Text: "Reversal"},
		{Value: "replacement", Text: "Replacement"}, {Value: "adjustment", Text: "Adjustment"},
	}
}

func (j Journal) sides() []ui.Option {
	return []ui.Option{{Text: "Both"}, {Value: "debit", Text: "Debit"}, {Value: "credit", Text: "Credit"}}
}

// columns counts those of the table, for what spans them.
func (j Journal) columns() int {
	if j.Account != nil && j.Account.balance() {
		return 10
	}
	return 9
}

func (j Journal) pager() ui.Pager {
	text := j.Format.Number(len(j.Rows)) + " of " + j.Format.Plural(int(j.Totals.Entries), "entry", "entries")
	if n := len(j.Rows); n > 0 {
		text += ", " + j.Format.Seq(j.Rows[n-1].Seq) + " to " + j.Format.Seq(j.Rows[0].Seq)
	}
	return ui.Pager{Label: "Pages of entries", Text: text, Newer: j.page("after", j.Newer), Older: j.page("before", j.Older)}
}

// codes says whether amounts need their currency beside them.
func (j Journal) codes() bool {
	for _, m := range j.Totals.Debits {
		if m.Currency != j.Book.Currency {
			return true
		}
	}
	return false
}

func (j Journal) newEntry() ui.Button {
	return ui.Button{Text: "New entry", Icon: "plus", Href: j.Book.URL("journal", "new"), Primary: true, Hotkey: "n"}
}

// blank says that the book has no entry at all: then the way to the first one stands in the middle of the page.
func (j Journal) blank() bool {
	return j.Totals.Entries == 0 && !j.Filter.active() && len(j.Errors) == 0
}

func (j Journal) empty() ui.Empty {
	if j.Filter.active() {
		return ui.Empty{
			Icon: "search", Title: "No entry is like that",
			Text: "Take a filter away, or write it differently: each word of the search must be in the tx id, the description, the metadata, the accounts or the name of who recorded it, " +
				"or be the number of the entry or an amount. Upper and lower case are the same.",
			Actions: []ui.Button{{Text: "Clear all filters", Icon: "x", Href: j.Book.URL("journal")}},
		}
	}
	e := ui.Empty{Icon: "notebook", Title: "No entries yet", Text: "Post the first one by hand, or let a machine post over the API."}
	if j.MayPost {
		e.Actions = []ui.Button{j.newEntry()}
	}
	return e
}

// tags tell how an entry stands to others.
func (r JournalRow) tags(f ui.Format, b Book) ui.Tags {
	return entryTags(f, b, r.Reverses, r.Replaces, r.ReversedBy, r.Adjustment, r.Pending)
}

func entryTags(f ui.Format, b Book, reverses, replaces, reversedBy int64, adjustment, pending bool) ui.Tags {
	var tags ui.Tags
	if reverses > 0 {
		tags = append(tags, ui.Chip{Text: "Reverses", Icon: "arrow-back-up", Ref: ui.Link{Text: f.Seq(reverses), Href: b.EntryURL(reverses)}})
	}
	if replaces > 0 {
		tags = append(tags, ui.Chip{Text: "Replaces", Icon: "replace", Tone: ui.Info, Ref: ui.Link{Text: f.Seq(replaces), Href: b.EntryURL(replaces)}})
	}
	if reversedBy > 0 {
		tags = append(tags, ui.Chip{Text: "Reversed by", Icon: "arrow-back-up", Tone: ui.Warn, Ref: ui.Link{Text: f.Seq(reversedBy), Href: b.EntryURL(reversedBy)}})
	}
	if adjustment {
		tags = append(tags, ui.Chip{Text: "Adjustment", Icon: "scale"})
	}
	if pending {
		tags = append(tags, ui.Chip{Text: "Reversal waits for approval", Icon: "clock", Tone: ui.Warn})
	}
	return tags
}

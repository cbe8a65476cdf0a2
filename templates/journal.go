package templates

import (
	"net/url"
	"strconv"
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
	// Newer and Older are the cursors of the pages before and after this one, empty at an end.
	Newer, Older string
	// MayPost shows the button for a new entry.
	MayPost bool
	// Errors are those of the filter.
	Errors []ledger.FieldError
}

// JournalFilter is what the controls hold, as typed. Before and After are the cursor this page was opened with.
type JournalFilter struct {
	Query, Account, From, To, Kind, Amount string
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
}

// JournalTotals is what a filter finds.
type JournalTotals struct {
	Entries, Postings int64
	Debits            []ui.Money
}

// values are the filter as a query; without leaves one name out and, as the rows change, the cursor too.
func (f JournalFilter) values(without ...string) url.Values {
	q := url.Values{}
	for name, value := range map[string]string{
		"q": f.Query, "account": f.Account, "from": f.From, "to": f.To, "kind": f.Kind, "amount": f.Amount,
	} {
		if value != "" {
			q.Set(name, value)
		}
	}
	for _, name := range without {
		q.Del(name)
	}
	return q
}

func (f JournalFilter) active() bool { return len(f.values()) > 0 }

func (j Journal) address(q url.Values) string {
	if len(q) == 0 {
		return j.Book.URL("journal")
	}
	return j.Book.URL("journal") + "?" + q.Encode()
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
		add("Account "+f.Account+" "+f.AccountName, "account")
	}
	switch {
	case f.From != "" && f.To != "":
		add(f.From+" to "+f.To, "from", "to")
	case f.From != "":
		add("From "+f.From, "from")
	case f.To != "":
		add("Up to "+f.To, "to")
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

func (j Journal) pager() ui.Pager {
	text := ui.Number(len(j.Rows)) + " of " + ui.Plural(j.Totals.Entries, "entry", "entries")
	if n := len(j.Rows); n > 0 {
		text += ", " + ui.Seq(j.Rows[n-1].Seq) + " to " + ui.Seq(j.Rows[0].Seq)
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

func (j Journal) empty() ui.Empty {
	if j.Filter.active() {
		return ui.Empty{
			Icon: "search", Title: "No entry is like that",
			Text:    "Take a filter away, or write it differently: the search looks at tx ids, descriptions, metadata, entry numbers and amounts, and ignores upper and lower case.",
			Actions: []ui.Button{{Text: "Clear all filters", Icon: "x", Href: j.Book.URL("journal")}},
		}
	}
	e := ui.Empty{Icon: "notebook", Title: "No entries yet", Text: "Post the first one by hand, or let a machine post over the API."}
	if j.MayPost {
		post := j.newEntry()
		post.Hotkey = ""
		e.Actions = []ui.Button{post}
	}
	return e
}

// recorded leaves the year out where the effective date beside it has the same.
func (r JournalRow) recorded() string {
	if at := r.RecordedAt.UTC(); at.Year() == r.EffectiveOn.Year {
		return at.Format("01-02 15:04")
	}
	return ui.Minute(r.RecordedAt)
}

// tags tell how an entry stands to others.
func (r JournalRow) tags(b Book) ui.Tags {
	return entryTags(b, r.Reverses, r.Replaces, r.ReversedBy, r.Adjustment, r.Pending)
}

func entryTags(b Book, reverses, replaces, reversedBy int64, adjustment, pending bool) ui.Tags {
	var tags ui.Tags
	if reverses > 0 {
		tags = append(tags, ui.Chip{Text: "Reverses", Icon: "arrow-back-up", Ref: ui.Link{Text: ui.Seq(reverses), Href: b.EntryURL(reverses)}})
	}
	if replaces > 0 {
		tags = append(tags, ui.Chip{Text: "Replaces", Icon: "replace", Tone: ui.Info, Ref: ui.Link{Text: ui.Seq(replaces), Href: b.EntryURL(replaces)}})
	}
	if reversedBy > 0 {
		tags = append(tags, ui.Chip{Text: "Reversed by", Icon: "arrow-back-up", Tone: ui.Warn, Ref: ui.Link{Text: ui.Seq(reversedBy), Href: b.EntryURL(reversedBy)}})
	}
	if adjustment {
		tags = append(tags, ui.Chip{Text: "Adjustment", Icon: "scale"})
	}
	if pending {
		tags = append(tags, ui.Chip{Text: "Reversal waits for approval", Icon: "clock", Tone: ui.Warn})
	}
	return tags
}

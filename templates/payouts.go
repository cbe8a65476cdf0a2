package templates

import (
	"net/url"
	"strconv"

	"daybook/store/ledger"
	"daybook/templates/ui"
)

// Payouts is a page of what gateways have paid to the bank.
type Payouts struct {
	Shell
	// Query is what is searched for, as typed.
	Query string
	Rows  []PayoutRow // newest first
	// Newer and Older are the cursors of the pages before and after this one, empty at an end.
	Newer, Older string
}

// PayoutRow is one payout. Amounts are in minor units of Currency: GrossMinor less FeesMinor is AmountMinor, which arrives.
type PayoutRow struct {
	ID                                 int64
	Name, Source, Currency             string
	PaidOn                             ledger.Date
	Items                              int64
	GrossMinor, FeesMinor, AmountMinor int64
	Seq                                int64 // its entry
	Place                              PayoutPlace
}

// PayoutPlace says where the money is: with a reconciliation, in a break, or on its way. ReversedBy is the entry that took it back; 0 for none of each.
type PayoutPlace struct {
	Bank                                string
	Reconciliation, BreakID, ReversedBy int64
}

// PayoutURL is the address of a payout, or of a file of it.
func (b Book) PayoutURL(id int64, file ...string) string {
	return b.URL(append([]string{"payments", "payouts", strconv.FormatInt(id, 10)}, file...)...)
}

func (v Payouts) base() string { return v.Book.URL("payments", "payouts") }

func (v Payouts) page(name, cursor string) string {
	if cursor == "" {
		return ""
	}
	return withQuery(v.base(), filled(map[string]string{"q": v.Query, name: cursor}, nil))
}

func (v Payouts) pills() ui.Pills {
	pills := ui.Pills{Clear: v.base()}
	if v.Query != "" {
		pills.Items = []ui.Pill{{Text: "“" + v.Query + "”", Remove: v.base()}}
	}
	return pills
}

func (v Payouts) pager() ui.Pager {
	return ui.Pager{
		Label: "Pages of payouts", Text: v.Format.Plural(len(v.Rows), "payout", "payouts") + " on this page",
		Newer: v.page("after", v.Newer), Older: v.page("before", v.Older),
	}
}

func (v Payouts) empty() ui.Empty {
	if v.Query != "" {
		return ui.Empty{
			Icon: "search", Title: "No payout is like that", Text: "The search looks for the name of a payout, its source and the message that told it.", Actions: clearFilters(v.base()),
		}
	}
	return ui.Empty{
		Icon: "building-bank", Title: "No payout yet", Text: "When a gateway tells what it has paid to the bank, by a message payout.paid, the payout and the payments in it stand here.",
		Actions: []ui.Button{{Text: "Inbox", Icon: "inbox", Href: v.Book.URL("inbox") + "?" + url.Values{"q": {"payout.paid"}}.Encode()}},
	}
}

func (r PayoutRow) money(minor int64) ui.Money {
	return ui.Money{Minor: minor, Currency: r.Currency}
}

// chip says in a word where the money is, with a link to what holds it.
func (p PayoutPlace) chip(b Book, f ui.Format) ui.Chip {
	switch {
	case p.ReversedBy != 0:
		return ui.Chip{Text: "Reversed", Icon: "arrow-back-up", Tone: ui.Bad, Ref: ui.Link{Text: "by " + f.Seq(p.ReversedBy), Href: b.EntryURL(p.ReversedBy)}}
	case p.Bank == "":
		return ui.Chip{Text: "Nothing arrives", Icon: "circle-minus"}
	case p.BreakID != 0:
		return inBreak(b, p.BreakID)
	case p.Reconciliation != 0:
		chip := bankChip(p.Bank)
		chip.Ref = ui.Link{Text: "in the reconciliation", Href: b.ReconciliationURL(p.Reconciliation) + "?tab=matched"}
		return chip
	}
	return bankChip(p.Bank)
}

func inBreak(b Book, id int64) ui.Chip {
	return ui.Chip{Text: "In break", Icon: "equal-not", Tone: ui.Warn, Ref: ui.Link{Text: NameOfBreak(id), Href: b.BreakURL(id)}}
}

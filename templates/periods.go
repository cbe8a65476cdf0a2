package templates

import (
	"time"

	"daybook/store/ledger"
	"daybook/templates/ui"
)

// Periods is a page of the book's months, newest first.
type Periods struct {
	Shell
	Rows []PeriodRow
	// Newer and Older are the addresses of the pages around this one, empty at an end.
	Newer, Older string
}

// PeriodRow is one month.
type PeriodRow struct {
	Period  ledger.Period
	Entries int64
	// Turnover is what was debited, one amount a currency.
	Turnover []ui.Money
	Accounts []PeriodAccount
	// LastSeq is the entry that was recorded last, 0 for none.
	LastSeq        int64
	LastRecordedAt time.Time
	// ClosedAt is zero while the period is open, Current says that its month has not ended.
	ClosedAt time.Time
	ClosedBy string
	Current  bool
	// RequestID is a request to close or to reopen the month that waits, 0 for none; RequestBy is who asked. ReasonText is why, of that
	// request or else of the one that closed the month.
	RequestID  int64
	RequestBy  string
	ReasonText string
	// MayAsk says that the reader may ask for it to be closed or reopened.
	MayAsk bool
}

// PeriodAccount is an account that takes statements, at the end of the month. Without a reconciliation no statement ends in it.
type PeriodAccount struct {
	Code, Name, Currency string
	ReconciliationID     int64
	To                   ledger.Date
	UnexplainedMinor     int64
	OpenBreaks           int
}

func (r PeriodRow) name() string { return NameOfPeriod(r.Period) }

func (r PeriodRow) chip() ui.Chip {
	if r.ClosedAt.IsZero() {
		return ui.Chip{Text: "Open", Icon: "circle-dot"}
	}
	return ui.Chip{Text: "Closed", Icon: "lock", Tone: ui.OK}
}

// days is the query of the month's days.
func (r PeriodRow) days() string {
	return "from=" + r.Period.First().String() + "&to=" + r.Period.Last().String()
}

// turnoverLabel names the amounts where a narrow screen stacks them; none need no name.
func (r PeriodRow) turnoverLabel() string {
	if len(r.Turnover) == 0 {
		return ""
	}
	return "Turnover"
}

func (r PeriodRow) balancesURL(b Book) string {
	return b.URL("balances") + "?from=" + r.Period.First().String() + "&as_of=" + r.Period.Last().String()
}

// chip says whether the account is proven up to the end of its month.
func (a PeriodAccount) chip(b Book, r PeriodRow) ui.Chip {
	switch {
	case a.ReconciliationID == 0 && r.Current:
		return ui.Chip{Text: "No statement yet", Icon: "clock"}
	case a.ReconciliationID == 0:
		return ui.Chip{Text: "No statement ends here", Icon: "file-off", Tone: ui.Warn}
	}
	chip := proofChip(a.UnexplainedMinor, a.OpenBreaks)
	chip.Href = b.ReconciliationURL(a.ReconciliationID)
	return chip
}

// partly says that the statement ends before the month does.
func (a PeriodAccount) partly(r PeriodRow) bool {
	return a.ReconciliationID > 0 && a.To.Before(r.Period.Last())
}

func (v Periods) pager() ui.Pager {
	return ui.Pager{Label: "Pages of periods", Text: v.Format.Plural(len(v.Rows), "period", "periods"), Newer: v.Newer, Older: v.Older}
}

package templates

import (
	"daybook/recon"
	"daybook/templates/ui"
)

// need is one figure of what waits, with a note beside it; the whole of it leads to what it counts.
type need struct{ label, figure, note, href string }

func (v Overview) needs(f ui.Format) []need {
	n := v.Needs
	var shown []need
	if n.MayDecide {
		shown = append(shown, need{"Approvals for you", f.Number(n.ForMe), oldest(n.ForMe, f.Age(n.OldestForMe)), v.Book.URL("approvals")})
	} else {
		shown = append(shown, need{"Requests of others, waiting", f.Number(n.Others), oldest(n.Others, f.Age(n.OldestOthers)), v.Book.URL("approvals")})
	}
	if n.MayRequest {
		shown = append(shown, need{"Your requests, waiting", f.Number(n.Mine), oldest(n.Mine, f.Age(n.OldestMine)), v.Book.URL("approvals") + "?status=" + ApprovalsMine})
	}
	open := need{"Breaks open", f.Number(n.OpenBreaks), "", v.whereBreaksAre()}
	if n.BreakAccounts > 1 {
		open.note = "on " + f.Plural(n.BreakAccounts, "account", "accounts")
	}
	shown = append(shown, open)
	if n.OldestBreak != 0 {
		shown = append(shown, need{"Oldest break", f.Plural(n.OldestBreakDays, "day", "days"), NameOfBreak(n.OldestBreak), v.Book.BreakURL(n.OldestBreak)})
	}
	if n.PaymentsUnknown > 0 {
		shown = append(shown, need{"Payments not settled", f.Number(n.PaymentsUnknown), "", v.Book.URL("payments") + "?unsettled=yes"})
	}
	if n.InboxUnapplied > 0 {
		shown = append(shown, need{"Messages not applied", f.Number(n.InboxUnapplied), "", v.Book.URL("inbox")})
	}
	return append(shown,
		need{"Postings not matched yet", f.Number(n.Unmatched), sinceMatching(n.Unmatched), v.whereUnmatchedAre()},
		need{"Statements due", f.Number(v.due()), v.dueNote(f), v.whereStatementsCome()})
}

func oldest(count int, age string) string {
	if count == 0 {
		return ""
	}
	return "oldest " + age
}

func sinceMatching(count int) string {
	if count == 0 {
		return ""
	}
	return "since the last matching"
}

func (v Overview) dueNote(f ui.Format) string {
	if len(v.Banks) == 0 {
		return ""
	}
	return "of " + f.Plural(len(v.Banks), "account", "accounts") + ", to the end of " + v.month()
}

// whereBreaksAre is the list of the one account that has open breaks, or else the table that leads to each.
func (v Overview) whereBreaksAre() string {
	return v.where(func(b BankLine) bool { return b.OpenBreaks > 0 }, func(b BankLine) string { return b.openBreaks(v.Book) })
}

func (v Overview) whereUnmatchedAre() string {
	return v.where(func(b BankLine) bool { return b.Unmatched > 0 }, func(b BankLine) string { return v.Book.ReconciliationURL(b.Reconciliation) })
}

func (v Overview) where(is func(BankLine) bool, page func(BankLine) string) string {
	address := ""
	for _, b := range v.Banks {
		if !is(b) {
			continue
		}
		if address != "" {
			return "#banks"
		}
		address = page(b)
	}
	if address == "" {
		return v.Book.URL("statements")
	}
	return address
}

func (v Overview) whereStatementsCome() string {
	if v.Nav.MayUpload {
		return v.Book.URL("statements", "new")
	}
	return v.Book.URL("statements")
}

// chip says how an account stands, in the words of the list of statements.
func (b BankLine) chip() ui.Chip {
	if b.Reconciliation == 0 {
		return ui.Chip{Text: "No statement", Icon: "circle-dashed"}
	}
	return StatementRow{Status: b.Status, UnexplainedMinor: b.Proof.UnexplainedMinor, OpenBreaks: b.OpenBreaks}.chip()
}

// breakSeries are the types of breaks as the chart puts them together: there are more types than shades that can be told apart.
var breakSeries = []struct {
	name  string
	types []recon.BreakType
}{
	{"Amount or currency", []recon.BreakType{recon.AmountMismatch, recon.CurrencyMismatch, recon.Balance}},
	{"Missing in ledger", []recon.BreakType{recon.MissingInLedger}},
	{"Missing in bank", []recon.BreakType{recon.MissingInBank, recon.Timing}},
	{"Duplicate or several candidates", []recon.BreakType{recon.DuplicateInBank, recon.DuplicateInLedger, recon.Ambiguous}},
}

// BreakSeries is the series of the chart in which a type of break is counted, from 0, and how many there are.
func BreakSeries(t recon.BreakType) (series, of int) {
	for i, s := range breakSeries {
		for _, known := range s.types {
			if known == t {
				return i, len(breakSeries)
			}
		}
	}
	return 0, len(breakSeries)
}

func seriesNames() []string {
	names := make([]string, len(breakSeries))
	for i, s := range breakSeries {
		names[i] = s.name
	}
	return names
}

// targetPerMille is the share of lines that rules should match: what a well kept account reaches.
const targetPerMille = 900

func (v Overview) rateChart() ui.RateChart {
	return ui.RateChart{
		ChartHead: ui.ChartHead{ID: "rates", Title: "Auto-match rate", Note: "Bank lines matched by rule, %. Dashed: target 90",
			First: "Month", Nothing: "There is no line of a bank yet."},
		Part: "Matched", Whole: "Lines", TargetPerMille: targetPerMille, Points: v.Rates,
	}
}

func (v Overview) ageChart() ui.BarChart {
	return ui.BarChart{
		ChartHead: ui.ChartHead{ID: "ages", Title: "Open breaks by age", Note: "Days since the earliest line or posting, all accounts",
			First: "Age", Nothing: "No break is open."},
		Series: seriesNames(), Bars: v.Ages,
	}
}

func (v Overview) weekChart() ui.ColumnChart {
	return ui.ColumnChart{
		ChartHead: ui.ChartHead{ID: "weeks", Title: "Opened and closed", Note: "Breaks per week, all accounts, by the week’s Monday",
			First: "Week of", Nothing: "No break was opened or closed in these eight weeks."},
		Series: []string{"Opened", "Closed"}, Columns: v.Weeks,
	}
}

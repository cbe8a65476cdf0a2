package web

import (
	"net/http"

	"github.com/labstack/echo/v4"

	"daybook/recon"
	"daybook/store"
	"daybook/store/ledger"
	"daybook/templates"
	"daybook/templates/ui"
)

func (s *server) showOverview(c echo.Context, actor store.Actor) error {
	ctx := c.Request().Context()
	counts, err := s.Store.Counts(ctx, actor)
	if err != nil {
		return err
	}
	stands, err := s.Store.Overview(ctx, actor)
	if err != nil {
		return err
	}
	sound, err := s.Store.Soundness(ctx, actor)
	if err != nil {
		return err
	}
	view := templates.Overview{
		Shell:   s.shellOf(c, actor, heading{title: "Overview", page: templates.PageOverview}, counts),
		Today:   stands.Today,
		MayPost: actor.Can(store.RightPost),
		Needs:   s.needs(actor, counts, stands),
		Sound:   soundness(sound, stands),
		Rates:   ratePoints(stands.Rates),
		Ages:    ageBars(stands.Open),
		Weeks:   weekBars(stands.Weeks),
	}
	for _, bank := range stands.Banks {
		view.Banks = append(view.Banks, bankLine(view.Book, bank, stands.Today))
	}
	return render(c, http.StatusOK, templates.OverviewPage(view))
}

func (s *server) needs(actor store.Actor, counts store.Counts, o store.Overview) templates.Needs {
	n := templates.Needs{
		MayDecide: len(actor.Decides()) > 0, MayRequest: actor.Can(store.RightRequest) || counts.Mine > 0,
		ForMe: counts.ForMe + counts.SignOffs, Others: counts.Others, Mine: counts.Mine,
		PaymentsUnknown: counts.PaymentsUnknown, InboxUnapplied: counts.InboxToDo,
		OldestForMe: s.since(o.OldestForMe), OldestOthers: s.since(o.OldestOthers), OldestMine: s.since(o.OldestMine),
	}
	accounts := map[int64]bool{}
	for _, open := range o.Open {
		n.OpenBreaks += open.Breaks
		accounts[open.AccountID] = true
	}
	n.BreakAccounts = len(accounts)
	var since ledger.Date
	if n.OldestBreak, since = o.OldestBreak(); n.OldestBreak != 0 {
		n.OldestBreakDays = daysSince(since, o.Today)
	}
	for _, bank := range o.Banks {
		n.Unmatched += bank.Unmatched
	}
	return n
}

// daysSince is how many days ago a day was; the future is today.
func daysSince(day, today ledger.Date) int { return max(day.DaysUntil(today), 0) }

func bankLine(book templates.Book, bank store.BankAccount, today ledger.Date) templates.BankLine {
	line := templates.BankLine{
		Account:        ui.Account{Code: bank.Account.Code, Name: bank.Account.Name, Href: book.AccountURL(bank.Account.Code)},
		Currency:       bank.Account.Currency,
		Reconciliation: bank.ReconciliationID, StatementTo: bank.StatementTo, Status: bank.Status, Assumed: bank.BalanceSource == recon.AssumedOpening,
		Proof: bank.Proof, OpenBreaks: bank.OpenBreaks, EarlierBreaks: bank.EarlierBreaks, EarliestOpen: bank.EarliestOpen, Unmatched: bank.Unmatched,
		ReconciledTo: bank.ReconciledTo, EarlierUnseen: bank.EarlierUnseen,
	}
	if !bank.OldestBreak.IsZero() {
		line.OldestDays = daysSince(bank.OldestBreak, today)
	}
	return line
}

func soundness(found store.Soundness, o store.Overview) templates.Soundness {
	view := templates.Soundness{Missing: found.Missing, Currencies: found.Currencies, Differing: found.Differing, LastClosed: o.LastClosed}
	var last ledger.Date
	for _, bank := range o.Banks {
		if bank.StatementTo.After(last) {
			last = bank.StatementTo
			view.LastStatement, view.LastStatementDays = bank.Account.Code, daysSince(last, o.Today)
		}
	}
	if v := found.Last; v != nil {
		view.Verified, view.VerifiedAt, view.WholeAt, view.Entries, view.GuardsOff = true, v.At, v.WholeAt, v.Entries, len(v.GuardsOff)
		if v.Fault != nil {
			view.Fault, view.FaultSeq = v.Fault.String(), v.Fault.Seq
		}
	}
	return view
}

func ratePoints(rates []store.MatchRate) []ui.RatePoint {
	var points []ui.RatePoint
	for _, r := range rates {
		points = append(points, ui.RatePoint{Text: r.Month.Time().Format("Jan 2006"), Short: r.Month.Time().Format("Jan"), PerMille: r.PerMille(), Part: r.Matched, Whole: r.Lines})
	}
	return points
}

// ageNames are the classes of store.BreakAges.
var ageNames = []string{"0–2 days", "3–5 days", "6–30 days", "31+ days"}

func ageBars(open []store.OpenBreaks) []ui.Bar {
	bars := make([]ui.Bar, len(ageNames))
	for i, name := range ageNames {
		_, series := templates.BreakSeries("")
		bars[i] = ui.Bar{Text: name, Values: make([]int, series)}
	}
	for _, o := range open {
		series, _ := templates.BreakSeries(o.Type)
		bars[o.Age].Values[series] += o.Breaks
	}
	return bars
}

func weekBars(weeks []store.WeekOfBreaks) []ui.Bar {
	var bars []ui.Bar
	for _, w := range weeks {
		bars = append(bars, ui.Bar{Text: w.Monday.Time().Format("2 Jan"), Values: []int{w.Opened, w.Closed}})
	}
	return bars
}

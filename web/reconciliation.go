package web

import (
	"net/http"
	"slices"

	"github.com/labstack/echo/v4"

	"daybook/recon"
	"daybook/store"
	"daybook/store/ledger"
	"daybook/templates"
	"daybook/templates/ui"
	"daybook/web/api"
)

// itemsShown is a page of the breaks, matches or lines of a reconciliation.
const itemsShown = 200

func (s *server) showReconciliation(c echo.Context, actor store.Actor) error {
	id, err := api.PathNumber(c, "id", "reconciliation")
	if err != nil {
		return err
	}
	r, err := s.Store.Reconciliation(c.Request().Context(), actor, id)
	if err != nil {
		return err
	}
	if r.Status == store.ReconciliationUndone {
		shell, err := s.reconciliationShell(c, actor, r)
		if err != nil {
			return err
		}
		return s.showUndone(c, actor, shell, r)
	}
	view, err := s.reconciliationPage(c, actor, r)
	if err != nil {
		return err
	}
	view.Work.Done = s.toldWork(c, r.ID)
	return render(c, http.StatusOK, templates.ReconciliationPage(view))
}

func (s *server) reconciliationShell(c echo.Context, actor store.Actor, r store.Reconciliation) (templates.Shell, error) {
	statements := ui.Link{Text: "Statements", Href: bookView(actor.Book).URL("statements")}
	shell, err := s.shell(c, actor, below(templates.PageStatements, statements, r.Account.Code+", "+formatOf(actor).Day(r.ScopeFrom)+" to "+formatOf(actor).Day(r.ScopeTo)))
	if c.QueryParam("again") != "" {
		shell.Flash = templates.AlreadyUploaded(shell.Format, r.Statement.UploadedBy, r.Statement.UploadedAt)
	}
	return shell, err
}

// reconciliationPage is the page at the address, with the rows of its tab.
func (s *server) reconciliationPage(c echo.Context, actor store.Actor, r store.Reconciliation) (view templates.Reconciliation, err error) {
	shell, err := s.reconciliationShell(c, actor, r)
	if err != nil {
		return view, err
	}
	view = reconciliationView(shell, r)
	view.MissingRight = missing(actor, store.RightResolve)
	if r.Status == store.ReconciliationOpen && actor.Can(store.RightUpload) {
		view.Undo = shell.Book.UndoURL(r.Statement.ID)
	}
	view.Work.Offered = r.Status == store.ReconciliationOpen && actor.Can(store.RightResolve)
	view.Work.Form, view.Work.UndoForm = newKey(), newKey()
	if view.Work.Offered {
		view.Keys = templates.WorkspaceKeys()
	}
	return view, s.fillTab(c, actor, &view, r)
}

// runMatching matches the account's open items again. It needs no key: doing it twice does it once.
func (s *server) runMatching(c echo.Context, actor store.Actor) error {
	id, err := api.PathNumber(c, "id", "reconciliation")
	if err != nil {
		return err
	}
	address := bookView(actor.Book).ReconciliationURL(id)
	comeBack(c, "Open the reconciliation", address)
	if err := s.Store.RunMatching(c.Request().Context(), actor, id); err != nil {
		return err
	}
	s.tell(c, "Matched again, with all that the journal holds now.")
	return seeOther(c, address)
}

func reconciliationView(shell templates.Shell, r store.Reconciliation) templates.Reconciliation {
	view := templates.Reconciliation{
		Shell: shell, ID: r.ID, SignOff: r.Status, Account: ui.Account{Code: r.Account.Code, Name: r.Account.Name, Href: shell.Book.AccountURL(r.Account.Code)},
		FileName: r.Statement.FileName, From: r.ScopeFrom, To: r.ScopeTo, UploadedBy: r.Statement.UploadedBy, UploadedAt: r.Statement.UploadedAt,
		Rows: templates.RowCounts(r.Statement.Rows), Currency: r.Account.Currency, Proof: r.Proof, StatementAssumed: r.BalanceSource == recon.AssumedOpening,
		Totals: templates.ReconciliationTotals{
			LedgerMinor: r.Totals.LedgerMinor, BankMinor: r.Totals.BankMinor, DifferenceMinor: r.Totals.DifferenceMinor, Postings: r.Postings, Lines: r.Lines,
		},
		Latest: r.Latest, Newest: r.NewestID, AsOfSeq: r.LedgerSeq, Unmatched: r.Unmatched, RulesVersion: r.RulesVersion, PostingCount: r.Postings, MatchCount: r.Matches, LineCount: r.Statement.Rows.New, Kinds: breakKinds(r.Breaks),
	}
	view.RulesVersion, view.Early = r.RulesVersion, earlyView(r)
	view.Follows = followsView(shell.Book, r.Continuity)
	for _, sum := range r.Breaks {
		view.BreakCount += sum.Breaks
		countExplained(&view, sum)
	}
	return view
}

func followsView(book templates.Book, c *store.Continuity) *templates.StatementFollows {
	if c == nil {
		return nil
	}
	view := &templates.StatementFollows{Href: book.ReconciliationURL(c.ReconciliationID), To: c.Dates.PreviousTo, GapDays: c.Dates.GapDays, OverlapDays: c.Dates.OverlapDays}
	if differs, known := c.OpeningDiffers(); known {
		view.Differs = &differs
	}
	return view
}

// breakKinds adds breaks up by type and standing, in the order in which they are shown.
func breakKinds(sums []store.BreakSum) []templates.BreakKind {
	var kinds []templates.BreakKind
	for _, sum := range sums {
		standing := string(store.StandingOf(sum.Status, sum.Resolution))
		at := slices.IndexFunc(kinds, func(k templates.BreakKind) bool { return k.Type == sum.Type && k.Status == standing })
		if at < 0 {
			at = len(kinds)
			kinds = append(kinds, templates.BreakKind{Type: sum.Type, Status: standing})
		}
		kinds[at].Count += sum.Breaks
		if total, ok := ledger.Add(kinds[at].SumMinor, sum.DifferenceMinor); ok {
			kinds[at].SumMinor = total
		}
	}
	slices.SortStableFunc(kinds, func(a, b templates.BreakKind) int { return a.Type.Rank() - b.Type.Rank() })
	return kinds
}

// countExplained counts a sum of breaks to the term of the proof that holds it, as recon.Prove adds it up.
func countExplained(view *templates.Reconciliation, sum store.BreakSum) {
	if store.StandingOf(sum.Status, sum.Resolution) != store.StandsExplained {
		return
	}
	switch onlyInLedger := sum.Type == recon.Timing || sum.Type == recon.MissingInBank; {
	case sum.Resolution == recon.External || !onlyInLedger:
		view.OtherExplainedCount += sum.Breaks
	case sum.DifferenceMinor < 0:
		view.OutstandingCount += sum.Breaks
	default:
		view.InTransitCount += sum.Breaks
	}
}

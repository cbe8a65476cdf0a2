package web

import (
	"context"
	"net/http"
	"net/url"
	"slices"
	"strconv"

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
	ctx := c.Request().Context()
	r, err := s.Store.Reconciliation(ctx, actor, id)
	if err != nil {
		return err
	}
	statements := ui.Link{Text: "Statements", Href: bookView(actor.Book).URL("statements")}
	shell, err := s.shell(c, actor, below(templates.PageStatements, statements, r.Account.Code+", "+formatOf(actor).Day(r.ScopeFrom)+" to "+formatOf(actor).Day(r.ScopeTo)))
	if err != nil {
		return err
	}
	if c.QueryParam("again") != "" {
		shell.Flash = templates.AlreadyUploaded(shell.Format, r.Statement.UploadedBy, r.Statement.UploadedAt)
	}
	if r.Status == store.ReconciliationUndone {
		return s.showUndone(c, actor, shell, r)
	}
	view := reconciliationView(shell, r)
	view.MissingRight = missing(actor, store.RightResolve)
	if r.Status == store.ReconciliationOpen && actor.Can(store.RightUpload) {
		view.Undo = shell.Book.UndoURL(r.Statement.ID)
	}
	if err := s.fillTab(ctx, actor, &view, r, c.QueryParams()); err != nil {
		return err
	}
	return render(c, http.StatusOK, templates.ReconciliationPage(view))
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
		Latest: r.Latest, Newest: r.NewestID, AsOfSeq: r.LedgerSeq, Unmatched: r.Unmatched, MatchCount: r.Matches, LineCount: r.Statement.Rows.New, Kinds: breakKinds(r.Breaks),
	}
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

// fillTab reads the rows of the tab that is open, and no others.
func (s *server) fillTab(ctx context.Context, actor store.Actor, view *templates.Reconciliation, r store.Reconciliation, query url.Values) error {
	after := cursor(query.Get("after"))
	next := url.Values{"tab": {query.Get("tab")}}
	var last int64
	var more bool
	var err error
	switch view.Tab = query.Get("tab"); view.Tab {
	case templates.ReconciliationMatched:
		var matches []store.Match
		if matches, more, err = s.Store.Matches(ctx, actor, r.ID, after, itemsShown); err == nil {
			view.Matches, last = matchRows(matches)
		}
	case templates.ReconciliationLines:
		var lines []store.BankLine
		if lines, more, err = s.Store.StatementLines(ctx, actor, r.Statement.ID, int(after), itemsShown); err == nil {
			view.Lines, last = lineRows(lines)
		}
	case templates.ReconciliationRows:
		var notes []store.RowNote
		if notes, more, err = s.Store.StatementRows(ctx, actor, r.Statement.ID, int(after), itemsShown); err == nil {
			view.FileRows, last = fileRows(notes)
			view.Download = view.Book.URL("statements", strconv.FormatInt(r.Statement.ID, 10), "rows.csv")
		}
	default:
		view.Tab, view.Type, view.Status = templates.ReconciliationBreaks, recon.BreakType(query.Get("type")), query.Get("status")
		next = url.Values{"type": {string(view.Type)}, "status": {view.Status}}
		var breaks []store.Break
		filter := store.BreakFilter{ReconciliationID: r.ID, Type: view.Type, Standing: store.Standing(view.Status), After: int(after), Limit: itemsShown}
		if breaks, more, err = s.Store.Breaks(ctx, actor, filter); err == nil {
			view.Groups, last = s.breakGroups(view.Kinds, breaks), after+int64(len(breaks))
		}
	}
	if more && err == nil {
		next.Set("after", strconv.FormatInt(last, 10))
		view.Next = view.Book.ReconciliationURL(r.ID) + "?" + next.Encode()
	}
	return err
}

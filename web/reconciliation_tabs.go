package web

import (
	"context"
	"net/url"
	"strconv"

	"github.com/labstack/echo/v4"

	"daybook/store"
	"daybook/templates"
)

// fillTab reads the rows of the tab that is open, and no others.
func (s *server) fillTab(c echo.Context, actor store.Actor, view *templates.Reconciliation, r store.Reconciliation) error {
	ctx, query := c.Request().Context(), c.QueryParams()
	after := cursor(query.Get("after"))
	next := url.Values{"tab": {query.Get("tab")}}
	var last int64
	var more bool
	var err error
	switch view.Tab = query.Get("tab"); view.Tab {
	case templates.ReconciliationMatched:
		view.After = int(after)
		last, more, err = s.fillMatches(ctx, actor, view, r.ID, after, cursor(query.Get("at")))
	case templates.ReconciliationLines:
		var lines []store.BankLine
		if lines, more, err = s.Store.StatementLines(ctx, actor, r.Statement.ID, int(after), itemsShown); err == nil {
			view.Lines, last = lineRows(lines)
		}
	case templates.ReconciliationPosts:
		var postings []store.ScopePosting
		if postings, more, err = s.Store.ScopePostings(ctx, actor, r.ID, int(after), itemsShown); err == nil {
			view.Postings, last = postingRows(postings), after+int64(len(postings))
		}
	case templates.ReconciliationHistory:
		var history []store.WorkDone
		if history, more, err = s.Store.ReconciliationHistory(ctx, actor, r.ID, int(after), itemsShown); err == nil {
			view.History, last = historySteps(history), after+int64(len(history))
		}
	case templates.ReconciliationRows:
		var notes []store.RowNote
		if notes, more, err = s.Store.StatementRows(ctx, actor, r.Statement.ID, int(after), itemsShown); err == nil {
			view.FileRows, last = fileRows(notes)
			view.Download = view.Book.URL("statements", strconv.FormatInt(r.Statement.ID, 10), "rows.csv")
		}
	default:
		return s.fillBreaks(ctx, actor, view, r, query)
	}
	if more && err == nil {
		next.Set("after", strconv.FormatInt(last, 10))
		view.Next = view.Book.ReconciliationURL(r.ID) + "?" + next.Encode()
	}
	return err
}

// fillMatches reads a page of matches. The row to go on with is the first from a match on.
func (s *server) fillMatches(ctx context.Context, actor store.Actor, view *templates.Reconciliation, id, after, at int64) (last int64, more bool, err error) {
	matches, more, err := s.Store.Matches(ctx, actor, id, after, itemsShown)
	if err != nil {
		return 0, false, err
	}
	view.Matches, last = matchRows(matches)
	for _, m := range matches {
		if at != 0 && view.Work.At < at {
			view.Work.At = m.ID
		}
	}
	return last, more, nil
}

// fillBreaks reads the breaks that the filter of the address finds, and what is needed to work on them.
func (s *server) fillBreaks(ctx context.Context, actor store.Actor, view *templates.Reconciliation, r store.Reconciliation, query url.Values) error {
	view.Tab = templates.ReconciliationBreaks
	q := readBreakQuery(r, query, view.Format, s.today())
	showFilter(view, q)
	page, err := s.Store.WorkList(ctx, actor, q)
	if err != nil {
		return err
	}
	if r.Status != store.ReconciliationSignedOff {
		facets, err := s.Store.BreakFacets(ctx, actor, r.ID, oldBefore(s.today()))
		if err != nil {
			return err
		}
		ageKinds(view, facets, s.today())
	}
	pending, err := s.pendingOf(ctx, actor, page.Items)
	if err != nil {
		return err
	}
	view.Groups = s.breakGroups(view.Kinds, page.Items, pending)
	if page.More {
		view.Next = listAddress(view.Book, r.ID, withAfter(query, q.After+len(page.Items)), 0)
	}
	work := &view.Work
	work.Found, work.SumMinor, work.Digest = page.Found, page.SumMinor, page.Digest
	work.All = query.Get("select") == "all" && page.Digest != "" && page.Found > 0
	work.At = rowToGoOn(page.Items, cursor(query.Get("at")))
	if !work.Offered {
		return nil
	}
	return s.fillPanel(ctx, actor, view)
}

func withAfter(query url.Values, after int) url.Values {
	next := url.Values{"after": {strconv.Itoa(after)}}
	for name, values := range query {
		if name != "after" {
			next[name] = values
		}
	}
	return next
}

// rowToGoOn is the row that was asked for, else the first that is open, else the first.
func rowToGoOn(items []store.Break, at int64) int64 {
	if len(items) == 0 {
		return 0
	}
	for _, b := range items {
		if b.ID == at {
			return at
		}
	}
	return items[0].ID // what is open comes first
}

// fillPanel reads what the panel needs to say which entries wait for another person, and the accounts for their other side.
func (s *server) fillPanel(ctx context.Context, actor store.Actor, view *templates.Reconciliation) (err error) {
	work := &view.Work
	if work.MayPost = actor.Can(store.RightPost); !work.MayPost || len(view.Groups) == 0 {
		return nil
	}
	work.LimitCurrency = actor.Book.Currency
	if work.LimitMinor, err = s.Store.AdjustmentLimit(ctx, actor); err != nil {
		return err
	}
	accounts, err := s.accountChoices(ctx, actor)
	for _, a := range accounts {
		if a.Currency == view.Currency && a.Code != view.Account.Code {
			work.Accounts = append(work.Accounts, a)
		}
	}
	return err
}

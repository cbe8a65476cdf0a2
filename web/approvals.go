package web

import (
	"context"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"time"

	"github.com/labstack/echo/v4"

	"daybook/store"
	"daybook/store/ledger"
	"daybook/templates"
	"daybook/templates/ui"
)

// requestsShown is a page of the queue.
const requestsShown = 50

// decision is the form of a request: what was typed, and why it was refused.
type decision struct {
	id      int64
	form    templates.DecisionForm
	flash   *ui.Alert
	refused error
}

func (s *server) showApprovals(c echo.Context, actor store.Actor) error {
	d := decision{form: templates.DecisionForm{Form: newKey()}}
	if text := c.QueryParam("id"); text != "" {
		id, err := strconv.ParseInt(text, 10, 64)
		if err != nil || id < 1 {
			return ledger.Refuse(ledger.KindNotFound, "there is no request %s", quoted(text))
		}
		d.id = id
	}
	return s.renderApprovals(c, actor, d)
}

// renderApprovals shows the queue and, where one is chosen, the request in full.
func (s *server) renderApprovals(c echo.Context, actor store.Actor, d decision) error {
	ctx := c.Request().Context()
	counts, err := s.Store.Counts(ctx, actor)
	if err != nil {
		return err
	}
	view := templates.Approvals{
		Shell:     s.shellOf(c, actor, heading{title: "Approvals", page: templates.PageApprovals}, counts),
		MayDecide: len(actor.Decides()) > 0, MayRequest: actor.Can(store.RightRequest), Status: c.QueryParam("status"),
		ForMe: counts.ForMe + counts.SignOffs, Mine: counts.Mine, Others: counts.Others - counts.ForMe, Done: counts.Decided,
	}
	if d.flash != nil {
		view.Flash = d.flash
	}
	requests, err := s.chooseRequest(c, actor, &view, d)
	if err != nil {
		return err
	}
	if view.Queue, err = s.queueRows(ctx, actor, requests); err != nil {
		return err
	}
	if view.SignOffs, err = s.signOffRows(ctx, actor); err != nil {
		return err
	}
	if d.refused != nil {
		return s.showAgain(c, d.refused, templates.ApprovalsPage(view))
	}
	return render(c, http.StatusOK, templates.ApprovalsPage(view))
}

// chooseRequest reads the list that is open and, of its requests, the one asked for in full, or else the first.
func (s *server) chooseRequest(c echo.Context, actor store.Actor, view *templates.Approvals, d decision) (requests []store.Approval, err error) {
	ctx := c.Request().Context()
	var chosen store.Approval
	if d.id != 0 {
		if chosen, err = s.Store.Approval(ctx, actor, d.id); err != nil {
			return nil, err
		}
		view.Status = tabOf(chosen, actor)
	}
	filter := queueFilter(view, actor, c.QueryParam("before"))
	requests, more, err := s.Store.Approvals(ctx, actor, filter)
	if err != nil {
		return nil, err
	}
	if more && filter.Newest {
		older := url.Values{"status": {view.Status}, "before": {strconv.FormatInt(requests[len(requests)-1].ID, 10)}}
		view.Older = view.Book.URL("approvals") + "?" + older.Encode()
	}
	if d.id == 0 && len(requests) > 0 {
		chosen = requests[0]
	}
	if chosen.ID != 0 {
		view.Detail, err = s.approvalDetail(ctx, actor, chosen, d)
	}
	return requests, err
}

// tabOf is the list that a request stands in.
func tabOf(a store.Approval, actor store.Actor) string {
	switch {
	case a.Status != store.Pending:
		return templates.ApprovalsDone
	case a.RequesterID == actor.UserID:
		return templates.ApprovalsMine
	case !actor.Can(a.Kind.Decides()):
		return templates.ApprovalsOthers
	}
	return templates.ApprovalsForMe
}

// queueFilter lists what waits from the oldest on, and what is done from the newest back.
func queueFilter(view *templates.Approvals, actor store.Actor, before string) store.ApprovalFilter {
	switch view.Status {
	case templates.ApprovalsMine:
		return store.ApprovalFilter{Status: store.Pending, RequesterID: actor.UserID, Limit: requestsShown}
	case templates.ApprovalsDone:
		return store.ApprovalFilter{Decided: true, Newest: true, Before: cursor(before), Limit: requestsShown}
	}
	decides := actor.Decides()
	switch {
	case view.Status == templates.ApprovalsOthers:
		others := []store.ApprovalKind{}
		for _, kind := range store.ApprovalKinds {
			if !slices.Contains(decides, kind) {
				others = append(others, kind)
			}
		}
		return store.ApprovalFilter{Status: store.Pending, NotOf: actor.UserID, Kinds: others, Limit: requestsShown}
	case !view.MayDecide:
		view.Status = templates.ApprovalsMine
		return queueFilter(view, actor, before)
	}
	view.Status = templates.ApprovalsForMe
	return store.ApprovalFilter{Status: store.Pending, NotOf: actor.UserID, Kinds: decides, Limit: requestsShown}
}

// queueRows tells of each request what it is about.
func (s *server) queueRows(ctx context.Context, actor store.Actor, requests []store.Approval) ([]templates.ApprovalRow, error) {
	entries, err := s.subjectsOf(ctx, actor, requests)
	if err != nil {
		return nil, err
	}
	subjects, postings := map[int64]store.Receipt{}, postingsOf(entries)
	for _, e := range entries {
		subjects[e.Seq] = e
	}
	for _, a := range requests {
		if a.Adjustment != nil {
			postings = append(postings, a.Adjustment.Entry.Postings)
		}
	}
	names, err := s.accountsOf(ctx, actor, postings...)
	if err != nil {
		return nil, err
	}
	rows := make([]templates.ApprovalRow, len(requests))
	for i, a := range requests {
		switch {
		case a.RoleChange != nil:
			rows[i] = s.roleChangeRow(a)
		case a.PeriodChange != nil:
			rows[i] = s.periodChangeRow(a)
		case a.Adjustment != nil:
			rows[i] = s.adjustmentRow(a, names)
		case a.Refund != nil:
			rows[i] = s.refundRow(a)
		default:
			rows[i] = s.approvalRow(actor, a, subjects[a.SubjectSeq], names)
		}
	}
	return rows, nil
}

// subjectsOf reads the entries that requests are about.
func (s *server) subjectsOf(ctx context.Context, actor store.Actor, requests []store.Approval) ([]store.Receipt, error) {
	var seqs []int64
	for _, a := range requests {
		if a.SubjectSeq != 0 {
			seqs = append(seqs, a.SubjectSeq)
		}
	}
	if len(seqs) == 0 {
		return nil, nil
	}
	entries, _, err := s.Store.Entries(ctx, actor, store.EntryFilter{Seqs: seqs, Limit: len(seqs)})
	return entries, err
}

func (s *server) approvalRow(actor store.Actor, a store.Approval, subject store.Receipt, names map[string]ledger.Account) templates.ApprovalRow {
	row := s.requestRow(a)
	row.Seq, row.Replaces, row.Description = a.SubjectSeq, a.Replacement != nil, subject.Description
	first := subject.Postings[0].Account
	row.Account = first + " " + names[first].Name
	amount := debits(actor.Book, subject.Postings)[0]
	row.AmountMinor, row.Currency = amount.Minor, amount.Currency
	return row
}

// requestRow is what the queue says of a request of any kind.
func (s *server) requestRow(a store.Approval) templates.ApprovalRow {
	row := templates.ApprovalRow{ID: a.ID, Requester: a.RequesterName, Reason: a.Reason, Age: s.since(a.RequestedAt), Status: string(a.Status)}
	if a.Status != store.Pending {
		row.Age = max(a.DecidedAt.Sub(a.RequestedAt), time.Duration(0))
	}
	return row
}

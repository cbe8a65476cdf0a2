package web

import (
	"bytes"
	"encoding/json"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/labstack/echo/v4"

	"daybook/store"
	"daybook/store/ledger"
	"daybook/templates"
	"daybook/web/api"
)

const (
	// messagesShown is a page of the inbox, inboxDays what its figures count.
	messagesShown = 50
	inboxDays     = 7
)

// showInbox lists messages, beside the one that the address names.
func (s *server) showInbox(c echo.Context, actor store.Actor) error {
	view, err := s.inboxView(c, actor, readInboxFilter(c.QueryParams()))
	if err != nil {
		return err
	}
	return render(c, http.StatusOK, templates.InboxPage(view))
}

// readInboxFilter reads the address of the inbox. A state that is none narrows nothing.
func readInboxFilter(query url.Values) templates.InboxFilter {
	text := func(name string) string { return strings.TrimSpace(query.Get(name)) }
	f := templates.InboxFilter{
		Query: text("q"), Source: text("source"), State: text("state"), Repeated: text("repeated"), Before: query.Get("before"), Of: query.Get("of"), ID: query.Get("id"),
	}
	states := []string{templates.InboxApplied, templates.InboxWaiting, templates.InboxFailed, templates.InboxParked, templates.InboxDismissed}
	if !slices.Contains(states, f.State) {
		f.State = ""
	}
	return f
}

func inboxFilter(f templates.InboxFilter) store.InboxFilter {
	filter := store.InboxFilter{Words: f.Query, Source: f.Source, Duplicate: f.Repeated != "", Before: f.Before, Limit: messagesShown}
	if f.State != "" {
		filter.States = []store.InboxState{store.InboxState(f.State)}
	}
	return filter
}

func (s *server) inboxView(c echo.Context, actor store.Actor, f templates.InboxFilter) (templates.Inbox, error) {
	ctx := c.Request().Context()
	shell, err := s.shell(c, actor, heading{title: "Inbox", page: templates.PageInbox})
	if err != nil {
		return templates.Inbox{}, err
	}
	view := templates.Inbox{Shell: shell, Filter: f, MayPost: actor.Can(store.RightPost), Retry: newKey()}
	items, next, err := s.Store.InboxMessages(ctx, actor, inboxFilter(f))
	if ledger.KindOf(err) == ledger.KindInvalid { // a place that cannot be read is the first page
		view.Filter.Before = ""
		items, next, err = s.Store.InboxMessages(ctx, actor, inboxFilter(view.Filter))
	}
	if err != nil {
		return view, err
	}
	view.Older = next
	known, err := s.paymentsOf(c, actor, items)
	if err != nil {
		return view, err
	}
	for _, m := range items {
		view.Rows = append(view.Rows, inboxRow(m, known, view.MayPost))
	}
	if err := s.fillInboxFigures(c, actor, &view); err != nil || f.ID == "" {
		return view, err
	}
	m, err := s.Store.InboxMessage(ctx, actor, f.Of, f.ID)
	if err != nil {
		return view, err
	}
	if known, err = s.paymentsOf(c, actor, []store.InboxMessage{m}); err != nil {
		return view, err
	}
	view.Open = messageView(m, known)
	view.Open.MissingRight, view.Open.Administrators = missing(actor, store.RightPost), s.whoGives(c, actor, store.RightPost)
	return view, nil
}

// paymentsOf says which of the payments that messages name there are.
func (s *server) paymentsOf(c echo.Context, actor store.Actor, items []store.InboxMessage) (map[int64]bool, error) {
	var named []int64
	for _, m := range items {
		if m.PaymentID != 0 {
			named = append(named, m.PaymentID)
		}
	}
	if len(named) == 0 {
		return nil, nil
	}
	return s.Store.PaymentsKnown(c.Request().Context(), actor, named)
}

func (s *server) fillInboxFigures(c echo.Context, actor store.Actor, view *templates.Inbox) error {
	figures, err := s.Store.InboxFigures(c.Request().Context(), actor, s.Now().Add(-inboxDays*24*time.Hour))
	if err != nil {
		return err
	}
	view.Figures = templates.InboxFigures{
		Days: inboxDays, Deliveries: figures.Deliveries, Applied: figures.Applied, Duplicates: figures.Duplicates, Waiting: figures.Waiting, Failed: figures.Failed,
		Parked: figures.Parked, Dismissed: figures.Dismissed, Stuck: int64(view.Nav.InboxUnapplied),
	}
	for _, source := range figures.BySource {
		view.Sources = append(view.Sources, templates.InboxSource{
			Source: source.Source, Messages: source.Messages, Duplicates: source.Duplicates, Unapplied: source.Unapplied, LastAt: source.LastAt,
		})
	}
	return nil
}

// inboxRow is a message in the list, with the key of its form where it can be tried again.
func inboxRow(m store.InboxMessage, known map[int64]bool, mayPost bool) templates.InboxRow {
	row := templates.InboxRow{
		Source: m.Source, ID: m.ID, Type: m.Type, ReceivedAt: m.ReceivedAt, Deliveries: m.Deliveries, State: string(m.State), Seq: m.Seq, Payment: m.PaymentID,
		PaymentKnown: known[m.PaymentID],
	}
	if m.State != store.InboxApplied && m.Problem != nil {
		row.Reason = reasonOf(m.Problem)
	}
	if mayPost && (m.State == store.InboxFailed || m.State == store.InboxParked || m.State == store.InboxWaiting) {
		row.Retry = newKey()
	}
	return row
}

func messageView(m store.InboxMessage, known map[int64]bool) *templates.MessageView {
	view := &templates.MessageView{
		Source: m.Source, ID: m.ID, Type: m.Type, State: string(m.State), Way: string(m.Way), Data: dataText(m.Data), Deliveries: m.Deliveries, Tries: m.Tries,
		Seq: m.Seq, Payment: m.PaymentID, PaymentKnown: known[m.PaymentID], ReceivedBy: m.ReceivedBy, ReceivedAt: m.ReceivedAt, NextAt: m.NextAt, Retry: newKey(), Dismiss: newKey(),
	}
	if p := m.Problem; p != nil && m.State != store.InboxApplied {
		view.Problem = &templates.MessageProblem{Text: strings.TrimSuffix(reasonOf(p), ".") + ".", Kind: string(p.Kind), Status: api.ProblemOf(p, "").Status, Fields: p.Fields}
	}
	for _, e := range m.Events {
		event := templates.MessageEvent{Event: e.Event, Way: string(e.Way), Result: e.Result, Note: e.Note, By: e.By, At: e.At}
		if e.Problem != nil {
			event.Problem = reasonOf(e.Problem)
		}
		view.Events = append(view.Events, event)
	}
	return view
}

// dataText is JSON as people read it. What came as a text, because it could not be read, is that text.
func dataText(data string) string {
	var text string
	if json.Unmarshal([]byte(data), &text) == nil {
		return text
	}
	var indented bytes.Buffer
	if json.Indent(&indented, []byte(data), "", "  ") != nil {
		return data
	}
	return indented.String()
}

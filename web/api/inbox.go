package api

import (
	"encoding/json"
	"errors"
	"net/http"

	"github.com/labstack/echo/v4"

	"daybook/store"
	"daybook/store/inbox"
	"daybook/store/ledger"
)

// messageResult is what a message came to, and the refusal that keeps it from being applied.
type messageResult struct {
	Source    string   `json:"source"`
	MessageID string   `json:"message_id"`
	Result    string   `json:"result"`
	Seq       *int64   `json:"seq"`
	PaymentID *int64   `json:"payment_id"`
	Problem   *Problem `json:"problem"`
}

func messageResultOf(source, id string, r store.InboxReceipt) messageResult {
	return messageResult{
		Source: source, MessageID: id, Result: string(r.Result), Seq: numberOrNull(r.Seq), PaymentID: numberOrNull(r.PaymentID), Problem: problemOrNull(r.Problem),
	}
}

// problemOrNull is the document of a refusal that was kept, null for none.
func problemOrNull(refusal *ledger.Error) *Problem {
	if refusal == nil {
		return nil
	}
	problem := ProblemOf(refusal, "")
	return &problem
}

// receive takes a message in, or one or many CloudEvents. Its id is its idempotency key.
func (a *api) receive(c echo.Context, actor store.Actor) error {
	if err := actor.Need(store.RightPost); err != nil {
		return err
	}
	if _, err := optionalKey(c); err != nil {
		return err
	}
	body, err := readBody(c)
	if err != nil {
		return err
	}
	switch header := c.Request().Header; {
	case isEventBatch(header):
		return a.receiveEvents(c, actor, body)
	case isEvent(header):
		m, err := readEvent(c.Request(), body)
		if err != nil {
			return err
		}
		return a.receiveOne(c, actor, inbox.ByCloudEvents, m)
	}
	m, err := inbox.Read(body)
	if err != nil {
		return err
	}
	return a.receiveOne(c, actor, inbox.ByAPI, m)
}

func (a *api) receiveOne(c echo.Context, actor store.Actor, way inbox.Way, m inbox.Message) error {
	receipt, err := a.Store.Receive(c.Request().Context(), actor, way, m)
	if err != nil {
		return err
	}
	return answer(c, http.StatusOK, messageResultOf(m.Source, m.ID, receipt))
}

// receiveMany takes messages in that came together, each for itself, and answers when all are decided. One that is refused does not keep the others
// out; only where nothing is known of one, all are to be sent again.
func (a *api) receiveMany(c echo.Context, actor store.Actor, way inbox.Way, messages []inbox.Message) error {
	results := make([]messageResult, len(messages))
	for i, m := range messages {
		receipt, err := a.Store.Receive(c.Request().Context(), actor, way, m)
		var refusal *ledger.Error
		switch {
		case err == nil:
		case errors.As(err, &refusal) && ProblemOf(err, "").Status < http.StatusInternalServerError:
			a.Refused(c, err)
			receipt = store.InboxReceipt{Result: store.InboxRefused, Problem: refusal}
		default:
			return err
		}
		results[i] = messageResultOf(m.Source, m.ID, receipt)
	}
	return answer(c, http.StatusOK, map[string]any{"results": results})
}

// message is a message as it was kept.
type message struct {
	Source     string          `json:"source"`
	MessageID  string          `json:"message_id"`
	Type       string          `json:"type"`
	Data       json.RawMessage `json:"data"`
	State      string          `json:"state"`
	Way        string          `json:"way"`
	Deliveries int             `json:"deliveries"`
	Tries      int             `json:"tries"`
	Seq        *int64          `json:"seq"`
	PaymentID  *int64          `json:"payment_id"`
	Problem    *Problem        `json:"problem"`
	ReceivedBy string          `json:"received_by"`
	ReceivedAt string          `json:"received_at"`
	ChangedAt  string          `json:"changed_at"`
	NextAt     *string         `json:"next_at"`
}

type messageEvent struct {
	Event   string   `json:"event"`
	Way     *string  `json:"way"`
	Result  string   `json:"result"`
	Problem *Problem `json:"problem"`
	Note    *string  `json:"note"`
	By      string   `json:"by"`
	At      string   `json:"at"`
}

func messageOf(m store.InboxMessage) message {
	return message{
		Source: m.Source, MessageID: m.ID, Type: m.Type, Data: json.RawMessage(m.Data), State: string(m.State), Way: string(m.Way), Deliveries: m.Deliveries, Tries: m.Tries,
		Seq: numberOrNull(m.Seq), PaymentID: numberOrNull(m.PaymentID), Problem: problemOrNull(m.Problem), ReceivedBy: m.ReceivedBy,
		ReceivedAt: ledger.FormatInstant(m.ReceivedAt), ChangedAt: ledger.FormatInstant(m.ChangedAt), NextAt: instantOrNull(m.NextAt),
	}
}

func (a *api) listMessages(c echo.Context, actor store.Actor) error {
	query := queryOf(c)
	filter := store.InboxFilter{Source: query.text("source"), Before: query.text("after"), Limit: query.limit()}
	if state := query.oneOf("state", "applied", "waiting", "failed", "parked", "dismissed"); state != "" {
		filter.States = []store.InboxState{store.InboxState(state)}
	}
	if err := query.err(); err != nil {
		return err
	}
	items, next, err := a.Store.InboxMessages(c.Request().Context(), actor, filter)
	if err != nil {
		return err
	}
	return answer(c, http.StatusOK, listOf(items, next != "", messageOf, func(store.InboxMessage) string { return next }))
}

func (a *api) showMessage(c echo.Context, actor store.Actor) error {
	found, err := a.Store.InboxMessage(c.Request().Context(), actor, PathText(c, "source"), PathText(c, "message"))
	if err != nil {
		return err
	}
	events := make([]messageEvent, len(found.Events))
	for i, e := range found.Events {
		events[i] = messageEvent{
			Event: e.Event, Way: textOrNull(string(e.Way)), Result: e.Result, Problem: problemOrNull(e.Problem), Note: textOrNull(e.Note), By: e.By, At: ledger.FormatInstant(e.At),
		}
	}
	return answer(c, http.StatusOK, struct {
		message
		Events []messageEvent `json:"events"`
	}{messageOf(found), events})
}

// retryMessage tries a message again. Whether it is applied does not depend on how often that is asked for, so that a key is not needed.
func (a *api) retryMessage(c echo.Context, actor store.Actor) error {
	source, id := PathText(c, "source"), PathText(c, "message")
	receipt, err := a.Store.RetryMessage(c.Request().Context(), actor, source, id)
	if err != nil {
		return err
	}
	return answer(c, http.StatusOK, messageResultOf(source, id, receipt))
}

func (a *api) dismissMessage(c echo.Context, actor store.Actor) error {
	if err := actor.Need(store.RightPost); err != nil {
		return err
	}
	body, err := readObject(c)
	if err != nil {
		return err
	}
	reason := body.Text("reason")
	if err := body.Err(); err != nil {
		return err
	}
	source, id := PathText(c, "source"), PathText(c, "message")
	receipt, err := a.Store.DismissMessage(c.Request().Context(), actor, source, id, reason)
	if err != nil {
		return err
	}
	return answer(c, http.StatusOK, messageResultOf(source, id, receipt))
}

package simulator

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"

	"daybook/store/gateway"
	"daybook/store/payment"
)

// Client is the gateway to a simulator.
type Client struct {
	url     string
	timeout time.Duration
	http    *http.Client
}

// callers is for how many at once the connections are kept.
const callers = 64

// maxAnswerBytes bounds an answer; more is nothing that a gateway says.
const maxAnswerBytes = 1 << 20

// NewClient returns the gateway to the simulator at a URL, which waits so long for each answer.
func NewClient(url string, timeout time.Duration) *Client {
	return &Client{
		url:     strings.TrimRight(url, "/"),
		timeout: timeout,
		http: &http.Client{
			Transport:     &http.Transport{MaxIdleConns: 2 * callers, MaxIdleConnsPerHost: 2 * callers, IdleConnTimeout: time.Minute},
			CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
		},
	}
}

// Name is as gateway.Gateway says.
func (c *Client) Name() string { return Name }

// Do is as gateway.Gateway says.
func (c *Client) Do(ctx context.Context, key string, r gateway.Request) gateway.Answer {
	path, order := "/charges", Order{Currency: r.Currency, Amount: r.AmountMinor}
	switch r.Command {
	case gateway.Authorize:
		order = Order{Book: r.BookCode, PaymentID: r.PaymentID, Reference: r.Reference, Customer: r.Customer, Currency: r.Currency, Amount: r.AmountMinor}
	case gateway.Capture:
		path += "/" + url.PathEscape(r.Charge) + "/capture"
	case gateway.Refund:
		path += "/" + url.PathEscape(r.Charge) + "/refunds"
	case gateway.Void:
		path, order = path+"/"+url.PathEscape(r.Charge)+"/void", Order{}
	}
	var answer Answer
	status, err := c.call(ctx, http.MethodPost, path, key, order, &answer)
	if err != nil {
		return gateway.Unanswered(err)
	}
	if !slices.Contains(statuses[answer.Result], status) {
		return odd(status)
	}
	return understood(key, r, answer)
}

// statuses says with which statuses a request that moves money is given each result.
var statuses = map[Result][]int{
	Done:      {http.StatusCreated},
	Declined:  {http.StatusPaymentRequired},
	Refused:   {http.StatusConflict, http.StatusNotFound},
	KeyReused: {http.StatusConflict},
	Invalid:   {http.StatusUnprocessableEntity},
}

// Recover is as gateway.Gateway says.
func (c *Client) Recover(ctx context.Context, key string, r gateway.Request) gateway.Answer {
	var answer Answer
	status, err := c.call(ctx, http.MethodGet, "/requests/"+url.PathEscape(key), "", nil, &answer)
	switch {
	case err != nil:
		return gateway.Unanswered(err)
	case status == http.StatusNotFound && answer.Result == KeyUnknown && answer.Key == key:
		return gateway.Answer{Outcome: gateway.NotDone, Why: "the gateway knows nothing of it"}
	case status == http.StatusOK && slices.Contains([]Result{Done, Declined, Refused}, answer.Result):
		return understood(key, r, answer)
	}
	return odd(status)
}

// odd is the answer for what no simulator answers.
func odd(status int) gateway.Answer {
	return gateway.Answer{Outcome: gateway.Unknown, Why: fmt.Sprintf("the gateway answered with status %d and something that is no answer", status)}
}

// happens says which event a command leads to.
var happens = map[gateway.Command]payment.Kind{
	gateway.Authorize: payment.KindAuthorization,
	gateway.Capture:   payment.KindCapture,
	gateway.Refund:    payment.KindRefund,
	gateway.Void:      payment.KindVoid,
}

// understood reads an answer to a request. What does not fit the request is not believed.
func understood(key string, r gateway.Request, a Answer) gateway.Answer {
	doubtful := gateway.Answer{Outcome: gateway.Unknown, Why: "the gateway answered about something else"}
	if a.Key != key {
		return doubtful
	}
	want := payment.KindDecline
	switch a.Result {
	case Done:
		want = happens[r.Command]
	case Declined:
	case KeyReused:
		return gateway.Answer{Outcome: gateway.Refused, Why: "the gateway knows this key from another request: " + a.Reason}
	default:
		return gateway.Answer{Outcome: gateway.Refused, Why: a.reasons()}
	}
	event, err := eventOf(a)
	if err != nil || payment.KindOf(event) != want || r.Charge != "" && r.Charge != a.Charge {
		return doubtful
	}
	answer := gateway.Answer{Outcome: gateway.Done, Charge: a.Charge, Events: []payment.Event{event}}
	if a.Result == Declined {
		answer.Outcome, answer.Why = gateway.Refused, a.Reason
	}
	return answer
}

// reasons is why nothing was done, with the fields at fault.
func (a Answer) reasons() string {
	why := a.Reason
	for _, f := range a.Errors {
		why += "; " + f.Field + ": " + f.Detail
	}
	return why
}

// eventOf reads what happened.
func eventOf(a Answer) (payment.Event, error) {
	if a.Event == nil || a.Charge == "" {
		return nil, errors.New("nothing happened")
	}
	var h Happening
	if err := json.Unmarshal(a.Event.Data, &h); err != nil {
		return nil, err
	}
	kind, err := payment.ParseKind(strings.TrimPrefix(a.Event.Type, "payment."))
	if err != nil || h.Ref == "" || h.Amount < 0 || h.Fee < 0 {
		return nil, errors.Join(err, errors.New("it says nothing"))
	}
	return payment.Told{Kind: kind, Ref: h.Ref, AmountMinor: h.Amount, FeeMinor: h.Fee, Reason: h.Reason}.Event(), nil
}

// call sends one request, once, and reads a JSON answer of any status. An error says that nothing was understood.
func (c *Client) call(ctx context.Context, method, path, key string, body, into any) (status int, err error) {
	ctx, cancel := context.WithTimeout(ctx, c.timeout)
	defer cancel()
	request, err := newRequest(ctx, method, c.url+path, body)
	if err != nil {
		return 0, fmt.Errorf("call the simulator: %w", err)
	}
	if key != "" {
		request.Header.Set(KeyHeader, key)
	}
	response, err := c.http.Do(request)
	if err != nil {
		return 0, fmt.Errorf("call the simulator: %w", err)
	}
	defer func() { _ = response.Body.Close() }()
	content, err := io.ReadAll(io.LimitReader(response.Body, maxAnswerBytes))
	if err != nil {
		return 0, fmt.Errorf("read what the simulator answers: %w", err)
	}
	if err := json.Unmarshal(content, into); err != nil {
		return 0, fmt.Errorf("read what the simulator answers with status %d: %w", response.StatusCode, err)
	}
	return response.StatusCode, nil
}

// newRequest makes a request that is not sent again by itself: the library would repeat one with a key when its connection breaks, and who asks
// should know that it broke.
func newRequest(ctx context.Context, method, url string, body any) (*http.Request, error) {
	if body == nil {
		return http.NewRequestWithContext(ctx, method, url, nil)
	}
	content, err := json.Marshal(body)
	if err != nil {
		return nil, err
	}
	request, err := http.NewRequestWithContext(ctx, method, url, bytes.NewReader(content))
	if err == nil {
		request.GetBody = nil
		request.Header.Set("Content-Type", "application/json")
	}
	return request, err
}

package server

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"daybook/store/gateway/simulator"
)

// senders is how many messages are on their way at once.
const senders = 8

// deliveryLimit is how long the other side may take to answer.
const deliveryLimit = 10 * time.Second

// outbox delivers messages until they are taken: each delivery until it is answered with 2xx, later and later each time.
type outbox struct {
	target    string
	secret    string
	now       func() time.Time
	delivered func(id string) // is told once all deliveries of a message are taken
	http      *http.Client
	attempts  atomic.Int64
	wake      chan struct{} // holds one: there may be something to do

	mu    sync.Mutex
	held  bool
	queue []delivery     // that are due
	left  map[string]int // deliveries of a message that are not taken yet
	why   string         // the last attempt failed, if it did
}

// delivery is one time that a message is to be taken.
type delivery struct {
	message
	tries int
}

func newOutbox(config Config, delivered func(id string)) *outbox {
	return &outbox{
		target: config.WebhookURL, secret: config.WebhookSecret, now: config.Now, delivered: delivered, wake: make(chan struct{}, 1), left: map[string]int{},
		http: &http.Client{
			Timeout:       deliveryLimit,
			Transport:     &http.Transport{MaxIdleConnsPerHost: senders, IdleConnTimeout: time.Minute},
			CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
		},
	}
}

// add has a message delivered once more, so late.
func (o *outbox) add(m message, late time.Duration) {
	if o.target == "" {
		return
	}
	o.mu.Lock()
	o.left[m.ID]++
	o.mu.Unlock()
	o.put(delivery{message: m}, late)
}

// put has a delivery due so late.
func (o *outbox) put(d delivery, late time.Duration) {
	if late > 0 {
		time.AfterFunc(late, func() { o.put(d, 0) })
		return
	}
	o.mu.Lock()
	o.queue = append(o.queue, d)
	o.mu.Unlock()
	o.look()
}

// hold keeps messages back, or lets them go.
func (o *outbox) hold(back bool) {
	o.mu.Lock()
	o.held = back
	o.mu.Unlock()
	o.look()
}

func (o *outbox) look() {
	select {
	case o.wake <- struct{}{}:
	default:
	}
}

// send delivers until ctx ends, and returns when nothing is on its way any more.
func (o *outbox) send(ctx context.Context) {
	defer o.http.CloseIdleConnections()
	var group sync.WaitGroup
	defer group.Wait()
	free := make(chan struct{}, senders)
	for {
		select {
		case free <- struct{}{}:
		case <-ctx.Done():
			return
		}
		next, found := o.next(ctx)
		if !found {
			return
		}
		group.Go(func() {
			defer func() { <-free }()
			o.attempt(ctx, next)
		})
	}
}

// next waits for a delivery that is due. None is found when ctx ends.
func (o *outbox) next(ctx context.Context) (d delivery, found bool) {
	for {
		if d, found := o.take(); found {
			return d, true
		}
		select {
		case <-o.wake:
		case <-ctx.Done():
			return delivery{}, false
		}
	}
}

func (o *outbox) take() (d delivery, found bool) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.held || len(o.queue) == 0 {
		return delivery{}, false
	}
	d, o.queue = o.queue[0], o.queue[1:]
	return d, true
}

// attempt delivers once, and puts what was not taken back.
func (o *outbox) attempt(ctx context.Context, d delivery) {
	status := o.post(ctx, d.message)
	taken := status/100 == 2
	o.explain(status, taken)
	if !taken {
		pause := pauseAfter(d.tries, status != 0)
		d.tries++
		o.put(d, pause)
		return
	}
	o.mu.Lock()
	o.left[d.ID]--
	all := o.left[d.ID] == 0
	if all {
		delete(o.left, d.ID)
	}
	o.mu.Unlock()
	if all {
		o.delivered(d.ID)
	}
}

// How long a delivery that failed is put off: twice as long each time. Nobody there is looked for again soon; who answers and does not take it has a
// reason, which may need a person.
const (
	firstPause    = 100 * time.Millisecond
	longestAbsent = 2 * time.Second
	longestNo     = time.Minute
)

// pauseAfter is how long to wait after so many failures and one more.
func pauseAfter(failures int, answered bool) time.Duration {
	longest := longestAbsent
	if answered {
		longest = longestNo
	}
	return min(firstPause<<min(failures, 20), longest)
}

// explain keeps why messages are not taken, for who wonders.
func (o *outbox) explain(status int, taken bool) {
	o.mu.Lock()
	defer o.mu.Unlock()
	switch {
	case taken:
		o.why = ""
	case status == 0:
		o.why = "there is no answer"
	default:
		o.why = fmt.Sprintf("the answer has status %d", status)
	}
}

func (o *outbox) problem() string {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.why
}

// post sends a message, and gives the status that it is answered with, 0 for none.
func (o *outbox) post(ctx context.Context, m message) (status int) {
	o.attempts.Add(1)
	body, err := json.Marshal(m.Message)
	if err != nil {
		return 0
	}
	target := strings.ReplaceAll(o.target, "{book}", url.PathEscape(m.book))
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, target, bytes.NewReader(body))
	if err != nil {
		return 0
	}
	request.Header.Set("Content-Type", "application/json")
	request.Header.Set(simulator.BookHeader, m.book)
	request.Header.Set(simulator.SignatureHeader, simulator.Sign(o.secret, o.now(), m.book, body))
	response, err := o.http.Do(request)
	if err != nil {
		return 0
	}
	// An answer that is read to its end lets its connection be used again.
	_, _ = io.Copy(io.Discard, io.LimitReader(response.Body, maxBodyBytes))
	_ = response.Body.Close()
	return response.StatusCode
}

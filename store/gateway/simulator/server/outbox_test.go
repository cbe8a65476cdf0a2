package server_test

import (
	"context"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"path"
	"path/filepath"
	"slices"
	"sync"
	"testing"
	"time"

	"daybook/store/gateway"
	"daybook/store/gateway/simulator"
	"daybook/store/gateway/simulator/server"
	"daybook/store/inbox"
)

const secret = "a secret"

// letterbox takes webhooks. Each is answered with the next of statuses, and 200 when there is none.
type letterbox struct {
	*httptest.Server
	came chan inbox.Message

	mu       sync.Mutex
	statuses []int
	paths    []string
}

func newLetterbox(t *testing.T, statuses ...int) *letterbox {
	t.Helper()
	l := &letterbox{came: make(chan inbox.Message, 1000), statuses: statuses}
	reader := simulator.NewWebhook(secret, func() time.Time { return noon })
	l.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		messages, err := reader.Read(r.Context(), path.Base(r.URL.Path), r.Header, body)
		if err != nil || len(messages) != 1 || messages[0].Unreadable != nil || r.Header.Get(simulator.BookHeader) == "" {
			t.Errorf("a webhook that cannot be read: %v, %s", err, body)
			return
		}
		w.WriteHeader(l.status(r.URL.Path))
		l.came <- messages[0]
	}))
	t.Cleanup(l.Close)
	return l
}

func (l *letterbox) status(path string) int {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.paths = append(l.paths, path)
	if len(l.statuses) == 0 {
		return http.StatusOK
	}
	status := l.statuses[0]
	l.statuses = l.statuses[1:]
	return status
}

// take waits for so many messages.
func (l *letterbox) take(t *testing.T, n int) (messages []inbox.Message) {
	t.Helper()
	for range n {
		select {
		case m := <-l.came:
			messages = append(messages, m)
		case <-time.After(time.Minute):
			t.Fatalf("%d messages came, want %d", len(messages), n)
		}
	}
	return messages
}

// sending starts a simulator that sends its webhooks, until the test ends or by stop.
func sending(t *testing.T, config server.Config, to *letterbox) *running {
	t.Helper()
	config.WebhookURL, config.WebhookSecret, config.Now = to.URL+"/books/{book}", secret, func() time.Time { return noon }
	s, err := server.New(config)
	if err != nil {
		t.Fatal(err)
	}
	web := httptest.NewServer(s)
	ctx, end := context.WithCancel(context.Background())
	var group sync.WaitGroup
	group.Go(func() { s.SendWebhooks(ctx) })
	stop := sync.OnceFunc(func() {
		end()
		group.Wait()
		web.Close()
		_ = s.Close()
	})
	t.Cleanup(stop)
	return &running{Client: simulator.NewClient(web.URL, 10*time.Second), url: web.URL, http: web.Client(), stop: stop}
}

// settled waits until all messages are delivered.
func (r *running) settled(t *testing.T) (counts simulator.Deliveries) {
	t.Helper()
	deadline := time.After(time.Minute)
	again := time.NewTicker(5 * time.Millisecond)
	defer again.Stop()
	for {
		if counts = get[simulator.Deliveries](t, r, "/webhooks"); counts.Waiting == 0 {
			return counts
		}
		select {
		case <-again.C:
		case <-deadline:
			t.Fatalf("not delivered within 30 seconds: %+v", counts)
		}
	}
}

func TestWebhooks_TellWhatTheAnswersSay(t *testing.T) {
	t.Parallel()
	box := newLetterbox(t)
	r := sending(t, server.Config{}, box)
	charge := r.captured(t, 17)
	r.on(t, gateway.Refund, charge, 300)
	r.set(t, `{"decline":1}`)
	r.authorize(t, 18)
	told := map[string]inbox.Message{}
	for _, m := range box.take(t, 4) {
		told[m.Type] = m
	}
	for kind, key := range map[string]string{
		"payment.authorized": "p17-authorize-1", "payment.captured": charge + "-capture-1000", "payment.refunded": charge + "-refund-300", "payment.declined": "p18-authorize-1",
	} {
		answer := get[simulator.Answer](t, r, "/requests/"+key)
		if data, _, err := inbox.Canonical(answer.Event.Data); err != nil || answer.Event.ID != told[kind].ID || string(data) != string(told[kind].Data) {
			t.Errorf("%s: answered %+v, told %s", kind, answer.Event, told[kind].Data)
		}
		var h simulator.Happening
		if err := json.Unmarshal(told[kind].Data, &h); err != nil || h.Key != key || h.Ref == "" || h.PaymentID == 0 {
			t.Errorf("%s: %s", kind, told[kind].Data)
		}
	}
	if slices.ContainsFunc(box.paths, func(path string) bool { return path != "/books/main" }) {
		t.Errorf("they went to %v", box.paths)
	}
}

func TestWebhooks_AreSentUntilTheyAreTaken(t *testing.T) {
	t.Parallel()
	box := newLetterbox(t, http.StatusInternalServerError, http.StatusSeeOther)
	r := sending(t, server.Config{}, box)
	r.authorize(t, 1)
	came := box.take(t, 3)
	if came[0].ID != came[1].ID || came[1].ID != came[2].ID {
		t.Errorf("they are %v", came)
	}
	if got, want := r.settled(t), (simulator.Deliveries{Messages: 1, Delivered: 1, Attempts: 3}); got != want {
		t.Errorf("it counts %+v, want %+v", got, want)
	}
}

func TestWebhooks_AreRepeatedAndOutOfOrderWhenTheFaultsSaySo(t *testing.T) {
	t.Parallel()
	box := newLetterbox(t)
	r := sending(t, server.Config{}, box)
	r.set(t, `{"webhook_repeat_min":2,"webhook_repeat_max":4,"webhook_reorder":true,"webhook_hold":"20ms","seed":3}`)
	const charges = 30
	for i := range int64(charges) {
		r.authorize(t, i+1)
	}
	counts := r.settled(t)
	if counts.Delivered != charges || counts.Attempts < 2*charges || counts.Attempts > 4*charges || counts.Attempts == 2*charges {
		t.Fatalf("it counts %+v", counts)
	}
	times, order := map[string]int{}, []string{}
	for _, m := range box.take(t, int(counts.Attempts)) {
		if times[m.ID]++; times[m.ID] == 1 {
			order = append(order, string(m.Data))
		}
	}
	for id, n := range times {
		if n < 2 || n > 4 {
			t.Errorf("%s came %d times", id, n)
		}
	}
	if slices.IsSorted(order) {
		t.Error("all came in order")
	}
}

func TestWebhooks_WaitWhileTheyAreSwitchedOff(t *testing.T) {
	t.Parallel()
	box := newLetterbox(t)
	r := sending(t, server.Config{}, box)
	r.set(t, `{"webhooks":false}`)
	r.authorize(t, 1)
	if got := get[simulator.Deliveries](t, r, "/webhooks"); got.Waiting != 1 || got.Attempts != 0 {
		t.Errorf("it counts %+v", got)
	}
	r.set(t, `{"webhooks":true}`)
	box.take(t, 1)
}

func TestWebhooks_AreSentAfterARestart(t *testing.T) {
	t.Parallel()
	journal := filepath.Join(t.TempDir(), "journal")
	first := start(t, server.Config{Journal: journal})
	first.captured(t, 1)
	first.stop()
	box := newLetterbox(t)
	second := sending(t, server.Config{Journal: journal}, box)
	came := box.take(t, 2)
	slices.SortFunc(came, func(a, b inbox.Message) int { return len(a.Type) - len(b.Type) })
	if came[0].Type != "payment.captured" || came[1].Type != "payment.authorized" {
		t.Errorf("they are %v", came)
	}
	second.settled(t)
	second.stop()
	third := sending(t, server.Config{Journal: journal}, box)
	if got := third.settled(t); got != (simulator.Deliveries{Messages: 2, Delivered: 2}) {
		t.Errorf("after one more restart it counts %+v", got)
	}
}

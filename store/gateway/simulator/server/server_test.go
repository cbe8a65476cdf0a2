package server_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"daybook/store/gateway"
	"daybook/store/gateway/gatewaytest"
	"daybook/store/gateway/simulator"
	"daybook/store/gateway/simulator/server"
)

// noon is the time that all simulators of the tests show.
var noon = time.Date(2026, 3, 26, 12, 0, 0, 0, time.UTC)

// running is a simulator that serves, and its client.
type running struct {
	*simulator.Client
	url  string
	http *http.Client
	stop func()
}

// start starts a simulator, which ends with the test or by stop.
func start(t *testing.T, config server.Config) *running {
	t.Helper()
	config.Now = func() time.Time { return noon }
	s, err := server.New(config)
	if err != nil {
		t.Fatal(err)
	}
	web := httptest.NewServer(s)
	stop := sync.OnceFunc(func() {
		if err := s.Close(); err != nil {
			t.Error(err)
		}
		web.Close()
	})
	t.Cleanup(stop)
	return &running{Client: simulator.NewClient(web.URL, 10*time.Second), url: web.URL, http: web.Client(), stop: stop}
}

// send sends a request and gives what came back.
func (r *running) send(t *testing.T, method, path, key, body string) (status int, answer string) {
	t.Helper()
	request, err := http.NewRequestWithContext(t.Context(), method, r.url+path, bytes.NewBufferString(body))
	if err != nil {
		t.Fatal(err)
	}
	request.Header.Set(simulator.KeyHeader, key)
	response, err := r.http.Do(request)
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	content, err := io.ReadAll(response.Body)
	if err != nil {
		t.Fatal(err)
	}
	return response.StatusCode, string(content)
}

// get reads a JSON answer with status 200.
func get[T any](t *testing.T, r *running, path string) (read T) {
	t.Helper()
	status, content := r.send(t, http.MethodGet, path, "", "")
	if err := json.Unmarshal([]byte(content), &read); status != http.StatusOK || err != nil {
		t.Fatalf("%s: %d %s %v", path, status, content, err)
	}
	return read
}

func (r *running) charges(t *testing.T) []simulator.Charge {
	t.Helper()
	return get[simulator.Charges](t, r, "/charges").Items
}

// set changes faults.
func (r *running) set(t *testing.T, faults string) {
	t.Helper()
	if status, content := r.send(t, http.MethodPut, "/faults", "", faults); status != http.StatusOK {
		t.Fatalf("%s: %d %s", faults, status, content)
	}
}

// authorize asks for a new payment of 1000.
func (r *running) authorize(t *testing.T, payment int64) gateway.Answer {
	t.Helper()
	return r.Do(t.Context(), fmt.Sprintf("p%d-authorize-1", payment), gateway.Request{
		Command: gateway.Authorize, BookCode: "main", PaymentID: payment, AmountMinor: 1000, Currency: "EUR", Customer: "alice", Reference: "order 1",
	})
}

// on asks for a command on a charge.
func (r *running) on(t *testing.T, command gateway.Command, charge string, amount int64) gateway.Answer {
	t.Helper()
	return r.Do(t.Context(), fmt.Sprintf("%s-%s-%d", charge, command, amount), gateway.Request{Command: command, Charge: charge, AmountMinor: amount, Currency: "EUR"})
}

// captured authorizes and captures a payment of 1000.
func (r *running) captured(t *testing.T, payment int64) (charge string) {
	t.Helper()
	charge = r.authorize(t, payment).Charge
	if answer := r.on(t, gateway.Capture, charge, 1000); answer.Outcome != gateway.Done {
		t.Fatalf("captured: %+v", answer)
	}
	return charge
}

func TestSimulatorIsAGateway(t *testing.T) {
	t.Parallel()
	gatewaytest.Run(t, func(t *testing.T) gateway.Gateway {
		return start(t, server.Config{Journal: filepath.Join(t.TempDir(), "journal")})
	})
}

func TestCharges_ShowWhatWasCharged(t *testing.T) {
	t.Parallel()
	r := start(t, server.Config{})
	charge := r.captured(t, 17)
	r.on(t, gateway.Refund, charge, 300)
	r.on(t, gateway.Void, charge, 0)
	all := r.charges(t)
	if len(all) != 1 {
		t.Fatalf("there are %d charges", len(all))
	}
	got := all[0]
	for i := range got.Requests {
		if got.Requests[i].Result == simulator.Done && got.Requests[i].Ref == "" {
			t.Errorf("request %d has no name", i)
		}
		got.Requests[i].Ref = ""
	}
	want := simulator.Charge{
		ID: charge, Key: "p17-authorize-1", Book: "main", PaymentID: 17, Reference: "order 1", Customer: "alice", Currency: "EUR", Amount: 1000,
		Authorized: 1000, Captured: 1000, Fee: 40, Refunded: 300, Status: simulator.PartlyRefunded, CreatedAt: noon,
		Requests: []simulator.ChargeRequest{
			{Key: "p17-authorize-1", Command: gateway.Authorize, Amount: 1000, Result: simulator.Done, At: noon},
			{Key: charge + "-capture-1000", Command: gateway.Capture, Amount: 1000, Result: simulator.Done, At: noon},
			{Key: charge + "-refund-300", Command: gateway.Refund, Amount: 300, Result: simulator.Done, At: noon},
			{Key: charge + "-void-0", Command: gateway.Void, Result: simulator.Refused, At: noon},
		},
	}
	if fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("it shows %+v, want %+v", got, want)
	}
	if one := get[simulator.Charge](t, r, "/charges/"+charge); one.Captured != 1000 {
		t.Errorf("alone: %+v", one)
	}
}

func TestFee_IsRoundedHalfUp(t *testing.T) {
	t.Parallel()
	r := start(t, server.Config{})
	for amount, want := range map[int64]int64{1: 25, 33: 25, 34: 26, 100: 27, 166: 27, 1000: 40, 9223372036854775807: 138350580552821662} {
		answer := r.Do(t.Context(), fmt.Sprintf("a%d", amount), gateway.Request{Command: gateway.Authorize, PaymentID: 1, AmountMinor: amount, Currency: "EUR"})
		r.on(t, gateway.Capture, answer.Charge, amount)
		if got := get[simulator.Charge](t, r, "/charges/"+answer.Charge).Fee; got != want {
			t.Errorf("the fee of %d is %d, want %d", amount, got, want)
		}
	}
}

func TestRequests_AreRefusedWithTheFieldAtFault(t *testing.T) {
	t.Parallel()
	r := start(t, server.Config{})
	for name, test := range map[string]struct{ path, key, body, want string }{
		"no key":      {"/charges", "", `{"payment_id":1,"amount":1000,"currency":"EUR"}`, simulator.KeyHeader},
		"no amount":   {"/charges", "k", `{"payment_id":1,"currency":"EUR"}`, "amount"},
		"no currency": {"/charges", "k", `{"payment_id":1,"amount":1000}`, "currency"},
		"no book":     {"/charges", "k", `{"book":"a\nb","payment_id":1,"amount":1000,"currency":"EUR"}`, "book"},
		"no payment":  {"/charges", "k", `{"amount":1000,"currency":"EUR"}`, "payment_id"},
		"a fraction":  {"/charges", "k", `{"amount":10.5,"currency":"EUR"}`, "body"},
		"a word":      {"/charges", "k", `{"amount":1000,"currency":"EUR","tip":1}`, "body"},
		"no JSON":     {"/charges/ch_1/capture", "k", `amount=1000`, "body"},
		"nothing":     {"/charges/ch_1/refunds", "k", ``, "amount"},
	} {
		status, content := r.send(t, http.MethodPost, test.path, test.key, test.body)
		var answer simulator.Answer
		if err := json.Unmarshal([]byte(content), &answer); err != nil || status != http.StatusUnprocessableEntity || len(answer.Errors) != 1 || answer.Errors[0].Field != test.want {
			t.Errorf("%s: %d %s", name, status, content)
		}
	}
	answer := r.Do(t.Context(), "k", gateway.Request{Command: gateway.Authorize, PaymentID: 1, AmountMinor: 1, Currency: "EURO"})
	if answer.Outcome != gateway.Refused || answer.Why != "the request cannot be understood; currency: must be a currency such as EUR" {
		t.Errorf("the client understands %+v", answer)
	}
	if all := r.charges(t); len(all) != 0 {
		t.Errorf("there are charges: %v", all)
	}
}

func TestKey_HasOneAnswerForEver(t *testing.T) {
	t.Parallel()
	r := start(t, server.Config{})
	charge := r.authorize(t, 1).Charge
	if first := r.on(t, gateway.Capture, charge, 2000); first.Outcome != gateway.Refused {
		t.Fatalf("too much: %+v", first)
	}
	r.on(t, gateway.Capture, charge, 1000)
	first, content := r.send(t, http.MethodPost, "/charges/"+charge+"/capture", charge+"-capture-2000", `{"amount":2000,"currency":"EUR"}`)
	second, recovered := r.send(t, http.MethodGet, "/requests/"+charge+"-capture-2000", "", "")
	if first != http.StatusConflict || second != http.StatusOK || content != recovered {
		t.Errorf("%d %s, then %d %s", first, content, second, recovered)
	}
	status, content := r.send(t, http.MethodPost, "/charges/"+charge+"/refunds", charge+"-capture-1000", `{"amount":1000,"currency":"EUR"}`)
	if status != http.StatusConflict || !bytes.Contains([]byte(content), []byte(`"key_reused"`)) {
		t.Errorf("the key of a capture for a refund: %d %s", status, content)
	}
}

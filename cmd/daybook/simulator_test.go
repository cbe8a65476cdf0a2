package main

import (
	"context"
	"io"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"daybook/store/gateway"
	"daybook/store/gateway/simulator"
)

func authorize(ctx context.Context, url string) gateway.Answer {
	return simulator.NewClient(url, 30*time.Second).Do(ctx, "p1-authorize-1", gateway.Request{
		Command: gateway.Authorize, BookCode: "main", PaymentID: 1, AmountMinor: 1000, Currency: "EUR",
	})
}

// TestSimulatorKilledKnowsWhatItDid: what was answered stands, and what nobody took is told again.
func TestSimulatorKilledKnowsWhatItDid(t *testing.T) {
	t.Parallel()
	journal := filepath.Join(t.TempDir(), "journal")
	first := startProcess(t, nil, "simulator", "--journal", journal)
	before := authorize(t.Context(), first.lines["simulator"])
	first.end(t, syscall.SIGKILL)

	told := make(chan *http.Request, 10)
	hook := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body)
		told <- r
	}))
	t.Cleanup(hook.Close)
	env := []string{"DAYBOOK_SIMULATOR_SECRET=secret", "DAYBOOK_SIMULATOR_WEBHOOK_URL=" + hook.URL + "/books/{book}"}
	second := startProcess(t, env, "simulator", "--journal", journal)
	after := authorize(t.Context(), second.lines["simulator"])
	if before.Outcome != gateway.Done || after.Outcome != gateway.Done || before.Charge != after.Charge {
		t.Errorf("before: %+v, after: %+v", before, after)
	}
	select {
	case r := <-told:
		if r.URL.Path != "/books/main" || r.Header.Get(simulator.SignatureHeader) == "" {
			t.Errorf("told at %s with %v", r.URL.Path, r.Header)
		}
	case <-time.After(time.Minute):
		t.Error("nothing was told")
	}
	if code := second.end(t, syscall.SIGTERM); code != exitWell {
		t.Errorf("after SIGTERM: exit %d, %s", code, second.stderr)
	}
}

// TestSimulatorStopsAtOnce although somebody waits for its answer: the test would take a minute.
func TestSimulatorStopsAtOnce(t *testing.T) {
	t.Parallel()
	p := startProcess(t, nil, "simulator")
	url := p.lines["simulator"]
	client := simulator.NewClient(url, time.Minute)
	faults := simulator.NoFaults()
	faults.TimeoutBefore, faults.Hang = 1, simulator.Span(time.Minute)
	if err := client.SetFaults(t.Context(), faults); err != nil {
		t.Fatal(err)
	}
	answered := make(chan gateway.Answer)
	go func() { answered <- authorize(context.Background(), url) }()
	if code := p.end(t, syscall.SIGINT); code != exitWell {
		t.Errorf("exit %d, %s", code, p.stderr)
	}
	if answer := <-answered; answer.Outcome != gateway.Unknown {
		t.Errorf("it answered %+v", answer)
	}
}

func TestGatewaysAreNamedRight(t *testing.T) {
	t.Parallel()
	for args, want := range map[string]string{
		"serve --gateway paypal":                                    `there is no gateway "paypal"`,
		"serve --gateway simulator":                                 "--gateway simulator needs --simulator-url",
		"serve --gateway simulator --simulator-url 127.0.0.1:9":     "--gateway simulator needs --simulator-url",
		"serve --gateway simulator --simulator-url ftp://127.0.0.1": "--gateway simulator needs --simulator-url",
		"serve --gateway stripe --stripe-key pk_test_1":             "sk_",
		"serve --gateway-timeout 0s":                                "must be more than 0",
		"demo --gateway-timeout -1s":                                "must be more than 0",
		"simulator --webhook-url http://127.0.0.1:9/":               "--webhook-url needs --webhook-secret",
		"simulator --journal /dev/null/journal":                     "open the journal of the simulator",
	} {
		got := runHere(t, nil, strings.Fields(args)...)
		if got.code != exitBad || !strings.Contains(got.stderr, want) || strings.Count(got.stderr, "\n") != 1 {
			t.Errorf("%s: exit %d, %q, want %q", args, got.code, got.stderr, want)
		}
	}
}

// TestDemoMakesPaymentsAtItsSimulator and takes what the simulator tells of them.
func TestDemoMakesPaymentsAtItsSimulator(t *testing.T) {
	t.Parallel()
	demo := startProcess(t, nil, "demo", "--empty", "--addr", "127.0.0.1:0", "--data-dir", dataDir(t))
	for _, step := range []struct{ path, body string }{
		{"/payments", `{"amount":1000,"currency":"EUR","customer":"alice","reference":"order 1"}`}, {"/payments/1/authorize", `{}`}, {"/payments/1/capture", `{}`},
	} {
		request, err := http.NewRequestWithContext(t.Context(), http.MethodPost, demo.lines["ready"]+"/api/v1/books/main"+step.path, strings.NewReader(step.body))
		if err != nil {
			t.Fatal(err)
		}
		request.Header.Set("Authorization", "Bearer daybook-demo-preparer")
		request.Header.Set("Idempotency-Key", step.path)
		response, err := http.DefaultClient.Do(request)
		if err != nil {
			t.Fatal(err)
		}
		content, err := io.ReadAll(response.Body)
		if response.Body.Close(); err != nil || response.StatusCode/100 != 2 {
			t.Fatalf("%s: %d %s %v", step.path, response.StatusCode, content, err)
		}
	}
	if _, charges := get(t, demo.lines["simulator"]+"/charges"); !strings.Contains(charges, `"captured":1000`) || strings.Count(charges, `"id":`) != 1 {
		t.Errorf("the simulator charged %s", charges)
	}
	eventually(t, "both messages are taken", func() bool {
		_, deliveries := get(t, demo.lines["simulator"]+"/webhooks")
		return strings.HasPrefix(deliveries, `{"messages":2,"delivered":2,"waiting":0,`)
	})
}

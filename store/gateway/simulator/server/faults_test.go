package server_test

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"daybook/store/gateway"
	"daybook/store/gateway/simulator"
	"daybook/store/gateway/simulator/server"
	"daybook/store/payment"
)

func TestFaults_DeclineIsAnAnswerThatStays(t *testing.T) {
	t.Parallel()
	r := start(t, server.Config{})
	r.set(t, `{"decline":1}`)
	first := r.authorize(t, 1)
	r.set(t, `{"decline":0}`)
	again := r.authorize(t, 1)
	for _, answer := range []gateway.Answer{first, again} {
		if answer.Outcome != gateway.Refused || len(answer.Events) != 1 || payment.KindOf(answer.Events[0]) != payment.KindDecline || answer.Why != "the card was declined" {
			t.Errorf("declined: %+v", answer)
		}
	}
	if all := r.charges(t); len(all) != 1 || all[0].Status != simulator.DeclinedCharge || all[0].Authorized != 0 {
		t.Errorf("charges: %+v", all)
	}
	if answer := r.on(t, gateway.Capture, first.Charge, 1000); answer.Outcome != gateway.Refused || answer.Why != "the charge is declined" {
		t.Errorf("captured: %+v", answer)
	}
}

func TestFaults_ATimeoutBeforeDoesNothing(t *testing.T) {
	t.Parallel()
	r := start(t, server.Config{})
	r.set(t, `{"timeout_before":1,"hang":"1ms"}`)
	if answer := r.authorize(t, 1); answer.Outcome != gateway.Unknown {
		t.Errorf("it answered %+v", answer)
	}
	if answer := r.Recover(t.Context(), "p1-authorize-1", gateway.Request{Command: gateway.Authorize}); answer.Outcome != gateway.NotDone {
		t.Errorf("recovered: %+v", answer)
	}
	if all := r.charges(t); len(all) != 0 {
		t.Errorf("charges: %+v", all)
	}
}

func TestFaults_ATimeoutAfterDoesItOnce(t *testing.T) {
	t.Parallel()
	r := start(t, server.Config{})
	r.set(t, `{"timeout_after":1,"hang":"1ms"}`)
	for range 3 {
		if answer := r.authorize(t, 1); answer.Outcome != gateway.Unknown {
			t.Errorf("it answered %+v", answer)
		}
	}
	found := r.Recover(t.Context(), "p1-authorize-1", gateway.Request{Command: gateway.Authorize})
	if all := r.charges(t); len(all) != 1 || found.Outcome != gateway.Done || found.Charge != all[0].ID {
		t.Errorf("recovered %+v, charges %+v", found, all)
	}
}

func TestFaults_RecoveringTimesOutByItself(t *testing.T) {
	t.Parallel()
	r := start(t, server.Config{})
	r.set(t, `{"timeout_recover":1,"hang":"1ms"}`)
	if answer := r.authorize(t, 1); answer.Outcome != gateway.Done {
		t.Errorf("it answered %+v", answer)
	}
	if answer := r.Recover(t.Context(), "p1-authorize-1", gateway.Request{Command: gateway.Authorize}); answer.Outcome != gateway.Unknown {
		t.Errorf("recovered: %+v", answer)
	}
}

func TestFaults_WhatTakesTooLongIsUnknown(t *testing.T) {
	t.Parallel()
	r := start(t, server.Config{})
	r.set(t, `{"latency":"1m"}`)
	hasty := simulator.NewClient(r.url, time.Millisecond)
	answer := hasty.Do(t.Context(), "k", gateway.Request{Command: gateway.Authorize, PaymentID: 1, AmountMinor: 1, Currency: "EUR"})
	if answer.Outcome != gateway.Unknown || answer.Why != "the gateway did not answer in time" {
		t.Errorf("it answered %+v", answer)
	}
}

// TestClose_WaitsForNothing would wait for a minute.
func TestClose_WaitsForNothing(t *testing.T) {
	t.Parallel()
	for _, fault := range []string{`{"latency":"1m"}`, `{"timeout_before":1,"hang":"1m"}`, `{"timeout_after":1,"hang":"1m"}`} {
		r := start(t, server.Config{})
		r.set(t, fault)
		answered := make(chan gateway.Answer)
		go func() { answered <- r.authorize(t, 1) }()
		r.stop()
		if answer := <-answered; answer.Outcome != gateway.Unknown {
			t.Errorf("%s: %+v", fault, answer)
		}
	}
}

func TestFaults_TheSameSeedMeetsTheSameLuck(t *testing.T) {
	t.Parallel()
	r := start(t, server.Config{})
	luck := func(from int64) (outcomes string) {
		r.set(t, `{"decline":0.3,"timeout_before":0.3,"timeout_after":0.2,"hang":"0s","seed":7}`)
		for i := range int64(40) {
			outcomes += string(r.authorize(t, from+i).Outcome) + " "
		}
		return outcomes
	}
	first, second := luck(1), luck(101)
	for _, outcome := range []gateway.Outcome{gateway.Done, gateway.Refused, gateway.Unknown} {
		if first != second || !strings.Contains(first, string(outcome)) {
			t.Fatalf("the seed gave %s and then %s", first, second)
		}
	}
	unknown, charges := strings.Count(first, string(gateway.Unknown)), len(r.charges(t))/2
	if answered := 40 - unknown; charges <= answered || charges >= 40 {
		t.Errorf("of 40 requests %d were answered and %d done: time-outs come before it and after it", answered, charges)
	}
}

func TestFaults_AreChangedInPart(t *testing.T) {
	t.Parallel()
	r := start(t, server.Config{})
	r.set(t, `{"latency":"1ms","decline":0.5}`)
	r.set(t, `{"webhook_repeat_max":4}`)
	want := simulator.NoFaults()
	want.Latency, want.Decline, want.WebhookRepeatMax = simulator.Span(time.Millisecond), 0.5, 4
	if got, err := r.Faults(t.Context()); got != want || err != nil {
		t.Errorf("the faults are %+v, %v, want %+v", got, err, want)
	}
	status, content := r.send(t, http.MethodPut, "/faults", "", `{"latency":"2ms","declines":1}`)
	if got, _ := r.Faults(t.Context()); status != http.StatusUnprocessableEntity || !strings.Contains(content, `"field":"declines"`) || got != want {
		t.Errorf("%d %s, and the faults are %+v", status, content, got)
	}
}

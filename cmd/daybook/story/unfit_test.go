package story_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"daybook/store/gateway/simulator"
)

// large is a message of 10 MB.
func large(source, id string) string {
	return letter{source, id, "entry.post", `{"note":"` + strings.Repeat("x", 10<<20) + `"}`}.String()
}

// TestUnfitMessagesAreRefusedOrKept delivers in each way what is no message, what nobody signed, what nobody knows and what is too large. Each is refused
// or kept with its reason, and what is fit is taken after it as before.
func TestUnfitMessagesAreRefusedOrKept(t *testing.T) {
	t.Parallel()
	b := openPostbox(t)
	for way, story := range map[string]func(*testing.T, postbox){
		"ByAPI": unfitByAPI, "ByEvent": unfitByEvent, "ByWebhook": unfitByWebhook, "ByBroker": unfitByBroker, "ByFile": unfitByFile,
	} {
		t.Run(way, func(t *testing.T) { story(t, b) })
	}
	if entries := b.as("viewer").get(t, "/entries?limit=1000").want(t, 200).list(t, "items"); len(entries) != 5 {
		t.Errorf("%d entries for 5 fit messages", len(entries))
	}
	b.verifies(t)
}

func unfitByAPI(t *testing.T, b postbox) {
	send := func(body string) answer {
		a, err := b.byAPI(t, body)
		ok(t, err)
		return a
	}
	send(`{"source":"shop","message_id":`).refused(t, 422, "invalid")
	send(`{"source":"shop","message_id":"","data":[]}`).refused(t, 422, "invalid", "message_id", "type", "data")
	client{url: b.as("viewer").url}.post(t, "/inbox", deposited("shop", "api nobody").String()).refused(t, 401, "unauthenticated")
	b.as("viewer").post(t, "/inbox", deposited("shop", "api viewer").String()).refused(t, 403, "forbidden")
	b.isParked(t, send(letter{"shop", "api unknown", "moon.rose", `{"full":true}`}.String()), "shop", "api unknown", "moon.rose")
	send(large("shop", "api large")).refused(t, 413, "too-large")
	b.takesOne(t, "shop", "api fit", send(deposited("shop", "api fit").String()))
}

func unfitByEvent(t *testing.T, b postbox) {
	send := func(body string) answer {
		a, err := b.byEvent(t, body)
		ok(t, err)
		return a
	}
	send(`{"specversion":"1.0",`).refused(t, 422, "invalid")
	send(`{"specversion":"1.0","source":"shop","type":"entry.post","data":{}}`).refused(t, 422, "invalid", "id")
	b.isParked(t, send(letter{"shop", "event unknown", "moon.rose", `{"full":true}`}.event()), "shop", "event unknown", "moon.rose")
	send(letter{"shop", "event large", "entry.post", `{"note":"` + strings.Repeat("x", 10<<20) + `"}`}.event()).refused(t, 413, "too-large")
	b.takesOne(t, "shop", "event fit", send(deposited("shop", "event fit").event()))
}

func unfitByWebhook(t *testing.T, b postbox) {
	send := func(body string) answer {
		a, err := b.byWebhook(t, body)
		ok(t, err)
		return a
	}
	fit, now := deposited("simulator", "webhook fit").String(), time.Now()
	for _, signature := range []string{"", "t=1,v1=00", simulator.Sign("another secret", now, "", []byte(fit)), simulator.Sign(b.secret, now, "", []byte(fit+" "))} {
		a, err := b.bySigned(t, signature, fit)
		ok(t, err)
		a.refused(t, 401, "unauthenticated", simulator.SignatureHeader)
	}
	if m := b.kept(t, "simulator", "webhook fit"); m != nil {
		t.Errorf("what nobody signed is kept: %v", m)
	}
	for _, body := range []string{`{"source":"simulator",`, `{"source":"somebody","message_id":"1","type":"entry.post","data":{}}`} {
		a := send(body)
		name := a.want(t, 200).list(t, "results")[0].text("message_id")
		b.isParked(t, a, "simulator", name, "unreadable")
	}
	b.isParked(t, send(letter{"simulator", "webhook unknown", "moon.rose", `{"full":true}`}.String()), "simulator", "webhook unknown", "moon.rose")
	send(large("simulator", "webhook large")).refused(t, 413, "too-large")
	b.takesOne(t, "simulator", "webhook fit", send(fit))
}

func unfitByBroker(t *testing.T, b postbox) {
	b.byBroker(t, `{"source":"shop",`)
	b.byBroker(t, letter{"shop", "broker unknown", "moon.rose", `{"full":true}`}.String())
	b.byBroker(t, large("shop", "broker large"))
	b.byBroker(t, deposited("shop", "broker fit").String())
	b.takesAll(t)
	if m := b.kept(t, "shop", "broker unknown"); m == nil || m["state"] != "parked" {
		t.Errorf("of an unknown type: %v", m)
	}
	var unreadable []string
	for _, m := range b.as("viewer").get(t, "/inbox?source=nats&state=parked").want(t, 200).list(t, "items") {
		unreadable = append(unreadable, m.inner("problem").text("type", "detail"))
	}
	if text := strings.Join(unreadable, "\n"); len(unreadable) != 2 || !strings.Contains(text, "/problems/invalid") || !strings.Contains(text, "/problems/too-large") || !strings.Contains(text, "1048576") {
		t.Errorf("what cannot be read is kept as %s", text)
	}
	b.isAppliedOnce(t, "shop", "broker fit", 1)
}

func unfitByFile(t *testing.T, b postbox) {
	got := b.byFile(t, `{"source":"shop",`, letter{"shop", "file unknown", "moon.rose", `{"full":true}`}.String(), large("shop", "file large"),
		deposited("shop", "file fit").String())
	if got.code != 1 || got.stdout != "delivered=4 applied=1 duplicates=0 failed=3\n" {
		t.Errorf("replay: exit %d, %s%s", got.code, got.stdout, got.stderr)
	}
	for n, why := range []string{"line 1: ", "line 2: parked: ", "line 3: ", "3 of 4 messages were not applied"} {
		if lines := strings.Split(got.stderr, "\n"); len(lines) <= n || !strings.Contains(lines[n], why) {
			t.Errorf("replay said %s, not %s", got.stderr, why)
		}
	}
	b.isAppliedOnce(t, "shop", "file fit", 1)
}

// isParked looks whether a message was kept for a person, with a reason that names its type.
func (b postbox) isParked(t *testing.T, a answer, source, id, kind string) {
	t.Helper()
	if got := resultOf(a); got != "parked" {
		t.Errorf("message %s came to %s: %s", id, got, a.body)
	}
	m := b.kept(t, source, id)
	if m == nil || m.text("state", "type") != fmt.Sprint("parked ", kind) || m.inner("problem")["detail"] == nil {
		t.Errorf("message %s is kept as %v", id, m)
	}
}

// takesOne looks whether a message was applied.
func (b postbox) takesOne(t *testing.T, source, id string, a answer) {
	t.Helper()
	if got := resultOf(a); got != "applied" {
		t.Errorf("message %s came to %s: %s", id, got, a.body)
	}
	b.isAppliedOnce(t, source, id, 1)
}

package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"daybook/store"
	"daybook/store/gateway"
	"daybook/store/inbox"
	"daybook/store/postgres"
)

// depositLine is a message of a shop that posts 5 cents from 1020 to 1010.
func depositLine(id, txID, account string) string {
	return fmt.Sprintf(`{"source":"shop","message_id":%q,"type":"entry.post","data":{"tx_id":%q,"effective_on":"2026-03-01","description":"Sale","postings":`+
		`[{"account":"1010","amount":5,"currency":"EUR"},{"account":%q,"amount":-5,"currency":"EUR"}]}}`, id, txID, account)
}

func TestReplay(t *testing.T) {
	t.Parallel()
	o := setupOffice(t)
	o.runs(t, "correct horse battery", "user add eva@demo.test --role preparer --role admin")
	o.post(t)
	file := strings.Join([]string{
		depositLine("m1", "t1", "1020"),
		"",
		depositLine("m1", "t1", "1020") + "\r",
		`{"source":"shop"`,
		depositLine("m1", "t1-other", "1020"),
		depositLine("m2", "t2", "1099"),
		strings.Repeat("x", inbox.MaxBytes+10),
		`{"source":"shop","message_id":"m3","type":"weather","data":{}}`,
		`{"source":"shop","message_id":"m4","type":"payment.captured","data":{"payment_id":77,"ref":"r","amount":1}}`,
		depositLine("m5", "t5", "1020"),
	}, "\n")
	path := filepath.Join(t.TempDir(), "messages.ndjson")
	check(t, os.WriteFile(path, []byte(file), 0o600))
	first := o.run(t, "", "replay "+path+" --book main")
	if first.code != exitNo || first.stdout != "delivered=9 applied=2 duplicates=1 failed=6\n" {
		t.Errorf("exit %d, %q", first.code, first.stdout)
	}
	for i, want := range []string{
		"line 4: the message is not JSON: it ends too early", `line 5: message "m1" of shop came before and said something else`, "line 6: failed: ",
		"line 7: the message has 1048587 bytes", "line 8: parked: ", "line 9: waiting: ", "daybook: 6 of 9 messages were not applied",
	} {
		lines := strings.Split(first.stderr, "\n")
		if i >= len(lines) || !strings.HasPrefix(lines[i], want) {
			t.Errorf("line %d of what is told is not %q: %s", i+1, want, first.stderr)
		}
	}
	good := depositLine("m1", "t1", "1020") + "\n" + depositLine("m6", "t6", "1020")
	for _, want := range []string{"delivered=2 applied=1 duplicates=1 failed=0\n", "delivered=2 applied=0 duplicates=2 failed=0\n"} {
		out := o.run(t, good, "replay - --as eva@demo.test")
		if out.code != exitWell || out.stdout != want || out.stderr != "" {
			t.Errorf("exit %d, %q, %q, want %q", out.code, out.stdout, out.stderr, want)
		}
	}
	if got := o.runs(t, "", "verify"); !strings.HasPrefix(got, "book main: 3 entries") {
		t.Errorf("the journal: %s", got)
	}
}

func TestReplay_CountsAsAppliedWhatWaitedForALaterLine(t *testing.T) {
	t.Parallel()
	o := setupOffice(t)
	o.runs(t, "correct horse battery", "user add eva@demo.test --role preparer --role admin")
	o.post(t)
	id := o.payment(t)
	event := func(message, kind string) string {
		return fmt.Sprintf(`{"source":"sim","message_id":%q,"type":"payment.%s","data":{"payment_id":%d,"ref":%q,"amount":1000}}`, message, kind, id, message)
	}
	file := strings.Join([]string{event("e3", "refunded"), event("e2", "captured"), event("e3", "refunded"), event("e1", "authorized")}, "\n")
	out := o.run(t, file, "replay -")
	if out.code != exitWell || out.stdout != "delivered=4 applied=3 duplicates=1 failed=0\n" || out.stderr != "" {
		t.Errorf("exit %d, %q, %q", out.code, out.stdout, out.stderr)
	}
}

func TestReplay_RefusesInOneLine(t *testing.T) {
	t.Parallel()
	o := setupOffice(t)
	o.runs(t, "correct horse battery", "user add eva@demo.test --role viewer")
	for args, want := range map[string]string{
		"replay":                      "replay takes one file, and was given 0",
		"replay a b":                  "replay takes one file, and was given 2",
		"replay none.ndjson":          "cannot read none.ndjson: no such file",
		"replay - --book none":        `there is no book "none"`,
		"replay -":                    "0 users may post in book main: name the one who records the messages with --as EMAIL",
		"replay - --as max@demo.test": `there is no user "max@demo.test"`,
		"replay - --as eva@demo.test": `you need the right "post"`,
	} {
		out := o.run(t, "", args)
		if out.code != exitBad || out.stdout != "" || strings.Count(out.stderr, "\n") != 1 || !strings.Contains(out.stderr, want) {
			t.Errorf("daybook %s: code %d, %q, %q, want %q", args, out.code, out.stdout, out.stderr, want)
		}
	}
}

// payment puts down a payment of 10.00 EUR.
func (o office) payment(t *testing.T) int64 {
	t.Helper()
	db, err := postgres.Open(t.Context(), o.appURL)
	check(t, err)
	books := store.New(db, clock, store.WithGateway(namedGateway{}), store.WithPaymentAccounts())
	defer books.Close()
	user, err := books.UserByEmail(t.Context(), "eva@demo.test")
	check(t, err)
	eva, err := books.Actor(t.Context(), user.ID, "main")
	check(t, err)
	receipt, err := books.RequestPayment(t.Context(), eva, "p1", store.PaymentRequest{AmountMinor: 1000, Currency: "EUR", Customer: "Ada"})
	check(t, err)
	return receipt.ID
}

// namedGateway is a gateway that is never asked for anything.
type namedGateway struct{ gateway.Gateway }

func (namedGateway) Name() string { return "sim" }

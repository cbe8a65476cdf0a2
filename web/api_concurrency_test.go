package web_test

import (
	"fmt"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
)

// race sends n requests at once, the i-th from senders[i%len(senders)].
func race(t *testing.T, n int, senders []client, path, body string) []response {
	t.Helper()
	answers, start := make([]response, n), make(chan struct{})
	var group sync.WaitGroup
	for i := range n {
		group.Go(func() {
			<-start
			answer, err := senders[i%len(senders)].try(t, http.MethodPost, path, body)
			if err != nil {
				t.Error(err)
			}
			answers[i] = answer
		})
	}
	close(start)
	group.Wait()
	return answers
}

func TestFortyCallersWithOneKeyMakeOneEntry(t *testing.T) {
	t.Parallel()
	b := setup(t)
	_, otherURL := b.serve(t, 10*time.Second)
	here := b.as("preparer")
	there := here
	there.url = otherURL + "/api/v1/books/main"
	for name, senders := range map[string][]client{"one": {here}, "two": {here, there}} {
		for round := range 3 {
			id := fmt.Sprintf("%s-%d", name, round)
			var keyed []client
			for _, sender := range senders {
				keyed = append(keyed, sender.key("key-"+id))
			}
			firsts, receipts := 0, map[string]int{}
			for _, answer := range race(t, 40, keyed, "/entries", deposit(id)) {
				answer.want(t, 201)
				if strings.Contains(answer.body, `"duplicate":false`) {
					firsts++
				}
				receipts[strings.Replace(answer.body, `"duplicate":true`, `"duplicate":false`, 1)]++
			}
			if firsts != 1 || len(receipts) != 1 {
				t.Fatalf("%s: %d first answers, %d different receipts", id, firsts, len(receipts))
			}
		}
	}
	if entries := b.as("viewer").get(t, "/entries").want(t, 200)["items"].([]any); len(entries) != 6 {
		t.Errorf("there are %d entries, want 6", len(entries))
	}
}

func TestSixteenApprovalsAtOnceMakeOneReversal(t *testing.T) {
	t.Parallel()
	b := setup(t)
	_, otherURL := b.serve(t, 10*time.Second)
	b.as("preparer").key("k").post(t, "/entries", deposit("t1")).want(t, 201)
	b.as("preparer").post(t, "/entries/1/reversal-requests", `{"reason":"wrong customer","effective_on":"2026-03-31","replacement":`+
		strings.Replace(entryOf("", posting("1010", 3050, "EUR"), posting("customer:bob", -3050, "EUR")), `"tx_id":"",`, "", 1)+`}`).want(t, 201)
	here := b.as("approver")
	there := here
	there.url = otherURL + "/api/v1/books/main"
	firsts := 0
	for _, answer := range race(t, 16, []client{here, there}, "/approvals/1/approve", "") {
		decision := answer.want(t, 200)
		if fmt.Sprintf("%v %v %v", decision["reversal"], decision["replacement"], decision["status"]) != "2 3 approved" {
			t.Errorf("got %s", answer.body)
		}
		if decision["duplicate"] == false {
			firsts++
		}
	}
	if firsts != 1 {
		t.Errorf("%d answers are the first", firsts)
	}
	if entries := b.as("viewer").get(t, "/entries").want(t, 200)["items"].([]any); len(entries) != 3 {
		t.Errorf("there are %d entries, want 3", len(entries))
	}
}

func TestEveryCommandWithOneKeyIsDoneOnce(t *testing.T) {
	t.Parallel()
	b := setup(t)
	_, otherURL := b.serve(t, 10*time.Second)
	b.as("preparer").key("k").post(t, "/entries", deposit("t1")).want(t, 201)
	for _, command := range []struct {
		who, path, body string
		status          int
	}{
		{"admin", "/accounts", `{"code":"till","name":"Till","type":"asset","currency":"EUR"}`, 201},
		{"preparer", "/entries/1/reversal-requests", reversal, 201},
		{"approver", "/approvals/1/approve", `{"note":"seen"}`, 200},
	} {
		here := b.as(command.who).key("key of " + command.path)
		there := here
		there.url = otherURL + "/api/v1/books/main"
		firsts := 0
		for _, answer := range race(t, 12, []client{here, there}, command.path, command.body) {
			if answer.want(t, command.status)["duplicate"] == false {
				firsts++
			}
		}
		if firsts != 1 {
			t.Errorf("%s: %d answers are the first", command.path, firsts)
		}
	}
}

func TestAWaitThatRunsOutSaysWhenToTryAgain(t *testing.T) {
	t.Parallel()
	b := setup(t)
	_, impatientURL := b.serve(t, 50*time.Millisecond)
	release := b.holdHead(t)
	defer release()
	impatient := b.as("preparer").key("k")
	impatient.url = impatientURL + "/api/v1/books/main"
	answer := impatient.post(t, "/entries", deposit("t1"))
	answer.refused(t, "busy", 503)
	if answer.header.Get("Retry-After") != "1" {
		t.Errorf("headers are %v", answer.header)
	}
	release()
	impatient.url = b.as("preparer").url
	impatient.post(t, "/entries", deposit("t1")).want(t, 201)
}

func TestAKeyThatIsStillInProgressIsToldApart(t *testing.T) {
	t.Parallel()
	b := setup(t)
	_, impatientURL := b.serve(t, time.Second)
	conn, err := pgx.Connect(t.Context(), b.ownerURL)
	ok(t, err)
	defer conn.Close(t.Context())
	_, err = conn.Exec(t.Context(), `
		BEGIN;
		INSERT INTO idempotency_keys (book_id, key, operation, fingerprint, attempts, replays, used_by, settled_at, expires_at)
		SELECT b.id, 'k', 'account', sha256('x'), 1, 0, u.id, '2026-03-31', '2026-04-30' FROM books b, users u LIMIT 1`)
	ok(t, err)
	impatient := b.as("admin").key("k")
	impatient.url = impatientURL + "/api/v1/books/main"
	till := `{"code":"till","name":"Till","type":"asset","currency":"EUR"}`
	answer := impatient.post(t, "/accounts", till)
	answer.refused(t, "idempotency-key-in-progress", 409)
	if answer.header.Get("Retry-After") != "1" {
		t.Errorf("headers are %v", answer.header)
	}
	_, err = conn.Exec(t.Context(), `ROLLBACK`)
	ok(t, err)
	b.as("admin").key("k").post(t, "/accounts", till).want(t, 201)
}

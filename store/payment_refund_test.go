package store_test

import (
	"testing"
	"time"

	"daybook/store"
	"daybook/store/gateway"
	"daybook/store/ledger"
	"daybook/store/payment"
)

func TestCommandPayment_ARefundBeyondTheLimitWaitsForAnotherPerson(t *testing.T) {
	t.Parallel()
	c := setupPayments(t)
	id := c.capture(t, 9_000)[0]
	amount := int64(5_001)
	_, err := c.CommandPayment(t.Context(), c.controller, "r1", store.PaymentCommand{PaymentID: id, Command: gateway.Refund, AmountMinor: &amount})
	refused(t, err, ledger.KindInvalid)
	ask := store.PaymentCommand{PaymentID: id, Command: gateway.Refund, AmountMinor: &amount, Reason: "arrived cracked"}
	asked, err := c.CommandPayment(t.Context(), c.controller, "r2", ask)
	ok(t, err)
	again, err := c.CommandPayment(t.Context(), c.controller, "r2", ask)
	ok(t, err)
	if asked.ApprovalID == 0 || again.ApprovalID != asked.ApprovalID || !again.Duplicate || asked.State != "captured" || len(c.till.done) != 2 {
		t.Fatalf("asked %+v, again %+v; the gateway did %d things", asked, again, len(c.till.done))
	}
	_, err = c.CommandPayment(t.Context(), c.preparer, "r3", ask)
	refused(t, err, ledger.KindIllegalTransition)
	_, _, err = c.Decide(t.Context(), c.controller, "", asked.ApprovalID, store.Approved, "")
	refused(t, err, ledger.KindOwnRequest)
	decided, _, err := c.Decide(t.Context(), c.approver, "", asked.ApprovalID, store.Approved, "seen")
	ok(t, err)
	if decided.Refund == nil || decided.Refund.AmountMinor != amount || !decided.Intact() || decided.Subject() != "payment 1" {
		t.Errorf("decided %+v", decided)
	}
	c.is(t, id, payment.Captured, false)
	c.till.plan = []step{losesTheRequest, losesTheAnswer}
	c.works(t)
	c.eventually(t, `SELECT state FROM payments`, "partly_refunded")
	history, err := c.PaymentHistory(t.Context(), c.viewer, id)
	ok(t, err)
	last := history.Calls[len(history.Calls)-1]
	if history.RefundedMinor != amount || last.ApprovalID != asked.ApprovalID || last.State != store.CallDone || len(c.till.done) != 3 || history.Events[2].By != "approver" {
		t.Errorf("its history is %+v", history)
	}
	c.isSound(t)
}

func TestDecide_ARefundThatIsNotPossibleAnyMoreStaysPending(t *testing.T) {
	t.Parallel()
	c := setupPayments(t)
	id := c.capture(t, 9_000)[0]
	asked, err := c.CommandPayment(t.Context(), c.controller, "r1", store.PaymentCommand{PaymentID: id, Command: gateway.Refund, Reason: "cracked"})
	ok(t, err)
	c.must(t, id, gateway.Refund, "small", 100)
	_, _, err = c.Decide(t.Context(), c.approver, "", asked.ApprovalID, store.Approved, "")
	refused(t, err, ledger.KindInvalid)
	pending, err := c.Approval(t.Context(), c.viewer, asked.ApprovalID)
	ok(t, err)
	if pending.Status != store.Pending || len(c.till.done) != 3 {
		t.Errorf("it is %s; the gateway did %d things", pending.Status, len(c.till.done))
	}
}

// A server that dies with a request on its way leaves a row that says so, and another finds out what became of it.
func TestWorkJobs_WhatADeadServerAskedIsFoundOut(t *testing.T) {
	t.Parallel()
	for name, left := range map[string]struct {
		plan        step
		state, task string
	}{
		"Lost":             {losesTheRequest, "created", `DELETE FROM river_job`},
		"Done":             {losesTheAnswer, "authorized", `DELETE FROM river_job`},
		"WhileItWasAsking": {losesTheAnswer, "authorized", `UPDATE river_job SET state = 'running', attempt = 1, attempted_at = scheduled_at`},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c := setupPayments(t, left.plan)
			id := c.asks(t, 1_000, "alice")
			c.must(t, id, gateway.Authorize, "k")
			// As its server left it: the claim held, nothing planned, or what was planned begun.
			c.sql(t, left.task, `UPDATE payment_calls SET state = 'open'`, `
				INSERT INTO idempotency_keys (book_id, key, operation, fingerprint, content, attempts, replays, used_by, claimed_at, owner, lease_until, heartbeat_at, expires_at)
				SELECT c.book_id, c.key, 'payment.authorize', sha256(convert_to('payment.authorize' || E'\n' || c.content, 'UTF8')), c.content::jsonb, 1, 0, c.user_id,
				       c.created_at, 'dead:1/x', c.created_at + interval '6 seconds', c.created_at, c.created_at + interval '30 days' FROM payment_calls c`)
			c.clock.advance(time.Minute)
			c.works(t)
			c.eventually(t, `SELECT state FROM payment_calls`, map[string]string{"created": "not_done", "authorized": "done"}[left.state])
			c.eventually(t, `SELECT state FROM payments`, left.state)
			if again := c.must(t, id, gateway.Authorize, "k"); again.State != "authorized" || len(c.till.done) != 1 {
				t.Errorf("who asked is told %+v; the gateway did %d things", again, len(c.till.done))
			}
		})
	}
}

// However often somebody asks, and the gateway does not answer, the server looks after it once at a time.
func TestWorkJobs_AsksOnceAtATime(t *testing.T) {
	t.Parallel()
	c := setupPayments(t, losesTheRequest, isDeaf, isDeaf, isDeaf)
	id := c.asks(t, 1_000, "alice")
	for range 3 {
		c.must(t, id, gateway.Authorize, "k")
	}
	const tasks = `SELECT count(*)::text FROM river_job WHERE kind = 'call' AND state <> 'completed'`
	if planned := c.column(t, tasks); planned[0] != "1" {
		t.Errorf("%s tasks ask for it", planned[0])
	}
	c.clock.advance(2 * time.Second)
	c.works(t)
	c.eventually(t, `SELECT count(*)::text FROM payment_tries`, "4")
	c.eventually(t, tasks, "1")
}

package store_test

import (
	"strings"
	"testing"

	"daybook/store/gateway"
)

func TestVerify_HoldsMessagesAgainstWhatTheyDid(t *testing.T) {
	t.Parallel()
	c := setupPayments(t)
	c.takes(t, posts("m-1", "t1"))
	id := c.asks(t, 1_000, "alice")
	c.takes(t, told("m-2", "authorized", id, `,"ref":"a"`))
	c.must(t, id, gateway.Capture, "k", 1_000)
	c.toldBy(t, "till", "m-3", "payout.paid", paid("po_1", 960, 0, item(id, "captured", "capture-1", 1_000, 0)))
	if v := c.verify(t); v.Fault != nil {
		t.Fatalf("at first: %s", v.Fault)
	}
	c.sql(t, `ALTER TABLE inbox_messages DISABLE TRIGGER USER`, `ALTER TABLE payment_events DISABLE TRIGGER USER`, `ALTER TABLE payment_calls DISABLE TRIGGER ALL`,
		`ALTER TABLE payout_items DISABLE TRIGGER USER`, `ALTER TABLE payouts DISABLE TRIGGER ALL`)
	for _, tampering := range []struct{ statement, undo, want string }{
		{`UPDATE inbox_messages SET data = data || ' ' WHERE message_id = 'm-1'`, `UPDATE inbox_messages SET data = rtrim(data)`, "message m-1 of shop has other data than came"},
		{`UPDATE inbox_messages SET seq = NULL WHERE message_id = 'm-1'`, `UPDATE inbox_messages SET seq = 1 WHERE message_id = 'm-1'`, "message m-1 of shop, entry.post, is applied, and nothing"},
		{`UPDATE inbox_messages SET payment_id = NULL WHERE message_id = 'm-2'`, `UPDATE inbox_messages SET payment_id = 1 WHERE message_id = 'm-2'`, "message m-2 of shop, payment.authorized, is applied, and nothing"},
		{`UPDATE inbox_messages SET state = 'dismissed', problem = '{}' WHERE message_id = 'm-2'`, `UPDATE inbox_messages SET state = 'applied', problem = NULL WHERE message_id = 'm-2'`,
			"payment 1: its event 1 came by message m-2 of shop, which is not applied"},
		{`UPDATE numbers SET last = 2 WHERE kind = 'payment'`, `UPDATE numbers SET last = 1 WHERE kind = 'payment'`, "it has 1 numbered as payment up to 1, and 2 numbers were given out"},
		{`UPDATE payment_calls SET id = 7`, `UPDATE payment_calls SET id = 1`, "it has 1 numbered as payment call up to 7, and 1 numbers were given out"},
		{`DELETE FROM payout_items`, ``, ""},
		{`DELETE FROM payouts`, ``, "it has 0 numbered as payout up to 0, and 1 numbers were given out"},
	} {
		c.sql(t, tampering.statement)
		v := c.verify(t)
		if got := (v.Fault != nil); got != (tampering.want != "") || got && !strings.HasPrefix(strings.TrimPrefix(v.Fault.String(), "book: "), tampering.want) {
			t.Errorf("after %s: %v, want %s", tampering.statement, v.Fault, tampering.want)
		}
		c.sql(t, tampering.undo)
	}
}

// TestGuards_KeepWhatWasAskedOfAGateway: of a call only how far it is changes.
func TestGuards_KeepWhatWasAskedOfAGateway(t *testing.T) {
	t.Parallel()
	c := setupPayments(t)
	c.must(t, c.asks(t, 1_000, "alice"), gateway.Authorize, "k")
	for _, set := range []string{
		"payment_id = 2", "command = 'void'", "n = 2", "amount_minor = 1", "key = 'x'", "content = 'x'", "reason = 'x'", "approval_id = 1", "user_id = user_id + 1", "request_id = 'x'",
		"address = 'x'", "created_at = 'infinity'", "id = 2",
	} {
		_, err := c.owner(t).Exec(t.Context(), `UPDATE payment_calls SET `+set)
		if err == nil || !strings.Contains(err.Error(), "DB001") {
			t.Errorf("setting %s gave %v", set, err)
		}
	}
	c.sql(t, `UPDATE payment_calls SET state = 'unknown', attempts = 2, why = 'x', problem = '{}', changed_at = now()`)
}

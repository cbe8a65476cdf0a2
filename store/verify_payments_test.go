package store_test

import (
	"strings"
	"testing"

	"daybook/store/gateway"
)

func TestVerify_ReplaysPayments(t *testing.T) {
	t.Parallel()
	c := setupPayments(t)
	ids := c.capture(t, 1_000, 2_000)
	c.must(t, ids[0], gateway.Refund, "r", 300)
	if v := c.verify(t); v.Fault != nil {
		t.Fatalf("at first: %s", v.Fault)
	}
	c.sql(t, `ALTER TABLE payments DISABLE TRIGGER USER`, `ALTER TABLE payment_events DISABLE TRIGGER USER`, `DROP INDEX payment_events_by_entry`,
		`CREATE TABLE kept_events AS TABLE payment_events`, `CREATE TABLE kept_payments AS TABLE payments`)
	for statement, want := range map[string]string{
		`UPDATE payments SET refunded_minor = 400 WHERE id = 1`:                                   "payment 1 is kept as partly_refunded, and its events lead to",
		`UPDATE payments SET state = 'voided' WHERE id = 2`:                                       "payment 2 is kept as voided",
		`DELETE FROM payment_events WHERE payment_id = 2 AND kind = 'authorized'`:                 "payment 2: its event 1, captured, does not follow those before it",
		`UPDATE payment_events SET amount_minor = 999 WHERE payment_id = 1 AND kind = 'captured'`: "entry 1: posts 1000 for captured of payment 1, which moves 999",
		`UPDATE payment_events SET seq = 2 WHERE payment_id = 1 AND kind = 'authorized'`:          "payment 1: its event 1, authorized, has no entry, or should have none",
		`INSERT INTO payment_events SELECT book_id, payment_id, 9, kind, ref || 'x', amount_minor, fee_minor, reason, seq, call_id, source, message_id, user_id, at
		   FROM payment_events WHERE payment_id = 1 AND kind = 'captured'`: "payment 1: its event 4, captured, does not follow those before it",
	} {
		c.sql(t, statement)
		if v := c.verify(t); v.Fault == nil || !strings.HasPrefix(strings.TrimPrefix(v.Fault.String(), "book: "), want) {
			t.Errorf("after %s: %v, want %s", statement, v.Fault, want)
		}
		c.resetPayments(t)
	}
}

// resetPayments puts payments and their events back to what they were; the guards are off.
func (c counter) resetPayments(t *testing.T) {
	t.Helper()
	c.sql(t, `DELETE FROM payment_events`, `INSERT INTO payment_events SELECT * FROM kept_events`,
		`UPDATE payments p SET state = k.state, refunded_minor = k.refunded_minor FROM kept_payments k WHERE k.id = p.id`)
}

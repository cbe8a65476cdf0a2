package inbox

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"

	"daybook/store/ledger"
	"daybook/store/payment"
)

func TestReadPaymentAndReadPayout_RefuseTextsThatAreTooLong(t *testing.T) {
	t.Parallel()
	for name, limit := range map[string]int{"ref": 255, "charge": 255, "key": 255, "reason": 500, "currency": 3} {
		read := func(text string) error {
			quoted, err := json.Marshal(text)
			if err == nil {
				_, err = ReadPayment(payment.KindCapture, fmt.Appendf(nil, `{"payment_id":1,%q:%s}`, name, quoted))
			}
			return err
		}
		if err := read(strings.Repeat("é", limit)); err != nil {
			t.Errorf("%s of %d characters gave %v", name, limit, err)
		}
		for _, text := range []string{strings.Repeat("é", limit+1), "a\nb", "a\u0085"} {
			isAt(t, read(text), name)
		}
	}
	payout := func(name, currency, ref string) error {
		_, err := ReadPayout(fmt.Appendf(nil, `{"payout":%q,"currency":%q,"amount":1,"paid_on":"2026-03-31","items":[{"payment_id":1,"kind":"captured","ref":%q,"amount":1}]}`, name, currency, ref))
		return err
	}
	long := strings.Repeat("x", 256)
	if err := payout(long[1:], "EUR", long[1:]); err != nil {
		t.Errorf("at the limits a payout gave %v", err)
	}
	isAt(t, payout(long, "EUR", "r"), "payout")
	isAt(t, payout("p", "EURO", "r"), "currency")
	isAt(t, payout("p", "EUR", long), "items[0].ref")
	isAt(t, payout("p\n", "EUR", "r"), "payout")
}

// isAt wants a refusal of one field.
func isAt(t *testing.T, err error, field string) {
	t.Helper()
	var refusal *ledger.Error
	if !errors.As(err, &refusal) || refusal.Kind != ledger.KindInvalid || len(refusal.Fields) != 1 || refusal.Fields[0].Field != field {
		t.Errorf("it gave %v, want a refusal of %s", err, field)
	}
}

package web_test

import (
	"strings"
	"testing"
)

func TestAPI_TellsOfPayouts(t *testing.T) {
	t.Parallel()
	b := paidOut(t)
	viewer := b.as("viewer")
	list := bodyOf(t, viewer.get(t, "/payouts?limit=1"), 200)
	if !strings.Contains(list, `"payout":"=po_9","source":"payport","message_id":"evt-9","paid_on":"2026-03-31","currency":"EUR","item_count":1,"gross":10000,"fees":200,"fee":25,"amount":9800,"seq":2`) {
		t.Errorf("the payouts are %s", list)
	}
	viewer.get(t, "/payouts?after=1").want(t, 200)
	if whole := bodyOf(t, viewer.get(t, "/payouts/1"), 200); !strings.Contains(whole, `"gross":10000,"fee":175,"amount":9825,"seq":2,"line":1,"bank":"in_transit","reconciliation_id":null,"break_id":null,"reversed_by":null}]`) {
		t.Errorf("the payout is %s", whole)
	}
	viewer.get(t, "/payouts/2").want(t, 404)
	viewer.get(t, "/payouts?after=x").want(t, 422)
	if payment := bodyOf(t, viewer.get(t, "/payments/1"), 200); !strings.Contains(payment, `"payouts":[{"payout_id":1,"payout":"=po_9"`) {
		t.Errorf("the payment is %s", payment)
	}
}

func TestAPI_SetsTheAccountsOfPayments(t *testing.T) {
	t.Parallel()
	b := setup(t)
	for code, kind := range map[string]string{"1210": "asset", "2410": "liability", "6200": "expense", "6290": "expense"} {
		b.open(t, code, kind, "EUR")
	}
	admin := b.as("admin")
	const settings = `{"currency":"EUR","clearing":"1210","received":"2410","fees":"6200","chargebacks":"6290","bank":"1010","customer_accounts":true,"refund_limit":5000}`
	for range 2 { // the second time nothing changes
		if got := bodyOf(t, admin.put(t, "/payment-settings", settings), 200); !strings.Contains(got, `"customer_accounts":true,"refund_limit":5000,"version":1,`) {
			t.Errorf("they are %s", got)
		}
	}
	if got := bodyOf(t, b.as("viewer").get(t, "/payment-settings"), 200); !strings.Contains(got, `{"items":[{"currency":"EUR","clearing":"1210","received":"2410","fees":"6200"`) {
		t.Errorf("they are %s", got)
	}
	if got := bodyOf(t, admin.put(t, "/payment-settings", strings.Replace(settings, "6290", "6200", 1)), 422); !strings.Contains(got, `"field":"chargebacks"`) {
		t.Errorf("one account twice is refused as %s", got)
	}
	b.as("preparer").put(t, "/payment-settings", settings).want(t, 403)
}

// bodyOf is the text of an answer that has a status.
func bodyOf(t *testing.T, got response, status int) string {
	t.Helper()
	got.want(t, status)
	return got.body
}

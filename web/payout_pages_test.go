package web_test

import (
	"fmt"
	"strings"
	"testing"
)

// paidOut has a payment of 100.00 captured as entry 1 with a fee of 1.75, and paid out with a fee of 0.25 as entry 2.
func paidOut(t *testing.T) *bundle {
	t.Helper()
	b := payments(t, `{}`)
	preparer := b.browser(t, "preparer")
	pays(t, preparer, "amount", "100.00", "customer", "Eva Peters")
	does(t, preparer, "authorize").want(t, 303)
	does(t, preparer, "capture").want(t, 303)
	ref := b.owned(t, `SELECT ref FROM payment_events WHERE kind = 'captured'`)[0]
	b.as("preparer").post(t, "/inbox", fmt.Sprintf(`{"source":"payport","message_id":"evt-9","type":"payout.paid","data":{"payout":"=po_9","currency":"EUR","amount":9800,"fee":25,
		"paid_on":"2026-03-31","items":[{"payment_id":1,"kind":"captured","ref":%q,"amount":10000}]}}`, ref)).want(t, 200)
	return b
}

func TestPayoutPages_LeadFromThePaymentToTheBank(t *testing.T) {
	t.Parallel()
	b := paidOut(t)
	viewer := b.browser(t, "viewer")
	viewer.get(t, "/b/main/payments").link(t, "Payouts")
	list := viewer.get(t, "/b/main/payments/payouts").want(t, 200).says(t, "=po_9", "payport", "100.00", "minus (2.00)", "98.00 EUR", "#2", "In transit")
	whole := viewer.get(t, list.link(t, "=po_9")).want(t, 200)
	whole.says(t, "Payout =po_9", "1 item", "evt-9", "P-1", "Captured", "98.25", "#2, line 1", "Fee of the payout itself", "Arrives, EUR")
	viewer.get(t, whole.link(t, "P-1")).want(t, 200).says(t, "Paid out in =po_9").link(t, "=po_9")
	viewer.get(t, "/b/main/journal/2").says(t, "Payout =po_9", "evt-9 of payport")
	viewer.get(t, "/b/main/payments/payouts?q=PO_9").says(t, "=po_9")
	viewer.get(t, "/b/main/payments/payouts?q=po_8").says(t, "No payout is like that")
	viewer.get(t, "/b/main/payments/payouts/2").want(t, 404)
	b.browser(t, "stranger").get(t, "/b/main/payments/payouts").want(t, 403)
	b.browser(t, "stranger").get(t, "/b/main/payments/payouts/1").want(t, 403)
	b.browser(t, "stranger").get(t, "/b/main/payments/payouts/1/items.csv").want(t, 403)
}

func TestPayoutPages_SendTheItemsAsAFileThatAddsUp(t *testing.T) {
	t.Parallel()
	b := paidOut(t)
	file := b.browser(t, "viewer").get(t, "/b/main/payments/payouts/1/items.csv").want(t, 200).body
	for _, want := range []string{"'=po_9,2026-03-31,payport,1,captured,", ",EUR,100.00,1.75,98.25,2,1,in_transit,,,", "'=po_9,2026-03-31,payport,,fee,,EUR,0.00,0.25,-0.25,2,,,,,"} {
		if !strings.Contains(file, want) {
			t.Errorf("the file lacks %q: %s", want, file)
		}
	}
}

func TestPayoutPages_WarnOfWhatAReversalDoesAndShowThatItWasDone(t *testing.T) {
	t.Parallel()
	b := paidOut(t)
	preparer, approver := b.browser(t, "preparer"), b.browser(t, "approver")
	preparer.get(t, "/b/main/journal/1/reverse").want(t, 200).says(t, "This is the capture of payment P-1.", "the payment stays captured at the gateway. To give the money back, refund it.")
	form := preparer.get(t, "/b/main/journal/2/reverse").want(t, 200).says(t, "This is the entry of payout =po_9.", "Reversing it sets its payments back to not paid out.")
	preparer.submit(t, form, "/b/main/journal/2/reverse", typed("reason", "The bank sent it back")).want(t, 303)
	request := approver.get(t, "/b/main/approvals?id=1").says(t, "Reversing it sets its payments back to not paid out.")
	approver.submit(t, request, "/b/main/approvals/1/approve", nil).want(t, 303)
	approver.get(t, "/b/main/payments/payouts/1").says(t, "This payout was reversed.", "Reversed by #3")
	approver.get(t, "/b/main/payments/1").says(t, "Not paid out", "Reversed", "The entry was reversed: nothing was paid out")
}

package story_test

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"
)

// pay makes payments of the demo: one that was given back in part, one that is held, one that was let go and one that was only asked for. It
// delivers messages too: one that is applied twice, and two that cannot be.
func (p program) pay(t *testing.T) {
	t.Helper()
	preparer, key := p.as("preparer"), 0
	does := func(status int, path, body string) object {
		key++
		return preparer.key(fmt.Sprint("pages-", key)).post(t, path, body).want(t, status)
	}
	steps := [][]string{{"authorize", "capture", "refund"}, {"authorize"}, {"authorize", "void"}, nil}
	for i, customer := range []string{"Eva Peters", "Timo Kok", "Lies Kok", "A customer whose name goes on for longer than a column of a table is wide"} {
		payment := does(201, "/payments", fmt.Sprintf(`{"amount":%d,"currency":"EUR","customer":%q,"reference":"Order 2100%d"}`, 8450+i*100, customer, i))
		for _, step := range steps[i] {
			body := ""
			if step == "refund" {
				body = `{"amount":2450,"reason":"One piece was cracked"}`
			}
			does(200, fmt.Sprint("/payments/", payment["id"], "/", step), body)
		}
	}
	does(200, "/inbox", preparer.get(t, "/payments/1").want(t, 200).paidOut(t))
	order := func(id, account string) string {
		return fmt.Sprintf(`{"source":"webshop","message_id":%q,"type":"entry.post","data":{"tx_id":%[1]q,"effective_on":"2026-03-31","description":"Web shop order","postings":[{"account":"1010","amount":3050,"currency":"EUR"},{"account":%q,"amount":-3050,"currency":"EUR"}]}}`, id, account)
	}
	for _, message := range []string{order("ord-21010/paid", "4010"), order("ord-21010/paid", "4010"), order("ord-21011/paid", "4999"), `{"source":"webshop","message_id":"ord-21012/odd","type":"order.odd","data":{}}`} {
		does(200, "/inbox", message)
	}
}

// paidOut is a message that a payment's capture was paid out, with a fee of 0.25.
func (o object) paidOut(t *testing.T) string {
	t.Helper()
	for _, e := range o.list(t, "events") {
		if e.text("type") == "payment.captured" {
			return fmt.Sprintf(`{"source":"payport","message_id":"evt-pages","type":"payout.paid","data":{"payout":"po_pages","currency":"EUR","amount":%d,"fee":25,"paid_on":"2026-03-31","items":[
				{"payment_id":%s,"kind":"captured","ref":%q,"amount":%d}]}}`, e.number(t, "amount")-e.number(t, "fee")-25, o.text("id"), e.text("ref"), e.number(t, "amount"))
		}
	}
	t.Fatalf("it was not captured: %v", o)
	return ""
}

// looksAtMoney opens what only somebody who may post can see of payments and the inbox, and what comes of forms that are wrong.
func (tb *tab) looksAtMoney() {
	tb.Helper()
	for _, page := range []struct{ name, path string }{
		{"payments", "/b/main/payments?id=1"}, {"payment", "/b/main/payments/1"}, {"payout", "/b/main/payments/payouts/1"}, {"payment-refund", "/b/main/payments/1/refund"}, {"payment-capture", "/b/main/payments/2/capture"},
		{"payment-void", "/b/main/payments/2/void"}, {"payment-voided", "/b/main/payments/3"}, {"payment-authorize", "/b/main/payments/4/authorize"},
		{"payment-new", "/b/main/payments/new"}, {"inbox", "/b/main/inbox?of=webshop&id=ord-21011%2Fpaid"}, {"inbox-applied", "/b/main/inbox?of=webshop&id=ord-21010%2Fpaid"},
		{"inbox-upload", "/b/main/inbox/upload"}, {"simulator", "/b/main/payments/simulator"},
	} {
		tb.open(page.path)
		tb.isSound(page.name)
	}
	tb.open("/b/main/payments/1/refund")
	tb.fill("Amount in EUR", "9999.00")
	tb.fill("Reason", "Too much")
	tb.press("Refund")
	tb.isSound("payment-refund-refused")
	tb.deliversAFile()
	tb.isNotAnswered()
}

// deliversAFile uploads messages of which one is none.
func (tb *tab) deliversAFile() {
	tb.Helper()
	file := filepath.Join(tb.TempDir(), "orders.ndjson")
	ok(tb.T, os.WriteFile(file, []byte("{\"source\":\"webshop\",\"message_id\":\"ord-21013\",\"type\":\"order.odd\",\"data\":{}}\nnot a message\n"), 0o600))
	tb.open("/b/main/inbox/upload")
	tb.fill("File of messages", file)
	tb.press("Deliver the file")
	tb.sees("2 lines were not applied.", "Line")
	tb.isSound("inbox-uploaded")
}

// isNotAnswered has the simulator give no answer for a while, nor any news: what a person is told then, and what they can say.
func (tb *tab) isNotAnswered() {
	tb.Helper()
	tb.open("/b/main/payments/simulator")
	tb.fill("Times out after, per cent", "100")
	tb.fill("Asking again times out, per cent", "100")
	tb.click("Send them; unticked…")
	tb.press("Set it so")
	tb.sees("The simulator is set.")
	tb.open("/b/main/payments/4/authorize")
	tb.press("Authorize")
	tb.sees("The gateway has not answered.", "never charged again by a retry", "Say what the gateway did")
	tb.isSound("payment-unknown")
	tb.open("/b/main/payments?unsettled=yes&id=4")
	tb.isSound("payments-unknown")
	tb.open("/b/main/payments/4/settle")
	tb.isSound("payment-settle")
	tb.open("/b/main/payments/simulator")
	tb.press("No faults")
	tb.sees("The simulator does what it should.")
}

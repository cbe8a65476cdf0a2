package web_test

import (
	"fmt"
	"strings"
	"testing"

	"daybook/store"
)

// payments is a bundle whose store makes payments at a simulator with faults, booked on accounts that open by themselves.
func payments(t *testing.T, faults string) *bundle {
	t.Helper()
	return setup(t, simulated(t, faults), store.WithPaymentAccounts())
}

// pays asks for a payment on its page, and gives the page of the payment.
func pays(t *testing.T, br *browser, pairs ...string) page {
	t.Helper()
	form := br.get(t, "/b/main/payments/new")
	answer := br.submit(t, form, "/b/main/payments/new", typed(pairs...)).want(t, 303)
	return br.get(t, answer.location()).want(t, 200)
}

// does sends the form of an action of payment 1.
func does(t *testing.T, br *browser, do string, pairs ...string) page {
	t.Helper()
	address := "/b/main/payments/1/" + do
	return br.submit(t, br.get(t, address).want(t, 200), address, typed(pairs...))
}

func TestPaymentPages_LeadAPaymentFromTheRequestToItsRefund(t *testing.T) {
	t.Parallel()
	b := payments(t, `{}`)
	preparer, viewer := b.browser(t, "preparer"), b.browser(t, "viewer")
	pays(t, preparer, "amount", "100.00", "customer", "Eva Peters", "reference", "Order 7").says(t,
		"Payment P-1 is put down.", "Created", "Asked for 100.00 EUR", "Authorize", "Eva Peters", "Order 7")
	preparer.get(t, does(t, preparer, "authorize").want(t, 303).location()).says(t, "The payment is authorized.", "Authorized 100.00", "Capture", "Void")
	preparer.get(t, "/b/main/payments/1/capture").says(t, "What is not captured is let go")
	captured := preparer.get(t, does(t, preparer, "capture").want(t, 303).location())
	captured.says(t, "The payment is captured.", "Captured 100.00, entry #1 Fee 1.75", "Left after fees 98.25", "Capture of 100.00 EUR Done", "Not paid out")
	preparer.get(t, does(t, preparer, "refund", "amount", "40.00", "reason", "One piece was cracked").want(t, 303).location()).says(t,
		"The payment is partly refunded.", "Refunded 40.00, entry #2")
	viewer.get(t, "/b/main/payments/1").says(t, "It needs the right “post”", "Who can give you a role that has it:")
	viewer.get(t, "/b/main/journal/1").says(t, "Payment P-1")
	viewer.get(t, "/b/main/payments?id=1").says(t, "Captured, 1 100.00", "Refunded, 1 minus (40.00)", "Left at the processor, 1210", "P-1", "States")
	viewer.post(t, "/b/main/payments/1/refund", nil).want(t, 403)
	viewer.get(t, "/b/main/payments/2").want(t, 404)
	b.browser(t, "stranger").get(t, "/b/main/payments").want(t, 403)
}

func TestPaymentPages_DoNothingTwice(t *testing.T) {
	t.Parallel()
	b := payments(t, `{}`)
	preparer := b.browser(t, "preparer")
	form := preparer.get(t, "/b/main/payments/new")
	first := preparer.submit(t, form, "/b/main/payments/new", typed("amount", "100.00", "customer", "Eva")).want(t, 303)
	second := preparer.submit(t, form, "/b/main/payments/new", typed("amount", "100.00", "customer", "Eva")).want(t, 303)
	if first.location() != second.location() {
		t.Errorf("one form put down %s and %s", first.location(), second.location())
	}
	preparer.submit(t, form, "/b/main/payments/new", typed("amount", "7.00", "customer", "Eva")).want(t, 422).says(t, "This form put another payment down before.")
	does(t, preparer, "authorize").want(t, 303)
	capture := preparer.get(t, "/b/main/payments/1/capture")
	for range 3 {
		preparer.submit(t, capture, "/b/main/payments/1/capture", nil).want(t, 303)
	}
	if entries := b.owned(t, `SELECT count(*)::text FROM entries`); entries[0] != "1" {
		t.Errorf("one capture posted %s entries", entries[0])
	}
	preparer.submit(t, capture, "/b/main/payments/1/capture", typed("amount", "50.00")).want(t, 422).says(t, "This form was sent before.")
}

func TestPaymentPages_NameWhatCannotBeDone(t *testing.T) {
	t.Parallel()
	b := payments(t, `{}`)
	preparer := b.browser(t, "preparer")
	form := preparer.get(t, "/b/main/payments/new")
	preparer.submit(t, form, "/b/main/payments/new", typed("amount", "a lot", "customer", "")).want(t, 422).says(t, "\"a lot\" is not an amount", "Customer is missing")
	pays(t, preparer, "amount", "100.00", "customer", "Eva")
	void := preparer.get(t, "/b/main/payments/1/authorize")
	does(t, preparer, "authorize").want(t, 303)
	preparer.submit(t, void, "/b/main/payments/1/authorize", typed("form", "another-key")).want(t, 409).says(t, "Here is the payment as it stands now.")
	capture := does(t, preparer, "capture", "amount", "100.01").want(t, 422).says(t, "Amount is more than what was authorized: 100.00 EUR")
	preparer.submit(t, capture, "/b/main/payments/1/capture", typed("amount", "0.00")).want(t, 422).says(t, "Amount must be more than 0")
	preparer.submit(t, capture, "/b/main/payments/1/capture", typed("amount", "60.00")).want(t, 303)
	does(t, preparer, "refund", "amount", "60.01", "reason", "All of it").want(t, 422).says(t, "Amount is more than what is left of it: 60.00 EUR")
	does(t, preparer, "refund", "amount", "10.00", "reason", "").want(t, 422).says(t, "Reason is missing")
	preparer.get(t, "/b/main/payments/1/void").want(t, 200).says(t, "Refund")
}

func TestPaymentPages_HaveALargeRefundWaitForAnother(t *testing.T) {
	t.Parallel()
	b := payments(t, `{}`)
	preparer, approver := b.browser(t, "preparer"), b.browser(t, "approver")
	pays(t, preparer, "amount", "5000.00", "customer", "Eva", "reference", "Order 8")
	does(t, preparer, "authorize").want(t, 303)
	does(t, preparer, "capture").want(t, 303)
	b.owned(t, `INSERT INTO payment_settings SELECT book_id, currency, version + 1, clearing_id, received_id, fees_id, chargebacks_id, bank_id, customer_accounts, 10000, user_id, at FROM payment_settings RETURNING currency`)
	preparer.get(t, "/b/main/payments/1/refund").says(t, "Above 100.00 EUR it waits for another person’s approval.")
	asked := does(t, preparer, "refund", "amount", "900.00", "reason", "All of it arrived broken").want(t, 303)
	preparer.get(t, asked.location()).says(t, "The refund waits for another person, as A-1.", "Refund waits for approval A-1", "Nothing else can be done until that is decided.")
	request := approver.get(t, "/b/main/approvals?id=1").says(t, "A-1: Refund P-1", "To be refunded 900.00 EUR", "Without approval up to 100.00 EUR", "simulator is asked to give 900.00 EUR back", "Approve and refund")
	decided := approver.submit(t, request, "/b/main/approvals/1/approve", nil).want(t, 303)
	asks := approver.get(t, decided.location()).says(t, "The gateway is asked to give 900.00 EUR back", "What came of it The gateway is asked, no answer yet")
	if strings.Contains(asks.text(t), "Left of it") {
		t.Error("what was decided says what is left as if it waited")
	}
	does(t, preparer, "recover").want(t, 303)
	approver.get(t, decided.location()).says(t, "What came of it Refunded", "Entry #2", "P-1")
}

func TestPaymentPages_TellOfAnAnswerThatDidNotCome(t *testing.T) {
	t.Parallel()
	b := payments(t, `{"timeout_after":1,"timeout_recover":1,"hang":"1ms"}`)
	preparer := b.browser(t, "preparer")
	pays(t, preparer, "amount", "100.00", "customer", "Eva")
	told := preparer.get(t, does(t, preparer, "authorize").want(t, 303).location())
	told.says(t, "The gateway has not answered.", "Nobody knows yet whether the gateway has done an authorization of 100.00 EUR.", "never charged again by a retry",
		"Instead of an answer", "Ask the gateway again", "Say what the gateway did")
	preparer.get(t, "/b/main").says(t, "Payments not settled 1")
	preparer.get(t, "/b/main/payments?unsettled=yes").says(t, "P-1", "Unknown, 1 100.00")
	preparer.get(t, does(t, preparer, "recover").want(t, 303).location()).says(t, "The gateway has not answered.")
	does(t, preparer, "settle", "done", "yes", "reason", "").want(t, 422).says(t, "The payment’s name there is missing", "no entry is posted", "Reason is missing")
	preparer.get(t, does(t, preparer, "settle", "done", "yes", "charge", "ch_77", "reason", "Seen on its pages").want(t, 303).location()).says(t,
		"What the gateway did is put down.", "Authorized 100.00", "Put down by a person", "Seen on its pages", "Its name there ch_77")
	does(t, preparer, "capture").want(t, 303)
	preparer.get(t, "/b/main/payments/1/settle").says(t, "How the gateway names the capture", "Its entry is posted")
	preparer.get(t, does(t, preparer, "settle", "done", "yes", "reason", "It is there").want(t, 303).location()).says(t, "Captured 100.00, entry #1")
}

func TestPaymentPages_ShowWhatTheGatewayDidAndTheBooksRefused(t *testing.T) {
	t.Parallel()
	b := payments(t, `{"timeout_after":1,"hang":"1ms"}`)
	preparer, admin := b.browser(t, "preparer"), b.browser(t, "admin")
	pays(t, preparer, "amount", "100.00", "customer", "Eva")
	for _, command := range []string{"authorize", "recover", "capture"} {
		does(t, preparer, command).want(t, 303)
	}
	const account = "/b/main/accounts/2410/"
	admin.submit(t, admin.get(t, account+"settings"), account+"close", nil).want(t, 303)
	does(t, preparer, "recover").want(t, 422).says(t, "the books refused it", "Entry refused", "Try to post it again")
	preparer.get(t, "/b/main").says(t, "Payments not settled 1")
	preparer.get(t, "/b/main/payments?unsettled=yes").says(t, "Entry refused, 1 100.00", "Unknown, 0", "Authorized Entry refused", "1 of 1 payment")
	if file := preparer.get(t, "/b/main/payments.csv?unsettled=yes").want(t, 200).body; !strings.Contains(file, "authorized,true,true") {
		t.Errorf("the file hides that an entry was refused: %s", file)
	}
	admin.submit(t, admin.get(t, account+"settings"), account+"reopen", nil).want(t, 303)
	preparer.get(t, does(t, preparer, "recover").want(t, 303).location()).says(t, "The payment is captured.", "Captured 100.00, entry #1")
	preparer.get(t, "/b/main/payments?unsettled=yes").says(t, "Everything is settled")
}

func TestPaymentPages_LetGoOfWhatIsHeldOrWasNeverAskedFor(t *testing.T) {
	t.Parallel()
	b := payments(t, `{}`)
	preparer := b.browser(t, "preparer")
	pays(t, preparer, "amount", "100.00", "customer", "Eva").says(t, "Authorize", "Let it go")
	preparer.get(t, "/b/main/payments/1/void").says(t, "Nothing is held for us, and nothing was taken.", "Let it go for good")
	preparer.get(t, does(t, preparer, "void").want(t, 303).location()).says(t, "The payment is let go.", "Voided", "Held for us 0.00", "No action is left.")
	second := pays(t, preparer, "amount", "50.00", "customer", "Eva").path
	for _, command := range []string{"/authorize", "/void"} {
		preparer.submit(t, preparer.get(t, second+command), second+command, nil).want(t, 303)
	}
	preparer.get(t, second).says(t, "Voided", "Authorized 50.00", "Held for us 0.00")
}

func TestPaymentsPage_FiltersAndExports(t *testing.T) {
	t.Parallel()
	b := payments(t, `{}`)
	preparer := b.browser(t, "preparer")
	for _, customer := range []string{"Eva Peters", "=HYPERLINK(1)", "Timo Kok"} {
		pays(t, preparer, "amount", "100.00", "customer", customer)
	}
	does(t, preparer, "authorize").want(t, 303)
	does(t, preparer, "capture").want(t, 303)
	for query, want := range map[string]string{"q=P-3": "P-3", "q=timo": "P-3", "state=taken": "P-1", "state=captured&bank=not_paid_out": "P-1", "from=2026-03-31&to=2026-03-31&q=HYPER": "P-2"} {
		preparer.get(t, "/b/main/payments?"+query).want(t, 200).says(t, want, "1 of 1 payment")
	}
	preparer.get(t, "/b/main/payments?q=nobody").says(t, "No payment is like that")
	preparer.get(t, "/b/main/payments?unsettled=yes").says(t, "Everything is settled")
	preparer.get(t, "/b/main/payments?state=gone&bank=moon&from=2026-04-01&to=2026-03-01").want(t, 422).says(t, "is not a state", "is not a place", "after the last one")
	file := preparer.get(t, "/b/main/payments.csv?from=2026-03-31").want(t, 200).body
	for _, want := range []string{"1,2026-03-31T10:00:00Z,Eva Peters,,EUR,100.00,100.00,100.00,0.00,0.00,0.00,1.75,98.25,captured,true,false,not_paid_out,,simulator", "'=HYPERLINK(1)"} {
		if !strings.Contains(file, want) {
			t.Errorf("the file lacks %q: %s", want, file)
		}
	}
}

func TestPaymentsPage_IsPaged(t *testing.T) {
	t.Parallel()
	b := payments(t, `{}`)
	for i := range 60 {
		b.as("preparer").key(fmt.Sprint("k", i)).post(t, "/payments", `{"amount":100,"currency":"EUR","customer":"x"}`).want(t, 201)
	}
	viewer := b.browser(t, "viewer")
	first := viewer.get(t, "/b/main/payments").says(t, "P-60", "50 of 60 payments")
	second := viewer.get(t, first.link(t, "Older")).says(t, "P-10", "10 of 60 payments")
	viewer.get(t, second.link(t, "Newer")).says(t, "P-60", "50 of 60 payments")
}

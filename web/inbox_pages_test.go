package web_test

import (
	"fmt"
	"strings"
	"testing"
)

// sends is the line of a message that posts an entry of 30.50 to an account.
func sends(id, account string) string {
	return fmt.Sprintf(`{"source":"shop","message_id":%q,"type":"entry.post","data":{"tx_id":%[1]q,"effective_on":"2026-03-31","description":"Order","postings":[{"account":"1010","amount":3050,"currency":"EUR"},{"account":%q,"amount":-3050,"currency":"EUR"}]}}`, id, account)
}

// delivers uploads a file of messages, and gives the page that says what came of it.
func delivers(t *testing.T, br *browser, lines ...string) page {
	t.Helper()
	const address = "/b/main/inbox/upload"
	form := br.get(t, address).want(t, 200)
	answer := br.upload(t, address, form.filled(t, address, nil), "orders.ndjson", strings.Join(lines, "\n")).want(t, 303)
	return br.get(t, answer.location()).want(t, 200)
}

func TestInboxPages_SayWhatCameOfEachLineOfAFile(t *testing.T) {
	t.Parallel()
	b := setup(t)
	preparer := b.browser(t, "preparer")
	result := delivers(t, preparer, sends("o-1", "customer:alice"), sends("o-1", "customer:alice"), sends("o-2", "nowhere"), "not a message", sends("o-1", "customer:bob"))
	result.says(t, "3 lines were not applied.", "Correct what is marked “Not kept”", "send it with a new message id and set the old one aside", "Lines 5", "Applied 1", "Duplicates, no effect 1", "3 shop o-2", "4 Not kept Refused", "5 shop o-1 Refused", "Another file")
	again := preparer.get(t, "/b/main/inbox/upload?form="+result.form(t, "/b/main/inbox/upload").Get("form"))
	if strings.Contains(again.text(t), "Lines 5") {
		t.Error("a new form says what came of the last file")
	}
	delivers(t, preparer, sends("o-1", "customer:alice")).says(t, "Nothing was new.")
	form := preparer.get(t, "/b/main/inbox/upload")
	preparer.upload(t, "/b/main/inbox/upload", form.filled(t, "/b/main/inbox/upload", nil), "", "").want(t, 422).says(t, "Choose a file")
	if entries := b.owned(t, `SELECT count(*)::text FROM entries`); entries[0] != "1" {
		t.Errorf("one message posted %s entries", entries[0])
	}
	b.browser(t, "viewer").get(t, "/b/main/inbox/upload").want(t, 403)
}

func TestInboxPage_HasAPersonRetryOrSetAside(t *testing.T) {
	t.Parallel()
	b := setup(t)
	preparer, viewer := b.browser(t, "preparer"), b.browser(t, "viewer")
	delivers(t, preparer, sends("o-1", "customer:alice"), sends("o-1", "customer:alice"), sends("o-2", "later"), sends("o-3", "never"))
	list := viewer.get(t, "/b/main/inbox").want(t, 200).says(t, "Deliveries, 7 days 4", "Applied 1", "Duplicates, no effect 1", "1 + 1 + 2 = 4", "shop o-2", "shop 3 1 2")
	if strings.Contains(list.text(t), "Retry") {
		t.Error("who may not post is offered to retry")
	}
	const two = "/b/main/inbox?of=shop&id=o-2"
	second := typed("message_id", "o-2")
	open := preparer.get(t, two).says(t, "There is no account \"later\" in this book. Nothing was posted.", "Problem unknown-account, 422", "postings[1].account", `"tx_id": "o-2"`, "Delivered: ", "Retry now", "Set aside")
	viewer.get(t, two).says(t, "You cannot retry it or set it aside.")
	preparer.get(t, "/b/main").says(t, "Messages not applied 2")
	preparer.get(t, preparer.submit(t, open, "/b/main/inbox/retry", second).want(t, 303).location()).says(t, "The message could not be applied: nothing was posted.")
	b.open(t, "later", "liability", "EUR")
	preparer.get(t, preparer.submit(t, open, "/b/main/inbox/retry", second).want(t, 303).location()).says(t, "The message is applied. Entry #2 is posted.", "Retried: applied")
	viewer.get(t, "/b/main/journal/2").says(t, "Message o-2 of shop")

	three := preparer.get(t, "/b/main/inbox?of=shop&id=o-3")
	preparer.submit(t, three, "/b/main/inbox/dismiss", nil).want(t, 422).says(t, "Reason is missing")
	preparer.get(t, preparer.submit(t, three, "/b/main/inbox/dismiss", typed("reason", "Posted by hand")).want(t, 303).location()).says(t, "The message is set aside.", "“Posted by hand”")
	viewer.post(t, "/b/main/inbox/retry", typed("form", "k", "source", "shop", "message_id", "o-3")).want(t, 403)
	viewer.get(t, "/b/main/inbox?of=shop&id=o-9").want(t, 404)
}

func TestInboxPage_LeadsToThePaymentsThatThereAreAndThesePagesLeadBack(t *testing.T) {
	t.Parallel()
	b := payments(t, `{}`)
	preparer := b.browser(t, "preparer")
	pays(t, preparer, "amount", "100.00", "customer", "Eva")
	does(t, preparer, "authorize").want(t, 303)
	delivers(t, preparer,
		`{"source":"shop","message_id":"m-1","type":"payment.captured","data":{"payment_id":9999,"ref":"cp_1","amount":100}}`,
		`{"source":"shop","message_id":"m-2","type":"payment.captured","data":{"payment_id":1,"ref":"cp_2","amount":10000}}`,
		`{"source":"shop","message_id":"m-3","type":"payout.paid","data":{"payout":"po_1","currency":"EUR","amount":10000,"paid_on":"2026-03-31","items":[{"payment_id":1,"kind":"captured","ref":"cp_2","amount":10000}]}}`)
	list := preparer.get(t, "/b/main/inbox").says(t, "P-9999", "P-1")
	if strings.Contains(list.body, "/payments/9999") {
		t.Error("a message leads to a payment that there is not")
	}
	preparer.get(t, "/b/main/inbox?of=shop&id=m-1").says(t, "P-9999, which there is not")
	paid := preparer.get(t, "/b/main/payments/1").says(t, "Paid out in po_1: captured 100.00, entry #2")
	preparer.get(t, paid.link(t, "Told by message m-2 of shop")).says(t, "Delivered: applied")
	if file := preparer.get(t, "/b/main/payments.csv").want(t, 200).body; !strings.Contains(file, "in_transit,po_1,simulator") {
		t.Errorf("the file does not name the payout: %s", file)
	}
}

func TestInboxPage_RetriesAllAndFilters(t *testing.T) {
	t.Parallel()
	b := setup(t)
	preparer := b.browser(t, "preparer")
	delivers(t, preparer, sends("o-1", "customer:alice"), sends("o-2", "later"), sends("o-3", "later"), sends("o-1", "customer:alice"))
	for query, want := range map[string]string{"q=o-1": "shop o-1", "repeated=yes": "shop o-1", "state=applied&source=shop": "shop o-1"} {
		preparer.get(t, "/b/main/inbox?"+query).says(t, want, "1 message")
	}
	preparer.get(t, "/b/main/inbox?q=nothing").says(t, "No message is like that")
	preparer.get(t, "/b/main/inbox?state=dismissed&before=nonsense").want(t, 200).says(t, "No message is like that")
	b.open(t, "later", "liability", "EUR")
	all := preparer.get(t, "/b/main/inbox").says(t, "Retry all 2 not applied")
	preparer.get(t, preparer.submit(t, all, "/b/main/inbox/retry-all", nil).want(t, 303).location()).says(t, "2 messages were tried again, and 2 of them applied.")
	preparer.get(t, "/b/main/inbox?state=parked").says(t, "Nothing is in the way")
}

func TestInboxPage_IsPaged(t *testing.T) {
	t.Parallel()
	b := setup(t)
	preparer := b.browser(t, "preparer")
	var lines []string
	for i := range 60 {
		lines = append(lines, sends(fmt.Sprintf("o-%02d", i), "customer:alice"))
	}
	delivers(t, preparer, lines...).says(t, "Every line was taken.")
	first := preparer.get(t, "/b/main/inbox").says(t, "o-59", "50 messages")
	preparer.get(t, first.link(t, "Older")).says(t, "o-00", "10 messages")
}

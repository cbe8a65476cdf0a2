package gallery

import (
	"time"

	"daybook/store/ledger"
	"daybook/store/payment"
	"daybook/templates"
	"daybook/templates/ui"
)

func paymentScreens() []Screen {
	refused := paymentForm(capturedPayment(), templates.PaymentForm{
		Do: templates.DoRefund, Amount: "999.00", Message: "", Errors: []ledger.FieldError{
			{Field: "amount", Detail: "999.00 is more than the 100.00 that are left"}, {Field: "reason", Detail: "Reason is missing"},
		},
	})
	waits := capturedPayment()
	waits.Refund, waits.LimitMinor = 61, 5000
	looked := capturedPayment()
	looked.MissingRight, looked.Administrators = "post", []string{"Joris Aalbers"}
	raced := paymentPage(refundedPayment())
	raced.Form = templates.PaymentForm{Message: "A refund of a payment that is refunded is not possible: all of it was given back."}
	return []Screen{
		{"payment", "A payment that was captured and paid out", groupBank, templates.PaymentPage(paymentPage(capturedPayment()))},
		{"payment-created", "A payment before it is authorized", groupBank, templates.PaymentPage(paymentPage(createdPayment()))},
		{"payment-capture", "A payment about to be captured", groupBank, templates.PaymentPage(paymentForm(authorizedPayment(), templates.PaymentForm{Do: templates.DoCapture, Amount: "84.50"}))},
		{"payment-let-go", "A payment that was never authorized, about to be let go", groupBank, templates.PaymentPage(paymentForm(createdPayment(), templates.PaymentForm{Do: templates.DoVoid}))},
		{"payment-voided", "A payment that was let go", groupBank, templates.PaymentPage(paymentPage(voidedPayment()))},
		{"payment-void", "A payment about to be voided", groupBank, templates.PaymentPage(paymentForm(authorizedPayment(), templates.PaymentForm{Do: templates.DoVoid}))},
		{"payment-refund", "A refund above the limit", groupBank, templates.PaymentPage(paymentForm(capturedPayment(), templates.PaymentForm{Do: templates.DoRefund, Amount: "100.00"}))},
		{"payment-refund-refused", "A refund that was refused", groupBank, templates.PaymentPage(refused)},
		{"payment-refund-waits", "A payment whose refund waits for another person", groupBank, templates.PaymentPage(paymentPage(waits))},
		{"payment-unknown", "A payment whose capture nobody answered", groupBank, templates.PaymentPage(paymentPage(unknownPayment()))},
		{"payment-settle", "A person says what the gateway did, in the dark", groupBank, templates.PaymentPage(settledPayment())},
		{"payment-unposted", "A payment whose entry was refused", groupBank, templates.PaymentPage(paymentPage(unpostedPayment()))},
		{"payment-disputed", "A disputed payment, in dinars", groupBank, templates.PaymentPage(paymentPage(disputedPayment()))},
		{"payment-refunded", "A payment that was given back meanwhile", groupBank, templates.PaymentPage(raced)},
		{"payment-looked-at", "A payment for who may not act on it", groupBank, templates.PaymentPage(paymentPage(looked))},
	}
}

func paymentPage(v templates.PaymentView) templates.PaymentPageView {
	s := shell("Payment "+templates.NameOfPayment(v.ID), templates.PagePayments)
	return templates.PaymentPageView{Shell: crumbed(s, ui.Link{Text: "Payments", Href: s.Book.URL("payments")}), PaymentView: v}
}

func paymentForm(v templates.PaymentView, form templates.PaymentForm) templates.PaymentPageView {
	page := paymentPage(v)
	page.Form, page.Form.Key = form, "form-51d0-4c9e-b7aa"
	return page
}

func settledPayment() templates.PaymentPageView {
	page := paymentForm(unknownPayment(), templates.PaymentForm{Do: templates.DoSettle, Named: "py_1f93", Errors: []ledger.FieldError{
		{Field: "done", Detail: "Say whether it was done"}, {Field: "reason", Detail: "Reason is missing"},
	}})
	page.Theme = "dark"
	return page
}

// paymentOf is a payment of the web shop that was asked for at an instant and came no further.
func paymentOf(id int64, created, customer, key string, minor int64) templates.PaymentView {
	return templates.PaymentView{
		ID: id, State: payment.Created, Gateway: "payport", GatewayKey: key, Currency: "EUR", Customer: customer, Reference: "Order 20767", CreatedBy: "webshop-api",
		CreatedAt: at(created), AmountMinor: minor, LimitMinor: 5000,
	}
}

func createdPayment() templates.PaymentView {
	return paymentOf(20891, "2026-04-01T09:40:00Z", "Eva Peters", "dby_5b1c9e", 8450)
}

// paymentCall is a request that was answered at the first try.
func paymentCall(id int64, v templates.PaymentView, command string, minor int64, when string) templates.PaymentCall {
	return templates.PaymentCall{
		ID: id, Command: command, AmountMinor: minor, Key: "ord-20767-" + command, GatewayKey: v.GatewayKey + "-" + command + "-1", State: templates.CallDone,
		Attempts: 1, AskedBy: "webshop-api", At: at(when), ChangedAt: at(when),
		Tries: []templates.PaymentTry{{Asked: "do", Outcome: "done", By: "webshop-api", At: at(when), Took: 15 * time.Millisecond}},
	}
}

func authorizedPayment() templates.PaymentView {
	v := paymentOf(20884, "2026-03-31T23:41:00Z", "Eva Peters", "dby_77ac01", 8450)
	v.State, v.AuthorizedMinor, v.Charge = payment.Authorized, 8450, "ch_4a77"
	v.Calls = []templates.PaymentCall{paymentCall(1, v, templates.DoAuthorize, 8450, "2026-03-31T23:41:10Z")}
	v.Events = []templates.PaymentEvent{{Kind: payment.KindAuthorization, Ref: "au_1", AmountMinor: 8450, Call: 1, By: "webshop-api", At: at("2026-03-31T23:41:10Z")}}
	return v
}

func voidedPayment() templates.PaymentView {
	v := authorizedPayment()
	v.State = payment.Voided
	v.Events = append(v.Events, templates.PaymentEvent{Kind: payment.KindVoid, Ref: "vo_1", Call: 2, By: "Maja Lind", At: at("2026-04-01T08:12:00Z")})
	void := paymentCall(2, v, templates.DoVoid, 0, "2026-04-01T08:12:00Z")
	void.Reason = "Ordered twice"
	v.Calls = append(v.Calls, void)
	return v
}

// capturedPayment was asked for three times by one key, paid out and refunded in part.
func capturedPayment() templates.PaymentView {
	v := paymentOf(20800, "2026-03-26T10:12:00Z", "Ravi Meijer", "dby_0f41aa", 13150)
	v.State, v.AuthorizedMinor, v.CapturedMinor, v.RefundedMinor, v.FeeMinor, v.LeftMinor, v.NetMinor = payment.PartlyRefunded, 13150, 13150, 3150, 222, 10000, 9778
	v.Charge, v.Bank = "ch_3120", templates.MoneyMatched
	capture, refund := paymentCall(2, v, templates.DoCapture, 13150, "2026-03-26T10:12:08Z"), paymentCall(3, v, templates.DoRefund, 3150, "2026-03-29T15:20:00Z")
	capture.Attempts = 3
	capture.Tries = []templates.PaymentTry{
		{Asked: "do", Outcome: "unknown", Why: "the gateway did not answer in time", By: "webshop-api", At: at("2026-03-26T10:12:08Z"), Took: 5 * time.Second},
		{Asked: "recover", Outcome: "unknown", Why: "the gateway could not be reached, or broke off", By: "webshop-api", At: at("2026-03-26T10:12:14Z"), Took: 5 * time.Second},
		{Asked: "recover", Outcome: "done", By: "webshop-api", At: at("2026-03-26T10:12:20Z"), Took: 24 * time.Millisecond},
	}
	refund.AskedBy, refund.Reason, refund.Approval, refund.Key = "Maja Lind", "One piece arrived cracked", 59, "form-93d1-4a80-b6c4"
	v.Calls = []templates.PaymentCall{paymentCall(1, v, templates.DoAuthorize, 13150, "2026-03-26T10:12:02Z"), capture, refund}
	v.Events = []templates.PaymentEvent{
		{Kind: payment.KindAuthorization, AmountMinor: 13150, Call: 1, By: "webshop-api", At: at("2026-03-26T10:12:02Z")},
		{Kind: payment.KindCapture, AmountMinor: 13150, FeeMinor: 222, Seq: 1566, Call: 2, By: "webshop-api", At: at("2026-03-26T10:12:20Z")},
		{Kind: payment.KindRefund, AmountMinor: 3150, Seq: 1640, Call: 3, By: "Maja Lind", At: at("2026-03-29T15:20:00Z")},
	}
	v.Payouts = []templates.PaymentPayout{
		{ID: 30, Payout: "po-0328", Of: payment.KindCapture, Seq: 1631, PaidOn: ledger.MustDate("2026-03-28"), AmountMinor: 13150, FeeMinor: 0, Match: 212, Account: "1010", Line: "PAYPORT PO-0328"},
		{ID: 31, Payout: "po-0331", Of: payment.KindRefund, Seq: 1673, PaidOn: ledger.MustDate("2026-03-31"), AmountMinor: -3150, Break: 37},
	}
	return v
}

func refundedPayment() templates.PaymentView {
	v := capturedPayment()
	v.ID, v.Customer, v.AmountMinor, v.State = 20767, "Sanne Bos", 16850, payment.Refunded
	v.AuthorizedMinor, v.CapturedMinor, v.RefundedMinor, v.FeeMinor, v.LeftMinor, v.NetMinor = 16850, 16850, 16850, 278, 0, -278
	v.Calls[1].AmountMinor, v.Calls[2].AmountMinor = 16850, 16850
	for i := range v.Events {
		v.Events[i].AmountMinor = 16850
	}
	v.Events[2].Reason = "Full amount, one piece arrived cracked"
	v.Payouts = v.Payouts[:1]
	v.Payouts[0].AmountMinor = 16850
	return v
}

// unknownPayment was authorized; then its capture was asked for, and no answer came.
func unknownPayment() templates.PaymentView {
	v := paymentOf(20882, "2026-03-31T21:33:00Z", "Eva Peters", "dby_9c20b7", 9600)
	v.State, v.AuthorizedMinor, v.Charge = payment.Authorized, 9600, "ch_9c20"
	v.Events = []templates.PaymentEvent{{Kind: payment.KindAuthorization, AmountMinor: 9600, Call: 1, By: "webshop-api", At: at("2026-03-31T21:33:04Z")}}
	call := paymentCall(2, v, templates.DoCapture, 9600, "2026-03-31T21:33:10Z")
	call.State, call.Attempts, call.Why, call.ChangedAt = templates.CallUnknown, 2, "the gateway did not answer in time", at("2026-03-31T21:33:22Z")
	call.Tries = []templates.PaymentTry{
		{Asked: "do", Outcome: "unknown", Why: "the gateway did not answer in time", By: "webshop-api", At: at("2026-03-31T21:33:10Z"), Took: 5 * time.Second},
		{Asked: "recover", Outcome: "unknown", Why: "the gateway did not answer in time", By: "webshop-api", At: at("2026-03-31T21:33:17Z"), Took: 5 * time.Second},
	}
	v.Calls, v.Call = []templates.PaymentCall{paymentCall(1, v, templates.DoAuthorize, 9600, "2026-03-31T21:33:04Z"), call}, &call
	return v
}

// unpostedPayment was captured at the gateway, while the account that it is booked on was closed.
func unpostedPayment() templates.PaymentView {
	v := unknownPayment()
	call := *v.Call
	call.State, call.Why, call.Problem = templates.CallUnposted, "", "Account 4010 is closed: open it again, or set another one for payments in EUR."
	call.Tries = append(call.Tries, templates.PaymentTry{Asked: "recover", Outcome: "done", By: "Daybook", At: at("2026-03-31T21:34:00Z"), Took: 31 * time.Millisecond})
	v.Calls, v.Call = []templates.PaymentCall{v.Calls[0], call}, &call
	return v
}

func disputedPayment() templates.PaymentView {
	v := paymentOf(20700, "2026-03-20T11:40:00Z", "Al-Sabah-Handelsgesellschaft-fuer-Keramik-und-Steinzeug, Kuwait City", "dby_c0ffee", 1250500)
	v.Currency, v.State, v.Bank, v.Charge = "KWD", payment.Disputed, templates.MoneyInTransit, "ch_1f08"
	v.AuthorizedMinor, v.CapturedMinor, v.DisputedMinor, v.FeeMinor = 1250500, 1250500, 1250500, 34750
	v.NetMinor = -34750
	v.Calls = []templates.PaymentCall{paymentCall(1, v, templates.DoCapture, 1250500, "2026-03-20T11:40:06Z")}
	v.Events = []templates.PaymentEvent{
		{Kind: payment.KindCapture, AmountMinor: 1250500, FeeMinor: 19750, Seq: 1490, Call: 1, By: "webshop-api", At: at("2026-03-20T11:40:06Z")},
		{Kind: payment.KindDispute, Ref: "dp_77", AmountMinor: 1250500, FeeMinor: 15000, Seq: 1658, Source: "payport", Message: "evt_90380", At: at("2026-03-30T06:02:00Z")},
	}
	return v
}

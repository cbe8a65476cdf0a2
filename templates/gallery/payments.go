package gallery

import (
	"daybook/store/ledger"
	"daybook/store/payment"
	"daybook/templates"
)

// The card payments of March 2026, through payport.

func paymentsScreens() []Screen {
	closed := payments()
	closed.Open, closed.Nav.PaymentsUnknown = nil, 0
	currencies := paymentsInCurrencies()
	nothing := closed
	nothing.Filter, nothing.Rows, nothing.Older = templates.PaymentsFilter{Query: "pay_99999", State: "disputed", Bank: templates.MoneyMatched}, nil, ""
	nothing.Figures = nil
	known := nothing
	known.Filter = templates.PaymentsFilter{Unsettled: "yes"}
	empty := nothing
	empty.Filter = templates.PaymentsFilter{}
	unset := empty
	unset.Ready = false
	wrong := nothing
	wrong.Filter = templates.PaymentsFilter{From: "2026-03-31", To: "2026-03-01"}
	wrong.Errors = []ledger.FieldError{{Field: "to", Detail: "Lies before the first day"}}
	refused := paymentsUnknown()
	unposted := unpostedPayment()
	refused.Theme, refused.Open, refused.Rows[0].Call = "", &unposted, templates.CallUnposted
	refused.Figures[0].Unknown, refused.Figures[0].UnknownMinor, refused.Figures[0].Unposted, refused.Figures[0].UnpostedMinor = 0, 0, 1, 9600
	return []Screen{
		{"payments", "Payments, a refunded one beside them", groupBank, templates.PaymentsPage(payments())},
		{"payments-list", "Payments, none open", groupBank, templates.PaymentsPage(closed)},
		{"payments-unknown", "Payments, one whose capture nobody answered, in the dark", groupBank, templates.PaymentsPage(paymentsUnknown())},
		{"payments-unposted", "Payments, one whose entry was refused", groupBank, templates.PaymentsPage(refused)},
		{"payments-currencies", "Payments in several currencies, with long names", groupBank, templates.PaymentsPage(currencies)},
		{"payments-none", "Payments: nothing found", groupBank, templates.PaymentsPage(nothing)},
		{"payments-known", "Payments: all are settled", groupBank, templates.PaymentsPage(known)},
		{"payments-wrong", "Payments: a filter that cannot be", groupBank, templates.PaymentsPage(wrong)},
		{"payments-empty", "Payments before the first", groupBank, templates.PaymentsPage(empty)},
		{"payments-unset", "Payments before their accounts are set", groupBank, templates.PaymentsPage(unset)},
	}
}

func paymentRow(id int64, created, customer string, gross, fee int64, state payment.State, bank string) templates.PaymentRow {
	return templates.PaymentRow{
		ID: id, CreatedAt: at(created), Customer: customer, Reference: "Order 20767", Currency: "EUR", GrossMinor: gross, FeeMinor: fee, NetMinor: gross - fee, State: state, Bank: bank,
		Taken: bank != "",
	}
}

func payments() templates.Payments {
	s := shell("Payments", templates.PagePayments)
	s.Nav.PaymentsUnknown = 1
	open := refundedPayment()
	view := templates.Payments{
		Shell: s, Older: "20873", MayPost: true, Ready: true, Simulated: true, Open: &open,
		Figures: []templates.PaymentFigures{{
			Currency: "EUR", Count: 449, Captured: 443, CapturedMinor: 4671720, Refunded: 4, RefundedMinor: 54850, Authorized: 1, AuthorizedMinor: 8450,
			Unknown: 1, UnknownMinor: 9600, ClearingMinor: 165480, Clearing: "1210",
		}},
		Rows: []templates.PaymentRow{
			paymentRow(20884, "2026-03-31T23:41:00Z", "Eva Peters", 8450, 0, payment.Authorized, ""),
			paymentRow(20883, "2026-03-31T23:02:00Z", "Timo Kok", 12900, 0, payment.Failed, ""),
			paymentRow(20882, "2026-03-31T21:33:00Z", "Eva Peters", 9600, 0, payment.Authorized, ""),
			paymentRow(20881, "2026-03-31T20:52:00Z", "Lies Kok", 2695, 65, payment.Captured, templates.MoneyNotPaidOut),
			paymentRow(20880, "2026-03-31T19:01:00Z", "Noor Vos", 17950, 294, payment.Captured, templates.MoneyNotPaidOut),
			paymentRow(20879, "2026-03-31T18:56:00Z", "Iris de Boer", 17395, 286, payment.Captured, templates.MoneyNotPaidOut),
			paymentRow(20878, "2026-03-31T17:50:00Z", "Fleur Hendriks", 5690, 110, payment.Captured, templates.MoneyInTransit),
			paymentRow(20800, "2026-03-26T10:12:00Z", "Ravi Meijer", 13150, 222, payment.PartlyRefunded, templates.MoneyMatched),
			paymentRow(20767, "2026-03-24T08:24:00Z", "Sanne Bos", 16850, 278, payment.Refunded, templates.MoneyMatched),
			paymentRow(20700, "2026-03-20T11:40:00Z", "Hugo Visser", 10650, 185, payment.Disputed, templates.MoneyMatched),
			paymentRow(20650, "2026-03-18T09:14:00Z", "Ravi Peters", 13395, 226, payment.ChargedBack, templates.MoneyMatched),
			paymentRow(20640, "2026-03-18T08:02:00Z", "Anna Smit", 4400, 0, payment.Voided, ""),
		},
	}
	view.Rows[2].Call = templates.CallUnknown
	for row, back := range map[int]int64{7: 3150, 8: 16850, 9: 10650, 10: 13395} {
		view.Rows[row].BackMinor, view.Rows[row].NetMinor = back, view.Rows[row].GrossMinor-back-view.Rows[row].FeeMinor
	}
	return view
}

func paymentsUnknown() templates.Payments {
	view := payments()
	open := unknownPayment()
	view.Theme, view.Open, view.Filter = "dark", &open, templates.PaymentsFilter{Unsettled: "yes"}
	view.Rows, view.Older = view.Rows[2:3], ""
	view.Figures[0] = templates.PaymentFigures{Currency: "EUR", Count: 1, Unknown: 1, UnknownMinor: 9600, ClearingMinor: 165480, Clearing: "1210"}
	return view
}

// paymentsInCurrencies have no decimals, two and three, and names that are long.
func paymentsInCurrencies() templates.Payments {
	view := payments()
	view.Open, view.Older = nil, ""
	view.Figures = []templates.PaymentFigures{
		{Currency: "EUR", Count: 1, Captured: 1, CapturedMinor: 2695, ClearingMinor: 2630, Clearing: "1210"},
		{Currency: "JPY", Count: 1, Captured: 1, CapturedMinor: 1250000, ClearingMinor: 1205500, Clearing: "1211"},
		{Currency: "KWD", Count: 1, Refunded: 1, Captured: 1, CapturedMinor: 1250500, RefundedMinor: 250500, ClearingMinor: 980250, Clearing: "1212"},
	}
	yen := paymentRow(20890, "2026-04-01T07:10:00Z", "株式会社みなと陶器販売 Minato Ceramics Sales Company Limited, Tokyo branch", 1250000, 44500, payment.Captured, templates.MoneyNotPaidOut)
	dinar := paymentRow(20889, "2026-04-01T06:58:00Z", "Al-Sabah-Handelsgesellschaft-fuer-Keramik-und-Steinzeug", 1250500, 19750, payment.PartlyRefunded, templates.MoneyInTransit)
	yen.Currency, dinar.Currency = "JPY", "KWD"
	dinar.BackMinor, dinar.NetMinor = 250500, 980250
	view.Rows = []templates.PaymentRow{yen, dinar, view.Rows[3]}
	return view
}

package gallery

import (
	"daybook/store/ledger"
	"daybook/store/payment"
	"daybook/templates"
	"daybook/templates/ui"
)

func payoutsScreens() []Screen {
	nothing := payouts()
	nothing.Query, nothing.Rows, nothing.Older = "po-9999", nil, ""
	empty := nothing
	empty.Query = ""
	dark := payout()
	dark.Theme = "dark"
	dark.Place.ReversedBy, dark.Items = 1702, 4120
	for i := range dark.Parts {
		dark.Parts[i].Place = templates.PayoutPlace{Bank: templates.MoneyNotPaidOut, ReversedBy: 1702}
	}
	return []Screen{
		{"payouts", "Payouts: on their way, in a break, matched and reversed", groupBank, templates.PayoutsPage(payouts())},
		{"payouts-none", "Payouts: nothing found", groupBank, templates.PayoutsPage(nothing)},
		{"payouts-empty", "Payouts before the first", groupBank, templates.PayoutsPage(empty)},
		{"payout", "A payout that is on a statement", groupBank, templates.PayoutPage(payout())},
		{"payout-reversed", "A large payout that was reversed, in the dark", groupBank, templates.PayoutPage(dark)},
	}
}

func payouts() templates.Payouts {
	matched := payoutRow(30, "po-0328", "2026-03-28", 41, 412350, 6980, 1631)
	matched.Place = templates.PayoutPlace{Bank: templates.MoneyMatched, Reconciliation: 3}
	broken := payoutRow(29, "po-0327", "2026-03-27", 38, 388010, 6440, 1602)
	broken.Place.BreakID = 91
	reversed := payoutRow(28, "po-0326", "2026-03-26", 2, 9100, 180, 1588)
	reversed.Place = templates.PayoutPlace{Bank: templates.MoneyNotPaidOut, ReversedBy: 1590}
	yen := payoutRow(27, "po-with-a-name-as-long-as-a-processor-likes-to-make-it-2026-03-25-0001", "2026-03-25", 1, 1250000, 44500, 1571)
	yen.Currency, yen.Source = "JPY", "stripe"
	return templates.Payouts{
		Shell: payoutsShell("Payouts"), Older: "27",
		Rows: []templates.PayoutRow{payoutRow(31, "po-0331", "2026-03-31", 44, 431720, 7125, 1673), matched, broken, reversed, yen},
	}
}

func payoutsShell(title string, above ...ui.Link) templates.Shell {
	s := shell(title, templates.PagePayments)
	return crumbed(s, append([]ui.Link{{Text: "Payments", Href: s.Book.URL("payments")}}, above...)...)
}

func payoutRow(id int64, name, paidOn string, items, grossMinor, feesMinor, seq int64) templates.PayoutRow {
	return templates.PayoutRow{
		ID: id, Name: name, Source: "payport", Currency: "EUR", PaidOn: ledger.MustDate(paidOn), Items: items, GrossMinor: grossMinor, FeesMinor: feesMinor,
		AmountMinor: grossMinor - feesMinor, Seq: seq, Place: templates.PayoutPlace{Bank: templates.MoneyInTransit},
	}
}

// payout has a payment, one of which some was given back, one whose fee is all of it, and a fee of its own.
func payout() templates.Payout {
	view := templates.Payout{
		PayoutRow: payoutRow(30, "po-0328", "2026-03-28", 4, 27175, 587, 1631), FeeMinor: 25, Message: "evt_0328", By: "payport", At: at("2026-03-28T04:00:12Z"),
	}
	view.Shell = payoutsShell("Payout po-0328", ui.Link{Text: "Payouts", Href: "/b/main/payments/payouts"})
	view.Place = templates.PayoutPlace{Bank: templates.MoneyMatched, Reconciliation: 3}
	part := func(of int64, kind payment.Kind, ref string, grossMinor, feeMinor int64, line int) {
		view.Parts = append(view.Parts, templates.PayoutPart{
			N: len(view.Parts) + 1, Payment: of, Kind: kind, Ref: ref, GrossMinor: grossMinor, FeeMinor: feeMinor, AmountMinor: grossMinor - feeMinor, Seq: 1631, Line: line,
			Place: view.Place,
		})
	}
	part(20800, payment.KindCapture, "py_3120", 13150, 222, 1)
	part(20767, payment.KindCapture, "py_2c11", 17050, 315, 2)
	part(20767, payment.KindRefund, "re_91aa", -3050, 0, 3)
	part(20741, payment.KindCapture, "py_0007", 25, 25, 0)
	view.Parts[3].Place = templates.PayoutPlace{}
	return view
}

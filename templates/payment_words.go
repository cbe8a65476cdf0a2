package templates

import (
	"strconv"

	"daybook/store/payment"
	"daybook/templates/ui"
)

// NameOfPayment is what people call a payment: P-17.
func NameOfPayment(id int64) string { return "P-" + strconv.FormatInt(id, 10) }

// PaymentURL is the address of a payment, or of what is done to it: PaymentURL(17, "capture").
func (b Book) PaymentURL(id int64, action ...string) string {
	return b.numbered("payments", id, action)
}

// How far the money of a payment is on its way to the bank, as filters and rows name it.
const (
	MoneyNotPaidOut = "not_paid_out"
	MoneyInTransit  = "in_transit"
	MoneyMatched    = "matched"
)

// The states of a request to the gateway.
const (
	CallOpen     = "open"
	CallUnknown  = "unknown"
	CallUnposted = "unposted"
	CallDone     = "done"
	CallRefused  = "refused"
	CallNotDone  = "not_done"
)

// What can be done to a payment, as the last part of its address. The first four are asked of the gateway.
const (
	DoAuthorize = "authorize"
	DoCapture   = "capture"
	DoRefund    = "refund"
	DoVoid      = "void"
	DoRecover   = "recover"
	DoSettle    = "settle"
)

// paymentWords are the states of payments, with the shape and the tone of each.
var paymentWords = map[payment.State]ui.Chip{
	payment.Created:        {Text: "Created", Icon: "circle-dashed"},
	payment.Authorized:     {Text: "Authorized", Icon: "circle-half-2", Tone: ui.Info},
	payment.Captured:       {Text: "Captured", Tone: ui.OK},
	payment.PartlyRefunded: {Text: "Partly refunded", Icon: "arrow-back-up"},
	payment.Refunded:       {Text: "Refunded", Icon: "arrow-back-up"},
	payment.Voided:         {Text: "Voided", Icon: "circle-minus"},
	payment.Failed:         {Text: "Failed", Tone: ui.Bad},
	payment.Disputed:       {Text: "Disputed", Icon: "flag", Tone: ui.Warn},
	payment.ChargedBack:    {Text: "Charged back", Tone: ui.Bad},
}

// StateOfPayment is a state of a payment in a word.
func StateOfPayment(s payment.State) string { return paymentWords[s].Text }

// unknownChip says that the gateway was asked something and that nobody knows what it did.
func unknownChip() ui.Chip { return ui.Chip{Text: "Unknown", Icon: "user-question", Tone: ui.Warn} }

// unsettledChip says why what was asked of the gateway is not settled, by the state of the request.
func unsettledChip(call string) ui.Chip {
	switch call {
	case CallUnposted:
		return ui.Chip{Text: "Entry refused", Tone: ui.Bad}
	case CallOpen:
		return ui.Chip{Text: "Being asked", Icon: "hourglass", Tone: ui.Info}
	}
	return unknownChip()
}

// bankChip says how far the money is; nothing for a payment that was never captured.
func bankChip(bank string) ui.Chip {
	switch bank {
	case MoneyNotPaidOut:
		return ui.Chip{Text: "Not paid out", Icon: "hourglass"}
	case MoneyInTransit:
		return ui.Chip{Text: "In transit", Icon: "exchange", Tone: ui.Info}
	case MoneyMatched:
		return ui.Chip{Text: "Matched", Tone: ui.OK}
	}
	return ui.Chip{}
}

// commandNouns are what is asked of the gateway: "a capture of 84.50 EUR".
var commandNouns = map[string]string{
	DoAuthorize: "an authorization", DoCapture: "a capture", DoRefund: "a refund", DoVoid: "a void",
}

// eventWords are what happened to a payment.
var eventWords = map[payment.Kind]string{
	payment.KindAuthorization: "Authorized", payment.KindDecline: "Declined", payment.KindCapture: "Captured", payment.KindVoid: "Voided",
	payment.KindRefund: "Refunded", payment.KindRefundFailure: "Refund did not reach the payer", payment.KindDispute: "Disputed",
	payment.KindDisputeWon: "Dispute won", payment.KindDisputeLost: "Dispute lost",
}

package api

import (
	"net/http"

	"github.com/labstack/echo/v4"

	"daybook/store"
	"daybook/store/ledger"
	"daybook/store/payment"
)

// paymentHistory is a payment with what happened to it, what the gateway was asked, and the payouts it is in.
type paymentHistory struct {
	paymentShown
	ApprovalID *int64          `json:"approval_id"`
	Events     []paymentEvent  `json:"events"`
	Calls      []paymentCall   `json:"calls"`
	Payouts    []paymentPayout `json:"payouts"`
}

type paymentEvent struct {
	N         int     `json:"n"`
	Type      string  `json:"type"`
	Ref       string  `json:"ref"`
	Amount    int64   `json:"amount"`
	Fee       int64   `json:"fee"`
	Reason    string  `json:"reason"`
	Seq       *int64  `json:"seq"`
	Source    *string `json:"source"`
	MessageID *string `json:"message_id"`
	By        string  `json:"by"`
	At        string  `json:"at"`
}

type paymentCall struct {
	Command    string       `json:"command"`
	Amount     int64        `json:"amount"`
	Key        string       `json:"idempotency_key"`
	GatewayKey string       `json:"gateway_key"`
	State      string       `json:"state"`
	Why        string       `json:"why"`
	ApprovalID *int64       `json:"approval_id"`
	By         string       `json:"by"`
	At         string       `json:"at"`
	Tries      []paymentTry `json:"tries"`
}

type paymentTry struct {
	Asked   string `json:"asked"`
	Outcome string `json:"outcome"`
	Why     string `json:"why"`
	By      string `json:"by"`
	At      string `json:"at"`
	TookUs  int64  `json:"took_us"`
}

type paymentPayout struct {
	PayoutID int64  `json:"payout_id"`
	Payout   string `json:"payout"`
	Seq      int64  `json:"seq"`
	PaidOn   string `json:"paid_on"`
	Amount   int64  `json:"amount"`
	Fee      int64  `json:"fee"`
	MatchID  *int64 `json:"match_id"`
	BreakID  *int64 `json:"break_id"`
	Reversed bool   `json:"reversed"`
}

func (a *api) showPayment(c echo.Context, actor store.Actor) error {
	id, err := PathNumber(c, "id", "payment")
	if err != nil {
		return err
	}
	history, err := a.Store.PaymentHistory(c.Request().Context(), actor, id)
	if err != nil {
		return err
	}
	return answer(c, http.StatusOK, historyOf(history))
}

func historyOf(h store.PaymentHistory) paymentHistory {
	shown := paymentHistory{
		paymentShown: paymentOf(h.Payment), ApprovalID: numberOrNull(h.Refund),
		Events: make([]paymentEvent, len(h.Events)), Calls: make([]paymentCall, len(h.Calls)), Payouts: make([]paymentPayout, len(h.Payouts)),
	}
	for i, e := range h.Events {
		told := payment.Tell(e.Event)
		shown.Events[i] = paymentEvent{
			N: e.N, Type: "payment." + told.Kind.String(), Ref: told.Ref, Amount: told.AmountMinor, Fee: told.FeeMinor, Reason: told.Reason, Seq: numberOrNull(e.Seq),
			Source: textOrNull(e.Source), MessageID: textOrNull(e.MessageID), By: e.By, At: ledger.FormatInstant(e.At),
		}
	}
	for i, call := range h.Calls {
		shown.Calls[i] = paymentCall{
			Command: string(call.Command), Amount: call.AmountMinor, Key: call.Key, GatewayKey: call.GatewayKey, State: string(call.State), Why: call.Why,
			ApprovalID: numberOrNull(call.ApprovalID), By: call.AskedBy, At: ledger.FormatInstant(call.CreatedAt), Tries: make([]paymentTry, len(call.Tries)),
		}
		for j, t := range call.Tries {
			shown.Calls[i].Tries[j] = paymentTry{
				Asked: t.Asked, Outcome: string(t.Outcome), Why: t.Why, By: t.By, At: ledger.FormatInstant(t.At), TookUs: t.Took.Microseconds(),
			}
		}
	}
	for i, p := range h.Payouts {
		shown.Payouts[i] = paymentPayout{
			PayoutID: p.PayoutID, Payout: p.Payout, Seq: p.Seq, PaidOn: p.PaidOn.String(), Amount: p.AmountMinor, Fee: p.FeeMinor, MatchID: numberOrNull(p.MatchID),
			BreakID: numberOrNull(p.BreakID), Reversed: p.Reversed,
		}
	}
	return shown
}

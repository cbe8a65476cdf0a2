package api

import (
	"net/http"
	"strconv"

	"github.com/labstack/echo/v4"

	"daybook/store"
	"daybook/store/gateway"
	"daybook/store/ledger"
	"daybook/store/payment"
)

// paymentAnswer is a payment as a command left it. Gateway is unknown while the gateway has not answered something that it was asked.
type paymentAnswer struct {
	ID          int64   `json:"id"`
	State       string  `json:"state"`
	Amount      int64   `json:"amount"`
	Authorized  int64   `json:"authorized"`
	Captured    int64   `json:"captured"`
	Refunded    int64   `json:"refunded"`
	Fee         int64   `json:"fee"`
	Currency    string  `json:"currency"`
	Customer    string  `json:"customer"`
	Reference   string  `json:"reference"`
	Gateway     string  `json:"gateway"`
	GatewayName string  `json:"gateway_name"`
	Charge      *string `json:"charge"`
	Why         *string `json:"why"`
	ApprovalID  *int64  `json:"approval_id"`
	Duplicate   bool    `json:"duplicate"`
}

func paymentAnswerOf(r store.PaymentReceipt) paymentAnswer {
	return paymentAnswer{
		ID: r.ID, State: r.State, Amount: r.AmountMinor, Authorized: r.AuthorizedMinor, Captured: r.CapturedMinor, Refunded: r.RefundedMinor, Fee: r.FeeMinor,
		Currency: r.Currency, Customer: r.Customer, Reference: r.Reference, Gateway: knownWord(r.Known), GatewayName: r.Gateway, Charge: textOrNull(r.Charge),
		Why: textOrNull(r.Why), ApprovalID: numberOrNull(r.ApprovalID), Duplicate: r.Duplicate,
	}
}

func knownWord(known bool) string {
	if known {
		return "known"
	}
	return "unknown"
}

func (a *api) requestPayment(c echo.Context, actor store.Actor) error {
	if err := actor.Need(store.RightPost); err != nil {
		return err
	}
	key, err := requiredKey(c)
	if err != nil {
		return err
	}
	body, err := readObject(c)
	if err != nil {
		return err
	}
	request := store.PaymentRequest{
		AmountMinor: body.Amount("amount"), Currency: body.Text("currency"), Customer: body.Text("customer"), Reference: body.Text("reference"),
	}
	if err := body.Err(); err != nil {
		return err
	}
	receipt, err := a.Store.RequestPayment(c.Request().Context(), actor, key, request)
	if err != nil {
		return err
	}
	return created(c, receipt.Duplicate, paymentAnswerOf(receipt))
}

// commandPayment asks the gateway for something. A refund that waits for another person is accepted, and not done.
func (a *api) commandPayment(command gateway.Command) handler {
	return func(c echo.Context, actor store.Actor) error {
		if err := actor.Need(store.RightPost); err != nil {
			return err
		}
		key, err := requiredKey(c)
		if err != nil {
			return err
		}
		id, err := PathNumber(c, "id", "payment")
		if err != nil {
			return err
		}
		body, err := readObject(c)
		if err != nil {
			return err
		}
		asked := store.PaymentCommand{PaymentID: id, Command: command}
		switch command {
		case gateway.Capture:
			asked.AmountMinor = body.AmountIfGiven("amount")
		case gateway.Refund:
			asked.AmountMinor, asked.Reason = body.AmountIfGiven("amount"), body.Text("reason")
		case gateway.Authorize, gateway.Void:
		}
		if err := body.Err(); err != nil {
			return err
		}
		receipt, err := a.Store.CommandPayment(c.Request().Context(), actor, key, asked)
		if err != nil {
			return err
		}
		status := http.StatusOK
		if receipt.ApprovalID != 0 {
			status = http.StatusAccepted
		}
		return settled(c, status, receipt.Duplicate, paymentAnswerOf(receipt))
	}
}

// recoverPayment asks the gateway what became of what it has not answered.
func (a *api) recoverPayment(c echo.Context, actor store.Actor) error {
	id, err := PathNumber(c, "id", "payment")
	if err != nil {
		return err
	}
	receipt, err := a.Store.RecoverPayment(c.Request().Context(), actor, id)
	if err != nil {
		return err
	}
	return answer(c, http.StatusOK, paymentAnswerOf(receipt))
}

// settlePayment takes a person's word for what the gateway did.
func (a *api) settlePayment(c echo.Context, actor store.Actor) error {
	if err := actor.Need(store.RightPost); err != nil {
		return err
	}
	key, err := optionalKey(c)
	if err != nil {
		return err
	}
	id, err := PathNumber(c, "id", "payment")
	if err != nil {
		return err
	}
	body, err := readObject(c)
	if err != nil {
		return err
	}
	verdict := store.PaymentVerdict{PaymentID: id, Done: body.Boolean("done"), Charge: body.Text("charge"), Ref: body.Text("ref"), Reason: body.Text("reason")}
	if fee := body.AmountIfGiven("fee"); fee != nil {
		verdict.FeeMinor = *fee
	}
	if err := body.Err(); err != nil {
		return err
	}
	receipt, err := a.Store.SettlePayment(c.Request().Context(), actor, key, verdict)
	if err != nil {
		return err
	}
	return settled(c, http.StatusOK, receipt.Duplicate, paymentAnswerOf(receipt))
}

func (a *api) listPayments(c echo.Context, actor store.Actor) error {
	query := queryOf(c)
	filter := store.PaymentFilter{
		After: query.after(), Limit: query.limit(), OldestFirst: true, Words: query.text("q"), Unknown: query.oneOf("gateway", "unknown") != "", Unsettled: query.oneOf("call", "live") != "",
		Bank: store.PaymentBank(query.oneOf("bank", string(store.PaidOutNot), string(store.PaidOutInTransit), string(store.PaidOutMatched))),
		From: query.date("from"), To: query.date("to"),
	}
	if text := query.text("state"); text != "" {
		state, err := payment.ParseState(text)
		if err != nil {
			query.fault.At("state", "must be one of %v", payment.States())
		}
		filter.States = []payment.State{state}
	}
	if err := query.err(); err != nil {
		return err
	}
	payments, more, err := a.Store.Payments(c.Request().Context(), actor, filter)
	if err != nil {
		return err
	}
	return answer(c, http.StatusOK, listOf(payments, more, paymentOf, func(p store.Payment) string { return strconv.FormatInt(p.ID, 10) }))
}

// paymentShown is a payment in a list; Bank says how far its money is on its way there, Call what is still open of what the gateway was asked.
type paymentShown struct {
	ID          int64   `json:"id"`
	State       string  `json:"state"`
	Amount      int64   `json:"amount"`
	Authorized  int64   `json:"authorized"`
	Captured    int64   `json:"captured"`
	Refunded    int64   `json:"refunded"`
	Disputed    int64   `json:"disputed"`
	Lost        int64   `json:"lost"`
	Fee         int64   `json:"fee"`
	Currency    string  `json:"currency"`
	Customer    string  `json:"customer"`
	Reference   string  `json:"reference"`
	Gateway     string  `json:"gateway"`
	GatewayName string  `json:"gateway_name"`
	Charge      *string `json:"charge"`
	Bank        *string `json:"bank"`
	CreatedAt   string  `json:"created_at"`
	CreatedBy   string  `json:"created_by"`
	Call        *string `json:"call"`
	Why         *string `json:"why"`
}

func paymentOf(p store.Payment) paymentShown {
	shown := paymentShown{
		ID: p.ID, State: p.State.String(), Amount: p.AmountMinor, Authorized: p.AuthorizedMinor, Captured: p.CapturedMinor, Refunded: p.RefundedMinor,
		Disputed: p.DisputedMinor, Lost: p.LostMinor, Fee: p.FeeMinor, Currency: p.Currency, Customer: p.Customer, Reference: p.Reference,
		Gateway: knownWord(p.Known()), GatewayName: p.Gateway, Charge: textOrNull(p.Charge), Bank: textOrNull(string(p.Bank)),
		CreatedAt: ledger.FormatInstant(p.CreatedAt), CreatedBy: p.CreatedBy,
	}
	if p.Call != nil {
		shown.Call, shown.Why = textOrNull(string(p.Call.State)), textOrNull(p.Call.Why)
	}
	return shown
}

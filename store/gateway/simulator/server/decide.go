package server

import (
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strings"

	"daybook/store/gateway"
	"daybook/store/gateway/simulator"
	"daybook/store/inbox"
	"daybook/store/payment"
)

// decide says what a request comes to, and changes nothing. decline is what luck says to a new authorization.
func (s *state) decide(asked request, decline bool) request {
	asked.Answer.Result = simulator.Done
	if asked.Command == gateway.Authorize {
		return s.decideAuthorization(asked, decline)
	}
	charge := s.charges[asked.Charge]
	if charge == nil {
		return refused(asked, http.StatusNotFound, "there is no charge %q", asked.Charge)
	}
	asked.Answer.Charge = charge.ID
	if why := impossible(asked, *charge); why != "" {
		return refused(asked, http.StatusConflict, "%s", why)
	}
	amount, fee := asked.Order.Amount, int64(0)
	if asked.Command == gateway.Capture {
		fee = feeOf(amount)
	}
	return s.happen(asked, *charge, movements[asked.Command], amount, fee)
}

// movement is an event, and what its name begins with.
type movement struct {
	kind   payment.Kind
	prefix string
}

var movements = map[gateway.Command]movement{
	gateway.Authorize: {payment.KindAuthorization, "au"},
	gateway.Capture:   {payment.KindCapture, "ca"},
	gateway.Refund:    {payment.KindRefund, "re"},
	gateway.Void:      {payment.KindVoid, "vo"},
}

// declined is why an authorization is declined.
const declined = "the card was declined"

func (s *state) decideAuthorization(asked request, decline bool) request {
	asked.Answer.Charge = s.name("ch")
	charge := simulator.Charge{ID: asked.Answer.Charge, Book: asked.Order.Book, PaymentID: asked.Order.PaymentID, Currency: asked.Order.Currency}
	if !decline {
		return s.happen(asked, charge, movements[gateway.Authorize], asked.Order.Amount, 0)
	}
	asked.Answer.Result, asked.Answer.Reason = simulator.Declined, declined
	asked = s.happen(asked, charge, movement{payment.KindDecline, "au"}, asked.Order.Amount, 0)
	asked.Status = http.StatusPaymentRequired
	return asked
}

// happen adds what happens to the answer.
func (s *state) happen(asked request, charge simulator.Charge, m movement, amount, fee int64) request {
	data, _ := json.Marshal(simulator.Happening{
		PaymentID: charge.PaymentID, Charge: charge.ID, Currency: charge.Currency, Ref: s.name(m.prefix), Amount: amount, Fee: fee,
		Reason: asked.Answer.Reason, Key: asked.Answer.Key,
	})
	asked.Status, asked.Book = http.StatusCreated, charge.Book
	asked.Answer.Event = &inbox.Message{Source: simulator.Name, ID: s.name("evt"), Type: "payment." + m.kind.String(), Data: data}
	return asked
}

func refused(asked request, status int, format string, args ...any) request {
	asked.Status, asked.Answer.Result, asked.Answer.Reason = status, simulator.Refused, fmt.Sprintf(format, args...)
	return asked
}

// possibleIn says in which statuses of a charge a command is possible.
var possibleIn = map[gateway.Command][]simulator.Status{
	gateway.Capture: {simulator.Authorized},
	gateway.Void:    {simulator.Authorized},
	gateway.Refund:  {simulator.Captured, simulator.PartlyRefunded},
}

// impossible says why something cannot be done to a charge; nothing when it can.
func impossible(asked request, charge simulator.Charge) string {
	if c := asked.Order.Currency; c != "" && c != charge.Currency {
		return fmt.Sprintf("the charge is in %s", charge.Currency)
	}
	if !slices.Contains(possibleIn[asked.Command], charge.Status) {
		return fmt.Sprintf("the charge is %s", strings.ReplaceAll(string(charge.Status), "_", " "))
	}
	amount := asked.Order.Amount
	if asked.Command == gateway.Capture && amount > charge.Authorized {
		return fmt.Sprintf("%d is more than the %d that is authorized", amount, charge.Authorized)
	}
	if left := charge.Captured - charge.Refunded; asked.Command == gateway.Refund && amount > left {
		return fmt.Sprintf("%d is more than the %d that is left of the charge", amount, left)
	}
	return ""
}

// What the simulator keeps of a capture: a part of the amount in thousandths, and so many minor units besides.
const (
	feeThousandths = 15
	feeMinor       = 25
)

// feeOf is the fee of a capture, rounded half up. It is computed in parts, so that no amount is too large.
func feeOf(amount int64) int64 {
	return amount/1000*feeThousandths + (amount%1000*feeThousandths+500)/1000 + feeMinor
}

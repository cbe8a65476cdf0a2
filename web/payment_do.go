package web

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"github.com/labstack/echo/v4"

	"daybook/store"
	"daybook/store/gateway"
	"daybook/store/ledger"
	"daybook/store/payment"
	"daybook/templates"
	"daybook/templates/ui"
	"daybook/web/api"
)

// paymentWork is one of the forms of a payment: what it does, and what is said of it then.
type paymentWork struct {
	do  string
	act func(ctx context.Context, actor store.Actor, p store.Payment, f *form) (store.PaymentReceipt, error)
}

// paymentWorks are all forms of a payment.
func (s *server) paymentWorks() []paymentWork {
	works := []paymentWork{s.recovery(), s.verdict()}
	for _, command := range gateway.Commands {
		works = append(works, s.commandOf(command))
	}
	return works
}

// workOnPayment takes a form of a payment. Refused, it shows the payment as it stands now with what was typed.
func (s *server) workOnPayment(work paymentWork) actorHandler {
	return func(c echo.Context, actor store.Actor) error {
		if err := actor.Need(store.RightPost); err != nil {
			return err
		}
		id, err := api.PathNumber(c, "id", "payment")
		if err != nil {
			return err
		}
		address := bookView(actor.Book).PaymentURL(id)
		comeBack(c, "Open the payment", address)
		f, err := readKeyedForm(c)
		if err != nil {
			return err
		}
		ctx := c.Request().Context()
		p, err := s.Store.Payment(ctx, actor, id)
		if err != nil {
			return err
		}
		receipt, err := work.act(ctx, actor, p, f)
		refusal, wrong := typedWrong(err)
		switch {
		case wrong || ledger.KindOf(err) == ledger.KindIllegalTransition:
			return s.refuseOnPayment(c, actor, work.do, f, refusal)
		case err != nil:
			return err
		}
		s.tellOfPayment(c, actor, work.do, receipt)
		return seeOther(c, address)
	}
}

// refuseOnPayment shows a form of a payment again or, where it cannot be sent any more, why.
func (s *server) refuseOnPayment(c echo.Context, actor store.Actor, do string, f *form, refusal *ledger.Error) error {
	view, err := s.paymentPage(c, actor)
	if err != nil {
		return err
	}
	if refusal.Kind == ledger.KindKeyReused {
		view.Flash = &ui.Alert{Tone: ui.Warn, Title: "This form was sent before.", Text: "Here is the payment as it stands now.", Refusal: true}
	} else {
		view.Form = templates.PaymentForm{
			Do: do, Key: f.key(), Amount: f.raw("amount"), Reason: f.raw("reason"), Done: f.raw("done"), Named: cmp.Or(f.raw("charge"), f.raw("ref")), Fee: f.raw("fee"),
			Message: messageOf(refusal), Errors: inUnits(refusal, formatOf(actor), view.Currency),
		}
	}
	s.recordRefusal(c, refusal)
	return render(c, api.ProblemOf(refusal, "").Status, templates.PaymentPage(view))
}

// commandOf asks the gateway. An amount is typed in the currency of the payment; empty, it is all that there is.
func (s *server) commandOf(command gateway.Command) paymentWork {
	return paymentWork{do: string(command), act: func(ctx context.Context, actor store.Actor, p store.Payment, f *form) (store.PaymentReceipt, error) {
		asked := store.PaymentCommand{PaymentID: p.ID, Command: command, Reason: f.text("reason")}
		if text := f.text("amount"); text != "" && (command == gateway.Capture || command == gateway.Refund) {
			minor := f.amount("amount", formatOf(actor), p.Currency)
			asked.AmountMinor = &minor
		}
		if command == gateway.Refund && asked.Reason == "" {
			f.fault("reason", "is missing")
		}
		if err := f.err(); err != nil {
			return store.PaymentReceipt{}, err
		}
		return s.Store.CommandPayment(ctx, actor, f.key(), asked)
	}}
}

// inUnits words an amount that was too large in the units that it was typed in: the rules say it in minor ones.
func inUnits(refusal *ledger.Error, format ui.Format, currency string) []ledger.FieldError {
	fields := slices.Clone(refusal.Fields)
	mostMinor, bounded := refusal.Extra["most_minor"].(int64)
	for i, f := range fields {
		if bounded && f.Field == "amount" {
			fields[i].Detail = strings.TrimPrefix(refusal.Message, "the amount ") + ": " + format.Amount(mostMinor, currency) + " " + currency
		}
	}
	return worded(fields)
}

// recovery asks the gateway again what became of what it has not answered.
func (s *server) recovery() paymentWork {
	return paymentWork{do: templates.DoRecover, act: func(ctx context.Context, actor store.Actor, p store.Payment, _ *form) (store.PaymentReceipt, error) {
		return s.Store.RecoverPayment(ctx, actor, p.ID)
	}}
}

// verdict takes a person's word for what the gateway did.
func (s *server) verdict() paymentWork {
	return paymentWork{do: templates.DoSettle, act: func(ctx context.Context, actor store.Actor, p store.Payment, f *form) (store.PaymentReceipt, error) {
		v := store.PaymentVerdict{PaymentID: p.ID, Done: f.text("done") == "yes", Charge: f.text("charge"), Ref: f.text("ref"), Reason: f.text("reason")}
		if v.Done && f.text("fee") != "" {
			v.FeeMinor = f.amount("fee", formatOf(actor), p.Currency)
		}
		for _, needed := range []struct {
			field, detail string
			missing       bool
		}{
			{"done", "say whether the gateway did it", f.text("done") != "yes" && f.text("done") != "no"},
			{"charge", "is missing: copy it from the gateway’s own pages", v.Done && v.Charge == "" && p.Call != nil && p.Call.Command == gateway.Authorize},
			{"reason", "is missing", v.Reason == ""},
		} {
			if needed.missing {
				f.fault(needed.field, needed.detail)
			}
		}
		if err := f.err(); err != nil {
			return store.PaymentReceipt{}, err
		}
		if !v.Done {
			v.Charge, v.Ref = "", ""
		}
		return s.Store.SettlePayment(ctx, actor, f.key(), v)
	}}
}

// tellOfPayment has the next page say what became of a request; as a warning where a person should look.
func (s *server) tellOfPayment(c echo.Context, actor store.Actor, do string, r store.PaymentReceipt) {
	switch {
	case r.ApprovalID != 0:
		s.tell(c, "The refund waits for another person, as "+templates.NameOfApproval(r.ApprovalID)+".\nNothing was given back yet.")
	case !r.Known:
		s.warn(c, "The gateway has not answered.\nIt is asked again by itself, with the same key: nothing is charged twice.")
	case r.State == payment.Failed.String():
		s.warn(c, "The payment was declined.\n"+sentence(r.Why))
	case do == templates.DoVoid:
		s.tell(c, "The payment is let go.\nNothing is held for us, and nothing can be taken any more.")
	case do == templates.DoSettle:
		s.tell(c, "What the gateway did is put down.")
	default:
		s.tell(c, "The gateway has answered. The payment is "+paymentWord(r)+".")
	}
}

func paymentWord(r store.PaymentReceipt) string {
	state, err := payment.ParseState(r.State)
	if err != nil {
		return r.State
	}
	return strings.ToLower(templates.StateOfPayment(state))
}

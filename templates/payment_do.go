package templates

import (
	"slices"

	"daybook/store/ledger"
	"daybook/store/payment"
	"daybook/templates/ui"
)

// PaymentForm is the form of one thing to be done with a payment: what was typed, and why it was refused.
type PaymentForm struct {
	Do, Key                          string
	Amount, Reason, Done, Named, Fee string
	Message                          string
	Errors                           []ledger.FieldError
}

// Actions are what can be done with the payment now, in the order in which they are offered.
func (v PaymentView) Actions() []string {
	switch {
	case v.Call != nil && v.Call.State == CallUnposted:
		return []string{DoRecover}
	case v.Call != nil:
		return []string{DoRecover, DoSettle}
	}
	var actions []string
	add := func(do string, can bool) {
		if can {
			actions = append(actions, do)
		}
	}
	add(DoAuthorize, v.State == payment.Created)
	add(DoCapture, v.State == payment.Authorized)
	add(DoRefund, payment.Outlook(v.State, payment.KindRefund) && v.LeftMinor > 0 && v.Refund == 0)
	add(DoVoid, payment.Outlook(v.State, payment.KindVoid))
	return actions
}

// Can reports whether something can be done now.
func (v PaymentView) Can(do string) bool { return slices.Contains(v.Actions(), do) }

// formOpen says whether the form that was asked for can be sent now.
func (v PaymentPageView) formOpen() bool {
	return v.MissingRight == "" && v.Form.Do != "" && v.Can(v.Form.Do)
}

// whyNot says why nothing can be done; "" where something can.
func (v PaymentView) whyNot() string {
	if len(v.Actions()) > 0 {
		return ""
	}
	if v.Refund != 0 {
		return "A refund of it waits for another person. Nothing else can be done until that is decided."
	}
	return v.final()
}

// actionWords are the buttons: what they say, and their shape.
var actionWords = map[string]ui.Button{
	DoAuthorize: {Text: "Authorize", Icon: "circle-half-2"},
	DoCapture:   {Text: "Capture", Icon: "credit-card"},
	DoRefund:    {Text: "Refund", Icon: "arrow-back-up"},
	DoVoid:      {Text: "Void", Icon: "circle-minus"},
	DoRecover:   {Text: "Ask the gateway again", Icon: "rotate"},
	DoSettle:    {Text: "Say what the gateway did", Icon: "user-question"},
}

// button leads to the form of an action.
func (v PaymentView) button(b Book, do string, primary bool) ui.Button {
	button := actionWords[do]
	button.Href, button.Wide, button.Primary = b.PaymentURL(v.ID, do)+"#form", true, primary
	return button
}

// submit sends the form of an action.
func (v PaymentView) submit(do string) ui.Button {
	button := actionWords[do]
	button.Primary, button.Danger = do != DoVoid, do == DoVoid
	switch do {
	case DoVoid:
		button.Text = "Void it for good"
	case DoRecover:
		if v.Call != nil && v.Call.State == CallUnposted {
			button.Text = "Try to post it again"
		}
	case DoSettle:
		button.Text = "Put it down"
	}
	return button
}

// explains says what an action does, over its form.
func (v PaymentView) explains(do string, f ui.Format) string {
	switch do {
	case DoAuthorize:
		return "The gateway is asked to hold " + v.amount(v.AmountMinor, f) + " for us. Nothing is taken yet."
	case DoCapture:
		return v.amount(v.AuthorizedMinor, f) + " are held for us. What is not captured is let go, and can never be captured later."
	case DoRefund:
		return v.amount(v.LeftMinor, f) + " of it can be given back."
	case DoVoid:
		if v.State == payment.Created {
			return "Nothing is held for us yet, so the gateway is not asked. This is final: the payment can never be authorized."
		}
		return "The " + v.amount(v.AuthorizedMinor, f) + " that are held for us go back to the payer. This is final: the payment can never be captured."
	case DoRecover:
		if v.Call != nil && v.Call.State == CallUnposted {
			return "The gateway has done what it was asked. Its entry is posted now, if what refused it was mended."
		}
		return "The gateway is asked what became of the request, by the key that the request had. Nothing is charged by asking."
	}
	return "You have looked at the gateway’s own pages, and know what it did. What you say decides, and stands in the history with your name."
}

// approvalNote says when a refund waits for another person.
func (v PaymentView) approvalNote(f ui.Format) string {
	if v.LimitMinor >= v.LeftMinor {
		return ""
	}
	return "Above " + v.amount(v.LimitMinor, f) + " it waits for another person’s approval."
}

// question is what a person answers who says what the gateway did.
func (v PaymentPageView) question(f ui.Format) ui.Radios {
	asked := "what it was asked"
	if v.Call != nil {
		asked = v.Call.what(v.PaymentView, f)
	}
	return ui.Radios{
		Name: "done", Legend: "Did the gateway do it: " + asked + "?", Value: v.Form.Done, Error: ui.ErrorOf(v.Form.Errors, "done"),
		Choices: []ui.Choice{
			{Value: "yes", Text: "Yes, it was done", Hint: "Its entry is posted"},
			{Value: "no", Text: "No, and it never will be", Hint: "Nothing is posted, and it can be asked for again"},
		},
	}
}

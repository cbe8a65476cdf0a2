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
	case v.unposted():
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

// unposted says that the gateway did something whose entry was refused.
func (v PaymentView) unposted() bool { return v.Call != nil && v.Call.State == CallUnposted }

// action is the button of an action, as the payment stands.
func (v PaymentView) action(do string) ui.Button {
	button := actionWords[do]
	switch {
	case do == DoRecover && v.unposted():
		button.Text = "Try to post it again"
	case do == DoVoid && v.State == payment.Created:
		button.Text = "Let it go"
	}
	return button
}

// button leads to the form of an action.
func (v PaymentView) button(b Book, do string, primary bool) ui.Button {
	button := v.action(do)
	button.Href, button.Wide, button.Primary = b.PaymentURL(v.ID, do)+"#form", true, primary
	return button
}

// submit sends the form of an action.
func (v PaymentView) submit(do string) ui.Button {
	button := v.action(do)
	button.Primary, button.Danger = do != DoVoid, do == DoVoid
	switch do {
	case DoVoid:
		button.Text += " for good"
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
			return "Nothing is held for us, and nothing was taken. This is final: the payment can never be authorized."
		}
		return "The " + v.amount(v.AuthorizedMinor, f) + " that are held for us go back to the payer. This is final: the payment can never be captured."
	case DoRecover:
		if v.unposted() {
			return "The gateway has done what it was asked. Its entry is posted now, if what refused it was mended."
		}
		return "The gateway is asked what became of the request, by the key that the request had. Nothing is charged by asking."
	}
	return "You have looked at the gateway’s own pages, and know what it did. What you say decides, and stands in the history with your name."
}

// approvalNote says when a refund waits for another person.
func (v PaymentView) approvalNote(f ui.Format) string {
	freeMinor := max(v.LimitMinor-v.RefundedMinor, 0) // refunds count together
	if freeMinor >= v.LeftMinor {
		return ""
	}
	return "Above " + v.amount(freeMinor, f) + " it waits for another person’s approval."
}

// settles says whether the request that a person knows the answer to is one of a command.
func (v PaymentView) settles(command string) bool { return v.Call != nil && v.Call.Command == command }

// named asks how the gateway names what it did. Of an authorization it is the name of the payment, by which it is captured later.
func (v PaymentPageView) named() ui.Field {
	if v.settles(DoAuthorize) {
		return ui.Field{
			Name: "charge", Label: "The payment’s name there", Value: v.Form.Named, Autocomplete: "off", Error: ui.ErrorOf(v.Form.Errors, "charge"),
			Hint: "How the gateway names the payment, such as ch_3120 or pi_3MtwBwLk. Needed where it was done: without it nothing can be captured.",
		}
	}
	hint := "How the gateway names what it did, if you know."
	if v.settles(DoRefund) {
		hint = "How the gateway names the refund, such as re_1Nispe2e, if you know."
	} else if v.settles(DoCapture) {
		hint = "How the gateway names the capture, such as cp_77 or py_1f93, if you know."
	}
	return ui.Field{Name: "ref", Label: "Its name there", Value: v.Form.Named, Autocomplete: "off", Hint: hint, Error: ui.ErrorOf(v.Form.Errors, "ref")}
}

// question is what a person answers who says what the gateway did.
func (v PaymentPageView) question(f ui.Format) ui.Radios {
	asked := "what it was asked"
	if v.Call != nil {
		asked = v.Call.what(v.PaymentView, f)
	}
	posts := "Its entry is posted"
	if v.settles(DoAuthorize) || v.settles(DoVoid) {
		posts = "It moves no money, so that no entry is posted"
	}
	return ui.Radios{
		Name: "done", Legend: "Did the gateway do it: " + asked + "?", Value: v.Form.Done, Error: ui.ErrorOf(v.Form.Errors, "done"),
		Choices: []ui.Choice{
			{Value: "yes", Text: "Yes, it was done", Hint: posts},
			{Value: "no", Text: "No, and it never will be", Hint: "Nothing is posted, and it can be asked for again"},
		},
	}
}

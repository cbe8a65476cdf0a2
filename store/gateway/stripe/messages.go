package stripe

import (
	"context"
	"encoding/json"
	"strconv"
	"strings"

	api "github.com/stripe/stripe-go/v85"

	"daybook/store/inbox"
	"daybook/store/ledger"
	"daybook/store/payment"
)

// translate makes the messages of an event, none where it tells nothing that concerns a journal. Several events may tell the same thing: it has the
// same name, and the payment takes it once. Errors: KindInvalid for an event of which nothing can be made, KindBusy as inbox.Webhook says.
func (w reading) translate(ctx context.Context, e event) ([]inbox.Message, error) {
	switch api.EventType(e.Type) {
	case api.EventTypePaymentIntentAmountCapturableUpdated, api.EventTypePaymentIntentPaymentFailed, api.EventTypePaymentIntentCanceled,
		api.EventTypePaymentIntentSucceeded:
		return w.intentMessages(ctx, e)
	case api.EventTypeChargeCaptured:
		return w.captureMessages(ctx, e)
	case api.EventTypeRefundCreated, api.EventTypeRefundUpdated, api.EventTypeRefundFailed, api.EventTypeChargeRefundUpdated:
		return w.refundMessages(ctx, e)
	case api.EventTypeChargeRefunded:
		return w.refundsMessages(ctx, e)
	case api.EventTypeChargeDisputeCreated, api.EventTypeChargeDisputeFundsWithdrawn, api.EventTypeChargeDisputeClosed, api.EventTypeChargeDisputeFundsReinstated:
		return w.disputeMessages(ctx, e)
	case api.EventTypePayoutPaid:
		return w.payoutMessages(ctx, e)
	}
	return []inbox.Message{e.unknown()}, nil
}

func (w reading) intentMessages(ctx context.Context, e event) ([]inbox.Message, error) {
	intent, err := read[api.PaymentIntent](e)
	if err != nil {
		return nil, err
	}
	whose, err := w.owner(ctx, intent.Metadata, intent)
	if err != nil {
		return nil, err
	}
	var happened payment.Event
	switch api.EventType(e.Type) {
	case api.EventTypePaymentIntentAmountCapturableUpdated:
		happened, err = authorization(intent)
	case api.EventTypePaymentIntentPaymentFailed:
		happened = decline(intent.ID, intent.LastPaymentError)
	case api.EventTypePaymentIntentCanceled:
		whose.key = "" // nothing at Stripe says by which request
		happened = void(intent)
	default:
		whose.key = intent.Metadata[metaCaptureKey]
		happened, err = capture(intent.ID, intent.AmountReceived, intent.Currency)
	}
	if err != nil {
		return nil, err
	}
	return []inbox.Message{whose.message(e.ID, happened)}, nil
}

// captureMessages: the metadata of a charge is a copy from before the capture, and does not have its key.
func (w reading) captureMessages(ctx context.Context, e event) ([]inbox.Message, error) {
	charge, err := read[api.Charge](e)
	if err != nil {
		return nil, err
	}
	whose, err := w.owner(ctx, charge.Metadata, charge.PaymentIntent)
	if err != nil {
		return nil, err
	}
	whose.key = ""
	happened, err := capture(whose.charge, charge.AmountCaptured, charge.Currency)
	if err != nil {
		return nil, err
	}
	return []inbox.Message{whose.message(e.ID, happened)}, nil
}

func (w reading) refundMessages(ctx context.Context, e event) ([]inbox.Message, error) {
	made, err := read[api.Refund](e)
	if err != nil {
		return nil, err
	}
	return w.messagesOf(ctx, e.ID, made)
}

// messagesOf tells a refund: what was made at Stripe's own pages too, which has no metadata of ours but that of its payment.
func (w reading) messagesOf(ctx context.Context, id string, made *api.Refund) ([]inbox.Message, error) {
	whose, err := w.owner(ctx, made.Metadata, made.PaymentIntent)
	if err != nil {
		return nil, err
	}
	whose.key = made.Metadata[metaKey]
	events, err := refund(made)
	if err != nil {
		return nil, err
	}
	messages := []inbox.Message{whose.message(id, events[0])}
	for _, failure := range events[1:] {
		messages = append(messages, whose.message(id+"-failed", failure))
	}
	return messages, nil
}

// refundsMessages tells all refunds of a charge, each as a message of its own: Stripe does not say which one the event is about.
func (w reading) refundsMessages(ctx context.Context, e event) ([]inbox.Message, error) {
	charge, err := read[api.Charge](e)
	if err != nil {
		return nil, err
	}
	params := &api.RefundListParams{Charge: &charge.ID}
	params.Limit = api.Int64(pageSize)
	var all []inbox.Message
	for made, err := range w.gateway.client.V1Refunds.List(ctx, params).All(ctx) {
		if err != nil {
			return nil, asking("the refunds of "+charge.ID, err)
		}
		messages, err := w.messagesOf(ctx, e.ID+"-"+made.ID, made)
		if err != nil {
			return nil, err
		}
		if all = append(all, messages...); len(all) > maxListed {
			return nil, ledger.Refuse(ledger.KindInvalid, "the charge has more than %d refunds", maxListed).At("id", "has too many refunds")
		}
	}
	return all, nil
}

// disputeMessages: the bank takes the money when a dispute begins. An inquiry, which takes none, and its end tell nothing.
func (w reading) disputeMessages(ctx context.Context, e event) ([]inbox.Message, error) {
	dispute, err := read[api.Dispute](e)
	if err != nil {
		return nil, err
	}
	whose, err := w.owner(ctx, dispute.Metadata, dispute.PaymentIntent)
	if err != nil {
		return nil, err
	}
	whose.key = ""
	minor, err := fromStripe(dispute.Amount, dispute.Currency)
	if err != nil {
		return nil, err
	}
	created, closed := e.Type == string(api.EventTypeChargeDisputeCreated), e.Type == string(api.EventTypeChargeDisputeClosed)
	inquiry := strings.HasPrefix(string(dispute.Status), "warning_") || dispute.Status == api.DisputeStatusPrevented
	switch {
	case e.Type == string(api.EventTypeChargeDisputeFundsWithdrawn) || created && !inquiry:
		return []inbox.Message{whose.message(e.ID, payment.Dispute{Ref: dispute.ID, AmountMinor: minor})}, nil
	case !created && dispute.Status == api.DisputeStatusWon:
		return []inbox.Message{whose.message(e.ID, payment.DisputeWon{Ref: dispute.ID})}, nil
	case closed && dispute.Status == api.DisputeStatusLost:
		return []inbox.Message{whose.message(e.ID, payment.DisputeLost{Ref: dispute.ID})}, nil
	}
	return nil, nil
}

// read gives the object of an event. Error: KindInvalid.
func read[T any](e event) (*T, error) {
	object := new(T)
	var named struct {
		ID string `json:"id"`
	}
	if json.Unmarshal(e.Data.Object, &named) != nil || named.ID == "" || json.Unmarshal(e.Data.Object, object) != nil {
		return nil, ledger.Refuse(ledger.KindInvalid, "what the event is about cannot be read").At("data.object", "is not what an event %s is about", e.Type)
	}
	return object, nil
}

// owner is the payment that something at Stripe is of: charge is its payment intent, key that by which it was asked for.
type owner struct {
	paymentID   int64
	charge, key string
}

// owner reads the metadata that Daybook put down, or that of the payment intent, for what was not made by Daybook. Errors as those of translate.
func (w reading) owner(ctx context.Context, metadata map[string]string, intent *api.PaymentIntent) (owner, error) {
	if intent == nil || intent.ID == "" {
		return owner{}, ledger.Refuse(ledger.KindInvalid, "it is about no payment intent, and Daybook makes no other payments").At("payment_intent", "is missing")
	}
	if known := intent.Object != ""; !known && metadata[metaPayment] == "" { // there is only its id
		found, err := w.gateway.client.V1PaymentIntents.Retrieve(ctx, intent.ID, nil)
		if err != nil {
			return owner{}, asking("the payment intent "+intent.ID, err)
		}
		metadata = found.Metadata
	}
	id, err := strconv.ParseInt(metadata[metaPayment], 10, 64)
	switch {
	case err != nil || id <= 0:
		return owner{}, ledger.Refuse(ledger.KindInvalid, "it is about a payment that Daybook did not make").At("metadata."+metaPayment, "is not the id of a payment")
	case metadata[metaBook] != w.book:
		return owner{}, ledger.Refuse(ledger.KindInvalid, "it is about a payment of another book: give that book a webhook of its own").
			At("metadata."+metaBook, "is %q, not %q", metadata[metaBook], w.book)
	}
	return owner{paymentID: id, charge: intent.ID, key: metadata[metaKey]}, nil
}

// asking is the error for what Stripe was asked about and did not tell.
func asking(what string, err error) error {
	if missing(err) {
		return ledger.Refuse(ledger.KindInvalid, "Stripe does not know %s", what).At("id", "is not known at Stripe")
	}
	return ledger.Refuse(ledger.KindBusy, "Stripe was asked about %s: %s", what, lookFailed(err).Why)
}

// message tells an event, with the data that inbox.ReadPayment reads. What Stripe does not say is left out: no fee is known before the payout.
func (o owner) message(id string, happened payment.Event) inbox.Message {
	told := payment.Tell(happened)
	text, _ := json.Marshal(struct { // numbers and texts are always JSON
		PaymentID int64  `json:"payment_id"`
		Ref       string `json:"ref"`
		Amount    int64  `json:"amount,omitempty"`
		Reason    string `json:"reason,omitempty"`
		Charge    string `json:"charge"`
		Key       string `json:"key,omitempty"`
	}{o.paymentID, told.Ref, told.AmountMinor, told.Reason, o.charge, o.key})
	return inbox.Message{Source: Name, ID: id, Type: "payment." + told.Kind.String(), Data: text}
}

package stripe

import (
	"context"
	"encoding/json"
	"slices"
	"strings"
	"time"

	api "github.com/stripe/stripe-go/v85"

	"daybook/store/inbox"
	"daybook/store/ledger"
	"daybook/store/payment"
)

// payout is what the message about a payout carries: what went to the bank, and what it is made of. Amounts are not negative, and a fee is where Stripe
// gives one back. Fee is what Stripe keeps of the payout and belongs to no payment.
type payout struct {
	Payout   string `json:"payout"`
	Currency string `json:"currency"`
	Amount   int64  `json:"amount"`
	Fee      int64  `json:"fee"`
	PaidOn   string `json:"paid_on"`
	Items    []item `json:"items"`
}

type item struct {
	PaymentID int64  `json:"payment_id"`
	Kind      string `json:"kind"`
	Ref       string `json:"ref"`
	Amount    int64  `json:"amount"`
	Fee       int64  `json:"fee"`
}

// maxItems keeps the message below what an inbox takes, and the webhook within the time that Stripe waits.
const maxItems = 5000

// payoutMessages asks Stripe what a payout is made of, which its event does not say, and holds the sum against what was paid.
func (w reading) payoutMessages(ctx context.Context, e event) ([]inbox.Message, error) {
	paid, err := read[api.Payout](e)
	if err != nil {
		return nil, err
	}
	if !paid.Automatic {
		return nil, ledger.Refuse(ledger.KindInvalid, "Stripe does not say what a payout by hand is made of: post it as an entry").At("automatic", "is false")
	}
	amount, err := fromStripe(paid.Amount, paid.Currency)
	if err != nil {
		return nil, err
	}
	p := payout{
		Payout: paid.ID, Currency: strings.ToUpper(string(paid.Currency)), Amount: amount, Items: []item{},
		PaidOn: ledger.DateOf(time.Unix(paid.ArrivalDate, 0)).String(),
	}
	net, err := w.collect(ctx, &p, paid)
	if err != nil {
		return nil, err
	}
	if net != amount {
		return nil, ledger.Refuse(ledger.KindInvalid, "what the payout is made of comes to another amount than was paid").
			At("amount", "is %d; its transactions come to %d, in minor units", amount, net)
	}
	slices.SortFunc(p.Items, func(a, b item) int { return strings.Compare(a.Ref+a.Kind, b.Ref+b.Kind) })
	text, err := json.Marshal(p)
	if err != nil {
		return nil, err
	}
	return []inbox.Message{{Source: Name, ID: e.ID, Type: "payout.paid", Data: text}}, nil
}

// collect adds what Stripe's balance says of a payout to it, and gives what that comes to.
func (w reading) collect(ctx context.Context, p *payout, paid *api.Payout) (net int64, err error) {
	params := &api.BalanceTransactionListParams{Payout: &paid.ID, Expand: []*string{api.String("data.source")}}
	params.Limit = api.Int64(pageSize)
	for moved, err := range w.gateway.client.V1BalanceTransactions.List(ctx, params).All(ctx) {
		if err != nil {
			return 0, asking("what "+paid.ID+" is made of", err)
		}
		minor, err := fromStripe(moved.Amount, moved.Currency)
		if err != nil {
			return 0, err
		}
		fee, err := fromStripe(moved.Fee, moved.Currency)
		if err != nil {
			return 0, err
		}
		if moved.Type == api.BalanceTransactionTypePayout { // the payout itself, which takes everything
			p.Fee, net = p.Fee+fee, net-fee
			continue
		}
		if net += minor - fee; isFee(moved.Type) {
			p.Fee += fee - minor
			continue
		}
		part, err := w.part(ctx, moved)
		if err != nil {
			return 0, err
		}
		part.Amount, part.Fee = max(minor, -minor), fee
		if p.Items = append(p.Items, part); len(p.Items) > maxItems {
			return 0, ledger.Refuse(ledger.KindInvalid, "the payout is made of more than %d transactions: post it as an entry", maxItems).At("id", "has too many transactions")
		}
	}
	return net, nil
}

func isFee(kind api.BalanceTransactionType) bool {
	return kind == api.BalanceTransactionTypeStripeFee || kind == api.BalanceTransactionTypeTaxFee || kind == api.BalanceTransactionTypeStripeFxFee
}

// part says what one movement of Stripe's balance was to a payment. What is none, or was changed into the currency of the payout, is refused by name: no
// entry of ours can be right about it.
func (w reading) part(ctx context.Context, moved *api.BalanceTransaction) (item, error) {
	from, known := originOf(moved)
	switch {
	case !known:
		return item{}, ledger.Refuse(ledger.KindInvalid, "the payout has a part that is no payment's: post it as an entry").
			At("items", "has %s, a transaction of the type %s", moved.ID, moved.Type)
	case from.currency != moved.Currency:
		return item{}, ledger.Refuse(ledger.KindInvalid, "the payout has a part that was changed into another currency: post it as an entry").
			At("items", "has %s, from %s into %s", from.ref, strings.ToUpper(string(from.currency)), strings.ToUpper(string(moved.Currency)))
	}
	whose, err := w.owner(ctx, from.metadata, from.intent)
	if from.kind == payment.KindCapture {
		from.ref = whose.charge
	}
	return item{PaymentID: whose.paymentID, Kind: from.kind.String(), Ref: from.ref}, err
}

// origin is what moved Stripe's balance.
type origin struct {
	kind     payment.Kind
	ref      string
	currency api.Currency
	metadata map[string]string
	intent   *api.PaymentIntent
}

func originOf(moved *api.BalanceTransaction) (from origin, known bool) {
	source, came := moved.Source, moved.Amount > 0
	switch {
	case source == nil:
	case source.Charge != nil && came:
		c := source.Charge
		return origin{payment.KindCapture, c.ID, c.Currency, c.Metadata, c.PaymentIntent}, true
	case source.Refund != nil:
		r, kind := source.Refund, payment.KindRefund
		if came {
			kind = payment.KindRefundFailure
		}
		return origin{kind, r.ID, r.Currency, r.Metadata, r.PaymentIntent}, true
	case source.Dispute != nil:
		d, kind := source.Dispute, payment.KindDispute
		if came {
			kind = payment.KindDisputeWon
		}
		return origin{kind, d.ID, d.Currency, d.Metadata, d.PaymentIntent}, true
	}
	return origin{}, false
}

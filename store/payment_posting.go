package store

import (
	"fmt"
	"strconv"

	"gorm.io/gorm"

	"daybook/store/ledger"
	"daybook/store/payment"
)

// effectEntry is what is posted for an effect: between the money at the gateway (clearing) and who paid, or what the bank took back; fees are
// booked with it, and leave that much less at the gateway.
func (s *Store) effectEntry(tx *gorm.DB, book Book, settings PaymentSettings, p Payment, e payment.Event, effect payment.Effect) (ledger.Entry, error) {
	kind, told := effect.Kind, payment.Tell(e)
	txID, err := freeTxID(tx, book, fmt.Sprintf("pay-%d", p.ID), "-"+kind.String())
	if err != nil {
		return ledger.Entry{}, err
	}
	other := p.Received
	if kind == payment.KindDispute || kind == payment.KindDisputeWon {
		other = settings.Chargebacks
	}
	minor := effectMinor(effect)
	entry := ledger.Entry{
		TxID: txID, EffectiveOn: ledger.DateOf(s.now()), Description: fmt.Sprintf("Payment %d %s, %s", p.ID, effectWords[kind], p.Customer),
		Metadata: map[string]string{"payment": strconv.FormatInt(p.ID, 10), "reference": p.Reference, "gateway": p.Gateway, "gateway_ref": told.Ref},
	}
	if p.Reference == "" {
		delete(entry.Metadata, "reference")
	}
	for _, posting := range []ledger.Posting{
		{Account: settings.Clearing, AmountMinor: minor[0]}, {Account: settings.Fees, AmountMinor: minor[1]}, {Account: other, AmountMinor: minor[2]},
	} {
		if posting.Currency = p.Currency; posting.AmountMinor != 0 {
			entry.Postings = append(entry.Postings, posting)
		}
	}
	return entry, nil
}

// effectMinor is what an effect moves, in minor units: at the gateway, in fees, and on the other side. Amounts and fees are each within the largest
// amount; their sum is too, or the journal refuses it.
func effectMinor(effect payment.Effect) [3]int64 {
	amountMinor := paidSign(effect.Kind) * effect.AmountMinor
	return [3]int64{amountMinor - effect.FeeMinor, effect.FeeMinor, -amountMinor}
}

var effectWords = map[payment.Kind]string{
	payment.KindCapture: "captured", payment.KindRefund: "refunded", payment.KindRefundFailure: "not refunded after all",
	payment.KindDispute: "disputed", payment.KindDisputeWon: "kept after a dispute",
}

// customerPrefix begins the codes of the accounts of customers.
const customerPrefix = "customer:"

// receivedAccount is the account of who paid: the customer's own, where the settings say so and the book has it, else the one for all.
func receivedAccount(tx *gorm.DB, book Book, settings PaymentSettings, customer string) (string, error) {
	if !settings.CustomerAccounts || customer == "" {
		return settings.Received, nil
	}
	own, err := query[string](tx, `SELECT code FROM accounts WHERE book_id = ? AND code = ANY(?::text[]) AND currency = ? AND closed_at IS NULL ORDER BY code LIMIT 1`,
		book.ID, array[string]{customerPrefix + customer, ownCode(customer)}, settings.Currency)
	if err != nil || len(own) == 0 {
		return settings.Received, err
	}
	return own[0], nil
}

// ownCode is what a customer is called where that is the code of the account of a customer already.
func ownCode(customer string) string {
	if len(customer) > len(customerPrefix) && customer[:len(customerPrefix)] == customerPrefix {
		return customer
	}
	return ""
}

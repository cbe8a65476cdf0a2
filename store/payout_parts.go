package store

import (
	"fmt"

	"gorm.io/gorm"

	"daybook/store/inbox"
	"daybook/store/ledger"
	"daybook/store/payment"
)

// payoutPart is an item of a payout with the event that it pays: BankMinor arrives at the bank, ClearingMinor leaves the gateway.
type payoutPart struct {
	inbox.PayoutItem
	eventN                   int
	bankMinor, clearingMinor int64
}

// payoutParts finds the events that a payout pays. Errors: tried, for events that are still to come and for what can never be paid out; KindInvalid
// for what was paid out before, here or in another payout; KindCurrencyMismatch, KindAmountOverflow.
func (s *Store) payoutParts(tx *gorm.DB, book Book, told inbox.Payout) ([]payoutPart, error) {
	known, err := eventsToPay(tx, book, told)
	if err != nil {
		return nil, err
	}
	parts, takenBy := make([]payoutPart, len(told.Items)), map[paidEvent]int{}
	for i, item := range told.Items {
		e, err := known.find(told, i)
		if err != nil {
			return nil, err
		}
		this := paidEvent{item.PaymentID, e.N}
		if first, twice := takenBy[this]; twice {
			return nil, ledger.Refuse(ledger.KindInvalid, "payout %q pays %s %q of payment %d twice", told.Payout, item.Kind, e.Ref, item.PaymentID).
				At(payoutField(i), "is items[%d] once more", first)
		}
		takenBy[this] = i
		parts[i] = payoutPart{PayoutItem: item, eventN: e.N, clearingMinor: paidSign(item.Kind)*e.AmountMinor - e.FeeMinor}
		var ok bool
		if parts[i].bankMinor, ok = ledger.Add(parts[i].clearingMinor, -item.FeeMinor); !ok {
			return nil, ledger.Refuse(ledger.KindAmountOverflow, "an amount is beyond the largest").At(payoutField(i)+".fee", "is beyond the largest amount")
		}
	}
	return parts, nil
}

// paidEvent names an event of a payment by its number.
type paidEvent struct {
	paymentID int64
	n         int
}

func payoutField(i int) string { return fmt.Sprintf("items[%d]", i) }

// eventToPay is an event that a payout may name: AmountMinor is what it brought or took, FeeMinor what it cost, below 0 where a fee was given back.
type eventToPay struct {
	N                           int
	PaymentID                   int64
	Kind, Ref, Currency, Payout string
	AmountMinor, FeeMinor       int64
}

// eventsByName are the events of payments by "payment kind ref", those that happen once to a payment also by "payment kind".
type eventsByName map[string]eventToPay

// eventsToPay reads the events of the payments that a payout names.
func eventsToPay(tx *gorm.DB, book Book, told inbox.Payout) (eventsByName, error) {
	ids := array[int64]{}
	for _, item := range told.Items {
		ids = append(ids, item.PaymentID)
	}
	// The failure of a refund and the winning of a dispute say no amount: they bring back what the refund, or the dispute, of their name took.
	events, err := query[eventToPay](tx, `
		SELECT e.n, e.payment_id, e.kind, e.ref, p.currency, coalesce(b.amount_minor, e.amount_minor) AS amount_minor,
		       CASE e.kind WHEN 'dispute_won' THEN - e.fee_minor ELSE e.fee_minor END AS fee_minor, coalesce(o.payout, '') AS payout
		  FROM payment_events e
		  JOIN payments p ON p.book_id = e.book_id AND p.id = e.payment_id
		  LEFT JOIN payment_events b ON b.book_id = e.book_id AND b.payment_id = e.payment_id AND b.ref = e.ref
		        AND (e.kind, b.kind) IN (('refund_failed', 'refunded'), ('dispute_won', 'disputed'))
		  LEFT JOIN payout_items i ON i.book_id = e.book_id AND i.payment_id = e.payment_id AND i.event_n = e.n AND i.live
		  LEFT JOIN payouts o ON o.book_id = i.book_id AND o.id = i.payout_id
		 WHERE e.book_id = ? AND e.payment_id = ANY(?::bigint[])`, book.ID, ids)
	if err != nil {
		return nil, fmt.Errorf("read what payout %q pays: %w", told.Payout, err)
	}
	known := eventsByName{}
	for _, e := range events {
		known[fmt.Sprint(e.PaymentID, " ", e.Kind, " ", e.Ref)] = e
		if kind, err := payment.ParseKind(e.Kind); err == nil && happensOnce(kind) {
			known[fmt.Sprint(e.PaymentID, " ", e.Kind)] = e
		}
	}
	return known, nil
}

// find gives the event of an item of a payout. What happens once to a payment is found by its amount too: who typed the event may have called it
// something else than the gateway does.
func (known eventsByName) find(told inbox.Payout, i int) (eventToPay, error) {
	item, field := told.Items[i], payoutField(i)
	if paidSign(item.Kind) == 0 {
		return eventToPay{}, tried{InboxParked, ledger.Refuse(ledger.KindInvalid, "%s moves no money, which could be paid out", item.Kind).At(field+".kind", "moves no money")}
	}
	e, found := known[fmt.Sprint(item.PaymentID, " ", item.Kind, " ", item.Ref)]
	if !found {
		e, found = known[fmt.Sprint(item.PaymentID, " ", item.Kind)]
		found = found && e.AmountMinor == item.AmountMinor
	}
	switch {
	case !found:
		return e, tried{InboxWaiting, ledger.Refuse(ledger.KindNotFound, "payment %d has no event %s %q yet", item.PaymentID, item.Kind, item.Ref).At(field, "is not known yet")}
	case e.Payout != "":
		return e, ledger.Refuse(ledger.KindInvalid, "%s %q of payment %d was paid out before, in %s", item.Kind, e.Ref, item.PaymentID, e.Payout).At(field, "was paid out in %s", e.Payout)
	case e.Currency != told.Currency:
		return e, ledger.Refuse(ledger.KindCurrencyMismatch, "payment %d is in %s, the payout in %s", item.PaymentID, e.Currency, told.Currency).At(field, "is in %s", e.Currency)
	case e.AmountMinor != item.AmountMinor:
		return e, ledger.Refuse(ledger.KindInvalid, "%s %q of payment %d was of another amount", item.Kind, item.Ref, item.PaymentID).At(field+".amount", "is %d, not %d", e.AmountMinor, item.AmountMinor)
	}
	return e, nil
}

// paidSign is 1 for events that bring money, -1 for those that take it, 0 for those that move none.
func paidSign(kind payment.Kind) int64 {
	switch kind {
	case payment.KindCapture, payment.KindRefundFailure, payment.KindDisputeWon:
		return 1
	case payment.KindRefund, payment.KindDispute:
		return -1
	default:
		return 0
	}
}

// addsUp refuses a payout whose items are not its amount. What its entry sums up must not be beyond the largest amount on the way either.
func addsUp(told inbox.Payout, parts []payoutPart) error {
	bankMinor, ok := ledger.Add(0, -told.FeeMinor)
	clearingMinor, feesMinor := int64(0), told.FeeMinor
	for _, part := range parts {
		var bankFits, clearingFits, feesFit bool
		bankMinor, bankFits = ledger.Add(bankMinor, part.bankMinor)
		clearingMinor, clearingFits = ledger.Add(clearingMinor, part.clearingMinor)
		feesMinor, feesFit = ledger.Add(feesMinor, part.FeeMinor)
		ok = ok && bankFits && clearingFits && feesFit
	}
	switch {
	case !ok:
		return ledger.Refuse(ledger.KindAmountOverflow, "the items of payout %q come to more than the largest amount", told.Payout).At("items", "sum to more than the largest amount")
	case bankMinor != told.AmountMinor:
		return ledger.Refuse(ledger.KindInvalid, "the items of payout %q come to %d less fees, and not to its amount, %d", told.Payout, bankMinor, told.AmountMinor).
			At("amount", "is %d, its items come to %d", told.AmountMinor, bankMinor)
	}
	return nil
}

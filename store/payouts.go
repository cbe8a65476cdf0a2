package store

import (
	"fmt"
	"strconv"
	"strings"

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

// applyPayout posts a payout: each item arrives at the bank in a posting of its own, all with the payout's reference, so that the one line of the
// bank's statement is matched with all of them. Error: tried, for items whose events are still to come; KindInvalid for amounts that do not add up.
func (s *Store) applyPayout(tx *gorm.DB, actor Actor, row messageRow) (inboxEffect, error) {
	told, err := inbox.ReadPayout([]byte(row.Data))
	if err != nil {
		return inboxEffect{}, tried{InboxParked, err}
	}
	before, err := query[int64](tx, `SELECT seq FROM payouts WHERE book_id = ? AND source = ? AND payout = ?`, actor.Book.ID, row.Source, told.Payout)
	if err != nil || len(before) > 0 {
		if err == nil {
			err = ledger.Refuse(ledger.KindInvalid, "payout %q was posted before, as entry %d", told.Payout, before[0]).At("payout", "is posted as entry %d", before[0])
		}
		return inboxEffect{}, err
	}
	settings, err := s.paymentSettings(tx, actor.Book, told.Currency)
	if err != nil {
		return inboxEffect{}, err
	}
	parts, err := s.payoutParts(tx, actor.Book, told)
	if err != nil {
		return inboxEffect{}, err
	}
	if err := addsUp(told, parts); err != nil {
		return inboxEffect{}, err
	}
	seq, err := s.postPayout(tx, actor, row, told, settings, parts)
	return inboxEffect{seq: seq}, err
}

// payoutParts finds the events that a payout pays.
func (s *Store) payoutParts(tx *gorm.DB, book Book, told inbox.Payout) ([]payoutPart, error) {
	type event struct {
		N                           int
		PaymentID                   int64
		Kind, Ref, Currency, Payout string
		AmountMinor, FeeMinor       int64
	}
	ids := array[int64]{}
	for _, item := range told.Items {
		ids = append(ids, item.PaymentID)
	}
	events, err := query[event](tx, `
		SELECT e.n, e.payment_id, e.kind, e.ref, p.currency, e.amount_minor, e.fee_minor, coalesce(o.payout, '') AS payout
		  FROM payment_events e
		  JOIN payments p ON p.book_id = e.book_id AND p.id = e.payment_id
		  LEFT JOIN payout_items i ON i.book_id = e.book_id AND i.payment_id = e.payment_id AND i.event_n = e.n AND i.live
		  LEFT JOIN payouts o ON o.book_id = i.book_id AND o.id = i.payout_id
		 WHERE e.book_id = ? AND e.payment_id = ANY(?::bigint[])`, book.ID, ids)
	if err != nil {
		return nil, fmt.Errorf("read what payout %q pays: %w", told.Payout, err)
	}
	known := map[string]event{}
	for _, e := range events {
		known[fmt.Sprint(e.PaymentID, " ", e.Kind, " ", e.Ref)] = e
	}
	parts := make([]payoutPart, len(told.Items))
	for i, item := range told.Items {
		field := fmt.Sprintf("items[%d]", i)
		e, found := known[fmt.Sprint(item.PaymentID, " ", item.Kind, " ", item.Ref)]
		switch {
		case !found:
			return nil, tried{InboxWaiting, ledger.Refuse(ledger.KindNotFound, "payment %d has no event %s %q yet", item.PaymentID, item.Kind, item.Ref).At(field, "is not known yet")}
		case e.Payout != "":
			return nil, ledger.Refuse(ledger.KindInvalid, "%s %q of payment %d was paid out before, in %s", item.Kind, item.Ref, item.PaymentID, e.Payout).At(field, "was paid out in %s", e.Payout)
		case e.Currency != told.Currency:
			return nil, ledger.Refuse(ledger.KindCurrencyMismatch, "payment %d is in %s, the payout in %s", item.PaymentID, e.Currency, told.Currency).At(field, "is in %s", e.Currency)
		case e.AmountMinor != item.AmountMinor:
			return nil, ledger.Refuse(ledger.KindInvalid, "%s %q of payment %d was of another amount", item.Kind, item.Ref, item.PaymentID).At(field+".amount", "is %d, not %d", e.AmountMinor, item.AmountMinor)
		}
		parts[i] = payoutPart{PayoutItem: item, eventN: e.N, clearingMinor: paidSign(item.Kind)*e.AmountMinor - e.FeeMinor}
		parts[i].bankMinor = parts[i].clearingMinor - item.FeeMinor
	}
	return parts, nil
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

// addsUp refuses a payout whose items are not its amount.
func addsUp(told inbox.Payout, parts []payoutPart) error {
	sumMinor, ok := ledger.Add(0, -told.FeeMinor)
	for _, part := range parts {
		if ok {
			sumMinor, ok = ledger.Add(sumMinor, part.bankMinor)
		}
	}
	if !ok || sumMinor != told.AmountMinor {
		return ledger.Refuse(ledger.KindInvalid, "the items of payout %q come to %d less fees, and not to its amount, %d", told.Payout, sumMinor, told.AmountMinor).
			At("amount", "is %d, its items come to %d", told.AmountMinor, sumMinor)
	}
	return nil
}

// payoutLines is how many items one entry of a payout holds; the rest goes into further ones.
const payoutLines = 4_000

// postPayout posts the entries of a payout and keeps what is in it. It gives the first.
func (s *Store) postPayout(tx *gorm.DB, actor Actor, row messageRow, told inbox.Payout, settings PaymentSettings, parts []payoutPart) (first int64, err error) {
	id, err := nextNumber(tx, actor.Book.ID, "payout", 1)
	if err != nil {
		return 0, err
	}
	var seqs []int64
	for from := 0; from < len(parts); from += payoutLines {
		feeMinor := int64(0)
		if from == 0 {
			feeMinor = told.FeeMinor
		}
		entry, err := payoutEntry(tx, actor.Book, id, told, settings, parts[from:min(from+payoutLines, len(parts))], feeMinor)
		if err != nil {
			return 0, err
		}
		outcomes, err := s.appendIn(tx, actor, []ledger.Command{postCommand(actor, "", entry)})
		if err != nil {
			return 0, err
		}
		if outcomes[0].Err != nil {
			return 0, outcomes[0].Err
		}
		seqs = append(seqs, outcomes[0].Record.Seq)
	}
	if _, err := exec(tx, `
		INSERT INTO payouts (book_id, id, source, payout, message_id, currency, amount_minor, fee_minor, paid_on, seq, user_id, at)
		VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
		actor.Book.ID, id, row.Source, told.Payout, row.MessageID, told.Currency, told.AmountMinor, told.FeeMinor, told.PaidOn, seqs[0], actor.UserID, s.now()); err != nil {
		return 0, fmt.Errorf("store payout %q: %w", told.Payout, err)
	}
	return seqs[0], insertPayoutItems(tx, actor.Book, id, parts, seqs)
}

// payoutEntry has the items first, in their order, without those of which nothing arrives.
func payoutEntry(tx *gorm.DB, book Book, id int64, told inbox.Payout, settings PaymentSettings, parts []payoutPart, feeMinor int64) (ledger.Entry, error) {
	txID, err := freeTxID(tx, book, "payout", "-"+strconv.FormatInt(id, 10))
	if err != nil {
		return ledger.Entry{}, err
	}
	entry := ledger.Entry{
		TxID: txID, EffectiveOn: told.PaidOn, Description: fmt.Sprintf("Payout %s, %d items", told.Payout, len(told.Items)),
		Metadata: map[string]string{"payout": told.Payout, "reference": payoutReference(told.Payout)},
	}
	add := func(account string, minor int64) {
		if minor != 0 {
			entry.Postings = append(entry.Postings, ledger.Posting{Account: account, AmountMinor: minor, Currency: told.Currency})
		}
	}
	clearingMinor, feesMinor := int64(0), feeMinor
	for _, part := range parts {
		add(settings.Bank, part.bankMinor)
		clearingMinor, feesMinor = clearingMinor+part.clearingMinor, feesMinor+part.FeeMinor
	}
	add(settings.Bank, -feeMinor)
	add(settings.Clearing, -clearingMinor)
	add(settings.Fees, feesMinor)
	return entry, nil
}

// payoutReference is how the bank is expected to name a payout: what begins so names a batch to the matching.
func payoutReference(name string) string {
	if strings.HasPrefix(strings.ToUpper(name), "PAYOUT") {
		return name
	}
	return "PAYOUT " + name
}

func insertPayoutItems(tx *gorm.DB, book Book, id int64, parts []payoutPart, seqs []int64) error {
	var ns, payments, events, amounts, fees, in, lines array[int64]
	line := int64(0)
	for i, part := range parts {
		if i%payoutLines == 0 {
			line = 0
		}
		at := int64(0)
		if part.bankMinor != 0 {
			line++
			at = line
		}
		ns, payments, events = append(ns, int64(i+1)), append(payments, part.PaymentID), append(events, int64(part.eventN))
		amounts, fees, in, lines = append(amounts, part.bankMinor), append(fees, part.FeeMinor), append(in, seqs[i/payoutLines]), append(lines, at)
	}
	_, err := exec(tx, `
		INSERT INTO payout_items (book_id, payout_id, n, payment_id, event_n, amount_minor, fee_minor, seq, line)
		SELECT ?, ?, i.n, i.payment_id, i.event_n, i.amount, i.fee, i.seq, nullif(i.line, 0)
		  FROM unnest(?::bigint[], ?::bigint[], ?::bigint[], ?::bigint[], ?::bigint[], ?::bigint[], ?::bigint[]) AS i (n, payment_id, event_n, amount, fee, seq, line)`,
		book.ID, id, ns, payments, events, amounts, fees, in, lines)
	if err != nil {
		return fmt.Errorf("store what payout %d pays: %w", id, err)
	}
	return nil
}

// undoPayout sets what an entry paid back to not paid out, once that was reversed, if it was the entry of a payout.
func undoPayout(tx *gorm.DB, book Book, seq int64) error {
	if _, err := exec(tx, `UPDATE payout_items SET live = false WHERE book_id = ? AND seq = ? AND live`, book.ID, seq); err != nil {
		return fmt.Errorf("undo the payout of entry %d: %w", seq, err)
	}
	return nil
}

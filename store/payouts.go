package store

import (
	"fmt"
	"strconv"
	"strings"

	"gorm.io/gorm"

	"daybook/store/inbox"
	"daybook/store/ledger"
)

// applyPayout posts a payout: each item arrives at the bank in a posting of its own, all with the payout's reference, so that the one line of the
// bank's statement is matched with all of them. Error: tried, for items whose events are still to come; KindInvalid for amounts that do not add up.
func (s *Store) applyPayout(tx *gorm.DB, actor Actor, row messageRow) (inboxEffect, error) {
	told, err := inbox.ReadPayout([]byte(row.Data))
	if err != nil {
		return inboxEffect{}, tried{InboxParked, err}
	}
	if err := s.dayToPay(told.PaidOn); err != nil {
		return inboxEffect{}, err
	}
	// Who pays the same payout, or the same event in another, comes after this one and finds it.
	if err := takeTurn(tx, fmt.Sprintf("payouts of book %d", actor.Book.ID)); err != nil {
		return inboxEffect{}, err
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

// The days on which a payout can be: what is before them, or further ahead, was mistyped.
const payoutDaysAhead = 31

var payoutsFrom = ledger.MustDate("2000-01-01")

// dayToPay refuses a day on which nothing can have been paid.
func (s *Store) dayToPay(on ledger.Date) error {
	if last := ledger.DateOf(s.now()).AddDays(payoutDaysAhead); on.Before(payoutsFrom) || on.After(last) {
		return tried{InboxParked, ledger.Refuse(ledger.KindInvalid, "no payout is on %s", on).At("paid_on", "must be from %s to %s", payoutsFrom, last)}
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

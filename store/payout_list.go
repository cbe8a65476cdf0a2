package store

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"gorm.io/gorm"

	"daybook/store/ledger"
	"daybook/store/payment"
)

// Payout is one amount that a gateway has paid to the bank for many payments. Amounts are in minor units of Currency: GrossMinor less FeesMinor is
// AmountMinor.
type Payout struct {
	ID          int64
	Name        string // the gateway's own name of it
	Source      string // of the message that told it
	MessageID   string
	Currency    string
	PaidOn      ledger.Date
	Seq         int64 // its entry, the first of several
	ItemCount   int64
	GrossMinor  int64 // what its items moved, before all fees
	FeesMinor   int64 // all fees: FeeMinor, and those of its items
	FeeMinor    int64 // of the payout itself
	AmountMinor int64 // what arrives
	By          string
	At          time.Time
	PayoutPlace
	Items []PayoutItem `gorm:"-"`
}

// PayoutItem is one event of a payment in a payout. GrossMinor less FeeMinor is AmountMinor, which arrives at the bank; what was given back is negative.
type PayoutItem struct {
	N           int
	PaymentID   int64
	Kind        payment.Kind
	Ref         string // the gateway's name of the event
	GrossMinor  int64
	FeeMinor    int64 // whether it became known with the event or with the payout
	AmountMinor int64
	Seq         int64 // the entry of the payout
	Line        int   // its posting on the account of the bank, 0 where nothing arrives
	PayoutPlace
}

// PayoutPlace says where the money of a payout or of an item is: of a payout, where the part of it is that is furthest behind.
type PayoutPlace struct {
	Bank             PaymentBank // PaidOutNone for an item of which nothing arrives
	ReconciliationID int64       // whose match it is in, 0 for none
	BreakID          int64       // the live break that it is in while it is in no match, 0 for none
	ReversedBy       int64       // the entry that reversed its entry, 0 for none: then its payments are not paid out
}

// PayoutFilter narrows a list of payouts; zero fields do not. Before and After are ids that bound the page, exclusive.
type PayoutFilter struct {
	Words  string // an id, the name of a payout, a source or the id of a message
	Before int64  // of a page that is not OldestFirst
	After  int64
	Limit  int

	OldestFirst bool
}

// Payouts lists payouts without their items, the newest first unless OldestFirst; more reports whether others follow on the page's far side: older ones,
// or newer ones after After. Error: KindForbidden.
func (s *Store) Payouts(ctx context.Context, actor Actor, f PayoutFilter) (items []Payout, more bool, err error) {
	if err := actor.Need(RightRead); err != nil {
		return nil, false, err
	}
	limit, order := pageSize(f.Limit), "DESC"
	if f.After > 0 || f.OldestFirst {
		order = "ASC"
	}
	where, args := f.where()
	items, err = loadPayouts(s.db.WithContext(ctx), actor.Book, where+` ORDER BY o.id `+order+` LIMIT `+strconv.Itoa(limit+1), args...)
	if more = len(items) > limit; more {
		items = items[:limit]
	}
	if f.After > 0 && !f.OldestFirst {
		slices.Reverse(items)
	}
	return items, more, err
}

// where is the condition of a filter on payouts o.
func (f PayoutFilter) where() (string, []any) {
	condition, args := `(? = 0 OR o.id < ?) AND o.id > ?`, []any{f.Before, f.Before, f.After}
	if words := strings.TrimSpace(storable(f.Words)); words != "" {
		id, _ := strconv.ParseInt(words, 10, 64)
		condition += ` AND (o.id = ? OR o.payout ILIKE ? OR o.source ILIKE ? OR o.message_id = ?)`
		args = append(args, id, containing(words), containing(words), words)
	}
	return condition, args
}

// Payout gives a payout with its items. Errors: KindForbidden, KindNotFound.
func (s *Store) Payout(ctx context.Context, actor Actor, id int64) (payout Payout, err error) {
	if err := actor.Need(RightRead); err != nil {
		return Payout{}, err
	}
	err = s.inSnapshot(ctx, func(tx *gorm.DB) error {
		found, err := loadPayouts(tx, actor.Book, `o.id = ?`, id)
		if err != nil {
			return err
		}
		if len(found) == 0 {
			return ledger.Refuse(ledger.KindNotFound, "book %s has no payout %d", actor.Book.Code, id)
		}
		payout = found[0]
		payout.Items, err = loadPayoutItems(tx, actor.Book, id)
		return err
	})
	return payout, err
}

// PayoutOfEntry gives the payout that an entry was posted for, 0 for none. Error: KindForbidden.
func (s *Store) PayoutOfEntry(ctx context.Context, actor Actor, seq int64) (int64, error) {
	if err := actor.Need(RightRead); err != nil {
		return 0, err
	}
	ids, err := query[int64](s.db.WithContext(ctx), `SELECT payout_id FROM payout_items WHERE book_id = ? AND seq = ? LIMIT 1`, actor.Book.ID, seq)
	if err != nil || len(ids) == 0 {
		return 0, err
	}
	return ids[0], nil
}

// payoutItemJoins join to an item i its event e, the reversal r of its entry, and the live match m and live break b of its posting.
const payoutItemJoins = `
	  JOIN payment_events e ON e.book_id = i.book_id AND e.payment_id = i.payment_id AND e.n = i.event_n
	  LEFT JOIN entries r ON r.book_id = i.book_id AND r.reverses = i.seq AND r.part = 0
	  LEFT JOIN match_postings mp ON mp.book_id = i.book_id AND mp.seq = i.seq AND mp.line = i.line AND mp.live
	  LEFT JOIN matches m ON m.book_id = mp.book_id AND m.id = mp.match_id
	  LEFT JOIN break_postings b ON b.book_id = i.book_id AND b.seq = i.seq AND b.line = i.line AND b.live AND m.id IS NULL`

// loadPayouts reads payouts o by a condition, without their items.
func loadPayouts(tx *gorm.DB, book Book, condition string, args ...any) ([]Payout, error) {
	payouts, err := query[Payout](tx, `
		SELECT o.id, o.payout AS name, o.source, o.message_id, o.currency, o.paid_on, o.seq, o.amount_minor, o.fee_minor, u.name AS by, o.at, t.item_count,
		       t.gross_minor, t.gross_minor - o.amount_minor AS fees_minor, t.reconciliation_id, t.break_id, t.reversed_by,
		       CASE WHEN t.reversed_by > 0 THEN 'not_paid_out' WHEN t.under_way > 0 THEN 'in_transit' ELSE 'matched' END AS bank
		  FROM payouts o
		  JOIN users u ON u.id = o.user_id
		 CROSS JOIN LATERAL (
			SELECT count(*) AS item_count, CAST(sum(i.amount_minor + i.fee_minor + e.fee_minor) AS bigint) AS gross_minor,
			       count(*) FILTER (WHERE i.line IS NOT NULL AND m.id IS NULL) AS under_way, coalesce(max(m.reconciliation_id), 0) AS reconciliation_id,
			       coalesce(min(b.break_id), 0) AS break_id, coalesce(max(r.seq), 0) AS reversed_by
			  FROM payout_items i `+payoutItemJoins+`
			 WHERE i.book_id = o.book_id AND i.payout_id = o.id) t
		 WHERE o.book_id = ? AND `+condition, append([]any{book.ID}, args...)...)
	if err != nil {
		return nil, fmt.Errorf("read payouts: %w", err)
	}
	for i := range payouts {
		payouts[i].At = payouts[i].At.UTC()
	}
	return payouts, nil
}

func loadPayoutItems(tx *gorm.DB, book Book, id int64) ([]PayoutItem, error) {
	rows, err := query[struct {
		PayoutItem
		EventKind string
	}](tx, `
		SELECT i.n, i.payment_id, e.kind AS event_kind, e.ref, i.amount_minor + i.fee_minor + e.fee_minor AS gross_minor, i.fee_minor + e.fee_minor AS fee_minor,
		       i.amount_minor, i.seq, coalesce(i.line, 0) AS line, coalesce(m.reconciliation_id, 0) AS reconciliation_id, coalesce(b.break_id, 0) AS break_id,
		       coalesce(r.seq, 0) AS reversed_by,
		       CASE WHEN r.seq IS NOT NULL THEN 'not_paid_out' WHEN i.line IS NULL THEN '' WHEN m.id IS NULL THEN 'in_transit' ELSE 'matched' END AS bank
		  FROM payout_items i `+payoutItemJoins+`
		 WHERE i.book_id = ? AND i.payout_id = ? ORDER BY i.n`, book.ID, id)
	if err != nil {
		return nil, fmt.Errorf("read what payout %d pays: %w", id, err)
	}
	items := make([]PayoutItem, len(rows))
	for i, row := range rows {
		items[i] = row.PayoutItem
		if items[i].Kind, err = payment.ParseKind(row.EventKind); err != nil {
			return nil, fmt.Errorf("read item %d of payout %d: %w", row.N, id, err)
		}
	}
	return items, nil
}

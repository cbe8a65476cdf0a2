package store

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"gorm.io/gorm"

	"daybook/store/gateway"
)

// Payments lists payments of a filter without their events, the newest first unless OldestFirst; more reports whether others follow on the page's
// far side: older ones, or newer ones after After.
func (s *Store) Payments(ctx context.Context, actor Actor, f PaymentFilter) (items []Payment, more bool, err error) {
	if err := actor.Need(RightRead); err != nil {
		return nil, false, err
	}
	limit, order := pageSize(f.Limit), "DESC"
	if f.After > 0 || f.OldestFirst {
		order = "ASC"
	}
	where, args := f.where()
	err = s.inSnapshot(ctx, func(tx *gorm.DB) error {
		items, err = loadPayments(tx, actor.Book, where+` AND (? = 0 OR p.id < ?) AND p.id > ? ORDER BY p.id `+order+` LIMIT `+strconv.Itoa(limit+1),
			append(args, f.Before, f.Before, f.After)...)
		if err != nil {
			return err
		}
		if more = len(items) > limit; more {
			items = items[:limit]
		}
		return joinCalls(tx, actor.Book, items)
	})
	if f.After > 0 && !f.OldestFirst {
		slices.Reverse(items)
	}
	return items, more, err
}

// where is the condition of a filter on payments p.
func (f PaymentFilter) where() (string, []any) {
	states := array[string]{}
	for _, state := range f.States {
		states = append(states, state.String())
	}
	conditions := []string{`(? OR p.state = ANY(?::text[]))`, `(NOT ? OR ` + paymentUnknown + `)`, `(NOT ? OR ` + paymentUnknown + ` OR ` + paymentUnposted + `)`, `(? = '' OR ` + paymentBank + ` = ?)`}
	args := []any{len(states) == 0, states, f.Unknown, f.Unsettled, f.Bank, f.Bank}
	if !f.From.IsZero() {
		conditions, args = append(conditions, `p.created_at >= ?`), append(args, f.From.Time())
	}
	if !f.To.IsZero() {
		conditions, args = append(conditions, `p.created_at < ?`), append(args, f.To.AddDays(1).Time())
	}
	if words := strings.TrimSpace(storable(f.Words)); words != "" {
		id, _ := strconv.ParseInt(strings.TrimPrefix(words, "pay-"), 10, 64)
		conditions = append(conditions, `(p.id = ? OR p.customer ILIKE ? OR p.reference ILIKE ? OR p.charge = ? OR p.gateway_key = ? OR EXISTS (
			SELECT FROM payment_calls c WHERE c.book_id = p.book_id AND c.payment_id = p.id AND c.key = ?))`)
		args = append(args, id, containing(words), containing(words), words, strings.TrimSpace(words), words)
	}
	return strings.Join(conditions, " AND "), args
}

// paymentUnknown finds payments p that the gateway has not answered about, paymentUnposted those of which it did something that the books refused;
// callMinor is for how much that was.
const (
	paymentUnknown  = `EXISTS (SELECT FROM payment_calls c WHERE c.book_id = p.book_id AND c.payment_id = p.id AND c.state IN ('open', 'unknown'))`
	paymentUnposted = `EXISTS (SELECT FROM payment_calls c WHERE c.book_id = p.book_id AND c.payment_id = p.id AND c.state = 'unposted')`
	callMinor       = `(SELECT c.amount_minor FROM payment_calls c WHERE c.book_id = p.book_id AND c.payment_id = p.id AND ` + liveCall + `)`
)

// joinCalls gives each payment what the gateway has not answered about it.
func joinCalls(tx *gorm.DB, book Book, items []Payment) error {
	ids := array[int64]{}
	at := map[int64]int{}
	for i, p := range items {
		ids, at[p.ID] = append(ids, p.ID), i
	}
	calls, err := loadCalls(tx, book, `c.payment_id = ANY(?::bigint[]) AND `+liveCall, ids)
	for i, call := range calls {
		items[at[call.PaymentID]].Call = &calls[i]
	}
	return err
}

// PaymentFigures sums the payments that a filter finds, by currency. Its page is left out of account.
func (s *Store) PaymentFigures(ctx context.Context, actor Actor, f PaymentFilter) (figures []PaymentFigures, err error) {
	if err := actor.Need(RightRead); err != nil {
		return nil, err
	}
	where, args := f.where()
	err = s.inSnapshot(ctx, func(tx *gorm.DB) error {
		figures, err = query[PaymentFigures](tx, `
			SELECT p.currency, count(*) AS count,
			       count(*) FILTER (WHERE p.captured_minor > 0) AS captured, coalesce(sum(p.captured_minor), 0) AS captured_minor,
			       count(*) FILTER (WHERE p.refunded_minor > 0) AS refunded, coalesce(sum(p.refunded_minor), 0) AS refunded_minor,
			       count(*) FILTER (WHERE p.state = 'authorized') AS authorized, coalesce(sum(p.authorized_minor) FILTER (WHERE p.state = 'authorized'), 0) AS authorized_minor,
			       count(*) FILTER (WHERE `+paymentUnknown+`) AS unknown, coalesce(sum(`+callMinor+`) FILTER (WHERE `+paymentUnknown+`), 0) AS unknown_minor,
			       count(*) FILTER (WHERE `+paymentUnposted+`) AS unposted, coalesce(sum(`+callMinor+`) FILTER (WHERE `+paymentUnposted+`), 0) AS unposted_minor,
			       coalesce(sum(p.fee_minor), 0) AS fee_minor
			  FROM payments p WHERE p.book_id = ? AND `+where+` GROUP BY p.currency ORDER BY p.currency`, append([]any{actor.Book.ID}, args...)...)
		if err != nil {
			return fmt.Errorf("sum payments: %w", err)
		}
		for i := range figures {
			if err := clearingOf(tx, actor.Book, &figures[i]); err != nil {
				return err
			}
		}
		return nil
	})
	return figures, err
}

// clearingOf adds what is left at the gateway in a currency, whatever the filter.
func clearingOf(tx *gorm.DB, book Book, figures *PaymentFigures) error {
	settings, err := loadPaymentSettings(tx, book, figures.Currency)
	if err != nil || len(settings) == 0 {
		return err
	}
	figures.Clearing = settings[0].Clearing
	balances, err := query[int64](tx, `
		SELECT t.debit_minor - t.credit_minor FROM account_totals t JOIN accounts a ON a.book_id = t.book_id AND a.id = t.account_id
		 WHERE t.book_id = ? AND a.code = ?`, book.ID, figures.Clearing)
	if len(balances) > 0 {
		figures.ClearingMinor = balances[0]
	}
	return err
}

// PaymentHistory gives a payment with all that is known of it. Errors: KindForbidden, KindNotFound.
func (s *Store) PaymentHistory(ctx context.Context, actor Actor, id int64) (history PaymentHistory, err error) {
	if err := actor.Need(RightRead); err != nil {
		return PaymentHistory{}, err
	}
	err = s.inSnapshot(ctx, func(tx *gorm.DB) error {
		if history.Payment, err = wholePayment(tx, actor.Book, id, ""); err != nil {
			return err
		}
		if history.Events, err = loadPaymentEvents(tx, actor.Book, id); err != nil {
			return err
		}
		if history.Calls, err = loadCalls(tx, actor.Book, `c.payment_id = ? ORDER BY c.id`, id); err != nil {
			return err
		}
		for i := range history.Calls {
			if history.Calls[i].Tries, err = loadTries(tx, actor.Book, history.Calls[i].ID); err != nil {
				return err
			}
		}
		if history.Payouts, err = loadPaymentPayouts(tx, actor.Book, id); err != nil {
			return err
		}
		history.Refund, err = pendingRefund(tx, actor.Book, id)
		return err
	})
	return history, err
}

// loadPaymentPayouts reads which payouts a payment is in, with the line of a statement that each was matched with.
func loadPaymentPayouts(tx *gorm.DB, book Book, id int64) ([]PaymentPayout, error) {
	payouts, err := query[PaymentPayout](tx, `
		SELECT o.id AS payout_id, o.payout, i.seq, o.paid_on, e.kind AS of, i.amount_minor, i.fee_minor, coalesce(mp.match_id, 0) AS match_id, coalesce(a.code, '') AS account,
		       coalesce(l.statement_id, 0) AS statement_id, coalesce(nullif(l.reference, ''), l.description, '') AS statement_line, l.booked_on,
		       coalesce(bp.break_id, 0) AS break_id, NOT i.live AS reversed
		  FROM payout_items i
		  JOIN payouts o ON o.book_id = i.book_id AND o.id = i.payout_id
		  JOIN payment_events e ON e.book_id = i.book_id AND e.payment_id = i.payment_id AND e.n = i.event_n
		  LEFT JOIN match_postings mp ON mp.book_id = i.book_id AND mp.seq = i.seq AND mp.line = i.line AND mp.live
		  LEFT JOIN LATERAL (SELECT l.account_id, l.book_id, l.statement_id, l.reference, l.description, l.booked_on FROM match_lines ml JOIN statement_lines l ON l.book_id = ml.book_id AND l.id = ml.line_id
		                      WHERE ml.book_id = mp.book_id AND ml.match_id = mp.match_id AND ml.live ORDER BY l.booked_on, l.id LIMIT 1) l ON true
		  LEFT JOIN accounts a ON a.book_id = l.book_id AND a.id = l.account_id
		  LEFT JOIN break_postings bp ON bp.book_id = i.book_id AND bp.seq = i.seq AND bp.line = i.line AND bp.live
		 WHERE i.book_id = ? AND i.payment_id = ? ORDER BY o.id, i.n`, book.ID, id)
	if err != nil {
		return nil, fmt.Errorf("read the payouts of payment %d: %w", id, err)
	}
	return payouts, nil
}

func loadTries(tx *gorm.DB, book Book, callID int64) ([]PaymentTry, error) {
	rows, err := query[struct {
		Asked, Why, By string
		Outcome        gateway.Outcome
		At             time.Time
		TookUs         int64
	}](tx, `
		SELECT t.asked, t.why, u.name AS by, t.outcome, t.at, t.took_us FROM payment_tries t JOIN users u ON u.id = t.user_id
		 WHERE t.book_id = ? AND t.call_id = ? ORDER BY t.n`, book.ID, callID)
	if err != nil {
		return nil, fmt.Errorf("read how often the gateway was asked: %w", err)
	}
	tries := make([]PaymentTry, len(rows))
	for i, r := range rows {
		tries[i] = PaymentTry{Asked: r.Asked, Outcome: r.Outcome, Why: r.Why, By: r.By, At: r.At.UTC(), Took: time.Duration(r.TookUs) * time.Microsecond}
	}
	return tries, nil
}

// PaymentOfEntry gives the payment that an entry was posted for, 0 for none.
func (s *Store) PaymentOfEntry(ctx context.Context, actor Actor, seq int64) (int64, error) {
	if err := actor.Need(RightRead); err != nil {
		return 0, err
	}
	ids, err := query[int64](s.db.WithContext(ctx), `SELECT payment_id FROM payment_events WHERE book_id = ? AND seq = ?`, actor.Book.ID, seq)
	if err != nil || len(ids) == 0 {
		return 0, err
	}
	return ids[0], nil
}

package store

import "fmt"

// inboxFaults find, each by a statement, the first thing in the inbox, or in the numbers of payments, that is not as it was recorded, in words. The
// guards keep it so; this sees what was done without them.
var inboxFaults = []string{
	`SELECT concat('message ', m.message_id, ' of ', m.source, ' has other data than came') FROM inbox_messages m
	  WHERE m.book_id = @book AND m.data_hash <> sha256(convert_to(m.data, 'UTF8')) ORDER BY m.source, m.message_id LIMIT 1`,
	`SELECT concat('message ', m.message_id, ' of ', m.source, ', ', m.type, ', is applied, and nothing is known that it did') FROM inbox_messages m
	  WHERE m.book_id = @book AND m.state = 'applied'
	    AND CASE WHEN m.type LIKE 'payment.%' THEN m.payment_id ELSE m.seq END IS NULL ORDER BY m.source, m.message_id LIMIT 1`,
	`SELECT concat('payment ', e.payment_id, ': its event ', e.n, ' came by message ', e.message_id, ' of ', e.source, ', which is not applied') FROM payment_events e
	  WHERE e.book_id = @book AND e.source IS NOT NULL AND NOT EXISTS (
	        SELECT FROM inbox_messages m WHERE m.book_id = e.book_id AND m.source = e.source AND m.message_id = e.message_id AND m.state = 'applied')
	  ORDER BY e.payment_id, e.n LIMIT 1`,
	`SELECT concat('it has ', r.held, ' numbered as ', r.kind, ' up to ', r.top, ', and ', coalesce(n.last, 0), ' numbers were given out')
	   FROM (SELECT 'payment' AS kind, count(*) AS held, coalesce(max(id), 0) AS top FROM payments WHERE book_id = @book
	         UNION ALL SELECT 'payment call', count(*), coalesce(max(id), 0) FROM payment_calls WHERE book_id = @book
	         UNION ALL SELECT 'payout', count(*), coalesce(max(id), 0) FROM payouts WHERE book_id = @book) r
	   LEFT JOIN numbers n ON n.book_id = @book AND n.kind = r.kind
	  WHERE r.held <> coalesce(n.last, 0) OR r.top <> coalesce(n.last, 0) ORDER BY r.kind LIMIT 1`,
}

// checkInbox holds messages against what they did, and what is numbered without gaps against the numbers that were given out.
func (v *verifier) checkInbox() (*Fault, error) {
	for _, statement := range inboxFaults {
		found, err := query[string](v.tx, statement, map[string]any{"book": v.book.ID})
		switch {
		case err != nil:
			return nil, fmt.Errorf("look through the inbox: %w", err)
		case len(found) > 0:
			return &Fault{What: found[0]}, nil
		}
	}
	return nil, nil
}

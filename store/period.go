package store

import (
	"context"
	"fmt"
	"time"

	"gorm.io/gorm"

	"daybook/store/ledger"
)

// Period is a month of a book in full: what is left to do in it, and what was asked about it.
type Period struct {
	PeriodSummary
	// Waiting are reversals that wait for approval with a date in the period: they cannot take effect while it is closed.
	Waiting []Approval
	Breaks  []PeriodBreaks
	// Unmatched are accounts with postings in the period that came since their latest matching.
	Unmatched []PeriodUnmatched
	// Unanswered counts payments that were asked for before its end, and about which the gateway has not answered something: what it did would be posted
	// later.
	Unanswered int
	// Unapplied counts messages that came before its end and were not applied.
	Unapplied int
	// EarlierOpen are periods before it that have entries and are open, the oldest first.
	EarlierOpen []ledger.Period
	// Requests are those to close or to reopen it, the newest first.
	Requests []Approval
}

// PeriodBreaks counts the breaks of an account, not resolved yet, that hold a line or a posting of a period, by the reconciliation that
// found them.
type PeriodBreaks struct {
	Account          string
	Name             string
	ReconciliationID int64
	Open             int
}

// PeriodUnmatched counts the postings of an account in a period that no matching has looked at, since the reconciliation that is its latest.
type PeriodUnmatched struct {
	Account          string
	Name             string
	ReconciliationID int64
	Postings         int
}

// periodLists bounds each list of what a period is about.
const periodLists = 50

// Period reads one month of the actor's book. Errors: KindForbidden, KindInvalid.
func (s *Store) Period(ctx context.Context, actor Actor, period ledger.Period) (found Period, err error) {
	if err := actor.Need(RightRead); err != nil {
		return Period{}, err
	}
	if _, err := ledger.ParsePeriod(string(period)); err != nil {
		return Period{}, err
	}
	err = s.inSnapshot(ctx, func(tx *gorm.DB) error {
		items, _ := PeriodFilter{Limit: 1}.page([]ledger.Period{period})
		if err := fillPeriods(tx, actor.Book, items); err != nil {
			return err
		}
		found.PeriodSummary = items[0]
		for _, part := range []func(tx *gorm.DB, book Book) error{found.readWaiting, found.readBreaks, found.readUnmatched, found.readUnposted, found.readEarlier, found.readRequests} {
			if err := part(tx, actor.Book); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return Period{}, fmt.Errorf("read period %s of book %s: %w", period, actor.Book.Code, err)
	}
	return found, nil
}

func (p *Period) readWaiting(tx *gorm.DB, book Book) (err error) {
	from, to := p.Period.First(), p.Period.Last()
	p.Waiting, err = loadApprovals(tx, book, `a.pending AND a.kind = 'reversal'
		AND (a.effective_on BETWEEN ? AND ? OR CAST(a.replacement->>'EffectiveOn' AS date) BETWEEN ? AND ?) ORDER BY a.id LIMIT ?`, from, to, from, to, periodLists)
	return err
}

func (p *Period) readBreaks(tx *gorm.DB, book Book) (err error) {
	p.Breaks, err = query[PeriodBreaks](tx, `
		SELECT a.code AS account, a.name, b.reconciliation_id, count(*) AS open
		  FROM breaks b
		  JOIN accounts a ON a.book_id = b.book_id AND a.id = b.account_id
		  JOIN reconciliations r ON r.book_id = b.book_id AND r.id = b.reconciliation_id
		 WHERE b.book_id = @book AND b.live AND b.status <> 'resolved'
		   AND (b.type = 'balance' AND r.scope_to BETWEEN @from AND @to
		        OR EXISTS (SELECT FROM break_lines l JOIN statement_lines s ON s.book_id = l.book_id AND s.id = l.line_id
		                    WHERE l.book_id = b.book_id AND l.break_id = b.id AND s.booked_on BETWEEN @from AND @to)
		        OR EXISTS (SELECT FROM break_postings l JOIN entries e ON e.book_id = l.book_id AND e.seq = l.seq
		                    WHERE l.book_id = b.book_id AND l.break_id = b.id AND e.effective_on BETWEEN @from AND @to))
		 GROUP BY a.code, a.name, b.reconciliation_id ORDER BY a.code COLLATE "C", b.reconciliation_id LIMIT @limit`,
		map[string]any{"book": book.ID, "from": p.Period.First(), "to": p.Period.Last(), "limit": periodLists})
	return err
}

func (p *Period) readUnmatched(tx *gorm.DB, book Book) (err error) {
	p.Unmatched, err = query[PeriodUnmatched](tx, `
		SELECT a.code AS account, a.name, r.id AS reconciliation_id, count(*) AS postings
		  FROM (SELECT DISTINCT ON (account_id) account_id, id, ledger_seq FROM reconciliations WHERE book_id = @book ORDER BY account_id, id DESC) r
		  JOIN accounts a ON a.book_id = @book AND a.id = r.account_id
		  JOIN postings p ON p.book_id = @book AND p.account_id = r.account_id AND p.seq > r.ledger_seq
		  JOIN entries e ON e.book_id = @book AND e.seq = p.seq AND e.effective_on BETWEEN greatest(@from, a.reconcile_from) AND @to
		 WHERE NOT EXISTS (SELECT FROM match_postings m WHERE m.book_id = @book AND m.seq = p.seq AND m.line = p.line AND m.live)
		   AND NOT EXISTS (SELECT FROM break_postings b WHERE b.book_id = @book AND b.seq = p.seq AND b.line = p.line AND b.live)
		 GROUP BY a.code, a.name, r.id ORDER BY a.code COLLATE "C" LIMIT @limit`,
		map[string]any{"book": book.ID, "from": p.Period.First(), "to": p.Period.Last(), "limit": periodLists})
	return err
}

// readUnposted counts what may still become entries of the period.
func (p *Period) readUnposted(tx *gorm.DB, book Book) (err error) {
	end := p.Period.Last().AddDays(1).Time()
	p.Unanswered, err = queryOne[int](tx, "no count", `
		SELECT count(*) FROM payment_calls WHERE book_id = ? AND state IN ('open', 'unknown', 'unposted') AND created_at < ?`, book.ID, end)
	if err != nil {
		return err
	}
	p.Unapplied, err = queryOne[int](tx, "no count", `
		SELECT count(*) FROM inbox_messages WHERE book_id = ? AND state IN ('waiting', 'failed', 'parked') AND received_at < ?`, book.ID, end)
	return err
}

// RecordedSince counts the entries of a period that were recorded after an instant. Error: KindForbidden.
func (s *Store) RecordedSince(ctx context.Context, actor Actor, period ledger.Period, at time.Time) (int64, error) {
	if err := actor.Need(RightRead); err != nil {
		return 0, err
	}
	return queryOne[int64](s.db.WithContext(ctx), "no count", `SELECT count(*) FROM entries WHERE book_id = ? AND recorded_at > ? AND effective_on BETWEEN ? AND ?`,
		actor.Book.ID, at, period.First(), period.Last())
}

func (p *Period) readEarlier(tx *gorm.DB, book Book) (err error) {
	p.EarlierOpen, err = query[ledger.Period](tx, `
		SELECT m.period FROM (SELECT DISTINCT to_char(effective_on, 'YYYY-MM') AS period FROM account_days WHERE book_id = @book AND effective_on < @from) m
		 WHERE NOT EXISTS (SELECT FROM periods p WHERE p.book_id = @book AND p.period = m.period) ORDER BY m.period LIMIT @limit`,
		map[string]any{"book": book.ID, "from": p.Period.First(), "limit": periodLists})
	return err
}

func (p *Period) readRequests(tx *gorm.DB, book Book) (err error) {
	p.Requests, err = loadApprovals(tx, book, `a.subject = ? ORDER BY a.id DESC LIMIT ?`, periodSubject(p.Period), periodLists)
	return err
}

// ClosedPeriods gives, of these periods, those that are closed. Error: KindForbidden.
func (s *Store) ClosedPeriods(ctx context.Context, actor Actor, periods ...ledger.Period) ([]ledger.Period, error) {
	if err := actor.Need(RightRead); err != nil {
		return nil, err
	}
	closed, err := query[ledger.Period](s.db.WithContext(ctx), `SELECT period FROM periods WHERE book_id = ? AND period = ANY(?::text[]) ORDER BY period`,
		actor.Book.ID, array[ledger.Period](periods))
	if err != nil {
		return nil, fmt.Errorf("look for closed periods: %w", err)
	}
	return closed, nil
}

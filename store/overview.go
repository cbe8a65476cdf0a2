package store

import (
	"context"
	"fmt"
	"time"

	"gorm.io/gorm"

	"daybook/store/ledger"
)

// Counts is what every page of a book tells: where the journal ends and what waits. Requests of the actor itself are in Mine, those
// of other people in Others; ForMe are those of them that the actor may decide, and SignOffs the reconciliations that it may sign off.
type Counts struct {
	Head       int64
	Others     int
	ForMe      int
	Mine       int
	Decided    int
	SignOffs   int
	OpenBreaks int
	StuckKeys  int // claims past their lease
	// PaymentsUnknown are payments that wait for a person or for the gateway: it has not answered, or the entry of what it did was refused.
	// InboxToDo are messages that failed or are parked.
	PaymentsUnknown, InboxToDo int
}

// Counts counts what the actor's book has, in one query.
func (s *Store) Counts(ctx context.Context, actor Actor) (Counts, error) {
	if err := actor.Need(RightRead); err != nil {
		return Counts{}, err
	}
	counts, err := queryOne[Counts](s.db.WithContext(ctx), "the book has no head", `
		SELECT h.seq AS head,
		       (SELECT count(*) FROM approvals a WHERE a.book_id = h.book_id AND a.pending AND a.requester_id <> @user) AS others,
		       (SELECT count(*) FROM approvals a
		         WHERE a.book_id = h.book_id AND a.pending AND a.requester_id <> @user AND a.kind = ANY(CAST(@decides AS text[]))) AS for_me,
		       (SELECT count(*) FROM approvals a WHERE a.book_id = h.book_id AND a.pending AND a.requester_id = @user) AS mine,
		       (SELECT count(*) FROM approvals a WHERE a.book_id = h.book_id AND NOT a.pending) AS decided,
		       CASE WHEN @signs THEN (SELECT count(*)`+waitingSQL+`) ELSE 0 END AS sign_offs,
		       (SELECT count(*) FROM breaks b WHERE b.book_id = h.book_id AND b.live AND b.status <> 'resolved') AS open_breaks,
		       (SELECT count(*) FROM idempotency_keys k WHERE k.book_id = h.book_id AND k.settled_at IS NULL AND k.lease_until <= @now) AS stuck_keys,
		       (SELECT count(*) FROM payment_calls c WHERE c.book_id = h.book_id AND c.state IN ('unknown', 'unposted')) AS payments_unknown,
		       (SELECT count(*) FROM inbox_messages m WHERE m.book_id = h.book_id AND m.state IN ('failed', 'parked') AND m.state <> 'applied') AS inbox_to_do
		  FROM heads h WHERE h.book_id = @book`,
		map[string]any{"book": actor.Book.ID, "user": actor.UserID, "decides": array[ApprovalKind](actor.Decides()), "now": s.now(),
			"signs": actor.Can(RightDecide)})
	if err != nil {
		return Counts{}, fmt.Errorf("count what waits: %w", err)
	}
	return counts, nil
}

// Overview is how a book stands on a day: what waits since when, how its accounts at the bank agree with their statements, and how
// breaks come and go.
type Overview struct {
	Today ledger.Date
	// OldestForMe, OldestOthers and OldestMine are since when the first request waits, by whom as in Counts; zero for none. What the actor may sign off counts as for it.
	OldestForMe  time.Time
	OldestOthers time.Time
	OldestMine   time.Time
	// LastClosed is the latest period that is closed, "" for none.
	LastClosed ledger.Period
	Banks      []BankAccount // by code
	Open       []OpenBreaks
	Rates      []MatchRate    // by month, of months with lines
	Weeks      []WeekOfBreaks // every week of the time shown, or none when nothing happened yet
}

// Overview reads how the actor's book stands, all as of one moment. Error: KindForbidden.
func (s *Store) Overview(ctx context.Context, actor Actor) (Overview, error) {
	if err := actor.Need(RightRead); err != nil {
		return Overview{}, err
	}
	view := Overview{Today: ledger.DateOf(s.now())}
	err := s.inSnapshot(ctx, func(tx *gorm.DB) error {
		for _, part := range []func(tx *gorm.DB, actor Actor) error{view.readWaiting, view.readOpen, view.readBanks, view.readRates, view.readWeeks} {
			if err := part(tx, actor); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return Overview{}, fmt.Errorf("read how book %s stands: %w", actor.Book.Code, err)
	}
	return view, nil
}

func (o *Overview) readWaiting(tx *gorm.DB, actor Actor) error {
	row, err := queryOne[struct {
		ForMe, Others, Mine *time.Time
		LastClosed          ledger.Period
	}](tx, "nothing", `
		SELECT least(min(a.requested_at) FILTER (WHERE a.requester_id <> @user AND a.kind = ANY(CAST(@decides AS text[]))),
		             CASE WHEN @signs THEN (SELECT min(e.at)`+waitingSQL+`) END) AS for_me,
		       min(a.requested_at) FILTER (WHERE a.requester_id <> @user) AS others, min(a.requested_at) FILTER (WHERE a.requester_id = @user) AS mine,
		       (SELECT coalesce(max(period), '') FROM periods WHERE book_id = @book) AS last_closed
		  FROM approvals a WHERE a.book_id = @book AND a.pending`,
		map[string]any{"book": actor.Book.ID, "user": actor.UserID, "decides": array[ApprovalKind](actor.Decides()), "signs": actor.Can(RightDecide)})
	o.OldestForMe, o.OldestOthers, o.OldestMine, o.LastClosed = momentOf(row.ForMe), momentOf(row.Others), momentOf(row.Mine), row.LastClosed
	return err
}

func momentOf(t *time.Time) time.Time {
	if t == nil {
		return time.Time{}
	}
	return t.UTC()
}

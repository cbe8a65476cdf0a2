package store

import (
	"context"
	"fmt"

	"gorm.io/gorm"

	"daybook/store/ledger"
)

// PeriodChange is what a request to close or to reopen is about. While a period is closed, nothing is appended with a date in it.
type PeriodChange struct {
	Period ledger.Period `json:"period"`
}

// RequestPeriodClose asks to close a period of the actor's book; it is closed when another person approves. Errors: KindForbidden,
// KindInvalid, KindKeyReused, and KindIllegalTransition where the period is closed already or a request about it waits.
func (s *Store) RequestPeriodClose(ctx context.Context, actor Actor, key string, period ledger.Period, reason string) (Approval, bool, error) {
	return s.requestPeriodChange(ctx, actor, key, KindPeriodClose, period, reason)
}

// RequestPeriodReopen asks to open a closed period again. Errors: those of RequestPeriodClose, KindIllegalTransition where it is open.
func (s *Store) RequestPeriodReopen(ctx context.Context, actor Actor, key string, period ledger.Period, reason string) (Approval, bool, error) {
	return s.requestPeriodChange(ctx, actor, key, KindPeriodReopen, period, reason)
}

func (s *Store) requestPeriodChange(ctx context.Context, actor Actor, key string, kind ApprovalKind, period ledger.Period, reason string) (approval Approval, duplicate bool, err error) {
	if err := actor.Need(RightPeriods); err != nil {
		return Approval{}, false, err
	}
	if _, err := ledger.ParsePeriod(string(period)); err != nil {
		return Approval{}, false, err
	}
	if err := ledger.CheckText("reason", reason, false); err != nil {
		return Approval{}, false, err
	}
	content := map[string]any{"period": period, "reason": reason}
	err = s.inTx(ctx, func(tx *gorm.DB) error {
		approval, duplicate, err = once(s, tx, actor, key, kind.Action("request"), content, func() (Approval, error) {
			asked := Approval{Kind: kind, Reason: reason, PeriodChange: &PeriodChange{Period: period}}
			if err := canChangePeriod(tx, actor.Book, asked); err != nil {
				return Approval{}, err
			}
			err := s.insertApproval(tx, actor, &asked)
			return asked, err
		})
		return err
	})
	return approval, duplicate, err
}

// canChangePeriod refuses a request that has nothing to do, or another one before it. It takes the head, so that what it sees holds.
func canChangePeriod(tx *gorm.DB, book Book, asked Approval) error {
	if _, err := lockHead(tx, book.ID); err != nil {
		return err
	}
	waiting, err := loadApprovals(tx, book, `a.pending AND a.subject = ?`, asked.Subject())
	if err != nil {
		return err
	}
	if len(waiting) > 0 {
		return ledger.Refuse(ledger.KindIllegalTransition, "a request of %s about period %s waits already, as request %d: it is decided or recalled first",
			waiting[0].RequesterName, asked.PeriodChange.Period, waiting[0].ID).With("approval_id", waiting[0].ID)
	}
	closed, err := query[string](tx, `SELECT period FROM periods WHERE book_id = ? AND period = ?`, book.ID, asked.PeriodChange.Period)
	if err != nil {
		return fmt.Errorf("look whether period %s is closed: %w", asked.PeriodChange.Period, err)
	}
	if (len(closed) > 0) == (asked.Kind == KindPeriodClose) {
		return asked.nothingToDo()
	}
	return nil
}

// nothingToDo says that the period is already as it is asked to become.
func (a Approval) nothingToDo() error {
	if a.Kind == KindPeriodClose {
		return ledger.Refuse(ledger.KindIllegalTransition, "period %s is closed already", a.PeriodChange.Period)
	}
	return ledger.Refuse(ledger.KindIllegalTransition, "period %s is open", a.PeriodChange.Period)
}

// executePeriodChange closes or reopens the period. The caller holds the head: what was posted before is in, what comes later is refused.
func (s *Store) executePeriodChange(tx *gorm.DB, actor Actor, approval Approval) error {
	period := approval.PeriodChange.Period
	changed, err := int64(0), error(nil)
	if approval.Kind == KindPeriodClose {
		changed, err = exec(tx, `INSERT INTO periods (book_id, period, closed_at, closed_by, approval_id) VALUES (?, ?, ?, ?, ?) ON CONFLICT (book_id, period) DO NOTHING`,
			actor.Book.ID, period, approval.DecidedAt, approval.DeciderID, approval.ID)
	} else {
		changed, err = exec(tx, `DELETE FROM periods WHERE book_id = ? AND period = ?`, actor.Book.ID, period)
	}
	if err != nil {
		return fmt.Errorf("carry out request %d about period %s: %w", approval.ID, period, err)
	}
	if changed == 0 {
		return approval.nothingToDo()
	}
	return nil
}

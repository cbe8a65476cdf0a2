package store

import (
	"context"
	"errors"

	"gorm.io/gorm"

	"daybook/store/ledger"
)

// RetryMessage has a message tried again that was not applied, at once and in the name of the actor; one that was dismissed too. It begins anew with
// its pauses if it had none left. That it is refused again is a result and no error. Errors: KindForbidden, KindNotFound, KindIllegalTransition for one
// that is applied.
func (s *Store) RetryMessage(ctx context.Context, actor Actor, source, id string) (receipt InboxReceipt, err error) {
	if err := actor.Need(RightPost); err != nil {
		return InboxReceipt{}, err
	}
	err = s.inTx(ctx, func(tx *gorm.DB) error {
		row, err := lockMessage(tx, actor.Book, source, id)
		if err != nil {
			return err
		}
		if row.State == InboxApplied {
			return ledger.Refuse(ledger.KindIllegalTransition, "this message is applied already: there is nothing to try again")
		}
		if receipt, err = s.tryMessage(tx, actor, row, inboxTry{event: eventRetried}); err != nil {
			return err
		}
		return s.audit(tx, actor, "inbox.retry", messageName(source, id), map[string]any{"result": receipt.Result})
	})
	return receipt, err
}

// InboxRetries is what trying many messages again came to. More says that there are more than were tried.
type InboxRetries struct {
	Tried, Applied int
	More           bool
}

// retriesAtOnce is how many messages RetryMessages tries.
const retriesAtOnce = 200

// RetryMessages tries messages that a filter finds again, those that failed or are parked unless it says otherwise, in the order in which they came; each
// for itself. Errors: KindForbidden, KindInvalid for a cursor that cannot be read.
func (s *Store) RetryMessages(ctx context.Context, actor Actor, f InboxFilter) (InboxRetries, error) {
	if err := actor.Need(RightPost); err != nil {
		return InboxRetries{}, err
	}
	if len(f.States) == 0 {
		f.States = []InboxState{InboxFailed, InboxParked}
	}
	f.Limit = retriesAtOnce + 1
	rows, err := oldestMessages(s.db.WithContext(ctx), actor.Book, f)
	if err != nil {
		return InboxRetries{}, err
	}
	retries := InboxRetries{More: len(rows) > retriesAtOnce}
	for _, row := range rows[:min(len(rows), retriesAtOnce)] {
		receipt, err := s.RetryMessage(ctx, actor, row.Source, row.MessageID)
		switch {
		case ledger.KindOf(err) == ledger.KindIllegalTransition && err != nil:
			continue // it moved by itself meanwhile
		case err != nil:
			return retries, err
		}
		retries.Tried++
		if receipt.Result == InboxApplied {
			retries.Applied++
		}
	}
	return retries, nil
}

// DismissMessage puts a message that was not applied aside for good, with a reason: nothing is done for it, until a person has it retried. One that is
// dismissed already stays as it is. Errors: KindForbidden, KindNotFound, KindInvalid without a reason, KindIllegalTransition for one that is applied.
func (s *Store) DismissMessage(ctx context.Context, actor Actor, source, id, reason string) (InboxReceipt, error) {
	if err := actor.Need(RightPost); err != nil {
		return InboxReceipt{}, err
	}
	if err := ledger.CheckText("reason", reason, true); err != nil {
		return InboxReceipt{}, err
	}
	var receipt InboxReceipt
	err := s.inTx(ctx, func(tx *gorm.DB) error {
		row, err := lockMessage(tx, actor.Book, source, id)
		if err != nil {
			return err
		}
		problem, err := problemOf(row.Problem)
		receipt = row.receipt(InboxDismissed, problem)
		switch {
		case err != nil:
			return err
		case row.State == InboxApplied:
			return ledger.Refuse(ledger.KindIllegalTransition, "this message is applied already: reverse its entry instead")
		case row.State == InboxDismissed:
			return nil
		}
		err = s.updateMessage(tx, actor, row, inboxEvent{event: eventDismissed, result: InboxDismissed, problem: problem, note: reason},
			`, state = ?, changed_at = ?, next_at = NULL`, InboxDismissed, s.now())
		return errors.Join(err, s.audit(tx, actor, "inbox.dismiss", messageName(source, id), map[string]any{"reason": reason}))
	})
	return receipt, err
}

package store

import (
	"context"
	"fmt"
	"time"

	"gorm.io/gorm"

	"daybook/store/ledger"
)

// ReconciliationStep is one step of a reconciliation on its way to being signed off, and back.
type ReconciliationStep struct {
	N                int
	Event            string // one of the steps below
	Version          int    // the one that it was a step of
	Reason           string // why what is unexplained was accepted, why it was returned or reopened, or the note of who signed
	UnexplainedMinor int64
	OpenBreaks       int
	ContentHash      ledger.Hash // of what was submitted
	UserID           int64
	User             string
	At               time.Time
}

// The steps. A submitted reconciliation that is returned is open again; one that was signed off is reopened as a new version.
const (
	StepSubmitted = "submitted"
	StepReturned  = "returned"
	StepSignedOff = "signed_off"
	StepReopened  = "reopened"
)

// Submission asks for a sign-off. Reason says why it is asked for although something is unexplained or a break is open, "" where nothing
// is. UnexplainedMinor is what the person saw as unexplained; nil does not say.
type Submission struct {
	Reason           string
	UnexplainedMinor *int64
}

// SubmitReconciliation hands an open reconciliation in for sign-off by another person. Errors: KindForbidden, KindNotFound, KindInvalid,
// KindKeyReused, and KindIllegalTransition where it is not open, where postings of its days came after its matching, or something is
// unexplained and no reason accepts it: then with unexplained_minor and open_breaks.
func (s *Store) SubmitReconciliation(ctx context.Context, actor Actor, key string, id int64, submission Submission) (Reconciliation, bool, error) {
	if err := actor.Need(RightResolve); err != nil {
		return Reconciliation{}, false, err
	}
	if err := ledger.CheckText("reason", submission.Reason, false); err != nil {
		return Reconciliation{}, false, err
	}
	content := map[string]any{"reconciliation_id": id, "reason": submission.Reason, "unexplained_minor": submission.UnexplainedMinor}
	return s.step(ctx, actor, key, "reconciliation-submit", content, id, func(tx *gorm.DB, r Reconciliation) error {
		if err := canSubmit(r, submission); err != nil {
			return err
		}
		if err := hasSeenItsPeriod(tx, actor.Book, r); err != nil {
			return err
		}
		head, err := headNow(tx, actor.Book, r)
		if err != nil {
			return err
		}
		if head.ContentHash, err = head.contentHash(tx, actor.Book, 0); err != nil {
			return err
		}
		if err := s.insertStep(tx, actor, r, StepSubmitted, submission.Reason, head.ContentHash); err != nil {
			return err
		}
		return setStatus(tx, actor.Book, id, ReconciliationSubmitted, r.Version)
	})
}

// hasSeenItsPeriod refuses a reconciliation whose balance per ledger lacks postings of its days, as long as the matching can still look at them.
func hasSeenItsPeriod(tx *gorm.DB, book Book, r Reconciliation) error {
	late, err := lateInPeriod(tx, book, r.ID)
	if err != nil || late == 0 || !r.Latest {
		return err
	}
	return ledger.Refuse(ledger.KindIllegalTransition, "%d of the account's postings dated until %s came after it was matched, and its balance lacks them: run the matching again, then submit",
		late, r.ScopeTo).With("postings", late)
}

func canSubmit(r Reconciliation, submission Submission) error {
	if r.Status != ReconciliationOpen {
		return alreadyPast(r)
	}
	unexplained := r.Proof.UnexplainedMinor
	if seen := submission.UnexplainedMinor; seen != nil && *seen != unexplained {
		return ledger.Refuse(ledger.KindIllegalTransition, "reconciliation %d has changed while you had it open: %s is unexplained now. Look at it again", r.ID,
			amountWords(unexplained, r.Account.Currency)).With("unexplained_minor", unexplained).With("open_breaks", r.OpenBreaks)
	}
	if submission.Reason != "" || unexplained == 0 && r.OpenBreaks == 0 {
		return nil
	}
	return ledger.Refuse(ledger.KindIllegalTransition, "%s: resolve it first, or give a reason why you submit it all the same", unexplainedWords(r)).
		At("reason", "say why this is accepted, or explain it first").With("unexplained_minor", unexplained).With("open_breaks", r.OpenBreaks)
}

// SignOff signs what another person submitted, and freezes it. Errors: KindNotFound, KindOwnRequest, KindForbidden, KindInvalid,
// KindKeyReused, and KindIllegalTransition where it was not submitted, or has changed since.
func (s *Store) SignOff(ctx context.Context, actor Actor, key string, id int64, note string) (Reconciliation, bool, error) {
	if err := s.MaySignOff(ctx, actor, id); err != nil {
		return Reconciliation{}, false, err
	}
	if err := ledger.CheckText("note", note, false); err != nil {
		return Reconciliation{}, false, err
	}
	content := map[string]any{"reconciliation_id": id, "note": note}
	return s.step(ctx, actor, key, "reconciliation-sign-off", content, id, func(tx *gorm.DB, r Reconciliation) error {
		switch {
		case r.Status == ReconciliationSignedOff:
			return alreadyPast(r)
		case r.Status != ReconciliationSubmitted:
			return ledger.Refuse(ledger.KindIllegalTransition, "reconciliation %d is not submitted: whoever prepared it submits it first", id)
		}
		if err := actor.maySign(tx, r); err != nil {
			return err
		}
		return s.freeze(tx, actor, r, note)
	})
}

// ReopenReconciliation opens what was signed off again, as a new version, or returns what was submitted. Errors: KindForbidden,
// KindNotFound, KindInvalid without a reason, KindIllegalTransition where it is open, KindKeyReused.
func (s *Store) ReopenReconciliation(ctx context.Context, actor Actor, key string, id int64, reason string) (Reconciliation, bool, error) {
	if err := actor.MayReopenReconciliations(); err != nil {
		return Reconciliation{}, false, err
	}
	if err := ledger.CheckText("reason", reason, true); err != nil {
		return Reconciliation{}, false, err
	}
	content := map[string]any{"reconciliation_id": id, "reason": reason}
	return s.step(ctx, actor, key, "reconciliation-reopen", content, id, func(tx *gorm.DB, r Reconciliation) error {
		event, version := StepReopened, r.Version+1
		switch r.Status {
		case ReconciliationOpen:
			return ledger.Refuse(ledger.KindIllegalTransition, "reconciliation %d is open already", id).With("status", r.Status)
		case ReconciliationSubmitted:
			event, version = StepReturned, r.Version
		}
		if err := s.insertStep(tx, actor, r, event, reason, lastHash(r)); err != nil {
			return err
		}
		if err := setStatus(tx, actor.Book, id, ReconciliationOpen, version); err != nil {
			return err
		}
		return catchUp(tx, actor.Book, r.Account.ID)
	})
}

// catchUp gives the open reconciliations of an account what came while one of them was not open: breaks of lines that a later file brought, and
// their balances.
func catchUp(tx *gorm.DB, book Book, accountID int64) error {
	ids, err := query[int64](tx, `SELECT id FROM breaks WHERE book_id = ? AND account_id = ? AND live ORDER BY id`, book.ID, accountID)
	if err != nil {
		return fmt.Errorf("read the breaks of an account: %w", err)
	}
	if err := holdBreaks(tx, book, accountID, append(array[int64]{}, ids...), 0); err != nil {
		return err
	}
	return rebalance(tx, book, accountID)
}

// step takes one step with a reconciliation, whose account is held: nothing is matched, imported or resolved meanwhile.
func (s *Store) step(ctx context.Context, actor Actor, key, operation string, content any, id int64,
	take func(tx *gorm.DB, r Reconciliation) error) (result Reconciliation, duplicate bool, err error) {
	err = s.inTx(ctx, func(tx *gorm.DB) error {
		result, duplicate, err = once(s, tx, actor, key, operation, content, func() (Reconciliation, error) {
			if err := holdAccountOf(tx, actor.Book, id); err != nil {
				return Reconciliation{}, err
			}
			before, err := loadWithSteps(tx, actor.Book, id)
			if err != nil {
				return Reconciliation{}, err
			}
			if before.Status == ReconciliationUndone {
				return Reconciliation{}, notOpen(id, before.Status)
			}
			if err := take(tx, before); err != nil {
				return Reconciliation{}, err
			}
			return loadWithSteps(tx, actor.Book, id)
		})
		return err
	})
	return result, duplicate, err
}

func holdAccountOf(tx *gorm.DB, book Book, id int64) error {
	held, err := exec(tx, `SELECT FROM accounts WHERE book_id = ? AND id = (SELECT account_id FROM reconciliations WHERE book_id = ? AND id = ?) FOR NO KEY UPDATE`,
		book.ID, book.ID, id)
	if err != nil {
		return fmt.Errorf("hold the account of reconciliation %d: %w", id, err)
	}
	if held == 0 {
		return noReconciliation(book, id)
	}
	return nil
}

func setStatus(tx *gorm.DB, book Book, id int64, status string, version int) error {
	if _, err := exec(tx, `UPDATE reconciliations SET status = ?, version = ? WHERE book_id = ? AND id = ?`, status, version, book.ID, id); err != nil {
		return fmt.Errorf("change the status of reconciliation %d: %w", id, err)
	}
	return nil
}

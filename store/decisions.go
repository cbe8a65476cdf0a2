package store

import (
	"context"
	"fmt"

	"gorm.io/gorm"

	"daybook/store/ledger"
)

// Decide approves, rejects or recalls a request. Approving takes effect in the same transaction: a reversal and its replacement are
// appended, a person's roles are changed, a period is closed or opened again, an entry is posted and a break settled with it, a refund is put down for the
// gateway to be asked. What cannot take effect any more stays pending. The same decision again gives the first
// answer as a duplicate. Errors: KindNotFound, KindOwnRequest, KindForbidden, KindAlreadyDecided, KindInvalid, KindKeyReused, those of
// ledger.Append, and KindIllegalTransition where a person's access, a period or a break is not any more as it was when the change was asked for.
func (s *Store) Decide(ctx context.Context, actor Actor, key string, id int64, decision ApprovalStatus, note string) (approval Approval, duplicate bool, err error) {
	if err := actor.Need(RightRead); err != nil {
		return Approval{}, false, err
	}
	content := map[string]any{"approval_id": id, "note": note}
	err = s.inTx(ctx, func(tx *gorm.DB) error {
		approval, err = loadApproval(tx, actor.Book, id)
		if err != nil {
			return err
		}
		if err := actor.MayDecide(approval, decision); err != nil {
			return err
		}
		if err := ledger.CheckText("note", note, false); err != nil {
			return err
		}
		repeated := false
		approval, duplicate, err = once(s, tx, actor, key, "approval-"+string(decision), content, func() (Approval, error) {
			decided, again, err := s.decide(tx, actor, id, decision, note)
			repeated = again
			return decided, err
		})
		duplicate = duplicate || repeated
		return err
	})
	return approval, duplicate, err
}

// MayDecide refuses a decision that is not the actor's to make: KindOwnRequest for one's own request, KindForbidden without the
// right, for recalling what another requested, and for approving where one pair of hands may have both asked and decided.
func (a Actor) MayDecide(approval Approval, decision ApprovalStatus) error {
	own := approval.RequesterID == a.UserID
	switch {
	case decision == Recalled && !own:
		return ledger.Refuse(ledger.KindForbidden, "only %s, who requested it, can recall request %d", approval.RequesterName, approval.ID)
	case decision == Recalled:
		return a.Need(approvalKinds[approval.Kind].ask)
	case own:
		return ledger.Refuse(ledger.KindOwnRequest, "you requested this; another person must decide request %d", approval.ID)
	}
	if decision == Approved {
		if err := a.otherHands(approval); err != nil {
			return err
		}
	}
	return a.Need(approval.Kind.Decides())
}

// otherHands refuses to approve what the same person may have asked for: a login is in the hands of its owner and of whoever made its
// password in the last days, of the requester's in those before the request or since.
func (a Actor) otherHands(approval Approval) error {
	return a.otherHandsThan(approval.RequesterID, approval.RequesterName, approval.passwordFrom, fmt.Sprintf("approve request %d", approval.ID))
}

// otherHandsThan is otherHands for what another person asked for, whose password asked made; doing is what is refused.
func (a Actor) otherHandsThan(requesterID int64, requester string, asked int64, doing string) error {
	switch {
	case requesterID == a.PasswordFrom:
		return ledger.Refuse(ledger.KindForbidden, "%s made a password for you less than %d days ago and could have signed in with it: another person must %s",
			requester, GivenDays, doing)
	case asked != 0 && asked == a.UserID:
		return ledger.Refuse(ledger.KindForbidden, "you made a password for %s less than %d days before this was asked for, or since, and could have signed in with it: another person must %s",
			requester, GivenDays, doing)
	case asked != 0 && asked == a.PasswordFrom:
		return ledger.Refuse(ledger.KindForbidden, "one person made a password for you and for %s within %d days and could have signed in with both: another person must %s",
			requester, GivenDays, doing)
	}
	return nil
}

// Decides are the kinds of requests of others that the actor may decide.
func (a Actor) Decides() []ApprovalKind {
	kinds := []ApprovalKind{}
	for _, kind := range ApprovalKinds {
		if a.Can(kind.Decides()) {
			kinds = append(kinds, kind)
		}
	}
	return kinds
}

// decide takes the head first, so that decisions of one book come one after the other.
func (s *Store) decide(tx *gorm.DB, actor Actor, id int64, decision ApprovalStatus, note string) (approval Approval, again bool, err error) {
	if approval, err = loadApproval(tx, actor.Book, id); err != nil {
		return Approval{}, false, err
	}
	if err := holdSubject(tx, actor.Book, approval); err != nil {
		return Approval{}, false, fmt.Errorf("hold %s: %w", approval.Subject(), err)
	}
	if _, err := lockHead(tx, actor.Book.ID); err != nil {
		return Approval{}, false, err
	}
	if approval, err = loadApproval(tx, actor.Book, id); err != nil {
		return Approval{}, false, err
	}
	if approval.Status == decision {
		return approval, true, nil
	}
	if approval.Status != Pending {
		return Approval{}, false, ledger.Refuse(ledger.KindAlreadyDecided, "request %d is already %s, by %s", id, approval.Status, approval.DeciderName).
			With("status", string(approval.Status))
	}
	if !approval.Intact() {
		return Approval{}, false, fmt.Errorf("request %d is not what was requested: its content does not have the hash it was stored with", id)
	}
	approval.Status, approval.DeciderID, approval.Decider, approval.DeciderName = decision, actor.UserID, actor.Email, actor.Name
	approval.Note, approval.DecidedAt = note, s.now()
	if err := s.execute(tx, actor, &approval); err != nil {
		return Approval{}, false, err
	}
	return approval, false, s.insertDecision(tx, actor, approval)
}

// execute does what follows from a decision: what was approved, or the end of an invitation that was not.
func (s *Store) execute(tx *gorm.DB, actor Actor, approval *Approval) error {
	switch {
	case approval.Kind == KindRoleChange && approval.Status == Approved:
		return s.executeRoleChange(tx, actor, *approval)
	case approval.Kind == KindRoleChange:
		return withdrawGiven(tx, *approval)
	case approval.PeriodChange != nil && approval.Status == Approved:
		return s.executePeriodChange(tx, actor, *approval)
	case approval.Adjustment != nil && approval.Status == Approved:
		return s.executeAdjustment(tx, actor, approval)
	case approval.Adjustment != nil:
		return s.returnBreak(tx, actor, *approval)
	case approval.Refund != nil && approval.Status == Approved:
		return s.executeRefund(tx, actor, approval)
	case approval.Kind == KindReversal && approval.Status == Approved:
		return s.executeReversal(tx, actor, approval)
	}
	return nil
}

// executeReversal appends what was approved.
func (s *Store) executeReversal(tx *gorm.DB, actor Actor, approval *Approval) error {
	subject, err := loadEntry(tx, actor.Book, approval.SubjectSeq)
	if err != nil {
		return err
	}
	if err := ledger.CanReverse(subject.Record, subject.ReversedBy); err != nil {
		return err
	}
	outcomes, err := s.appendIn(tx, actor, approval.commands(subject.Record, actor.UserID))
	if err != nil {
		return err
	}
	for i, outcome := range outcomes {
		switch {
		case outcome.Err != nil && i > 0:
			return within("replacement", outcome.Err)
		case outcome.Err != nil:
			return outcome.Err
		case i == 0:
			approval.ReversalSeq = outcome.Record.Seq
		default:
			approval.ReplacementSeq = outcome.Record.Seq
		}
	}
	return undoPayout(tx, actor.Book, approval.SubjectSeq)
}

func (s *Store) insertDecision(tx *gorm.DB, actor Actor, a Approval) error {
	if _, err := exec(tx, `
		INSERT INTO approval_decisions (book_id, approval_id, kind, decision, requester_id, content_hash, decider_id, decided_at, note, reversal_seq, replacement_seq, entry_seq)
		VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
		actor.Book.ID, a.ID, a.Kind, a.Status, a.RequesterID, a.ContentHash, a.DeciderID, a.DecidedAt, a.Note, nullable(a.ReversalSeq), nullable(a.ReplacementSeq), nullable(a.EntrySeq)); err != nil {
		return fmt.Errorf("store the decision on request %d: %w", a.ID, err)
	}
	if _, err := exec(tx, `UPDATE approvals SET pending = false WHERE book_id = ? AND id = ?`, actor.Book.ID, a.ID); err != nil {
		return fmt.Errorf("close request %d: %w", a.ID, err)
	}
	if _, err := exec(tx, `DELETE FROM reserved_tx_ids WHERE book_id = ? AND approval_id = ?`, actor.Book.ID, a.ID); err != nil {
		return fmt.Errorf("release the tx ids of request %d: %w", a.ID, err)
	}
	if a.Kind == KindReversal {
		return s.audit(tx, actor, a.Kind.Action(a.Status), fmt.Sprintf("request %d", a.ID), map[string]any{"entry": a.SubjectSeq})
	}
	return s.audit(tx, actor, a.Kind.Action(a.Status), a.Subject(), a.auditDetail())
}

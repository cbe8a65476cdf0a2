package store

import (
	"fmt"

	"gorm.io/gorm"

	"daybook/recon"
	"daybook/store/ledger"
)

// AdjustmentRequest is an entry that somebody wants to settle a break with, and what it is to be matched with.
type AdjustmentRequest struct {
	BreakID    int64            `json:"break_id"`
	Account    string           `json:"account"`
	Resolution recon.Resolution `json:"resolution"`
	ReasonCode recon.Reason     `json:"reason_code"`
	Note       string           `json:"note"`
	Entry      ledger.Entry     `json:"entry"`
	Match      MatchItems       `json:"match"`
}

func breakSubject(id int64) string { return fmt.Sprintf("break %d", id) }

// askForAdjustment has an entry wait for another person, and the break with it, once it is sure that it could be posted now.
func (w *handwork) askForAdjustment(b Break, set handSet, entry ledger.Entry, how settlement) error {
	if err := w.areFree(set); err != nil {
		return err
	}
	if err := w.mayLeaveBreaks(set, how); err != nil {
		return err
	}
	if _, err := lockHead(w.tx, w.actor.Book.ID); err != nil {
		return fmt.Errorf("take the head of book %s: %w", w.actor.Book.Code, err)
	}
	outcomes, err := w.store.tryCommands(w.tx, w.actor, []ledger.Command{w.adjusting(entry, how)})
	if err != nil {
		return err
	}
	if err := outcomes[0].Err; err != nil {
		return within("entry", err)
	}
	asked := Approval{Kind: KindAdjustment, Reason: how.reason(), Adjustment: &AdjustmentRequest{
		BreakID: b.ID, Account: w.account.Code, Resolution: how.Resolution, ReasonCode: how.ReasonCode, Note: how.Note, Entry: entry, Match: set.items(),
	}}
	if err := w.store.insertApproval(w.tx, w.actor, &asked); err != nil {
		return err
	}
	if _, err := exec(w.tx, `UPDATE breaks SET status = ?, approval_id = ? WHERE book_id = ? AND id = ?`,
		recon.WaitingForApproval, asked.ID, w.actor.Book.ID, b.ID); err != nil {
		return fmt.Errorf("let break %d wait: %w", b.ID, err)
	}
	return w.store.addBreakEvent(w.tx, w.actor, b.ID, breakEvent{Event: "requested", ReasonCode: how.ReasonCode, ApprovalID: asked.ID,
		Note: fmt.Sprintf("asks for entry %s: %s", entry.TxID, how.reason())})
}

// items names a set.
func (s handSet) items() MatchItems {
	items := MatchItems{Postings: []PostingRef{}, Rows: []RowRef{}}
	for _, p := range s.postings {
		items.Postings = append(items.Postings, p.ref())
	}
	for _, l := range s.lines {
		items.Rows = append(items.Rows, l.ref())
	}
	return items
}

// holdSubject holds what a decision changes besides the journal, before the head is taken: people who work on breaks take them in this order.
func holdSubject(tx *gorm.DB, book Book, approval Approval) error {
	if approval.Refund != nil {
		_, err := holdPayment(tx, book, approval.Refund.PaymentID)
		return err
	}
	if approval.Adjustment == nil {
		return nil
	}
	_, err := exec(tx, `SELECT FROM accounts WHERE book_id = ? AND id = (SELECT account_id FROM breaks WHERE book_id = ? AND id = ?) FOR NO KEY UPDATE`,
		book.ID, book.ID, approval.Adjustment.BreakID)
	return err
}

// executeAdjustment posts the entry that was approved and settles the break with it, as far as nothing has changed of what it was to be
// matched with. Errors: KindIllegalTransition, and those of ledger.Append.
func (s *Store) executeAdjustment(tx *gorm.DB, actor Actor, approval *Approval) error {
	asked := approval.Adjustment
	w, err := s.beginBreakwork(tx, actor, asked.BreakID)
	if err != nil {
		return err
	}
	b, err := loadBreak(tx, actor.Book, asked.BreakID)
	if err != nil {
		return err
	}
	changed := ledger.Refuse(ledger.KindIllegalTransition, "break %d is not any more what request %d was about: reject it, and it can be asked anew", b.ID, approval.ID)
	if b.Status != recon.WaitingForApproval || b.ApprovalID != approval.ID {
		return w.toldBy(b, changed)
	}
	set, err := w.find(asked.Match)
	if err != nil {
		changed.Err = err
		return changed
	}
	if _, err := w.fits(set, asked.Entry); err != nil {
		changed.Err = err
		return changed
	}
	how := settlement{BreakID: b.ID, Resolution: asked.Resolution, ReasonCode: asked.ReasonCode, Note: asked.Note, ApprovalID: approval.ID}
	approval.EntrySeq, err = w.adjust(set, approval.adjusting(actor.UserID), how)
	return err
}

// adjusting is the command that carries out a request for an adjusting entry.
func (a Approval) adjusting(deciderID int64) ledger.Command {
	return ledger.Command{Kind: ledger.Adjustment, Entry: a.Adjustment.Entry, Reason: a.Reason, ApprovalID: a.ID, RecordedBy: deciderID}
}

// returnBreak opens a break again whose request was not approved.
func (s *Store) returnBreak(tx *gorm.DB, actor Actor, approval Approval) error {
	id := approval.Adjustment.BreakID
	returned, err := exec(tx, `UPDATE breaks SET status = `+unresolvedStatus+`, approval_id = NULL WHERE book_id = ? AND id = ? AND status = ? AND approval_id = ?`,
		actor.Book.ID, id, recon.WaitingForApproval, approval.ID)
	if err != nil {
		return fmt.Errorf("open break %d again: %w", id, err)
	}
	if returned == 0 {
		return nil
	}
	note := fmt.Sprintf("request %d was %s", approval.ID, approval.Status)
	if approval.Note != "" {
		note += ": " + approval.Note
	}
	return s.addBreakEvent(tx, actor, id, breakEvent{Event: "returned", Note: note, ApprovalID: approval.ID})
}

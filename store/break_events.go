package store

import (
	"fmt"
	"slices"

	"gorm.io/gorm"

	"daybook/recon"
)

// unresolvedStatus is the status of a break that nobody resolved and no request is about: somebody looks at it, or nobody.
const unresolvedStatus = `CASE WHEN assignee_id IS NULL THEN 'open' ELSE 'in_review' END`

// breakEvent is a step in the history of a break, with what it has to do with; 0 for nothing.
type breakEvent struct {
	Event        string
	Type         recon.BreakType // what the break is from here on, of a step that says so
	Resolution   recon.Resolution
	ReasonCode   recon.Reason
	Note         string
	MatchID      int64
	ApprovalID   int64
	Seq          int64
	AssigneeID   int64
	AttachmentID int64
	SHA256       string // of what was attached, for the audit log
}

// addTypeEvent notes that a break is of another type from here on, and why; where it is what it was, nothing.
func (s *Store) addTypeEvent(tx *gorm.DB, actor Actor, id int64, was, now recon.BreakType, why string) error {
	if was == now {
		return nil
	}
	return s.addBreakEvent(tx, actor, id, breakEvent{Event: "retyped", Type: now, Note: why})
}

// audited are the steps that a person takes; what follows from them is told in the history of the break alone.
var audited = []string{"resolved", "reopened", "assigned", "commented", "attached"}

// addBreakEvent appends a step, of an actor or, without one, of Daybook itself, and notes in the audit log what a person did.
func (s *Store) addBreakEvent(tx *gorm.DB, actor Actor, id int64, e breakEvent) error {
	var resolution *string
	if e.Resolution != "" {
		text := string(e.Resolution)
		resolution = &text
	}
	if _, err := exec(tx, `
		INSERT INTO break_events (book_id, break_id, n, event, type, resolution, reason_code, note, user_id, match_id, approval_id, seq, assignee_id, attachment_id, at)
		SELECT ?, ?, 1 + coalesce(max(n), 0), ?, nullif(?, ''), CAST(? AS text), ?, ?, ?, ?, ?, ?, ?, ?, ? FROM break_events WHERE book_id = ? AND break_id = ?`,
		actor.Book.ID, id, e.Event, e.Type, resolution, e.ReasonCode, e.Note, nullable(actor.UserID), nullable(e.MatchID), nullable(e.ApprovalID), nullable(e.Seq),
		nullable(e.AssigneeID), nullable(e.AttachmentID), s.now(), actor.Book.ID, id); err != nil {
		return fmt.Errorf("note what was done with break %d: %w", id, err)
	}
	if actor.UserID == 0 || !slices.Contains(audited, e.Event) {
		return nil
	}
	detail := map[string]any{"resolution": e.Resolution, "reason_code": e.ReasonCode}
	if e.MatchID != 0 {
		detail["match_id"] = e.MatchID
	}
	if e.Seq != 0 {
		detail["entry"] = e.Seq
	}
	if e.AttachmentID != 0 {
		detail["attachment_id"], detail["sha256"] = e.AttachmentID, e.SHA256
	}
	return s.audit(tx, actor, "break."+e.Event, fmt.Sprintf("break %d", id), detail)
}

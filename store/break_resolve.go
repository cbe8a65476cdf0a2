package store

import (
	"context"
	"fmt"

	"gorm.io/gorm"

	"daybook/recon"
	"daybook/store/ledger"
)

// BreakResolution is what a person decides about a break.
type BreakResolution struct {
	Resolution recon.Resolution
	ReasonCode recon.Reason
	Note       string
}

// ResolveBreak settles a break in a way that needs neither an entry nor a match. Errors: KindForbidden, KindNotFound and those of
// recon.CanResolve, KindKeyReused.
func (s *Store) ResolveBreak(ctx context.Context, actor Actor, key string, id int64, decision BreakResolution) (Break, bool, error) {
	content := map[string]any{"break_id": id, "resolution": decision.Resolution, "reason_code": decision.ReasonCode, "note": decision.Note}
	return s.workOnBreak(ctx, actor, key, "break-resolve", content, id, func(tx *gorm.DB, b Break) error {
		facts := recon.BreakFacts{Type: b.Type, Status: b.Status, DifferenceMinor: b.DifferenceMinor, Foreign: b.Foreign()}
		if refusal := recon.CanResolve(facts, decision.Resolution, decision.ReasonCode, decision.Note); refusal != nil {
			return refusal
		}
		return s.setBreak(tx, actor, id, "resolved", recon.Resolved, decision)
	})
}

// ReopenBreak opens a resolved break again; the note may say why. Errors: KindForbidden, KindNotFound, KindInvalid,
// KindIllegalTransition, KindKeyReused.
func (s *Store) ReopenBreak(ctx context.Context, actor Actor, key string, id int64, note string) (Break, bool, error) {
	content := map[string]any{"break_id": id, "note": note}
	return s.workOnBreak(ctx, actor, key, "break-reopen", content, id, func(tx *gorm.DB, b Break) error {
		if refusal := recon.CanReopen(recon.BreakFacts{Type: b.Type, Status: b.Status}, b.Resolution); refusal != nil {
			return refusal
		}
		if err := ledger.CheckText("note", note, false); err != nil {
			return err
		}
		return s.setBreak(tx, actor, id, "reopened", recon.Open, BreakResolution{Note: note})
	})
}

// workOnBreak holds the break's row while a person's action on it is judged and stored. The account's row comes first, shared: no
// matching of the account is under way meanwhile, which takes for granted what it has read of the breaks.
func (s *Store) workOnBreak(ctx context.Context, actor Actor, key, operation string, content any, id int64,
	act func(tx *gorm.DB, b Break) error) (result Break, duplicate bool, err error) {
	if err := actor.Need(RightResolve); err != nil {
		return Break{}, false, err
	}
	err = s.inTx(ctx, func(tx *gorm.DB) error {
		result, duplicate, err = once(s, tx, actor, key, operation, content, func() (Break, error) {
			if err := holdBreak(tx, actor.Book, id); err != nil {
				return Break{}, fmt.Errorf("hold break %d: %w", id, err)
			}
			b, err := loadBreak(tx, actor.Book, id)
			if err != nil {
				return Break{}, err
			}
			if err := act(tx, b); err != nil {
				return Break{}, err
			}
			return loadBreak(tx, actor.Book, id)
		})
		return err
	})
	return result, duplicate, err
}

func holdBreak(tx *gorm.DB, book Book, id int64) error {
	if _, err := exec(tx, `SELECT FROM accounts WHERE book_id = ? AND id = (SELECT account_id FROM breaks WHERE book_id = ? AND id = ?) FOR SHARE`,
		book.ID, book.ID, id); err != nil {
		return err
	}
	_, err := exec(tx, `SELECT FROM breaks WHERE book_id = ? AND id = ? FOR UPDATE`, book.ID, id)
	return err
}

func (s *Store) setBreak(tx *gorm.DB, actor Actor, id int64, event string, status recon.Status, decision BreakResolution) error {
	var resolution *string
	if decision.Resolution != "" {
		text := string(decision.Resolution)
		resolution = &text
	}
	if _, err := exec(tx, `UPDATE breaks SET status = ?, resolution = ? WHERE book_id = ? AND id = ?`, status, resolution, actor.Book.ID, id); err != nil {
		return fmt.Errorf("change break %d: %w", id, err)
	}
	if _, err := exec(tx, `
		INSERT INTO break_events (book_id, break_id, n, event, resolution, reason_code, note, user_id, at)
		SELECT ?, ?, 1 + coalesce(max(n), 0), ?, CAST(? AS text), ?, ?, ?, ? FROM break_events WHERE book_id = ? AND break_id = ?`,
		actor.Book.ID, id, event, resolution, decision.ReasonCode, decision.Note, actor.UserID, s.now(), actor.Book.ID, id); err != nil {
		return fmt.Errorf("note what was done with break %d: %w", id, err)
	}
	return s.audit(tx, actor, "break."+event, fmt.Sprintf("break %d", id), map[string]any{"resolution": decision.Resolution, "reason_code": decision.ReasonCode})
}

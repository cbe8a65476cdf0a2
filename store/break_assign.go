package store

import (
	"context"
	"fmt"

	"gorm.io/gorm"

	"daybook/recon"
	"daybook/store/ledger"
)

// AssignBreak gives a break that is not resolved to a person of the book, named by e-mail address; "" takes it from whoever has it. A version
// that was seen, where it is given, must be the break's still. Errors: KindForbidden, KindNotFound, KindInvalid for a person who has no role in
// the book, KindIllegalTransition, KindKeyReused.
func (s *Store) AssignBreak(ctx context.Context, actor Actor, key string, id int64, email, note string, seen ...int) (Break, bool, error) {
	if err := actor.Need(RightResolve); err != nil {
		return Break{}, false, err
	}
	content := map[string]any{"break_id": id, "assignee": email, "note": note}
	if len(seen) > 0 {
		content["version"] = seen[0]
	}
	return s.noteOnBreak(ctx, actor, key, "break-assign", content, id, func(tx *gorm.DB, b Break) error {
		w := &handwork{store: s, tx: tx, actor: actor}
		for _, version := range seen {
			if err := w.isAsSeen(b, version); err != nil {
				return err
			}
		}
		return s.assign(tx, actor, b, email, note)
	})
}

func (s *Store) assign(tx *gorm.DB, actor Actor, b Break, email, note string) error {
	if b.Status == recon.Resolved {
		return ledger.Refuse(ledger.KindIllegalTransition, "break %d is resolved: reopen it to give it to somebody", b.ID)
	}
	if err := ledger.CheckText("note", note, false); err != nil {
		return err
	}
	assigneeID, err := assignable(tx, actor.Book, email)
	if err != nil {
		return err
	}
	if _, err := exec(tx, `
		UPDATE breaks SET assignee_id = ?, status = CASE WHEN status = 'waiting_for_approval' THEN status WHEN CAST(? AS bigint) IS NULL THEN 'open' ELSE 'in_review' END
		 WHERE book_id = ? AND id = ?`, nullable(assigneeID), nullable(assigneeID), actor.Book.ID, b.ID); err != nil {
		return fmt.Errorf("assign break %d: %w", b.ID, err)
	}
	return s.addBreakEvent(tx, actor, b.ID, breakEvent{Event: "assigned", Note: note, AssigneeID: assigneeID})
}

// assignable finds a person whom a break can be given to; 0 for no address.
func assignable(tx *gorm.DB, book Book, email string) (int64, error) {
	if email == "" {
		return 0, nil
	}
	ids, err := query[int64](tx, `
		SELECT u.id FROM users u WHERE u.email = lower(?) AND u.disabled_at IS NULL
		   AND EXISTS (SELECT FROM user_roles r WHERE r.book_id = ? AND r.user_id = u.id)`, storable(email), book.ID)
	if err != nil {
		return 0, fmt.Errorf("look for who a break is given to: %w", err)
	}
	if len(ids) == 0 {
		return 0, ledger.Refuse(ledger.KindInvalid, "nobody with a role in book %s has the address %q", book.Code, email).
			At("assignee", "give the e-mail address of a person who has a role in this book, or none")
	}
	return ids[0], nil
}

// CommentBreak adds a note to the history of a break, whatever its status. Errors: KindForbidden for who neither resolves breaks nor decides
// requests, KindNotFound, KindInvalid, KindKeyReused.
func (s *Store) CommentBreak(ctx context.Context, actor Actor, key string, id int64, note string) (Break, bool, error) {
	if err := actor.MayComment(); err != nil {
		return Break{}, false, err
	}
	content := map[string]any{"break_id": id, "note": note}
	return s.noteOnBreak(ctx, actor, key, "break-comment", content, id, func(tx *gorm.DB, b Break) error {
		if err := ledger.CheckText("note", note, true); err != nil {
			return err
		}
		return s.addBreakEvent(tx, actor, id, breakEvent{Event: "commented", Note: note})
	})
}

// MayComment refuses who neither works on breaks nor decides what others ask for. Error: KindForbidden.
func (a Actor) MayComment() error {
	if a.Can(RightDecide) {
		return nil
	}
	return a.Need(RightResolve)
}

// noteOnBreak is for what changes nothing that a matching or a proof looks at: it holds the break alone.
func (s *Store) noteOnBreak(ctx context.Context, actor Actor, key, operation string, content any, id int64,
	act func(tx *gorm.DB, b Break) error) (result Break, duplicate bool, err error) {
	err = s.inTx(ctx, func(tx *gorm.DB) error {
		result, duplicate, err = once(s, tx, actor, key, operation, content, func() (Break, error) {
			if _, err := exec(tx, `SELECT FROM breaks WHERE book_id = ? AND id = ? FOR UPDATE`, actor.Book.ID, id); err != nil {
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

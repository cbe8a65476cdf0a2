package store

import (
	"context"
	"fmt"
	"slices"

	"gorm.io/gorm"

	"daybook/store/ledger"
)

// Access is what a person may do in a book: by their roles there, as long as their login is not disabled.
type Access struct {
	Roles    []Role `json:"roles"`
	Disabled bool   `json:"disabled"`
}

// RoleChange is what a person may do in a book before a change and after it.
type RoleChange struct {
	UserID int64  `json:"user_id"`
	Email  string `json:"email"`
	Name   string `json:"name"`
	Before Access `json:"before"`
	After  Access `json:"after"`
}

// AccessChange is what became of a change: ApprovalID is the request that waits for another administrator, 0 where it took effect at
// once. Alone says that this was because the book has one administrator.
type AccessChange struct {
	RoleChange
	ApprovalID int64
	Alone      bool
}

// ChangeRoles gives a person of the actor's book other roles there, from those that the actor saw. It takes effect when another
// administrator approves it; at once while the book has one. Errors: KindForbidden, KindNotFound, KindKeyReused, KindInvalid, also where
// the book would be left without an administrator, and KindIllegalTransition, where a request about the person waits or the roles
// are not as the actor saw them.
func (s *Store) ChangeRoles(ctx context.Context, actor Actor, key string, userID int64, from, to []Role, reason string) (AccessChange, bool, error) {
	for _, role := range to {
		if err := CheckRole(role); err != nil {
			return AccessChange{}, false, err
		}
	}
	content := map[string]any{"user_id": userID, "from": from, "to": to, "reason": reason}
	return s.changeAccess(ctx, actor, key, "role-change", content, userID, reason, func(now Access) (Access, error) {
		if !slices.Equal(now.Roles, inOrder(from)) {
			return now, ledger.Refuse(ledger.KindIllegalTransition, "the roles were changed meanwhile, to %s: look at them again", now)
		}
		now.Roles = inOrder(to)
		return now, nil
	})
}

// DisableMember ends the access of a person of the actor's book, in every book. It takes effect at once, but for an administrator while
// there is another: then another approves it. Errors: those of ChangeRoles; KindForbidden also where the person has roles in a book
// that the actor does not administer, or administers another.
func (s *Store) DisableMember(ctx context.Context, actor Actor, key string, userID int64, reason string) (AccessChange, bool, error) {
	return s.setDisabled(ctx, actor, key, "user.disable", userID, reason, true)
}

// EnableMember gives a disabled person of the actor's book their access back when another administrator approves it; at once while the
// book has one. Errors: those of DisableMember.
func (s *Store) EnableMember(ctx context.Context, actor Actor, key string, userID int64, reason string) (AccessChange, bool, error) {
	return s.setDisabled(ctx, actor, key, "user.enable", userID, reason, false)
}

func (s *Store) setDisabled(ctx context.Context, actor Actor, key, operation string, userID int64, reason string, disabled bool) (AccessChange, bool, error) {
	content := map[string]any{"user_id": userID, "reason": reason}
	return s.changeAccess(ctx, actor, key, operation, content, userID, reason, func(now Access) (Access, error) {
		now.Disabled = disabled
		return now, nil
	})
}

func (s *Store) changeAccess(ctx context.Context, actor Actor, key, operation string, content any, userID int64, reason string,
	alter func(Access) (Access, error)) (changed AccessChange, duplicate bool, err error) {
	if err := actor.Need(RightUsers); err != nil {
		return AccessChange{}, false, err
	}
	if err := ledger.CheckText("reason", reason, true); err != nil {
		return AccessChange{}, false, err
	}
	err = s.inTx(ctx, func(tx *gorm.DB) error {
		if err := takeTurn(tx, peopleTurn); err != nil {
			return err
		}
		changed, duplicate, err = once(s, tx, actor, key, operation, content, func() (AccessChange, error) {
			change, err := memberAccess(tx, actor.Book, userID)
			if err != nil {
				return AccessChange{}, err
			}
			if change.After, err = alter(change.Before); err != nil {
				return AccessChange{}, err
			}
			return s.askForAccess(tx, actor, change, reason)
		})
		return err
	})
	return changed, duplicate, err
}

// askForAccess asks another administrator for a change, or makes it where nobody has to be asked. The turn of people is the caller's.
func (s *Store) askForAccess(tx *gorm.DB, actor Actor, change RoleChange, reason string) (AccessChange, error) {
	if change.Before.equal(change.After) {
		return AccessChange{}, ledger.Refuse(ledger.KindInvalid, "nothing would change").At("roles", "%s has this access already: %s", change.Name, change.Before)
	}
	if err := mayChange(tx, actor, change); err != nil {
		return AccessChange{}, err
	}
	others, err := countHolders(tx, actor.Book.ID, RightUsers, actor.UserID)
	if err != nil {
		return AccessChange{}, err
	}
	changed := AccessChange{RoleChange: change, Alone: others == 0}
	if changed.Alone || change.isSafety() {
		detail := map[string]any{"reason": reason}
		if changed.Alone {
			detail["at_once"] = "the book has one administrator"
		}
		change.tell(detail)
		if err := s.applyAccess(tx, actor.Book, change); err != nil {
			return AccessChange{}, err
		}
		return changed, s.audit(tx, actor, change.action(), fmt.Sprintf("user %d", change.UserID), detail)
	}
	approval := Approval{Kind: KindRoleChange, Reason: reason, RoleChange: &change}
	if err := s.insertApproval(tx, actor, &approval); err != nil {
		return AccessChange{}, err
	}
	changed.ApprovalID = approval.ID
	return changed, nil
}

// executeRoleChange makes the change that was approved, if it is still the change that was asked for, by someone who may still ask.
func (s *Store) executeRoleChange(tx *gorm.DB, actor Actor, approval Approval) error {
	if err := takeTurn(tx, peopleTurn); err != nil {
		return err
	}
	change := *approval.RoleChange
	now, err := accessOf(tx, actor.Book, `u.id = ?`, change.UserID)
	if err != nil {
		return err
	}
	if !now.Before.equal(change.Before) {
		return ledger.Refuse(ledger.KindIllegalTransition, "%s has other access now than when this was asked for: then %s, now %s; reject request %d, and it can be asked anew",
			change.Name, change.Before, now.Before, approval.ID)
	}
	requester := actor
	requester.UserID, requester.Name, requester.Only = approval.RequesterID, approval.RequesterName, nil
	if err := stillAdministers(tx, requester); err != nil {
		return ledger.Refuse(ledger.KindIllegalTransition, "%s, who asked, does not administer this book any more; reject request %d, and it can be asked anew",
			approval.RequesterName, approval.ID)
	}
	if err := mayChange(tx, actor, change); err != nil {
		return err
	}
	return s.applyAccess(tx, actor.Book, change)
}

func (s *Store) applyAccess(tx *gorm.DB, book Book, change RoleChange) error {
	kept := array[string]{}
	for _, role := range change.After.Roles {
		kept = append(kept, string(role))
		if _, err := exec(tx, `INSERT INTO user_roles (book_id, user_id, role, granted_at) VALUES (?, ?, ?, ?) ON CONFLICT (book_id, user_id, role) DO NOTHING`,
			book.ID, change.UserID, role, s.now()); err != nil {
			return fmt.Errorf("grant %s: %w", role, err)
		}
	}
	if _, err := exec(tx, `DELETE FROM user_roles WHERE book_id = ? AND user_id = ? AND role <> ALL(?::text[])`, book.ID, change.UserID, kept); err != nil {
		return fmt.Errorf("revoke roles: %w", err)
	}
	if change.Before.Disabled == change.After.Disabled {
		return nil
	}
	if _, err := exec(tx, `
		UPDATE users SET disabled_at = CASE WHEN @disabled THEN CAST(@now AS timestamptz) END,
		                 enabled_at = CASE WHEN @disabled THEN enabled_at ELSE CAST(@now AS timestamptz) END
		 WHERE id = @user`, map[string]any{"disabled": change.After.Disabled, "now": s.now(), "user": change.UserID}); err != nil {
		return fmt.Errorf("disable or enable user %d: %w", change.UserID, err)
	}
	return nil
}

package store

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"gorm.io/gorm"

	"daybook/store/ledger"
)

// String names the roles as "preparer, approver", and says where the login is disabled.
func (a Access) String() string {
	words := make([]string, len(a.Roles))
	for i, role := range a.Roles {
		words[i] = string(role)
	}
	if len(words) == 0 {
		words = []string{"no role"}
	}
	if a.Disabled {
		words = append(words, "disabled")
	}
	return strings.Join(words, ", ")
}

func (a Access) equal(b Access) bool {
	return a.Disabled == b.Disabled && slices.Equal(a.Roles, b.Roles)
}

func (a Access) administers() bool {
	return !a.Disabled && slices.ContainsFunc(a.Roles, func(role Role) bool { return role.Has(RightUsers) })
}

// inOrder gives roles as they are shown, each once.
func inOrder(roles []Role) []Role {
	ordered := []Role{}
	for _, role := range Roles {
		if slices.Contains(roles, role) {
			ordered = append(ordered, role)
		}
	}
	return ordered
}

// isSafety says that a change only ends the access of someone who is no administrator: that never waits.
func (c RoleChange) isSafety() bool {
	return c.After.Disabled && !c.Before.Disabled && slices.Equal(c.Before.Roles, c.After.Roles) && !c.Before.administers()
}

// action is what the audit log calls a change that takes effect at once.
func (c RoleChange) action() string {
	switch {
	case c.Before.Disabled == c.After.Disabled:
		return "role-change.made"
	case c.After.Disabled:
		return "user.disable"
	}
	return "user.enable"
}

// tell adds a change to the details of a record of the audit log.
func (c RoleChange) tell(detail map[string]any) {
	detail["person"], detail["before"], detail["after"] = c.Email, c.Before.String(), c.After.String()
}

// mayChange refuses a change that the actor may not make or approve now, or that would leave the book without an administrator.
func mayChange(tx *gorm.DB, actor Actor, change RoleChange) error {
	if err := stillAdministers(tx, actor); err != nil {
		return err
	}
	if change.Before.Disabled != change.After.Disabled {
		if err := mayChangePerson(tx, actor, change.UserID, change.Name); err != nil {
			return err
		}
	}
	if !change.Before.administers() || change.After.administers() {
		return nil
	}
	others, err := countHolders(tx, actor.Book.ID, RightUsers, change.UserID)
	if err == nil && others == 0 {
		return ledger.Refuse(ledger.KindInvalid, "book %s would have no administrator", actor.Book.Code).
			At("roles", "%s is the only active administrator of this book: make another person one first", change.Name)
	}
	return err
}

// stillAdministers asks again, within the transaction, for the right that the actor had when the request came in.
func stillAdministers(tx *gorm.DB, actor Actor) error {
	holders, err := query[int64](tx, holdersOf+` AND u.id = ?`, actor.Book.ID, rolesWith(RightUsers), actor.UserID)
	if err != nil {
		return fmt.Errorf("look whether the actor still may: %w", err)
	}
	if len(holders) == 0 {
		actor.Roles = nil
		return actor.Need(RightUsers)
	}
	return nil
}

// holdersOf selects who has a right in a book and an access that is not disabled.
const holdersOf = `SELECT u.id FROM users u
	WHERE u.disabled_at IS NULL AND EXISTS (SELECT FROM user_roles r WHERE r.book_id = ? AND r.user_id = u.id AND r.role = ANY(?::text[]))`

// countHolders counts who has a right in a book besides one person.
func countHolders(tx *gorm.DB, bookID int64, right Right, besides int64) (int, error) {
	holders, err := query[int64](tx, holdersOf+` AND u.id <> ? LIMIT 1000`, bookID, rolesWith(right), besides)
	if err != nil {
		return 0, fmt.Errorf("count who has the right %s: %w", right, err)
	}
	return len(holders), nil
}

// mayChangePerson refuses what concerns a person's login, which is the same in all books: it takes an administrator of every book in
// which they have a role, and an administrator of other books answers to the operator only.
func mayChangePerson(tx *gorm.DB, actor Actor, userID int64, name string) error {
	elsewhere, err := queryOne[struct{ Administers, Beyond bool }](tx, "no answer", `
		SELECT coalesce(bool_or(r.role = ANY(@roles)), false) AS administers,
		       coalesce(bool_or(NOT EXISTS (SELECT FROM user_roles a WHERE a.book_id = r.book_id AND a.user_id = @actor AND a.role = ANY(@roles))), false) AS beyond
		  FROM user_roles r WHERE r.user_id = @user AND r.book_id <> @book`,
		map[string]any{"roles": rolesWith(RightUsers), "actor": actor.UserID, "user": userID, "book": actor.Book.ID})
	switch {
	case err != nil:
		return fmt.Errorf("look where user %d has roles: %w", userID, err)
	case elsewhere.Administers:
		return ledger.Refuse(ledger.KindForbidden, "%s also administers another book: only the operator can change this login, by command; here you can change the roles", name)
	case elsewhere.Beyond:
		return ledger.Refuse(ledger.KindForbidden, "%s also has roles in a book that you do not administer: an administrator of all of them can change this login; here you can change the roles", name)
	}
	return nil
}

// memberAccess is the access of a person who has a role in the book. Error: KindNotFound.
func memberAccess(tx *gorm.DB, book Book, userID int64) (RoleChange, error) {
	change, err := accessOf(tx, book, `u.id = ?`, userID)
	if err == nil && len(change.Before.Roles) == 0 {
		return change, ledger.Refuse(ledger.KindNotFound, "book %s has no user %d", book.Code, userID)
	}
	return change, err
}

// accessOf finds a person by a condition, with the access they have now.
func accessOf(tx *gorm.DB, book Book, condition string, arg any) (RoleChange, error) {
	row, err := queryOne[struct {
		ID          int64
		Email, Name string
		Disabled    bool
		Roles       string
	}](tx, "there is no such user", `
		SELECT u.id, u.email, u.name, u.disabled_at IS NOT NULL AS disabled,
		       (SELECT string_agg(r.role, ' ') FROM user_roles r WHERE r.book_id = ? AND r.user_id = u.id) AS roles
		  FROM users u WHERE `+condition, book.ID, arg)
	if err != nil {
		return RoleChange{}, err
	}
	return RoleChange{UserID: row.ID, Email: row.Email, Name: row.Name, Before: Access{Roles: inOrder(rolesIn(row.Roles)), Disabled: row.Disabled}}, nil
}

// RoleChangeNow is what has become of what a request for a role change stands on: the person's access now, and whether who asked may
// still ask.
type RoleChangeNow struct {
	Access              Access
	RequesterStillAsks  bool
	LeavesAdministrator bool
}

// RoleChangeNow looks at a request for a role change as its approval would. Errors: KindForbidden, KindNotFound.
func (s *Store) RoleChangeNow(ctx context.Context, actor Actor, approval Approval) (now RoleChangeNow, err error) {
	if err := actor.Need(RightRead); err != nil {
		return RoleChangeNow{}, err
	}
	err = s.inSnapshot(ctx, func(tx *gorm.DB) error {
		change, err := accessOf(tx, actor.Book, `u.id = ?`, approval.RoleChange.UserID)
		if err != nil {
			return err
		}
		asking, err := query[int64](tx, holdersOf+` AND u.id = ?`, actor.Book.ID, rolesWith(RightUsers), approval.RequesterID)
		if err != nil {
			return err
		}
		others, err := countHolders(tx, actor.Book.ID, RightUsers, approval.RoleChange.UserID)
		now = RoleChangeNow{Access: change.Before, RequesterStillAsks: len(asking) > 0, LeavesAdministrator: others > 0 || approval.RoleChange.After.administers()}
		return err
	})
	return now, err
}

// IsNow reports whether the change starts from this access.
func (c RoleChange) IsNow(access Access) bool { return c.Before.equal(access) }

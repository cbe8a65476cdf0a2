package store

import (
	"context"
	"fmt"
	"strings"
	"time"

	"gorm.io/gorm"

	"daybook/store/ledger"
)

// Member is a person of a book, with the roles there. RequestID is a request to change them that waits, 0 for none; until it is
// approved, a person who was only just invited has no role.
type Member struct {
	User
	Roles      []Role
	LastSeenAt time.Time
	RequestID  int64
}

// Members lists the people of the actor's book by name. Error: KindForbidden.
func (s *Store) Members(ctx context.Context, actor Actor) ([]Member, error) {
	if err := actor.Need(RightUsers); err != nil {
		return nil, err
	}
	return loadMembers(s.db.WithContext(ctx), actor.Book, `true`)
}

// Member gives one person of the actor's book. Errors: KindForbidden, KindNotFound.
func (s *Store) Member(ctx context.Context, actor Actor, userID int64) (Member, error) {
	if err := actor.Need(RightUsers); err != nil {
		return Member{}, err
	}
	return loadMember(s.db.WithContext(ctx), actor.Book, userID)
}

func loadMember(db *gorm.DB, book Book, userID int64) (Member, error) {
	members, err := loadMembers(db, book, `m.id = ?`, userID)
	if err != nil {
		return Member{}, err
	}
	if len(members) == 0 {
		return Member{}, ledger.Refuse(ledger.KindNotFound, "book %s has no user %d", book.Code, userID)
	}
	return members[0], nil
}

func loadMembers(db *gorm.DB, book Book, condition string, args ...any) ([]Member, error) {
	rows, err := query[struct {
		User       `gorm:"embedded"`
		Roles      string
		LastSeenAt time.Time
		RequestID  int64
	}](db, `
		SELECT m.*
		  FROM (SELECT `+userColumns+`, u.last_seen_at,
		               (SELECT string_agg(r.role, ' ') FROM user_roles r WHERE r.book_id = ? AND r.user_id = u.id) AS roles,
		               (SELECT a.id FROM approvals a WHERE a.book_id = ? AND a.pending AND a.subject = 'user ' || u.id) AS request_id
		          FROM users u) m
		 WHERE (m.roles IS NOT NULL OR m.request_id IS NOT NULL) AND `+condition+` ORDER BY m.name, m.id LIMIT 10000`,
		append([]any{book.ID, book.ID}, args...)...)
	if err != nil {
		return nil, fmt.Errorf("list the people of book %s: %w", book.Code, err)
	}
	members := make([]Member, len(rows))
	for i, r := range rows {
		members[i] = Member{User: r.User, Roles: inOrder(rolesIn(r.Roles)), LastSeenAt: r.LastSeenAt, RequestID: r.RequestID}
	}
	return members, nil
}

// Access is what the person may do in the book.
func (m Member) Access() Access { return Access{Roles: m.Roles, Disabled: m.Disabled} }

// historyShown bounds the history of a person's access.
const historyShown = 100

// AccessHistory tells what was done to the access of a person of the actor's book, newest first: by its administrators, and by commands.
// Errors: KindForbidden, KindNotFound.
func (s *Store) AccessHistory(ctx context.Context, actor Actor, userID int64) ([]AuditRecord, error) {
	member, err := s.Member(ctx, actor, userID)
	if err != nil {
		return nil, err
	}
	rows, err := query[auditRow](s.db.WithContext(ctx), `
		SELECT a.id, a.at, u.name, a.email, a.action, a.object, a.outcome, a.detail::text AS detail, a.request_id AS request, a.address, @name AS object_name
		  FROM audit_log a LEFT JOIN users u ON u.id = a.user_id
		 WHERE (a.action LIKE 'role%' OR a.action LIKE 'user.%') AND a.outcome = 'done'
		   AND (a.book_id = @book AND a.object = @number OR a.book_id IS NULL AND a.object = @address)
		 ORDER BY a.at DESC, a.id DESC LIMIT @limit`,
		map[string]any{"book": actor.Book.ID, "name": member.Name, "number": fmt.Sprintf("user %d", userID), "address": "user " + member.Email, "limit": historyShown})
	if err != nil {
		return nil, fmt.Errorf("read the history of user %d: %w", userID, err)
	}
	return recordsOf(rows)
}

// Invitation is a person to be given roles in a book. Name is that of a new person; who has a login keeps theirs.
type Invitation struct {
	Email, Name string
	Roles       []Role
	Reason      string
}

// Invited is who was invited. Password is the one-time password of a new person, as who has none since an earlier invitation was not
// approved is too: it is given once, and to nobody whose login is older, nor to a duplicate.
type Invited struct {
	AccessChange
	New      bool
	Password string `json:"-"`
}

// Invite gives a person roles in the actor's book, as ChangeRoles does; one without a login is given one, which can do nothing until
// then. Errors: those of ChangeRoles.
func (s *Store) Invite(ctx context.Context, actor Actor, key string, invitation Invitation) (invited Invited, duplicate bool, err error) {
	if err := actor.Need(RightUsers); err != nil {
		return Invited{}, false, err
	}
	user := User{Email: lowerEmail(invitation.Email), Name: strings.TrimSpace(invitation.Name), CreatedAt: s.now()}
	if err := invitation.check(); err != nil {
		return Invited{}, false, err
	}
	password := newOneTimePassword()
	hash, err := s.passwords.hash(ctx, password)
	if err != nil {
		return Invited{}, false, err
	}
	content := map[string]any{"email": user.Email, "name": user.Name, "roles": invitation.Roles, "reason": invitation.Reason}
	err = s.inTx(ctx, func(tx *gorm.DB) error {
		if err := takeTurn(tx, peopleTurn); err != nil {
			return err
		}
		invited, duplicate, err = once(s, tx, actor, key, "user.invite", content, func() (Invited, error) {
			return s.invite(tx, actor, user, hash, invitation)
		})
		return err
	})
	if invited.New && !duplicate && err == nil {
		invited.Password = password
	}
	return invited, duplicate, err
}

func (i Invitation) check() error {
	if err := ledger.CheckText("reason", i.Reason, true); err != nil {
		return err
	}
	for _, role := range i.Roles {
		if err := CheckRole(role); err != nil {
			return err
		}
	}
	if len(i.Roles) == 0 {
		return ledger.Refuse(ledger.KindInvalid, "an invitation needs a role").At("roles", "choose at least one role")
	}
	return nil
}

func (s *Store) invite(tx *gorm.DB, actor Actor, user User, hash string, invitation Invitation) (Invited, error) {
	change, err := accessOf(tx, actor.Book, `u.email = ?`, user.Email)
	isNew := ledger.KindOf(err) == ledger.KindNotFound
	switch {
	case err != nil && !isNew:
		return Invited{}, err
	case isNew:
		if err := s.addInvited(tx, actor, &user, hash); err != nil {
			return Invited{}, err
		}
		change = RoleChange{UserID: user.ID, Email: user.Email, Name: user.Name, Before: Access{Roles: []Role{}}}
	case len(change.Before.Roles) > 0:
		return Invited{}, ledger.Refuse(ledger.KindInvalid, "this person is in the book already").At("email", "%s has roles in this book already: change them there", change.Name)
	}
	change.After = Access{Roles: inOrder(invitation.Roles), Disabled: change.Before.Disabled}
	changed, err := s.askForAccess(tx, actor, change, invitation.Reason)
	if err != nil {
		return Invited{}, err
	}
	if !isNew {
		if isNew, err = s.giveAgain(tx, actor, change, hash); err != nil {
			return Invited{}, err
		}
	}
	if isNew {
		err = bindGiven(tx, actor.Book, change.UserID, changed.ApprovalID)
	}
	return Invited{AccessChange: changed, New: isNew}, err
}

// giveAgain gives a one-time password to who has none since an earlier invitation came to nothing, and tells whether it did.
func (s *Store) giveAgain(tx *gorm.DB, actor Actor, change RoleChange, hash string) (bool, error) {
	without, err := query[int64](tx, `SELECT u.id FROM users u WHERE u.id = ? AND u.password_hash = ''`, change.UserID)
	if err != nil || len(without) == 0 {
		return false, err
	}
	if err := markGiven(tx, actor, change.UserID, hash, s.now()); err != nil {
		return false, err
	}
	return true, s.audit(tx, actor, "user.password", fmt.Sprintf("user %d", change.UserID), map[string]any{"person": change.Email, "one_time": "to be changed at the next sign-in"})
}

// addInvited adds a person with a one-time password that the actor knows.
func (s *Store) addInvited(tx *gorm.DB, actor Actor, user *User, hash string) error {
	if err := user.check(); err != nil {
		return err
	}
	if err := stillAdministers(tx, actor); err != nil {
		return err
	}
	if err := insertUser(tx, user, hash); err != nil {
		return err
	}
	if err := markGiven(tx, actor, user.ID, hash, user.CreatedAt); err != nil {
		return err
	}
	return s.audit(tx, actor, "user.invite", fmt.Sprintf("user %d", user.ID), map[string]any{"person": user.Email, "name": user.Name})
}

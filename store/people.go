package store

import (
	"context"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"time"

	"gorm.io/gorm"

	"daybook/store/ledger"
)

// User is a person, or a machine that acts through a token, who may have roles in several books.
type User struct {
	ID        int64
	Email     string
	Name      string
	CreatedAt time.Time
	Disabled  bool
	// PasswordToChange says that the password is a one-time one: nothing works before the person has chosen another.
	PasswordToChange bool
}

// Operator stands in the audit log for whoever runs a command of administration: it has the database, and no login.
const Operator = "operator"

const userColumns = `u.id, u.email, u.name, u.created_at, u.disabled_at IS NOT NULL AS disabled, u.password_must_change AS password_to_change`

var emailForm = regexp.MustCompile("^[a-z0-9.!#$%&'*+/=?^_`{|}~-]+@[a-z0-9-]+([.][a-z0-9-]+)*$")

// AddUser adds a person without any role. The e-mail address is kept in lower case. Error: KindInvalid.
func (s *Store) AddUser(ctx context.Context, email, name, password string) (User, error) {
	user := User{Email: lowerEmail(email), Name: strings.TrimSpace(name), CreatedAt: s.now()}
	if err := user.check(); err != nil {
		return User{}, err
	}
	hash, err := s.passwords.hash(ctx, password)
	if err != nil {
		return User{}, err
	}
	err = s.inTx(ctx, func(tx *gorm.DB) error {
		if err := takeTurn(tx, peopleTurn); err != nil {
			return err
		}
		if err := insertUser(tx, &user, hash); err != nil {
			return err
		}
		return s.audit(tx, Actor{Email: Operator}, "user.add", "user "+user.Email, nil)
	})
	if err != nil {
		return User{}, err
	}
	return user, nil
}

// peopleTurn is whose turn it is to change who there is and what they may do, in any book: such changes come one after the other, so that
// none sees half of another.
const peopleTurn = "people"

func insertUser(tx *gorm.DB, user *User, hash string) (err error) {
	if user.ID, err = queryOne[int64](tx, "no id", `SELECT coalesce(max(id), 0) + 1 FROM users`); err != nil {
		return err
	}
	if _, err := exec(tx, `INSERT INTO users (id, email, name, password_hash, created_at) VALUES (?, ?, ?, ?, ?)`,
		user.ID, user.Email, user.Name, hash, user.CreatedAt); err != nil {
		return fmt.Errorf("add %s: %w", user.Email, err)
	}
	return nil
}

func lowerEmail(email string) string { return strings.ToLower(strings.TrimSpace(email)) }

func (u User) check() error {
	refusal := ledger.Refuse(ledger.KindInvalid, "the user cannot be added as it stands")
	if len(u.Email) > 254 || !emailForm.MatchString(u.Email) {
		refusal.At("email", "%q is not an e-mail address", u.Email)
	}
	if !ledger.IsName(u.Name) {
		refusal.At("name", "give a name of at most %d characters", ledger.MaxNameRunes)
	}
	return refusal.OrNil()
}

// SetPassword gives a person another password; of their tokens, those go on that are older than the last password that another made for
// them. Errors: KindInvalid, KindNotFound.
func (s *Store) SetPassword(ctx context.Context, userID int64, password string) error {
	hash, err := s.passwords.hash(ctx, password)
	if err != nil {
		return err
	}
	return s.inTx(ctx, func(tx *gorm.DB) error {
		if err := takeTurn(tx, peopleTurn); err != nil {
			return err
		}
		ended, err := s.endTokensOfGiven(tx, userID)
		if err != nil {
			return err
		}
		email, err := queryOne[string](tx, fmt.Sprintf("there is no user %d", userID), `
			UPDATE users u SET password_hash = ?, password_must_change = false, password_given_by = NULL, password_given_at = NULL WHERE u.id = ? RETURNING u.email`, hash, userID)
		if err != nil {
			return err
		}
		var detail map[string]any
		if ended > 0 {
			detail = map[string]any{"tokens_ended": ended}
		}
		return s.audit(tx, Actor{Email: Operator}, "user.password", "user "+email, detail)
	})
}

// DisableUser ends a person's access, by password and by token, at once. What they did stays. Error: KindNotFound.
func (s *Store) DisableUser(ctx context.Context, userID int64) error {
	return s.changeUser(ctx, userID, "user.disable", `UPDATE users u SET disabled_at = coalesce(u.disabled_at, ?) WHERE u.id = ? RETURNING u.email`, s.now())
}

// EnableUser gives a disabled person the access back that their roles allow. Error: KindNotFound.
func (s *Store) EnableUser(ctx context.Context, userID int64) error {
	return s.changeUser(ctx, userID, "user.enable", `
		UPDATE users u SET disabled_at = NULL, enabled_at = CASE WHEN u.disabled_at IS NULL THEN u.enabled_at ELSE CAST(? AS timestamptz) END
		 WHERE u.id = ? RETURNING u.email`, s.now())
}

func (s *Store) changeUser(ctx context.Context, userID int64, action, update string, value any) error {
	return s.inTx(ctx, func(tx *gorm.DB) error {
		if err := takeTurn(tx, peopleTurn); err != nil {
			return err
		}
		email, err := queryOne[string](tx, fmt.Sprintf("there is no user %d", userID), update, value, userID)
		if err != nil {
			return err
		}
		return s.audit(tx, Actor{Email: Operator}, action, "user "+email, nil)
	})
}

// Users lists all people by e-mail address.
func (s *Store) Users(ctx context.Context) ([]User, error) {
	return query[User](s.db.WithContext(ctx), `SELECT `+userColumns+` FROM users u ORDER BY u.email COLLATE "C" LIMIT 10000`)
}

// UserByEmail finds a person, whatever the case of the address. Error: KindNotFound.
func (s *Store) UserByEmail(ctx context.Context, email string) (User, error) {
	email = lowerEmail(email)
	return queryOne[User](s.db.WithContext(ctx), fmt.Sprintf("there is no user %q", email), `SELECT `+userColumns+` FROM users u WHERE u.email = ?`, email)
}

// CheckRole refuses what is no role. Error: KindInvalid.
func CheckRole(role Role) error {
	if !slices.Contains(Roles, role) {
		return ledger.Refuse(ledger.KindInvalid, "there is no role %q", role).At("role", "must be %s", join(Roles))
	}
	return nil
}

// GrantRole gives a person a role in a book, at once, as the operator may; one that they have already is no error. Errors: KindInvalid, KindNotFound.
func (s *Store) GrantRole(ctx context.Context, book Book, userID int64, role Role) error {
	if err := CheckRole(role); err != nil {
		return err
	}
	return s.inTx(ctx, func(tx *gorm.DB) error {
		if err := takeTurn(tx, peopleTurn); err != nil {
			return err
		}
		added, err := exec(tx, `INSERT INTO user_roles (book_id, user_id, role, granted_at) VALUES (?, ?, ?, ?) ON CONFLICT (book_id, user_id, role) DO NOTHING`,
			book.ID, userID, role, s.now())
		if err != nil || added == 0 {
			return err
		}
		return s.audit(tx, Actor{Email: Operator, Book: book}, "role.grant", fmt.Sprintf("user %d", userID), map[string]any{"role": role})
	})
}

// RevokeRole takes a role in a book from a person, at once. Error: KindNotFound.
func (s *Store) RevokeRole(ctx context.Context, book Book, userID int64, role Role) error {
	return s.inTx(ctx, func(tx *gorm.DB) error {
		if err := takeTurn(tx, peopleTurn); err != nil {
			return err
		}
		removed, err := exec(tx, `DELETE FROM user_roles WHERE book_id = ? AND user_id = ? AND role = ?`, book.ID, userID, role)
		if err != nil {
			return err
		}
		if removed == 0 {
			return ledger.Refuse(ledger.KindNotFound, "this person does not have the role %s in book %s", role, book.Code)
		}
		return s.audit(tx, Actor{Email: Operator, Book: book}, "role.revoke", fmt.Sprintf("user %d", userID), map[string]any{"role": role})
	})
}

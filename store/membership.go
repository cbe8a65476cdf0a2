package store

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"gorm.io/gorm"

	"daybook/store/ledger"
)

// Membership is a book with the roles that a person has in it.
type Membership struct {
	Book  Book
	Roles []Role
}

// Memberships lists the books in which a person has a role, by code.
func (s *Store) Memberships(ctx context.Context, userID int64) ([]Membership, error) {
	all, err := loadMemberships(s.db.WithContext(ctx), `r.user_id = ?`, userID)
	return all[userID], err
}

// AllMemberships gives the memberships of everyone, by the id of the user.
func (s *Store) AllMemberships(ctx context.Context) (map[int64][]Membership, error) {
	return loadMemberships(s.db.WithContext(ctx), `true`)
}

func loadMemberships(db *gorm.DB, condition string, args ...any) (map[int64][]Membership, error) {
	rows, err := query[struct {
		Book
		UserID int64
		Roles  string
	}](db, `
		SELECT `+bookColumns+`, r.user_id, string_agg(r.role, ' ') AS roles
		  FROM user_roles r JOIN books b ON b.id = r.book_id
		 WHERE `+condition+`
		 GROUP BY r.user_id, b.id, b.code, b.name, b.currency, b.key_retention_days ORDER BY b.code`, args...)
	if err != nil {
		return nil, fmt.Errorf("read who has which role: %w", err)
	}
	memberships := map[int64][]Membership{}
	for _, row := range rows {
		memberships[row.UserID] = append(memberships[row.UserID], Membership{row.Book, rolesIn(row.Roles)})
	}
	return memberships, nil
}

// rolesIn reads roles from a text of words, in the order in which they are shown.
func rolesIn(words string) []Role {
	var roles []Role
	for _, role := range Roles {
		for word := range strings.FieldsSeq(words) {
			if Role(word) == role {
				roles = append(roles, role)
			}
		}
	}
	return roles
}

// Deciders names people other than the actor who may decide requests in its book, by name, at most limit.
func (s *Store) Deciders(ctx context.Context, actor Actor, limit int) ([]string, error) {
	if err := actor.Need(RightRead); err != nil {
		return nil, err
	}
	var roles array[string]
	for _, role := range Roles {
		if slices.Contains(rightsOf[role], RightDecide) {
			roles = append(roles, string(role))
		}
	}
	names, err := query[string](s.db.WithContext(ctx), `
		SELECT u.name FROM users u
		 WHERE u.id <> ? AND u.disabled_at IS NULL
		   AND EXISTS (SELECT FROM user_roles r WHERE r.book_id = ? AND r.user_id = u.id AND r.role = ANY(?::text[]))
		 ORDER BY u.name, u.id LIMIT ?`, actor.UserID, actor.Book.ID, roles, limit)
	if err != nil {
		return nil, fmt.Errorf("find who may decide: %w", err)
	}
	return names, nil
}

// Actor gives a person as who acts in a book. Errors: KindUnauthenticated when there is no such person or they are disabled,
// KindNotFound for the book, KindForbidden for a person without any role in it; who was forbidden is given all the same, for the
// audit log.
func (s *Store) Actor(ctx context.Context, userID int64, bookCode string) (Actor, error) {
	rows, err := query[actorRow](s.db.WithContext(ctx), `
		SELECT u.id AS user_id, u.email, u.name AS user_name, `+wantedBook+`
		  FROM users u LEFT JOIN books b ON b.code = ?
		 WHERE u.id = ? AND u.disabled_at IS NULL`, bookCode, userID)
	if err != nil {
		return Actor{}, fmt.Errorf("find who acts: %w", err)
	}
	if len(rows) == 0 {
		return Actor{}, ledger.Refuse(ledger.KindUnauthenticated, "sign in again: this login does not exist or is disabled")
	}
	return rows[0].actor(bookCode)
}

// wantedBook selects the columns of book b and the roles of user u in it; all NULL where there is no book.
const wantedBook = `b.id AS book_id, b.code, b.name, b.currency, b.key_retention_days,
		       (SELECT string_agg(r.role, ' ') FROM user_roles r WHERE r.book_id = b.id AND r.user_id = u.id) AS roles`

type actorRow struct {
	UserID           int64
	Email            string
	UserName         string
	BookID           *int64
	Code             string
	Name             string
	Currency         string
	KeyRetentionDays int
	Roles            string
}

func (r actorRow) actor(bookCode string) (Actor, error) {
	if r.BookID == nil {
		return Actor{}, ledger.Refuse(ledger.KindNotFound, "there is no book %q", bookCode)
	}
	actor := Actor{
		UserID: r.UserID, Email: r.Email, Name: r.UserName, Roles: rolesIn(r.Roles),
		Book: Book{ID: *r.BookID, Code: r.Code, Name: r.Name, Currency: r.Currency, KeyRetentionDays: r.KeyRetentionDays},
	}
	return actor, actor.Need(RightRead)
}

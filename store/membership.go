package store

import (
	"context"
	"fmt"
	"strings"
	"time"

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
	return s.othersWith(ctx, actor, RightDecide, limit)
}

// Administrators names people other than the actor who may give roles in its book, by name, at most limit.
func (s *Store) Administrators(ctx context.Context, actor Actor, limit int) ([]string, error) {
	return s.othersWith(ctx, actor, RightUsers, limit)
}

func (s *Store) othersWith(ctx context.Context, actor Actor, right Right, limit int) ([]string, error) {
	if err := actor.Need(RightRead); err != nil {
		return nil, err
	}
	names, err := query[string](s.db.WithContext(ctx), `
		SELECT u.name FROM users u
		 WHERE u.id <> ? AND u.disabled_at IS NULL
		   AND EXISTS (SELECT FROM user_roles r WHERE r.book_id = ? AND r.user_id = u.id AND r.role = ANY(?::text[]))
		 ORDER BY u.name, u.id LIMIT ?`, actor.UserID, actor.Book.ID, rolesWith(right), limit)
	if err != nil {
		return nil, fmt.Errorf("find who has the right %q: %w", right, err)
	}
	return names, nil
}

// Actor gives a person as who acts in a book. Errors: KindUnauthenticated when there is no such person or
// they are disabled, KindNotFound for the book, KindForbidden for a person without any role in it; who was forbidden is given all the
// same, for the audit log.
func (s *Store) Actor(ctx context.Context, userID int64, bookCode string) (Actor, error) {
	db := s.db.WithContext(ctx)
	rows, err := query[actorRow](db, `
		SELECT `+wantedPerson+`, `+wantedBook+`, `+preferenceColumns+`
		  FROM users u LEFT JOIN books b ON b.code = @code LEFT JOIN preferences p ON p.user_id = u.id
		 WHERE u.id = @user AND u.disabled_at IS NULL`, map[string]any{"user": userID, "code": bookCode, "given": s.now().Add(-givenFor)})
	if err != nil {
		return Actor{}, fmt.Errorf("find who acts: %w", err)
	}
	if len(rows) == 0 {
		return Actor{}, ledger.Refuse(ledger.KindUnauthenticated, "sign in again: this login does not exist or is disabled")
	}
	return s.actorOf(db, rows[0], bookCode)
}

// seenEvery is how exact it is when a person was last seen and a token last used: that is written no more often.
const seenEvery = 5 * time.Minute

// NoteSeen notes that a person is here.
func (s *Store) NoteSeen(ctx context.Context, actor Actor) error {
	if s.now().Before(actor.lastSeen.Add(seenEvery)) {
		return nil
	}
	return s.noteSeen(s.db.WithContext(ctx), actor.UserID)
}

func (s *Store) noteSeen(db *gorm.DB, userID int64) error {
	if _, err := exec(db, `UPDATE users SET last_seen_at = ? WHERE id = ? AND (last_seen_at IS NULL OR last_seen_at < ?)`, s.now(), userID, s.now()); err != nil {
		return fmt.Errorf("note who was seen: %w", err)
	}
	return nil
}

// wantedPerson selects the columns of user u, wantedBook those of book b and the roles of the user in it; all of these are NULL where
// there is no book.
var (
	wantedPerson = `u.id AS user_id, u.email, u.name AS user_name, u.last_seen_at, ` + passwordFrom("u", "@given") + ` AS password_from,
		       EXISTS (SELECT FROM user_roles o WHERE o.user_id = u.id AND o.book_id IS DISTINCT FROM b.id) AS elsewhere`
	wantedBook = `b.id AS book_id, b.code, b.name, b.currency, b.key_retention_days,
		       (SELECT string_agg(r.role, ' ') FROM user_roles r WHERE r.book_id = b.id AND r.user_id = u.id) AS roles`
)

type actorRow struct {
	UserID           int64
	Email            string
	UserName         string
	LastSeenAt       time.Time
	PasswordFrom     int64
	Elsewhere        bool
	BookID           *int64
	Code             string
	Name             string
	Currency         string
	KeyRetentionDays int
	Roles            string
	Preferences
}

func (s *Store) actorOf(db *gorm.DB, r actorRow, bookCode string) (Actor, error) {
	if r.BookID == nil {
		return Actor{}, ledger.Refuse(ledger.KindNotFound, "there is no book %q", bookCode)
	}
	actor := Actor{
		UserID: r.UserID, Email: r.Email, Name: r.UserName, Roles: rolesIn(r.Roles), PasswordFrom: r.PasswordFrom, lastSeen: r.LastSeenAt, Preferences: r.Preferences,
		Book: Book{ID: *r.BookID, Code: r.Code, Name: r.Name, Currency: r.Currency, KeyRetentionDays: r.KeyRetentionDays},
	}
	if r.Elsewhere {
		others, err := loadMemberships(db, `r.user_id = ? AND r.book_id <> ?`, r.UserID, *r.BookID)
		if err != nil {
			return Actor{}, err
		}
		for _, m := range others[r.UserID] {
			actor.Elsewhere = append(actor.Elsewhere, m.Book)
		}
	}
	return actor, actor.Need(RightRead)
}

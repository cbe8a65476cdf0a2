package store

import (
	"context"
	"crypto/rand"
	"fmt"
	"strings"
	"time"

	"gorm.io/gorm"

	"daybook/store/ledger"
)

// GivenDays is for how many days a password counts as known to the administrator who made it: so long it opens the door once and, where
// it took the place of another, its owner approves nothing that this administrator asks for.
const GivenDays = 7

const givenFor = GivenDays * 24 * time.Hour

// passwordFrom selects who made the password that a user has, where that was after a moment and another administrator did not approve it
// with the invitation that it came with: whoever made it could act as the user.
func passwordFrom(user, after string) string {
	return strings.NewReplacer("USER", user, "AFTER", after).Replace(`CASE WHEN USER.password_given_at > AFTER AND NOT EXISTS (
		SELECT FROM approvals i JOIN approval_decisions e ON e.book_id = i.book_id AND e.approval_id = i.id
		 WHERE i.subject = 'user ' || USER.id AND i.requester_id = USER.password_given_by AND i.requested_at = USER.password_given_at AND e.decision = 'approved')
		THEN USER.password_given_by END`)
}

// newOneTimePassword is 80 random bits in groups that can be read out: letters and the digits 2 to 7, of which none looks like another.
func newOneTimePassword() string {
	text := strings.ToLower(rand.Text()[:16])
	return text[:4] + "-" + text[4:8] + "-" + text[8:12] + "-" + text[12:]
}

// ResetPassword gives a person of the actor's book a one-time password, which is returned and stored nowhere in clear; a duplicate gets
// none. Their sessions end; of their tokens, those go on that are older than the last password that another made for them. Errors: KindForbidden, also where the login is not the actor's to change (see
// DisableMember), KindNotFound, KindKeyReused, KindInvalid for oneself, KindIllegalTransition for a disabled person.
func (s *Store) ResetPassword(ctx context.Context, actor Actor, key string, userID int64) (password string, duplicate bool, err error) {
	if err := actor.Need(RightUsers); err != nil {
		return "", false, err
	}
	plain := newOneTimePassword()
	hash, err := s.passwords.hash(ctx, plain)
	if err != nil {
		return "", false, err
	}
	err = s.inTx(ctx, func(tx *gorm.DB) error {
		if err := takeTurn(tx, peopleTurn); err != nil {
			return err
		}
		_, duplicate, err = once(s, tx, actor, key, "user.password", map[string]any{"user_id": userID}, func() (struct{}, error) {
			return struct{}{}, s.resetPassword(tx, actor, userID, hash)
		})
		return err
	})
	if err != nil || duplicate {
		return "", duplicate, err
	}
	return plain, false, nil
}

func (s *Store) resetPassword(tx *gorm.DB, actor Actor, userID int64, hash string) error {
	if err := stillAdministers(tx, actor); err != nil {
		return err
	}
	member, err := loadMember(tx, actor.Book, userID)
	switch {
	case err != nil:
		return err
	case userID == actor.UserID:
		return ledger.Refuse(ledger.KindInvalid, "a one-time password is for others: ask another administrator, or the operator, for one")
	case member.Disabled:
		return ledger.Refuse(ledger.KindIllegalTransition, "%s is disabled: no password gives access until another administrator agrees to enable this person", member.Name)
	}
	if err := mayChangePerson(tx, actor, userID, member.Name); err != nil {
		return err
	}
	ended, err := s.endTokensOfGiven(tx, userID)
	if err != nil {
		return err
	}
	if err := markGiven(tx, actor, userID, hash, s.now()); err != nil {
		return err
	}
	detail := map[string]any{"person": member.Email, "one_time": "to be changed at the next sign-in"}
	if ended > 0 {
		detail["tokens_ended"] = ended
	}
	return s.audit(tx, actor, "user.password", fmt.Sprintf("user %d", userID), detail)
}

// endTokensOfGiven revokes the tokens that a user has got, in any book, since somebody else last made their password: whoever did may
// have made them as the user. It counts them.
func (s *Store) endTokensOfGiven(tx *gorm.DB, userID int64) (int64, error) {
	ended, err := exec(tx, `UPDATE tokens t SET revoked_at = ? FROM users u WHERE u.id = ? AND t.user_id = u.id AND t.created_at >= u.password_given_at AND t.revoked_at IS NULL`, s.now(), userID)
	if err != nil {
		return 0, fmt.Errorf("end the tokens of a given password: %w", err)
	}
	return ended, nil
}

// markGiven stores a password that the actor knows.
func markGiven(tx *gorm.DB, actor Actor, userID int64, hash string, at time.Time) error {
	_, err := exec(tx, `UPDATE users SET password_hash = ?, password_must_change = true, password_given_by = ?, password_given_at = ? WHERE id = ?`,
		hash, actor.UserID, at, userID)
	if err != nil {
		return fmt.Errorf("store a one-time password: %w", err)
	}
	return nil
}

// bindGiven makes a password as old, to the instant, as the request of the invitation that it came with.
func bindGiven(tx *gorm.DB, book Book, userID, approvalID int64) error {
	_, err := exec(tx, `UPDATE users u SET password_given_at = a.requested_at FROM approvals a WHERE u.id = ? AND a.book_id = ? AND a.id = ?`, userID, book.ID, approvalID)
	if err != nil {
		return fmt.Errorf("bind a one-time password to its invitation: %w", err)
	}
	return nil
}

// withdrawGiven ends the password that came with an invitation which nobody approved, or was made since, as who made it knows it. Who
// has roles, here or elsewhere, keeps their login.
func withdrawGiven(tx *gorm.DB, approval Approval) error {
	if err := takeTurn(tx, peopleTurn); err != nil {
		return err
	}
	_, err := exec(tx, `UPDATE users u SET password_hash = '' WHERE u.id = ? AND u.password_given_at >= ? AND NOT EXISTS (SELECT FROM user_roles r WHERE r.user_id = u.id)`,
		approval.RoleChange.UserID, approval.RequestedAt)
	if err != nil {
		return fmt.Errorf("end the password of an invitation: %w", err)
	}
	return nil
}

// GivenPassword is who made a one-time password, and when.
type GivenPassword struct {
	By string
	At time.Time
}

// GivenPassword tells who made the one-time password that a person has now. Error: KindNotFound where it is not one.
func (s *Store) GivenPassword(ctx context.Context, userID int64) (GivenPassword, error) {
	return queryOne[GivenPassword](s.db.WithContext(ctx), "your password is your own already", `
		SELECT g.name AS by, u.password_given_at AS at FROM users u JOIN users g ON g.id = u.password_given_by WHERE u.id = ? AND u.password_must_change`, userID)
}

// ReplaceOneTimePassword lets a person choose a password in the place of the one-time one with which they signed in. Errors: KindInvalid,
// KindNotFound where the password is not a one-time one any more.
func (s *Store) ReplaceOneTimePassword(ctx context.Context, actor Actor, password string) error {
	old, err := queryOne[string](s.db.WithContext(ctx), "your password is your own already", `SELECT password_hash FROM users WHERE id = ? AND password_must_change`, actor.UserID)
	if err != nil {
		return err
	}
	same, err := s.passwords.matches(ctx, password, old)
	if err != nil {
		return err
	}
	if same {
		return ledger.Refuse(ledger.KindInvalid, "this is the one-time password").At("password", "is the one-time password: choose one that only you know")
	}
	hash, err := s.passwords.hash(ctx, password)
	if err != nil {
		return err
	}
	return s.inTx(ctx, func(tx *gorm.DB) error {
		email, err := queryOne[string](tx, "your password was changed meanwhile: sign in again", `
			UPDATE users u SET password_hash = ?, password_must_change = false WHERE u.id = ? AND u.password_hash = ? RETURNING u.email`, hash, actor.UserID, old)
		if err != nil {
			return err
		}
		actor.Email = email
		return s.audit(tx, actor, "user.password", "user "+email, map[string]any{"chosen": "in the place of the one-time password"})
	})
}

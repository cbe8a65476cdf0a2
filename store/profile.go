package store

import (
	"context"
	"fmt"

	"gorm.io/gorm"

	"daybook/store/ledger"
)

// ChangePassword gives the actor another password of their own, who shows the current one; sessions that were begun with it are
// over. A wrong one counts as a failed sign-in, so that a session left open is no place to guess. Errors: KindInvalid for
// current_password and password, KindIllegalTransition where it was changed meanwhile, KindTooManyAttempts, KindBusy.
func (s *Store) ChangePassword(ctx context.Context, actor Actor, current, password string) error {
	attempt, err := newAttempt(actor.Email, actor.Address)
	if err != nil {
		return err
	}
	old, err := queryOne[string](s.db.WithContext(ctx), "there is no such user", `SELECT password_hash FROM users WHERE id = ?`, actor.UserID)
	if err != nil {
		return err
	}
	if _, err = s.signIn(ctx, attempt, current); ledger.KindOf(err) == ledger.KindUnauthenticated {
		err = ledger.Refuse(ledger.KindInvalid, "the password was not changed").At("current_password", "this is not your password")
	}
	if err != nil {
		return err
	}
	if password == current {
		return ledger.Refuse(ledger.KindInvalid, "the password was not changed").At("password", "choose another one than you have")
	}
	hash, err := s.passwords.hash(ctx, password)
	if err != nil {
		return err
	}
	return s.inTx(ctx, func(tx *gorm.DB) error {
		if _, err := exec(tx, `UPDATE sign_in_attempts SET succeeded = true WHERE id = ?`, attempt.id); err != nil {
			return fmt.Errorf("record a sign-in: %w", err)
		}
		changed, err := exec(tx, `UPDATE users SET password_hash = ? WHERE id = ? AND password_hash = ?`, hash, actor.UserID, old)
		if err != nil {
			return fmt.Errorf("change a password: %w", err)
		}
		if changed == 0 {
			return ledger.Refuse(ledger.KindIllegalTransition, "your password was changed meanwhile: sign in again")
		}
		return s.audit(tx, actor, "user.password", "user "+actor.Email, nil)
	})
}

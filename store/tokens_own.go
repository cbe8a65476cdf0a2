package store

import (
	"context"
	"fmt"
	"strings"
	"time"

	"gorm.io/gorm"

	"daybook/store/ledger"
)

// TokenRequest is a token that a person wants for a program of theirs. Rights narrows it to reading and these, of what the person may do now:
// a role that they get later does not widen it. A zero time never expires.
type TokenRequest struct {
	Name      string
	Rights    []Right
	ExpiresAt time.Time
}

// MakeToken gives the actor a token of their own in their book, and its text, which is not stored: it is given once, and not to a
// duplicate. Errors: KindForbidden, KindInvalid, KindKeyReused.
func (s *Store) MakeToken(ctx context.Context, actor Actor, key string, request TokenRequest) (token Token, plain string, duplicate bool, err error) {
	if err := actor.Need(RightRead); err != nil {
		return Token{}, "", false, err
	}
	made := Token{UserID: actor.UserID, Email: actor.Email, UserName: actor.Name, Name: strings.TrimSpace(request.Name), Only: append([]Right{}, request.Rights...), CreatedAt: s.now(), ExpiresAt: request.ExpiresAt}
	if err := made.check(); err != nil {
		return Token{}, "", false, err
	}
	for _, right := range made.Only {
		if !actor.Can(right) {
			return Token{}, "", false, ledger.Refuse(ledger.KindInvalid, "a token cannot do more than you").At("rights", "you may not %s yourself", allows[right])
		}
	}
	text := newTokenText()
	content := map[string]any{"name": made.Name, "rights": made.Only, "expires": made.ExpiresAt}
	err = s.inTx(ctx, func(tx *gorm.DB) error {
		token, duplicate, err = once(s, tx, actor, key, "token.add", content, func() (Token, error) {
			numbered := made
			if numbered.ID, err = nextNumber(tx, actor.Book.ID, "token", 1); err != nil {
				return Token{}, err
			}
			if err := insertToken(tx, actor.Book, numbered, text); err != nil {
				return Token{}, err
			}
			return numbered, s.audit(tx, actor, "token.add", fmt.Sprintf("token %d", numbered.ID), map[string]any{"user": numbered.Email, "name": numbered.Name})
		})
		return err
	})
	if err != nil || duplicate {
		return token, "", duplicate, err
	}
	return token, text, false, nil
}

// TokensSeen lists the actor's own tokens in their book, and to an administrator those of everyone. Error: KindForbidden.
func (s *Store) TokensSeen(ctx context.Context, actor Actor) ([]Token, error) {
	if err := actor.Need(RightRead); err != nil {
		return nil, err
	}
	return loadTokens(s.db.WithContext(ctx), actor.Book, `(? OR t.user_id = ?)`, actor.Can(RightUsers), actor.UserID)
}

// EndToken revokes a token of the actor, or as an administrator of anyone, at once; one that is revoked already stays so. Errors:
// KindForbidden for a token of another person, KindNotFound.
func (s *Store) EndToken(ctx context.Context, actor Actor, id int64) (Token, error) {
	if err := actor.Need(RightRead); err != nil {
		return Token{}, err
	}
	var token Token
	err := s.inTx(ctx, func(tx *gorm.DB) error {
		found, err := loadTokens(tx, actor.Book, `t.id = ?`, id)
		switch {
		case err != nil:
			return err
		case len(found) == 0:
			return ledger.Refuse(ledger.KindNotFound, "book %s has no token %d", actor.Book.Code, id)
		case found[0].UserID != actor.UserID && !actor.Can(RightUsers):
			return actor.Need(RightUsers)
		}
		token = found[0]
		revoked, err := exec(tx, `UPDATE tokens SET revoked_at = ? WHERE book_id = ? AND id = ? AND revoked_at IS NULL`, s.now(), actor.Book.ID, id)
		if err != nil {
			return fmt.Errorf("revoke token %d: %w", id, err)
		}
		if revoked == 0 {
			return nil
		}
		return s.audit(tx, actor, "token.revoke", fmt.Sprintf("token %d", id), map[string]any{"user": token.Email, "name": token.Name})
	})
	return token, err
}

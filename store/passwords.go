package store

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"fmt"
	"unicode/utf8"

	"github.com/alexedwards/argon2id"

	"daybook/store/ledger"
)

// The limits of a password. The most is far above what a person types; it bounds the work of a stranger's request.
const (
	minPasswordRunes = 12
	maxPasswordBytes = 1000
)

// passwordsAtOnce bounds the memory that hashing takes in one process: each computation holds that of its parameters.
const passwordsAtOnce = 4

// passwords hashes and compares passwords with argon2id, a few at once.
type passwords struct {
	params argon2id.Params
	slots  chan struct{}
}

// newPasswords uses the parameters that OWASP recommends: 19 MiB, two passes, one lane.
func newPasswords() passwords {
	return passwords{
		params: argon2id.Params{Memory: 19 * 1024, Iterations: 2, Parallelism: 1, SaltLength: 16, KeyLength: 32},
		slots:  make(chan struct{}, passwordsAtOnce),
	}
}

// hash refuses a password that is too short or too long as KindInvalid.
func (p passwords) hash(ctx context.Context, password string) (string, error) {
	if utf8.RuneCountInString(password) < minPasswordRunes {
		return "", ledger.Refuse(ledger.KindInvalid, "the password is too short").At("password", "use at least %d characters", minPasswordRunes)
	}
	if len(password) > maxPasswordBytes {
		return "", ledger.Refuse(ledger.KindInvalid, "the password is too long").At("password", "use at most %d characters", maxPasswordBytes)
	}
	done, err := p.turn(ctx)
	if err != nil {
		return "", err
	}
	defer done()
	hash, err := argon2id.CreateHash(password, &p.params)
	if err != nil {
		return "", fmt.Errorf("hash a password: %w", err)
	}
	return hash, nil
}

// matches compares a password with a hash; without a hash it does the same work and is false.
func (p passwords) matches(ctx context.Context, password, hash string) (bool, error) {
	known := hash != ""
	if !known {
		hash = p.nobodysHash()
	}
	done, err := p.turn(ctx)
	if err != nil {
		return false, err
	}
	defer done()
	same, err := argon2id.ComparePasswordAndHash(password, hash)
	if err != nil {
		return false, fmt.Errorf("compare a password: %w", err)
	}
	return same && known, nil
}

// nobodysHash is a hash in form, of no known password.
func (p passwords) nobodysHash() string {
	salt, key := make([]byte, p.params.SaltLength), make([]byte, p.params.KeyLength)
	rand.Read(salt)
	rand.Read(key)
	return fmt.Sprintf("$argon2id$v=19$m=%d,t=%d,p=%d$%s$%s", p.params.Memory, p.params.Iterations, p.params.Parallelism,
		base64.RawStdEncoding.EncodeToString(salt), base64.RawStdEncoding.EncodeToString(key))
}

func (p passwords) turn(ctx context.Context) (done func(), err error) {
	select {
	case p.slots <- struct{}{}:
		return func() { <-p.slots }, nil
	case <-ctx.Done():
		return nil, &ledger.Error{Kind: ledger.KindBusy, Message: "many people are signing in: try again in a moment", Err: ctx.Err()}
	}
}

// PasswordMark tells one password of a user from the next, and one time of access from the next, without telling anything else of it:
// what was begun under another is over.
// Error: KindNotFound.
func (s *Store) PasswordMark(ctx context.Context, userID int64) (string, error) {
	hash, err := queryOne[string](s.db.WithContext(ctx), "there is no such user", `SELECT password_hash || coalesce(CAST(extract(epoch FROM enabled_at) AS text), '') FROM users WHERE id = ?`, userID)
	if err != nil {
		return "", err
	}
	sum := sha256.Sum256([]byte("session\n" + hash))
	return hex.EncodeToString(sum[:8]), nil
}

package store

import (
	"context"
	"errors"
	"fmt"
	"net/netip"
	"time"

	"github.com/google/uuid"
	"gorm.io/gorm"

	"daybook/store/ledger"
)

// signInWindow is how long a failed attempt counts, and how many may count before the next is refused unseen.
const (
	signInWindow          = 15 * time.Minute
	maxFailuresPair       = 5  // of one e-mail address from one network address
	maxFailuresPerEmail   = 30 // of one e-mail address, from anywhere
	maxFailuresPerAddress = 50 // from one network address, of any person
)

// SignIn gives the person whose e-mail address and password these are. Failed attempts are counted in the database, so that the
// limits hold across servers; a success forgets the failures of this person from this address. Each attempt is in the audit
// log. Errors: KindUnauthenticated, the same for an unknown address, a wrong password and a disabled person;
// KindTooManyAttempts, with the seconds to wait as Extra "retry_after"; KindBusy.
func (s *Store) SignIn(ctx context.Context, email, password, address string) (User, error) {
	attempt, err := newAttempt(email, address)
	if err != nil {
		return User{}, err
	}
	user, err := s.signIn(ctx, attempt, password)
	if err == nil {
		err = s.settleAttempt(ctx, attempt, user, address)
	}
	if err != nil {
		// Who hangs up is on record all the same.
		actor := Actor{Email: attempt.email, Address: storable(address)}
		return User{}, errors.Join(err, s.RecordRefusal(context.WithoutCancel(ctx), actor, "sign-in", "user "+attempt.email, err))
	}
	return user, nil
}

// signInAttempt is what is counted: of whom, from where.
type signInAttempt struct{ id, email, address string }

func newAttempt(email, address string) (signInAttempt, error) {
	id, err := uuid.NewV7()
	if err != nil {
		return signInAttempt{}, fmt.Errorf("count a sign-in: %w", err)
	}
	return signInAttempt{id: id.String(), email: typedEmail(email), address: throttledAddress(address)}, nil
}

// typedEmail cuts what was typed down to what can be an address and can be stored.
func typedEmail(email string) string {
	email = lowerEmail(storable(email))
	return storable(email[:min(len(email), 254)])
}

// throttledAddress is what is counted as one network address: of IPv6 the /64 that one subscriber holds.
func throttledAddress(address string) string {
	ip, err := netip.ParseAddr(address)
	if err != nil {
		return storable(address[:min(len(address), 100)])
	}
	ip = ip.Unmap().WithZone("")
	if ip.Is4() {
		return ip.String()
	}
	return netip.PrefixFrom(ip, 64).Masked().String()
}

func (s *Store) signIn(ctx context.Context, attempt signInAttempt, password string) (User, error) {
	if err := s.admitAttempt(ctx, attempt); err != nil {
		return User{}, err
	}
	rows, err := query[struct {
		User
		PasswordHash    string
		PasswordGivenAt time.Time
	}](s.db.WithContext(ctx), `SELECT `+userColumns+`, u.password_hash, u.password_given_at FROM users u WHERE u.email = ?`, attempt.email)
	if err != nil {
		return User{}, fmt.Errorf("look for who signs in: %w", err)
	}
	hash := ""
	if len(rows) > 0 {
		hash = rows[0].PasswordHash
	}
	same, err := s.passwords.matches(ctx, password, hash)
	if err != nil {
		return User{}, err
	}
	if !same || rows[0].Disabled {
		return User{}, ledger.Refuse(ledger.KindUnauthenticated, "the e-mail address or the password is not right")
	}
	if rows[0].PasswordToChange && !rows[0].PasswordGivenAt.Add(givenFor).After(s.now()) {
		return User{}, ledger.Refuse(ledger.KindUnauthenticated, "this one-time password is older than %d days and has run out: ask an administrator for another", GivenDays)
	}
	return rows[0].User, nil
}

// admitAttempt writes the attempt as a failure before its password is looked at, unless too many count already. Attempts come
// one after the other here, on all servers, so that many at once are counted too.
func (s *Store) admitAttempt(ctx context.Context, attempt signInAttempt) error {
	return s.inTx(ctx, func(tx *gorm.DB) error {
		if err := takeTurn(tx, "sign-in"); err != nil {
			return err
		}
		failures, err := countFailures(tx, attempt, s.now().Add(-signInWindow))
		if err != nil {
			return err
		}
		if until := failures.lockedUntil(); until.After(s.now()) {
			wait := until.Sub(s.now())
			return ledger.Refuse(ledger.KindTooManyAttempts, "too many failed sign-ins: try again in %s, at %s UTC", inMinutes(wait), until.UTC().Format("15:04")).
				With("retry_after", int64((wait+time.Second-1)/time.Second))
		}
		_, err = exec(tx, `INSERT INTO sign_in_attempts (id, email, address, at, succeeded) VALUES (?, ?, ?, ?, false)`,
			attempt.id, attempt.email, attempt.address, s.now())
		return err
	})
}

func inMinutes(d time.Duration) string {
	if minutes := int((d + time.Minute - 1) / time.Minute); minutes > 1 {
		return fmt.Sprintf("%d minutes", minutes)
	}
	return "a minute"
}

// signInFailures counts the failures that an attempt adds to, with the oldest of each count.
type signInFailures struct {
	Pair, Email, Address                   int
	OldestPair, OldestEmail, OldestAddress *time.Time
}

func countFailures(tx *gorm.DB, attempt signInAttempt, since time.Time) (signInFailures, error) {
	return queryOne[signInFailures](tx, "no count", `
		SELECT count(*) FILTER (WHERE a.email = @email AND a.address = @address) AS pair,
		       min(a.at) FILTER (WHERE a.email = @email AND a.address = @address) AS oldest_pair,
		       count(*) FILTER (WHERE a.email = @email) AS email, min(a.at) FILTER (WHERE a.email = @email) AS oldest_email,
		       count(*) FILTER (WHERE a.address = @address) AS address, min(a.at) FILTER (WHERE a.address = @address) AS oldest_address
		  FROM sign_in_attempts a
		 WHERE NOT a.succeeded AND ((a.email = @email AND a.at > @since) OR (a.address = @address AND a.at > @since))`,
		map[string]any{"email": attempt.email, "address": attempt.address, "since": since})
}

// lockedUntil is when no limit is reached any more; the zero time when none is. A refused attempt does not count, so the oldest
// failure of a full count is the one to wait for.
func (f signInFailures) lockedUntil() (until time.Time) {
	for _, limit := range []struct {
		count, most int
		oldest      *time.Time
	}{
		{f.Pair, maxFailuresPair, f.OldestPair},
		{f.Email, maxFailuresPerEmail, f.OldestEmail},
		{f.Address, maxFailuresPerAddress, f.OldestAddress},
	} {
		if limit.count >= limit.most && limit.oldest.Add(signInWindow).After(until) {
			until = limit.oldest.Add(signInWindow)
		}
	}
	return until
}

// settleAttempt records a success. What counts no more, and sessions that ended, are swept on this occasion.
func (s *Store) settleAttempt(ctx context.Context, attempt signInAttempt, user User, address string) error {
	return s.inTx(ctx, func(tx *gorm.DB) error {
		if _, err := exec(tx, `UPDATE sign_in_attempts SET succeeded = true WHERE id = ?`, attempt.id); err != nil {
			return fmt.Errorf("record a sign-in: %w", err)
		}
		if _, err := exec(tx, `DELETE FROM sign_in_attempts WHERE NOT succeeded AND email = ? AND address = ? OR at <= ?`,
			attempt.email, attempt.address, s.now().Add(-signInWindow)); err != nil {
			return fmt.Errorf("forget failed sign-ins: %w", err)
		}
		if err := s.noteSeen(tx, user.ID); err != nil {
			return err
		}
		if _, err := exec(tx, `DELETE FROM sessions WHERE expiry <= ?`, s.now().Add(-sweptAfter)); err != nil {
			return fmt.Errorf("sweep sessions: %w", err)
		}
		return s.audit(tx, Actor{UserID: user.ID, Email: user.Email, Address: storable(address)}, "sign-in", "user "+user.Email, nil)
	})
}

package store_test

import (
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"daybook/store"
	"daybook/store/ledger"
)

const address = "192.0.2.7"

func (b bundle) failToSignIn(t *testing.T, email, from string, times int) {
	t.Helper()
	for range times {
		_, err := b.SignIn(t.Context(), email, "not the password", from)
		refused(t, err, ledger.KindUnauthenticated)
	}
}

func TestSignIn(t *testing.T) {
	t.Parallel()
	b := setup(t)
	ctx := t.Context()

	user, err := b.SignIn(ctx, " Viewer@demo.test", password, address)
	ok(t, err)
	if user.ID != b.viewer.UserID {
		t.Errorf("signed in as %+v", user)
	}
	_, wrong := b.SignIn(ctx, "viewer@demo.test", "not the password", address)
	_, unknown := b.SignIn(ctx, "nobody@demo.test", password, address)
	ok(t, b.DisableUser(ctx, b.auditor.UserID))
	_, disabled := b.SignIn(ctx, "auditor@demo.test", password, address)
	_, odd := b.SignIn(ctx, "\x00\xff"+strings.Repeat("é", 400), "\x00", "not an \x00 address")
	for _, err := range []error{wrong, unknown, disabled, odd} {
		refused(t, err, ledger.KindUnauthenticated)
		if err.Error() != wrong.Error() {
			t.Errorf("%q tells more than %q", err, wrong)
		}
	}
	rows := b.column(t, `SELECT outcome || ' ' || email || ' ' || address FROM audit_log WHERE action = 'sign-in' ORDER BY id`)
	want := []string{"done viewer@demo.test 192.0.2.7", "refused viewer@demo.test 192.0.2.7", "refused nobody@demo.test 192.0.2.7", "refused auditor@demo.test 192.0.2.7"}
	if len(rows) != 5 || fmt.Sprint(rows[:4]) != fmt.Sprint(want) {
		t.Errorf("the audit log has %q, want %q and one more", rows, want)
	}
}

func TestSignInThrottle(t *testing.T) {
	t.Parallel()

	t.Run("RefusesTheRightPasswordAfterFiveFailures", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		b.failToSignIn(t, "viewer@demo.test", address, 1)
		b.clock.advance(5 * time.Minute)
		b.failToSignIn(t, "Viewer@demo.test", address, 4)
		_, err := b.another(t).SignIn(t.Context(), "viewer@demo.test", password, address)
		refused(t, err, ledger.KindTooManyAttempts)
		if !strings.Contains(err.Error(), "try again in 10 minutes, at 10:15 UTC") {
			t.Errorf("%v does not say when to try again", err)
		}
		_, err = b.SignIn(t.Context(), "viewer@demo.test", password, "192.0.2.8")
		ok(t, err)
		_, err = b.SignIn(t.Context(), "viewer@demo.test", password, address)
		refused(t, err, ledger.KindTooManyAttempts)
		b.clock.advance(10 * time.Minute)
		_, err = b.SignIn(t.Context(), "viewer@demo.test", password, address)
		ok(t, err)
	})
	t.Run("ForgetsFailuresAfterASuccess", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		b.failToSignIn(t, "viewer@demo.test", address, 4)
		_, err := b.SignIn(t.Context(), "viewer@demo.test", password, address)
		ok(t, err)
		b.failToSignIn(t, "viewer@demo.test", address, 5)
	})
	t.Run("CountsManyAtOnceOnTwoServers", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		servers := []*store.Store{b.Store, b.another(t)}
		kinds := make([]ledger.Kind, 50)
		var all sync.WaitGroup
		for i := range kinds {
			all.Go(func() {
				_, err := servers[i%2].SignIn(t.Context(), "viewer@demo.test", "not the password", address)
				kinds[i] = ledger.KindOf(err)
			})
		}
		all.Wait()
		count := map[ledger.Kind]int{}
		for _, kind := range kinds {
			count[kind]++
		}
		if count[ledger.KindUnauthenticated] != 5 || count[ledger.KindTooManyAttempts] != 45 {
			t.Errorf("50 at once were answered %v, want 5 checked and 45 refused", count)
		}
	})
	t.Run("LimitsOneAddressOverAllPeople", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		for i := range 10 {
			b.failToSignIn(t, fmt.Sprintf("guess%d@demo.test", i), fmt.Sprintf("2001:db8:1:2::%d", i), 5)
		}
		_, err := b.SignIn(t.Context(), "viewer@demo.test", password, "2001:db8:1:2:ffff::1")
		refused(t, err, ledger.KindTooManyAttempts)
		_, err = b.SignIn(t.Context(), "viewer@demo.test", password, "2001:db8:1:3::1")
		ok(t, err)
	})
	t.Run("LimitsOnePersonOverAllAddresses", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		for i := range 6 {
			b.failToSignIn(t, "viewer@demo.test", fmt.Sprintf("192.0.2.%d", i), 5)
		}
		_, err := b.SignIn(t.Context(), "viewer@demo.test", password, address)
		refused(t, err, ledger.KindTooManyAttempts)
		_, err = b.SignIn(t.Context(), "auditor@demo.test", password, address)
		ok(t, err)
	})
}

func TestSetPassword(t *testing.T) {
	t.Parallel()
	b := setup(t)
	ok(t, b.SetPassword(t.Context(), b.viewer.UserID, "another password"))
	_, err := b.SignIn(t.Context(), "viewer@demo.test", password, address)
	refused(t, err, ledger.KindUnauthenticated)
	_, err = b.SignIn(t.Context(), "viewer@demo.test", "another password", address)
	ok(t, err)
	refused(t, b.SetPassword(t.Context(), b.viewer.UserID, "short"), ledger.KindInvalid)
	refused(t, b.SetPassword(t.Context(), 4711, password), ledger.KindNotFound)
}

func TestSessions(t *testing.T) {
	t.Parallel()
	b := setup(t)
	sessions, err := b.Sessions()
	ok(t, err)
	ok(t, sessions.Commit("ended", []byte("1"), b.clock.now().Add(-time.Hour)))
	ok(t, sessions.Commit("live", []byte("2"), b.clock.now().AddDate(100, 0, 0)))
	_, err = b.SignIn(t.Context(), "viewer@demo.test", password, address)
	ok(t, err)
	data, found, err := sessions.Find("live")
	ok(t, err)
	if left := b.column(t, `SELECT token FROM sessions`); !found || string(data) != "2" || len(left) != 1 {
		t.Errorf("found %v %q; the table has %q, want the live session only", found, data, left)
	}
}

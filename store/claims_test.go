package store_test

import (
	"context"
	"testing"
	"time"

	"daybook/store"
	"daybook/store/claim"
	"daybook/store/claim/claimtest"
	"daybook/store/ledger"
)

// patient are terms that no wait of a passing test outlasts.
var patient = claim.Terms{Lease: time.Minute, Wait: 20 * time.Second, Poll: 20 * time.Millisecond}

var charge = claim.Fingerprint{Operation: "charge", Content: `{"amount":3050}`}

func TestClaims_KeepEveryPromiseAcrossServers(t *testing.T) {
	t.Parallel()
	claimtest.Run(t, func(t *testing.T, terms claim.Terms) claimtest.World {
		b := setup(t)
		return claimtest.World{
			Ledgers: []*claim.Ledger{b.claims(t, b.Store, terms), b.claims(t, b.another(t), terms)},
			Advance: b.clock.advance,
		}
	})
}

// claims is the preparer's ledger of claims through one server.
func (b bundle) claims(t *testing.T, s *store.Store, terms claim.Terms) *claim.Ledger {
	t.Helper()
	l, err := s.Claims(b.preparer, store.RightPost, terms)
	ok(t, err)
	return l
}

func own(t *testing.T, l *claim.Ledger, key string) *claim.Claim {
	t.Helper()
	c, err := l.Claim(t.Context(), key, charge)
	ok(t, err)
	if c.Answer() != claim.Own {
		t.Fatalf("the claim is answered with %s", c.Answer())
	}
	return c
}

func TestClaims_AreForThoseWhoMayDoTheWork(t *testing.T) {
	t.Parallel()
	b := setup(t)
	_, err := b.Claims(b.viewer, store.RightPost, patient)
	refused(t, err, ledger.KindForbidden)
}

func TestClaims_AWordIsEnoughToWakeAnotherServer(t *testing.T) {
	t.Parallel()
	b := setup(t)
	hardlyPolling := claim.Terms{Lease: time.Hour, Wait: 20 * time.Second, Poll: time.Hour}
	owner := own(t, b.claims(t, b.Store, hardlyPolling), "k")
	waiting, err := b.claims(t, b.another(t), hardlyPolling).Claim(t.Context(), "k", charge)
	ok(t, err)
	answered := make(chan error, 1)
	go func() {
		receipt, err := waiting.Outcome(t.Context())
		if err == nil && string(receipt.Body) != `{"charge":1}` {
			t.Errorf("the outcome is %s", receipt.Body)
		}
		answered <- err
	}()
	b.eventually(t, `SELECT count(*)::text FROM pg_stat_activity WHERE datname = current_database() AND query ILIKE 'listen %'`, "1")
	ok(t, owner.Settle(t.Context(), []byte(`{"charge":1}`)))
	ok(t, <-answered)
}

func TestClaims_TheConnectionThatListensIsMadeAgain(t *testing.T) {
	t.Parallel()
	b := setup(t)
	hardlyPolling := claim.Terms{Lease: time.Hour, Wait: 20 * time.Second, Poll: time.Hour}
	owner := own(t, b.claims(t, b.Store, hardlyPolling), "k")
	waiting, err := b.claims(t, b.another(t), hardlyPolling).Claim(t.Context(), "k", charge)
	ok(t, err)
	answered := make(chan error, 1)
	go func() {
		_, err := waiting.Outcome(t.Context())
		answered <- err
	}()
	const listening = `SELECT count(*)::text FROM pg_stat_activity WHERE datname = current_database() AND query ILIKE 'listen %'`
	b.eventually(t, listening, "1")
	b.sql(t, `SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity WHERE datname = current_database() AND query ILIKE 'listen %'`)
	// Told while nobody listened: it is looked for when somebody does again.
	ok(t, owner.Abandon(t.Context(), context.DeadlineExceeded))
	refused(t, <-answered, ledger.KindOwnerFailed)
	b.eventually(t, listening, "1")
}

// eventually waits until a query of one text gives the one wanted.
func (b bundle) eventually(t *testing.T, query, want string) {
	t.Helper()
	owner := b.owner(t)
	for got := ""; got != want; {
		ok(t, owner.QueryRow(t.Context(), query).Scan(&got))
	}
}

func TestClaims_ALiveKeyIsTakenForAllOthers(t *testing.T) {
	t.Parallel()
	b := setup(t)
	owner := own(t, b.claims(t, b.Store, patient), "k")
	_, _, err := b.OpenAccount(t.Context(), b.admin, "k", ledger.Account{Code: "till", Name: "Till", Type: ledger.Asset, Currency: "EUR"})
	refused(t, err, ledger.KindKeyReused)
	_, settled, err := b.KeySettled(t.Context(), b.viewer, "k")
	ok(t, err)
	if settled {
		t.Error("a key whose owner is at work has settled")
	}
	ok(t, owner.Settle(t.Context(), []byte(`{"charge": 1, "at": "noon"}`)))
	b.eventually(t, `SELECT (lease_until IS NULL AND receipt->>'at' = 'noon' AND attempts = 1)::text FROM idempotency_keys WHERE key = 'k'`, "true")
}

func TestClaims_AKeyIsFreeAgainAfterItsRetention(t *testing.T) {
	t.Parallel()
	b := setup(t)
	l := b.claims(t, b.Store, patient)
	ok(t, own(t, l, "k").Settle(t.Context(), []byte(`{"charge":1}`)))
	b.clock.advance(time.Duration(b.book.KeyRetentionDays) * 24 * time.Hour)
	_, err := l.Find(t.Context(), "k")
	refused(t, err, ledger.KindNotFound)
	ok(t, own(t, l, "k").Settle(t.Context(), []byte(`{"charge":2}`)))
}

func TestClaims_NoTransactionIsOpenDuringTheWork(t *testing.T) {
	t.Parallel()
	b := setup(t)
	_, err := b.claims(t, b.Store, patient).Do(t.Context(), "k", charge, func(context.Context, int) ([]byte, error) {
		if open := b.column(t, `SELECT query FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid() AND xact_start IS NOT NULL AND state <> 'idle'`); len(open) > 0 {
			t.Errorf("while the owner works these transactions are open: %v", open)
		}
		return []byte(`{}`), nil
	})
	ok(t, err)
}

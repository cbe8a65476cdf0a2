package main

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"testing"
	"time"

	"daybook/recon"
	"daybook/recon/statement"
	"daybook/store"
	"daybook/store/ledger"
	"daybook/store/postgres"
	"daybook/store/postgres/pgtest"
)

// demoFillOf is a fill of a database, with passwords that cost little. Each time that somebody asks for the time, seen is told.
func demoFillOf(t *testing.T, appURL string, empty bool, seen func(time.Time)) *demoFill {
	t.Helper()
	story, err := demoStory(empty)
	ok(t, err)
	db, err := postgres.Open(t.Context(), appURL)
	ok(t, err)
	hand := &clockByHand{}
	now := func() time.Time {
		seen(hand.at)
		return hand.now()
	}
	books := store.New(db, now, store.WithPasswordCost(64, 1))
	t.Cleanup(func() { ok(t, books.Close()) })
	return &demoFill{Store: books, clock: hand, story: story, people: demoCast(empty)}
}

func ok(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func (d *demoFill) seal(t *testing.T) store.Seal {
	t.Helper()
	seal, err := d.Seal(t.Context(), d.reader())
	ok(t, err)
	return seal
}

// TestDemoFill fills one book in one go, and another one that is interrupted again and again.
func TestDemoFill(t *testing.T) {
	t.Parallel()
	_, appURL := pgtest.New(t)
	whole := demoFillOf(t, appURL, false, func(time.Time) {})
	ok(t, whole.fill(t.Context()))
	seal := whole.seal(t)

	t.Run("GivesABookThatHolds", func(t *testing.T) {
		v, err := whole.Verify(t.Context(), whole.book)
		ok(t, err)
		if v.Fault != nil || v.Entries < 2_000 {
			t.Errorf("%d entries, fault %v", v.Entries, v.Fault)
		}
		pending, _, err := whole.Approvals(t.Context(), whole.reader(), store.ApprovalFilter{Status: store.Pending})
		ok(t, err)
		if len(pending) != 3 {
			t.Errorf("%d requests wait for approval", len(pending))
		}
	})
	t.Run("LeavesNothingOpenBeforeMarch", func(t *testing.T) { settledBeforeMarch(t, whole) })
	t.Run("IsDoneOnce", func(t *testing.T) {
		again := demoFillOf(t, appURL, false, func(time.Time) { t.Error("the second fill does something") })
		ok(t, again.fill(t.Context()))
		if got := again.seal(t); got != seal {
			t.Errorf("the head is %v, was %v", got, seal)
		}
	})
	t.Run("GoesOnWhereItWasInterrupted", func(t *testing.T) {
		interrupted := interruptedFill(t)
		if got := interrupted.seal(t); got != seal {
			t.Errorf("the head is %v, want %v", got, seal)
		}
	})
	t.Run("LetsMarchBeUploaded", func(t *testing.T) { uploadMarch(t, whole) })
}

// interruptedFill fills a database of its own; each time it is cancelled in the middle of what happens at an instant.
func interruptedFill(t *testing.T) *demoFill {
	t.Helper()
	_, appURL := pgtest.New(t)
	for _, instant := range []string{
		"2025-12-30T09:00:00Z", "2026-01-04T21:30:00Z", "2026-01-20T16:12:00Z", "2026-02-02T08:30:00Z", "2026-03-30T16:00:00Z",
	} {
		at, err := time.Parse(time.RFC3339, instant)
		ok(t, err)
		ctx, cancel := context.WithCancel(t.Context())
		defer cancel()
		d := demoFillOf(t, appURL, false, func(now time.Time) {
			if !now.Before(at) {
				cancel()
			}
		})
		if err := d.fill(ctx); !errors.Is(err, context.Canceled) {
			t.Fatalf("the fill cancelled at %s: %v", instant, err)
		}
	}
	last := demoFillOf(t, appURL, false, func(time.Time) {})
	ok(t, last.fill(t.Context()))
	return last
}

// uploadMarch uploads the sample of March as its user would.
func uploadMarch(t *testing.T, d *demoFill) {
	d.clock.at = time.Date(2026, 4, 1, 10, 0, 0, 0, time.UTC)
	sample := d.story.Samples[0]
	result, _, err := d.UploadStatement(t.Context(), d.actors["preparer"], "", store.Upload{
		Account: "1010", FileName: sample.Name, Data: sample.Data, PeriodFrom: ledger.MustDate("2026-03-01"), PeriodTo: ledger.MustDate("2026-03-31"),
	})
	ok(t, err)
	r, err := d.Reconciliation(t.Context(), d.reader(), result.ReconciliationID)
	ok(t, err)
	if result.Rows.New != 80 || r.Matches < 60 || r.OpenBreaks != 14 {
		t.Errorf("%d lines, %d matches, %d open breaks", result.Rows.New, r.Matches, r.OpenBreaks)
	}
	for _, kind := range []recon.BreakType{
		recon.AmountMismatch, recon.MissingInBank, recon.MissingInLedger, recon.DuplicateInBank, recon.DuplicateInLedger, recon.Ambiguous, recon.Timing,
	} {
		if r.Counts[kind] == 0 {
			t.Errorf("no break of type %s in %v", kind, r.Counts)
		}
	}
	// The pictures call 146.30, which the bank took twice, explained; here it is open at first.
	if r.Proof.LedgerMinor != 8_081_520 || r.Proof.StatementMinor != 7_329_824 || r.Proof.UnexplainedMinor != 184_895+14_630 {
		t.Errorf("proof %+v", r.Proof)
	}
}

func TestEmptyDemoFillHasFourAccountsAndNothingElse(t *testing.T) {
	t.Parallel()
	_, appURL := pgtest.New(t)
	d := demoFillOf(t, appURL, true, func(time.Time) {})
	ok(t, d.fill(t.Context()))
	accounts, _, err := d.Accounts(t.Context(), d.reader(), "", 100)
	ok(t, err)
	if len(accounts) != 4 || d.seal(t).Seq != 0 || d.book.Name != "Main book" {
		t.Errorf("book %v, accounts %v, head %v", d.book, accounts, d.seal(t))
	}
	for _, name := range demoPeople {
		actor, err := d.ActorByToken(t.Context(), "daybook-demo-"+name, demoBookCode)
		ok(t, err)
		user, err := d.SignIn(t.Context(), name+"@demo.test", demoPassword, "127.0.0.1")
		ok(t, err)
		if user.ID != actor.UserID {
			t.Errorf("%s signs in as user %d, the token is of user %d", name, user.ID, actor.UserID)
		}
	}
	ok(t, demoFillOf(t, appURL, true, func(time.Time) { t.Error("the second fill does something") }).fill(t.Context()))
}

func TestSamplesAreWritten(t *testing.T) {
	t.Parallel()
	for _, empty := range []bool{true, false} {
		story, err := demoStory(empty)
		ok(t, err)
		folder := filepath.Join(t.TempDir(), "samples")
		ok(t, writeSamples(folder, story.Samples))
		for _, f := range story.Samples {
			data, err := os.ReadFile(filepath.Join(folder, f.Name))
			ok(t, err)
			if _, err := statement.Read(data, nil); err != nil {
				t.Errorf("%s: %v", f.Name, err)
			}
		}
	}
}

// settledBeforeMarch looks whether the statements of January and February agree with the journal.
func settledBeforeMarch(t *testing.T, d *demoFill) {
	there, _, err := d.Reconciliations(t.Context(), d.reader(), 0, 10)
	ok(t, err)
	for _, r := range there {
		if r.OpenBreaks != 0 || r.Proof.UnexplainedMinor != 0 || r.Matches < 90 {
			t.Errorf("reconciliation to %s: %d matches, %d open, %d unexplained", r.ScopeTo, r.Matches, r.OpenBreaks, r.Proof.UnexplainedMinor)
		}
	}
	if len(there) != 2 {
		t.Errorf("%d reconciliations", len(there))
	}
}

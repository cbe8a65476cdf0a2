package store_test

import (
	"strings"
	"testing"

	"daybook/store"
	"daybook/store/ledger"
)

func TestPreferences(t *testing.T) {
	t.Parallel()
	b := setup(t)
	ctx := t.Context()

	if b.viewer.Preferences != (store.Preferences{}) {
		t.Errorf("before any choice they are %+v", b.viewer.Preferences)
	}
	chosen := store.Preferences{Numbers: "point-comma", Negatives: "minus", Dates: "dd.mm.yyyy", Density: "compact", Theme: "system"}
	ok(t, b.SavePreferences(ctx, b.viewer, chosen))
	viewer, err := b.Actor(ctx, b.viewer.UserID, "main")
	ok(t, err)
	approver, err := b.Actor(ctx, b.approver.UserID, "main")
	ok(t, err)
	if viewer.Preferences != chosen || approver.Preferences != (store.Preferences{}) {
		t.Errorf("the viewer chose %+v and has %+v, the approver has %+v", chosen, viewer.Preferences, approver.Preferences)
	}

	t.Run("AreOnRecordWhereTheyChange", func(t *testing.T) {
		changed := chosen
		changed.Theme = "dark"
		ok(t, b.SavePreferences(ctx, viewer, changed))
		ok(t, b.SavePreferences(ctx, viewer, changed)) // nothing changes
		got := b.column(t, `SELECT object || ' ' || detail::text FROM audit_log WHERE action = 'preferences.change' ORDER BY at, id`)
		if len(got) != 2 || got[1] != `user viewer@demo.test {"theme": "dark"}` || !strings.Contains(got[0], `"numbers": "point-comma"`) {
			t.Errorf("on record is %q", got)
		}
	})
	t.Run("TakeEveryValueThereIs", func(t *testing.T) {
		for _, p := range []store.Preferences{
			{Numbers: "comma-point"}, {Numbers: "point-comma"}, {Numbers: "space-comma"}, {Numbers: "apostrophe-point"},
			{Negatives: "parentheses"}, {Negatives: "minus"}, {Density: "normal"}, {Density: "compact"}, {Density: "relaxed"},
			{Dates: "yyyy-mm-dd"}, {Dates: "dd-mm-yyyy"}, {Dates: "dd/mm/yyyy"}, {Dates: "mm/dd/yyyy"}, {Dates: "dd.mm.yyyy"},
			{Theme: "light"}, {Theme: "dark"}, {Theme: "system"},
		} {
			ok(t, b.SavePreferences(ctx, b.auditor, p.Whole()))
			kept, err := b.Preferences(ctx, b.auditor.UserID)
			ok(t, err)
			if kept != p.Whole() {
				t.Errorf("saved %+v, kept %+v", p.Whole(), kept)
			}
		}
	})
	t.Run("RefuseEveryOther", func(t *testing.T) {
		err := b.SavePreferences(ctx, b.viewer, store.Preferences{Numbers: "roman", Theme: "pink"}.Whole())
		refused(t, err, ledger.KindInvalid)
		if !strings.Contains(err.Error(), "numbers") || !strings.Contains(err.Error(), "theme") || strings.Contains(err.Error(), "dates") {
			t.Errorf("refused with %v", err)
		}
		refused(t, b.SavePreferences(ctx, b.viewer, store.Preferences{}), ledger.KindInvalid)
	})
}

func TestChangePassword(t *testing.T) {
	t.Parallel()
	b := setup(t)
	ctx := t.Context()
	const next = "another password for tests"
	mark, err := b.PasswordMark(ctx, b.viewer.UserID)
	ok(t, err)

	for name, c := range map[string]struct{ current, password, field string }{
		"NeedsTheCurrentOne": {"not it, by any means", next, "current_password"},
		"NeedsALongOne":      {password, "elevenchars", "password"},
		"NeedsAnotherOne":    {password, password, "password"},
	} {
		err := b.ChangePassword(ctx, b.viewer, c.current, c.password)
		refused(t, err, ledger.KindInvalid)
		if !strings.Contains(err.Error(), c.field) {
			t.Errorf("%s: refused with %v", name, err)
		}
	}
	ok(t, b.ChangePassword(ctx, b.viewer, password, next))
	after, err := b.PasswordMark(ctx, b.viewer.UserID)
	ok(t, err)
	if mark == after {
		t.Error("sessions of the old password go on")
	}
	_, err = b.SignIn(ctx, "viewer@demo.test", next, "10.0.0.1")
	ok(t, err)

	t.Run("IsNoPlaceToGuess", func(t *testing.T) {
		guesser := b.auditor
		guesser.Address = "10.9.9.9"
		for range 5 {
			refused(t, b.ChangePassword(ctx, guesser, "a guess, and a wrong one", next), ledger.KindInvalid)
		}
		refused(t, b.ChangePassword(ctx, guesser, password, next), ledger.KindTooManyAttempts)
	})
}

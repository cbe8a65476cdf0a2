package store_test

import (
	"slices"
	"testing"
	"time"

	"daybook/store"
	"daybook/store/ledger"
)

func TestMakeToken(t *testing.T) {
	t.Parallel()
	b := setup(t)
	ctx := t.Context()
	request := store.TokenRequest{Name: "payment run", Rights: []store.Right{store.RightPost}, ExpiresAt: b.clock.now().Add(time.Hour)}
	token, text, _, err := b.MakeToken(ctx, b.preparer, "k", request)
	ok(t, err)
	again, none, duplicate, err := b.MakeToken(ctx, b.preparer, "k", request)
	ok(t, err)
	if !duplicate || none != "" || again.ID != token.ID {
		t.Errorf("a double click made %+v with %q", again, none)
	}
	if kept := b.column(t, `SELECT key FROM idempotency_keys WHERE (content::text || receipt::text) LIKE '%`+text[8:20]+`%'`); len(kept) > 0 {
		t.Error("the text of the token is kept with the form's key")
	}
	actor, err := b.ActorByToken(ctx, text, "main")
	ok(t, err)
	if !actor.Can(store.RightPost) || actor.Can(store.RightRequest) {
		t.Errorf("the token acts as %+v", actor)
	}
	ok(t, b.GrantRole(ctx, b.book, b.preparer.UserID, store.Admin))
	if actor, err = b.ActorByToken(ctx, text, "main"); err != nil || actor.Can(store.RightUsers) {
		t.Errorf("a later role widened the token: %v", err)
	}
	for _, wrong := range []store.TokenRequest{{Name: " "}, {Name: "x", Rights: []store.Right{store.RightDecide}}, {Name: "x", Rights: []store.Right{"rule"}}, {Name: "x", ExpiresAt: b.clock.now()}} {
		_, _, _, err := b.MakeToken(ctx, b.preparer, "", wrong)
		refused(t, err, ledger.KindInvalid)
	}

	_, other, _, err := b.MakeToken(ctx, b.viewer, "", store.TokenRequest{Name: "report"})
	ok(t, err)
	for who, want := range map[*store.Actor]int{&b.viewer: 1, &b.admin: 2, &b.approver: 0} {
		if seen, err := b.TokensSeen(ctx, *who); err != nil || len(seen) != want {
			t.Errorf("%s sees %d tokens, want %d (%v)", who.Name, len(seen), want, err)
		}
	}
	seen, err := b.TokensSeen(ctx, b.admin)
	ok(t, err)
	if !seen[0].LastUsedAt.Equal(b.clock.now()) || !seen[1].LastUsedAt.IsZero() {
		t.Errorf("last used: %s and %s", seen[0].LastUsedAt, seen[1].LastUsedAt)
	}
	_, err = b.EndToken(ctx, b.viewer, token.ID)
	refused(t, err, ledger.KindForbidden)
	_, err = b.EndToken(ctx, b.viewer, 4711)
	refused(t, err, ledger.KindNotFound)
	for range 2 {
		_, err = b.EndToken(ctx, b.admin, 2)
		ok(t, err)
	}
	_, err = b.ActorByToken(ctx, other, "main")
	refused(t, err, ledger.KindUnauthenticated)
	if told := b.column(t, `SELECT email FROM audit_log WHERE action = 'token.revoke'`); !slices.Equal(told, []string{"admin@demo.test"}) {
		t.Errorf("the audit log tells %v", told)
	}
}

package store_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"daybook/store"
	"daybook/store/ledger"
)

func (b bundle) token(t *testing.T, book store.Book, who store.Actor, only []store.Right, expires time.Time) (store.Token, string) {
	t.Helper()
	token, plain, err := b.AddToken(t.Context(), book, who.UserID, "payment run", only, expires, "")
	ok(t, err)
	return token, plain
}

func TestActorByToken(t *testing.T) {
	t.Parallel()
	b := setup(t)
	ctx := t.Context()
	other, err := b.AddBook(ctx, "other", "Other book", "EUR")
	ok(t, err)
	token, plain := b.token(t, b.book, b.controller, nil, time.Time{})
	if !strings.HasPrefix(plain, "daybook_") || len(plain) != len("daybook_")+43 {
		t.Errorf("the token is %q", plain)
	}

	actor, err := b.ActorByToken(ctx, plain, "main")
	ok(t, err)
	if actor.UserID != b.controller.UserID || actor.Book != b.book || !actor.Can(store.RightPost) || !actor.Can(store.RightDecide) {
		t.Errorf("the token acts as %+v", actor)
	}
	for _, unknown := range []string{"", "daybook_x", plain + "x", "\x00\xff"} {
		_, err = b.ActorByToken(ctx, unknown, "main")
		refused(t, err, ledger.KindUnauthenticated)
	}
	_, err = b.ActorByToken(ctx, plain, "nowhere")
	refused(t, err, ledger.KindNotFound)
	_, err = b.ActorByToken(ctx, plain, "other")
	refused(t, err, ledger.KindForbidden)

	_, _, err = b.AddToken(ctx, other, b.controller.UserID, "payment run", nil, time.Time{}, plain)
	ok(t, err)
	_, err = b.ActorByToken(ctx, plain, "other")
	refused(t, err, ledger.KindForbidden) // the user has no role there
	ok(t, b.GrantRole(ctx, other, b.controller.UserID, store.Viewer))
	actor, err = b.ActorByToken(ctx, plain, "other")
	ok(t, err)
	if actor.Book != other || actor.Can(store.RightPost) {
		t.Errorf("in the other book the token acts as %+v", actor)
	}

	ok(t, b.RevokeToken(ctx, b.book, token.ID))
	refused(t, b.RevokeToken(ctx, b.book, token.ID), ledger.KindNotFound)
	_, err = b.ActorByToken(ctx, plain, "main")
	refused(t, err, ledger.KindForbidden) // it lives on in the other book only
	ok(t, b.RevokeToken(ctx, other, 1))
	_, err = b.ActorByToken(ctx, plain, "main")
	refused(t, err, ledger.KindUnauthenticated)
}

func TestActorByTokenEndsWithItsUserAndItsTime(t *testing.T) {
	t.Parallel()
	b := setup(t)
	ctx := t.Context()
	_, plain := b.token(t, b.book, b.preparer, nil, b.clock.now().Add(time.Hour))
	ok(t, b.DisableUser(ctx, b.preparer.UserID))
	_, err := b.ActorByToken(ctx, plain, "main")
	refused(t, err, ledger.KindUnauthenticated)
	ok(t, b.EnableUser(ctx, b.preparer.UserID))
	b.clock.advance(time.Hour - time.Second)
	_, err = b.ActorByToken(ctx, plain, "main")
	ok(t, err)
	b.clock.advance(time.Second)
	_, err = b.ActorByToken(ctx, plain, "main")
	refused(t, err, ledger.KindUnauthenticated)
}

func TestTokensNarrowRights(t *testing.T) {
	t.Parallel()
	b := setup(t)
	ctx := t.Context()
	b.token(t, b.book, b.preparer, []store.Right{store.RightPost, store.RightDecide}, b.clock.now().Add(time.Hour))
	_, plain := b.token(t, b.book, b.preparer, []store.Right{store.RightPost, store.RightDecide}, time.Time{})
	_, reads := b.token(t, b.book, b.preparer, []store.Right{}, time.Time{})

	actor, err := b.ActorByToken(ctx, plain, "main")
	ok(t, err)
	if !actor.Can(store.RightRead) || !actor.Can(store.RightPost) || actor.Can(store.RightRequest) || actor.Can(store.RightDecide) {
		t.Errorf("a token narrowed to post and decide, of a preparer, acts as %+v", actor)
	}
	actor, err = b.ActorByToken(ctx, reads, "main")
	ok(t, err)
	if !actor.Can(store.RightRead) || actor.Can(store.RightPost) {
		t.Errorf("a token narrowed to reading acts as %+v", actor)
	}
	tokens, err := b.Tokens(ctx, b.book)
	ok(t, err)
	if len(tokens) != 3 || tokens[0].ExpiresAt.IsZero() || !tokens[1].ExpiresAt.IsZero() || !tokens[1].RevokedAt.IsZero() ||
		!slices.Equal(tokens[1].Only, []store.Right{store.RightPost, store.RightDecide}) || tokens[2].Only == nil || tokens[2].Email != "preparer@demo.test" {
		t.Errorf("tokens: %+v", tokens)
	}
	for name, refuse := range map[string]func() error{
		"unknown right": func() error {
			_, _, err := b.AddToken(ctx, b.book, 1, "x", []store.Right{"rule"}, time.Time{}, "")
			return err
		},
		"no name":        func() error { _, _, err := b.AddToken(ctx, b.book, 1, " ", nil, time.Time{}, ""); return err },
		"already over":   func() error { _, _, err := b.AddToken(ctx, b.book, 1, "x", nil, b.clock.now(), ""); return err },
		"already a text": func() error { _, _, err := b.AddToken(ctx, b.book, 1, "x", nil, time.Time{}, plain); return err },
	} {
		if err := refuse(); ledger.KindOf(err) != ledger.KindInvalid {
			t.Errorf("%s: %v", name, err)
		}
	}
	_, _, err = b.AddToken(ctx, b.book, 4711, "x", nil, time.Time{}, "")
	refused(t, err, ledger.KindNotFound)
	if stored := b.column(t, `SELECT encode(token_hash, 'escape') FROM tokens`); slices.ContainsFunc(stored, func(s string) bool { return strings.Contains(s, "daybook_") }) {
		t.Error("a token is stored as it is")
	}
}

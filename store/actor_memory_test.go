package store_test

import (
	"testing"
	"time"

	"daybook/store"
	"daybook/store/ledger"
)

// remembered posts once by a new token of the preparer, after which its server remembers it, and gives what posts by it again.
func (b bundle) remembered(t *testing.T, only []store.Right, expires time.Time) (token store.Token, plain string, post func(key string) error) {
	t.Helper()
	token, plain = b.token(t, b.book, b.preparer, only, expires)
	post = func(key string) error {
		t.Helper()
		actor, err := b.PosterByToken(t.Context(), plain, "main")
		if err != nil {
			return err
		}
		_, err = b.PostEntry(t.Context(), actor, key, entry("by token "+key))
		return err
	}
	ok(t, post("first"))
	ok(t, post("second"))
	return token, plain, post
}

// afterAnother lets another person post, after which the writer knows the book as it is now.
func (b bundle) afterAnother(t *testing.T) {
	t.Helper()
	_, err := b.PostEntry(t.Context(), b.controller, "another", entry("by another"))
	ok(t, err)
}

func TestPosterByToken_WhoMayNoLongerPostIsRefusedAtOnce(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		change func(t *testing.T, b bundle, elsewhere *store.Store, token store.Token)
		want   ledger.Kind
	}{
		"the token is revoked": {func(t *testing.T, b bundle, elsewhere *store.Store, token store.Token) {
			ok(t, elsewhere.RevokeToken(t.Context(), b.book, token.ID))
		}, ledger.KindUnauthenticated},
		"the token is narrowed": {func(t *testing.T, b bundle, _ *store.Store, token store.Token) {
			b.sql(t, `UPDATE tokens SET rights = '{upload}'`)
		}, ledger.KindForbidden},
		"the role is taken": {func(t *testing.T, b bundle, elsewhere *store.Store, token store.Token) {
			ok(t, elsewhere.GrantRole(t.Context(), b.book, b.preparer.UserID, store.Viewer))
			ok(t, elsewhere.RevokeRole(t.Context(), b.book, b.preparer.UserID, store.Preparer))
		}, ledger.KindForbidden},
		"the user is disabled": {func(t *testing.T, b bundle, elsewhere *store.Store, token store.Token) {
			ok(t, elsewhere.DisableUser(t.Context(), b.preparer.UserID))
		}, ledger.KindUnauthenticated},
		"the time is over": {func(t *testing.T, b bundle, _ *store.Store, token store.Token) {
			b.clock.advance(time.Minute)
		}, ledger.KindUnauthenticated},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := setup(t)
			token, plain, post := b.remembered(t, nil, b.clock.now().Add(time.Minute))
			test.change(t, b, b.another(t), token)
			b.afterAnother(t)
			_, err := b.ReaderByToken(t.Context(), plain, "main")
			if mayRead := test.want == ledger.KindForbidden; mayRead != (err == nil) {
				t.Errorf("who reads by the token is told %v", err)
			}
			refused(t, post("new"), test.want)
			refused(t, post("first"), test.want) // which is answered from memory otherwise
			if seqs := b.column(t, `SELECT seq::text FROM entries`); len(seqs) != 3 {
				t.Errorf("the journal has entries %v", seqs)
			}
		})
	}
}

func TestPosterByToken_APostInTheQueueIsNotWrittenForWhoWasRefusedMeanwhile(t *testing.T) {
	t.Parallel()
	b := setup(t)
	token, plain := b.token(t, b.book, b.preparer, nil, time.Time{})
	_, err := b.PosterByToken(t.Context(), plain, "main")
	ok(t, err)
	b.post(t, entry("warm"))
	actor, err := b.PosterByToken(t.Context(), plain, "main")
	ok(t, err)
	ok(t, b.another(t).RevokeToken(t.Context(), b.book, token.ID))
	mine, err := b.StartPost(t.Context(), actor, "mine", entry("mine"))
	ok(t, err)
	others := b.startPost(t, t.Context(), "others", entry("others"))
	_, err = mine.Receipt()
	refused(t, err, ledger.KindUnauthenticated)
	_, err = others.Receipt()
	ok(t, err)
	b.isSound(t)
}

func TestPosterByToken_WhoIsGivenTheRightPostsAtOnce(t *testing.T) {
	t.Parallel()
	b := setup(t)
	_, plain := b.token(t, b.book, b.controller, nil, time.Time{})
	ok(t, b.GrantRole(t.Context(), b.book, b.controller.UserID, store.Viewer))
	ok(t, b.RevokeRole(t.Context(), b.book, b.controller.UserID, store.Preparer))
	actor, err := b.PosterByToken(t.Context(), plain, "main")
	ok(t, err)
	refused(t, actor.Need(store.RightPost), ledger.KindForbidden)
	ok(t, b.GrantRole(t.Context(), b.book, b.controller.UserID, store.Preparer))
	actor, err = b.PosterByToken(t.Context(), plain, "main")
	ok(t, err)
	_, err = b.PostEntry(t.Context(), actor, "k", entry("t"))
	ok(t, err)
}

func TestPosterByToken_WhoIsRefusedWhileAPostWaitsForTheHead(t *testing.T) {
	t.Parallel()
	for name, remembered := range map[string]bool{"its token is new to the server": false, "its token is remembered": true} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := setup(t)
			elsewhere := b.another(t)
			token, plain := b.token(t, b.book, b.preparer, nil, time.Time{})
			if remembered {
				_, err := b.PosterByToken(t.Context(), plain, "main")
				ok(t, err)
			}
			// Another server has appended meanwhile: ours takes the head first.
			_, err := elsewhere.PostEntry(t.Context(), b.controller, "theirs", entry("theirs"))
			ok(t, err)
			release := b.holdHead(t)
			actor, err := b.PosterByToken(t.Context(), plain, "main")
			ok(t, err)
			posting, err := b.StartPost(t.Context(), actor, "mine", entry("mine"))
			ok(t, err)
			ok(t, elsewhere.RevokeToken(t.Context(), b.book, token.ID))
			release()
			_, err = posting.Receipt()
			refused(t, err, ledger.KindUnauthenticated)
			b.isSound(t)
		})
	}
}

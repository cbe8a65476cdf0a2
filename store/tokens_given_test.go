package store_test

import (
	"testing"
	"time"

	"daybook/store"
	"daybook/store/ledger"
)

// Who made a person's password could make tokens as them: these end when the person is given another, older ones go on.
func TestTokensOfAGivenPasswordEndWithTheNext(t *testing.T) {
	t.Parallel()
	for name, renew := range map[string]func(b bundle, who, other store.Actor) error{
		"ByAnotherAdministrator": func(b bundle, who, other store.Actor) error {
			_, _, err := b.ResetPassword(t.Context(), other, "", who.UserID)
			return err
		},
		"ByCommand": func(b bundle, who, _ store.Actor) error {
			return b.SetPassword(t.Context(), who.UserID, "a password by command")
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := setup(t)
			ctx := t.Context()
			second, third := b.join(t, "second", store.Admin), b.join(t, "third", store.Admin)
			newToken := func() string {
				_, text, _, err := b.MakeToken(ctx, second, "", store.TokenRequest{Name: "payment run", Rights: []store.Right{store.RightUsers}})
				ok(t, err)
				return text
			}
			before := newToken()
			b.clock.advance(time.Hour)
			_, _, err := b.ResetPassword(ctx, b.admin, "", second.UserID)
			ok(t, err)
			since := newToken()
			for _, text := range []string{before, since} {
				_, err = b.ActorByToken(ctx, text, "main")
				ok(t, err)
			}
			b.clock.advance(time.Hour)
			ok(t, renew(b, second, third))
			_, err = b.ActorByToken(ctx, before, "main")
			ok(t, err)
			_, err = b.ActorByToken(ctx, since, "main")
			refused(t, err, ledger.KindUnauthenticated)
			if told := b.column(t, `SELECT detail->>'tokens_ended' FROM audit_log WHERE action = 'user.password' AND detail ? 'tokens_ended'`); len(told) != 1 || told[0] != "1" {
				t.Errorf("the audit log tells %v", told)
			}
		})
	}
}

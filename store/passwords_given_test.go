package store_test

import (
	"strings"
	"testing"
	"time"

	"daybook/store"
	"daybook/store/ledger"
)

func TestResetPassword(t *testing.T) {
	t.Parallel()
	b := setup(t)
	ctx := t.Context()
	second := b.join(t, "second", store.Admin)
	before, err := b.PasswordMark(ctx, second.UserID)
	ok(t, err)
	_, token := b.token(t, b.book, second, nil, time.Time{})
	given, _, err := b.ResetPassword(ctx, b.admin, "k", second.UserID)
	ok(t, err)
	if after, err := b.PasswordMark(ctx, second.UserID); err != nil || after == before {
		t.Error("sessions of the old password go on")
	}
	_, err = b.ActorByToken(ctx, token, "main")
	ok(t, err) // programs go on
	if again, duplicate, err := b.ResetPassword(ctx, b.admin, "k", second.UserID); err != nil || !duplicate || again != "" {
		t.Errorf("a double click gave %q, %v", again, err)
	}
	_, err = b.SignIn(ctx, second.Email, password, "::1")
	refused(t, err, ledger.KindUnauthenticated)
	user, err := b.SignIn(ctx, second.Email, given, "::1")
	ok(t, err)
	by, err := b.GivenPassword(ctx, user.ID)
	ok(t, err)
	if !user.PasswordToChange || by.By != b.admin.Name || !by.At.Equal(b.clock.now()) {
		t.Errorf("signed in %+v with what %+v made", user, by)
	}
	refused(t, b.ReplaceOneTimePassword(ctx, second, given), ledger.KindInvalid)
	refused(t, b.ReplaceOneTimePassword(ctx, second, "short"), ledger.KindInvalid)
	ok(t, b.ReplaceOneTimePassword(ctx, second, "a password of my own"))
	refused(t, b.ReplaceOneTimePassword(ctx, second, "another of my own"), ledger.KindNotFound)
	user, err = b.SignIn(ctx, second.Email, "a password of my own", "::1")
	ok(t, err)
	if user.PasswordToChange {
		t.Error("a chosen password is to be changed too")
	}
	if told := b.column(t, `SELECT email || ' ' || object FROM audit_log WHERE action = 'user.password' ORDER BY at, id`); len(told) != 2 ||
		!strings.HasPrefix(told[0], "admin@demo.test user ") || told[1] != "second@demo.test user second@demo.test" {
		t.Errorf("the audit log tells %v", told)
	}

	_, _, err = b.ResetPassword(ctx, b.admin, "", b.admin.UserID)
	refused(t, err, ledger.KindInvalid)
	_, _, err = b.ResetPassword(ctx, b.approver, "", b.viewer.UserID)
	refused(t, err, ledger.KindForbidden)
	ok(t, b.DisableUser(ctx, b.viewer.UserID))
	_, _, err = b.ResetPassword(ctx, b.admin, "", b.viewer.UserID)
	refused(t, err, ledger.KindIllegalTransition)
}

// Whoever makes a person's password could sign in as them: so long nobody approves what the maker asks for.
func TestResetPassword_DoesNotMakeAnApproverOfOnesOwn(t *testing.T) {
	t.Parallel()
	b := setup(t)
	ctx := t.Context()
	second := b.join(t, "second", store.Admin)
	asked, err := b.give(t, b.admin, b.viewer, store.Approver)
	ok(t, err)
	b.clock.advance(time.Hour) // a password as old as its person is an invitation, which another administrator approves
	_, _, err = b.ResetPassword(ctx, b.admin, "", second.UserID)
	ok(t, err)
	puppet, err := b.Actor(ctx, second.UserID, "main")
	ok(t, err)
	_, _, err = b.Decide(ctx, puppet, "", asked.ApprovalID, store.Approved, "")
	refused(t, err, ledger.KindForbidden)
	ok(t, b.ReplaceOneTimePassword(ctx, puppet, "a password of the maker"))
	puppet, err = b.Actor(ctx, second.UserID, "main")
	ok(t, err)
	_, _, err = b.Decide(ctx, puppet, "", asked.ApprovalID, store.Approved, "")
	refused(t, err, ledger.KindForbidden)

	b.clock.advance(store.GivenDays * 24 * time.Hour)
	owner, err := b.Actor(ctx, second.UserID, "main")
	ok(t, err)
	_, _, err = b.Decide(ctx, owner, "", asked.ApprovalID, store.Approved, "")
	ok(t, err)

	given, _, err := b.ResetPassword(ctx, b.admin, "", b.preparer.UserID)
	ok(t, err)
	b.clock.advance(store.GivenDays * 24 * time.Hour)
	_, err = b.SignIn(ctx, b.preparer.Email, given, "::1")
	refused(t, err, ledger.KindUnauthenticated)
	if !strings.Contains(err.Error(), "has run out") {
		t.Errorf("a one-time password that was left lying is refused as %v", err)
	}
	ok(t, b.SetPassword(ctx, b.preparer.UserID, password)) // by command it is nobody's but the person's
	user, err := b.SignIn(ctx, b.preparer.Email, password, "::1")
	ok(t, err)
	if user.PasswordToChange {
		t.Error("a password set by command is to be changed")
	}
}

// One person with several logins is still one pair of hands.
func TestResetPassword_DoesNotMakeARequesterOfOnesOwn(t *testing.T) {
	t.Parallel()
	b := setup(t)
	ctx := t.Context()
	second, third := b.join(t, "second", store.Admin), b.join(t, "third", store.Admin)
	reset := func(who store.Actor) store.Actor {
		_, _, err := b.ResetPassword(ctx, b.admin, "", who.UserID)
		ok(t, err)
		puppet, err := b.Actor(ctx, who.UserID, "main")
		ok(t, err)
		return puppet
	}
	b.clock.advance(time.Hour)
	puppet := reset(second)
	b.clock.advance((store.GivenDays*24 - 1) * time.Hour)
	asked, err := b.give(t, puppet, b.viewer, store.Approver)
	ok(t, err)
	b.clock.advance(2 * time.Hour) // what was asked in these days does not become better by waiting
	_, _, err = b.Decide(ctx, b.admin, "", asked.ApprovalID, store.Approved, "")
	refused(t, err, ledger.KindForbidden)
	_, _, err = b.Decide(ctx, reset(third), "", asked.ApprovalID, store.Approved, "")
	refused(t, err, ledger.KindForbidden)
	b.has(t, b.viewer, store.Viewer)
	_, _, err = b.Decide(ctx, b.admin, "", asked.ApprovalID, store.Rejected, "not asked for by who has the login")
	ok(t, err)

	asked, err = b.give(t, puppet, b.viewer, store.Approver)
	ok(t, err)
	_, _, err = b.Decide(ctx, b.admin, "", asked.ApprovalID, store.Approved, "")
	ok(t, err) // the days are over
}

// An invitation that nobody approved leaves nothing to who invited, and does not lend its password to a later one.
func TestInvite_EndsItsPasswordWhereItIsNotApproved(t *testing.T) {
	t.Parallel()
	for _, end := range []store.ApprovalStatus{store.Rejected, store.Recalled} {
		t.Run(string(end), func(t *testing.T) {
			t.Parallel()
			b := setup(t)
			ctx := t.Context()
			second := b.join(t, "second", store.Admin)
			by := map[store.ApprovalStatus]store.Actor{store.Rejected: second, store.Recalled: b.admin}[end]
			invitation := store.Invitation{Email: "eva@demo.test", Name: "Eva", Roles: []store.Role{store.Admin}, Reason: "new"}
			first, _, err := b.Invite(ctx, b.admin, "", invitation)
			ok(t, err)
			b.clock.advance(time.Minute)
			reset, _, err := b.ResetPassword(ctx, b.admin, "", first.UserID)
			ok(t, err)
			_, _, err = b.Decide(ctx, by, "", first.ApprovalID, end, "no")
			ok(t, err)
			for _, known := range []string{first.Password, reset} {
				_, err = b.SignIn(ctx, invitation.Email, known, "::1")
				refused(t, err, ledger.KindUnauthenticated)
			}
			b.clock.advance(time.Hour)
			later, _, err := b.Invite(ctx, second, "", invitation)
			ok(t, err)
			if later.UserID != first.UserID || later.Password == "" || later.Password == first.Password {
				t.Fatalf("invited again as %+v", later)
			}
			_, err = b.SignIn(ctx, invitation.Email, first.Password, "::1")
			refused(t, err, ledger.KindUnauthenticated)
			_, err = b.SignIn(ctx, invitation.Email, later.Password, "::1")
			ok(t, err)
			_, _, err = b.Decide(ctx, b.admin, "", later.ApprovalID, store.Approved, "")
			ok(t, err)
			eva, err := b.Actor(ctx, later.UserID, "main")
			ok(t, err)
			if eva.PasswordFrom != 0 {
				t.Error("the password of the approved invitation counts as known to who made it")
			}
		})
	}
}

// With one administrator nobody approves an invitation: its password is known to who made it.
func TestInvite_ByTheOnlyAdministratorExemptsNobody(t *testing.T) {
	t.Parallel()
	b := setup(t)
	ctx := t.Context()
	invited, _, err := b.Invite(ctx, b.admin, "", store.Invitation{Email: "eva@demo.test", Name: "Eva", Roles: []store.Role{store.Admin}, Reason: "new"})
	ok(t, err)
	eva, err := b.Actor(ctx, invited.UserID, "main")
	ok(t, err)
	asked, err := b.give(t, b.admin, b.viewer, store.Approver)
	ok(t, err)
	_, _, err = b.Decide(ctx, eva, "", asked.ApprovalID, store.Approved, "")
	refused(t, err, ledger.KindForbidden)
}

package store_test

import (
	"slices"
	"testing"
	"time"

	"daybook/store"
	"daybook/store/ledger"
)

func TestDisableMember(t *testing.T) {
	t.Parallel()
	b := setup(t)
	ctx := t.Context()
	second := b.join(t, "second", store.Admin)

	made, _, err := b.DisableMember(ctx, b.admin, "k", b.viewer.UserID, "left the company")
	ok(t, err)
	if made.ApprovalID != 0 || made.Alone {
		t.Errorf("ending an access waits: %+v", made)
	}
	_, err = b.Actor(ctx, b.viewer.UserID, "main")
	refused(t, err, ledger.KindUnauthenticated)
	if _, again, err := b.DisableMember(ctx, b.admin, "k", b.viewer.UserID, "left the company"); err != nil || !again {
		t.Errorf("a double click gives %v, duplicate %v", err, again)
	}

	back, _, err := b.EnableMember(ctx, b.admin, "", b.viewer.UserID, "came back")
	ok(t, err)
	_, err = b.Actor(ctx, b.viewer.UserID, "main")
	refused(t, err, ledger.KindUnauthenticated) // not before another agrees
	_, _, err = b.Decide(ctx, second, "", back.ApprovalID, store.Approved, "")
	ok(t, err)
	_, err = b.Actor(ctx, b.viewer.UserID, "main")
	ok(t, err)

	// One of two administrators cannot become the only one by disabling the other.
	asked, _, err := b.DisableMember(ctx, b.admin, "", second.UserID, "in my way")
	ok(t, err)
	if asked.ApprovalID == 0 {
		t.Fatal("an administrator was disabled at once by the other")
	}
	_, err = b.Actor(ctx, second.UserID, "main")
	ok(t, err)
	_, _, err = b.Decide(ctx, b.admin, "", asked.ApprovalID, store.Approved, "")
	refused(t, err, ledger.KindOwnRequest)
	_, _, err = b.Decide(ctx, second, "", asked.ApprovalID, store.Approved, "I do leave")
	ok(t, err)
	_, err = b.Actor(ctx, second.UserID, "main")
	refused(t, err, ledger.KindUnauthenticated)
}

func TestDisableMember_OfOtherBooksIsNotForOneBookToDecide(t *testing.T) {
	t.Parallel()
	b := setup(t)
	ctx := t.Context()
	other, err := b.AddBook(ctx, "other", "Other book", "EUR")
	ok(t, err)
	ok(t, b.GrantRole(ctx, other, b.viewer.UserID, store.Viewer))
	ok(t, b.GrantRole(ctx, other, b.auditor.UserID, store.Admin))
	for _, who := range []store.Actor{b.viewer, b.auditor} {
		_, _, err = b.DisableMember(ctx, b.admin, "", who.UserID, "out")
		refused(t, err, ledger.KindForbidden)
		_, _, err = b.ResetPassword(ctx, b.admin, "", who.UserID)
		refused(t, err, ledger.KindForbidden)
	}
	ok(t, b.GrantRole(ctx, other, b.admin.UserID, store.Admin))
	_, _, err = b.DisableMember(ctx, b.admin, "", b.viewer.UserID, "out")
	ok(t, err)
	_, _, err = b.DisableMember(ctx, b.admin, "", b.auditor.UserID, "out")
	refused(t, err, ledger.KindForbidden) // an administrator of the other book, where this would need approval
	_, err = b.Member(ctx, b.admin, b.preparer.UserID+1000)
	refused(t, err, ledger.KindNotFound)
}

func TestInvite(t *testing.T) {
	t.Parallel()
	b := setup(t)
	ctx := t.Context()
	second := b.join(t, "second", store.Admin)
	invitation := store.Invitation{Email: "Eva@demo.test", Name: "Eva Maier", Roles: []store.Role{store.Approver}, Reason: "new colleague"}
	invited, _, err := b.Invite(ctx, b.admin, "k", invitation)
	ok(t, err)
	if !invited.New || len(invited.Password) != 19 || invited.ApprovalID == 0 {
		t.Fatalf("invited %+v", invited)
	}
	again, duplicate, err := b.Invite(ctx, b.admin, "k", invitation)
	ok(t, err)
	if !duplicate || again.Password != "" || again.UserID != invited.UserID {
		t.Errorf("a double click gave %+v", again)
	}
	if kept := b.column(t, `SELECT key FROM idempotency_keys WHERE (content::text || receipt::text) LIKE '%`+invited.Password[:9]+`%'`); len(kept) > 0 {
		t.Error("the one-time password is kept with the form's key")
	}
	user, err := b.SignIn(ctx, "eva@demo.test", invited.Password, "::1")
	ok(t, err)
	if !user.PasswordToChange {
		t.Error("the one-time password need not be changed")
	}
	_, err = b.Actor(ctx, user.ID, "main")
	refused(t, err, ledger.KindForbidden) // no role before another approves
	_, _, err = b.Decide(ctx, second, "", invited.ApprovalID, store.Approved, "")
	ok(t, err)
	eva, err := b.Actor(ctx, user.ID, "main")
	ok(t, err)
	if eva.PasswordFrom != 0 {
		t.Error("whom the second administrator has approved cannot approve in turn")
	}

	for _, wrong := range []store.Invitation{
		{Email: "eva@demo.test", Roles: invitation.Roles, Reason: "again"}, {Email: "x", Name: "X", Roles: invitation.Roles, Reason: "x"},
		{Email: "x@demo.test", Name: "X", Reason: "x"}, {Email: "x@demo.test", Name: "X", Roles: []store.Role{"king"}, Reason: "x"},
		{Email: "x@demo.test", Name: "X", Roles: invitation.Roles},
	} {
		_, _, err = b.Invite(ctx, b.admin, "", wrong)
		refused(t, err, ledger.KindInvalid)
	}
	_, err = b.AddUser(ctx, "elsewhere@demo.test", "Else Where", password)
	ok(t, err)
	invited, _, err = b.Invite(ctx, b.admin, "", store.Invitation{Email: "elsewhere@demo.test", Roles: []store.Role{store.Viewer}, Reason: "helps"})
	ok(t, err)
	if invited.New || invited.Password != "" || invited.Name != "Else Where" {
		t.Errorf("who has a login was invited as %+v", invited)
	}
	members, err := b.Members(ctx, b.admin)
	ok(t, err)
	if i := slices.IndexFunc(members, func(m store.Member) bool { return m.Name == "Else Where" }); i < 0 || members[i].RequestID != invited.ApprovalID || len(members[i].Roles) > 0 {
		t.Errorf("the people are %+v", members)
	}
}

func TestNoteSeen_WritesEveryFewMinutes(t *testing.T) {
	t.Parallel()
	b := setup(t)
	seen := func() time.Time {
		viewer, err := b.Actor(t.Context(), b.viewer.UserID, "main")
		ok(t, err)
		ok(t, b.NoteSeen(t.Context(), viewer))
		member, err := b.Member(t.Context(), b.admin, b.viewer.UserID)
		ok(t, err)
		return member.LastSeenAt
	}
	first := seen()
	b.clock.advance(4 * time.Minute)
	if again := seen(); !again.Equal(first) {
		t.Error("being seen is written more often than every five minutes")
	}
	b.clock.advance(time.Minute)
	if later := seen(); !later.Equal(b.clock.now()) {
		t.Errorf("seen %s, last at %s", b.clock.now(), later)
	}
}

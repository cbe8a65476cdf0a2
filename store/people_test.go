package store_test

import (
	"strings"
	"testing"

	"daybook/store"
	"daybook/store/ledger"
)

func TestAddUser(t *testing.T) {
	t.Parallel()
	b := setup(t)

	t.Run("KeepsTheAddressInLowerCase", func(t *testing.T) {
		t.Parallel()
		user, err := b.AddUser(t.Context(), " Eva.Maier@Demo.Test ", "Eva", password)
		ok(t, err)
		found, err := b.UserByEmail(t.Context(), "EVA.maier@demo.test")
		ok(t, err)
		if user.Email != "eva.maier@demo.test" || found.ID != user.ID || found.Name != "Eva" || found.Disabled {
			t.Errorf("added %+v, found %+v", user, found)
		}
	})
	for name, fields := range map[string][3]string{
		"RefusesNoAddress":       {"", "Eva", password},
		"RefusesTwoAddresses":    {"a@b.test, c@d.test", "Eva", password},
		"RefusesSpaces":          {"a b@c.test", "Eva", password},
		"RefusesALongAddress":    {strings.Repeat("a", 250) + "@b.test", "Eva", password},
		"RefusesAnEmptyName":     {"x@demo.test", "  ", password},
		"RefusesALongName":       {"x@demo.test", strings.Repeat("x", 201), password},
		"RefusesAShortPassword":  {"x@demo.test", "Eva", "elevenchars"},
		"RefusesALongPassword":   {"x@demo.test", "Eva", strings.Repeat("x", 1001)},
		"RefusesATakenAddress":   {"Viewer@demo.test", "Eva", password},
		"RefusesControlsInNames": {"x@demo.test", "Eva\x00", password},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			_, err := b.AddUser(t.Context(), fields[0], fields[1], fields[2])
			refused(t, err, ledger.KindInvalid)
		})
	}
}

func TestActor(t *testing.T) {
	t.Parallel()
	b := setup(t)
	ctx := t.Context()
	other, err := b.AddBook(ctx, "other", "Other book", "USD")
	ok(t, err)

	if !b.controller.Can(store.RightPost) || !b.controller.Can(store.RightDecide) || b.controller.Can(store.RightUsers) {
		t.Errorf("the controller has the roles %v", b.controller.Roles)
	}
	_, err = b.Actor(ctx, b.viewer.UserID, "nowhere")
	refused(t, err, ledger.KindNotFound)
	_, err = b.Actor(ctx, b.viewer.UserID, "other")
	refused(t, err, ledger.KindForbidden)
	if !strings.Contains(err.Error(), "read this book") {
		t.Errorf("%v does not say what is missing", err)
	}
	ok(t, b.GrantRole(ctx, other, b.viewer.UserID, store.Approver))
	ok(t, b.GrantRole(ctx, other, b.viewer.UserID, store.Approver))
	memberships, err := b.Memberships(ctx, b.viewer.UserID)
	ok(t, err)
	if len(memberships) != 2 || memberships[0].Book != b.book || memberships[1].Book != other || memberships[1].Roles[0] != store.Approver {
		t.Errorf("memberships: %+v", memberships)
	}
	ok(t, b.RevokeRole(ctx, other, b.viewer.UserID, store.Approver))
	refused(t, b.RevokeRole(ctx, other, b.viewer.UserID, store.Approver), ledger.KindNotFound)
	refused(t, b.GrantRole(ctx, other, b.viewer.UserID, "king"), ledger.KindInvalid)
	refused(t, b.GrantRole(ctx, other, 4711, store.Viewer), ledger.KindNotFound)
	ok(t, b.DisableUser(ctx, b.viewer.UserID))
	_, err = b.Actor(ctx, b.viewer.UserID, "main")
	refused(t, err, ledger.KindUnauthenticated)
	ok(t, b.EnableUser(ctx, b.viewer.UserID))
	_, err = b.Actor(ctx, b.viewer.UserID, "main")
	ok(t, err)
	refused(t, b.DisableUser(ctx, 4711), ledger.KindNotFound)
}

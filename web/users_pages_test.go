package web_test

import (
	"fmt"
	"net/url"
	"regexp"
	"strings"
	"testing"

	"daybook/store"
)

const (
	everyonesPassword = password

	usersPath  = "/settings/users?book=main"
	invitePath = "/settings/users/new?book=main"
)

// userPath is the page of a person, or where something is done to them.
func (b *bundle) userPath(t *testing.T, name string, action ...string) string {
	t.Helper()
	user, err := b.UserByEmail(t.Context(), name+"@demo.test")
	ok(t, err)
	return "/settings/users/" + strings.Join(append([]string{fmt.Sprint(user.ID)}, action...), "/") + "?book=main"
}

// grant makes someone an administrator, by command.
func (b *bundle) grant(t *testing.T, name string, role store.Role) {
	t.Helper()
	user, err := b.UserByEmail(t.Context(), name+"@demo.test")
	ok(t, err)
	ok(t, b.GrantRole(t.Context(), b.book, user.ID, role))
}

// withRoles are the values of a form with these roles ticked.
func withRoles(values url.Values, roles ...string) url.Values {
	values["roles"] = roles
	return values
}

var oneTime = regexp.MustCompile(`[a-z2-7]{4}(-[a-z2-7]{4}){3}`)

func TestUsersAndRolesAreForAdministrators(t *testing.T) {
	t.Parallel()
	b := setup(t)
	for name := range people {
		br := b.browser(t, name)
		for _, path := range []string{usersPath, invitePath, b.userPath(t, "viewer")} {
			answer := br.get(t, path)
			switch name {
			case "admin":
				answer.want(t, 200)
			case "stranger":
				answer.want(t, 403)
			default:
				answer.want(t, 403).says(t, `To manage users and tokens you need the right "users", which the role admin has`, "Your rights in main")
			}
		}
		if name == "admin" {
			continue
		}
		for _, action := range []string{"roles", "disable", "enable", "password"} {
			br.post(t, b.userPath(t, "preparer", action), typed("form", "k", "reason", "x")).want(t, 403)
		}
		br.post(t, invitePath, typed("form", "k")).want(t, 403)
	}
	b.browser(t, "admin").get(t, usersPath).says(t, "This book has one administrator: changes take effect at once", "The admin (you)", "Preparer, approver Asks and decides",
		"The controller may both request and approve. Allowed as rights, refused on each item", "What each role may do", "Upload statements – No Yes – No – No – No")
	b.browser(t, "admin").get(t, "/settings/users/4711?book=main").want(t, 404)
}

func TestAPersonIsInvitedWithAOneTimePasswordAndChoosesAnother(t *testing.T) {
	t.Parallel()
	b := setup(t)
	admin := b.browser(t, "admin")
	form := admin.get(t, invitePath)
	typedIn := withRoles(typed("email", "eva@demo.test", "name", "Eva Maier", "reason", "new here"), "viewer", "preparer")
	admin.submit(t, form, invitePath, withRoles(typed("email", "eva", "name", "Eva"))).want(t, 422).says(t, "Reason is missing")
	wrong := admin.submit(t, form, invitePath, withRoles(typed("email", "eva", "reason", "new here"), "preparer")).want(t, 422).says(t, "is not an e-mail address", "Give a name")
	if kept := wrong.form(t, invitePath); kept.Get("roles") != "preparer" || kept.Get("reason") != "new here" || kept.Get("form") != form.form(t, invitePath).Get("form") {
		t.Errorf("after a refusal the form holds %v", kept)
	}
	shown := admin.submit(t, form, invitePath, typedIn).want(t, 200).says(t, "One-time password of Eva Maier", "This is shown once.", "It took effect at once, as this book has one administrator.")
	password := oneTime.FindString(shown.text(t))
	if password == "" || shown.header.Get("Cache-Control") != "no-store" {
		t.Fatalf("no one-time password, or one to be cached: %s", shown.text(t))
	}
	again := admin.submit(t, form, invitePath, typedIn).want(t, 200).says(t, "This form was sent before.")
	if strings.Contains(again.body, password) || strings.Contains(b.log.String(), password) {
		t.Error("the one-time password is shown twice, or logged")
	}
	admin.submit(t, form, invitePath, withRoles(typed("email", "eve@demo.test", "name", "Eve", "reason", "x"), "viewer")).want(t, 422)

	eva := &browser{b: b, site: "same-origin"}
	led := eva.post(t, "/login", typed("email", "eva@demo.test", "password", password, "next", "/b/main/journal")).want(t, 303)
	choose := eva.get(t, led.location()).want(t, 200).says(t, "Choose a password of your own", "The admin made this one-time password.")
	for _, path := range []string{"/", "/b/main/balances", "/settings/profile", "/b/main/journal/new"} {
		if answer := eva.send(t, "GET", path, "", nil); !strings.HasPrefix(answer.location(), "/login/password?next=") {
			t.Errorf("before another password is chosen, %s answers %d to %s", path, answer.status, answer.location())
		}
	}
	eva.post(t, "/b/main/journal/new", typed("form", "k")).want(t, 401)
	eva.submit(t, choose, "/login/password", typed("password", "a password for eva", "password_again", "another one")).want(t, 422).says(t, "This is not what you typed above")
	eva.submit(t, choose, "/login/password", typed("password", "short", "password_again", "short")).want(t, 422).says(t, "at least 12 characters")
	eva.submit(t, choose, "/login/password", typed("password", password, "password_again", password)).want(t, 422).says(t, "Password is the one-time password")
	chosen := eva.submit(t, choose, "/login/password", typed("password", "a password for eva", "password_again", "a password for eva")).want(t, 303)
	if chosen.location() != "/b/main/journal" {
		t.Errorf("choosing a password leads to %s", chosen.location())
	}
	eva.get(t, "/b/main/journal").want(t, 200).says(t, "Your password is your own now.", "Eva Maier")
	eva.post(t, "/login", typed("email", "eva@demo.test", "password", password)).want(t, 422)
	eva.get(t, "/login/password") // nothing to choose any more: leads on
	b.grant(t, "auditor", store.Auditor)
	b.browser(t, "auditor").get(t, "/b/main/audit").says(t, "The admin Invite person Eva Maier", "The admin Change roles Eva Maier Person eva@demo.test, Before no role, After viewer, preparer, Because new here, At once the book has one administrator",
		"Eva Maier Change password")
}

func TestRolesChangeWhenASecondAdministratorApproves(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.grant(t, "stranger", store.Admin)
	admin, second, approver := b.browser(t, "admin"), b.browser(t, "stranger"), b.browser(t, "approver")
	page, roles := b.userPath(t, "viewer"), b.userPath(t, "viewer", "roles")
	form := admin.get(t, page).want(t, 200).says(t, "A change of role takes effect when a second administrator approves it.", "What The viewer can do here, and why", "Read this book Yes Viewer", "Grant role")
	admin.submit(t, form, roles, withRoles(typed("reason", ""), "viewer", "approver")).want(t, 422).says(t, "Reason is missing")
	admin.submit(t, form, roles, typed("reason", "x")).want(t, 422).says(t, "has this access already")
	asked := admin.submit(t, form, roles, withRoles(typed("reason", "stands in"), "viewer", "approver")).want(t, 303)
	if again := admin.submit(t, form, roles, withRoles(typed("reason", "stands in"), "viewer", "approver")).want(t, 303); again.location() != asked.location() {
		t.Errorf("a double click leads to %s and %s", asked.location(), again.location())
	}
	admin.get(t, asked.location()).want(t, 200).says(t, "The change waits", "A-1: Roles of The viewer", "You requested this; another person must approve.", "Changes nothing.")
	admin.get(t, page).says(t, "A change of this person waits for approval.", "A-1 is decided first.")
	second.post(t, roles, withRoles(typed("form", "other", "from", "viewer", "reason", "x"), "auditor")).want(t, 409).says(t, "waits for approval already")
	approver.get(t, asked.location()).says(t, "Of others, waiting 1", "You cannot decide about this request.", "needs the right “users”")
	if strings.Contains(approver.get(t, "/b/main/journal").text(t), "1 open") {
		t.Error("a request counts for who may not decide it")
	}
	approver.post(t, "/b/main/approvals/1/approve", typed("form", "k")).want(t, 403).says(t, "To manage users and tokens")
	admin.post(t, "/b/main/approvals/1/approve", typed("form", "k")).want(t, 403).says(t, "You requested this")

	open := second.get(t, "/b/main/approvals").want(t, 200).says(t, "For me 1", "Approvals , 1 open", "viewer → viewer, approver", "Then may Approver read this book, request to close and to reopen periods, decide requests",
		"Roles of The viewer viewer viewer Holds", "The admin may ask")
	second.submit(t, open, "/b/main/approvals/1/approve", typed("note", "seen")).want(t, 303)
	second.get(t, asked.location()).says(t, "Approved. The viewer has in this book: viewer, approver.", "Approved by The stranger")
	admin.get(t, page).says(t, "Decide requests Yes Approver", "Approve role change A-1 viewer → viewer, approver", "Request role change A-1")
	admin.submit(t, form, roles, withRoles(typed("form", "late", "reason", "x"), "viewer")).want(t, 409).says(t, "The roles were changed meanwhile, to viewer, approver", "Open this person")

	shown := b.as("viewer").get(t, "/approvals/1").want(t, 200)
	change, _ := shown["role_change"].(map[string]any)
	if shown["kind"] != "role_change" || shown["status"] != "approved" || shown["reversal"] != nil || shown["replacement"] != nil || shown["seq"] != nil || change["email"] != "viewer@demo.test" {
		t.Errorf("the API shows %v", shown)
	}
	b.browser(t, "auditor").get(t, "/b/main/audit").says(t, "The stranger Approve role change The viewer Request 1", "The approver Approve role change Request 1 To manage users")
}

func TestALoginIsDisabledAtOnceAndEnabledByTwo(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.grant(t, "stranger", store.Admin)
	admin, viewer := b.browser(t, "admin"), b.browser(t, "viewer")
	page := b.userPath(t, "viewer")
	admin.submit(t, admin.get(t, page), b.userPath(t, "viewer", "disable"), typed("reason", "")).want(t, 422).says(t, "Reason is missing")
	admin.submit(t, admin.get(t, page), b.userPath(t, "viewer", "disable"), typed("reason", "left")).want(t, 303)
	if answer := viewer.send(t, "GET", "/b/main/journal", "", nil); answer.status == 200 {
		t.Error("a disabled person still reads")
	}
	b.as("viewer").get(t, "/entries").refused(t, "unauthenticated", 401)
	disabled := admin.get(t, page).says(t, "Disabled", "Enable this person", "(disabled: gives nothing now)")
	if strings.Contains(disabled.body, "Reset the password") {
		t.Error("a disabled person is offered a password")
	}
	admin.post(t, b.userPath(t, "viewer", "password"), typed("form", "k")).want(t, 409).says(t, "no password gives access")
	admin.submit(t, disabled, b.userPath(t, "viewer", "enable"), typed("reason", "came back")).want(t, 303)
	second := b.browser(t, "stranger")
	second.submit(t, second.get(t, "/b/main/approvals").says(t, "Enable The viewer"), "/b/main/approvals/1/approve", nil).want(t, 303)
	b.as("viewer").get(t, "/entries").want(t, 200)

	admin.submit(t, admin.get(t, b.userPath(t, "stranger")).says(t, "As this is an administrator, a second one has to approve it."), b.userPath(t, "stranger", "disable"), typed("reason", "in my way")).want(t, 303)
	second.get(t, "/b/main/approvals").want(t, 200).says(t, "Disable The stranger")
	second.submit(t, second.get(t, "/b/main/approvals"), "/b/main/approvals/2/reject", typed("note", "no")).want(t, 303)
	user, err := b.UserByEmail(t.Context(), "stranger@demo.test")
	ok(t, err)
	ok(t, b.RevokeRole(t.Context(), b.book, user.ID, store.Admin))
	admin.submit(t, admin.get(t, b.userPath(t, "admin")), b.userPath(t, "admin", "roles"), withRoles(typed("reason", "rest"), "viewer")).want(t, 422).
		says(t, "The admin is the only active administrator of this book")
}

func TestAPasswordIsResetByAnAdministrator(t *testing.T) {
	t.Parallel()
	b := setup(t)
	admin, viewer := b.browser(t, "admin"), b.browser(t, "viewer")
	reset := b.userPath(t, "viewer", "password")
	form := admin.get(t, b.userPath(t, "viewer"))
	shown := admin.submit(t, form, reset, nil).want(t, 200).says(t, "One-time password of The viewer", "API tokens go on working, but for those made since", "cannot approve what you ask for, nor you what The viewer asks for")
	password := oneTime.FindString(shown.text(t))
	again := admin.submit(t, form, reset, nil).want(t, 200).says(t, "This form was sent before.")
	if password == "" || strings.Contains(again.body, password) {
		t.Errorf("shown %q, and again: %s", password, again.text(t))
	}
	if answer := viewer.send(t, "GET", "/b/main/journal", "", nil); answer.status != 303 {
		t.Errorf("a session of the old password answers %d", answer.status)
	}
	b.as("viewer").get(t, "/entries").want(t, 200)
	viewer.post(t, "/login", typed("email", "viewer@demo.test", "password", password)).want(t, 303)
	viewer.get(t, "/b/main/journal").says(t, "The admin made this one-time password.")
	viewer.post(t, "/login", typed("email", "preparer@demo.test", "password", everyonesPassword)).want(t, 303)
	viewer.get(t, "/b/main/journal").want(t, 200).says(t, "The preparer") // who signs in next is not held up
	if own := admin.get(t, b.userPath(t, "admin")); strings.Contains(own.body, "Reset the password") {
		t.Error("an administrator is offered a one-time password of their own")
	}
	admin.post(t, b.userPath(t, "admin", "password"), typed("form", "k")).want(t, 422)
}

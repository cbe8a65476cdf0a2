package gallery

import (
	"daybook/store/ledger"
	"daybook/templates"
	"daybook/templates/ui"
)

func usersScreens() []Screen {
	alone := users()
	alone.Alone, alone.Rows = true, alone.Rows[2:3]
	waiting, disabled, refused := user(), user(), user()
	waiting.RequestID = 63
	disabled.Disabled, disabled.Name = true, "Lars Oud"
	refused.Alone, refused.Reason, refused.Choices[0].Ticked = true, "", true
	refused.Refused = templates.AccessRefusal{Of: "roles", Errors: []ledger.FieldError{{Field: "reason", Detail: "Reason is missing"}}}
	wrong := invite()
	wrong.Email, wrong.Errors = "maja", []ledger.FieldError{{Field: "email", Detail: "“maja” is not an e-mail address"}, {Field: "roles", Detail: "Choose at least one role"}}
	given := templates.GivenPassword{
		Shell: settings("One-time password"), UserID: 12, Name: "Noor Visser", Email: "noor@kilnandco.example", Password: "bamx-6msq-xtvn-gp2d", Days: 7,
		TakesEffect: "The change waits: it takes effect when a second administrator approves it.", RequestID: 64,
	}
	again := given
	again.Password, again.Again, again.KeepsTokens, again.TakesEffect, again.RequestID = "", true, true, "", 0
	choose := templates.ChoosePassword{By: "Pim Haan", At: at("2026-04-01T08:40:00Z"), Next: "/b/main"}
	differs := choose
	differs.Errors, differs.Theme = []ledger.FieldError{{Field: "password_again", Detail: "This is not what you typed above: type both again"}}, "dark"
	return []Screen{
		{"users", "Users and roles", groupSettings, templates.UsersPage(users())},
		{"users-alone", "Users and roles: one administrator", groupSettings, templates.UsersPage(alone)},
		{"user", "A person of the book", groupSettings, templates.UserPageView(user())},
		{"user-waiting", "A person whose change waits", groupSettings, templates.UserPageView(waiting)},
		{"user-disabled", "A disabled person", groupSettings, templates.UserPageView(disabled)},
		{"user-refused", "A person: a change refused", groupSettings, templates.UserPageView(refused)},
		{"invite", "Invite a user", groupSettings, templates.InviteUserPage(invite())},
		{"invite-refused", "Invite a user, refused", groupSettings, templates.InviteUserPage(wrong)},
		{"given-password", "A one-time password", groupSettings, templates.GivenPasswordPage(given)},
		{"given-password-again", "A one-time password that was shown before", groupSettings, templates.GivenPasswordPage(again)},
		{"choose-password", "Choose a password of one’s own", groupSettings, templates.ChoosePasswordPage(choose)},
		{"choose-password-refused", "Choose a password, refused", groupSettings, templates.ChoosePasswordPage(differs)},
	}
}

// settings is the shell of an administrator.
func settings(title string) templates.Shell {
	s := shell(title, templates.PageSettings)
	s.Nav.MayAdminister = true
	return s
}

func users() templates.Users {
	matrix := []templates.RightGroup{
		{Name: "Read", Rows: []templates.RightRow{{Words: "Read this book", Held: []bool{true, true, true, true, true}}, {Words: "Read the audit log", Held: []bool{false, false, false, true, false}}}},
		{Name: "Prepare", Rows: []templates.RightRow{{Words: "Post entries", Held: []bool{false, true, false, false, false}}}},
		{Name: "Decide", Rows: []templates.RightRow{{Words: "Decide requests", Held: []bool{false, false, true, false, false}}}},
		{Name: "Administer", Rows: []templates.RightRow{{Words: "Manage users and tokens", Held: []bool{false, false, false, false, true}}}},
	}
	return templates.Users{
		Shell: settings("Users and roles"), Matrix: matrix, Roles: []string{"Viewer", "Preparer", "Approver", "Auditor", "Admin"},
		Rows: []templates.UserRow{
			{ID: 1, Name: "Ana Ruiz", Email: "ana@kilnandco.example", Roles: []string{"preparer"}, LastSeen: at("2026-04-01T09:05:00Z")},
			{ID: 2, Name: "Joris Aalbers", Email: "joris@kilnandco.example", Roles: []string{"approver", "admin"}, LastSeen: at("2026-04-01T08:12:00Z")},
			{ID: 6, Name: "Pim Haan", Email: "pim@kilnandco.example", Roles: []string{"admin"}, LastSeen: at("2026-04-01T09:42:00Z"), You: true},
			{ID: 4, Name: "Maja Lind", Email: "maja@kilnandco.example", Roles: []string{"preparer"}, LastSeen: at("2026-04-01T08:50:00Z"), RequestID: 63},
			{ID: 12, Name: "Noor Visser", Email: "noor@kilnandco.example", OneTime: true, RequestID: 64},
			{ID: 5, Name: "Tom de Wit", Email: "tom@kilnandco.example", Roles: []string{"preparer", "approver"}, LastSeen: at("2026-04-01T09:40:00Z"), Both: true},
			{ID: 7, Name: "Lars Oud", Email: "lars@kilnandco.example", Roles: []string{"viewer"}, LastSeen: at("2026-01-14T10:20:00Z"), Disabled: true},
		},
	}
}

func roles() []templates.RoleChoice {
	return []templates.RoleChoice{
		{Role: "viewer", Allows: "Read this book"},
		{Role: "preparer", Allows: "Read this book, post entries, request reversals, upload statements, resolve breaks"},
		{Role: "approver", Allows: "Read this book, decide requests"},
		{Role: "auditor", Allows: "Read this book, read the audit log"},
		{Role: "admin", Allows: "Read this book, open accounts, manage users and tokens"},
	}
}

func user() templates.UserPage {
	choices := roles()
	choices[1].Ticked = true
	return templates.UserPage{
		Shell: settings("Ana Ruiz"), UserRow: users().Rows[0], Choices: choices, From: "preparer", Form: "form-7be2-4a80-b6c4",
		Rights: []templates.RightReason{{Words: "Read this book", Roles: "Preparer"}, {Words: "Read the audit log"}, {Words: "Post entries", Roles: "Preparer"}, {Words: "Decide requests"}},
		History: ui.Timeline{
			{Text: "Approve role change", Detail: "viewer → preparer", At: at("2026-01-12T10:15:00Z"), By: "Joris Aalbers", Ref: ui.Link{Text: "A-3", Href: "/b/main/approvals?id=3"}},
			{Text: "Request role change", Detail: "viewer → preparer. Takes over payments", At: at("2026-01-12T09:40:00Z"), By: "Pim Haan", Ref: ui.Link{Text: "A-3", Href: "/b/main/approvals?id=3"}},
			{Text: "Grant role", Detail: "viewer", At: at("2026-01-02T09:00:00Z"), By: "Operator, by command"},
		},
	}
}

func invite() templates.InviteUser {
	return templates.InviteUser{Shell: settings("Invite a user"), Form: "form-7be2-4a80-b6c4", Choices: roles()}
}

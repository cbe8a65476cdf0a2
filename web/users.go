package web

import (
	"net/http"
	"slices"
	"strings"

	"github.com/labstack/echo/v4"

	"daybook/store"
	"daybook/store/ledger"
	"daybook/templates"
	"daybook/templates/ui"
)

func (s *server) showUsers(c echo.Context, actor store.Actor) error {
	members, err := s.Store.Members(c.Request().Context(), actor)
	if err != nil {
		return err
	}
	shell, err := s.shell(c, actor, heading{title: "Users and roles", page: templates.PageSettings, crumbs: settingsCrumbs("Users and roles")})
	if err != nil {
		return err
	}
	view := templates.Users{Shell: shell, Alone: isAlone(actor, members), Matrix: rightsMatrix()}
	for _, role := range store.Roles {
		view.Roles = append(view.Roles, sentence(string(role)))
	}
	for _, m := range members {
		view.Rows = append(view.Rows, userRow(actor, m))
	}
	return render(c, http.StatusOK, templates.UsersPage(view))
}

// settingsCrumbs are where a page of the settings stands; the first has no page of its own.
func settingsCrumbs(titles ...string) []ui.Link {
	crumbs := []ui.Link{{Text: "Settings"}}
	for _, title := range titles {
		crumbs = append(crumbs, ui.Link{Text: title})
	}
	return crumbs
}

func userRow(actor store.Actor, m store.Member) templates.UserRow {
	return templates.UserRow{
		ID: m.ID, Name: m.Name, Email: m.Email, Roles: roleWords(m.Roles), You: m.ID == actor.UserID, Both: asksAndDecides(m.Roles),
		LastSeen: m.LastSeenAt, Disabled: m.Disabled, OneTime: m.PasswordToChange, RequestID: m.RequestID,
	}
}

// isAlone says that the book has no other administrator than the actor whose access works.
func isAlone(actor store.Actor, members []store.Member) bool {
	return !slices.ContainsFunc(members, func(m store.Member) bool { return m.ID != actor.UserID && administers(m) })
}

func administers(m store.Member) bool {
	return !m.Disabled && slices.ContainsFunc(m.Roles, func(role store.Role) bool { return role.Has(store.RightUsers) })
}

// rightGroups sort the rights as the matrix shows them.
var rightGroups = []struct {
	name   string
	rights []store.Right
}{
	{"Read", []store.Right{store.RightRead, store.RightAudit}},
	{"Prepare", []store.Right{store.RightPost, store.RightRequest, store.RightUpload, store.RightResolve, store.RightPeriods}},
	{"Decide", []store.Right{store.RightDecide}},
	{"Administer", []store.Right{store.RightAccounts, store.RightUsers, store.RightKeys}},
}

func rightsMatrix() []templates.RightGroup {
	var groups []templates.RightGroup
	for _, g := range rightGroups {
		group := templates.RightGroup{Name: g.name}
		for _, right := range g.rights {
			row := templates.RightRow{Words: sentence(right.Allows())}
			for _, role := range store.Roles {
				row.Held = append(row.Held, role.Has(right))
			}
			group.Rows = append(group.Rows, row)
		}
		groups = append(groups, group)
	}
	return groups
}

// roleChoices offers all roles with what they allow.
func roleChoices(ticked []store.Role) []templates.RoleChoice {
	choices := make([]templates.RoleChoice, len(store.Roles))
	for i, role := range store.Roles {
		choices[i] = templates.RoleChoice{Role: string(role), Allows: sentence(allowed(role)), Ticked: slices.Contains(ticked, role)}
	}
	return choices
}

// rolesTyped reads the roles that were ticked.
func rolesTyped(values []string) []store.Role {
	roles := []store.Role{}
	for _, value := range values {
		roles = append(roles, store.Role(value))
	}
	return roles
}

func (s *server) showInvite(c echo.Context, actor store.Actor) error {
	return s.renderInvite(c, actor, templates.InviteUser{Form: c.QueryParam("form"), Choices: roleChoices(nil)}, nil)
}

func (s *server) renderInvite(c echo.Context, actor store.Actor, view templates.InviteUser, refusal *ledger.Error) error {
	members, err := s.Store.Members(c.Request().Context(), actor)
	if err != nil {
		return err
	}
	view.Shell, err = s.shell(c, actor, heading{title: "Invite a user", page: templates.PageSettings, crumbs: usersCrumbs(actor, "Invite a user")})
	if err != nil {
		return err
	}
	view.Alone = isAlone(actor, members)
	if refusal == nil {
		return render(c, http.StatusOK, templates.InviteUserPage(view))
	}
	view.Message, view.Errors = messageOf(refusal), worded(refusal.Fields)
	return s.showAgain(c, refusal, templates.InviteUserPage(view))
}

// usersCrumbs are where a page below the list of users stands.
func usersCrumbs(actor store.Actor, title string) []ui.Link {
	return []ui.Link{{Text: "Settings"}, {Text: "Users and roles", Href: bookView(actor.Book).SettingsURL(templates.SettingsUsers)}, {Text: title}}
}

// inviteUser answers a new person's one-time password itself: a page to be led to would have to get it from somewhere where it was
// kept meanwhile.
func (s *server) inviteUser(c echo.Context, actor store.Actor) error {
	if err := actor.Need(store.RightUsers); err != nil {
		return err
	}
	f, err := readKeyedForm(c)
	if err != nil {
		return err
	}
	invitation := store.Invitation{Email: f.text("email"), Name: f.text("name"), Roles: rolesTyped(f.values["roles"]), Reason: f.text("reason")}
	invited, again, err := s.Store.Invite(c.Request().Context(), actor, f.key(), invitation)
	if refusal, ok := typedWrong(err); ok {
		return s.renderInvite(c, actor, templates.InviteUser{
			Form: freshIfReused(f, refusal), Email: f.raw("email"), Name: f.raw("name"), Reason: f.raw("reason"), Choices: roleChoices(invitation.Roles),
		}, refusal)
	}
	if err != nil {
		return err
	}
	if !invited.New {
		s.tell(c, invited.Name+" has a login already, and keeps name and password. "+effectText(invited.AccessChange))
		return seeOther(c, bookView(actor.Book).SettingsURL(templates.SettingsUsers))
	}
	return s.renderGiven(c, actor, templates.GivenPassword{
		UserID: invited.UserID, Name: invited.Name, Email: invited.Email, Password: invited.Password, Again: again,
		TakesEffect: effectText(invited.AccessChange), RequestID: invited.ApprovalID,
	})
}

// freshIfReused keeps the key of a form that was refused, and gives another to one whose key has settled something else.
func freshIfReused(f *form, refusal *ledger.Error) string {
	if refusal.Kind == ledger.KindKeyReused {
		return newKey()
	}
	return f.key()
}

// effectText says what became of a change of access.
func effectText(change store.AccessChange) string {
	switch {
	case change.ApprovalID != 0:
		return "The change waits: it takes effect when a second administrator approves it."
	case change.Alone:
		return change.Name + " has in this book now: " + change.After.String() + ". It took effect at once, as this book has one administrator."
	}
	return change.Name + " has in this book now: " + change.After.String() + "."
}

func (s *server) renderGiven(c echo.Context, actor store.Actor, view templates.GivenPassword) error {
	shell, err := s.shell(c, actor, heading{title: "One-time password", page: templates.PageSettings, crumbs: usersCrumbs(actor, view.Name)})
	if err != nil {
		return err
	}
	view.Shell, view.Days = shell, store.GivenDays
	return render(c, http.StatusOK, templates.GivenPasswordPage(view))
}

// fromForm are the roles that a form was made with.
func fromForm(words string) []store.Role { return rolesTyped(strings.Fields(words)) }

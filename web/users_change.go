package web

import (
	"net/http"
	"strings"

	"github.com/labstack/echo/v4"

	"daybook/store"
	"daybook/store/ledger"
	"daybook/templates"
	"daybook/templates/ui"
	"daybook/web/api"
)

// typedAccess is what was typed into one of the forms of a person, and why it was refused.
type typedAccess struct {
	of      string
	form    string
	reason  string
	roles   []store.Role
	refused *ledger.Error
}

func (s *server) showUser(c echo.Context, actor store.Actor) error {
	if err := actor.Need(store.RightUsers); err != nil {
		return err
	}
	id, err := api.PathNumber(c, "id", "user")
	if err != nil {
		return err
	}
	return s.renderUser(c, actor, id, typedAccess{form: c.QueryParam("form")})
}

func (s *server) renderUser(c echo.Context, actor store.Actor, id int64, typed typedAccess) error {
	ctx := c.Request().Context()
	members, err := s.Store.Members(ctx, actor)
	if err != nil {
		return err
	}
	member, err := s.Store.Member(ctx, actor, id)
	if err != nil {
		return err
	}
	history, err := s.Store.AccessHistory(ctx, actor, id)
	if err != nil {
		return err
	}
	shell, err := s.shell(c, actor, heading{title: member.Name, page: templates.PageSettings, crumbs: usersCrumbs(actor, member.Name)})
	if err != nil {
		return err
	}
	ticked := member.Roles
	if typed.roles != nil {
		ticked = typed.roles
	}
	view := templates.UserPage{
		Shell: shell, UserRow: userRow(actor, member), Alone: isAlone(actor, members), Administers: administers(member),
		Choices: roleChoices(ticked), From: strings.Join(roleWords(member.Roles), " "), Form: typed.form, Reason: typed.reason,
		Rights: rightReasons(member), History: accessHistory(shell.Book, history),
	}
	if typed.refused == nil {
		return render(c, http.StatusOK, templates.UserPageView(view))
	}
	view.Refused = templates.AccessRefusal{Of: typed.of, Message: messageOf(typed.refused), Errors: worded(typed.refused.Fields)}
	return s.showAgain(c, typed.refused, templates.UserPageView(view))
}

// rightReasons say of each right which of the person's roles give it.
func rightReasons(m store.Member) []templates.RightReason {
	var reasons []templates.RightReason
	for _, group := range rightGroups {
		for _, right := range group.rights {
			var giving []string
			for _, role := range m.Roles {
				if role.Has(right) {
					giving = append(giving, string(role))
				}
			}
			reasons = append(reasons, templates.RightReason{Words: sentence(right.Allows()), Roles: sentence(strings.Join(giving, ", "))})
		}
	}
	return reasons
}

// accessHistory tells the records of the audit log about a person.
func accessHistory(book templates.Book, records []store.AuditRecord) ui.Timeline {
	events := make(ui.Timeline, len(records))
	for i, r := range records {
		events[i] = ui.Event{Text: auditActionText(r.Action), Detail: accessDetail(r), At: r.At, By: auditWho(r)}
		if id, ok := r.Detail["approval_id"].(float64); ok {
			events[i].Ref = ui.Link{Text: templates.NameOfApproval(int64(id)), Href: book.RequestURL(int64(id))}
		}
	}
	return events
}

// accessDetail says what a record changed, and why.
func accessDetail(r store.AuditRecord) string {
	var parts []string
	if before, after := detailText(r.Detail["before"]), detailText(r.Detail["after"]); r.Detail["after"] != nil {
		parts = append(parts, before+" → "+after)
	}
	if role, ok := r.Detail["role"].(string); ok {
		parts = append(parts, role)
	}
	for _, name := range []string{"reason", "at_once", "one_time", "chosen"} {
		if text, ok := r.Detail[name].(string); ok {
			parts = append(parts, sentence(text))
		}
	}
	return strings.Join(parts, ". ")
}

func (s *server) changeRoles(c echo.Context, actor store.Actor) error {
	return s.changeUser(c, actor, "roles", func(id int64, f *form, typed *typedAccess) (store.AccessChange, bool, error) {
		typed.roles = rolesTyped(f.values["roles"])
		return s.Store.ChangeRoles(c.Request().Context(), actor, f.key(), id, fromForm(f.raw("from")), typed.roles, f.text("reason"))
	})
}

func (s *server) disableUser(c echo.Context, actor store.Actor) error {
	return s.changeUser(c, actor, "access", func(id int64, f *form, _ *typedAccess) (store.AccessChange, bool, error) {
		return s.Store.DisableMember(c.Request().Context(), actor, f.key(), id, f.text("reason"))
	})
}

func (s *server) enableUser(c echo.Context, actor store.Actor) error {
	return s.changeUser(c, actor, "access", func(id int64, f *form, _ *typedAccess) (store.AccessChange, bool, error) {
		return s.Store.EnableMember(c.Request().Context(), actor, f.key(), id, f.text("reason"))
	})
}

// changeUser takes one of the forms of a person, and says what became of it.
func (s *server) changeUser(c echo.Context, actor store.Actor, of string, change func(int64, *form, *typedAccess) (store.AccessChange, bool, error)) error {
	if err := actor.Need(store.RightUsers); err != nil {
		return err
	}
	id, err := api.PathNumber(c, "id", "user")
	if err != nil {
		return err
	}
	f, err := readKeyedForm(c)
	if err != nil {
		return err
	}
	book := bookView(actor.Book)
	comeBack(c, "Open this person", book.UserURL(id))
	typed := typedAccess{of: of, reason: f.raw("reason"), form: baseKey(f.key())}
	changed, _, err := change(id, f, &typed)
	if refusal, ok := typedWrong(err); ok {
		typed.refused = refusal
		if refusal.Kind == ledger.KindKeyReused {
			typed.form = newKey()
		}
		return s.renderUser(c, actor, id, typed)
	}
	if err != nil {
		return err
	}
	if changed.ApprovalID != 0 {
		s.tell(c, effectText(changed))
		return seeOther(c, book.RequestURL(changed.ApprovalID))
	}
	s.tell(c, effectText(changed))
	return seeOther(c, book.UserURL(id))
}

// The forms of a person share the key of the address, each with an ending of its own: one sends nothing in the name of another.
const (
	accessKeyEnding   = "-access"
	passwordKeyEnding = "-password"
)

func baseKey(key string) string {
	return strings.TrimSuffix(strings.TrimSuffix(key, accessKeyEnding), passwordKeyEnding)
}

// resetPassword answers the one-time password itself, for the reason of inviteUser.
func (s *server) resetPassword(c echo.Context, actor store.Actor) error {
	if err := actor.Need(store.RightUsers); err != nil {
		return err
	}
	id, err := api.PathNumber(c, "id", "user")
	if err != nil {
		return err
	}
	f, err := readKeyedForm(c)
	if err != nil {
		return err
	}
	comeBack(c, "Open this person", bookView(actor.Book).UserURL(id))
	password, again, err := s.Store.ResetPassword(c.Request().Context(), actor, f.key(), id)
	if refusal, ok := typedWrong(err); ok {
		return s.renderUser(c, actor, id, typedAccess{of: "password", form: freshIfReused(f, refusal), refused: refusal})
	}
	if err != nil {
		return err
	}
	member, err := s.Store.Member(c.Request().Context(), actor, id)
	if err != nil {
		return err
	}
	return s.renderGiven(c, actor, templates.GivenPassword{
		UserID: id, Name: member.Name, Email: member.Email, Password: password, Again: again, KeepsTokens: true,
	})
}

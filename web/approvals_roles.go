package web

import (
	"context"
	"slices"
	"strings"

	"daybook/store"
	"daybook/templates"
)

// roleChangeRow is a change of someone's access in the queue.
func (s *server) roleChangeRow(a store.Approval) templates.ApprovalRow {
	row := s.requestRow(a)
	change := a.RoleChange
	row.Title = "Roles of " + change.Name
	switch {
	case change.After.Disabled && !change.Before.Disabled:
		row.Title = "Disable " + change.Name
	case change.Before.Disabled && !change.After.Disabled:
		row.Title = "Enable " + change.Name
	}
	row.Description = change.Before.String() + " → " + change.After.String()
	return row
}

// fillRoleChange adds what a person would be allowed to do.
func (s *server) fillRoleChange(ctx context.Context, actor store.Actor, a store.Approval, detail *templates.ApprovalDetail) error {
	change := a.RoleChange
	detail.ApprovalRow = s.roleChangeRow(a)
	had, gets := working(change.Before), working(change.After)
	detail.RoleChange = &templates.RoleChangeView{
		Person: change.Name, Email: change.Email, Before: change.Before.String(), After: change.After.String(),
		Added: rolesBeyond(gets, had), Removed: rolesBeyond(had, gets), Both: asksAndDecides(gets),
	}
	if a.Status != store.Pending {
		return nil
	}
	now, err := s.Store.RoleChangeNow(ctx, actor, a)
	detail.Checks = []templates.ApprovalCheck{
		{What: "Roles of " + change.Name, AtRequest: change.Before.String(), Now: now.Access.String(), Holds: change.IsNow(now.Access)},
		{What: a.RequesterName + " may ask", AtRequest: "Administrator", Now: inEither(now.RequesterStillAsks, "Administrator", "No administrator any more"), Holds: now.RequesterStillAsks},
		{What: "Administrators left", AtRequest: "At least one", Now: inEither(now.LeavesAdministrator, "At least one", "None"), Holds: now.LeavesAdministrator},
	}
	return err
}

func inEither(yes bool, one, other string) string {
	if yes {
		return one
	}
	return other
}

// working are the roles that give access: none where the login is disabled.
func working(a store.Access) []store.Role {
	if a.Disabled {
		return nil
	}
	return a.Roles
}

// rolesBeyond are the roles of one list that the other has not, with what they allow.
func rolesBeyond(roles, others []store.Role) []templates.RoleView {
	var beyond []templates.RoleView
	for _, role := range roles {
		if !slices.Contains(others, role) {
			beyond = append(beyond, templates.RoleView{Name: sentence(string(role)), Allows: allowed(role)})
		}
	}
	return beyond
}

// allowed says in words what a role allows: "read this book, decide requests".
func allowed(role store.Role) string {
	var words []string
	for _, right := range store.Rights {
		if role.Has(right) {
			words = append(words, right.Allows())
		}
	}
	return strings.Join(words, ", ")
}

// asksAndDecides says that someone with these roles may request reversals and decide about those of others.
func asksAndDecides(roles []store.Role) bool {
	has := func(right store.Right) bool {
		return slices.ContainsFunc(roles, func(role store.Role) bool { return role.Has(right) })
	}
	return has(store.RightRequest) && has(store.RightDecide)
}

package templates

import (
	"daybook/store/ledger"
	"daybook/templates/ui"
)

// UserPage is one person of the book: their roles, what these allow and why, what was done to them, and the forms for it.
type UserPage struct {
	Shell
	UserRow
	// Alone says that the book has one administrator, Administers that this person is one.
	Alone, Administers bool
	// Choices are all roles; those are ticked that the person has, or that were ticked.
	Choices []RoleChoice
	// From are the roles that the form was made with.
	From    string
	Form    string
	Reason  string
	Refused AccessRefusal
	Rights  []RightReason
	History ui.Timeline
}

// RoleChoice is a role that can be ticked.
type RoleChoice struct {
	Role, Allows string
	Ticked       bool
}

// RightReason is a right in words and the roles that give it; none where the person does not have it.
type RightReason struct{ Words, Roles string }

// AccessRefusal says why a form was refused: which ("roles", "access" or "password") and with which words.
type AccessRefusal struct {
	Of      string
	Message string
	Errors  []ledger.FieldError
}

func (v UserPage) askText() string {
	if v.Alone {
		return "Change the roles"
	}
	return "Ask for this change"
}

// of gives the refusal of one form, and none for the others.
func (r AccessRefusal) of(form string) AccessRefusal {
	if r.Of != form {
		return AccessRefusal{}
	}
	return r
}

// switchAction is what the other form does with the login.
func (v UserPage) switchAction() string {
	if v.Disabled {
		return "enable"
	}
	return "disable"
}

func (v UserPage) switchText() string { return sentence(v.switchAction()) + " this person" }

func (v UserPage) switchHint() string {
	switch {
	case v.Disabled && v.Alone:
		return "Gives the access back that the roles allow, in every book."
	case v.Disabled:
		return "Gives the access back that the roles allow, in every book, when a second administrator approves it."
	case v.Administers && !v.Alone:
		return "Ends all access, by password and by token, in every book. As this is an administrator, a second one has to approve it."
	}
	return "Ends all access, by password and by token, in every book, at once. What was done stays on record."
}

// reasonOf is what was typed as the reason in one of the forms.
func (v UserPage) reasonOf(form string) string {
	if v.Refused.Of != form {
		return ""
	}
	return v.Reason
}

package templates

// RoleChangeView is a change of what a person may do in the book.
type RoleChangeView struct {
	Person, Email string
	// Before and After are the access in words: "viewer", "viewer, approver".
	Before, After string
	// Added are the roles that the person would get, or the rights they would get back, Removed those they would lose.
	Added, Removed []RoleView
	// Both says that the person could then request and decide.
	Both bool
}

// RoleView is a role with what it allows, in words.
type RoleView struct{ Name, Allows string }

package store

import (
	"slices"
	"time"

	"daybook/store/ledger"
)

// Right is one thing that a person may do in a book.
type Right string

// The rights. Every role includes reading.
const (
	RightRead     Right = "read"
	RightPost     Right = "post"
	RightRequest  Right = "request"
	RightUpload   Right = "upload"
	RightResolve  Right = "resolve"
	RightPeriods  Right = "periods"
	RightDecide   Right = "decide"
	RightAudit    Right = "audit"
	RightAccounts Right = "accounts"
	RightUsers    Right = "users"
	RightKeys     Right = "keys"
)

// Role is a named set of rights; a person may hold several in a book.
type Role string

// The roles.
const (
	Viewer   Role = "viewer"
	Preparer Role = "preparer"
	Approver Role = "approver"
	Auditor  Role = "auditor"
	Admin    Role = "admin"
)

// Roles lists the roles in the order in which they are shown.
var Roles = []Role{Viewer, Preparer, Approver, Auditor, Admin}

// rightsOf says what each role may do.
var rightsOf = map[Role][]Right{
	Viewer:   {RightRead},
	Preparer: {RightRead, RightPost, RightRequest, RightUpload, RightResolve, RightPeriods},
	Approver: {RightRead, RightPeriods, RightDecide},
	Auditor:  {RightRead, RightAudit},
	Admin:    {RightRead, RightUsers, RightAccounts, RightKeys},
}

// allows says in words what a right allows, for the message of a refusal.
var allows = map[Right]string{
	RightRead:     "read this book",
	RightPost:     "post entries",
	RightRequest:  "request reversals",
	RightUpload:   "upload statements",
	RightResolve:  "resolve breaks",
	RightPeriods:  "request to close and to reopen periods",
	RightDecide:   "decide requests",
	RightAudit:    "read the audit log and export the book",
	RightAccounts: "open and change accounts",
	RightUsers:    "manage users and tokens",
	RightKeys:     "release stuck keys and set how long keys are kept",
}

// Rights lists the rights in the order in which they are shown.
var Rights = []Right{RightRead, RightAudit, RightPost, RightRequest, RightUpload, RightResolve, RightPeriods, RightDecide, RightAccounts, RightUsers, RightKeys}

// Allows says in words what the right allows: "post entries".
func (r Right) Allows() string { return allows[r] }

// Has reports whether a right is one of the role's.
func (r Role) Has(right Right) bool { return slices.Contains(rightsOf[r], right) }

// rolesWith are the roles that have a right.
func rolesWith(right Right) (holders array[string]) {
	for _, role := range Roles {
		if role.Has(right) {
			holders = append(holders, string(role))
		}
	}
	return holders
}

// Actor is who acts, in which book, from where. Request and Address are for the audit log.
type Actor struct {
	UserID int64
	Email  string
	Name   string
	Book   Book
	Roles  []Role
	// Preferences are how a person wants pages to look; a token has none.
	Preferences Preferences
	// Elsewhere are the other books in which the person has a role.
	Elsewhere []Book
	// PasswordFrom is who made the person's password in the last days, 0 for nobody: whoever did could act as them.
	PasswordFrom int64
	// Only narrows the rights of the roles, where a token does so; nil does not.
	Only    []Right
	Request string
	Address string

	lastSeen   time.Time
	remembered *remembrance // nil for who does not act by a token
}

// Can reports whether the actor has a right in its book.
func (a Actor) Can(right Right) bool {
	if a.Only != nil && right != RightRead && !slices.Contains(a.Only, right) {
		return false
	}
	return slices.ContainsFunc(a.Roles, func(role Role) bool { return slices.Contains(rightsOf[role], right) })
}

// Need refuses an actor without the right as KindForbidden, and says which right and which roles have it. Use cases ask by
// themselves; others ask who must say so before they look at anything else.
func (a Actor) Need(right Right) error {
	if a.Can(right) {
		return nil
	}
	var holders []Role
	for _, role := range Roles {
		if slices.Contains(rightsOf[role], right) {
			holders = append(holders, role)
		}
	}
	return ledger.Refuse(ledger.KindForbidden, "to %s you need the right %q, which the role %s has; ask an admin of the book", allows[right], right, join(holders)).
		With("right", string(right))
}

func join(roles []Role) string {
	text := ""
	for i, role := range roles {
		if i > 0 {
			text += " or "
		}
		text += string(role)
	}
	return text
}

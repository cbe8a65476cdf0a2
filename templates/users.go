package templates

import (
	"strconv"
	"strings"
	"time"

	"daybook/store/ledger"
	"daybook/templates/ui"
)

// Users are the people of a book with their roles, and what each role may do.
type Users struct {
	Shell
	Rows   []UserRow
	Matrix []RightGroup
	// Roles are the columns of the matrix.
	Roles []string
	// Alone says that the book has one administrator, so that changes take effect at once.
	Alone bool
}

// UserRow is a person of the book. RequestID is a request about them that waits, 0 for none.
type UserRow struct {
	ID          int64
	Name, Email string
	Roles       []string
	You         bool
	// Both says that they may request and decide.
	Both     bool
	LastSeen time.Time
	Disabled bool
	// OneTime says that they have not yet chosen a password of their own.
	OneTime   bool
	RequestID int64
}

// RightGroup are rights of one sort.
type RightGroup struct {
	Name string
	Rows []RightRow
}

// RightRow is a right in words; Held says of each column whether that role has it.
type RightRow struct {
	Words string
	Held  []bool
}

// UserURL is the page of a person of the book, or what is done to them: UserURL(4, "roles").
func (b Book) UserURL(id int64, action ...string) string {
	return b.SettingsURL(strings.Join(append([]string{SettingsUsers, strconv.FormatInt(id, 10)}, action...), "/"))
}

func (v Users) lead() string { return accessLead(v.Book, v.Alone) }

// accessLead says when a change of roles takes effect.
func accessLead(book Book, alone bool) string {
	if alone {
		return "Book " + book.Slug + ". This book has one administrator: changes take effect at once, and the audit log says so."
	}
	return "Book " + book.Slug + ". A change of role takes effect when a second administrator approves it."
}

func (r UserRow) roles() string {
	if len(r.Roles) == 0 {
		return "None yet"
	}
	return sentence(strings.Join(r.Roles, ", "))
}

func (r UserRow) status() ui.Chip {
	switch {
	case r.Disabled:
		return ui.Chip{Text: "Disabled", Icon: "circle-minus"}
	case len(r.Roles) == 0:
		return ui.Chip{Text: "Invited", Icon: "clock"}
	}
	return ui.Chip{Text: "Active", Tone: ui.OK}
}

func (r UserRow) waits(book Book) ui.Chip {
	if r.RequestID == 0 {
		return ui.Chip{}
	}
	return ui.Chip{Text: NameOfApproval(r.RequestID) + " waits", Tone: ui.Warn, Icon: "clock", Href: book.RequestURL(r.RequestID)}
}

// both names those who may request and decide.
func (v Users) both() (names []string) {
	for _, r := range v.Rows {
		if r.Both && !r.Disabled {
			names = append(names, r.Name)
		}
	}
	return names
}

func (v Users) bothSentence() string {
	names := v.both()
	last := len(names) - 1
	if last == 0 {
		return names[0] + " may both request and approve. Allowed as rights, refused on each item: nobody approves their own request."
	}
	return strings.Join(names[:last], ", ") + " and " + names[last] + " may each both request and approve. Allowed as rights, refused on each item: nobody approves their own request."
}

// InviteUser is the form with which a person is given roles in the book.
type InviteUser struct {
	Shell
	Alone               bool
	Form                string
	Email, Name, Reason string
	Choices             []RoleChoice
	Message             string
	Errors              []ledger.FieldError
}

// GivenPassword shows a one-time password, once. Again says that the form was sent before, so that it cannot be shown.
type GivenPassword struct {
	Shell
	UserID      int64
	Name, Email string
	Password    string
	Again       bool
	// Days is how long it can be used.
	Days int
	// TakesEffect says what became of the roles of an invited person, and RequestID which request waits.
	TakesEffect string
	RequestID   int64
	// KeepsTokens says that the person had a login before.
	KeepsTokens bool
}

func (v GivenPassword) title() string { return "One-time password of " + v.Name }

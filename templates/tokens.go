package templates

import (
	"strconv"
	"strings"
	"time"

	"daybook/store/ledger"
	"daybook/templates/ui"
)

// Tokens are those of the reader in a book and, for an administrator, those of everyone.
type Tokens struct {
	Shell
	Rows []TokenRow
	// Everyone says that the tokens of others are in the list.
	Everyone bool
}

// TokenRow is a token, without its text. LastDay is the last day on which it works, zero for ever.
type TokenRow struct {
	ID                  int64
	Name                string
	Person              string
	Mine                bool
	Rights              []string
	CreatedAt, LastUsed time.Time
	LastDay             ledger.Date
	Expired             bool
	RevokedAt           time.Time
}

// TokenURL is where something is done to a token: TokenURL(4, "revoke").
func (b Book) TokenURL(id int64, action string) string {
	return b.SettingsURL(SettingsTokens + "/" + strconv.FormatInt(id, 10) + "/" + action)
}

func (v Tokens) lead() string {
	if v.Everyone {
		return "Programs act as a person through a token, in book " + v.Book.Slug + ". As an administrator you see and may revoke those of everyone."
	}
	return "Programs act as you through a token, in book " + v.Book.Slug + ". Each can do at most what you may do."
}

func (r TokenRow) rights() string {
	if r.Rights == nil {
		return "All of the person"
	}
	return sentence(strings.Join(append([]string{"read"}, r.Rights...), ", "))
}

func (r TokenRow) works() bool { return r.RevokedAt.IsZero() && !r.Expired }

func (r TokenRow) status() ui.Chip {
	switch {
	case !r.RevokedAt.IsZero():
		return ui.Chip{Text: "Revoked", Icon: "circle-minus"}
	case r.Expired:
		return ui.Chip{Text: "Expired", Icon: "clock"}
	}
	return ui.Chip{Text: "Works", Tone: ui.OK}
}

// NewToken is the form for a token. The rights to choose from are those of the reader.
type NewToken struct {
	Shell
	Form          string
	Name, Expires string
	Rights        []RightChoice
	Message       string
	Errors        []ledger.FieldError
}

// RightChoice is a right that can be ticked.
type RightChoice struct {
	Right, Words string
	Ticked       bool
}

// MadeToken shows the text of a token, once. Again says that the form was sent before, so that it cannot be shown.
type MadeToken struct {
	Shell
	Name  string
	Text  string
	Again bool
	// Address is that of something the token can read.
	Address string
}

func (v MadeToken) example() string {
	return `curl -H "Authorization: Bearer $DAYBOOK_TOKEN" ` + v.Address
}

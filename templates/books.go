package templates

import (
	"strings"

	"daybook/store/ledger"
)

// Books are those in which the reader has a role, and what is set for the one that is open.
type Books struct {
	Shell
	Rows    []BookRow
	Limit   AdjustmentLimit
	Message string
	Errors  []ledger.FieldError
}

// BookRow is a book with the reader's roles in it.
type BookRow struct {
	Book
	Roles   []string
	Current bool
}

func (r BookRow) roles() string { return sentence(strings.Join(r.Roles, ", ")) }

// AdjustmentLimit is the largest adjusting entry that needs no second person, and what was typed over it.
type AdjustmentLimit struct {
	Minor     int64
	Typed     string
	Form      string
	MayChange bool
}

func (v Books) limitText() string {
	amount := v.Format.Amount(v.Limit.Minor, v.Book.Currency) + " " + v.Book.Currency
	if v.Limit.Minor == 0 {
		return "Every entry that settles a break waits for another person, and matching rules book nothing."
	}
	return "An entry that settles a break, and what matching rules book, is posted at once up to " + amount + ". What is more waits for another person, or stays a break. On an account in another currency everything waits."
}

package templates

import (
	"daybook/store/ledger"
	"daybook/templates/ui"
)

// StatementFollows is how a statement follows the one before it. Differs is the balance before its new lines less the closing before, nil
// where nobody can tell.
type StatementFollows struct {
	Href                 string // of the reconciliation of the statement before
	To                   ledger.Date
	GapDays, OverlapDays int
	Differs              *int64
}

// holds says that nothing can be missing between the two.
func (f StatementFollows) holds() bool {
	return f.Differs != nil && *f.Differs == 0 || f.Differs == nil && f.GapDays == 0
}

// days says how the days of both go together.
func (f StatementFollows) days(format ui.Format) string {
	switch {
	case f.GapDays > 0:
		return format.Plural(f.GapDays, "day lies", "days lie") + " between it and "
	case f.OverlapDays > 0:
		return format.Plural(f.OverlapDays, "day is", "days are") + " shared with "
	}
	return "It follows without a gap "
}

// balance says how the balances of both go together.
func (f StatementFollows) balance() string {
	switch {
	case f.Differs == nil:
		return ". Its balances do not say whether anything is missing between the two."
	case *f.Differs == 0:
		return ". Its opening equals the closing of that one: nothing is missing between the two."
	}
	return ". Its opening differs from the closing of that one: a file may be missing between the two, or hold rows that this one lacks. It differs by "
}

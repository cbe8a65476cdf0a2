package templates

import (
	"strconv"
	"strings"
	"time"

	"daybook/store/ledger"
	"daybook/templates/ui"
)

// Upload is the form that takes a statement file in, and why the last one was refused.
type Upload struct {
	Shell
	Form     string
	Accounts []ui.Option
	Account  string
	// MoreAccounts says that some are not among Accounts.
	MoreAccounts bool
	PeriodFrom   string
	PeriodTo     string
	LimitMB      int
	// Waiting are the reader's files that were read and not stored yet.
	Waiting []WaitingDraft
	Refusal *StatementRefusal
	Message string
	Errors  []ledger.FieldError
}

// WaitingDraft is a file that waits to be looked at and stored.
type WaitingDraft struct {
	ID                int64
	Account, FileName string
	Since             time.Time
}

// StatementRefusal says why nothing of a file can be stored, or not yet. Row is 0 where no row is to blame, Raw what stands there.
type StatementRefusal struct {
	FileName   string
	ErrorClass string
	Row        int
	Detail     string
	Raw        string
	// Waiting says that the file is still there, and its settings can be changed.
	Waiting bool
}

// refusals says for each class of error what is doubtful about a statement file and what settles it.
var refusals = map[string]struct{ title, advice string }{
	"ambiguous_decimal":   {"its amounts can be read in two ways", "Say under “Change the format” which mark stands before the cents."},
	"ambiguous_sign":      {"it does not say whether its amounts are money in or out", "Answer the question below."},
	"ambiguous_date":      {"its dates can be read in two ways", "Say under “Change the format” how they are written."},
	"inconsistent_date":   {"its dates are not all written alike", "Correct the row in a copy of the file, or export it again from the bank."},
	"missing_year":        {"its dates have no year", "Say from which day to which the file goes."},
	"missing_currency":    {"it does not say its currency", "Say the currency under “Change the format”."},
	"multiple_accounts":   {"it holds more than one account", "Say which one to read, and upload the file once for each account."},
	"multiple_currencies": {"it holds more than one currency", "Say which one to read, and upload the file once for each account."},
	"malformed_csv":       {"it cannot be read as a statement", "Export it again from the bank, without opening it in another program."},
	"empty_file":          {"it holds no line", "Check the period that was chosen at the bank and export it again."},
	"balance_mismatch":    {"its balances do not add up", "A row is missing or was changed, or is not what it was taken for. Check how it is read, or export the file again from the bank."},
	"unsupported_message": {"its format is not read", "Export it as CSV, camt.053, MT940, OFX or BAI2."},
	// What the account or the book has against it.
	string(ledger.KindInvalid):          {"it has a line outside the period", "Correct the period under “Change the format”."},
	string(ledger.KindCurrencyMismatch): {"it is in another currency than the account", ""},
	string(ledger.KindClosedAccount):    {"its account is closed", "Choose another account."},
}

// refusalTitle completes the sentence “file was not stored: …”.
func refusalTitle(errorClass string) string {
	if r, ok := refusals[errorClass]; ok {
		return r.title
	}
	return "it cannot be read"
}

// advice says what to do about it. A file that waits can be mapped by hand.
func (r StatementRefusal) advice() string {
	if r.Waiting && r.ErrorClass == "balance_mismatch" {
		return refusalAdvice(r.ErrorClass) + " If the bank has nothing better, it can be stored with a reason."
	}
	if r.Waiting && r.ErrorClass == "malformed_csv" {
		return "Choose the columns of date and amount below. If there is no table at all, export the file again from the bank as CSV."
	}
	return refusalAdvice(r.ErrorClass)
}

// names reports whether the detail names the row by itself.
func (r StatementRefusal) names() bool {
	return strings.Contains(strings.ToLower(r.Detail), "row "+strconv.Itoa(r.Row))
}

// refusalAdvice says what settles a class of error.
func refusalAdvice(errorClass string) string {
	if r, ok := refusals[errorClass]; ok {
		return r.advice
	}
	return "Choose the columns below, or export it again from the bank as CSV."
}

// detail is what the reader says, without the names that only the API knows.
func (r StatementRefusal) detail() string { return withoutHints(r.Detail) }

// withoutHints takes the names of hints out of what the reader says of a file; the page asks in words instead.
func withoutHints(said string) string {
	for {
		before, rest, found := strings.Cut(said, " (hint")
		_, after, closed := strings.Cut(rest, ")")
		if !found || !closed {
			return said
		}
		said = before + after
	}
}

func (v Upload) accountHint() string {
	if v.MoreAccounts {
		return "The account in the journal that the bank keeps for you. One that is not in the list: open its page and choose Reconcile"
	}
	return "The account in the journal that the bank keeps for you"
}

func (v Upload) accountOptions() []ui.Option {
	return append([]ui.Option{{Value: "", Text: "Choose an account"}}, v.Accounts...)
}

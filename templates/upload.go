package templates

import (
	"daybook/store/ledger"
	"daybook/templates/ui"
)

// Upload is the form that sends a statement file, and why the last one was refused.
type Upload struct {
	Shell
	Form         string
	Accounts     []ui.Option
	Account      string
	PeriodFrom   string
	PeriodTo     string
	Hints        []string
	LimitMB      int
	Refusal      *StatementRefusal
	Message      string
	Errors       []ledger.FieldError
	MissingRight string
}

// StatementRefusal says why nothing of a file was stored. Row is 0 where no row is to blame.
type StatementRefusal struct {
	FileName   string
	ErrorClass string
	Row        int
	Detail     string
	Rejects    []StatementFileRow
}

// refusals says for each class of error what is doubtful about a statement file and which hint settles it.
var refusals = map[string]struct{ title, advice string }{
	"ambiguous_decimal":   {"its amounts can be read in two ways", "Say which sign separates the decimals: decimal=, or decimal=.."},
	"ambiguous_date":      {"its dates can be read in two ways", "Say how dates are written: date_format=dd/mm/yyyy or date_format=mm/dd/yyyy."},
	"inconsistent_date":   {"its dates are not all written alike", "Correct the row in a copy of the file, or export it again from the bank."},
	"missing_year":        {"its dates have no year", "Say the period: period_start=2026-03-01 and period_end=2026-03-31."},
	"multiple_accounts":   {"it holds more than one account", "Say which account to read: account=NL12…, as the file writes it. Upload it once for each account."},
	"multiple_currencies": {"it holds more than one currency", "Say which currency to read: currency=EUR. Upload it once for each account."},
	"malformed_csv":       {"it is not a regular table", "Export it again from the bank as CSV, without opening it in a spreadsheet."},
	"empty_file":          {"it holds no line", "Check the period that was chosen at the bank and export it again."},
	"balance_mismatch":    {"its balances do not add up", "A row is missing or was changed. Export it again from the bank."},
	"unsupported_message": {"its format is not read", "Export it as CSV."},
}

// refusalTitle completes the sentence “file was not stored: …”.
func refusalTitle(errorClass string) string {
	if r, ok := refusals[errorClass]; ok {
		return r.title
	}
	return "it cannot be read"
}

// refusalAdvice says what to do about it.
func refusalAdvice(errorClass string) string {
	if r, ok := refusals[errorClass]; ok {
		return r.advice
	}
	return "Tell below how to read it, or export it again from the bank as CSV."
}

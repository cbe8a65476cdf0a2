package templates

import (
	"regexp"
	"slices"
	"strings"

	"daybook/store/ledger"
	"daybook/templates/ui"
)

// Upload is the form that sends a statement file, and why the last one was refused.
type Upload struct {
	Shell
	Form       string
	Accounts   []ui.Option
	Account    string
	PeriodFrom string
	PeriodTo   string
	Hints      []string
	LimitMB    int
	Refusal    *StatementRefusal
	Message    string
	Errors     []ledger.FieldError
}

// StatementRefusal says why nothing of a file was stored. Row is 0 where no row is to blame.
type StatementRefusal struct {
	FileName   string
	ErrorClass string
	Row        int
	Detail     string
	Rejects    []StatementFileRow
}

// refusals says for each class of error what is doubtful about a statement file and what settles it.
var refusals = map[string]struct{ title, advice string }{
	"ambiguous_decimal":   {"its amounts can be read in two ways", "Choose below how they are meant."},
	"ambiguous_date":      {"its dates can be read in two ways", "Choose below how they are meant."},
	"inconsistent_date":   {"its dates are not all written alike", "Correct the row in a copy of the file, or export it again from the bank."},
	"missing_year":        {"its dates have no year", "Say below, as hints, from which day to which the file goes."},
	"multiple_accounts":   {"it holds more than one account", "Say below, as a hint, which account to read. Upload the file once for each account."},
	"multiple_currencies": {"it holds more than one currency", "Say below, as a hint, which currency to read. Upload the file once for each account."},
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

// hintCodes are the names of hints in what the reader says of a file; the page asks in words instead.
var hintCodes = regexp.MustCompile(` \(hints? [^)]*\)`)

// detail is what the reader says, without what the form asks for itself.
func (r StatementRefusal) detail() string {
	said := hintCodes.ReplaceAllString(r.Detail, "")
	if _, asked := doubtOf(r.ErrorClass); asked {
		said, _, _ = strings.Cut(said, " Say which")
	}
	return said
}

// doubt is a question that a file can leave open. Its answers are hints, in words.
type doubt struct {
	class, id, label string
	answers          []ui.Option
}

var allDoubts = []doubt{
	{"ambiguous_date", "hint-dates", "How its dates are meant", []ui.Option{
		{Value: "date_format=dd/mm/yyyy", Text: "31/03/2026: day first"}, {Value: "date_format=mm/dd/yyyy", Text: "03/31/2026: month first"},
	}},
	{"ambiguous_decimal", "hint-decimals", "How its amounts are meant", []ui.Option{
		{Value: "decimal=.", Text: "1,234.56: a point before the cents"}, {Value: "decimal=,", Text: "1.234,56: a comma before the cents"},
	}},
}

func doubtOf(errorClass string) (doubt, bool) {
	i := slices.IndexFunc(allDoubts, func(d doubt) bool { return d.class == errorClass })
	if i < 0 {
		return doubt{}, false
	}
	return allDoubts[i], true
}

// answer is the hint among those given that answers the doubt, "" for none.
func (d doubt) answer(hints []string) string {
	for _, hint := range hints {
		if slices.ContainsFunc(d.answers, func(o ui.Option) bool { return o.Value == hint }) {
			return hint
		}
	}
	return ""
}

// doubts are the questions to ask: the one that the file was refused for, and those answered before.
func (v Upload) doubts() []doubt {
	var asked []doubt
	for _, d := range allDoubts {
		if d.answer(v.Hints) != "" || (v.Refusal != nil && v.Refusal.ErrorClass == d.class) {
			asked = append(asked, d)
		}
	}
	return asked
}

// freeHints are those that answer none of the questions.
func (v Upload) freeHints() []string {
	return slices.DeleteFunc(slices.Clone(v.Hints), func(hint string) bool {
		return slices.ContainsFunc(v.doubts(), func(d doubt) bool { return d.answer(v.Hints) == hint })
	})
}

// hintLines are the free ones and room for more, three to a row of the grid. There is no button for another line: without
// a script it would lose the chosen file.
func (v Upload) hintLines() []string {
	lines := v.freeHints()
	for typed := len(lines); len(lines) < max(6, typed+3) || len(lines)%3 != 0; {
		lines = append(lines, "")
	}
	return lines
}

// hintsOpen shows the lines for hints at once where there are some, or where the file may need one.
func (v Upload) hintsOpen() bool {
	return len(v.freeHints()) > 0 || ui.ErrorOf(v.Errors, "hint") != "" || (v.Refusal != nil && len(v.doubts()) == 0)
}

func (v Upload) accountOptions() []ui.Option {
	return append([]ui.Option{{Value: "", Text: "Choose an account"}}, v.Accounts...)
}

package templates

import (
	"strings"
	"testing"

	"github.com/a-h/templ"

	"daybook/templates/ui"
)

func rendered(t *testing.T, page templ.Component) string {
	t.Helper()
	var b strings.Builder
	if err := page.Render(t.Context(), &b); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func TestAPageNamesNoHint(t *testing.T) {
	t.Parallel()
	r := StatementRefusal{FileName: "a.csv", ErrorClass: "missing_year", Detail: "The dates have no year (row 2). Say the period of the statement (hints period_start and period_end), please (hint x)."}
	html := rendered(t, statementRefusal(r))
	if !strings.Contains(html, "Say the period of the statement, please.") || strings.Contains(html, "hint") {
		t.Errorf("the page says %s", html)
	}
	if open := withoutHints("left open (hint x"); open != "left open (hint x" {
		t.Errorf("a text without an end became %q", open)
	}
}
func TestEveryErrorClassOfAFileHasATitleAndAdvice(t *testing.T) {
	t.Parallel()
	for _, class := range []string{
		"missing_currency",
		"ambiguous_decimal", "ambiguous_date", "inconsistent_date", "missing_year", "multiple_accounts", "multiple_currencies",
		"malformed_csv", "empty_file", "balance_mismatch", "unsupported_message",
	} {
		if refusals[class].title == "" || refusals[class].advice == "" {
			t.Errorf("nothing is said about %s", class)
		}
	}
	if refusalTitle("new_class") == "" || refusalAdvice("new_class") == "" {
		t.Error("an unknown class leaves the reader alone")
	}
}

func TestTheRowsOfAFileAreToldInASentence(t *testing.T) {
	t.Parallel()
	for want, rows := range map[string]RowCounts{
		"80 lines stored.": {New: 80},
		"1 line stored, 2 known, 1 rejected: see “Other rows of the file”.": {New: 1, Known: 2, Rejected: 1},
		"0 lines stored, 3 skipped: see “Other rows of the file”.":          {Skipped: 3},
	} {
		if got := rows.Sentence(ui.Format{}); got != want {
			t.Errorf("%+v is told as %q", rows, got)
		}
	}
}

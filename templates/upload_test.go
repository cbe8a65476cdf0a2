package templates

import (
	"strings"
	"testing"

	"daybook/templates/ui"
)

func TestADoubtfulFileIsAskedForInWords(t *testing.T) {
	t.Parallel()
	v := Upload{Accounts: []ui.Option{{Value: "1010", Text: "1010 Bank"}}, Hints: []string{"encoding=windows-1252"}, Refusal: &StatementRefusal{FileName: "march.csv", ErrorClass: "ambiguous_date", Row: 6}}
	v.Refusal.Detail = "One of them is 3 April or 4 March. Say which (hint date_format=dd/mm/yyyy or mm/dd/yyyy)."
	var page strings.Builder
	if err := UploadPage(v).Render(t.Context(), &page); err != nil {
		t.Fatal(err)
	}
	html := page.String()
	for _, want := range []string{"One of them is 3 April or 4 March.</p>", "31/03/2026: day first", `value="date_format=dd/mm/yyyy"`, `value="encoding=windows-1252"`} {
		if !strings.Contains(strings.Join(strings.Fields(html), " "), want) && !strings.Contains(html, want) {
			t.Errorf("the page lacks %q", want)
		}
	}
	v.Refusal, v.Hints = nil, []string{"decimal=,", "encoding=windows-1252"}
	if asked := v.doubts(); len(asked) != 1 || asked[0].answer(v.Hints) != "decimal=," || len(v.freeHints()) != 1 {
		t.Errorf("an answer is not kept: %+v and %q", asked, v.freeHints())
	}
}

func TestEveryErrorClassOfAFileHasATitleAndAdvice(t *testing.T) {
	t.Parallel()
	for _, class := range []string{
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
		if got := rows.Sentence(); got != want {
			t.Errorf("%+v is told as %q", rows, got)
		}
	}
}

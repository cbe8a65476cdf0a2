package statement_test

import (
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"daybook/recon/statement"
	"daybook/store/ledger"
)

// expectation is an expect.json: the right answer for the statement beside it.
type expectation struct {
	Currency     *string                    `json:"currency"`
	Account      *string                    `json:"account"`
	OpeningMinor *int64                     `json:"opening_minor"`
	ClosingMinor *int64                     `json:"closing_minor"`
	Hints        map[string]json.RawMessage `json:"hints"`
	Lines        []expectedLine             `json:"lines"`
	Rejects      []expectedReject           `json:"rejects"`
	Outcome      string                     `json:"outcome"`
	ErrorClass   *string                    `json:"error_class"`
	Skipped      *int                       `json:"skipped"` // in our own cases
}

type expectedLine struct {
	Date        string `json:"date"`
	AmountMinor int64  `json:"amount_minor"`
	Currency    string `json:"currency"`
	Reference   string `json:"reference"`
	Description string `json:"description"`
}

type expectedReject struct {
	Row    int              `json:"row"`
	Reason statement.Reason `json:"reason"`
}

// TestCorpus holds the reader to every case of testdata.
func TestCorpus(t *testing.T) {
	t.Parallel()
	files, err := filepath.Glob("testdata/*/*/statement.*")
	if err != nil || len(files) < 50 {
		t.Fatalf("found %d cases: %v", len(files), err)
	}
	for _, file := range files {
		folder := filepath.Dir(file)
		t.Run(filepath.Base(folder), func(t *testing.T) {
			t.Parallel()
			checkCase(t, file, readExpectation(t, filepath.Join(folder, "expect.json")))
		})
	}
}

func readExpectation(t *testing.T, file string) expectation {
	t.Helper()
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var want expectation
	if err := json.Unmarshal(data, &want); err != nil {
		t.Fatal(err)
	}
	return want
}

func checkCase(t *testing.T, file string, want expectation) {
	t.Helper()
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	hints, err := statement.ParseHints(hintPairs(want.Hints))
	if err != nil {
		t.Fatal(err)
	}
	got, err := statement.Read(data, hints)
	if want.Outcome == "error" {
		checkRefusal(t, err, *want.ErrorClass)
		return
	}
	if err != nil {
		t.Fatalf("refused: %v", err)
	}
	checkLines(t, got.Lines, want.Lines)
	checkBalance(t, "opening", got.OpeningMinor, want.OpeningMinor)
	checkBalance(t, "closing", got.ClosingMinor, want.ClosingMinor)
	if want.Account != nil && got.Account != "" && got.Account != *want.Account {
		t.Errorf("account %q, want %q", got.Account, *want.Account)
	}
	for _, r := range want.Rejects {
		if !slices.ContainsFunc(got.Rejects, func(g statement.Reject) bool { return g.Row == r.Row && g.Reason == r.Reason }) {
			t.Errorf("row %d not told as %s; told: %v", r.Row, r.Reason, got.Rejects)
		}
	}
	if len(got.Rejects) != len(want.Rejects) {
		t.Errorf("%d rejects, want %d: %v", len(got.Rejects), len(want.Rejects), got.Rejects)
	}
	if want.Skipped != nil && len(got.Skipped) != *want.Skipped {
		t.Errorf("%d rows skipped, want %d: %v", len(got.Skipped), *want.Skipped, got.Skipped)
	}
}

func hintPairs(hints map[string]json.RawMessage) []string {
	var pairs []string
	for key, value := range hints {
		text := string(value)
		var plain string
		if json.Unmarshal(value, &plain) == nil {
			text = plain
		}
		pairs = append(pairs, key+"="+text)
	}
	return pairs
}

func checkRefusal(t *testing.T, err error, class string) {
	t.Helper()
	var refusal *statement.Refusal
	if !errors.As(err, &refusal) {
		t.Fatalf("got %v, want a refusal as %s", err, class)
	}
	if string(refusal.Class) != class {
		t.Errorf("refused as %s (%s), want %s", refusal.Class, refusal.Detail, class)
	}
	if refusal.Detail == "" {
		t.Error("refused without telling people why")
	}
}

func checkLines(t *testing.T, got []statement.Line, want []expectedLine) {
	t.Helper()
	if len(got) != len(want) {
		t.Fatalf("%d lines, want %d: %+v", len(got), len(want), got)
	}
	left := slices.Clone(got)
	for _, w := range want {
		at := slices.IndexFunc(left, func(g statement.Line) bool { return agrees(g, w) })
		if at < 0 {
			t.Errorf("no line like %+v in %+v", w, left)
			continue
		}
		left = slices.Delete(left, at, at+1)
	}
}

func agrees(got statement.Line, want expectedLine) bool {
	return got.Date == ledger.MustDate(want.Date) && got.AmountMinor == want.AmountMinor && got.Currency == want.Currency &&
		(want.Reference == "" || got.Reference == want.Reference) && strings.Contains(plain(got.Description), plain(want.Description))
}

func plain(s string) string { return strings.Join(strings.Fields(s), " ") }

func checkBalance(t *testing.T, name string, got, want *int64) {
	t.Helper()
	switch {
	case got != nil && want == nil:
		t.Errorf("%s balance %d, want none", name, *got)
	case got == nil && want != nil:
		t.Errorf("no %s balance, want %d", name, *want)
	case got != nil && *got != *want:
		t.Errorf("%s balance %d, want %d", name, *got, *want)
	}
}

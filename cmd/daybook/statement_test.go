package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"daybook/recon/statement"
)

func TestStatementParse(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "march.csv")
	content := "Datum;Omschrijving;Bedrag\n2026-03-31;Huur;-3.000\n2026-03-16;Klant;1.250\n"
	if err := os.WriteFile(file, []byte(content), 0o600); err != nil {
		t.Fatal(err)
	}

	t.Run("PrintsTheLinesOfAFile", func(t *testing.T) {
		t.Parallel()
		got := runHere(t, nil, "statement", "parse", file, "--hint", "currency=EUR", "--hint", "decimal=,")
		if got.code != 0 || got.stderr != "" {
			t.Fatalf("exit %d: %s", got.code, got.stderr)
		}
		var answer statementAnswer
		if err := json.Unmarshal([]byte(got.stdout), &answer); err != nil {
			t.Fatal(err)
		}
		if answer.Outcome != "ok" || len(answer.Lines) != 2 || answer.Lines[0].AmountMinor != -300_000 || answer.Lines[0].Row != 2 {
			t.Errorf("printed %s", got.stdout)
		}
	})

	t.Run("RefusesAFileWithJSONAndOneLine", func(t *testing.T) {
		t.Parallel()
		got := runHere(t, nil, "statement", "parse", "--hint", "currency=EUR", file)
		if got.code != 2 || strings.Count(got.stderr, "\n") != 1 || !strings.Contains(got.stderr, "march.csv") {
			t.Fatalf("exit %d: %q", got.code, got.stderr)
		}
		var answer statementAnswer
		if err := json.Unmarshal([]byte(got.stdout), &answer); err != nil {
			t.Fatal(err)
		}
		if answer.Outcome != "error" || answer.ErrorClass == nil || *answer.ErrorClass != "ambiguous_decimal" || answer.Detail == nil {
			t.Errorf("printed %s", got.stdout)
		}
	})

	t.Run("NamesAHintThatIsNotKnown", func(t *testing.T) {
		t.Parallel()
		got := runHere(t, nil, "statement", "parse", file, "--hint", "colour=blue")
		if got.code != 2 || !strings.Contains(got.stderr, "colour") {
			t.Errorf("exit %d: %q", got.code, got.stderr)
		}
	})

	t.Run("SaysThatAFileIsNotThere", func(t *testing.T) {
		t.Parallel()
		got := runHere(t, nil, "statement", "parse", file+".gone")
		if got.code != 2 || !strings.Contains(got.stderr, "march.csv.gone") {
			t.Errorf("exit %d: %q", got.code, got.stderr)
		}
	})
}

func TestStatementParse_HelpListsEveryHint(t *testing.T) {
	t.Parallel()
	help := runHere(t, nil, "statement", "parse", "--help").stdout
	for _, h := range knownHints {
		if !strings.Contains(help, h.name+" ") || !strings.Contains(help, h.meaning) {
			t.Errorf("the help does not list %s: %s", h.name, help)
		}
		if _, err := statement.ParseHints([]string{h.name + "=x"}); err != nil && strings.Contains(err.Error(), "not a hint that is known") {
			t.Errorf("the help lists %s, which the reader does not know", h.name)
		}
	}
	if len(knownHints) != 29 {
		t.Errorf("the help lists %d hints", len(knownHints))
	}
}

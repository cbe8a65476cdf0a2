package statement_test

import (
	"errors"
	"maps"
	"os"
	"path/filepath"
	"reflect"
	"testing"

	"daybook/recon/statement"
)

// FuzzInspect looks for a file of which Inspect tells something else than Read, asks what no answer settles, keeps what reads it otherwise, or
// does not know its own header.
func FuzzInspect(f *testing.F) {
	files, err := filepath.Glob("testdata/*/*/statement.*")
	layouts, err2 := filepath.Glob("testdata/layouts/*.csv")
	if err != nil || err2 != nil {
		f.Fatal(err, err2)
	}
	hints := []string{"", "header_row=1", "date_column=#1", "amount_column=#0", "delimiter=;", "has_header=false", "sign=invert"}
	for i, file := range append(files, layouts...) {
		data, err := os.ReadFile(file)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(data, hints[i%len(hints)])
	}
	for i, text := range hostileSeeds() {
		f.Add([]byte(text), hints[i%len(hints)])
	}
	f.Fuzz(func(t *testing.T, data []byte, hint string) {
		told := statement.Hints{"currency": "EUR"}
		if more, err := statement.ParseHints([]string{hint}); err == nil {
			maps.Copy(told, more)
		}
		found, err := statement.Inspect(data, told)
		read, readErr := statement.Read(data, told)
		if err != nil {
			if readErr == nil || err.Error() != readErr.Error() {
				t.Fatalf("Inspect says %v, Read says %v", err, readErr)
			}
			return
		}
		checkQuestion(t, found)
		var refusal *statement.Refusal
		if errors.As(readErr, &refusal) != (found.Refusal != nil) || refusal != nil && refusal.Error() != found.Refusal.Error() {
			t.Fatalf("Inspect refuses %v, Read says %v", found.Refusal, readErr)
		}
		if refusal != nil {
			return
		}
		if !reflect.DeepEqual(found.Statement, read) {
			t.Fatalf("Inspect reads %+v, Read %+v", found.Statement, read)
		}
		checkRemembered(t, data, told, found)
	})
}

func checkQuestion(t *testing.T, found *statement.Inspection) {
	t.Helper()
	q := found.Question
	if q == nil {
		return
	}
	if found.Refusal == nil || q.Row < 0 {
		t.Fatalf("asked without need: %+v", q)
	}
	for _, a := range q.Answers {
		if err := (statement.Hints{q.Hint: a.Value}).Check(); err != nil || a.Meaning == "" {
			t.Fatalf("an answer that cannot be given: %s=%+v: %v", q.Hint, a, err)
		}
	}
}

// checkRemembered holds what a profile would keep to reading the file as it was read.
func checkRemembered(t *testing.T, data []byte, told statement.Hints, found *statement.Inspection) {
	t.Helper()
	kept := lasting(t, string(data), found, told)
	again, err := statement.Inspect(data, kept)
	if err != nil || again.Refusal != nil {
		t.Fatalf("not read under %v: %v, %+v", kept, err, again)
	}
	if !reflect.DeepEqual(found.Statement.Lines, again.Statement.Lines) || again.Settings.HeaderFingerprint != found.Settings.HeaderFingerprint {
		t.Fatalf("read otherwise under %v: %+v, %+v", kept, found.Statement, again.Statement)
	}
	dialect := statement.Hints{}
	for _, hint := range []string{"encoding", "delimiter", "has_header"} {
		if kept[hint] != "" {
			dialect[hint] = kept[hint]
		}
	}
	headers, err := statement.Headers(data, dialect)
	if _, known := headers[found.Settings.HeaderFingerprint]; err != nil || !known && kept["header_row"] == "" {
		t.Fatalf("not known by its header: %v, %v", headers, err)
	}
}

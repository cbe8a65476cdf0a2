package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"
)

// verifyFiles verifies an export against a seal with no database in sight.
func verifyFiles(t *testing.T, export, seal string) outcome {
	t.Helper()
	dir := t.TempDir()
	exportPath, sealPath := filepath.Join(dir, "book.ndjson"), filepath.Join(dir, "seal.json")
	check(t, os.WriteFile(exportPath, []byte(export), 0o600))
	check(t, os.WriteFile(sealPath, []byte(seal), 0o600))
	env := map[string]string{"DAYBOOK_DATABASE_URL": "postgres://nobody@127.0.0.1:1/none"}
	return runHere(t, env, "verify", "--export", exportPath, "--seal", sealPath)
}

func TestVerifyExport(t *testing.T) {
	t.Parallel()
	o := setupOffice(t)
	emptyExport, emptySeal := o.runs(t, "", "export"), o.runs(t, "", "seal --book main")
	o.runs(t, "correct horse battery", "user add eva@demo.test --role preparer --role admin")
	o.post(t, "t1", "t2")
	sealOfTwo := o.runs(t, "", "seal")
	o.post(t, "t3")
	export, seal := o.runs(t, "", "export --book main"), o.runs(t, "", "seal")
	lines := strings.SplitAfter(export, "\n")
	for _, c := range []struct {
		name, export, seal string
		code               int
		want               string
	}{
		{"as it is", export, seal, exitWell, "book main: 3 entries, chain, sums and links hold; sealed at entry 3, head 3 "},
		{"with CRLF", strings.ReplaceAll(export, "\n", "\r\n"), seal, exitWell, "book main: 3 entries, "},
		{"an empty book", emptyExport, emptySeal, exitWell, "book main: 0 entries, "},
		{"an earlier seal", export, sealOfTwo, exitWell, "book main: 3 entries, chain, sums and links hold; sealed at entry 2, head 3 "},
		{"a byte changed", strings.Replace(export, "t2", "tz", 1), seal, exitNo, "entry 2: is not what was recorded"},
		{"an entry missing", lines[0] + lines[2], seal, exitNo, "entry 2: is missing: the next one is entry 3"},
		{"entries swapped", lines[1] + lines[0] + lines[2], seal, exitNo, "entry 1: is missing: the next one is entry 2"},
		{"cut off in a line", export[:len(export)-20], seal, exitNo, "entry 3: line 3 cannot be read: it is not a record of the export, or was cut off"},
		{"cut off between lines", lines[0] + lines[1], seal, exitNo, "entry 3: is missing: the seal is of entry 3"},
		{"another seal", export, strings.Replace(seal, `"hash":"`, `"hash":"00`, 1)[:len(seal)-1] + "}", exitBad, ""},
		{"the seal of another hash", export, strings.Replace(sealOfTwo, `"seq":2`, `"seq":3`, 1), exitNo, "entry 3: the seal has another hash"},
		{"no seal", export, "{}", exitBad, ""},
	} {
		out := verifyFiles(t, c.export, c.seal)
		if out.code != c.code || !strings.HasPrefix(out.stdout, c.want) || (c.code == exitWell) != (out.stderr == "") || strings.Count(out.stderr, "\n") > 1 {
			t.Errorf("%s: code %d, %q, %q, want %d, %q", c.name, out.code, out.stdout, out.stderr, c.code, c.want)
		}
	}
	for args, want := range map[string]string{
		"verify --export x":                   "give both, --export FILE and --seal FILE",
		"verify --export none --seal none":    "cannot read the seal",
		"export --book none":                  `there is no book "none"`,
		"seal --book none":                    `there is no book "none"`,
		"totals rebuild --book none":          `there is no book "none"`,
		"export now":                          `takes no "now"`,
		"verify --seal . --export . --book x": "cannot read the seal",
	} {
		if out := o.run(t, "", args); out.code != exitBad || !strings.Contains(out.stderr, want) {
			t.Errorf("daybook %s: code %d, %q, want %q", args, out.code, out.stderr, want)
		}
	}
}

func TestRebuildTotals(t *testing.T) {
	t.Parallel()
	o := setupOffice(t)
	o.runs(t, "correct horse battery", "user add eva@demo.test --role preparer --role admin")
	o.post(t, "t1", "t2")
	right := "book main: the kept totals are what its postings sum to\n"
	if got := o.runs(t, "", "totals rebuild"); got != right {
		t.Errorf("of right totals it says %q", got)
	}
	conn, err := pgx.Connect(t.Context(), o.ownerURL)
	check(t, err)
	defer conn.Close(t.Context())
	_, err = conn.Exec(t.Context(), `UPDATE currency_totals SET debit_minor = 1`)
	check(t, err)
	if got := o.runs(t, "", "totals rebuild --book main"); !strings.HasPrefix(got, "book main: set right 0 totals of accounts, 0 of days, 1 of currencies; the first was book: its kept debits in EUR are 0.01, ") {
		t.Errorf("of a wrong total it says %q", got)
	}
	if got := o.runs(t, "", "totals rebuild"); got != right {
		t.Errorf("afterwards it says %q", got)
	}
	_, err = conn.Exec(t.Context(), `ALTER TABLE entries DISABLE TRIGGER USER; UPDATE entries SET description = 'x' WHERE seq = 2`)
	check(t, err)
	if out := o.run(t, "", "totals rebuild"); out.code != exitNo || !strings.HasPrefix(out.stdout, "entry 2: is not what was recorded") {
		t.Errorf("of a journal that was changed: code %d, %q, %q", out.code, out.stdout, out.stderr)
	}
}

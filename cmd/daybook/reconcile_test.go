package main

import (
	"encoding/csv"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

const exampleLedger = `entry_id,date,amount_minor,currency,reference,description
t1,2026-03-02,1000,EUR,t1,Client one
t2,2026-03-03,2500,EUR,t2,Client two
t3,2026-03-04,700,EUR,t3,Client three
t5,2026-03-06,90,EUR,t5,Client five
`

const exampleStatement = `Date,Amount,Currency,Reference,Description
2026-03-02,10.00,EUR,T1,CLIENT ONE
2026-03-03,24.50,EUR,t2,CLIENT TWO
2026-03-05,3.00,EUR,t4,=CLIENT FOUR
2026-03-06,0.90,EUR,t-5,CLIENT FIVE
`

// reconcileHere writes both files and reconciles them.
func reconcileHere(t *testing.T, entries, lines string, more ...string) outcome {
	t.Helper()
	folder := t.TempDir()
	paths := [2]string{filepath.Join(folder, "ledger.csv"), filepath.Join(folder, "statement.csv")}
	for i, content := range []string{entries, lines} {
		if err := os.WriteFile(paths[i], []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return runHere(t, nil, append([]string{"reconcile", "--ledger", paths[0], "--statement", paths[1]}, more...)...)
}

func TestReconcileTellsPeopleEveryBreakByType(t *testing.T) {
	t.Parallel()
	got := reconcileHere(t, exampleLedger, exampleStatement, "--from", "2026-03-01", "--to", "2026-03-06")
	want := `Ledger     ledger.csv, 4 entries
Statement  statement.csv, 4 lines
Period     2026-03-01 to 2026-03-06
Currency   EUR

2 matches: 2 by reference
3 breaks, each with ledger - bank

Amount differs  1  0.50
  entry  t2  2026-03-03  t2  Client two    25.00 EUR
  row    3   2026-03-03  t2  CLIENT TWO    24.50 EUR
    0.50  0.50 less at the bank, perhaps a fee

Missing in ledger  1  -3.00
  row    4   2026-03-05  t4  =CLIENT FOUR   3.00 EUR
    -3.00  nothing unmatched in the ledger has this reference, or this amount within 3 days

Timing  1  7.00
  entry  t3  2026-03-04  t3  Client three   7.00 EUR
    7.00  dated 2026-03-04, the period ends on 2026-03-06: expected on the next statement

Ledger        42.90
Bank          38.40
Difference     4.50
of it timing   7.00
`
	if got.code != exitWell || got.stdout != want || got.stderr != "" {
		t.Errorf("code %d, stderr %q, got\n%s\nwant\n%s", got.code, got.stderr, got.stdout, want)
	}
}

func TestReconcileAnswersProgramsInTheContractsForm(t *testing.T) {
	t.Parallel()
	got := reconcileHere(t, exampleLedger, exampleStatement, "--format", "json")
	var answer map[string]any
	if err := json.Unmarshal([]byte(got.stdout), &answer); err != nil || got.code != exitWell {
		t.Fatalf("code %d, %v: %s%s", got.code, err, got.stdout, got.stderr)
	}
	want := map[string]string{
		"counts": `{"amount_mismatch":1,"missing_in_bank":1,"missing_in_ledger":1}`,
		"totals": `{"bank_minor":3840,"difference_minor":450,"ledger_minor":4290}`,
		"matches": `[{"bank_rows":[2],"entry_ids":["t1"],"kind":"reference","rule":"equals","score":100,"why":"same reference and amount, same day"},` +
			`{"bank_rows":[5],"entry_ids":["t5"],"kind":"reference","rule":"equals","score":100,"why":"same reference and amount, same day"}]`,
		"breaks": `[{"bank_rows":[3],"difference_minor":50,"entry_ids":["t2"],"type":"amount_mismatch","why":"0.50 less at the bank, perhaps a fee"},` +
			`{"bank_rows":[4],"difference_minor":-300,"entry_ids":[],"type":"missing_in_ledger","why":"nothing unmatched in the ledger has this reference, or this amount within 3 days"},` +
			`{"bank_rows":[],"difference_minor":700,"entry_ids":["t3"],"type":"missing_in_bank","why":"nothing unmatched at the bank has this reference, or this amount within 3 days"}]`,
		"rejects": `[]`,
	}
	for member, text := range want {
		if is, _ := json.Marshal(answer[member]); string(is) != text {
			t.Errorf("%s is\n%s\nwant\n%s", member, is, text)
		}
	}
}

func TestReconcileWritesATableWhoseDifferencesAddUp(t *testing.T) {
	t.Parallel()
	got := reconcileHere(t, exampleLedger, exampleStatement, "--format", "csv")
	rows, err := csv.NewReader(strings.NewReader(got.stdout)).ReadAll()
	if err != nil || got.code != exitWell || len(rows) != 1+8 {
		t.Fatalf("code %d, %v, %d rows: %s%s", got.code, err, len(rows), got.stdout, got.stderr)
	}
	var differences []string
	for _, row := range rows[1:] {
		differences = append(differences, row[11])
	}
	if told := strings.Join(differences, ","); told != "0,,0,,50,,-300,700" {
		t.Errorf("differences %s", told)
	}
	if text := rows[7][10]; text != "'=CLIENT FOUR" {
		t.Errorf("a spreadsheet would run %q", text)
	}
}

func TestReconcileTakesTheCurrencyFromTheLedgerWhenTheStatementHasNone(t *testing.T) {
	t.Parallel()
	got := reconcileHere(t, exampleLedger, "Date,Amount,Reference,Description\n2026-03-02,10.00,t1,Client one\n2026-03-03,25.00,t2,Client two\n", "--format", "json")
	if got.code != exitWell || !strings.Contains(got.stdout, `"totals":{"ledger_minor":4290,"bank_minor":3500,"difference_minor":790}`) {
		t.Errorf("code %d: %s%s", got.code, got.stdout, got.stderr)
	}
}

func TestReconcileTellsWhatTheRulesAllowAndHowFarItSearched(t *testing.T) {
	t.Parallel()
	const entries = "entry_id,date,amount_minor,currency,reference,description\na,2026-03-02,10000,EUR,RE 1,x\nb,2026-03-03,2500,EUR,KDN-77,y\nc,2026-03-03,700,EUR,z1,y\nd,2026-03-03,900,EUR,z2,y\n"
	const lines = "Date,Amount,Currency,Reference,Description\n2026-03-02,97.50,EUR,RE 1,x\n2026-03-20,25.01,EUR,77,y\n2026-03-04,16.00,EUR,,z\n"
	rules := []string{"--prefix", "kdn", "--tolerance-minor", "1", "--fee-per-mille", "25"}
	got := reconcileHere(t, entries, lines, rules...)
	for _, want := range []string{"3 matches: 2 by reference, 1 batch\nSums       sought for 1 line: 1 set tried\nNo breaks\n", "of it allowed   2.49\n"} {
		if got.code != exitWell || !strings.Contains(got.stdout, want) {
			t.Errorf("code %d, no %q in\n%s%s", got.code, want, got.stdout, got.stderr)
		}
	}
	asTable := reconcileHere(t, entries, lines, append(rules, "--format", "csv")...)
	rows, err := csv.NewReader(strings.NewReader(asTable.stdout)).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	var differences []string
	for _, row := range rows[1:] {
		differences = append(differences, row[11])
	}
	if told := strings.Join(differences, ","); told != "250,,0,,,-1," {
		t.Errorf("differences %s", told)
	}
	asJSON := reconcileHere(t, entries, lines, append(rules, "--format", "json")...)
	if want := `"search":{"lines":1,"sets":1,"unfinished":0}`; !strings.Contains(asJSON.stdout, want) || strings.Count(asJSON.stdout, `"difference_minor":250`) != 1 {
		t.Errorf("no %s, or no difference of a match, in %s", want, asJSON.stdout)
	}
}

func TestReconcileRefusesInOneLine(t *testing.T) {
	t.Parallel()
	const header = "entry_id,date,amount_minor,currency,reference,description\n"
	for _, c := range []struct {
		name, entries, lines string
		more                 []string
		want                 string
	}{
		{"AFraction", header + "a,2026-03-02,10.5,EUR,,\n", exampleStatement, nil, `ledger.csv, line 2: amount_minor is a whole number of minor units (1234 for 12.34), not "10.5"`},
		{"AnAmountBeyondTheLargest", header + "a,2026-03-02,9223372036854775808,EUR,,\n", exampleStatement, nil, "ledger.csv, line 2: amount_minor"},
		{"ADate", header + "\na,02/03/2026,10,EUR,,\n", exampleStatement, nil, `ledger.csv, line 3: "02/03/2026" is not a date`},
		{"ACurrency", header + "a,2026-03-02,10,eur,,\n", exampleStatement, nil, `ledger.csv, line 2: "eur" is not an ISO 4217 currency`},
		{"AMissingColumn", "entry_id,date,amount,currency\n", exampleStatement, nil, "ledger.csv has no column amount_minor"},
		{"ARaggedRow", header + "a,2026-03-02,10,EUR\n", exampleStatement, nil, "ledger.csv, line 2 has 4 columns and the header has 6"},
		{"AnEmptyLedger", "", exampleStatement, nil, "ledger.csv is empty"},
		{"NoCSV", header + "a,2026-03-02,10,EUR,\"x\n", exampleStatement, nil, "ledger.csv, line 2 is not CSV"},
		{"AnEmptyStatement", exampleLedger, "", nil, "statement.csv"},
		{"ATotalBeyondTheLargest", header + "a,2026-03-02,9223372036854775807,EUR,,\nb,2026-03-02,1,EUR,,\n", exampleStatement, nil, "the total of the ledger is beyond the largest amount"},
		{"HalfAPeriod", exampleLedger, exampleStatement, []string{"--to", "2026-03-31"}, "--from and --to state the period together"},
		{"APeriodBackwards", exampleLedger, exampleStatement, []string{"--from", "2026-03-31", "--to", "2026-03-01"}, "before it starts"},
		{"AFormat", exampleLedger, exampleStatement, []string{"--format", "xml"}, "--format is text, json or csv"},
		{"AWindow", exampleLedger, exampleStatement, []string{"--window-days", "-1"}, "--window-days"},
		{"AFeeOfMostOfIt", exampleLedger, exampleStatement, []string{"--fee-per-mille", "900"}, "--fee-per-mille must be from 0 to 200"},
		{"APrefixOfSigns", exampleLedger, exampleStatement, []string{"--prefix", "--"}, "--prefix has no letter or digit"},
		{"AnUnknownCurrency", exampleLedger, exampleStatement, []string{"--currency", "XXQ"}, `"XXQ" is not an ISO 4217 currency`},
		{"AnUnknownHint", exampleLedger, exampleStatement, []string{"--statement-hint", "colour=red"}, "colour"},
		{"AnArgument", exampleLedger, exampleStatement, []string{"more.csv"}, `takes no "more.csv"`},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			got := reconcileHere(t, c.entries, c.lines, c.more...)
			if got.code != exitBad || got.stdout != "" || strings.Count(got.stderr, "\n") != 1 || !strings.Contains(got.stderr, c.want) {
				t.Errorf("code %d, stdout %q, stderr %q, want one line with %q", got.code, got.stdout, got.stderr, c.want)
			}
		})
	}
}

func TestReconcileNamesAMissingFile(t *testing.T) {
	t.Parallel()
	got := runHere(t, nil, "reconcile", "--ledger", "nowhere.csv", "--statement", "nowhere.csv")
	if got.code != exitBad || !strings.Contains(got.stderr, "nowhere.csv") {
		t.Errorf("code %d, stderr %q", got.code, got.stderr)
	}
}

// What a file says of its period holds as a flag would: an entry near its end is timing. A flag says more.
func TestReconcileTakesThePeriodThatTheFileStates(t *testing.T) {
	t.Parallel()
	const entries = "entry_id,date,amount_minor,currency,reference,description\na,2026-03-02,1000,EUR,A-1,x\nb,2026-03-30,2500,EUR,B-1,y\n"
	const lines = ":20:S1\n:25:10020030/1234567890\n:28C:31/1\n:60F:C260302EUR100,00\n:61:2603020302C10,00NTRFA-1\n:62F:C260331EUR110,00\n-\n"
	for want, flags := range map[string][]string{
		"Period     2026-03-02 to 2026-03-31": nil,
		"Period     2026-03-01 to 2026-04-30": {"--from", "2026-03-01", "--to", "2026-04-30"},
	} {
		got := reconcileHere(t, entries, lines, flags...)
		if got.code != exitWell || !strings.Contains(got.stdout, want) || strings.Contains(got.stdout, "Timing") != (flags == nil) {
			t.Errorf("%v: code %d, no %q in\n%s%s", flags, got.code, want, got.stdout, got.stderr)
		}
	}
}

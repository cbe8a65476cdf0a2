package recon_test

import (
	"encoding/csv"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"daybook/recon"
	"daybook/store/ledger"
)

// expectation is the right answer to a pair of files, as expect.json has it.
type expectation struct {
	Currency        string `json:"account_currency"`
	Period          struct{ From, To ledger.Date }
	WindowDays      int `json:"date_tolerance_days"`
	Matches, Breaks []struct {
		Kind, Type string
		EntryIDs   []string `json:"entry_ids"`
		BankRows   []int    `json:"bank_rows"`
	}
	Interchangeable struct {
		EntryIDs [][]string `json:"entry_ids"`
		BankRows [][]int    `json:"bank_rows"`
	}
	Totals recon.Totals
}

func TestMatchAnswersThePairsAsExpected(t *testing.T) {
	t.Parallel()
	folders, err := filepath.Glob("testdata/P*")
	if err != nil || len(folders) == 0 {
		t.Fatalf("no pairs in testdata: %v", err)
	}
	for _, folder := range folders {
		t.Run(filepath.Base(folder), func(t *testing.T) {
			t.Parallel()
			in, want := readPair(t, folder)
			result := recon.Match(in)
			if got, want := describe(in, result, want), describeExpected(want); !slices.Equal(got, want) {
				t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
			}
			totals, err := recon.Total(in)
			if err != nil || totals != want.Totals {
				t.Errorf("totals %+v (%v), want %+v", totals, err, want.Totals)
			}
		})
	}
}

func readPair(t *testing.T, folder string) (recon.Input, expectation) {
	t.Helper()
	var want expectation
	raw, err := os.ReadFile(filepath.Join(folder, "expect.json"))
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(raw, &want); err != nil {
		t.Fatal(err)
	}
	in := recon.Input{Currency: want.Currency, Rules: recon.DefaultRules(),
		Period: recon.Period{From: want.Period.From, To: want.Period.To, Stated: true}}
	in.Rules.WindowDays = want.WindowDays
	for _, row := range readCSV(t, folder, "ledger.csv") {
		amount, err := strconv.ParseInt(row[2], 10, 64)
		if err != nil {
			t.Fatal(err)
		}
		in.Ledger = append(in.Ledger, recon.Item{ID: row[0], Date: ledger.MustDate(row[1]), AmountMinor: amount,
			Currency: row[3], Reference: row[4], Text: row[5]})
	}
	for i, row := range readCSV(t, folder, "statement.csv") {
		amount, err := ledger.ParseAmount(row[1], row[2])
		if err != nil {
			t.Fatal(err)
		}
		in.Bank = append(in.Bank, recon.Item{ID: strconv.Itoa(i + 2), Date: ledger.MustDate(row[0]), AmountMinor: amount,
			Currency: row[2], Reference: row[3], Text: row[4]})
	}
	return in, want
}

func readCSV(t *testing.T, folder, name string) [][]string {
	t.Helper()
	file, err := os.Open(filepath.Join(folder, name))
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	rows, err := csv.NewReader(file).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	return rows[1:]
}

// describe gives a line for every match and break, with the name of the group for lines that are interchangeable.
func describe(in recon.Input, r recon.Result, want expectation) []string {
	var all []string
	line := func(what string, ledgers, banks []int) {
		var names []string
		for _, i := range ledgers {
			names = append(names, want.entry(in.Ledger[i].ID))
		}
		for _, i := range banks {
			row, _ := strconv.Atoi(in.Bank[i].ID)
			names = append(names, want.row(row))
		}
		slices.Sort(names)
		all = append(all, what+" "+strings.Join(names, " "))
	}
	for _, m := range r.Matches {
		line(string(m.Kind), m.Ledger, m.Bank)
	}
	for _, b := range r.Breaks {
		line(string(b.Type), b.Ledger, b.Bank)
	}
	slices.Sort(all)
	return all
}

func describeExpected(want expectation) []string {
	var all []string
	for _, item := range append(slices.Clone(want.Matches), want.Breaks...) {
		var names []string
		for _, id := range item.EntryIDs {
			names = append(names, want.entry(id))
		}
		for _, row := range item.BankRows {
			names = append(names, want.row(row))
		}
		slices.Sort(names)
		all = append(all, item.Kind+item.Type+" "+strings.Join(names, " "))
	}
	slices.Sort(all)
	return all
}

func (e expectation) entry(id string) string {
	for i, group := range e.Interchangeable.EntryIDs {
		if slices.Contains(group, id) {
			return fmt.Sprintf("entries-%d", i)
		}
	}
	return id
}

func (e expectation) row(row int) string {
	for i, group := range e.Interchangeable.BankRows {
		if slices.Contains(group, row) {
			return fmt.Sprintf("rows-%d", i)
		}
	}
	return fmt.Sprintf("row-%d", row)
}

package web_test

import (
	"encoding/csv"
	"fmt"
	"slices"
	"strings"
	"testing"
)

// records reads a file that was sent for a spreadsheet.
func (p page) records(t *testing.T) [][]string {
	t.Helper()
	rows, err := csv.NewReader(strings.NewReader(strings.TrimPrefix(p.body, "\ufeff"))).ReadAll()
	ok(t, err)
	return rows
}

func TestTheJournalIsExportedAsItIsFiltered(t *testing.T) {
	t.Parallel()
	b := setup(t)
	entries := make([]string, 0, 1_203)
	for i := range 1_203 { // more than are read at once
		entries = append(entries, strings.Replace(deposits(fmt.Sprintf("in-%d", i), int64(100+i)), `"tx_id"`, fmt.Sprintf(`"idempotency_key":"k%d","tx_id"`, i), 1))
	}
	b.as("preparer").with("Content-Type", "application/x-ndjson").post(t, "/entries/batch", strings.Join(entries, "\n")+"\n").want(t, 200)
	b.as("preparer").key("x").post(t, "/entries", strings.Replace(deposits("=1+1", -50), "2026-03-01", "2026-03-02", 1)).want(t, 201)
	br := b.browser(t, "viewer")
	if !strings.Contains(br.get(t, "/b/main/journal?account=1010&before=500").body, `href="/b/main/journal.csv?account=1010"`) {
		t.Error("the page does not lead to the file of its filter")
	}
	file := br.get(t, "/b/main/journal.csv").want(t, 200)
	rows := file.records(t)
	if len(rows) != 1+2*1_204 || file.header.Get("Content-Disposition") != `attachment; filename="journal-main.csv"` {
		t.Fatalf("%d rows, sent as %v", len(rows), file.header)
	}
	want := []string{"1204", "1", "2026-03-02", "2026-03-31T10:00:00Z", "entry", "'=1+1", "", "Story =1+1", "1010", "", "0.50", "EUR", "preparer@demo.test", "", "", ""}
	if got := rows[len(rows)-2]; !slices.Equal(got[:6], want[:6]) || got[8] != "1010" || got[10] != "0.50" || got[12] != "preparer@demo.test" {
		t.Errorf("the last entry is %q, want %q", got, want)
	}
	if some := br.get(t, "/b/main/journal.csv?from=2026-03-02").records(t); len(some) != 3 {
		t.Errorf("the filtered file has %d rows", len(some))
	}
	if none := br.get(t, "/b/main/journal.csv?from=2027-01-01").records(t); len(none) != 1 {
		t.Errorf("a filter that finds nothing gives %q", none)
	}
	br.get(t, "/b/main/journal.csv?from=x").want(t, 422).says(t, "is not a")
}

func TestTheTrialBalanceIsExportedAsItIsShown(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.as("preparer").key("k1").post(t, "/entries", strings.Replace(deposits("t1", 700), "2026-03-01", "2026-02-10", 1)).want(t, 201)
	b.as("preparer").key("k2").post(t, "/entries", deposits("t2", 1000)).want(t, 201)
	br := b.browser(t, "viewer")
	if !strings.Contains(br.get(t, "/b/main/balances?as_of=2026-03-31&from=2026-03-01").body, `href="/b/main/balances.csv?as_of=2026-03-31&amp;from=2026-03-01"`) {
		t.Error("the page does not lead to the file of its filter")
	}
	file := br.get(t, "/b/main/balances.csv?as_of=2026-03-31&from=2026-03-01").want(t, 200)
	if got := file.header.Get("Content-Disposition"); got != `attachment; filename="trial-balance-main-2026-03-31.csv"` {
		t.Errorf("sent as %q", got)
	}
	got := fmt.Sprint(file.records(t))
	for _, want := range []string{"[type account name currency opening debit credit balance]", "[Assets 1010 Account 1010 EUR 7.00 10.00 0.00 17.00]"} {
		if !strings.Contains(got, want) {
			t.Errorf("the file has no %s: %s", want, got)
		}
	}
	br.get(t, "/b/main/balances.csv?as_of=x").want(t, 422).says(t, "is not a")
}

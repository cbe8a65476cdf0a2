package templates

import (
	"slices"
	"testing"

	"daybook/store/ledger"
	"daybook/templates/ui"
)

func TestAFilterIsTakenAwayOneAtATime(t *testing.T) {
	t.Parallel()
	j := Journal{
		Shell:  Shell{Book: Book{Slug: "main"}},
		Filter: JournalFilter{Query: "rent & co", Account: "1010", AccountName: "Bank, operating", From: "2026-03-01", To: "2026-03-31"},
	}
	want := []ui.Pill{
		{Text: "“rent & co”", Remove: "/b/main/journal?account=1010&from=2026-03-01&to=2026-03-31"},
		{Text: "Account 1010 Bank, operating", Remove: "/b/main/journal?from=2026-03-01&q=rent+%26+co&to=2026-03-31"},
		{Text: "2026-03-01 to 2026-03-31", Remove: "/b/main/journal?account=1010&q=rent+%26+co"},
	}
	if got := j.pills().Items; !slices.Equal(got, want) {
		t.Errorf("got %+v, want %+v", got, want)
	}
}

func TestBalancesThatDoNotAddUpSaySo(t *testing.T) {
	t.Parallel()
	b := Balances{Groups: []BalanceGroup{
		{"Assets", []BalanceRow{{Code: "1010", Currency: "EUR", DebitMinor: 5, BalanceMinor: 5}}},
		{"Income", []BalanceRow{{Code: "4010", Currency: "EUR", CreditMinor: 5, BalanceMinor: -5}}},
	}}
	if chip := b.chip(); chip.Tone != ui.OK {
		t.Errorf("chip %+v", chip)
	}
	b.Groups[0].Rows[0].BalanceMinor++
	if chip := b.chip(); chip.Tone != ui.Bad || chip.Text != "Not balanced: EUR" {
		t.Errorf("chip %+v", chip)
	}
}

func TestAnErrorOfAnAmountPointsToTheSideItWasTypedOn(t *testing.T) {
	t.Parallel()
	n := NewEntry{Lines: []ui.Line{{Debit: "1"}, {Credit: "0"}, {}}}
	n.Errors = []ledger.FieldError{{Field: "postings[0].amount"}, {Field: "postings[1].amount"}, {Field: "postings[2].currency"}, {Field: "tx_id"}}
	want := []string{"postings[0].debit", "postings[1].credit", "postings[2].account", "tx_id"}
	for i, e := range n.errors() {
		if e.Field != want[i] {
			t.Errorf("error %d is at %s, want %s", i, e.Field, want[i])
		}
	}
}

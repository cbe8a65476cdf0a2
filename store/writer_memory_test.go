package store

import (
	"fmt"
	"maps"
	"strings"
	"testing"
	"time"

	"daybook/store/ledger"
)

func TestMemory_TakesBackWhatWasNotWritten(t *testing.T) {
	t.Parallel()
	day := func(d int) ledger.Date { return ledger.DateOf(time.Date(2026, 3, d, 0, 0, 0, 0, time.UTC)) }
	m := memory{valid: true, facts: emptyFacts("main")}
	m.facts.Accounts["till"] = ledger.Account{ID: 1, Code: "till", Type: ledger.Asset, Currency: "EUR", NoNegative: true}
	m.facts.Accounts["sales"] = ledger.Account{ID: 2, Code: "sales", Type: ledger.Income, Currency: "EUR"}
	m.facts.Totals["till"], m.facts.Totals["sales"] = ledger.Turnover{DebitMinor: 500}, ledger.Turnover{CreditMinor: 500}
	m.facts.Days["till"] = ledger.DayBalances{{On: day(1), BalanceMinor: 500}}
	m.facts.Currencies["EUR"] = 500
	totals, currencies := maps.Clone(m.facts.Totals), maps.Clone(m.facts.Currencies)

	var commands []ledger.Command
	for i, amountMinor := range []int64{-100, 70, -400} {
		commands = append(commands, ledger.Command{Kind: ledger.PlainEntry, RecordedBy: 1, Entry: ledger.Entry{
			TxID: string(rune('a' + i)), EffectiveOn: day(3 - i), Description: "of the till", Postings: []ledger.Posting{
				{Account: "till", AmountMinor: amountMinor, Currency: "EUR"}, {Account: "sales", AmountMinor: -amountMinor, Currency: "EUR"},
			},
		}})
	}
	judged := ledger.Append(ledger.Head{}, m.forBatch(), commands, time.Date(2026, 3, 31, 0, 0, 0, 0, time.UTC))
	if len(judged.Records) != len(commands) || maps.Equal(totals, m.facts.Totals) {
		t.Fatalf("of %d commands %d were judged good: %+v", len(commands), len(judged.Records), judged.Outcomes)
	}
	m.takeBack(judged.Records)
	if !maps.Equal(totals, m.facts.Totals) || !maps.Equal(currencies, m.facts.Currencies) {
		t.Errorf("the totals are %v and %v, want %v and %v", m.facts.Totals, m.facts.Currencies, totals, currencies)
	}
	for _, balance := range m.facts.Days["till"] {
		if balance.BalanceMinor != 500 {
			t.Errorf("the till stands at %d on %s, want 500", balance.BalanceMinor, balance.On)
		}
	}
}

func TestMemory_IsBoundedWhateverIsSent(t *testing.T) {
	t.Parallel()
	var m memory
	for i := range 60_000 {
		code := fmt.Sprint("nobody:", i)
		if i%1000 == 0 {
			code += strings.Repeat("x", 100)
		}
		m.adopt(1, ledger.Head{Seq: 1}, 1, emptyFacts("main"), []ledger.Command{{Entry: ledger.Entry{Postings: []ledger.Posting{{Account: code, Currency: "EUR"}}}}})
	}
	longest := 0
	for code := range m.accounts {
		longest = max(longest, len(code))
	}
	if len(m.accounts) > 50_000 || longest > 100 {
		t.Errorf("%d accounts are remembered, the longest code has %d bytes", len(m.accounts), longest)
	}
}

func TestSettledPosts_AreBoundedWhateverTheirSize(t *testing.T) {
	t.Parallel()
	var s settledPosts
	large := map[string]string{"note": strings.Repeat("x", 1<<20)}
	for i := range 100 {
		seq := int64(i + 1)
		s.add(ledger.Batch{Records: []ledger.Record{{Entry: ledger.Entry{Metadata: large}, Seq: seq}}, Keys: map[int64]string{seq: fmt.Sprint("k", i)}}, 30)
	}
	if kept := len(s.newer) + len(s.older); kept < 8 || kept > 20 {
		t.Errorf("%d posts of a MiB each are remembered", kept)
	}
}

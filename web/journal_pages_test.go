package web_test

import (
	"net/url"
	"strings"
	"testing"
)

func TestTheFiguresOfAnAccountAddUpWhereTheyLead(t *testing.T) {
	t.Parallel()
	b := setup(t)
	preparer := b.as("preparer")
	for txID, entry := range map[string]string{
		"feb": strings.Replace(deposits("feb", 7000), "2026-03-01", "2026-02-10", 1), "in": deposits("in", 1000), "out": deposits("out", -300),
		"both": entryOf("both", posting("1010", 50, "EUR"), posting("1010", -20, "EUR"), posting("customer:bob", -30, "EUR")),
		"not":  entryOf("not", posting("customer:alice", 5, "EUR"), posting("customer:bob", -5, "EUR")),
	} {
		preparer.key(txID).post(t, "/entries", entry).want(t, 201)
	}
	br := b.browser(t, "viewer")
	balances := br.get(t, "/b/main/balances?from=2026-03-01&as_of=2026-03-31")
	for address, total := range map[string]string{
		"/b/main/accounts/1010?amounts=debit&from=2026-03-01&to=2026-03-31":  "All 2 postings of this filter 10.50",
		"/b/main/accounts/1010?amounts=credit&from=2026-03-01&to=2026-03-31": "All 2 postings of this filter 3.20",
		"/b/main/accounts/1010?from=&to=2026-02-28":                          "Total of 1 posting, closing balance 70.00 0.00 70.00",
		"/b/main/accounts/1010?from=2026-03-01&to=2026-03-31":                "Total of 4 postings, closing balance 10.50 3.20 77.30",
	} {
		if !strings.Contains(balances.body, `href="`+strings.ReplaceAll(address, "&", "&amp;")+`"`) {
			t.Errorf("no figure leads to %s", address)
		}
		br.get(t, address).want(t, 200).safe(t).says(t, total)
	}
	balances.says(t, "1010 Account 1010 70.00 10.50 3.20 77.30")
	for query, total := range map[string]string{
		"account=1010&side=debit&from=2026-03-01&to=2026-03-31":  "All 2 entries of this filter 5 10.50",
		"account=1010&side=credit&from=2026-03-01&to=2026-03-31": "All 2 entries of this filter 5 3.20",
		"account=1010&to=2026-02-28":                             "All 1 entry of this filter 2 70.00 0.00 Balance of 1010, these entries only 70.00",
		"account=1010&to=2026-03-31":                             "All 4 entries of this filter 9 80.50 3.20 Balance of 1010, these entries only 77.30",
	} {
		br.get(t, "/b/main/journal?"+query).want(t, 200).safe(t).says(t, total)
	}
	br.get(t, "/b/main/journal?account=1010&q=both").says(t, "both The preparer 3 0.50 0.20", "Balance of 1010, these entries only 0.30")
	br.get(t, "/b/main/journal?account=customer%3Aalice&from=2026-03-01").says(t, "Balance of customer:alice, these entries only 6.95")
	for query, text := range map[string]string{
		"side=debit": "All 5 entries", "account=1010&side=left": "“left” is not a side",
	} {
		br.get(t, "/b/main/journal?"+query).says(t, text)
	}
}

func TestTheJournalIsFilteredAsPeopleType(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.open(t, "yen", "asset", "JPY")
	b.open(t, "customer:yuki", "liability", "JPY")
	preparer := b.as("preparer")
	preparer.key("k1").post(t, "/entries", strings.Replace(deposits("lz-1", 128450), "Deposit lz-1", "Leem \\u0026 Zoon", 1)).want(t, 201)
	preparer.key("k2").post(t, "/entries", entryOf("yen-1", posting("yen", 1200, "JPY"), posting("customer:yuki", -1200, "JPY"))).want(t, 201)
	br := b.browser(t, "viewer")
	one, none := "1 of 1 entry, #1 to #1", "No entry is like that"
	for query, found := range map[string]string{
		"q=leem zoon": one, "q=zoon 1284,50": one, "q=€1,284.50": one, "q=leem yen": none, "q=alice": one, "q=the preparer leem": one, "q=#1": one, "q=1 284.50": one,
		"amount=1284,50": one, "amount=€1284.50": one, "amount=1.284,50": one, "amount=1284.50 EUR": one, "amount=eur 1284.5": one, "amount=1284,5": one,
		"amount=-1284.50": one, "amount=JPY 1284.50": "is not an amount", "amount=£1284.50": "is not an amount", "amount=1284,505": "is not an amount",
		"amount=1200": "#2 to #2", "amount=¥1200": "#2 to #2", "amount=€1200": none,
		"account=customer:a": one, "account=YEN": "#2 to #2", "account=account 10": one, "account=1010 Account": one,
		"account=customer": "“customer” fits customer:alice Account customer:alice, customer:bob Account customer:bob and customer:yuki Account customer:yuki: write more",
		"account=account":  "customer:yuki Account customer:yuki, revenue:fees Account revenue:fees and more: write more", "account=zzz": "There is no account “zzz”",
		"from=2026-03-02&to=2026-03-01": "This day is after the last one, 2026-03-01", "from=2026-03-01&to=2026-03-01": "2 of 2 entries",
	} {
		values := url.Values{}
		for _, pair := range strings.Split(query, "&") {
			name, value, _ := strings.Cut(pair, "=")
			values.Set(name, value)
		}
		br.get(t, "/b/main/journal?"+values.Encode()).safe(t).says(t, found)
	}
	br.get(t, "/b/main/journal").says(t, "Recorded, UTC", "2026-03-31 10:00")
	for n := range br.get(t, "/b/main/journal?account=customer:a&side=credit").node(t).Descendants() {
		if name := attribute(n, "name"); name == "account" && attribute(n, "value") != "customer:alice" {
			t.Errorf("the filter holds the account %q", attribute(n, "value"))
		}
	}
}

func TestASearchOfTooManyWordsIsRefused(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.as("preparer").key("t1").post(t, "/entries", deposit("t1")).want(t, 201)
	br := b.browser(t, "viewer")
	br.get(t, "/b/main/journal?q="+strings.Repeat("deposit+", 30)).want(t, 200).says(t, "30.50")
	br.get(t, "/b/main/journal?q="+strings.Repeat("deposit+", 31)).want(t, 422).says(t, "31 words are too many: search for 30 at most")
	b.as("viewer").get(t, "/entries?q="+strings.Repeat("deposit+", 31)).refused(t, "invalid", 422, "q")
}

package web_test

import (
	"encoding/csv"
	"fmt"
	"net/url"
	"slices"
	"strings"
	"testing"
)

func TestAccountPage(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.story(t)
	b.as("preparer").upload(t, exampleFile, "account=1010").want(t, 201)
	br := b.browser(t, "viewer")
	for address, texts := range map[string][]string{
		"/1010": {"1010 Account 1010", "Asset, EUR. Held against bank statements from 1 March 2026 on.", "Opening, 1 March 2026 0.00", "Debits, 4 postings 52.00", "Credits, 1 posting 10.00",
			"Closing, 31 March 2026 42.00 EUR", "Opening + debits − credits = closing", "2026-03-01 #1 Deposit t1 Reversed by #2 t1 customer:alice 10.00 10.00",
			"Total of 5 postings, closing balance 52.00 10.00 42.00", "5 of 5 postings, 2026-03-01 to 2026-03-02"},
		"/1010?from=2026-03-02&to=": {"Opening, 2 March 2026 52.00", "Credits, 1 posting 10.00", "Reverses #1", "Closing 42.00", "1 of 1 posting"},
		"/1010?bank=amount_mismatch": {"Deposit t2 Reversal waits for approval t2 customer:alice 25.00 45.00 Amount differs", "All 1 posting of this filter 25.00",
			"Each balance is that of the account all the same"},
		"/1010?bank=reversed_pair":             {"Reversed pair", "All 2 postings of this filter 10.00 10.00"},
		"/1010?bank=currency_mismatch":         {"No posting is like that", "There are 5 postings, 1 March 2026 to 31 March 2026"},
		"/1010?amounts=debit&from=&to=":        {"All 4 postings of this filter 52.00"},
		"/customer:alice?amounts=signed":       {"Opening − debits + credits = closing", "Closing, 31 March 2026 42.00 EUR", "credit − debit, the normal side of this account"},
		"/customer%3Aalice":                    {"customer:alice Account customer:alice", "(42.00)", "a credit balance, as this account normally has, is negative"},
		"/1010?subtotals=day":                  {"Total of 1 March 2026, 4 postings 52.00 0.00 52.00", "Total of 2 March 2026, 1 posting 0.00 10.00 42.00"},
		"/1010?from=2026-01-01&to=2026-01-31":  {"Nothing was posted in this time", "Opening, 1 January 2026 0.00"},
		"/revenue:fees":                        {"No postings yet", "Its balance is zero."},
		"/1010?after=nonsense&before=2026-3-1": {"5 of 5 postings"},
	} {
		br.get(t, "/b/main/accounts"+address).want(t, 200).safe(t).says(t, texts...)
	}
	for query, text := range map[string]string{
		"from=x": "“x” is not a date", "from=2026-03-02&to=2026-03-01": "This day is after the last one", "bank=lost": "“lost” is not a state at the bank",
		"amounts=both": "“both” is no way to show amounts", "subtotals=year": "“year” is not what subtotals are made for",
	} {
		br.get(t, "/b/main/accounts/1010?"+query).want(t, 422).safe(t).says(t, text)
	}
	br.get(t, "/b/main/accounts/9999").want(t, 404).says(t, `Book main has no account "9999"`)
	br.get(t, "/b/main/accounts/%00").want(t, 404)
	for _, link := range []string{
		`href="/b/main/journal?account=1010"`, `href="/b/main/reconciliations/1"`, `href="/b/main/reconciliations/1?tab=matched"`, `href="/b/main/breaks/`,
		`href="/b/main/accounts/1010/statement.csv?from=2026-03-01&amp;to=2026-03-31"`,
	} {
		if page := br.get(t, "/b/main/accounts/1010"); !strings.Contains(page.body, link) {
			t.Errorf("the statement has no %s", link)
		}
	}
}

func TestAccountPage_ACodeMayHoldASlash(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.open(t, "bank/eur:1", "asset", "EUR")
	b.as("preparer").key("k").post(t, "/entries", entryOf("t1", posting("bank/eur:1", 700, "EUR"), posting("customer:bob", -700, "EUR"))).want(t, 201)
	br := b.browser(t, "admin")
	br.get(t, "/b/main/accounts/bank%2Feur:1").want(t, 200).says(t, "bank/eur:1 Account bank/eur:1", "Debits, 1 posting 7.00")
	br.get(t, "/b/main/accounts/bank%2Feur:1/settings").want(t, 200).says(t, "Settings of bank/eur:1")
	export := br.get(t, "/b/main/accounts/bank%2Feur:1/statement.csv?from=&to=").want(t, 200)
	if got := export.header.Get("Content-Disposition"); got != `attachment; filename="account-bank-eur-1.csv"` {
		t.Errorf("the file is sent as %q", got)
	}
	if page := br.get(t, "/b/main/journal/1"); !strings.Contains(page.body, `href="/b/main/accounts/bank%2Feur:1"`) {
		t.Error("an entry does not lead to the statement of its account")
	}
}

func TestAccountPage_PagesShowEveryPostingOnce(t *testing.T) {
	t.Parallel()
	b := setup(t)
	for i := range 230 {
		e := strings.Replace(deposits(fmt.Sprintf("t%03d", i), int64(i+1)), "2026-03-01", fmt.Sprintf("2026-03-%02d", 1+i%7), 1)
		b.as("preparer").key(fmt.Sprint(i)).post(t, "/entries", e).want(t, 201)
	}
	br := b.browser(t, "viewer")
	var seen []string
	page := br.get(t, "/b/main/accounts/1010").want(t, 200).says(t, "Carried to the next page", "100 of 230 postings", "Opening balance")
	for pages := 1; ; pages++ {
		for n := range page.node(t).Descendants() {
			if href := attribute(n, "href"); n.Data == "a" && strings.HasPrefix(href, "/b/main/journal/") && has(n, "data-open") {
				seen = append(seen, strings.TrimPrefix(href, "/b/main/journal/"))
			}
		}
		next := page.rel(t, "next")
		if next == "" {
			page.says(t, "Brought forward from the page before", "Total of 230 postings, closing balance 265.65 0.00 265.65")
			if pages != 3 {
				t.Errorf("there are %d pages", pages)
			}
			break
		}
		page = br.get(t, next).want(t, 200)
	}
	if len(seen) != 230 || len(slices.Compact(slices.Sorted(slices.Values(seen)))) != 230 {
		t.Errorf("the pages show %d rows", len(seen))
	}
	second := br.get(t, page.rel(t, "prev")).want(t, 200).says(t, "100 of 230 postings", "Brought forward")
	if first := br.get(t, second.rel(t, "prev")).want(t, 200).says(t, "Opening balance"); first.rel(t, "prev") != "" || first.rel(t, "next") == "" {
		t.Error("the first page has another before it, or none behind")
	}
}

// rel gives the address of the page's link of a kind, "" where there is none.
func (p page) rel(t *testing.T, rel string) string {
	t.Helper()
	for n := range p.node(t).Descendants() {
		if n.Data == "a" && attribute(n, "rel") == rel {
			return attribute(n, "href")
		}
	}
	return ""
}

func TestAccountExport(t *testing.T) {
	t.Parallel()
	b := setup(t)
	preparer := b.as("preparer")
	for i, text := range []string{"=1+1", "+2", "-3", "@x", "plain, with a comma", "Café =1"} {
		e := strings.Replace(deposits(fmt.Sprint("t", i), int64(100*(i+1))), fmt.Sprint("Deposit t", i), text, 1)
		preparer.key(fmt.Sprint(i)).post(t, "/entries", e).want(t, 201)
	}
	preparer.key("out").post(t, "/entries", entryOf("out", posting("customer:alice", 50, "EUR"), posting("1010", -50, "EUR"))).want(t, 201)
	export := b.browser(t, "viewer").get(t, "/b/main/accounts/1010/statement.csv").want(t, 200)
	if got := export.header.Get("Content-Disposition"); got != `attachment; filename="account-1010-2026-03-01-to-2026-03-31.csv"` {
		t.Errorf("the file is sent as %q", got)
	}
	if got := export.header.Get("Content-Type"); !strings.HasPrefix(got, "text/csv") {
		t.Errorf("the file is sent as %q", got)
	}
	rows, err := csv.NewReader(strings.NewReader(strings.TrimPrefix(export.body, "\ufeff"))).ReadAll()
	ok(t, err)
	var got []string
	for _, row := range rows[1:] {
		got = append(got, strings.Join([]string{row[0], row[1], row[6], row[7], row[9], row[10], row[11], row[12]}, "|"))
	}
	want := []string{
		"2026-03-01|1|'=1+1|customer:alice|1.00||1.00|EUR", "2026-03-01|2|'+2|customer:alice|2.00||3.00|EUR", "2026-03-01|3|'-3|customer:alice|3.00||6.00|EUR",
		"2026-03-01|4|'@x|customer:alice|4.00||10.00|EUR", "2026-03-01|5|plain, with a comma|customer:alice|5.00||15.00|EUR", "2026-03-01|6|Café =1|customer:alice|6.00||21.00|EUR",
		"2026-03-01|7|Deposit out|customer:alice||0.50|20.50|EUR",
	}
	if !slices.Equal(got, want) {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
	b.browser(t, "viewer").get(t, "/b/main/accounts/1010/statement.csv?from=x").want(t, 422)
	b.browser(t, "viewer").get(t, "/b/main/accounts/none/statement.csv").want(t, 404)
	credits := b.browser(t, "viewer").get(t, "/b/main/accounts/1010/statement.csv?amounts=credit").want(t, 200)
	if strings.Count(credits.body, "\n") != 2 || !strings.Contains(credits.body, ",20.50,") {
		t.Errorf("the credits alone are %s", credits.body)
	}
}

func TestFiguresOfAnEarlierKnowledgeOpenNothing(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.as("preparer").key("k1").post(t, "/entries", deposits("t1", 1000)).want(t, 201)
	if known := b.browser(t, "viewer").get(t, "/b/main/balances?known_at=2026-03-31").says(t, "10.00"); strings.Contains(known.body, "/b/main/accounts/1010?") {
		t.Error("a figure of an earlier knowledge opens a statement of now")
	}
}

func TestPeriodsPage(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.story(t)
	b.as("preparer").upload(t, exampleFile, "account=1010").want(t, 201)
	b.as("preparer").key("old").post(t, "/entries", strings.Replace(deposits("old", 300), "2026-03-01", "2025-01-10", 1)).want(t, 201)
	br := b.browser(t, "viewer")
	first := br.get(t, "/b/main/periods").want(t, 200).safe(t).says(t, "March 2026 Open 5 62.00 EUR 1010 Not proven", "unexplained", "up to 2026-03-01", "April 2025 Open 0")
	if !strings.Contains(first.body, `href="/b/main/periods/2026-03"`) || strings.Contains(first.text(t), "February 2025") {
		t.Errorf("the first page is %s", first.text(t))
	}
	older := br.get(t, first.rel(t, "next")).want(t, 200).says(t, "March 2025", "January 2025 Open 1 3.00 EUR")
	br.get(t, older.rel(t, "prev")).want(t, 200).says(t, "March 2026", "April 2025")
	br.get(t, "/b/main/periods?before=x").want(t, 200).says(t, "March 2026")
	if !strings.Contains(first.body, `href="/b/main/balances?from=2026-03-01&amp;as_of=2026-03-31"`) || !strings.Contains(first.body, `href="/b/main/journal?from=2026-03-01&amp;to=2026-03-31"`) {
		t.Error("a period does not lead to its balances and its journal")
	}
	answer := b.as("viewer").get(t, "/periods?limit=2").want(t, 200)
	if text := fmt.Sprint(answer["items"], answer["next"]); !strings.Contains(text, "period:2025-01") || !strings.Contains(text, "status:open") || !strings.HasSuffix(text, "2025-02") {
		t.Errorf("the API lists %s", text)
	}
	answer = b.as("viewer").get(t, "/periods?after=2026-02").want(t, 200)
	if text := fmt.Sprint(answer); !strings.Contains(text, "account:1010") || !strings.Contains(text, "turnover:map[EUR:6200]") || answer["next"] != nil {
		t.Errorf("the API lists %s", text)
	}
	b.as("viewer").get(t, "/periods?after="+url.QueryEscape("2026-13")).refused(t, "invalid", 422, "after")
}

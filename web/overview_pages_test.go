package web_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"
	"golang.org/x/net/html"

	"daybook/templates/ui"
)

const overviewPath = "/b/main"

// busy is a book with two accounts at the bank in two currencies, open breaks on one of them, and a request that waits.
func (b *bundle) busy(t *testing.T) {
	t.Helper()
	b.example(t)
	b.open(t, "1050", "asset", "JPY")
	b.open(t, "2500", "liability", "EUR")
	br := b.browser(t, "preparer")
	b.sendStatement(t, "1010", exampleStatement)
	b.sendStatement(t, "1050", "date,amount,reference,description\n2026-03-01,1200,j1,yen\n")
	b.sendStatement(t, "2500", "date,amount,reference,description\n2026-02-01,0.00,z,zero\n")
	reverse := "/b/main/journal/1/reverse"
	br.submit(t, br.get(t, reverse), reverse, typed("reason", "wrong")).want(t, http.StatusSeeOther)
}

// sendStatement uploads a statement over the API.
func (b *bundle) sendStatement(t *testing.T, account, content string) {
	t.Helper()
	b.as("preparer").upload(t, content, "account="+account).want(t, http.StatusCreated)
}

func TestABookOpensWithItsOverview(t *testing.T) {
	t.Parallel()
	b := setup(t)
	for _, name := range []string{"viewer", "preparer", "approver", "auditor", "admin", "controller"} {
		br := b.browser(t, name)
		start := br.send(t, http.MethodGet, "/", "", nil).want(t, http.StatusSeeOther)
		if start.location() != overviewPath {
			t.Errorf("the start page leads %s to %s", name, start.location())
		}
		page := br.get(t, overviewPath).want(t, http.StatusOK).says(t, "Hello, The "+name, "Tuesday 31 March 2026. No account is held against a statement yet.", "No statement yet",
			"Is the book sound?", "There is no line of a bank yet.", "No break is open.", "No break was opened or closed in these eight weeks.")
		if !strings.Contains(page.body, `<a class="brand" href="`+overviewPath+`">`) || !strings.Contains(page.body, `href="`+overviewPath+`" data-key="o" aria-current="page"`) {
			t.Error("the brand or the navigation does not lead to the overview")
		}
		acts := name == "preparer" || name == "controller"
		if offers := strings.Contains(page.body, `<a class="btn btn-primary" href="/b/main/journal/new"`); offers != acts {
			t.Errorf("%s is offered to post: %v", name, offers)
		}
	}
	b.browser(t, "stranger").send(t, http.MethodGet, overviewPath, "", nil).want(t, http.StatusForbidden)
	if nobody := (&browser{b: b, site: "same-origin"}).get(t, overviewPath); strings.Contains(nobody.body, "Main book") {
		t.Errorf("who is not signed in is shown %s", nobody.text(t))
	}
}

func TestTheOverviewShowsTheFiguresOfTheReconciliations(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.busy(t)
	page := b.browser(t, "viewer").get(t, overviewPath).want(t, http.StatusOK)
	rows := page.tableRows(t, "Accounts at the bank")
	for _, want := range []string{
		"1010 Account 1010 EUR, statement to 2026-03-01 , its balance assumed 42.90 0.00 38.40 4.50 3 30 d – Not proven",
		"1050 Account 1050 JPY, statement to 2026-03-01 , its balance assumed 0 0 1,200 minus (1,200) 1 30 d – Not proven",
		"Total EUR 42.90 0.00 38.40 4.50 4", "Total JPY 0 0 1,200 minus (1,200) 1",
	} {
		if !strings.Contains(strings.Join(rows, "\n"), want) {
			t.Errorf("the table lacks %q:\n%s", want, strings.Join(rows, "\n"))
		}
	}
	page.says(t, "2 accounts have an unexplained difference, one has open breaks that cancel out, and one has no statement to the end of February yet.",
		"Requests of others, waiting 1 oldest now", "Breaks open 5 on 3 accounts", "Oldest break 58 days", "Postings not matched yet 0", "Statements due 1 of 3 accounts, to the end of February",
		"Balanced, EUR", "1 to 4", "Not recomputed yet", "None closed", "1010, 30 days old", "Feb 2026 1 0 0.0 Mar 2026 5 2 40.0", "0–2 days 0 0 0 0", "31+ days 0 1 0 0", "30 Mar 5 0")
	if label := `role="img" aria-label="Auto-match rate: Feb 2026, lines 1, matched 0, % 0.0; Mar 2026, lines 5, matched 2, % 40.0"`; !strings.Contains(page.body, label) {
		t.Error("who does not see the chart is not told what it shows")
	}
	for i, currency := range []string{"EUR", "JPY", "EUR"} {
		row := rows[i+1]
		for name, minor := range b.as("viewer").get(t, fmt.Sprint("/reconciliations/", i+1)).want(t, http.StatusOK)["proof"].(map[string]any) {
			amount, err := minor.(json.Number).Int64()
			ok(t, err)
			if shown := (ui.Format{}).Amount(amount, currency); name != "expected_minor" && !strings.Contains(row, shown) {
				t.Errorf("the row %q does not show %s of its proof, %s", row, name, shown)
			}
		}
	}
}

func TestTheOverviewDoesNotSayProvenWhileABreakOfAnEarlierStatementIsOpen(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.as("preparer").key("t1").post(t, "/entries", deposits("t1", 1000)).want(t, http.StatusCreated)
	b.sendStatement(t, "1010", "date,amount,reference,description\n2026-03-01,10.00,t1,one\n")
	br := b.browser(t, "preparer")
	row := func() string {
		return br.get(t, overviewPath).want(t, http.StatusOK).tableRows(t, "Accounts at the bank")[1]
	}
	if got := row(); !strings.HasSuffix(got, "0.00 0 – 2026-03-01 Proven") {
		t.Fatalf("before: %s", got)
	}

	b.as("preparer").post(t, "/reconciliations/1/submit", `{}`).want(t, http.StatusOK) // what comes late is not in it any more
	b.sendStatement(t, "1010", "date,amount,reference,description\n2026-01-15,-777.00,LATE-1,late charge\n")
	if got := row(); !strings.HasSuffix(got, "0.00 1 75 d – Waiting for sign-off 1 break open on earlier statements") {
		t.Errorf("after: %s", got)
	}
	page := br.get(t, overviewPath).says(t, "One account has breaks open on earlier statements.", "Breaks open 1", "Total 10.00 0.00 10.00 0.00 1")
	href := "/b/main/reconciliations/2?status=open"
	if strings.Count(page.body, `href="`+href+`"`) != 3 {
		t.Errorf("the tile, the count and the words do not all lead to %s", href)
	}
	br.get(t, href).want(t, http.StatusOK).says(t, "777.00")
}

func TestEveryLinkOfTheOverviewLeadsSomewhere(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.busy(t)
	for _, name := range []string{"viewer", "controller"} {
		br := b.browser(t, name)
		page := br.get(t, overviewPath)
		followed := 0
		for n := range page.node(t).Descendants() {
			if href := attribute(n, "href"); n.Data == "a" && insideMain(n) && strings.HasPrefix(href, "/") {
				br.get(t, href).want(t, http.StatusOK)
				followed++
			} else if n.Data == "a" && insideMain(n) && !strings.Contains(page.body, `id="`+strings.TrimPrefix(href, "#")+`"`) {
				t.Errorf("a link leads to %q", href)
			}
		}
		if followed < 8 {
			t.Errorf("%s has only %d links", name, followed)
		}
	}
	b.browser(t, "preparer").get(t, overviewPath).says(t, "Your requests, waiting 1")
	b.browser(t, "approver").get(t, overviewPath).says(t, "Approvals for you 1")
}

func TestTheOverviewTellsWhatAVerificationFound(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.example(t)
	_, err := b.VerifyBooks(t.Context())
	ok(t, err)
	br := b.browser(t, "viewer")
	b.as("preparer").key("k9").post(t, "/entries", deposits("t9", 5)).want(t, http.StatusCreated)
	br.get(t, overviewPath).says(t, "The book is sound", "Recomputed from every entry at 2026-03-31 10:00 UTC; 1 entry has come since", "Whole to #4", "1 to 5", "Equal to postings", "All on")

	conn, err := pgx.Connect(t.Context(), b.ownerURL)
	ok(t, err)
	defer conn.Close(t.Context())
	_, err = conn.Exec(t.Context(), `ALTER TABLE entries DISABLE TRIGGER USER; UPDATE entries SET description = 'Another' WHERE seq = 3`)
	ok(t, err)
	faulty, err := b.VerifyBooks(t.Context())
	ok(t, err)
	if len(faulty) != 1 {
		t.Fatalf("the books with a fault are %+v", faulty)
	}
	page := br.get(t, overviewPath).says(t, "The book is not sound", "This book is not what was recorded. Entry 3: is not what was recorded", "Fault at #3", "Not compared", "off")
	if !strings.Contains(page.body, `<div class="alert bad" role="alert">`) {
		t.Error("the fault is not shouted")
	}
}

func insideMain(n *html.Node) bool {
	for ; n != nil; n = n.Parent {
		if n.Data == "main" {
			return true
		}
	}
	return false
}

// tableRows are the rows of the table whose caption begins so, as a person reads them.
func (p page) tableRows(t *testing.T, caption string) (rows []string) {
	t.Helper()
	for n := range p.node(t).Descendants() {
		if n.Data != "table" || !strings.HasPrefix(textOf(n), caption) {
			continue
		}
		for row := range n.Descendants() {
			if row.Data == "tr" {
				rows = append(rows, textOf(row))
			}
		}
		return rows
	}
	t.Fatalf("%s has no table %q", p.path, caption)
	return nil
}

func textOf(n *html.Node) string {
	var words []string
	for d := range n.Descendants() {
		if d.Type == html.TextNode {
			words = append(words, strings.Fields(d.Data)...)
		}
	}
	return strings.Join(words, " ")
}

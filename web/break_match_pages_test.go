package web_test

import (
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"
)

func matchPath(id int64) string { return breakPath(id) + "/match" }

// thirty is 10.00 and 20.00 in the ledger and 30.00 at the bank a week later: break 1 is of the bank's line, 2 and 3 of the postings.
func (b *bundle) thirty(t *testing.T) {
	t.Helper()
	for id, amount := range map[string]int64{"a": 1000, "b": 2000} {
		b.as("preparer").key(id).post(t, "/entries", deposits(id, amount)).want(t, 201)
	}
	b.as("preparer").upload(t, "Date,Reference,Description,Amount\n2026-03-10,x,Deposit,30.00\n", "account=1010", "period_from=2026-03-01", "period_to=2026-03-31").want(t, 201)
}

func TestABreakIsMatchedWithACandidate(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.thirty(t)
	br := b.browser(t, "preparer")
	on := br.get(t, breakPath(1)).says(t, "One fits. A person decides.", "2 add up to it", "Also resolves B-2 and B-3", "“Deposit” in both")
	form := on.form(t, matchPath(1))
	if items := form["item"]; len(items) != 3 {
		t.Fatalf("the form names %v", items)
	}
	entry := on.form(t, resolvePath(1))
	entry.Set("resolution", "adjusted")
	entry.Set("entry.add", "1")
	br.post(t, resolvePath(1), entry).says(t, "The candidates may already hold this. Posting it again would count it twice.")
	br.post(t, matchPath(1), form).want(t, http.StatusSeeOther)
	br.post(t, matchPath(1), form).want(t, http.StatusSeeOther)
	br.get(t, breakPath(1)).says(t, "The break is matched.", "Resolved Matched")
	br.get(t, breakPath(3)).says(t, "Resolved Matched")
	if matches := b.as("viewer").get(t, "/reconciliations/1/matches").want(t, 200)["items"].([]any); len(matches) != 1 {
		t.Errorf("pressed twice, there are %d matches", len(matches))
	}
}

func TestABreakIsMatchedWithTheFirstCandidateFromThePanel(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.thirty(t)
	br := b.browser(t, "preparer")
	br.submit(t, br.get(t, breakPath(1)).says(t, "With the first candidate"), resolvePath(1), typed("resolution", "matched")).want(t, http.StatusSeeOther)
	br.get(t, breakPath(1)).says(t, "Resolved Matched", "No other break is open: back to the reconciliation")
}

func TestWhatIsMatchedIsSearchedByHand(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.thirty(t)
	br := b.browser(t, "preparer")
	if strings.Contains(br.get(t, breakPath(1)).body, "Match what is chosen") {
		t.Error("the search is there unasked")
	}
	br.get(t, breakPath(1)+"?search=1&amount=twenty&from=soon").says(t, "“twenty” is not an amount", "“soon” is not a date")
	br.get(t, breakPath(1)+"?search=1&text=nobody").says(t, "Nothing open fits this search.")
	on := br.get(t, breakPath(1)+"?search=1&amount=20&text=Deposit").says(t, "Deposit b", "Chosen: ledger 0.00 − bank 30.00 = (30.00) EUR")
	if strings.Contains(on.text(t), "Deposit a b #") {
		t.Errorf("10.00 is found for 20.00: %s", on.text(t))
	}
	form := url.Values{"form": {"hand"}, "version": {"1"}, "search": {"1"}, "match_note": {"one deposit"}, "item": {"r.1.2", "p.1.1"}}
	answer := br.post(t, matchPath(1), form).want(t, http.StatusUnprocessableEntity).says(t, "The two sides differ by", "Chosen: ledger ")
	for _, kept := range []string{`value="r.1.2" checked`, `value="p.1.1" checked`, `value="one deposit"`} {
		if !strings.Contains(answer.body, kept) {
			t.Errorf("%s is not kept", kept)
		}
	}
	for _, wrong := range []string{"x", "p.1", "p.a.1", "q.1.1", "p.99.1"} {
		form["item"] = []string{"r.1.2", wrong}
		br.post(t, matchPath(1), form).want(t, http.StatusUnprocessableEntity)
	}
	form["item"] = []string{"p.1.1", "p.2.1"} // with the only line of the break, which goes without saying
	br.post(t, matchPath(1), form).want(t, http.StatusSeeOther)
	br.get(t, breakPath(1)).says(t, "The break is matched.", "“one deposit”")

	taken := url.Values{"form": {"late"}, "item": {"p.1.1", "r.1.2"}, "version": {"1"}}
	br.post(t, matchPath(1), taken).want(t, http.StatusConflict).says(t, "The preparer resolved it as “Matched”")
	b.browser(t, "viewer").post(t, matchPath(1), taken).want(t, http.StatusForbidden)
}

func TestOneOfAGroupIsMatchedByItself(t *testing.T) {
	t.Parallel()
	b := setup(t)
	for i, name := range []string{"Jip Vermeer", "Iris Kok"} {
		b.as("preparer").key(name).post(t, "/entries", strings.Replace(deposits(fmt.Sprint("w", i), 18000), fmt.Sprint("Deposit w", i), "Workshop, "+name, 1)).want(t, 201)
	}
	b.as("preparer").upload(t, "Date,Description,Amount\n2026-03-02,J VERMEER WORKSHOP,180.00\n", "account=1010", "period_from=2026-03-01", "period_to=2026-03-31").want(t, 201)
	br := b.browser(t, "preparer")
	on := br.get(t, breakPath(1)).says(t, "Several candidates", "More than one fits", "“Vermeer” in both", "“Workshop” in both", "Choose by hand what belongs together")
	form := on.form(t, matchPath(1))
	if slices.Sort(form["item"]); len(form["item"]) != 2 {
		t.Fatalf("the first candidate names %v", form["item"])
	}
	chosen := br.get(t, breakPath(1)+"?search=1").says(t, "This break", "Chosen: ledger 360.00 − bank 180.00 = 180.00 EUR")
	if strings.Count(chosen.body, " checked ")+strings.Count(chosen.body, " checked>") < 3 {
		t.Error("the items of the break are not chosen to begin with")
	}
	br.post(t, matchPath(1), url.Values{"form": {"none"}, "version": {"1"}, "search": {"1"}}).want(t, http.StatusUnprocessableEntity).says(t, "Nothing of this break is chosen")
	br.post(t, matchPath(1), form).want(t, http.StatusSeeOther)
	br.get(t, breakPath(1)).says(t, "What was chosen is matched.", "What is left of the break stays open.", "Missing in bank")
}

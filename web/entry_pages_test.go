package web_test

import (
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"testing"
)

// newEntry is a deposit of Alice as it is typed, in the first and the third line.
func newEntry(txID, amount string) url.Values {
	return typed("tx_id", txID, "effective_on", "2026-03-01", "description", "Deposit "+txID, "postings[0].account", "1010", "postings[0].debit", amount,
		"postings[2].account", "customer:alice", "postings[2].credit", amount)
}

const newEntryPath = "/b/main/journal/new"

func TestANewEntryPostsOnceHoweverOftenItIsSent(t *testing.T) {
	t.Parallel()
	b := setup(t)
	br := b.browser(t, "preparer")
	first := br.send(t, http.MethodGet, newEntryPath, "", nil).want(t, 303)
	form := br.get(t, first.location()).want(t, 200)
	again := br.get(t, first.location())
	if key := form.form(t, newEntryPath).Get("form"); key == "" || key != again.form(t, newEntryPath).Get("form") {
		t.Fatalf("a reload changes the key %q", key)
	}
	one := br.submit(t, form, newEntryPath, newEntry("t1", "1,000.50")).want(t, 303)
	two := br.submit(t, again, newEntryPath, newEntry("t1", "1,000.50")).want(t, 303)
	if one.location() != "/b/main/journal/1" || two.location() != one.location() {
		t.Errorf("a double click leads to %s and %s", one.location(), two.location())
	}
	br.get(t, one.location()).want(t, 200).says(t, "Entry #1 is posted.", "1,000.50", "Computed again just now, equal", "The preparer")
	br.get(t, first.location()).want(t, 200).says(t, "already posted as #1")

	edited := br.submit(t, form, newEntryPath, newEntry("t1", "2.00")).want(t, 422).says(t, "This form was already posted as #1.", "Post as another entry")
	kept := edited.form(t, newEntryPath)
	if kept.Get("postings[0].debit") != "2.00" || kept.Get("form") == form.form(t, newEntryPath).Get("form") {
		t.Errorf("want what was typed under a fresh key: %v", kept)
	}
	br.get(t, "/b/main/journal").says(t, "All 1 entry")
	br.submit(t, edited, newEntryPath, nil).want(t, 422).says(t, "The tx id names entry #1 already")
	br.submit(t, edited, newEntryPath, typed("tx_id", "t1b")).want(t, 303)
}

func TestANewEntryReadsAmountsInTheCurrencyOfTheAccount(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.open(t, "yen", "asset", "JPY")
	b.open(t, "customer:yuki", "liability", "JPY")
	b.open(t, "dinar", "asset", "KWD")
	b.open(t, "customer:omar", "liability", "KWD")
	br := b.browser(t, "preparer")
	entry := typed("tx_id", "fx", "effective_on", "2026-03-02", "description", "Two currencies", "postings[0].account", "yen", "postings[0].debit", "1200",
		"postings[1].account", "customer:yuki", "postings[1].credit", "1200", "postings[2].account", "dinar", "postings[2].debit", "1.234",
		"postings[3].account", "customer:omar", "postings[3].credit", "1.234")
	answer := br.submit(t, br.get(t, newEntryPath), newEntryPath, entry).want(t, 303)
	br.get(t, answer.location()).says(t, "1,200", "1.234", "JPY", "KWD")
	entry.Set("postings[0].debit", "12.5")
	entry.Set("tx_id", "fx2")
	br.submit(t, br.get(t, newEntryPath), newEntryPath, entry).want(t, 422).says(t, "Line 1: \"12.5\" has more decimals than JPY, which has 0")
}

// wrongEntries are forms with something wrong: what differs from a good one, the control that is marked, what is said.
var wrongEntries = map[string]struct {
	typed url.Values
	field string
	says  string
}{
	"BothSides":      {typed("postings[0].credit", "1"), "postings[0].debit", "Line 1: fill debit or credit, not both"},
	"NoSide":         {typed("postings[2].credit", ""), "postings[2].debit", "Line 3: fill debit or credit"},
	"UnknownAccount": {typed("postings[2].account", "nobody"), "postings[2].account", "Line 3: there is no account “nobody”"},
	"NothingKnown":   {typed("postings[2].account", "nobody", "postings[2].credit", "x"), "postings[2].credit", "Line 3: “x” is not an amount"},
	"NoAccount":      {typed("postings[2].account", ""), "postings[2].account", "Line 3: give the code of an account"},
	"NotAnAmount":    {typed("postings[2].credit", "1,23"), "postings[2].credit", "Line 3: \"1,23\" is not an amount"},
	"Negative":       {typed("postings[2].credit", "-5"), "postings[2].credit", "Line 3: write the amount without a sign"},
	"Zero":           {typed("postings[2].credit", "0"), "postings[2].credit", "Line 3 is zero"},
	"Unbalanced":     {typed("postings[2].credit", "4"), "", "EUR debits are 5.00 and credits 4.00"},
	"TooLarge":       {typed("postings[2].credit", "99999999999999999999"), "postings[2].credit", "is beyond the largest amount"},
	"NoTxID":         {typed("tx_id", " "), "tx_id", "Tx id is missing"},
	"NoDescription":  {typed("description", "", "postings[2].credit", "x"), "description", "Description is missing"},
	"UnseenText":     {typed("description", "\u200b \ufeff"), "description", "Description is missing"},
	"UnseenInTxID":   {typed("tx_id", "t\u200b1"), "tx_id", "Tx id has characters that cannot be seen"},
	"NoDate":         {typed("effective_on", ""), "effective_on", "Give the accounting day"},
	"BadDate":        {typed("effective_on", "31.3.2026"), "effective_on", "“31.3.2026” is not a date"},
	"OneLine":        {typed("postings[2].account", "", "postings[2].credit", ""), "", "at least two postings"},
}

func TestANewEntryTellsWhatIsWrongWhereItWasTyped(t *testing.T) {
	t.Parallel()
	b := setup(t)
	br := b.browser(t, "preparer")
	for name, wrong := range wrongEntries {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			br := &browser{b: b, session: br.session, site: br.site}
			form := br.get(t, newEntryPath)
			sent := form.filled(t, newEntryPath, newEntry("w-"+name, "5"))
			for field, value := range wrong.typed {
				sent[field] = value
			}
			answer := br.post(t, newEntryPath, sent).want(t, 422).says(t, wrong.says)
			kept := answer.form(t, newEntryPath)
			for field := range sent {
				if kept.Get(field) != sent.Get(field) && strings.TrimSpace(sent.Get(field)) != "" {
					t.Errorf("%s was %q and is %q now", field, sent.Get(field), kept.Get(field))
				}
			}
			if wrong.field != "" && !answer.marks(t, wrong.field) {
				t.Errorf("%s is not marked", wrong.field)
			}
		})
	}
	br.post(t, newEntryPath, newEntry("nokey", "5")).want(t, 400).says(t, "The form carries no key")
	br.post(t, newEntryPath, url.Values{"form": {"k"}, "description": {"a\x00b"}}).want(t, 422).says(t, "not text")
}

func TestLinesAreAddedAndRemovedWithoutAScript(t *testing.T) {
	t.Parallel()
	b := setup(t)
	br := b.browser(t, "preparer")
	form := br.get(t, newEntryPath)
	sent := newEntry("lines", "5")
	sent.Set("add", "line")
	more := br.submit(t, form, newEntryPath, sent).want(t, 200)
	if kept := more.form(t, newEntryPath); kept.Get("postings[2].credit") != "5" || !kept.Has("postings[4].account") || kept.Get("form") != form.form(t, newEntryPath).Get("form") {
		t.Errorf("the form is %v", kept)
	}
	fewer := br.submit(t, more, newEntryPath, typed("drop", "0")).want(t, 200).form(t, newEntryPath)
	if fewer.Get("postings[1].credit") != "5" || fewer.Has("postings[4].account") {
		t.Errorf("the form is %v", fewer)
	}
}

// marks says whether a control is marked as wrong and tells why.
func (p page) marks(t *testing.T, field string) bool {
	t.Helper()
	for n := range p.node(t).Descendants() {
		if attribute(n, "name") == field && attribute(n, "aria-invalid") == "true" && attribute(n, "aria-describedby") != "" {
			return true
		}
	}
	return false
}

func TestJournalPage(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.open(t, "yen", "asset", "JPY")
	b.open(t, "customer:yuki", "liability", "JPY")
	for n := 1; n <= 60; n++ {
		b.as("preparer").key("k"+strconv.Itoa(n)).post(t, "/entries", deposits("t"+strconv.Itoa(n), int64(n)*100)).want(t, 201)
	}
	b.as("preparer").key("yen").post(t, "/entries", entryOf("yen", posting("yen", 5500, "JPY"), posting("customer:yuki", -5500, "JPY"))).want(t, 201)
	br := b.browser(t, "viewer")

	t.Run("PagesByKeyAndKeepsTheFilter", func(t *testing.T) {
		first := br.get(t, "/b/main/journal?account=1010").says(t, "50 of 60 entries, #11 to #60", "All 60 entries of this filter", "120", "1,830.00")
		older := br.get(t, first.link(t, "Older")).says(t, "10 of 60 entries, #1 to #10")
		if older.link(t, "Older") != "" {
			t.Error("there is something older than the first entry")
		}
		if newer := br.get(t, older.link(t, "Newer")); !strings.Contains(newer.text(t), "#11 to #60") || newer.link(t, "Newer") != "" {
			t.Errorf("back on the first page: %s", newer.text(t))
		}
	})
	t.Run("FindsNumbersAmountsAndTexts", func(t *testing.T) {
		for query, found := range map[string]string{
			"q=%2317": "1 of 1 entry, #17 to #17", "q=t59": "1 of 1 entry, #59", "q=55.00": "1 of 1 entry, #55 to #55", "amount=55.00": "1 of 1 entry, #55",
			"amount=5500": "1 of 1 entry, #61", "amount=1%2C234": "No entry is like that", "q=DEPOSIT+T60": "1 of 1 entry, #60", "kind=reversal": "No entry is like that",
			"from=2026-03-02": "No entry is like that", "q=%25": "No entry is like that", "q=%5C": "No entry is like that", "q=%27%3B--": "No entry is like that",
			"q=99999999999999999999999": "No entry is like that", "before=x&after=-1": "50 of 61", "before=1": "No entries yet", "open=7&q=t7": "1 of 1 entry, #7 to #7",
		} {
			br.get(t, "/b/main/journal?"+query).want(t, 200).says(t, found)
		}
		for query, wrong := range map[string]string{
			"amount=abc": "“abc” is not an amount", "from=1.3.": "“1.3.” is not a date", "account=nobody": "There is no account “nobody”", "kind=odd": "“odd” is not a kind",
		} {
			br.get(t, "/b/main/journal?"+query).want(t, 422).says(t, wrong)
		}
	})
}

// link gives where the first link with a text leads, "" when there is none.
func (p page) link(t *testing.T, text string) string {
	t.Helper()
	for n := range p.node(t).Descendants() {
		if n.Data != "a" {
			continue
		}
		var words []string
		for inner := range n.Descendants() {
			if inner.FirstChild == nil {
				words = append(words, strings.Fields(inner.Data)...)
			}
		}
		if strings.Contains(strings.Join(words, " "), text) {
			return attribute(n, "href")
		}
	}
	return ""
}

func TestNoLineOfAFormIsPassedOver(t *testing.T) {
	t.Parallel()
	b := setup(t)
	br := b.browser(t, "preparer")
	for _, number := range []string{"100000", "-1", "00", "", "x"} {
		form := newEntry("t1", "1.00")
		form.Set("postings["+number+"].account", "customer:bob")
		form.Set("postings["+number+"].debit", "1.00")
		form.Set("form", "key"+number)
		br.post(t, newEntryPath, form).want(t, 422).says(t, "“postings["+number+"].account” is not a line of this form")
	}
}

func TestAFormTakesAsManyLinesAsAnEntry(t *testing.T) {
	t.Parallel()
	b := setup(t)
	br := b.browser(t, "preparer")
	form := newEntry("t1", "1.00")
	form.Set("form", "many lines")
	for n := range 5000 {
		line := "postings[" + strconv.Itoa(n) + "]."
		form.Set(line+"account", "customer:alice")
		form.Set(line+"debit", "1.00")
		form.Set(line+"credit", "")
		if n%2 == 0 {
			form.Set(line+"debit", "")
			form.Set(line+"credit", "1.00")
		}
	}
	br.post(t, newEntryPath, form).want(t, 303)
	form.Set("form", "one line more")
	form.Set("postings[5000].account", "1010")
	form.Set("postings[5000].debit", "1.00")
	br.post(t, newEntryPath, form).want(t, 422)
}

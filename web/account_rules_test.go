package web_test

import (
	"strings"
	"testing"
)

func TestAccountRulesPage(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.as("preparer").key("k1").post(t, "/entries", entryOf("INV-1", posting("1010", 10000, "EUR"), posting("customer:alice", -10000, "EUR"))).want(t, 201)
	b.as("preparer").upload(t, "Date,Amount,Reference,Description\n2026-03-04,96.80,INV-1,Card payment\n", "account=1010").want(t, 201)
	admin := b.browser(t, "admin")
	const path = "/b/main/accounts/1010/rules"
	form := admin.get(t, path).want(t, 200).safe(t).says(t, "Nobody has changed them: they are the default rules.", "Version 1", "Save as version 2", "at most 10.00 EUR")
	rules := typed("window_days", "5", "prefixes", "KD-\r\n\r\nEREF", "tolerance_minor", "0.02", "fee.account", "revenue:fees", "fee.fixed_minor", "0.30", "fee.per_mille", "2.9", "note", "as agreed")
	trying := typed("try", "1")
	for name, values := range rules {
		trying[name] = values
	}
	admin.submit(t, form, path, trying).want(t, 200).safe(t).says(t, "What would change", "Matched: By reference 0 1", "Open break: Amount differs 1 0", "Unexplained, EUR 3.20 0.00",
		"1 entry would be booked, moving the account by (3.20) EUR.")
	filled := form.filled(t, path, rules)
	admin.post(t, path, filled).want(t, 303)
	admin.post(t, path, filled).want(t, 303)
	admin.get(t, path).want(t, 200).safe(t).says(t, "Version 2 of the rules is saved. The next matching goes by it.", "Save as version 3", "Version 2", "Window 3 days → 5 days", "Tolerance none → 0.02",
		"Fee booked to none → revenue:fees", "“as agreed”", "The admin")
	if page := admin.get(t, path); page.form(t, path).Get("prefixes") != "KD-\nEREF" || page.form(t, path).Get("fee.per_mille") != "2.9" {
		t.Errorf("the form holds %v", page.form(t, path))
	}
	stale := form.filled(t, path, rules)
	stale.Set("form", "another")
	admin.post(t, path, stale).want(t, 422).safe(t).says(t, "The rules of account 1010 are at version 2 by now, set by The admin")
	wrong := typed("window_days", "soon", "prefixes", "KD-\n--", "tolerance_minor", "x", "fee.per_mille", "2.95")
	admin.submit(t, admin.get(t, path), path, wrong).want(t, 422).safe(t).says(t, "The window must be a whole number of days", "“x” is not an amount", "“2.95” is not a share of an amount")
	refused := admin.submit(t, admin.get(t, path), path, typed("window_days", "400", "prefixes", "KD-\n--", "fee.account", "1010", "tolerance_minor", "1")).want(t, 422).safe(t).
		says(t, "The window must be a number of days from 0 to 366", "Prefix 2 has no letter or digit", "The fee's account is the account itself")
	if refused.form(t, path).Get("window_days") != "400" {
		t.Error("what was typed is gone")
	}
	b.browser(t, "viewer").get(t, path).want(t, 200).safe(t).says(t, "Rules now", "0.02 either way, booked to revenue:fees", "Up to 0.30 and 2.9 %", "You cannot change them.")
	b.browser(t, "viewer").post(t, path, filled).want(t, 403)
	b.browser(t, "auditor").get(t, auditPath).says(t, "Change matching rules", "Account 1010")
}

func TestAccountRulesPage_AMatchingBooksByThem(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.as("preparer").key("k1").post(t, "/entries", entryOf("INV-1", posting("1010", 10000, "EUR"), posting("customer:alice", -10000, "EUR"))).want(t, 201)
	b.as("preparer").upload(t, "Date,Amount,Reference,Description\n2026-03-04,96.80,INV-1,Card payment\n", "account=1010").want(t, 201)
	admin := b.browser(t, "admin")
	const path = "/b/main/accounts/1010/rules"
	admin.submit(t, admin.get(t, path), path, typed("fee.account", "revenue:fees", "fee.fixed_minor", "4")).want(t, 303)
	preparer := b.browser(t, "preparer")
	preparer.submit(t, preparer.get(t, "/b/main/reconciliations/1"), "/b/main/reconciliations/1/match", nil).want(t, 303)
	preparer.get(t, "/b/main/journal/2").want(t, 200).says(t, "Bank fee of 3.20 EUR that the rules of account 1010 allow", "version 2 of the rules of account 1010")
	preparer.get(t, "/b/main/reconciliations/1?tab=matched").want(t, 200).says(t, "booked as entry 2")
	if page := preparer.get(t, "/b/main/accounts/1010"); !strings.Contains(page.body, `href="/b/main/accounts/1010/rules"`) {
		t.Error("the account's page does not lead to its rules")
	}
	preparer.get(t, "/b/main/reconciliations/1/statement").says(t, "Version 2")
}

package web_test

import (
	"strings"
	"testing"
)

func TestAccountsPage(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.as("preparer").key("k1").post(t, "/entries", deposits("t1", 1000)).want(t, 201)
	viewer := b.browser(t, "viewer")
	for query, texts := range map[string][]string{
		"":               {"Assets 1010 Account 1010 EUR – – – 2026-03-01 10.00 Open", "Liabilities customer:alice Account customer:alice EUR – – – 2026-03-01 10.00", "4 of 4 accounts"},
		"?q=BOB":         {"customer:bob", "1 of 1 account"},
		"?type=income":   {"revenue:fees", "1 of 1 account"},
		"?status=closed": {"No account is like that"},
		"?after=1010":    {"customer:alice", "From the first"},
	} {
		page := viewer.get(t, "/b/main/accounts"+query).want(t, 200).safe(t).says(t, texts...)
		if strings.Contains(page.body, "/settings\"") || strings.Contains(page.text(t), "New account") {
			t.Errorf("a viewer is offered to change accounts on %s", query)
		}
	}
	viewer.get(t, "/b/main/accounts?type=bank").want(t, 422).says(t, "“bank” is not a type of account")
	viewer.get(t, "/b/main/accounts?status=gone").want(t, 422).says(t, "“gone” is not a state")
	for _, path := range []string{"/b/main/new-account", "/b/main/accounts/1010/settings"} {
		viewer.get(t, path).want(t, 403).says(t, `To open and change accounts you need the right "accounts", which the role admin has`)
	}
	b.browser(t, "admin").get(t, "/b/main/accounts").says(t, "New account", "Settings")
}

func TestAnAccountIsOpenedOnAPage(t *testing.T) {
	t.Parallel()
	b := setup(t)
	admin := b.browser(t, "admin")
	const path = "/b/main/new-account"
	form := admin.get(t, path).want(t, 200).safe(t)
	eva := typed("code", "customer:eva", "name", "Eva Jones", "type", "liability", "currency", "jpy", "no_negative", "1")
	filled := form.filled(t, path, eva)
	if answer := admin.post(t, path, filled).want(t, 303); answer.location() != "/b/main/accounts/customer:eva" {
		t.Errorf("the form leads to %s", answer.location())
	}
	admin.post(t, path, filled).want(t, 303)
	admin.get(t, "/b/main/accounts/customer:eva").says(t, "customer:eva Eva Jones", "Liability, JPY. Never below zero.")
	filled.Set("name", "Another")
	admin.post(t, path, filled).want(t, 422).safe(t).says(t, "This form was sent before as something else")
	admin.submit(t, admin.get(t, path), path, eva).want(t, 422).says(t, "The book has an account with this code already", "The code is taken")
	wrong := typed("code", "-x", "name", "", "type", "", "currency", "EURO", "reconcile_from", "soon")
	admin.submit(t, admin.get(t, path), path, wrong).want(t, 422).says(t, "“soon” is not a date")
	wrong.Set("reconcile_from", "")
	if page := admin.submit(t, admin.get(t, path), path, wrong).want(t, 422).safe(t).says(t, "The code: use 1 to 100 letters", "The name is missing", "The type must be asset", "is not an ISO 4217 currency"); page.form(t, path).Get("code") != "-x" {
		t.Error("what was typed is gone")
	}
	b.browser(t, "preparer").post(t, path, filled).want(t, 403)
	b.browser(t, "auditor").get(t, auditPath).says(t, "Open account", "Account customer:eva")
}

func TestTheDayFromWhichAnAccountIsHeldAgainstStatementsIsChangedOnAPage(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.as("preparer").key("k1").post(t, "/entries", strings.Replace(deposits("t1", 1000), "2026-03-01", "2026-03-02", 1)).want(t, 201)
	b.as("preparer").upload(t, "Date,Amount,Reference,Balance\n2026-03-02,3.00,x,103.00\n2026-03-20,4.00,y,107.00\n", "account=1010").want(t, 201)
	admin := b.browser(t, "admin")
	const settings, action = "/b/main/accounts/1010/settings", "/b/main/accounts/1010/reconcile-from"
	form := admin.get(t, settings).want(t, 200).safe(t).says(t, "Postings from 2 March 2026 on must be on a statement")
	filled := form.filled(t, action, typed("reconcile_from", "2026-03-10"))
	admin.post(t, action, filled).want(t, 303)
	admin.post(t, action, filled).want(t, 303)
	admin.get(t, settings).says(t, "Account 1010 is held against statements from 2026-03-10 on.", "Postings from 10 March 2026 on")
	admin.get(t, "/b/main/reconciliations/1").want(t, 200).safe(t).says(t, "1 posting dated before 10 March 2026, 10.00 EUR, in the balance per ledger and in no break.")
	if page := admin.submit(t, admin.get(t, settings), action, typed("reconcile_from", "soon")).want(t, 422).safe(t).says(t, "“soon” is not a date"); page.form(t, action).Get("reconcile_from") != "soon" {
		t.Error("what was typed is gone")
	}
	admin.submit(t, admin.get(t, settings), action, typed("reconcile_from", "")).want(t, 422).says(t, "is missing: the account has statements")
	if page := admin.get(t, "/b/main/accounts/revenue:fees/settings").want(t, 200); strings.Contains(page.body, "reconcile-from") {
		t.Error("an income account is offered to be held against statements")
	}
	b.browser(t, "auditor").get(t, auditPath).says(t, "Change from when it is held against statements")
}

func TestAnAccountIsChangedOnAPage(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.as("preparer").key("k1").post(t, "/entries", deposits("t1", 1000)).want(t, 201)
	admin := b.browser(t, "admin")
	const settings = "/b/main/accounts/1010/settings"
	send := func(action string, pairs ...string) page {
		return admin.submit(t, admin.get(t, settings).want(t, 200).safe(t), "/b/main/accounts/1010/"+action, typed(pairs...))
	}
	send("rename", "name", "Bank, operating").want(t, 303)
	admin.get(t, settings).says(t, "Account 1010 is now called Bank, operating.", "Settings of 1010 Bank, operating")
	send("rename", "name", " ").want(t, 422).safe(t).says(t, "The name is missing")
	send("close").want(t, 409).safe(t).says(t, "Account 1010 has a balance of 10.00 EUR on 2026-03-31: bring it to zero first, then close it.")
	send("no-negative").want(t, 303)
	admin.get(t, settings).says(t, "Account 1010 can never go below zero from now on.", "Never: an entry that would give it a credit balance on any day is refused.")
	b.as("preparer").key("k2").post(t, "/entries", entryOf("t2", posting("customer:alice", 1001, "EUR"), posting("1010", -1001, "EUR"))).refused(t, "insufficient-funds", 422)
	send("no-negative").want(t, 303)
	b.as("preparer").key("k3").post(t, "/entries", entryOf("t3", posting("customer:alice", 1001, "EUR"), posting("1010", -1001, "EUR"))).want(t, 201)
	send("no-negative").want(t, 422).says(t, "Never below zero cannot be set: on 2026-03-01 the account stood at -0.01")
	b.as("preparer").key("k4").post(t, "/entries", deposits("t4", 1)).want(t, 201)
	send("close").want(t, 303)
	admin.get(t, "/b/main/accounts/1010").says(t, "Closed: takes no entries")
	b.as("preparer").key("k5").post(t, "/entries", deposits("t5", 1)).refused(t, "closed-account", 422)
	send("reopen").want(t, 303)
	b.as("preparer").key("k5").post(t, "/entries", deposits("t5", 1)).want(t, 201)
	admin.post(t, "/b/main/accounts/nowhere/close", typed("form", "k")).want(t, 404)
	admin.post(t, "/b/main/accounts/1010/close", nil).want(t, 400)
	b.browser(t, "controller").post(t, "/b/main/accounts/1010/close", typed("form", "k")).want(t, 403)
	b.browser(t, "auditor").get(t, auditPath).says(t, "Rename account", "Close account", "Reopen account", "Set never below zero", "has a balance of 10.00 EUR")
}

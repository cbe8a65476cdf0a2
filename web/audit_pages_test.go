package web_test

import (
	"strings"
	"testing"
)

const auditPath = "/b/main/audit"

func TestTheAuditLogIsForAuditors(t *testing.T) {
	t.Parallel()
	b := setup(t)
	for name := range people {
		br := b.browser(t, name)
		if name == "auditor" {
			br.get(t, auditPath).want(t, 200).says(t, "Audit log", "Periods Audit")
			continue
		}
		answer := br.get(t, auditPath).want(t, 403)
		if name != "stranger" {
			answer.says(t, "To read the audit log and export the book you need the right \"audit\", which the role auditor has", "Your rights in main", "Quote request")
		}
		if strings.Contains(br.get(t, "/b/main/balances").body, "/audit") {
			t.Errorf("%s is led to the audit log", name)
		}
	}
}

func TestTheAuditLogTellsWhoDidWhat(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.story(t)
	preparer, viewer := b.browser(t, "preparer"), b.browser(t, "viewer")
	preparer.submit(t, preparer.get(t, newEntryPath), newEntryPath, newEntry("t9", "1x")).want(t, 422)
	viewer.post(t, "/b/main/approvals/2/approve", typed("form", "k")).want(t, 403)
	br := b.browser(t, "auditor")
	for address, texts := range map[string][]string{
		"": {"Refused", "The auditor Sign in auditor@demo.test", "The viewer Approve Request 2 To decide requests you need the right",
			"The preparer Post entry New entry", "The preparer Upload statement Statement 1 Account 1010, File march.csv Done",
			"The preparer Request reversal Entry #4 Request 2 Done", "The approver Approve Request 1 Entry #1 Done", "Operator, by command Open book Book main"},
		"?outcome=refused&actor=viewer":       {"1 of 1 record", "127.0.0.1", "By “viewer”", "Clear all"},
		"?action=role.grant&q=auditor":        {"Operator, by command Grant role The auditor Role auditor Done"},
		"?action=account.open&actor=ADMIN":    {"Account customer:bob", "4 of 4 records"},
		"?q=%231&action=reversal.request":     {"Entry #1 Request 1 Done"},
		"?from=2026-03-31&to=2026-03-31&q=t0": {"No record is like that", "Clear all filters"},
		"?from=2026-04-01":                    {"No record is like that"},
	} {
		br.get(t, auditPath+address).want(t, 200).safe(t).says(t, texts...)
	}
	for address, text := range map[string]string{
		"?from=2026-04-02&to=2026-04-01": "This day is after the last one, 2026-04-01", "?from=x": "“x” is not a date",
		"?outcome=well": "“well” is no result", "?action=dance": "“dance” is no action of the audit log",
	} {
		br.get(t, auditPath+address).want(t, 422).safe(t).says(t, text)
	}
	answer := br.get(t, auditPath)
	for _, link := range []string{`href="/b/main/journal/4"`, `href="/b/main/approvals?id=2"`, `href="/b/main/reconciliations/1"`, `href="/b/main/accounts/1010"`} {
		if !strings.Contains(answer.body, link) {
			t.Errorf("the audit log has no %s", link)
		}
	}
}

func TestTheAuditLogIsTurnedAndOpenedWithoutAScript(t *testing.T) {
	t.Parallel()
	b := setup(t)
	for range 30 {
		b.as("viewer").post(t, "/accounts", `{"code":"x"}`).want(t, 403)
		b.as("preparer").post(t, "/accounts", `{"code":"y"}`).want(t, 403)
	}
	br := b.browser(t, "auditor")
	refused := auditPath + "?outcome=refused"
	first := br.get(t, refused).says(t, "50 of 60 records")
	older := first.link(t, "Older")
	second := br.get(t, older).says(t, "10 of 60 records")
	if back := br.get(t, second.link(t, "Newer")).says(t, "50 of 60 records").link(t, "Older"); back != older {
		t.Errorf("there and back leads to %s, not to %s", back, older)
	}
	_, id, _ := strings.Cut(older, "before=")
	id, _, _ = strings.Cut(id, "&")
	opened := br.get(t, refused+"&open="+id)
	if !strings.Contains(opened.body, `aria-expanded="true" aria-controls="r`+id) || strings.Count(opened.body, `aria-expanded="true"`) != 1 {
		t.Errorf("record %s is not opened", id)
	}
	br.get(t, auditPath+"?before=nonsense").want(t, 200)
	br.get(t, auditPath+"?before=01890000-0000-7000-8000-000000000000").want(t, 404)
}

package gallery

import (
	"strings"
	"testing"

	"daybook/templates"
)

func TestOnlyWhoMayReadTheAuditLogIsLedThere(t *testing.T) {
	t.Parallel()
	if html := render(t, templates.JournalPage(journal())); strings.Contains(html, "/audit") {
		t.Error("the audit log is offered to who may not read it")
	}
	if html := render(t, templates.AuditPage(audit())); !strings.Contains(html, `href="/b/main/audit" data-key="d" aria-current="page"`) {
		t.Error("the audit log is not in the navigation")
	}
}

func TestARequesterCanRecallButNotDecide(t *testing.T) {
	t.Parallel()
	html := render(t, templates.ApprovalsPage(ownApproval()))
	for _, action := range []string{"/approvals/58/approve", "/approvals/58/reject"} {
		if strings.Contains(html, action) {
			t.Errorf("the requester is offered %s", action)
		}
	}
	for _, want := range []string{"/approvals/58/recall", "You requested this; another person must approve."} {
		if !strings.Contains(html, want) {
			t.Errorf("the page lacks %q", want)
		}
	}
}

func TestWhoLacksTheRightIsToldAndHasNoForm(t *testing.T) {
	t.Parallel()
	for right, html := range map[string]string{
		"decide":  render(t, templates.ApprovalsPage(viewedApproval())),
		"resolve": render(t, templates.BreakPage(breakAmbiguous())),
	} {
		if !strings.Contains(html, "It needs the right “"+right+"”") {
			t.Errorf("the page does not say that the right %s is missing", right)
		}
		if strings.Contains(html, `name="form"`) {
			t.Errorf("the page for a person without the right %s holds a form", right)
		}
	}
}

func TestApprovingAndRejectingHaveNoKey(t *testing.T) {
	t.Parallel()
	if html := render(t, templates.ApprovalsPage(approvals())); strings.Contains(html, "data-hotkey") {
		t.Error("a single key decides about a request")
	}
}

func TestAnApprovalThatCannotTakeEffectIsDisabledWithItsReason(t *testing.T) {
	t.Parallel()
	html := render(t, templates.ApprovalsPage(blockedApproval()))
	if !strings.Contains(html, "March 2026 is closed") || !strings.Contains(html, `type="button" disabled`) {
		t.Error("approve can be pressed although it cannot take effect")
	}
}

func TestDigitsAreMarkedWhereOneLineStandsAgainstOnePosting(t *testing.T) {
	t.Parallel()
	html := render(t, templates.ReconciliationPage(reconciliation()))
	for _, want := range []string{`(1,2<mark class="diff">48</mark>.50)`, `(1,2<mark class="diff">84</mark>.50)`, "— not in ledger", "— not on statement"} {
		if !strings.Contains(html, want) {
			t.Errorf("the page lacks %s", want)
		}
	}
}

package store_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"daybook/store"
	"daybook/store/ledger"
)

// auditLines tells a page of the audit log: who, action, object and outcome of each record.
func (b bundle) auditLines(t *testing.T, f store.AuditFilter) []string {
	t.Helper()
	page, err := b.AuditLog(t.Context(), b.auditor, f)
	ok(t, err)
	lines := make([]string, len(page.Records))
	for i, r := range page.Records {
		lines[i] = strings.Join([]string{r.Email, r.Action, r.Object, string(r.Outcome)}, " ")
	}
	return lines
}

// logged fills the audit log of a bundle after the bundle's own records, a minute apart.
func (b bundle) logged(t *testing.T) {
	t.Helper()
	b.clock.advance(time.Hour)
	b.post(t, entry("t1"))
	_, _, err := b.RequestReversal(t.Context(), b.preparer, "", 1, store.ReversalRequest{Reason: "wrong", EffectiveOn: ledger.DateOf(b.clock.now())})
	ok(t, err)
	b.clock.advance(time.Minute)
	own := b.preparer
	own.Request, own.Address = "request-1", "10.4.0.17"
	_, _, cause := b.Decide(t.Context(), own, "", 1, store.Approved, "")
	ok(t, b.RecordRefusal(t.Context(), own, "reversal.approved", "/b/main/approvals/1/approve", cause))
	b.clock.advance(time.Minute)
	_, err = b.SignIn(t.Context(), "viewer@demo.test", "a guess", "84.22.9.101")
	refused(t, err, ledger.KindUnauthenticated)
	b.clock.advance(time.Minute)
	_, err = b.SignIn(t.Context(), "viewer@demo.test", password, "84.22.9.101")
	ok(t, err)
}

func TestAuditLog(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.logged(t)
	for name, test := range map[string]struct {
		filter store.AuditFilter
		want   []string
	}{
		"Newest": {store.AuditFilter{Limit: 4}, []string{
			"viewer@demo.test sign-in user viewer@demo.test done", "viewer@demo.test sign-in user viewer@demo.test refused",
			"preparer@demo.test reversal.approved /b/main/approvals/1/approve refused", "preparer@demo.test reversal.request entry 1 done",
		}},
		"Refused":      {store.AuditFilter{Outcome: store.Refused, Actor: "PREP"}, []string{"preparer@demo.test reversal.approved /b/main/approvals/1/approve refused"}},
		"ByReason":     {store.AuditFilter{Text: "another person"}, []string{"preparer@demo.test reversal.approved /b/main/approvals/1/approve refused"}},
		"ByRequest":    {store.AuditFilter{Text: "request-1"}, []string{"preparer@demo.test reversal.approved /b/main/approvals/1/approve refused"}},
		"ByAddress":    {store.AuditFilter{Text: "84.22", Outcome: store.Refused}, []string{"viewer@demo.test sign-in user viewer@demo.test refused"}},
		"ByAction":     {store.AuditFilter{Action: "account.open", Text: "alice"}, []string{"admin@demo.test account.open account customer:alice done"}},
		"NoWildcard":   {store.AuditFilter{Text: "%"}, []string{}},
		"NoSuchDay":    {store.AuditFilter{To: ledger.MustDate("2026-03-30")}, []string{}},
		"ThatDay":      {store.AuditFilter{From: ledger.MustDate("2026-03-31"), To: ledger.MustDate("2026-03-31"), Action: "reversal.request"}, []string{"preparer@demo.test reversal.request entry 1 done"}},
		"DayAfterThat": {store.AuditFilter{From: ledger.MustDate("2026-04-01")}, []string{}},
	} {
		if got := b.auditLines(t, test.filter); !slices.Equal(got, test.want) {
			t.Errorf("%s: found %q, want %q", name, got, test.want)
		}
	}
	page, err := b.AuditLog(t.Context(), b.auditor, store.AuditFilter{Action: "sign-in"})
	ok(t, err)
	if page.AuditTotals != (store.AuditTotals{Total: 2, Refused: 1}) || page.Records[1].Detail["kind"] != "unauthenticated" || page.Records[0].Name != "viewer" || page.Records[1].Name != "" {
		t.Errorf("sign-ins: %+v", page)
	}
	_, err = b.AuditLog(t.Context(), b.admin, store.AuditFilter{})
	refused(t, err, ledger.KindForbidden)
}

func TestAuditLog_IsPagedBothWaysWithoutGaps(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.logged(t)
	all, err := b.AuditLog(t.Context(), b.auditor, store.AuditFilter{})
	ok(t, err)
	if int64(len(all.Records)) != all.Total || all.More {
		t.Fatalf("%d records of %d, more %v", len(all.Records), all.Total, all.More)
	}
	ids := func(page store.AuditPage) (ids []string) {
		for _, r := range page.Records {
			ids = append(ids, r.ID)
		}
		return ids
	}
	var older []string
	for f := (store.AuditFilter{Limit: 3}); ; f.Before = older[len(older)-1] {
		page, err := b.AuditLog(t.Context(), b.auditor, f)
		ok(t, err)
		if older = append(older, ids(page)...); !page.More {
			break
		}
	}
	if !slices.Equal(older, ids(all)) {
		t.Errorf("in pages %q, at once %q", older, ids(all))
	}
	newer, err := b.AuditLog(t.Context(), b.auditor, store.AuditFilter{Limit: 3, After: older[5]})
	ok(t, err)
	if !slices.Equal(ids(newer), older[2:5]) || !newer.More {
		t.Errorf("newer than the sixth: %q, want %q", ids(newer), older[2:5])
	}
	_, err = b.AuditLog(t.Context(), b.auditor, store.AuditFilter{Before: "01890000-0000-7000-8000-000000000000"})
	refused(t, err, ledger.KindNotFound)
}

func TestAuditLog_KeepsOtherBooksAndTheirPeopleApart(t *testing.T) {
	t.Parallel()
	b := setup(t)
	other, err := b.AddBook(t.Context(), "other", "Other book", "EUR")
	ok(t, err)
	user, err := b.AddUser(t.Context(), "elsewhere@demo.test", "Elsewhere", password)
	ok(t, err)
	ok(t, b.GrantRole(t.Context(), other, user.ID, store.Viewer))
	_, err = b.SignIn(t.Context(), "elsewhere@demo.test", password, "")
	ok(t, err)
	_, err = b.SignIn(t.Context(), "nobody@demo.test", "a guess", "")
	refused(t, err, ledger.KindUnauthenticated)
	for _, line := range b.auditLines(t, store.AuditFilter{}) {
		if strings.Contains(line, "elsewhere") || strings.Contains(line, "nobody") || strings.Contains(line, "other") {
			t.Errorf("the audit log of main has %q", line)
		}
	}
	granted, err := b.AuditLog(t.Context(), b.auditor, store.AuditFilter{Action: "role.grant", Limit: 1})
	ok(t, err)
	if granted.Records[0].ObjectName != "controller" || granted.Records[0].Detail["role"] != "approver" {
		t.Errorf("a role was granted: %+v", granted.Records[0])
	}
}

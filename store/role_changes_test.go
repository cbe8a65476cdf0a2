package store_test

import (
	"slices"
	"strings"
	"testing"

	"daybook/store"
	"daybook/store/ledger"
)

// give asks as an administrator for other roles of a person, from those they have.
func (b bundle) give(t *testing.T, by, who store.Actor, roles ...store.Role) (store.AccessChange, error) {
	t.Helper()
	changed, _, err := b.ChangeRoles(t.Context(), by, "", who.UserID, b.rolesOf(t, who.UserID), roles, "works here")
	return changed, err
}

func (b bundle) rolesOf(t *testing.T, userID int64) []store.Role {
	t.Helper()
	memberships, err := b.Memberships(t.Context(), userID)
	ok(t, err)
	for _, m := range memberships {
		if m.Book.ID == b.book.ID {
			return m.Roles
		}
	}
	return nil
}

// has asks for the roles of a person.
func (b bundle) has(t *testing.T, who store.Actor, roles ...store.Role) {
	t.Helper()
	if got := b.rolesOf(t, who.UserID); !slices.Equal(got, roles) {
		t.Errorf("%s has %v, want %v", who.Name, got, roles)
	}
}

func TestRoleChange_TakesEffectWhenASecondAdministratorApproves(t *testing.T) {
	t.Parallel()
	b := setup(t)
	second := b.join(t, "second", store.Admin)
	asked, err := b.give(t, b.admin, b.viewer, store.Approver, store.Viewer)
	ok(t, err)
	if asked.ApprovalID == 0 || asked.Alone {
		t.Fatalf("asking gave %+v", asked)
	}
	b.has(t, b.viewer, store.Viewer)
	_, _, err = b.Decide(t.Context(), b.admin, "", asked.ApprovalID, store.Approved, "")
	refused(t, err, ledger.KindOwnRequest)
	_, _, err = b.Decide(t.Context(), b.approver, "", asked.ApprovalID, store.Approved, "")
	refused(t, err, ledger.KindForbidden)
	_, err = b.give(t, second, b.viewer, store.Preparer)
	refused(t, err, ledger.KindIllegalTransition) // one waits

	decided, again, err := b.Decide(t.Context(), second, "k", asked.ApprovalID, store.Approved, "seen")
	ok(t, err)
	if again || decided.Status != store.Approved || decided.ReversalSeq != 0 || !decided.Intact() {
		t.Errorf("decided %+v", decided)
	}
	b.has(t, b.viewer, store.Viewer, store.Approver)
	_, again, err = b.Decide(t.Context(), second, "k", asked.ApprovalID, store.Approved, "seen")
	ok(t, err)
	if !again {
		t.Error("the same decision again is not a duplicate")
	}
	_, _, err = b.Decide(t.Context(), second, "", asked.ApprovalID, store.Rejected, "no")
	refused(t, err, ledger.KindAlreadyDecided)
	verification, err := b.Verify(t.Context(), b.book)
	ok(t, err)
	if verification.Fault != nil {
		t.Errorf("the book has the fault %s", verification.Fault)
	}
	history, err := b.AccessHistory(t.Context(), second, b.viewer.UserID)
	ok(t, err)
	var actions []string
	for _, r := range history {
		actions = append(actions, r.Action)
	}
	if want := []string{"role-change.approved", "role-change.request", "role.grant", "user.add"}; !slices.Equal(actions, want) {
		t.Errorf("the history is %v, want %v", actions, want)
	}
	if after := history[0].Detail["after"]; after != "viewer, approver" {
		t.Errorf("the history tells %v", history[0].Detail)
	}
}

func TestRoleChange_IsRejectedOrRecalledWithoutEffect(t *testing.T) {
	t.Parallel()
	b := setup(t)
	second := b.join(t, "second", store.Admin)
	for _, end := range []struct {
		by       store.Actor
		decision store.ApprovalStatus
	}{{second, store.Rejected}, {b.admin, store.Recalled}} {
		asked, err := b.give(t, b.admin, b.viewer, store.Admin)
		ok(t, err)
		_, _, err = b.Decide(t.Context(), end.by, "", asked.ApprovalID, end.decision, "no")
		ok(t, err)
		b.has(t, b.viewer, store.Viewer)
	}
}

func TestRoleChange_OfABookWithOneAdministratorTakesEffectAtOnce(t *testing.T) {
	t.Parallel()
	b := setup(t)
	made, err := b.give(t, b.admin, b.viewer, store.Viewer, store.Preparer)
	ok(t, err)
	if made.ApprovalID != 0 || !made.Alone {
		t.Errorf("the change is %+v", made)
	}
	b.has(t, b.viewer, store.Viewer, store.Preparer)
	told := b.column(t, `SELECT detail->>'at_once' FROM audit_log WHERE action = 'role-change.made'`)
	if !slices.Equal(told, []string{"the book has one administrator"}) {
		t.Errorf("the audit log tells %v", told)
	}
	// A second one, disabled, does not count; one whose access works does, also for one's own roles.
	second := b.join(t, "second", store.Admin)
	ok(t, b.DisableUser(t.Context(), second.UserID))
	made, err = b.give(t, b.admin, b.admin, store.Admin, store.Preparer)
	ok(t, err)
	if !made.Alone {
		t.Errorf("with the other disabled the change is %+v", made)
	}
	ok(t, b.EnableUser(t.Context(), second.UserID))
	made, err = b.give(t, b.admin, b.admin, store.Admin)
	ok(t, err)
	if made.ApprovalID == 0 {
		t.Error("an administrator changed their own roles without the other")
	}
}

func TestRoleChange_LeavesABookItsLastAdministrator(t *testing.T) {
	t.Parallel()
	b := setup(t)
	_, err := b.give(t, b.admin, b.admin, store.Viewer)
	refused(t, err, ledger.KindInvalid)
	_, _, err = b.DisableMember(t.Context(), b.admin, "", b.admin.UserID, "leaves")
	refused(t, err, ledger.KindInvalid)
	b.has(t, b.admin, store.Admin)

	second := b.join(t, "second", store.Admin)
	asked, err := b.give(t, second, b.admin)
	ok(t, err)
	ok(t, b.DisableUser(t.Context(), second.UserID)) // by command: the requester is no administrator any more, and this one the last
	other := b.join(t, "third", store.Admin)
	_, _, err = b.Decide(t.Context(), other, "", asked.ApprovalID, store.Approved, "")
	refused(t, err, ledger.KindIllegalTransition)
	b.has(t, b.admin, store.Admin)
}

func TestRoleChange_IsRefused(t *testing.T) {
	t.Parallel()
	b := setup(t)
	ctx := t.Context()
	for name, test := range map[string]struct {
		kind ledger.Kind
		try  func() error
	}{
		"WithoutTheRight": {ledger.KindForbidden, func() error { _, err := b.give(t, b.approver, b.viewer, store.Admin); return err }},
		"WithoutAReason": {ledger.KindInvalid, func() error {
			_, _, err := b.ChangeRoles(ctx, b.admin, "", b.viewer.UserID, []store.Role{store.Viewer}, []store.Role{store.Admin}, " ")
			return err
		}},
		"WithoutAChange": {ledger.KindInvalid, func() error { _, err := b.give(t, b.admin, b.viewer, store.Viewer); return err }},
		"ToWhatIsNoRole": {ledger.KindInvalid, func() error { _, err := b.give(t, b.admin, b.viewer, "king"); return err }},
		"OfNobody":       {ledger.KindNotFound, func() error { _, err := b.give(t, b.admin, store.Actor{UserID: 4711}, store.Viewer); return err }},
		"FromRolesOfBefore": {ledger.KindIllegalTransition, func() error {
			_, _, err := b.ChangeRoles(ctx, b.admin, "", b.viewer.UserID, nil, []store.Role{store.Admin}, "x")
			return err
		}},
		"ByAnAdministratorOfBefore": {ledger.KindForbidden, func() error {
			former := b.join(t, "former", store.Admin)
			ok(t, b.RevokeRole(ctx, b.book, former.UserID, store.Admin))
			_, err := b.give(t, former, b.viewer, store.Admin)
			return err
		}},
	} {
		t.Run(name, func(t *testing.T) { refused(t, test.try(), test.kind) })
	}
	b.has(t, b.viewer, store.Viewer)
}

func TestRoleChange_IsTheChangeThatWasAskedForOrNone(t *testing.T) {
	t.Parallel()
	b := setup(t)
	ctx := t.Context()
	second := b.join(t, "second", store.Admin)
	asked, err := b.give(t, b.admin, b.viewer, store.Viewer, store.Approver)
	ok(t, err)
	ok(t, b.GrantRole(ctx, b.book, b.viewer.UserID, store.Preparer))
	_, _, err = b.Decide(ctx, second, "", asked.ApprovalID, store.Approved, "")
	refused(t, err, ledger.KindIllegalTransition)
	ok(t, b.RevokeRole(ctx, b.book, b.viewer.UserID, store.Preparer))
	ok(t, b.DisableUser(ctx, b.viewer.UserID))
	_, _, err = b.Decide(ctx, second, "", asked.ApprovalID, store.Approved, "")
	refused(t, err, ledger.KindIllegalTransition)
	ok(t, b.EnableUser(ctx, b.viewer.UserID))

	former := second
	ok(t, b.RevokeRole(ctx, b.book, second.UserID, store.Admin)) // after they were found to be one
	_, _, err = b.Decide(ctx, former, "", asked.ApprovalID, store.Approved, "")
	refused(t, err, ledger.KindForbidden)
	third := b.join(t, "third", store.Admin)
	ok(t, b.RevokeRole(ctx, b.book, b.admin.UserID, store.Admin))
	_, _, err = b.Decide(ctx, third, "", asked.ApprovalID, store.Approved, "")
	refused(t, err, ledger.KindIllegalTransition) // who asked may not ask any more
	b.has(t, b.viewer, store.Viewer)
	_, _, err = b.Decide(ctx, third, "", asked.ApprovalID, store.Rejected, "out of date")
	ok(t, err)
}

func TestRoleChange_IsBoundByItsHash(t *testing.T) {
	t.Parallel()
	b := setup(t)
	second := b.join(t, "second", store.Admin)
	asked, err := b.give(t, b.admin, b.viewer, store.Viewer, store.Auditor)
	ok(t, err)
	for name, test := range map[string]struct{ statement, want string }{
		"OtherContent":        {`UPDATE approvals SET content = jsonb_set(content, '{after,roles}', '["admin"]') WHERE id = 1`, "DB011"},
		"OtherSubject":        {`UPDATE approvals SET subject = 'user 1' WHERE id = 1`, "DB011"},
		"DecidedByWhoAsked":   {decidedBy("requester_id", "'role_change'", "NULL"), "23514"},
		"DecidedAsAnother":    {decidedBy("1", "'reversal'", "1"), "23503"},
		"EffectOnTheJournal":  {decidedBy("1", "'role_change'", "1"), "23514"},
		"ReversalOfNoEntry":   {`INSERT INTO approvals (book_id, id, kind, requester_id, requested_at, reason, content_hash, pending) VALUES (1, 9, 'reversal', 1, now(), '', sha256('x'), true)`, "23514"},
		"ChangeOfNobody":      {`INSERT INTO approvals (book_id, id, kind, requester_id, requested_at, reason, content_hash, pending) VALUES (1, 9, 'role_change', 1, now(), '', sha256('x'), true)`, "23514"},
		"SecondWhileOneWaits": {`INSERT INTO approvals SELECT (a).* FROM (SELECT jsonb_populate_record(NULL::approvals, to_jsonb(x) || '{"id": 9}') AS a FROM approvals x) y`, "23505"},
	} {
		t.Run(name, func(t *testing.T) {
			if got := attempt(t, b.owner(t), test.statement); got != test.want {
				t.Errorf("gave %q, want %s", got, test.want)
			}
		})
	}
	// Who switches the guards off still cannot have something else approved.
	b.sql(t, `ALTER TABLE approvals DISABLE TRIGGER approvals_unchanged`, `UPDATE approvals SET content = jsonb_set(content, '{after,roles}', '["admin"]') WHERE id = 1`,
		`ALTER TABLE approvals ENABLE ALWAYS TRIGGER approvals_unchanged`)
	_, _, err = b.Decide(t.Context(), second, "", asked.ApprovalID, store.Approved, "")
	refused(t, err, ledger.KindInternal)
	b.has(t, b.viewer, store.Viewer)
	verification, err := b.Verify(t.Context(), b.book)
	ok(t, err)
	if verification.Fault == nil || !strings.Contains(verification.Fault.String(), "book: request 1, a role change, is not what was requested") {
		t.Errorf("the fault is %v", verification.Fault)
	}
}

func decidedBy(decider, kind, reversal string) string {
	return `INSERT INTO approval_decisions (book_id, approval_id, kind, decision, requester_id, content_hash, decider_id, decided_at, note, reversal_seq)
		SELECT book_id, id, ` + kind + `, 'approved', requester_id, content_hash, ` + decider + `, now(), '', ` + reversal + ` FROM approvals WHERE id = 1`
}

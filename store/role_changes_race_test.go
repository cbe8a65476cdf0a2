package store_test

import (
	"errors"
	"sync"
	"testing"

	"daybook/store"
	"daybook/store/ledger"
)

// atOnce runs what several people do at the same moment, and gives the errors in the order of the people.
func atOnce(acts ...func() error) []error {
	var start, done sync.WaitGroup
	start.Add(1)
	results := make([]error, len(acts))
	for i, act := range acts {
		done.Go(func() {
			start.Wait()
			results[i] = act()
		})
	}
	start.Done()
	done.Wait()
	return results
}

func TestRoleChange_RacesLeaveOneAdministratorAndOneRequest(t *testing.T) {
	t.Parallel()
	b := setup(t)
	ctx := t.Context()
	second := b.join(t, "second", store.Admin)

	elsewhere := b.another(t)

	t.Run("TwoAskAtOnceForTheSamePerson", func(t *testing.T) {
		changeOf := func(by store.Actor, role store.Role) error {
			_, _, err := elsewhere.ChangeRoles(ctx, by, "", b.viewer.UserID, []store.Role{store.Viewer}, []store.Role{role}, "at once")
			return err
		}
		asked := atOnce(
			func() error { return changeOf(b.admin, store.Approver) },
			func() error { return changeOf(second, store.Auditor) },
		)
		if first, other := asked[0] == nil, asked[1] == nil; first == other {
			t.Fatalf("of two requests at once both or none came in: %v", asked)
		}
		refused(t, errors.Join(asked...), ledger.KindIllegalTransition)
	})
	t.Run("TwoApproveToRemoveEachOther", func(t *testing.T) {
		first, err := b.give(t, b.admin, second, store.Viewer)
		ok(t, err)
		other, err := b.give(t, second, b.admin, store.Viewer)
		ok(t, err)
		decided := atOnce(
			func() error { _, _, err := b.Decide(ctx, second, "", first.ApprovalID, store.Approved, ""); return err },
			func() error {
				_, _, err := elsewhere.Decide(ctx, b.admin, "", other.ApprovalID, store.Approved, "")
				return err
			},
		)
		administrators := b.column(t, `SELECT user_id::text FROM user_roles WHERE role = 'admin'`)
		if len(administrators) != 1 || (decided[0] == nil) == (decided[1] == nil) {
			t.Errorf("administrators %v after %v", administrators, decided)
		}
	})
	t.Run("TwoDecideAtOnceDifferently", func(t *testing.T) {
		third, fourth := b.join(t, "third", store.Admin), b.join(t, "fourth", store.Admin)
		asked, err := b.give(t, third, b.auditor, store.Viewer)
		ok(t, err)
		fifth := b.join(t, "fifth", store.Admin)
		decided := atOnce(
			func() error { _, _, err := b.Decide(ctx, fourth, "", asked.ApprovalID, store.Approved, ""); return err },
			func() error {
				_, _, err := elsewhere.Decide(ctx, fifth, "", asked.ApprovalID, store.Rejected, "no")
				return err
			},
		)
		want := []store.Role{store.Auditor}
		if decided[0] == nil {
			want = []store.Role{store.Viewer}
		}
		b.has(t, b.auditor, want...)
		if (decided[0] == nil) == (decided[1] == nil) {
			t.Errorf("decided %v", decided)
		}
	})
}

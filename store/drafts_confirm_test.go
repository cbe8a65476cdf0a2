package store_test

import (
	"errors"
	"fmt"
	"reflect"
	"testing"

	"daybook/recon/statement"
	"daybook/store"
	"daybook/store/ledger"
)

func TestConfirmDraft_InManyTabsStoresOneStatement(t *testing.T) {
	t.Parallel()
	b := setup(t)
	servers := []*store.Store{b.Store, b.another(t)}
	id := b.start(t, csv("2026-03-02,10.00,t1", "2026-03-03,5.00,t2"))
	results, fresh, errs := make([]store.UploadResult, 8), make([]bool, 8), make([]error, 8)
	together(8, func(i int) {
		key := fmt.Sprint("tab-", i/2)
		result, duplicate, err := servers[i%2].ConfirmDraft(t.Context(), b.preparer, key, id, store.DraftConfirm{Version: 1, Remember: true, ProfileName: "Bank"})
		result.StoredBefore = false // all but those who stored it are told so
		results[i], fresh[i], errs[i] = result, !duplicate, err
	})
	count := 0
	for i := range results {
		ok(t, errs[i])
		if fresh[i] {
			count++
		}
		if !reflect.DeepEqual(results[i], results[0]) {
			t.Errorf("tab %d got %+v, tab 0 %+v", i, results[i], results[0])
		}
	}
	if got := b.counts(t, "statements", "statement_lines", "statement_profiles", "statement_drafts"); count != 1 || got != "statements 1, statement_lines 2, statement_profiles 1, statement_drafts 0" {
		t.Errorf("%d of 8 stored it: %s", count, got)
	}
	var refusal *ledger.Error
	if _, err := b.PreviewDraft(t.Context(), b.preparer, id, store.PreviewWindow{}); !errors.As(err, &refusal) || refusal.Extra["reconciliation_id"] != results[0].ReconciliationID {
		t.Errorf("the draft that was stored: %v", err)
	}
}

func TestConfirmDraft_OfAFileThatWasStoredMeanwhileGivesThatStatement(t *testing.T) {
	t.Parallel()
	b := setup(t)
	data := csv("2026-03-02,10.00,t1")
	id := b.start(t, data)
	stored, _, err := b.UploadStatement(t.Context(), b.controller, "", store.Upload{Account: "1010", FileName: "theirs.csv", Data: data})
	ok(t, err)
	if p := b.preview(t, id); p.Stored == nil || p.Stored.StatementID != stored.StatementID || p.Rows != (store.RowCounts{Known: 1}) {
		t.Errorf("the page shows %+v, rows %+v", p.Stored, p.Rows)
	}
	result, duplicate, err := b.ConfirmDraft(t.Context(), b.preparer, "key", id, store.DraftConfirm{Version: 1, Remember: true, ProfileName: "Bank"})
	ok(t, err)
	stored.StoredBefore = true
	if !duplicate || !reflect.DeepEqual(result, stored) || b.counts(t, "statements", "statement_profiles", "statement_drafts") != "statements 1, statement_profiles 0, statement_drafts 0" {
		t.Errorf("confirming gave %+v, duplicate %v", result, duplicate)
	}
}

func TestConfirmDraft_RefusesWhatWasNotShown(t *testing.T) {
	t.Parallel()
	b := setup(t)
	id := b.start(t, csv("2026-03-02,10.00,t1"))
	b.tell(t, id, statement.Hints{"sign": "invert"})
	for field, confirm := range map[string]store.DraftConfirm{
		"version":      {Version: 1},
		"profile_name": {Version: 2, Remember: true, ProfileName: " "},
	} {
		_, _, err := b.ConfirmDraft(t.Context(), b.preparer, "key", id, confirm)
		refused(t, err, ledger.KindInvalid)
		var refusal *ledger.Error
		if errors.As(err, &refusal); len(refusal.Fields) != 1 || refusal.Fields[0].Field != field {
			t.Errorf("for %s, at fault are %v", field, refusal.Fields)
		}
	}
	if got := b.counts(t, "statements", "statement_profiles", "statement_drafts"); got != "statements 0, statement_profiles 0, statement_drafts 1" {
		t.Errorf("after refusals: %s", got)
	}
	_, _, err := b.ConfirmDraft(t.Context(), b.preparer, "key", id, store.DraftConfirm{Version: 2})
	ok(t, err)
}

func TestConfirmDraft_RefusesAFileThatStillHasAQuestion(t *testing.T) {
	t.Parallel()
	b := setup(t)
	id := b.start(t, csv("03/04/2026,10.00,a", "05/04/2026,1.00,b"))
	_, _, err := b.ConfirmDraft(t.Context(), b.preparer, "", id, store.DraftConfirm{Version: 1})
	refused(t, err, ledger.KindStatementRefused)
	var refusal *ledger.Error
	if errors.As(err, &refusal); refusal.Extra["error_class"] != "ambiguous_date" {
		t.Errorf("refused with %v", refusal.Extra)
	}
}

func TestConfirmDraft_RefusesAnAccountThatWasClosedMeanwhile(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.open(t, "1030", ledger.Asset)
	id := b.start(t, csv("2026-03-02,10.00,t1"), func(u *store.Upload) { u.Account = "1030" })
	_, err := b.CloseAccount(t.Context(), b.admin, "", "1030")
	ok(t, err)
	if p := b.preview(t, id); p.Refusal == nil || p.Refusal.Kind != ledger.KindClosedAccount || p.Readable {
		t.Errorf("the page says %v", p.Refusal)
	}
	_, _, err = b.ConfirmDraft(t.Context(), b.preparer, "", id, store.DraftConfirm{Version: 1})
	refused(t, err, ledger.KindClosedAccount)
	if p := b.tell(t, id, nil, func(c *store.DraftChange) { c.Account = "1010" }); p.Refusal != nil || p.Rows.New != 1 {
		t.Errorf("for another account: %v, %+v", p.Refusal, p.Rows)
	}
}

func TestConfirmDraft_IsInTheAuditLog(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.confirm(t, b.start(t, csv("2026-03-02,10.00,t1")), "Bank")
	got := b.column(t, `SELECT concat(action, ' ', object, ' ', detail->>'account') FROM audit_log WHERE action IN ('profile.save', 'statement.upload') ORDER BY at, id`)
	if want := []string{"profile.save profile 1 1010", "statement.upload statement 1 1010"}; !reflect.DeepEqual(got, want) {
		t.Errorf("the log has %q", got)
	}
}

func TestStatementProfiles_AreNeverChanged(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.confirm(t, b.start(t, csv("2026-03-02,10.00,t1")), "Bank")
	for _, statement := range []string{`UPDATE statement_profiles SET name = 'x'`, `DELETE FROM statement_profiles`, `TRUNCATE statement_profiles CASCADE`} {
		if _, err := b.owner(t).Exec(t.Context(), statement); err == nil {
			t.Errorf("%s is done", statement)
		}
	}
}

func TestConfirmDraft_FindsTheDraftWhileItsAccountIsChanged(t *testing.T) {
	t.Parallel()
	b := setup(t)
	id := b.start(t, csv("2026-03-02,10.00,t1"))
	version := 1
	for round := range 6 {
		account := []string{"customer:alice", "1010"}[round%2]
		errs := make([]error, 5)
		together(5, func(i int) {
			if i == 0 {
				version, errs[i] = b.ChangeDraft(t.Context(), b.preparer, id, store.DraftChange{Version: version, Account: account, Profile: store.NoProfile})
				return
			}
			_, _, errs[i] = b.ConfirmDraft(t.Context(), b.preparer, fmt.Sprint("key-", round, i), id, store.DraftConfirm{Version: 99})
		})
		ok(t, errs[0])
		for _, err := range errs[1:] {
			refused(t, err, ledger.KindInvalid)
		}
	}
}

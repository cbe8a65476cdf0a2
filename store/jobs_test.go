package store_test

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"reflect"
	"testing"

	"daybook/store"
	"daybook/store/ledger"
	"daybook/store/postgres"
)

// withJobs is the bundle with stores that store by a job what has more than three lines; nobody works these yet.
func (b bundle) withJobs(t *testing.T) bundle {
	t.Helper()
	db, err := postgres.Open(t.Context(), b.appURL)
	ok(t, err)
	b.Store = store.New(db, b.clock.now, store.WithPasswordCost(64, 1), store.WithJobLines(3))
	t.Cleanup(func() { ok(t, b.Store.Close()) })
	return b
}

// works has a server work jobs until stop is called, at the latest when the test ends.
func (b bundle) works(t *testing.T) (stop func()) {
	t.Helper()
	ctx, cancel := context.WithCancel(context.WithoutCancel(t.Context()))
	ended := make(chan error, 1)
	go func() { ended <- b.WorkJobs(ctx, slog.New(slog.DiscardHandler)) }()
	stopped := false
	stop = func() {
		if cancel(); !stopped {
			stopped = true
			ok(t, <-ended)
		}
	}
	t.Cleanup(stop)
	return stop
}

// ends waits until a job has ended.
func (b bundle) ends(t *testing.T, id int64) store.Job {
	t.Helper()
	job, err := b.Job(t.Context(), b.viewer, id)
	for err == nil && !job.State.Ended() && t.Context().Err() == nil {
		job, err = b.NextOfJob(t.Context(), b.viewer, job)
	}
	ok(t, err)
	return job
}

// long is a file of four lines, which is long here.
func long(month int) []byte {
	var rows []string
	for day := range 4 {
		rows = append(rows, fmt.Sprintf("2026-%02d-%02d,10.00,long-%d-%d", month, day+1, month, day))
	}
	return csv(rows...)
}

// puts asks for a file to be stored, and gives the job that does it.
func (b bundle) puts(t *testing.T, key string, data []byte) (job int64, duplicate bool) {
	t.Helper()
	result, duplicate, err := b.UploadStatement(t.Context(), b.preparer, key, store.Upload{Account: "1010", FileName: "long.csv", Data: data})
	ok(t, err)
	if result.JobID == 0 || result.StatementID != 0 {
		t.Fatalf("a long file gave %+v", result)
	}
	return result.JobID, duplicate
}

func TestUploadStatement_ALongFileIsStoredByAJob(t *testing.T) {
	t.Parallel()
	b := setup(t).withJobs(t)
	b.post(t, entry("long-3-1", on("2026-03-02"), amount(1000)))
	id, duplicate := b.puts(t, "k", long(3))
	if again, twice := b.puts(t, "k", long(3)); duplicate || again != id || !twice {
		t.Errorf("the same request gave job %d, duplicate %v", again, twice)
	}
	if again, twice := b.puts(t, "other", long(3)); again != id || !twice {
		t.Errorf("the same file gave job %d, duplicate %v", again, twice)
	}
	started, err := b.StartDraft(t.Context(), b.controller, "", store.Upload{Account: "1010", FileName: "again.csv", Data: long(3)})
	ok(t, err)
	if started.JobID != id || started.DraftID != 0 {
		t.Errorf("the page was led to %+v", started)
	}
	waiting, err := b.Job(t.Context(), b.viewer, id)
	ok(t, err)
	if waiting.State != store.JobWaiting || waiting.Total != 4 || waiting.Account != "1010" || waiting.AskedBy != "preparer" || waiting.Draft {
		t.Errorf("before anybody works, the job is %+v", waiting)
	}
	if got := b.counts(t, "statements", "statement_lines"); got != "statements 0, statement_lines 0" {
		t.Errorf("before anybody works, there are %s", got)
	}
	b.works(t)
	job := b.ends(t, id)
	if job.State != store.JobDone || job.Result == nil || job.Result.Rows != (store.RowCounts{New: 4}) || job.Attempts != 1 {
		t.Fatalf("the job is %+v", job)
	}
	if r := b.reconciliation(t, job.Result.ReconciliationID); r.Matches != 1 || r.OpenBreaks != 3 {
		t.Errorf("%d matches, %d breaks", r.Matches, r.OpenBreaks)
	}
	stored, duplicate, err := b.UploadStatement(t.Context(), b.preparer, "", store.Upload{Account: "1010", Data: long(3)})
	ok(t, err)
	if !duplicate || stored.StatementID != job.Result.StatementID {
		t.Errorf("the file again gave %+v", stored)
	}
	if got := b.counts(t, "statement_drafts"); got != "statement_drafts 0" {
		t.Errorf("after the job there are %s", got)
	}
}

func TestUploadStatement_ALongFileIsRefusedAtOnce(t *testing.T) {
	t.Parallel()
	b := setup(t).withJobs(t)
	for name, test := range map[string]struct {
		upload store.Upload
		want   ledger.Kind
	}{
		"NoSuchAccount":  {store.Upload{Account: "nowhere", Data: long(3)}, ledger.KindUnknownAccount},
		"OutsidePeriod":  {store.Upload{Account: "1010", Data: long(3), PeriodFrom: ledger.MustDate("2026-03-01"), PeriodTo: ledger.MustDate("2026-03-02")}, ledger.KindInvalid},
		"Unproven":       {store.Upload{Account: "1010", Data: lined("2026-03-01,1.00,a,1.00", "2026-03-02,1.00,b,2.00", "2026-03-03,1.00,c,4.00", "2026-03-04,1.00,d,5.00")}, ledger.KindStatementRefused},
		"NothingInDoubt": {store.Upload{Account: "1010", Data: long(3), Include: []int{2}}, ledger.KindInvalid},
	} {
		_, _, err := b.UploadStatement(t.Context(), b.preparer, "", test.upload)
		if ledger.KindOf(err) != test.want {
			t.Errorf("%s: got %v", name, err)
		}
	}
	if got := b.counts(t, "jobs", "statement_drafts", "river_job"); got != "jobs 0, statement_drafts 0, river_job 0" {
		t.Errorf("there are %s", got)
	}
}

func TestConfirmDraft_ALongDraftIsHeldByItsJob(t *testing.T) {
	t.Parallel()
	b := setup(t).withJobs(t)
	draft := b.start(t, long(3))
	result, _, err := b.ConfirmDraft(t.Context(), b.preparer, "k", draft, store.DraftConfirm{Version: 1, Remember: true, ProfileName: "Bank"})
	ok(t, err)
	again, duplicate, err := b.ConfirmDraft(t.Context(), b.preparer, "other", draft, store.DraftConfirm{Version: 1})
	ok(t, err)
	if result.JobID == 0 || again.JobID != result.JobID || !duplicate {
		t.Fatalf("confirming gave %+v, then %+v", result, again)
	}
	_, err = b.PreviewDraft(t.Context(), b.preparer, draft, store.PreviewWindow{})
	var refusal *ledger.Error
	if errors.As(err, &refusal); refusal == nil || refusal.Extra["job_id"] != result.JobID {
		t.Errorf("the page of the draft says %v", err)
	}
	_, err = b.ChangeDraft(t.Context(), b.preparer, draft, store.DraftChange{Version: 1, Account: "1010"})
	refused(t, err, ledger.KindNotFound)
	refused(t, b.DiscardDraft(t.Context(), b.preparer, draft), ledger.KindNotFound)
	if waiting, err := b.WaitingDrafts(t.Context(), b.preparer); err != nil || len(waiting) != 0 {
		t.Errorf("waiting are %v, %v", waiting, err)
	}
	b.clock.advance(2 * store.DraftLife)
	b.start(t, csv("2026-03-02,10.00,other"))
	b.works(t)
	if job := b.ends(t, result.JobID); job.State != store.JobDone || job.Result.Profile == nil || job.Result.Profile.Name != "Bank" {
		t.Errorf("the job is %+v", job)
	}
}

func TestCancelJob_LeavesNothingAndGivesTheDraftBack(t *testing.T) {
	t.Parallel()
	b := setup(t).withJobs(t)
	draft := b.start(t, long(3))
	confirmed, _, err := b.ConfirmDraft(t.Context(), b.preparer, "", draft, store.DraftConfirm{Version: 1})
	ok(t, err)
	waiting, _ := b.puts(t, "", long(4))
	_, err = b.CancelJob(t.Context(), b.viewer, waiting)
	refused(t, err, ledger.KindForbidden)
	if job, err := b.CancelJob(t.Context(), b.preparer, waiting); err != nil || job.State != store.JobCancelled {
		t.Errorf("one that waits, called off, is %+v, %v", job, err)
	}
	// The account is taken, so that the job hangs in the middle.
	taken, err := b.owner(t).Begin(t.Context())
	ok(t, err)
	_, err = taken.Exec(t.Context(), `SELECT FROM accounts WHERE code = '1010' FOR UPDATE`)
	ok(t, err)
	b.works(t)
	job, err := b.Job(t.Context(), b.viewer, confirmed.JobID)
	for err == nil && job.State == store.JobWaiting {
		job, err = b.NextOfJob(t.Context(), b.viewer, job)
	}
	ok(t, err)
	_, err = b.CancelJob(t.Context(), b.controller, confirmed.JobID)
	ok(t, err)
	if job = b.ends(t, confirmed.JobID); job.State != store.JobCancelled || !job.Draft || job.Result != nil {
		t.Errorf("the job is %+v", job)
	}
	ok(t, taken.Rollback(t.Context()))
	if got := b.counts(t, "statements", "statement_lines", "statement_drafts"); got != "statements 0, statement_lines 0, statement_drafts 1" {
		t.Errorf("there are %s", got)
	}
	if p := b.preview(t, draft); p.Rows.New != 4 {
		t.Errorf("the draft is %+v", p.Draft)
	}
	if job, err := b.CancelJob(t.Context(), b.preparer, confirmed.JobID); err != nil || job.State != store.JobCancelled {
		t.Errorf("called off again it is %+v, %v", job, err)
	}
	if got := b.column(t, `SELECT concat(action, ' ', object) FROM audit_log WHERE action LIKE 'job.%' ORDER BY at, id`); len(got) != 4 {
		t.Errorf("the audit log has %q", got)
	}
}

func TestWorkJobs_AJobOfADeadServerIsBegunAnew(t *testing.T) {
	t.Parallel()
	b := setup(t).withJobs(t)
	for name, died := range map[string]string{
		"Working":       `UPDATE jobs SET state = 'running', attempts = 1, phase = 'matching', started_at = now()`,
		"BeforeItBegan": `UPDATE jobs SET state = 'waiting'`,
	} {
		month := len(name) % 12
		id, _ := b.puts(t, "", long(month+1))
		b.sql(t, died+fmt.Sprintf(` WHERE id = %d`, id), `UPDATE river_job SET state = 'running', attempted_at = now(), attempt = 1, attempted_by = '{gone}' WHERE state = 'available'`)
		stop := b.works(t)
		if job := b.ends(t, id); job.State != store.JobDone {
			t.Errorf("%s: the job is %+v", name, job)
		}
		stop()
	}
}

func TestWorkJobs_SeveralServersStoreEachFileOnce(t *testing.T) {
	t.Parallel()
	b := setup(t).withJobs(t)
	var ids []int64
	for month := range 6 {
		id, _ := b.puts(t, "", long(month+1))
		ids = append(ids, id)
	}
	b.sql(t, `INSERT INTO river_job (args, kind, max_attempts) SELECT args, kind, max_attempts FROM river_job`) // and each is asked for twice
	for range 3 {
		b.withJobs(t).works(t)
	}
	var states []store.JobState
	for _, id := range ids {
		states = append(states, b.ends(t, id).State)
	}
	done := store.JobDone
	if want := []store.JobState{done, done, done, done, done, done}; !reflect.DeepEqual(states, want) {
		t.Errorf("the jobs are %v", states)
	}
	if got := b.counts(t, "statements", "statement_lines"); got != "statements 6, statement_lines 24" {
		t.Errorf("there are %s", got)
	}
}

func TestWorkJobs_WhatIsRefusedMeanwhileFailsWithTheReason(t *testing.T) {
	t.Parallel()
	b := setup(t).withJobs(t)
	id, _ := b.puts(t, "", long(3))
	draft := b.start(t, long(4))
	confirmed, _, err := b.ConfirmDraft(t.Context(), b.preparer, "", draft, store.DraftConfirm{Version: 1})
	ok(t, err)
	b.sql(t, `DELETE FROM user_roles WHERE user_id = (SELECT id FROM users WHERE email = 'preparer@demo.test')`)
	b.works(t)
	for _, id := range []int64{id, confirmed.JobID} {
		job := b.ends(t, id)
		if job.State != store.JobFailed || job.Problem == nil || job.Problem.Kind != ledger.KindForbidden {
			t.Errorf("the job is %+v, %v", job, job.Problem)
		}
	}
	if got := b.counts(t, "statements", "statement_drafts"); got != "statements 0, statement_drafts 1" {
		t.Errorf("there are %s", got)
	}
}

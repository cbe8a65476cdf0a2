package store

import (
	"context"
	"fmt"
	"time"

	"gorm.io/gorm"

	"daybook/store/ledger"
)

// JobState says how far a job has come.
type JobState string

// The states of a job. The last three are final.
const (
	JobWaiting   JobState = "waiting"
	JobRunning   JobState = "running"
	JobDone      JobState = "done"
	JobFailed    JobState = "failed"
	JobCancelled JobState = "cancelled"
)

// Ended reports whether nothing follows any more.
func (s JobState) Ended() bool { return s == JobDone || s == JobFailed || s == JobCancelled }

// Job is long work that was asked for: a statement that is being stored. Its result is whole or absent.
type Job struct {
	ID          int64
	Account     string
	AccountName string
	FileName    string
	State       JobState
	Phase       JobPhase
	Done, Total int64 // what the phase counts
	Attempts    int
	Cancelled   bool // somebody has called it off, though it may not have noticed yet
	DraftID     int64
	Draft       bool          // the file waits as a draft again
	Result      *UploadResult // of one that is done
	Problem     *ledger.Error // of one that failed
	AskedBy     string
	CreatedAt   time.Time
	StartedAt   time.Time // zero before it began
	EndedAt     time.Time // zero before it ended
}

// JobLines is how many lines a file may have that is stored while its sender waits; a longer one is stored by a job.
const JobLines = 50_000

type jobRow struct {
	ID, DraftID, Done, Total       int64
	Account, AccountName, FileName string
	State                          JobState
	Phase                          JobPhase
	Attempts                       int
	Cancelled, Draft               bool
	StatementID                    int64
	Problem                        string
	AskedBy                        string
	CreatedAt, StartedAt, EndedAt  time.Time
}

// Job gives a job of the actor's book. Errors: KindForbidden, KindNotFound.
func (s *Store) Job(ctx context.Context, actor Actor, id int64) (job Job, err error) {
	if err := actor.Need(RightRead); err != nil {
		return Job{}, err
	}
	err = s.inSnapshot(ctx, func(tx *gorm.DB) error {
		job, err = loadJob(tx, actor.Book, id)
		return err
	})
	return job, err
}

// NextOfJob waits until a job is further than it was, and gives it as it is when ctx is over too. Errors: those of Job.
func (s *Store) NextOfJob(ctx context.Context, actor Actor, was Job) (Job, error) {
	for {
		job, err := s.Job(context.WithoutCancel(ctx), actor, was.ID)
		if err != nil || job.State != was.State || job.Phase != was.Phase || job.Done != was.Done || job.Cancelled != was.Cancelled || !rest(ctx, jobPace/2) {
			return job, err
		}
	}
}

func loadJob(tx *gorm.DB, book Book, id int64) (Job, error) {
	r, err := queryOne[jobRow](tx, fmt.Sprintf("book %s has no job %d", book.Code, id), `
		SELECT j.id, j.draft_id, j.done, j.total, a.code AS account, a.name AS account_name, j.file_name, j.state, j.phase, j.attempts,
		       j.cancelled_by IS NOT NULL AS cancelled, d.id IS NOT NULL AND d.job_id IS NULL AS draft, coalesce(j.statement_id, 0) AS statement_id,
		       coalesce(j.problem::text, '') AS problem, u.name AS asked_by, j.created_at, j.started_at, j.ended_at
		  FROM jobs j
		  JOIN accounts a ON a.book_id = j.book_id AND a.id = j.account_id
		  JOIN users u ON u.id = j.user_id
		  LEFT JOIN statement_drafts d ON d.book_id = j.book_id AND d.id = j.draft_id
		 WHERE j.book_id = ? AND j.id = ?`, book.ID, id)
	if err != nil {
		return Job{}, err
	}
	job := Job{ID: r.ID, Account: r.Account, AccountName: r.AccountName, FileName: r.FileName, State: r.State, Phase: r.Phase, Done: r.Done, Total: r.Total,
		Attempts: r.Attempts, Cancelled: r.Cancelled, DraftID: r.DraftID, Draft: r.Draft, AskedBy: r.AskedBy, CreatedAt: r.CreatedAt.UTC()}
	if !r.StartedAt.IsZero() {
		job.StartedAt = r.StartedAt.UTC()
	}
	if !r.EndedAt.IsZero() {
		job.EndedAt = r.EndedAt.UTC()
	}
	if job.Problem, err = problemOf(r.Problem); err != nil {
		return Job{}, err
	}
	if r.StatementID != 0 {
		result, err := loadUploadResult(tx, book, r.StatementID)
		if err != nil {
			return Job{}, err
		}
		job.Result = &result
	}
	return job, nil
}

// CancelJob calls a job off: what it has done so far is undone. Whoever calls off one that has ended changes nothing. Errors: KindForbidden,
// KindNotFound.
func (s *Store) CancelJob(ctx context.Context, actor Actor, id int64) (job Job, err error) {
	if err := actor.Need(RightUpload); err != nil {
		return Job{}, err
	}
	err = s.inTx(ctx, func(tx *gorm.DB) error {
		touched, err := exec(tx, `UPDATE jobs SET cancelled_by = ? WHERE book_id = ? AND id = ? AND state IN ('waiting', 'running') AND cancelled_by IS NULL`,
			actor.UserID, actor.Book.ID, id)
		if err != nil {
			return fmt.Errorf("call off job %d: %w", id, err)
		}
		// One that nobody works has nobody to notice.
		if _, err := s.endJob(tx, actor.Book.ID, id, JobWaiting, JobCancelled, nil); err != nil {
			return err
		}
		if touched > 0 {
			if err := s.audit(tx, actor, "job.cancel", fmt.Sprintf("job %d", id), nil); err != nil {
				return err
			}
		}
		job, err = loadJob(tx, actor.Book, id)
		return err
	})
	return job, err
}

// endJob ends a job without a result, and gives its file back to whoever waits for it; false when it was not in that state.
func (s *Store) endJob(tx *gorm.DB, bookID, id int64, from, to JobState, problem *ledger.Error) (bool, error) {
	text, err := problemText(problem)
	if err != nil {
		return false, err
	}
	touched, err := exec(tx, `
		UPDATE jobs SET state = ?, phase = '', problem = CAST(? AS jsonb), ended_at = ?
		 WHERE book_id = ? AND id = ? AND state = ? AND (? <> 'cancelled' OR cancelled_by IS NOT NULL)`, to, text, s.now(), bookID, id, from, to)
	if err != nil || touched == 0 {
		return false, err
	}
	if _, err := exec(tx, `DELETE FROM statement_drafts WHERE book_id = ? AND job_id = ? AND by_api`, bookID, id); err != nil {
		return false, err
	}
	_, err = exec(tx, `UPDATE statement_drafts SET job_id = NULL WHERE book_id = ? AND job_id = ?`, bookID, id)
	return err == nil, err
}

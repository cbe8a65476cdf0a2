package store

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"sync"
	"time"

	"gorm.io/gorm"

	"daybook/store/jobs"
	"daybook/store/ledger"
)

const (
	jobTries  = 5                      // a job that fails so often is given up
	jobPace   = 500 * time.Millisecond // how often a job tells how far it is, and hears whether it was called off
	jobOrphan = 2 * time.Second        // how often jobs are looked for whose server died
)

// errCalledOff ends the work on a job that somebody called off.
var errCalledOff = errors.New("the job was called off")

// WorkJobs works jobs, those that other servers left unfinished too, until ctx is over; then it waits for the last to end.
func (s *Store) WorkJobs(ctx context.Context, log *slog.Logger) error {
	pool, err := s.db.DB()
	if err != nil {
		return fmt.Errorf("work jobs: %w", err)
	}
	var group sync.WaitGroup
	group.Go(func() {
		for rest(ctx, jobOrphan) {
			if err := errors.Join(s.adoptJobs(ctx), s.adoptCalls(ctx), s.adoptMessages(ctx)); err != nil && ctx.Err() == nil {
				log.Warn("jobs whose server died could not be looked for", "error", err)
			}
		}
	})
	defer group.Wait()
	return jobs.Work(ctx, pool, s.now, log, jobs.Workers{
		Job:     func(ctx context.Context, task jobs.Job) error { return s.workJob(ctx, pool, task, log) },
		Message: s.workMessage,
		Call:    func(ctx context.Context, task jobs.Call) error { return s.workCall(ctx, task, log) },
	})
}

// adoptJobs puts down again what was begun and nobody holds: the server that did is gone. So does what waits and nobody will be asked to do.
func (s *Store) adoptJobs(ctx context.Context) error {
	return s.inTx(ctx, func(tx *gorm.DB) error {
		left, err := query[struct{ BookID, ID int64 }](tx, `
			SELECT j.book_id, j.id
			  FROM (SELECT j.book_id, j.id FROM jobs j
			         WHERE j.state = 'running' OR j.state = 'waiting' AND NOT EXISTS (
			               SELECT FROM river_job r WHERE r.args @> jsonb_build_object('book_id', j.book_id, 'job_id', j.id)
			                  AND r.state IN ('available', 'pending', 'retryable', 'scheduled'))
			         ORDER BY j.book_id, j.id LIMIT 10) j
			 WHERE pg_try_advisory_xact_lock(`+jobLock+`)`)
		if err != nil {
			return err
		}
		for _, j := range left {
			if err := waitAgain(tx, j.BookID, j.ID, 0); err != nil {
				return err
			}
			if err := addTask(tx, jobs.Job{BookID: j.BookID, JobID: j.ID}, time.Time{}); err != nil {
				return err
			}
		}
		return nil
	})
}

// jobLock names the lock of a job j: it is held by the connection of whoever works it, and gone with that.
const jobLock = `hashtextextended('daybook job ' || j.book_id || ' ' || j.id, 0)`

// workJob works a job unless it has ended or another server is at it. An error has the queue try again.
func (s *Store) workJob(ctx context.Context, pool *sql.DB, task jobs.Job, log *slog.Logger) error {
	conn, err := pool.Conn(ctx)
	if err != nil {
		return err
	}
	// The lock goes with the connection, which nobody else may get while it might hold one.
	defer conn.Close()
	var held bool
	const hold = `SELECT pg_try_advisory_lock(` + jobLock + `) FROM (SELECT $1::bigint AS book_id, $2::bigint AS id) j`
	if err := conn.QueryRowContext(ctx, hold, task.BookID, task.JobID).Scan(&held); err != nil {
		return err
	}
	if !held {
		return jobs.ErrLater
	}
	defer func() {
		const release = `SELECT pg_advisory_unlock(` + jobLock + `) FROM (SELECT $1::bigint AS book_id, $2::bigint AS id) j`
		if _, err := conn.ExecContext(context.WithoutCancel(ctx), release, task.BookID, task.JobID); err != nil {
			_ = conn.Raw(func(any) error { return driver.ErrBadConn })
		}
	}()
	begun, err := s.beginJob(ctx, task)
	if err != nil || begun == nil {
		return err
	}
	err = s.storeByJob(ctx, *begun)
	if err == nil {
		return nil
	}
	return s.endWork(ctx, *begun, err, log)
}

// work is a job that is being worked.
type work struct {
	jobs.Job
	UserID, DraftID int64
	BookCode        string
	Attempts        int
	Params          string
	Cancelled       bool
}

// beginJob says that a job is being worked; nil when it has ended.
func (s *Store) beginJob(ctx context.Context, task jobs.Job) (*work, error) {
	begun, err := query[work](s.db.WithContext(ctx), `
		UPDATE jobs j SET state = 'running', phase = '', done = 0, attempts = attempts + 1, started_at = ?
		  FROM books b WHERE b.id = j.book_id AND j.book_id = ? AND j.id = ? AND j.state IN ('waiting', 'running')
		RETURNING j.user_id, j.draft_id, b.code AS book_code, j.attempts, j.params::text AS params, j.cancelled_by IS NOT NULL AS cancelled`,
		s.now(), task.BookID, task.JobID)
	if err != nil || len(begun) == 0 {
		return nil, err
	}
	begun[0].Job = task
	return &begun[0], nil
}

// storeByJob stores the draft of a job as its owner, all or nothing, and the job's end with it.
func (s *Store) storeByJob(ctx context.Context, w work) error {
	if w.Cancelled {
		return errCalledOff
	}
	var params jobParams
	if err := json.Unmarshal([]byte(w.Params), &params); err != nil {
		return fmt.Errorf("read what job %d is about: %w", w.JobID, err)
	}
	actor, err := s.Actor(ctx, w.UserID, w.BookCode)
	if err != nil {
		return err
	}
	actor.Request, actor.Address = params.Request, params.Address
	if err := actor.Need(RightUpload); err != nil {
		return err
	}
	ctx, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	p := &jobProgress{}
	var group sync.WaitGroup
	group.Go(func() { s.keepPace(ctx, w.Job, p, stop) })
	defer group.Wait()
	defer stop(nil)
	p.begin(PhaseReading, 0)
	if err := s.readDraftAhead(ctx, actor, w.DraftID, w.JobID); err != nil {
		return calledOff(ctx, err)
	}
	err = s.inTx(ctx, func(tx *gorm.DB) error {
		result, _, err := s.storeDraft(tx, actor, w.DraftID, w.JobID, params.Confirm, p)
		if err != nil {
			return err
		}
		ended, err := exec(tx, `UPDATE jobs SET state = ?, phase = '', statement_id = ?, ended_at = ? WHERE book_id = ? AND id = ? AND state = ? AND cancelled_by IS NULL`,
			JobDone, result.StatementID, s.now(), w.BookID, w.JobID, JobRunning)
		if err == nil && ended == 0 {
			err = errCalledOff
		}
		return err
	})
	return calledOff(ctx, err)
}

// calledOff names the reason of an end that came from outside.
func calledOff(ctx context.Context, err error) error {
	if err != nil && errors.Is(context.Cause(ctx), errCalledOff) {
		return errCalledOff
	}
	return err
}

// keepPace tells how far a job is, and stops it when it was called off, until ctx is over.
func (s *Store) keepPace(ctx context.Context, task jobs.Job, p *jobProgress, stop context.CancelCauseFunc) {
	db := s.db.WithContext(ctx)
	for rest(ctx, jobPace) {
		phase, done, total := p.now()
		cancelled, err := query[bool](db, `
			UPDATE jobs SET phase = ?, done = ?, total = CASE WHEN ? = 0 THEN total ELSE ? END
			 WHERE book_id = ? AND id = ? AND state = 'running' RETURNING cancelled_by IS NOT NULL`, phase, done, total, total, task.BookID, task.JobID)
		if err == nil && len(cancelled) > 0 && cancelled[0] {
			stop(errCalledOff)
		}
	}
}

// endWork decides what a failure means: the job ends with a refusal, or when it was called off, or has failed too often; else it is tried
// again. That the server stops is no failure.
func (s *Store) endWork(ctx context.Context, w work, why error, log *slog.Logger) error {
	stops := ctx.Err() != nil
	ctx = context.WithoutCancel(ctx)
	var refusal *ledger.Error
	refused := errors.As(why, &refusal) && refusal.Kind != ledger.KindInternal && refusal.Kind != ledger.KindBusy
	to := JobFailed
	switch {
	case errors.Is(why, errCalledOff):
		to, refusal = JobCancelled, nil
	case stops:
		return errors.Join(why, waitAgain(s.db.WithContext(ctx), w.BookID, w.JobID, 1))
	case !refused && w.Attempts < jobTries:
		return errors.Join(why, waitAgain(s.db.WithContext(ctx), w.BookID, w.JobID, 0))
	case !refused:
		log.Error("a job was given up", "book", w.BookCode, "job", w.JobID, "error", why)
		refusal = ledger.Refuse(ledger.KindInternal, "the file could not be stored, %d times: ask who runs Daybook, with the number of this job", w.Attempts)
	}
	return s.inTx(ctx, func(tx *gorm.DB) error {
		_, err := s.endJob(tx, w.BookID, w.JobID, JobRunning, to, refusal)
		return err
	})
}

// waitAgain has a job wait; forgiven are attempts that do not count.
func waitAgain(db *gorm.DB, bookID, id int64, forgiven int) error {
	_, err := exec(db, `UPDATE jobs SET state = ?, phase = '', done = 0, attempts = attempts - ? WHERE book_id = ? AND id = ? AND state = ?`,
		JobWaiting, forgiven, bookID, id, JobRunning)
	return err
}

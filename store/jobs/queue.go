package jobs

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"log/slog"
	"time"

	"github.com/riverqueue/river"
	"github.com/riverqueue/river/riverdriver/riverdatabasesql"
)

// Task names a job of a book. What it is about stands in the books.
type Task struct {
	BookID int64 `json:"book_id"`
	JobID  int64 `json:"job_id"`
}

// Kind is what River calls a task.
func (Task) Kind() string { return "job" }

// The limits of a server's work.
const (
	workersAServer = 2
	pollEvery      = 500 * time.Millisecond
	workLimit      = 30 * time.Minute // of one attempt
	stopLimit      = 15 * time.Second // for what is under way when a server stops; then it is called off and another server begins anew
	triesInAll     = 100              // of River; whoever works a task counts for themselves
	laterAfter     = 2 * time.Second
)

// Add puts a task down in a transaction.
func Add(ctx context.Context, tx *sql.Tx, task Task) error {
	client, err := river.NewClient(riverdatabasesql.New(nil), &river.Config{})
	if err != nil {
		return fmt.Errorf("prepare the queue: %w", err)
	}
	if _, err := client.InsertTx(ctx, tx, task, &river.InsertOpts{MaxAttempts: triesInAll}); err != nil {
		return fmt.Errorf("put job %d down: %w", task.JobID, err)
	}
	return nil
}

// ErrLater is the error of a task that somebody else is at: it is looked at again.
var ErrLater = errors.New("somebody else is at this task")

// Work works tasks until ctx is over, and returns when the last has ended. A task whose work fails is tried again after a pause; so is one that
// was worked when its server stopped.
func Work(ctx context.Context, pool *sql.DB, now func() time.Time, log *slog.Logger, work func(ctx context.Context, task Task) error) error {
	workers := river.NewWorkers()
	river.AddWorker(workers, &worker{work: work})
	client, err := river.NewClient(riverdatabasesql.New(pool), &river.Config{
		Logger:               log,
		Queues:               map[string]river.QueueConfig{river.QueueDefault: {MaxWorkers: workersAServer}},
		Workers:              workers,
		PollOnly:             true,
		FetchPollInterval:    pollEvery,
		JobTimeout:           workLimit,
		RescueStuckJobsAfter: 2 * workLimit,
		SoftStopTimeout:      stopLimit,
		RetryPolicy:          soon{now},
		ReindexerSchedule:    never{}, // the app does not own the tables
	})
	if err != nil {
		return fmt.Errorf("prepare the work on jobs: %w", err)
	}
	if err := client.Start(ctx); err != nil {
		return fmt.Errorf("begin the work on jobs: %w", err)
	}
	<-client.Stopped()
	return nil
}

type worker struct {
	river.WorkerDefaults[Task]
	work func(ctx context.Context, task Task) error
}

// Work is what River calls.
func (w *worker) Work(ctx context.Context, job *river.Job[Task]) error {
	err := w.work(ctx, job.Args)
	if errors.Is(err, ErrLater) {
		return river.JobSnooze(laterAfter)
	}
	return err
}

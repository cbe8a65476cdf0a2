package jobs

import (
	"context"
	"database/sql"
	"fmt"
	"log/slog"
	"time"

	"github.com/riverqueue/river"
	"github.com/riverqueue/river/riverdriver/riverdatabasesql"
)

// Workers work what their tasks name. An error has a task worked again, soon or as After says; what has no worker is left to other servers.
type Workers struct {
	Job     func(ctx context.Context, task Job) error
	Message func(ctx context.Context, task Message) error
	Call    func(ctx context.Context, task Call) error
}

// The limits of a server's work: how many tasks of a kind at once, and how long an attempt at one may take.
const (
	jobsAtOnce     = 2
	messagesAtOnce = 4
	callsAtOnce    = 8
	pollEvery      = 500 * time.Millisecond
	jobLimit       = 30 * time.Minute
	messageLimit   = time.Minute
	callLimit      = 2 * time.Minute
	stopLimit      = 15 * time.Second // for what is under way when a server stops; then it is called off and another server begins anew
)

// Work works tasks until ctx is over, and returns when the last has ended. A task whose work fails is tried again after a pause; so is one that
// was worked when its server stopped.
func Work(ctx context.Context, pool *sql.DB, now func() time.Time, log *slog.Logger, work Workers) error {
	config := &river.Config{
		Logger:               log,
		Queues:               map[string]river.QueueConfig{},
		Workers:              river.NewWorkers(),
		PollOnly:             true,
		FetchPollInterval:    pollEvery,
		JobTimeout:           jobLimit,
		RescueStuckJobsAfter: 2 * jobLimit,
		SoftStopTimeout:      stopLimit,
		RetryPolicy:          soon{now},
		ReindexerSchedule:    never{}, // the app does not own the tables
	}
	add(config, work.Job, jobsAtOnce, jobLimit)
	add(config, work.Message, messagesAtOnce, messageLimit)
	add(config, work.Call, callsAtOnce, callLimit)
	client, err := river.NewClient(riverdatabasesql.New(pool), config)
	if err != nil {
		return fmt.Errorf("prepare the work on jobs: %w", err)
	}
	if err := client.Start(ctx); err != nil {
		return fmt.Errorf("begin the work on jobs: %w", err)
	}
	<-client.Stopped()
	return nil
}

// add has a kind of task worked, if somebody works it.
func add[T Task](config *river.Config, work func(ctx context.Context, task T) error, atOnce int, limit time.Duration) {
	if work == nil {
		return
	}
	river.AddWorker(config.Workers, &worker[T]{work: work, limit: limit})
	config.Queues[(*new(T)).queue()] = river.QueueConfig{MaxWorkers: atOnce}
}

type worker[T Task] struct {
	river.WorkerDefaults[T]
	work  func(ctx context.Context, task T) error
	limit time.Duration
}

// Timeout is how long River lets an attempt take.
func (w *worker[T]) Timeout(*river.Job[T]) time.Duration { return w.limit }

// Work is what River calls.
func (w *worker[T]) Work(ctx context.Context, job *river.Job[T]) error {
	return orSnooze(w.work(ctx, job.Args))
}

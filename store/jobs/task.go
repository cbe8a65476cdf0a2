package jobs

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"time"

	"github.com/riverqueue/river"
	"github.com/riverqueue/river/riverdriver/riverdatabasesql"
)

// Task is a Job, a Message or a Call: it names what is to be worked, and what that is about stands in the books.
type Task interface {
	river.JobArgs
	queue() string
}

// Job names a job of a book.
type Job struct {
	BookID int64 `json:"book_id"`
	JobID  int64 `json:"job_id"`
}

// Message names a message of the inbox, which is to be tried again.
type Message struct {
	BookID int64  `json:"book_id"`
	Source string `json:"source"`
	ID     string `json:"message_id"`
}

// Call names what a gateway was asked and did not answer, which is to be asked again.
type Call struct {
	BookID int64 `json:"book_id"`
	CallID int64 `json:"call_id"`
}

// Kind is what River calls a task.
func (Job) Kind() string     { return "job" }
func (Message) Kind() string { return "message" }
func (Call) Kind() string    { return "call" }

// Each kind has a queue, so that none waits behind another.
func (Job) queue() string     { return river.QueueDefault }
func (Message) queue() string { return "messages" }
func (Call) queue() string    { return "calls" }

const triesInAll = 100 // of River; whoever works a task counts for themselves

// Add puts a task down in a transaction, to be worked at an instant, and at once where that is zero or past. One for later may be some seconds
// late.
func Add(ctx context.Context, tx *sql.Tx, task Task, at time.Time) error {
	client, err := river.NewClient(riverdatabasesql.New(nil), &river.Config{})
	if err != nil {
		return fmt.Errorf("prepare the queue: %w", err)
	}
	if _, err := client.InsertTx(ctx, tx, task, &river.InsertOpts{MaxAttempts: triesInAll, Queue: task.queue(), ScheduledAt: at}); err != nil {
		return fmt.Errorf("put %s %+v down: %w", task.Kind(), task, err)
	}
	return nil
}

// After is the error of a task that is to be worked again after a while. That is no failure.
func After(d time.Duration) error { return again{d} }

type again struct{ after time.Duration }

func (a again) Error() string { return "to be worked again in " + a.after.String() }

// ErrLater is the error of a task that somebody else is at: it is looked at again.
var ErrLater = After(2 * time.Second)

// orSnooze says to River what After said.
func orSnooze(err error) error {
	var a again
	if errors.As(err, &a) {
		return river.JobSnooze(max(a.after, 0))
	}
	return err
}

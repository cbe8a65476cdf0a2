package jobs_test

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"log/slog"
	"reflect"
	"sync/atomic"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	_ "github.com/jackc/pgx/v5/stdlib"
	"github.com/riverqueue/river/riverdriver/riverdatabasesql"
	"github.com/riverqueue/river/rivermigrate"

	"daybook/store/jobs"
	"daybook/store/postgres/pgtest"
)

func TestMain(m *testing.M) { pgtest.Main(m) }

func open(t *testing.T, url string) *sql.DB {
	t.Helper()
	db, err := sql.Open("pgx", url)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { db.Close() })
	return db
}

// shape lists what the queue's tables are made of, for two of them to be compared.
func shape(t *testing.T, url string) []string {
	t.Helper()
	conn, err := pgx.Connect(t.Context(), url)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close(t.Context())
	rows, err := conn.Query(t.Context(), `
		SELECT concat_ws(' ', c.table_name, c.column_name, c.udt_name, c.character_maximum_length, c.is_nullable, c.column_default) FROM information_schema.columns c
		 WHERE c.table_name LIKE 'river\_%' AND c.table_name <> 'river_migration'
		UNION ALL
		SELECT indexdef FROM pg_indexes WHERE tablename LIKE 'river\_%' AND tablename <> 'river_migration'
		UNION ALL
		SELECT concat_ws(' ', conrelid::regclass, conname, pg_get_constraintdef(oid)) FROM pg_constraint
		 WHERE conrelid::regclass::text LIKE 'river\_%' AND conrelid::regclass::text <> 'river_migration' AND contype <> 'n'
		UNION ALL
		SELECT concat_ws(' ', relname, relpersistence) FROM pg_class WHERE relkind = 'r' AND relname LIKE 'river\_%' AND relname <> 'river_migration'
		UNION ALL
		SELECT concat_ws(' ', 'state', enumlabel) FROM pg_enum WHERE enumtypid = 'river_job_state'::regtype
		ORDER BY 1`)
	if err != nil {
		t.Fatal(err)
	}
	lines, err := pgx.CollectRows(rows, pgx.RowTo[string])
	if err != nil {
		t.Fatal(err)
	}
	return lines
}

func TestTheTablesAreAsRiverMakesThem(t *testing.T) {
	t.Parallel()
	ownerURL, _ := pgtest.New(t)
	theirs := pgtest.Empty(t)
	migrator, err := rivermigrate.New(riverdatabasesql.New(open(t, theirs)), nil)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := migrator.Migrate(t.Context(), rivermigrate.DirectionUp, nil); err != nil {
		t.Fatal(err)
	}
	if ours, want := shape(t, ownerURL), shape(t, theirs); !reflect.DeepEqual(ours, want) {
		t.Errorf("our tables are\n%q\nRiver's are\n%q", ours, want)
	}
}

// add puts tasks down in a transaction, and takes it back or not.
func add(t *testing.T, pool *sql.DB, commit bool, tasks ...jobs.Task) {
	t.Helper()
	tx, err := pool.BeginTx(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	defer tx.Rollback()
	for _, task := range tasks {
		if err := jobs.Add(t.Context(), tx, task, time.Time{}); err != nil {
			t.Fatal(err)
		}
	}
	if commit {
		if err := tx.Commit(); err != nil {
			t.Fatal(err)
		}
	}
}

func TestWork(t *testing.T) {
	t.Parallel()
	_, appURL := pgtest.New(t)
	pool := open(t, appURL)
	add(t, pool, true, jobs.Job{BookID: 1, JobID: 1}, jobs.Job{BookID: 1, JobID: 2}, jobs.Job{BookID: 1, JobID: 3},
		jobs.Message{BookID: 1, Source: "shop", ID: "m-1"}, jobs.Call{BookID: 1, CallID: 7})
	add(t, pool, false, jobs.Job{BookID: 1, JobID: 4})
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	worked := make(chan string, 100)
	done := func(task jobs.Task) error {
		worked <- fmt.Sprintf("%s %v", task.Kind(), task)
		if len(worked) == 5 {
			stop()
		}
		return nil
	}
	var tries, asked atomic.Int64
	err := jobs.Work(ctx, pool, time.Now, slog.New(slog.DiscardHandler), jobs.Workers{
		Job: func(_ context.Context, task jobs.Job) error {
			switch {
			case task.JobID == 2 && tries.Add(1) == 1:
				return errors.New("the database is gone for a moment")
			case task.JobID == 3 && tries.Add(1) < 3:
				return jobs.ErrLater
			}
			return done(task)
		},
		Message: func(_ context.Context, task jobs.Message) error { return done(task) },
		Call: func(_ context.Context, task jobs.Call) error {
			if asked.Add(1) == 1 {
				return fmt.Errorf("no answer: %w", jobs.After(time.Millisecond))
			}
			return done(task)
		},
	})
	if err != nil {
		t.Fatal(err)
	}
	close(worked)
	found := map[string]int{}
	for task := range worked {
		found[task]++
	}
	if want := map[string]int{"job {1 1}": 1, "job {1 2}": 1, "job {1 3}": 1, "message {1 shop m-1}": 1, "call {1 7}": 1}; !reflect.DeepEqual(found, want) {
		t.Errorf("worked are %v", found)
	}
}

func TestWork_LeavesWhatItDoesNotWork(t *testing.T) {
	t.Parallel()
	_, appURL := pgtest.New(t)
	pool := open(t, appURL)
	add(t, pool, true, jobs.Call{BookID: 1, CallID: 7}, jobs.Message{BookID: 1, Source: "shop", ID: "m-1"})
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	err := jobs.Work(ctx, pool, time.Now, slog.New(slog.DiscardHandler), jobs.Workers{
		Message: func(context.Context, jobs.Message) error { stop(); return nil },
	})
	if err != nil {
		t.Fatal(err)
	}
	var state string
	var attempts int
	if err := pool.QueryRowContext(t.Context(), `SELECT state, attempt FROM river_job WHERE kind = 'call'`).Scan(&state, &attempts); err != nil {
		t.Fatal(err)
	}
	if state != "available" || attempts != 0 {
		t.Errorf("a call that nobody works is %s after %d attempts", state, attempts)
	}
}

func TestAdd_ForLater(t *testing.T) {
	t.Parallel()
	_, appURL := pgtest.New(t)
	pool := open(t, appURL)
	tx, err := pool.BeginTx(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	at := time.Now().Add(time.Hour).UTC().Truncate(time.Microsecond)
	if err := jobs.Add(t.Context(), tx, jobs.Message{BookID: 1, Source: "shop", ID: "m-1"}, at); err != nil {
		t.Fatal(err)
	}
	var state, queue string
	var due time.Time
	if err := tx.QueryRowContext(t.Context(), `SELECT state, queue, scheduled_at FROM river_job`).Scan(&state, &queue, &due); err != nil {
		t.Fatal(err)
	}
	if err := tx.Rollback(); err != nil {
		t.Fatal(err)
	}
	if state != "scheduled" || queue != "messages" || !due.Equal(at) {
		t.Errorf("it is %s in %s, due at %s", state, queue, due)
	}
}

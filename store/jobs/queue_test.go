package jobs_test

import (
	"context"
	"database/sql"
	"errors"
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
		if err := jobs.Add(t.Context(), tx, task); err != nil {
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
	add(t, pool, true, jobs.Task{BookID: 1, JobID: 1}, jobs.Task{BookID: 1, JobID: 2}, jobs.Task{BookID: 1, JobID: 3})
	add(t, pool, false, jobs.Task{BookID: 1, JobID: 4})
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	worked := make(chan int64, 100)
	var tries atomic.Int64
	err := jobs.Work(ctx, pool, time.Now, slog.New(slog.DiscardHandler), func(_ context.Context, task jobs.Task) error {
		switch {
		case task.JobID == 2 && tries.Add(1) == 1:
			return errors.New("the database is gone for a moment")
		case task.JobID == 3 && tries.Add(1) < 3:
			return jobs.ErrLater
		}
		worked <- task.JobID
		if len(worked) == 3 {
			stop()
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	close(worked)
	found := map[int64]int{}
	for id := range worked {
		found[id]++
	}
	if want := map[int64]int{1: 1, 2: 1, 3: 1}; !reflect.DeepEqual(found, want) {
		t.Errorf("worked are %v", found)
	}
}

package postgres_test

import (
	"context"
	"fmt"
	"os"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"daybook/store/postgres/pgtest"
)

func TestMain(m *testing.M) { pgtest.Main(m) }

// dataDir is a directory that does not exist yet, where the unprivileged user that runs Postgres for root can get to:
// what t.TempDir makes is closed to others.
func dataDir(t *testing.T) string {
	t.Helper()
	dir, err := os.MkdirTemp("", "daybook-test-")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(dir) })
	return dir
}

func connect(t *testing.T, url string) *pgx.Conn {
	t.Helper()
	conn, err := pgx.Connect(t.Context(), url)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { conn.Close(context.Background()) })
	return conn
}

func execute(t *testing.T, conn *pgx.Conn, statement string, args ...any) {
	t.Helper()
	if _, err := conn.Exec(t.Context(), statement, args...); err != nil {
		t.Fatalf("%s: %v", statement, err)
	}
}

func query[T any](t *testing.T, conn *pgx.Conn, statement string) (value T) {
	t.Helper()
	if err := conn.QueryRow(t.Context(), statement).Scan(&value); err != nil {
		t.Fatalf("%s: %v", statement, err)
	}
	return value
}

// eventually polls until a condition holds that another process brings about.
func eventually(t *testing.T, limit time.Duration, what string, holds func() bool) {
	t.Helper()
	deadline := time.After(limit)
	again := time.NewTicker(20 * time.Millisecond)
	defer again.Stop()
	for !holds() {
		select {
		case <-again.C:
		case <-deadline:
			t.Fatalf("not within %s: %s", limit, what)
		}
	}
}

// isGone tells whether a process has ended; one that nobody has waited for yet has.
func isGone(pid int) bool {
	stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		return true
	}
	var id int
	var name, state string
	_, _ = fmt.Sscan(string(stat), &id, &name, &state)
	return state == "Z" || state == "X"
}

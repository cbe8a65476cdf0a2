package postgres_test

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"daybook/store/postgres"
	"daybook/store/postgres/pgtest"
)

func startCluster(t *testing.T, dir string) *postgres.Cluster {
	t.Helper()
	c, err := postgres.StartCluster(t.Context(), dir, slog.New(slog.DiscardHandler))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { stopCluster(t, c) })
	return c
}

func stopCluster(t *testing.T, c *postgres.Cluster) {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	if err := c.Stop(ctx); err != nil {
		t.Error(err)
	}
}

func startRefused(t *testing.T, dir, want string) {
	t.Helper()
	c, err := postgres.StartCluster(t.Context(), dir, slog.New(slog.DiscardHandler))
	if err == nil {
		stopCluster(t, c)
	}
	if err == nil || !strings.Contains(err.Error(), want) {
		t.Errorf("got %v, want %q in it", err, want)
	}
}

// postmaster is the process of the Postgres in dir.
func postmaster(t *testing.T, dir string) int {
	t.Helper()
	content, err := os.ReadFile(filepath.Join(dir, "data", "postmaster.pid"))
	if err != nil {
		t.Fatal(err)
	}
	first, _, _ := strings.Cut(string(content), "\n")
	pid, err := strconv.Atoi(first)
	if err != nil {
		t.Fatal(err)
	}
	return pid
}

func TestCluster(t *testing.T) {
	t.Parallel()
	dir := dataDir(t)
	c := startCluster(t, dir)
	conn := connect(t, c.URL())
	for setting, want := range map[string]string{
		"server_encoding": "UTF8", "lc_collate": "C", "fsync": "on", "synchronous_commit": "on",
		"listen_addresses": "127.0.0.1", "password_encryption": "scram-sha-256", "data_checksums": "on",
	} {
		if got := query[string](t, conn, "show "+setting); got != want {
			t.Errorf("%s is %s, want %s", setting, got, want)
		}
	}
	info, err := os.Stat(filepath.Join(dir, "password"))
	if err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("the password file: %v, %v", info, err)
	}
	if url, running := postgres.RunningCluster(t.Context(), dir); !running || url != c.URL() {
		t.Errorf("a running cluster is found as %q", url)
	}
	pid := postmaster(t, dir)
	execute(t, conn, "create table kept (n int)")
	stopCluster(t, c)
	if !isGone(pid) {
		t.Error("Postgres is there after the stop")
	}
	if _, running := postgres.RunningCluster(t.Context(), dir); running {
		t.Error("a stopped cluster is found as running")
	}
	again := startCluster(t, dir)
	execute(t, connect(t, again.URL()), "insert into kept values (1)")
}

func TestClusterSurvives(t *testing.T) {
	t.Parallel()
	t.Run("APidFileWithTheNumberOfAnotherProcess", survivesStalePid)
	t.Run("AnUnfinishedStart", survivesUnfinishedStart)
	t.Run("TheDeathOfItsSupervisor", survivesDeadSupervisor)
	t.Run("AStartThatIsGivenUp", survivesGivenUpStart)
}

func survivesStalePid(t *testing.T) {
	t.Parallel()
	dir := dataDir(t)
	stopCluster(t, startCluster(t, dir))
	// A living process of the same user is one that Postgres believes the file about.
	alive := query[int](t, connect(t, pgtest.Empty(t)), "select pg_backend_pid()")
	stale := fmt.Sprintf("%d\n%s/data\n1\n1\n\n\n\n", alive, dir)
	if err := os.WriteFile(filepath.Join(dir, "data", "postmaster.pid"), []byte(stale), 0o644); err != nil {
		t.Fatal(err)
	}
	connect(t, startCluster(t, dir).URL())
}

func survivesUnfinishedStart(t *testing.T) {
	t.Parallel()
	dir := dataDir(t)
	for _, name := range []string{"lock", "data.new/base/1/half"} {
		path := filepath.Join(dir, name)
		if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o755), os.WriteFile(path, nil, 0o600)); err != nil {
			t.Fatal(err)
		}
	}
	connect(t, startCluster(t, dir).URL())
	if _, err := os.Stat(filepath.Join(dir, "data.new")); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("the unfinished cluster is still there: %v", err)
	}
}

func survivesDeadSupervisor(t *testing.T) {
	t.Parallel()
	dir := dataDir(t)
	c := startCluster(t, dir)
	execute(t, connect(t, c.URL()), "create table kept (n int)")
	pid := postmaster(t, dir)
	status, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
	if err != nil {
		t.Skipf("processes are looked up in /proc: %v", err)
	}
	var parent int
	_, rest, _ := strings.Cut(string(status), "PPid:")
	if _, err := fmt.Sscan(rest, &parent); err != nil {
		t.Fatal(err)
	}
	if err := syscall.Kill(parent, syscall.SIGKILL); err != nil {
		t.Fatal(err)
	}
	select {
	case <-c.Done():
	case <-time.After(time.Minute):
		t.Fatal("the cluster does not tell that it is lost")
	}
	eventually(t, 10*time.Second, "Postgres ends with its supervisor", func() bool { return isGone(pid) })
	execute(t, connect(t, startCluster(t, dir).URL()), "insert into kept values (1)")
}

func survivesGivenUpStart(t *testing.T) {
	t.Parallel()
	dir := dataDir(t)
	ctx, cancel := context.WithCancel(t.Context())
	// The first note says that a new cluster is being made: initdb is stopped in the middle.
	log := slog.New(slog.NewTextHandler(writerFunc(cancel), nil))
	if _, err := postgres.StartCluster(ctx, dir, log); !errors.Is(err, context.Canceled) {
		t.Errorf("a start that is given up: %v", err)
	}
	connect(t, startCluster(t, dir).URL())
}

type writerFunc func()

func (f writerFunc) Write(b []byte) (int, error) {
	f()
	return len(b), nil
}

func TestClusterRefuses(t *testing.T) {
	t.Parallel()
	t.Run("ADirectoryWithOtherFiles", func(t *testing.T) {
		t.Parallel()
		dir := dataDir(t)
		if err := os.WriteFile(filepath.Join(dir, "letters.txt"), nil, 0o600); err != nil {
			t.Fatal(err)
		}
		startRefused(t, dir, "holds other files: choose an empty or a new one with --data-dir")
	})
	t.Run("ADirectoryThatCannotBeMade", func(t *testing.T) {
		t.Parallel()
		file := filepath.Join(dataDir(t), "file")
		if err := os.WriteFile(file, nil, 0o600); err != nil {
			t.Fatal(err)
		}
		startRefused(t, filepath.Join(file, "data"), "cannot be made")
	})
	t.Run("ADirectoryOfAnotherVersion", func(t *testing.T) {
		t.Parallel()
		dir := dataDir(t)
		if err := errors.Join(os.WriteFile(filepath.Join(dir, "lock"), nil, 0o600), os.Mkdir(filepath.Join(dir, "data"), 0o700),
			os.WriteFile(filepath.Join(dir, "data", "PG_VERSION"), []byte("9\n"), 0o600)); err != nil {
			t.Fatal(err)
		}
		startRefused(t, dir, "PostgreSQL 9, which this data directory needs, is not installed (found only version")
	})
}

// A directory that only root may enter is what mktemp -d and systemd give.
func TestClusterBehindAClosedDirectory(t *testing.T) {
	t.Parallel()
	if os.Geteuid() != 0 {
		t.Skip("only root runs Postgres as another user")
	}
	closed := filepath.Join(dataDir(t), "closed")
	if err := os.Mkdir(closed, 0o700); err != nil {
		t.Fatal(err)
	}
	cluster := startCluster(t, filepath.Join(closed, "data"))
	conn := connect(t, cluster.URL())
	if got := query[int](t, conn, "select 1"); got != 1 {
		t.Errorf("it answers %d", got)
	}
}

func TestScratchCluster(t *testing.T) {
	t.Parallel()
	ownerURL := pgtest.Empty(t)
	conn := connect(t, ownerURL)
	if os.Getenv("DAYBOOK_TEST_DATABASE_URL") != "" {
		t.Skip("the tests run on a server that was given")
	}
	if got := query[string](t, conn, "show fsync"); got != "off" {
		t.Errorf("fsync is %s: tests would be slow", got)
	}
}

package main

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"daybook/store/postgres/pgtest"
)

// dataDir is a directory that the unprivileged user who runs Postgres for root can enter, as t.TempDir is not.
func dataDir(t *testing.T) string {
	t.Helper()
	dir, err := os.MkdirTemp("", "daybook-test-")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(dir) })
	return dir
}

func execute(t *testing.T, url, statement string) {
	t.Helper()
	conn, err := pgx.Connect(t.Context(), url)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close(context.Background())
	if _, err := conn.Exec(t.Context(), statement); err != nil {
		t.Fatalf("%s: %v", statement, err)
	}
}

func get(t *testing.T, url string) (status int, body string) {
	t.Helper()
	request, err := http.NewRequestWithContext(t.Context(), http.MethodGet, url, nil)
	if err != nil {
		t.Fatal(err)
	}
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	content, err := io.ReadAll(response.Body)
	if err != nil {
		t.Fatal(err)
	}
	return response.StatusCode, string(content)
}

// postmaster is the first process of the Postgres in dir, and 0 when there is none.
func postmaster(dir string) (pid int) {
	content, err := os.ReadFile(filepath.Join(dir, "data", "postmaster.pid"))
	if err != nil {
		return 0
	}
	_, _ = fmt.Sscan(string(content), &pid)
	return pid
}

// isAlive tells whether a process runs; one that has ended and that nobody has waited for does not.
func isAlive(pid int) bool {
	stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	return err == nil && !strings.Contains(string(stat), ") Z ")
}

func TestDemo(t *testing.T) {
	t.Parallel()
	dir := dataDir(t)
	args := []string{"demo", "--empty", "--addr", "127.0.0.1:0", "--data-dir", dir}
	first := startProcess(t, nil, args...)
	if want := []string{"simulator", "nats", "database", "samples", "login", "login", "login", "login", "login", "login", "ready"}; !slices.Equal(first.order, want) {
		t.Errorf("the demo printed %v, want %v", first.order, want)
	}
	if status, body := get(t, first.lines["ready"]+"/healthz"); status != http.StatusOK || !strings.Contains(body, "ok") {
		t.Errorf("healthz: %d %s", status, body)
	}
	if info, err := os.Stat(first.lines["samples"]); err != nil || !info.IsDir() {
		t.Errorf("the folder of samples: %v", err)
	}
	execute(t, first.lines["database"], "create table kept (n int)")
	besides := runHere(t, nil, "migrate", "--data-dir", dir)
	if besides.code != exitWell {
		t.Errorf("migrate beside the running demo: %s", besides.stderr)
	}

	killed := postmaster(dir)
	first.end(t, syscall.SIGKILL)
	second := startProcess(t, nil, args...)
	if killed == 0 || isAlive(killed) {
		t.Errorf("the Postgres of the killed demo, process %d, is still there", killed)
	}
	execute(t, second.lines["database"], "insert into kept values (1)")

	stopped := postmaster(dir)
	if code := second.end(t, syscall.SIGINT); code != exitWell {
		t.Errorf("after Ctrl-C: exit %d, %s", code, second.stderr)
	}
	if isAlive(stopped) {
		t.Error("Postgres is there after Ctrl-C")
	}
	log, err := os.ReadFile(filepath.Join(dir, "postgres.log"))
	if err != nil || !strings.HasSuffix(strings.TrimSpace(string(log)), "database system is shut down") {
		t.Errorf("Postgres was not shut down in order: %v, %s", err, log)
	}
}

func TestDemoKilledLeavesNothing(t *testing.T) {
	t.Parallel()
	dir := dataDir(t)
	demo := startProcess(t, nil, "demo", "--empty", "--addr", "127.0.0.1:0", "--data-dir", dir)
	pid := postmaster(dir)
	demo.end(t, syscall.SIGKILL)
	eventually(t, "Postgres is gone", func() bool { return !isAlive(pid) })
}

func TestServeRefusesADataDirectoryInUse(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("it waits ten seconds for the other one to leave")
	}
	dir := dataDir(t)
	startProcess(t, nil, "serve", "--addr", "127.0.0.1:0", "--data-dir", dir)
	got := runHere(t, nil, "serve", "--addr", "127.0.0.1:0", "--data-dir", dir)
	if want := "data directory " + dir + " is in use by another Daybook"; got.code != exitBad || !strings.Contains(got.stderr, want) {
		t.Errorf("exit %d, %s: want %s", got.code, got.stderr, want)
	}
}

func TestServeOnAGivenPostgres(t *testing.T) {
	t.Parallel()
	ownerURL, _ := pgtest.New(t)
	env := []string{"DAYBOOK_DATABASE_URL=" + ownerURL, "DAYBOOK_ADDR=127.0.0.1:0"}
	one, two := startProcess(t, env, "serve"), startProcess(t, env, "serve")
	for _, p := range []*process{one, two} {
		if status, _ := get(t, p.lines["ready"]+"/healthz"); status != http.StatusOK {
			t.Errorf("healthz: %d", status)
		}
		if code := p.end(t, syscall.SIGTERM); code != exitWell {
			t.Errorf("after SIGTERM: exit %d, %s", code, p.stderr)
		}
	}
}

func TestServeEndsWhenItsPostgresIsLost(t *testing.T) {
	t.Parallel()
	dir := dataDir(t)
	p := startProcess(t, nil, "serve", "--addr", "127.0.0.1:0", "--data-dir", dir)
	if err := syscall.Kill(postmaster(dir), syscall.SIGKILL); err != nil {
		t.Fatal(err)
	}
	select {
	case <-p.ended:
	case <-time.After(time.Minute):
		t.Fatal("serve goes on without its Postgres")
	}
	if code := p.ProcessState.ExitCode(); code != exitBad || !strings.Contains(p.stderr.String(), "the private Postgres has stopped") {
		t.Errorf("exit %d, %s", code, p.stderr)
	}
}

func TestServeBehindTLSKeepsTheSessionOffPlainConnections(t *testing.T) {
	t.Parallel()
	o := setupOffice(t)
	o.runs(t, "correct horse battery", "user add eva@demo.test --role viewer")
	p := startProcess(t, []string{"DAYBOOK_DATABASE_URL=" + o.ownerURL, "DAYBOOK_ADDR=127.0.0.1:0", "DAYBOOK_SECURE=true"}, "serve")
	form := strings.NewReader("email=eva@demo.test&password=correct+horse+battery")
	request, err := http.NewRequestWithContext(t.Context(), http.MethodPost, p.lines["ready"]+"/login", form)
	check(t, err)
	request.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	response, err := http.DefaultTransport.RoundTrip(request)
	check(t, err)
	response.Body.Close()
	if cookies := response.Cookies(); response.StatusCode != http.StatusSeeOther || len(cookies) != 1 || !cookies[0].Secure {
		t.Errorf("signing in gives %d and %v", response.StatusCode, cookies)
	}
}

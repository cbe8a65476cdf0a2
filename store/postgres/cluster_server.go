package postgres

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"time"

	"github.com/jackc/pgx/v5"
)

// The bounds of a start, which may have to recover after a crash, and of the two steps of a stop. Both steps together
// take less than lockWait.
const (
	readyLimit     = 2 * time.Minute
	fastLimit      = 5 * time.Second
	immediateLimit = 3 * time.Second
	logLimitBytes  = 10 << 20
)

// server is a running Postgres.
type server struct {
	url     string
	process *exec.Cmd
	exited  chan struct{}
}

// startServer starts Postgres and returns when the database is there. The port is free when it is picked and may be
// taken a moment later: then another one is tried.
func (s *supervisor) startServer(ctx context.Context, b binaries, password string) (*server, error) {
	var err error
	for range 3 {
		var started *server
		if started, err = s.tryServer(ctx, b, password); err == nil {
			return started, nil
		}
		if !strings.Contains(err.Error(), "could not bind") {
			break
		}
	}
	return nil, err
}

func (s *supervisor) tryServer(ctx context.Context, b binaries, password string) (*server, error) {
	log, err := s.openLog()
	if err != nil {
		return nil, err
	}
	defer log.Close()
	from, err := log.Seek(0, io.SeekEnd)
	if err != nil {
		return nil, err
	}
	port := freePort()
	// The context of the command would kill: the stop is ours.
	process := s.command(context.Background(), b.path("postgres"), s.arguments(port)...)
	process.Stdout, process.Stderr = log, log
	if err := process.Start(); err != nil {
		return nil, fmt.Errorf("start Postgres: %w", err)
	}
	started := &server{url: s.url(port, databaseName, password), process: process, exited: make(chan struct{})}
	go func() {
		_ = process.Wait()
		close(started.exited)
	}()
	err = started.ready(ctx, s.url(port, "postgres", password))
	if err != nil {
		started.stop()
		return nil, s.withLog(ctx, err, from)
	}
	return started, nil
}

// arguments are the settings: full durability, no socket file and no way in from outside.
func (s *supervisor) arguments(port int) []string {
	settings := []string{
		"listen_addresses=127.0.0.1", "port=" + strconv.Itoa(port), "unix_socket_directories=",
		"max_connections=200", "shared_buffers=128MB", "timezone=UTC", "log_timezone=UTC", "logging_collector=off",
		// Compiling a query takes longer than any query of ours that would ask for it.
		"jit=off",
		// What a refused statement was about is for the app to tell, not for a log file.
		"log_error_verbosity=terse", "log_min_error_statement=panic",
	}
	if s.scratch {
		settings = append(settings, "fsync=off", "synchronous_commit=off", "full_page_writes=off", "autovacuum=off")
	} else {
		settings = append(settings, "fsync=on", "synchronous_commit=on", "full_page_writes=on", "autovacuum=on",
			// A book that is loaded at once is planned for as an empty one until it has been looked at: that is not to take a minute.
			"autovacuum_naptime=5s")
	}
	args := []string{"-D", s.in(dataName)}
	for _, setting := range settings {
		args = append(args, "-c", setting)
	}
	return args
}

var errExited = errors.New("the private Postgres ended while it was starting")

// ready tries to connect until that works, Postgres ends or the time is over.
func (r *server) ready(ctx context.Context, url string) error {
	ctx, cancel := context.WithTimeoutCause(ctx, readyLimit, fmt.Errorf("the private Postgres did not answer within %s", readyLimit))
	defer cancel()
	again := time.NewTicker(50 * time.Millisecond)
	defer again.Stop()
	for {
		select {
		case <-r.exited:
			return errExited
		case <-ctx.Done():
			return context.Cause(ctx)
		case <-again.C:
		}
		conn, err := pgx.Connect(ctx, url)
		if err != nil {
			if hasCode(err, codeBadPassword) {
				return fmt.Errorf("the file %s in the data directory is not the password of this cluster", passwordName)
			}
			continue
		}
		return errors.Join(createDatabase(ctx, conn), conn.Close(ctx))
	}
}

// stop asks for a fast shutdown, then for an immediate one, then insists.
func (r *server) stop() {
	steps := []struct {
		signal syscall.Signal
		limit  time.Duration
	}{{syscall.SIGINT, fastLimit}, {syscall.SIGQUIT, immediateLimit}}
	for _, step := range steps {
		_ = r.process.Process.Signal(step.signal)
		select {
		case <-r.exited:
			return
		case <-time.After(step.limit):
		}
	}
	_ = r.process.Process.Kill()
	<-r.exited
}

// openLog opens the log for appending, and sets a long one aside first.
func (s *supervisor) openLog() (*os.File, error) {
	path := s.in(logName)
	if info, err := os.Stat(path); err == nil && info.Size() > logLimitBytes {
		if err := os.Rename(path, path+".1"); err != nil {
			return nil, fmt.Errorf("set the log of the private Postgres aside: %w", err)
		}
	}
	log, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE|os.O_APPEND, 0o600)
	if err != nil {
		return nil, fmt.Errorf("open the log of the private Postgres: %w", err)
	}
	return log, s.account.own(path)
}

// withLog adds to an error what Postgres has said since the start.
func (s *supervisor) withLog(ctx context.Context, err error, from int64) error {
	if ctx.Err() != nil {
		return ctx.Err()
	}
	log, openErr := os.Open(s.in(logName))
	if openErr != nil {
		return err
	}
	defer log.Close()
	said, _ := io.ReadAll(io.NewSectionReader(log, from, logLimitBytes))
	return fmt.Errorf("%w; its last words in %s: %s", err, s.in(logName), lastLines(string(said), 5))
}

// dropStalePid removes the pid file of a Postgres that is gone. Postgres itself would refuse to start when the pid
// now belongs to another process of this user. We hold the lock, so no Postgres of ours runs here: only one that was
// started by hand could.
func (s *supervisor) dropStalePid() error {
	path := filepath.Join(s.in(dataName), "postmaster.pid")
	content, err := os.ReadFile(path)
	if errors.Is(err, os.ErrNotExist) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("read the pid file of the private Postgres: %w", err)
	}
	pid, _, _ := strings.Cut(string(content), "\n")
	// Postgres works in its data directory.
	home, homeErr := os.Stat(filepath.Join("/proc", strings.TrimSpace(pid), "cwd"))
	data, err := os.Stat(s.in(dataName))
	if homeErr == nil && err == nil && os.SameFile(home, data) {
		return fmt.Errorf("data directory %s is in use by a Postgres that Daybook did not start (process %s): stop it first", s.dir, pid)
	}
	return os.Remove(path)
}

// freePort is a port of the loopback address that nobody listens on, and 0 when there is none.
func freePort() int {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return 0
	}
	defer listener.Close()
	return listener.Addr().(*net.TCPAddr).Port
}

func lastLines(text string, n int) string {
	lines := strings.Split(strings.TrimSpace(text), "\n")
	return strings.Join(lines[max(0, len(lines)-n):], "\n")
}

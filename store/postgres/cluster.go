package postgres

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
)

// SuperviseCommand is the first argument with which the program re-executes itself as a supervisor: a program that
// starts clusters passes what follows it to Supervise.
const SuperviseCommand = "supervise-postgres"

// Cluster is a private Postgres that runs as long as this process does, and not longer.
type Cluster struct {
	url     string
	pipe    io.Closer
	process *exec.Cmd
	done    chan struct{}
}

// StartCluster runs a private Postgres in dir, which is made if it is missing, and returns when it answers. A start
// right after a Daybook in the same directory was killed waits for its Postgres to end. Its errors are for people.
func StartCluster(ctx context.Context, dir string, log *slog.Logger) (*Cluster, error) {
	dir, err := filepath.Abs(dir)
	if err != nil {
		return nil, fmt.Errorf("data directory %s: %w", dir, err)
	}
	return start(ctx, log, "--dir", dir)
}

// StartScratchCluster runs a private Postgres for tests: fast, not durable, and gone with its directory at the end.
func StartScratchCluster(ctx context.Context, log *slog.Logger) (*Cluster, error) {
	dir, err := os.MkdirTemp("", "daybook-scratch-")
	if err != nil {
		return nil, err
	}
	return start(ctx, log, "--dir", dir, "--scratch")
}

// URL is the superuser's URL of the database daybook. The port is another one after each start.
func (c *Cluster) URL() string { return c.url }

// Done is closed when Postgres has ended, whoever ended it.
func (c *Cluster) Done() <-chan struct{} { return c.done }

// Stop ends Postgres, and returns when it is gone or ctx is over. It may be called twice.
func (c *Cluster) Stop(ctx context.Context) error {
	c.pipe.Close()
	select {
	case <-c.done:
		return nil
	case <-ctx.Done():
		return fmt.Errorf("the private Postgres is still stopping: %w", ctx.Err())
	}
}

// report is one line from the supervisor: a note on the way, then the URL or the error.
type report struct {
	Note  string `json:"note,omitempty"`
	URL   string `json:"url,omitempty"`
	Error string `json:"error,omitempty"`
}

func start(ctx context.Context, log *slog.Logger, args ...string) (*Cluster, error) {
	executable, err := os.Executable()
	if err != nil {
		return nil, fmt.Errorf("find this program to run it as supervisor: %w", err)
	}
	process := exec.Command(executable, append([]string{SuperviseCommand}, args...)...)
	process.Env = withoutPostgresSettings(os.Environ())
	// In a session of its own the supervisor does not get the Ctrl-C of our terminal: Postgres ends after us.
	process.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
	var complaints strings.Builder
	process.Stderr = &complaints
	pipe, err := process.StdinPipe()
	if err != nil {
		return nil, err
	}
	reports, err := process.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := process.Start(); err != nil {
		return nil, fmt.Errorf("start the supervisor of the private Postgres: %w", err)
	}
	unhook := context.AfterFunc(ctx, func() { pipe.Close() })
	url, err := awaitURL(reports, log)
	if !unhook() || err != nil {
		pipe.Close()
		waitErr := process.Wait()
		return nil, startError(ctx, err, waitErr, complaints.String())
	}
	c := &Cluster{url: url, pipe: pipe, process: process, done: make(chan struct{})}
	go func() {
		_ = process.Wait()
		close(c.done)
	}()
	return c, nil
}

// errNoReport is a supervisor that ended without a word.
var errNoReport = errors.New("the supervisor of the private Postgres ended without a report")

func awaitURL(reports io.Reader, log *slog.Logger) (string, error) {
	lines := bufio.NewScanner(reports)
	for lines.Scan() {
		var r report
		if err := json.Unmarshal(lines.Bytes(), &r); err != nil {
			return "", fmt.Errorf("read the supervisor's report %q: %w", lines.Text(), err)
		}
		switch {
		case r.Error != "":
			return "", errors.New(r.Error)
		case r.URL != "":
			return r.URL, nil
		}
		log.Info(r.Note)
	}
	return "", errNoReport
}

func startError(ctx context.Context, err, waitErr error, complaints string) error {
	if ctx.Err() != nil {
		return ctx.Err()
	}
	if errors.Is(err, errNoReport) {
		return fmt.Errorf("%w: %v %s", err, waitErr, complaints)
	}
	return err
}

// withoutPostgresSettings drops PGPORT, PGSERVICE and the like, which are meant for another Postgres than ours.
func withoutPostgresSettings(environ []string) []string {
	var kept []string
	for _, setting := range environ {
		if !strings.HasPrefix(setting, "PG") {
			kept = append(kept, setting)
		}
	}
	return kept
}

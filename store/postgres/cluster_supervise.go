package postgres

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"net"
	"net/url"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"syscall"

	"github.com/jackc/pgx/v5"
)

// The superuser and the database of a private cluster.
const (
	superuser    = "daybook"
	databaseName = "daybook"
)

// Supervise runs a private Postgres until stdin ends, which is when the parent is gone, and returns the exit code of
// the process. It reports to stdout, a JSON object a line. Signals do not end it: a Ctrl-C or a service manager that
// tells every process at once must not take Postgres away before the parent is done with it.
func Supervise(ctx context.Context, args []string, stdin io.Reader, stdout io.Writer) int {
	signal.Notify(make(chan os.Signal, 1), syscall.SIGINT, syscall.SIGTERM, syscall.SIGHUP, syscall.SIGPIPE)
	// The kernel tells Postgres of the death of the thread that started it, not of the process.
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	ctx, cancel := context.WithCancel(context.WithoutCancel(ctx))
	defer cancel()
	go func() {
		_, _ = io.Copy(io.Discard, stdin)
		cancel()
	}()
	out := json.NewEncoder(stdout)
	s := &supervisor{tell: func(r report) { _ = out.Encode(r) }}
	flags := flag.NewFlagSet(SuperviseCommand, flag.ContinueOnError)
	flags.SetOutput(io.Discard)
	flags.StringVar(&s.dir, "dir", "", "")
	flags.BoolVar(&s.scratch, "scratch", false, "")
	if err := flags.Parse(args); err != nil || s.dir == "" {
		s.tell(report{Error: SuperviseCommand + " is not for people: it is run by Daybook itself"})
		return 1
	}
	if err := s.run(ctx); err != nil {
		s.tell(report{Error: err.Error()})
		return 1
	}
	return 0
}

// supervisor is one run of a private cluster in dir, from the lock to the end of Postgres.
type supervisor struct {
	dir     string
	scratch bool
	account account
	// behind is the directory on the way that the account cannot enter by itself, such as one that mktemp made for root.
	behind string
	lock   *os.File
	tell   func(report)
}

func (s *supervisor) note(text string) { s.tell(report{Note: text}) }

func (s *supervisor) in(name string) string { return filepath.Join(s.dir, name) }

func (s *supervisor) run(ctx context.Context) (err error) {
	syscall.Umask(0o022)
	if s.scratch {
		defer os.RemoveAll(s.dir)
	}
	if s.account, err = accountFor(s.dir); err != nil {
		return err
	}
	if err = claimDir(s.dir, s.account); err != nil {
		return err
	}
	s.behind = closedParent(s.dir, s.account)
	if s.lock, err = lockDir(ctx, s.dir, s.account); err != nil {
		return err
	}
	binaries, err := s.findBinaries(ctx)
	if err != nil {
		return err
	}
	password, err := s.password()
	if err != nil {
		return err
	}
	if err = s.initialise(ctx, binaries); err != nil {
		return err
	}
	if err = s.dropStalePid(); err != nil {
		return err
	}
	server, err := s.startServer(ctx, binaries, password)
	if err != nil {
		return err
	}
	return s.guard(ctx, server)
}

// guard announces the server and stays until it or the parent ends.
func (s *supervisor) guard(ctx context.Context, server *server) error {
	defer os.Remove(s.in(urlName))
	if err := s.writeSecret(urlName, server.url); err != nil {
		server.stop()
		return err
	}
	s.tell(report{URL: server.url})
	select {
	case <-ctx.Done():
		server.stop()
		return nil
	case <-server.exited:
		return errors.New("the private Postgres has ended by itself")
	}
}

// command is a program of Postgres, run as its account. It inherits the lock, so that the directory is not free
// before the last process has left it, and it dies with the supervisor where the kernel can see to that.
func (s *supervisor) command(ctx context.Context, path string, args ...string) *exec.Cmd {
	command := exec.CommandContext(ctx, path, args...)
	command.Dir = s.dir
	command.Env = []string{"PATH=" + os.Getenv("PATH"), "LC_ALL=C", "TZ=UTC"}
	command.ExtraFiles = []*os.File{s.lock}
	command.SysProcAttr = &syscall.SysProcAttr{Credential: s.account.credential}
	if s.behind != "" {
		command.Dir = "/" // the right is there only once the program runs
		passThrough(command.SysProcAttr)
	}
	dieWithParent(command.SysProcAttr)
	return command
}

// password is the superuser's, made once.
func (s *supervisor) password() (string, error) {
	content, err := os.ReadFile(s.in(passwordName))
	if err == nil && len(content) > 0 {
		return strings.TrimSpace(string(content)), nil
	}
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		return "", fmt.Errorf("read the password of the private Postgres: %w", err)
	}
	password := randomHex(24)
	return password, s.writeSecret(passwordName, password)
}

// writeSecret writes a file that only the account reads, whole or not at all.
func (s *supervisor) writeSecret(name, content string) error {
	path := s.in(name)
	err := os.WriteFile(path+".new", []byte(content), 0o600)
	if err == nil {
		err = errors.Join(s.account.own(path+".new"), os.Rename(path+".new", path))
	}
	if err != nil {
		return fmt.Errorf("write %s of the private Postgres: %w", name, err)
	}
	return nil
}

// dataMajor is the major version the cluster was made with, and 0 before it is made.
func (s *supervisor) dataMajor() int {
	content, err := os.ReadFile(filepath.Join(s.in(dataName), "PG_VERSION"))
	if err != nil {
		return 0
	}
	major, _ := strconv.Atoi(strings.TrimSpace(string(content)))
	return major
}

// initialise makes the cluster beside its place and moves it there when it is whole: one that a kill left half done
// is begun anew.
func (s *supervisor) initialise(ctx context.Context, b binaries) error {
	if s.dataMajor() != 0 {
		return nil
	}
	if err := errors.Join(os.RemoveAll(s.in(unfinished)), os.RemoveAll(s.in(dataName))); err != nil {
		return fmt.Errorf("clear what an unfinished start left behind: %w", err)
	}
	args := []string{"-D", s.in(unfinished), "-U", superuser, "--pwfile", s.in(passwordName),
		"--auth", "scram-sha-256", "--encoding", "UTF8", "--locale", "C"}
	if s.scratch {
		args = append(args, "--no-sync")
	} else {
		s.note("making a new private Postgres in " + s.dir)
		args = append(args, "--data-checksums")
	}
	output, err := s.command(ctx, b.path("initdb"), args...).CombinedOutput()
	if ctx.Err() != nil {
		return ctx.Err()
	}
	if err != nil {
		return fmt.Errorf("make a new private Postgres: initdb: %w: %s", err, lastLines(string(output), 5))
	}
	return os.Rename(s.in(unfinished), s.in(dataName))
}

func (s *supervisor) url(port int, database, password string) string {
	u := url.URL{
		Scheme:   "postgres",
		User:     url.UserPassword(superuser, password),
		Host:     net.JoinHostPort("127.0.0.1", strconv.Itoa(port)),
		Path:     "/" + database,
		RawQuery: "sslmode=disable",
	}
	return u.String()
}

// createDatabase makes the one database of the cluster, if a former start did not come that far.
func createDatabase(ctx context.Context, conn *pgx.Conn) error {
	_, err := conn.Exec(ctx, "create database "+databaseName)
	if hasCode(err, "42P04") {
		return nil
	}
	return err
}

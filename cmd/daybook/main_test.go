package main

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"io"
	"os"
	"os/exec"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"daybook/store/postgres/pgtest"
)

// asProgram is set for a process that is to be daybook itself, and not the tests of it.
const asProgram = "DAYBOOK_TEST_AS_PROGRAM"

func TestMain(m *testing.M) {
	if os.Getenv(asProgram) != "" {
		main()
		return
	}
	pgtest.Main(m)
}

// outcome is what a finished command left behind.
type outcome struct {
	code           int
	stdout, stderr string
}

// runHere runs a command inside the test, with this environment and no other.
func runHere(t *testing.T, env map[string]string, args ...string) outcome {
	t.Helper()
	var stdout, stderr bytes.Buffer
	lookup := func(name string) (string, bool) {
		value, found := env[name]
		return value, found
	}
	code := run(t.Context(), append([]string{"daybook"}, args...), lookup, strings.NewReader(""), &stdout, &stderr)
	return outcome{code, stdout.String(), stderr.String()}
}

// process is a daybook of its own, which a test can signal and kill.
type process struct {
	*exec.Cmd
	lines  map[string]string // what it printed, by the word before the colon
	order  []string
	stderr *safeBuffer
	ended  chan struct{}
}

// startProcess runs daybook in a process group of its own and returns when it has said ready, which a simulator does by saying where it is.
func startProcess(t *testing.T, env []string, args ...string) *process {
	t.Helper()
	p := &process{Cmd: exec.Command(os.Args[0], args...), lines: map[string]string{}, stderr: &safeBuffer{}, ended: make(chan struct{})}
	p.Env = append(append(os.Environ(), asProgram+"=1"), env...)
	p.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	p.Stderr = p.stderr
	reader, writer := io.Pipe()
	p.Stdout = writer
	if err := p.Start(); err != nil {
		t.Fatal(err)
	}
	go func() {
		_ = p.Wait()
		writer.Close()
		close(p.ended)
	}()
	t.Cleanup(func() { p.end(t, syscall.SIGKILL) })
	limit := time.AfterFunc(time.Minute, func() { writer.CloseWithError(errors.New("not ready within a minute")) })
	defer limit.Stop()
	output := bufio.NewScanner(reader)
	for output.Scan() {
		word, rest, _ := strings.Cut(output.Text(), ": ")
		p.lines[word] = rest
		p.order = append(p.order, word)
		if word == "ready" || word == args[0] {
			go func() { _, _ = io.Copy(io.Discard, reader) }()
			return p
		}
	}
	t.Fatalf("daybook %s did not become ready (%v): %s", strings.Join(args, " "), output.Err(), p.stderr)
	return nil
}

// end signals the whole process group, as a terminal does, and waits for the process.
func (p *process) end(t *testing.T, signal syscall.Signal) (code int) {
	t.Helper()
	_ = syscall.Kill(-p.Process.Pid, signal)
	select {
	case <-p.ended:
	case <-time.After(time.Minute):
		t.Fatalf("daybook is still there after %v: %s", signal, p.stderr)
	}
	return p.ProcessState.ExitCode()
}

// safeBuffer may be read while the process still writes to it.
type safeBuffer struct {
	mu     sync.Mutex
	buffer bytes.Buffer
}

func (b *safeBuffer) Write(content []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.buffer.Write(content)
}

func (b *safeBuffer) String() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.buffer.String()
}

func TestRunRefusesInOneLine(t *testing.T) {
	t.Parallel()
	taken, err := listen(t.Context(), "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { taken.Close() })
	addr := taken.Addr().String()
	empty := pgtest.Empty(t)
	cases := []struct {
		name string
		env  map[string]string
		args string
		want string
	}{
		{"AnUnknownCommand", nil, "frobnicate", `no command "frobnicate": see daybook --help`},
		{"AnUnknownFlag", nil, "serve --frobnicate", "frobnicate"},
		{"AFlagWithoutItsValue", nil, "serve --addr", "addr"},
		{"AnArgumentThatIsNotTaken", nil, "migrate now", `takes no "now"`},
		{"AWaitLimitThatIsNoTime", map[string]string{"DAYBOOK_WAIT_LIMIT": "soon"}, "serve", "soon"},
		{"AnAddressInUse", nil, "serve --addr " + addr, "address " + addr + " is in use: choose another with --addr"},
		{"AnAddressInUseFromTheEnvironment", map[string]string{"DAYBOOK_ADDR": addr}, "demo", "address " + addr + " is in use"},
		{"AnAddressThatIsNone", nil, "serve --addr 8080", "give a host and a port"},
		{"ADemoForTheWholeNetwork", nil, "demo --addr :8080", "not a loopback address"},
		{"AnOwnerWithoutADatabase", map[string]string{"DAYBOOK_OWNER_URL": empty}, "migrate", "DAYBOOK_DATABASE_URL is not"},
		{"ADatabaseThatCannotBeReached", map[string]string{"DAYBOOK_DATABASE_URL": "postgres://me:hush@127.0.0.1:1/books"},
			"serve --addr 127.0.0.1:0", "cannot reach Postgres at 127.0.0.1:1 database books: connection refused"},
		{"AnEmptyDatabaseThatIsNotToBeMigrated", map[string]string{"DAYBOOK_DATABASE_URL": empty},
			"serve --addr 127.0.0.1:0 --no-migrate", "run daybook migrate"},
		{"ASupervisorWithoutADirectory", nil, "supervise-postgres", ""},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			got := runHere(t, c.env, strings.Fields(c.args)...)
			if got.code != exitBad || !strings.Contains(got.stderr, c.want) {
				t.Errorf("exit %d, %q: want exit 2 and %q", got.code, got.stderr, c.want)
			}
			if strings.Count(got.stderr, "\n") > 1 || strings.Contains(got.stderr, "hush") {
				t.Errorf("more than a line, or a password: %q", got.stderr)
			}
		})
	}
}

func TestRunShowsHelp(t *testing.T) {
	t.Parallel()
	for _, args := range []string{"", "help", "--help", "serve --help"} {
		got := runHere(t, nil, strings.Fields(args)...)
		if got.code != exitWell || !strings.Contains(got.stdout, "USAGE") || strings.Contains(got.stdout, "supervise") {
			t.Errorf("daybook %s: exit %d, %s%s", args, got.code, got.stdout, got.stderr)
		}
	}
	if got := runHere(t, nil, "serve", "--help"); !strings.Contains(got.stdout, "DAYBOOK_ADDR") {
		t.Errorf("the help does not name the variables: %s", got.stdout)
	}
}

func TestExitCode(t *testing.T) {
	t.Parallel()
	cases := []struct {
		err  error
		code int
		text string
	}{
		{nil, exitWell, ""},
		{answerNo("entry %d: its hash is wrong", 3), exitNo, "daybook: entry 3: its hash is wrong\n"},
		{answerNo(""), exitNo, ""},
		{errors.Join(errors.New("first"), errors.New("second")), exitBad, "daybook: first | second\n"},
		{context.Canceled, exitBad, "daybook: context canceled\n"},
	}
	for _, c := range cases {
		var stderr bytes.Buffer
		if code := exitCode(c.err, &stderr); code != c.code || stderr.String() != c.text {
			t.Errorf("%v: exit %d, %q", c.err, code, stderr.String())
		}
	}
}

// eventually polls until a condition holds that another process brings about.
func eventually(t *testing.T, what string, holds func() bool) {
	t.Helper()
	deadline := time.After(time.Minute)
	again := time.NewTicker(20 * time.Millisecond)
	defer again.Stop()
	for !holds() {
		select {
		case <-again.C:
		case <-deadline:
			t.Fatalf("not within a minute: %s", what)
		}
	}
}

package story_test

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime/debug"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"
)

// daybook is the program under test, built once for all stories.
var daybook string

func TestMain(m *testing.M) {
	os.Exit(buildAndRun(m))
}

func buildAndRun(m *testing.M) int {
	dir, err := os.MkdirTemp("", "daybook-story-")
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	defer os.RemoveAll(dir)
	daybook, emptyDemo.dir = filepath.Join(dir, "daybook"), filepath.Join(dir, "empty")
	args := []string{"build", "-o", daybook}
	if isRaceTest() {
		args = append(args, "-race")
	}
	build := exec.Command("go", append(args, "daybook/cmd/daybook")...)
	build.Stderr = os.Stderr
	if err := build.Run(); err != nil {
		fmt.Fprintln(os.Stderr, "build daybook:", err)
		return 1
	}
	return m.Run()
}

// isRaceTest tells whether these tests watch for data races; the program then does so too.
func isRaceTest() bool {
	info, found := debug.ReadBuildInfo()
	return found && slices.Contains(info.Settings, debug.BuildSetting{Key: "-race", Value: "true"})
}

// program is a running daybook that serves.
type program struct {
	url      string
	database string // as superuser
	samples  string
	// terminate sends SIGTERM to a server that runs beside another, kill SIGKILL.
	terminate, kill func() error
}

// startDemo runs daybook demo in a directory of its own until the test is over.
func startDemo(t *testing.T, flags ...string) program {
	t.Helper()
	dir := newDir(t)
	if slices.Contains(flags, "--empty") {
		dir = emptyDemo.copied(t)
	}
	lines := startDemoIn(t, dir, flags...).lines
	return program{url: lines["ready"], database: lines["database"], samples: lines["samples"]}
}

// startDemoIn runs daybook demo in a directory that is kept.
func startDemoIn(t *testing.T, dir string, flags ...string) running {
	t.Helper()
	return start(t, nil, append([]string{"demo", "--addr", "127.0.0.1:0", "--data-dir", dir}, flags...)...)
}

// newDir is an empty directory until the test is over.
func newDir(t *testing.T) string {
	t.Helper()
	dir, err := os.MkdirTemp("", "daybook-story-")
	ok(t, err)
	t.Cleanup(func() { os.RemoveAll(dir) })
	return dir
}

// emptyDemo is the data directory of a demo without entries. It is made by the first story that asks, and each has a copy: a second start takes a tenth of
// the first.
var emptyDemo demoDir

type demoDir struct {
	dir  string
	once sync.Once
	err  error
}

func (d *demoDir) copied(t *testing.T) string {
	t.Helper()
	d.once.Do(func() { d.err = d.make() })
	ok(t, d.err)
	dir := newDir(t)
	ok(t, exec.Command("cp", "-a", d.dir+"/.", dir).Run())
	return dir
}

// make starts a demo and ends it when it is ready.
func (d *demoDir) make() error {
	command := exec.Command(daybook, "demo", "--empty", "--addr", "127.0.0.1:0", "--data-dir", d.dir)
	var stderr bytes.Buffer
	command.Env, command.Stderr = environment(nil), &stderr
	stdout, err := command.StdoutPipe()
	if err != nil {
		return err
	}
	if err := command.Start(); err != nil {
		return err
	}
	for output := bufio.NewScanner(stdout); output.Scan(); {
		if strings.HasPrefix(output.Text(), "ready: ") {
			break
		}
	}
	_ = command.Process.Signal(syscall.SIGTERM)
	if err := command.Wait(); err != nil {
		return fmt.Errorf("make an empty demo: %w: %s", err, complaints(stderr.String()))
	}
	return nil
}

// serveBeside runs a second server on the database of the first.
func (p program) serveBeside(t *testing.T, env ...string) program {
	t.Helper()
	server := start(t, append(env, "DAYBOOK_DATABASE_URL="+p.database), "serve", "--addr", "127.0.0.1:0")
	return program{url: server.lines["ready"], database: p.database, terminate: server.terminate, kill: server.process.Kill}
}

// readyLimit leaves room for a machine that builds, fills a book and watches for races at the same time.
const readyLimit = 3 * time.Minute

// running is a process that serves. Its lines are what it printed until it was ready, by the word before the colon: the last is "ready", or the name
// of the command.
type running struct {
	lines   map[string]string
	process *os.Process
	ended   chan struct{} // closed when it has
}

func (r running) terminate() error { return r.process.Signal(syscall.SIGTERM) }

// start runs a command of daybook that serves, until the test is over.
func start(t *testing.T, env []string, args ...string) running {
	t.Helper()
	command := exec.Command(daybook, args...)
	command.Env = environment(env)
	var stderr bytes.Buffer
	command.Stderr = &stderr
	reader, writer := io.Pipe()
	command.Stdout = writer
	if err := command.Start(); err != nil {
		t.Fatal(err)
	}
	ended := make(chan struct{})
	go func() {
		_ = command.Wait()
		writer.Close()
		close(ended)
	}()
	t.Cleanup(func() { stop(t, command, ended, &stderr) })
	limit := time.AfterFunc(readyLimit, func() { writer.CloseWithError(fmt.Errorf("not ready within %v", readyLimit)) })
	defer limit.Stop()
	lines, output := map[string]string{}, bufio.NewScanner(reader)
	for output.Scan() {
		word, rest, _ := strings.Cut(output.Text(), ": ")
		lines[word] = rest
		if word == "ready" || word == args[0] {
			go func() { _, _ = io.Copy(io.Discard, reader) }()
			return running{lines, command.Process, ended}
		}
	}
	t.Fatalf("daybook %s did not become ready: %v", strings.Join(args, " "), output.Err())
	return running{}
}

// stop ends a server in order, and shows what it complained about when its story failed. A race is a failure by itself.
func stop(t *testing.T, command *exec.Cmd, ended chan struct{}, stderr *bytes.Buffer) {
	_ = command.Process.Signal(syscall.SIGTERM)
	select {
	case <-ended:
	case <-time.After(time.Minute):
		t.Error("daybook is still there after SIGTERM")
		_ = command.Process.Kill()
		<-ended
	}
	if strings.Contains(stderr.String(), "DATA RACE") {
		t.Error("a data race in daybook")
	}
	if t.Failed() {
		t.Logf("daybook said:\n%s", complaints(stderr.String()))
	}
}

// complaints are the lines of a log but those of requests that were answered in order.
func complaints(log string) string {
	var lines strings.Builder
	for line := range strings.Lines(log) {
		if !strings.Contains(line, `"level":"INFO"`) {
			lines.WriteString(line)
		}
	}
	return lines.String()
}

// outcome is what a finished command left behind.
type outcome struct {
	code           int
	stdout, stderr string
}

// run runs a command of daybook on the database of the program.
func (p program) run(t *testing.T, args ...string) outcome {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	var stdout, stderr bytes.Buffer
	command := exec.CommandContext(ctx, daybook, args...)
	command.Env = environment([]string{"DAYBOOK_DATABASE_URL=" + p.database})
	command.Stdout, command.Stderr = &stdout, &stderr
	var exit *exec.ExitError
	if err := command.Run(); err != nil && !errors.As(err, &exit) {
		t.Fatalf("daybook %s: %v", strings.Join(args, " "), err)
	}
	return outcome{command.ProcessState.ExitCode(), stdout.String(), stderr.String()}
}

// environment is ours without any setting of Daybook, and then these.
func environment(settings []string) []string {
	ours := slices.DeleteFunc(os.Environ(), func(variable string) bool { return strings.HasPrefix(variable, "DAYBOOK_") })
	return append(ours, settings...)
}

// verifies proves the book and gives the line that says so.
func (p program) verifies(t *testing.T) string {
	t.Helper()
	got := p.run(t, "verify", "--book", "main")
	if got.code != 0 {
		t.Fatalf("verify: exit %d: %s", got.code, cmp.Or(got.stdout, got.stderr))
	}
	return got.stdout
}

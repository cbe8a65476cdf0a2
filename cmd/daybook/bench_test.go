package main

import (
	"bytes"
	"encoding/json"
	"os"
	"os/exec"
	"strings"
	"testing"
)

// benchPost runs daybook bench post, and gives its lines.
func benchPost(t *testing.T, args ...string) []map[string]any {
	t.Helper()
	return benchInOwnCluster(t, append([]string{"post", "--seconds", "0.2", "--accounts", "5"}, args...)...)
}

// benchInOwnCluster runs one of daybook bench as a process of its own, with a cluster that it has to take away, and gives its lines.
func benchInOwnCluster(t *testing.T, args ...string) []map[string]any {
	t.Helper()
	dir, err := os.MkdirTemp("", "daybook-bench-")
	ok(t, err)
	t.Cleanup(func() { os.RemoveAll(dir) })
	ok(t, os.Chmod(dir, 0o755)) // Postgres runs as somebody else
	command := exec.CommandContext(t.Context(), os.Args[0], append([]string{"bench", args[0], "--data-dir", dir}, args[1:]...)...)
	command.Env = append(os.Environ(), asProgram+"=1")
	var stdout, stderr bytes.Buffer
	command.Stdout, command.Stderr = &stdout, &stderr
	if err := command.Run(); err != nil {
		t.Fatalf("daybook bench %v: %v: %s%s", args, err, &stdout, &stderr)
	}
	if left, err := os.ReadDir(dir); err != nil || len(left) > 0 {
		t.Errorf("the bench leaves %v behind (%v)", left, err)
	}
	var lines []map[string]any
	for text := range strings.Lines(stdout.String()) {
		var line map[string]any
		if err := json.Unmarshal([]byte(text), &line); err != nil {
			t.Fatalf("%q is no JSON: %v", text, err)
		}
		lines = append(lines, line)
	}
	return lines
}

// having counts the lines with a word as the value of a field.
func having(lines []map[string]any, field, word string) (count int) {
	for _, line := range lines {
		if line[field] == word {
			count++
		}
	}
	return count
}

// TestBenchPost has every measurement made for a moment. The bench itself fails when a journal does not hold what was answered.
func TestBenchPost(t *testing.T) {
	t.Parallel()
	lines := benchPost(t, "--clients", "1", "--clients", "2")
	for writer, want := range map[string]int{"commit": 2, "round-trip": 1, "daybook": 4, "gorm": 2, "copy": 1, "verify": 1, "copy-out": 1} {
		if got := having(lines, "writer", writer); got != want {
			t.Errorf("%d lines of the writer %s, want %d: %v", got, writer, want, lines)
		}
	}
	if having(lines, "way", "one-key") != 1 || having(lines, "way", "batch") != 1 {
		t.Errorf("neither one key for many callers nor batches are measured: %v", lines)
	}
	for _, line := range lines {
		if _, isRatio := line["ratio"]; isRatio && line["met"] == nil {
			t.Errorf("a ratio does not say whether its goal is met: %v", line)
		}
	}
}

func TestBenchPost_HoldsTheRateOfAGrownBook(t *testing.T) {
	t.Parallel()
	lines := benchPost(t, "--clients", "2", "--writer", "daybook", "--preload", "30")
	grown := 0
	for _, line := range lines {
		if line["preloaded"] == 30.0 {
			grown++
		}
	}
	if grown != 2 || having(lines, "writer", "gorm") != 0 {
		t.Errorf("%d measurements of a book with 30 entries, want its load and its rate: %v", grown, lines)
	}
}

func TestBenchRefuses(t *testing.T) {
	t.Parallel()
	for args, want := range map[string]string{
		"bench post --writer other":          "name daybook, gorm or all",
		"bench post --seconds 0":             "--seconds must be more than 0",
		"bench post --accounts 1":            "--accounts must be at least 2",
		"bench post --clients 0":             "--clients must be at least 1",
		"bench post --preload -1":            "--preload must be a number of entries",
		"bench pages --entries 0":            "--entries must be at least 1",
		"bench pages --accounts 1":           "--accounts must be at least 2",
		"bench pages --clients 0":            "--clients must be at least 1",
		"bench pages --seconds 0":            "--seconds must be more than 0",
		benchServerCommandName:               "serve-bench is for daybook bench",
		benchServerCommandName + " --writer": "writer",
	} {
		if got := runHere(t, nil, strings.Fields(args)...); got.code != exitBad || !strings.Contains(got.stderr, want) {
			t.Errorf("daybook %s: exit %d, %q: want exit 2 and %q", args, got.code, got.stderr, want)
		}
	}
}

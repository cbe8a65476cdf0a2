package main

import (
	"bytes"
	"encoding/json"
	"os"
	"os/exec"
	"strings"
	"testing"
)

// benchReconcile runs daybook bench reconcile as a process of its own, and gives its lines.
func benchReconcile(t *testing.T, args ...string) []map[string]any {
	t.Helper()
	command := exec.CommandContext(t.Context(), os.Args[0], append([]string{"bench", "reconcile"}, args...)...)
	command.Env = append(os.Environ(), asProgram+"=1", "TMPDIR="+t.TempDir())
	var stdout, stderr bytes.Buffer
	command.Stdout, command.Stderr = &stdout, &stderr
	if err := command.Run(); err != nil {
		t.Fatalf("daybook bench reconcile: %v: %s%s", err, &stdout, &stderr)
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

func TestBenchReconcile(t *testing.T) {
	t.Parallel()
	lines := benchReconcile(t, "--lines", "3000", "--seed", "7", "--seeds", "2", "--mix", "batches=5", "--mix", "typos=0")
	if having(lines, "bench", "reconcile") == 0 || having(lines, "what", "matches") != 2 || having(lines, "of", "batch by sum") != 2 || having(lines, "of", "typo") != 0 {
		t.Errorf("not the worlds that were asked for: %v", lines)
	}
	ratios := 0
	for _, line := range lines {
		if _, isRatio := line["ratio"]; isRatio {
			if ratios++; line["met"] == nil {
				t.Errorf("a ratio does not say whether its goal is met: %v", line)
			}
		}
	}
	if ratios != 4 {
		t.Errorf("%d ratios of two worlds, want precision and recall of each", ratios)
	}
}

func TestBenchReconcile_MeasuresBesideAPlainProgram(t *testing.T) {
	t.Parallel()
	lines := benchReconcile(t, "--speed", "--lines", "3000", "--runs", "2")
	if having(lines, "writer", "plain") != 2 || having(lines, "writer", "daybook") != 2 || having(lines, "ratio", "daybook/plain, seconds") != 1 {
		t.Errorf("not two runs of each program, and what they are to each other: %v", lines)
	}
	for _, line := range lines {
		if line["writer"] == "daybook" && line["matches"].(float64) < 2000 {
			t.Errorf("too little was matched: %v", line)
		}
	}
}

func TestBenchReconcileRefuses(t *testing.T) {
	t.Parallel()
	for args, want := range map[string]string{
		"bench reconcile --lines 0":                      "--lines must be from 1",
		"bench reconcile --days 1":                       "--days must be from 7",
		"bench reconcile --seeds 0":                      "--seeds and --runs must be at least 1",
		"bench reconcile --mix luck=3":                   `"luck" is no share of the mix: name one of batches`,
		"bench reconcile --mix fees=x":                   "give the share in per cent",
		"bench reconcile --mix fees=50 --mix batches=60": "leave a tenth without",
		reconcileRunCommandName:                          "reconcile-bench is for daybook bench",
	} {
		if got := runHere(t, nil, strings.Fields(args)...); got.code != exitBad || !strings.Contains(got.stderr, want) {
			t.Errorf("daybook %s: exit %d, %q: want exit 2 and %q", args, got.code, got.stderr, want)
		}
	}
}

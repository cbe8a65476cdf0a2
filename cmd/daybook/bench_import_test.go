package main

import (
	"strings"
	"testing"
)

// TestBenchImport has a short statement imported twice. Every line is matched or a break, so that the rows follow from the lines.
func TestBenchImport(t *testing.T) {
	t.Parallel()
	lines := benchInOwnCluster(t, "import", "--lines", "300", "--runs", "2")
	if having(lines, "writer", "daybook") != 2 || having(lines, "writer", "copy") != 2 || having(lines, "ratio", "import/copy of the rows that it stored") != 2 {
		t.Errorf("not what was asked for: %v", lines)
	}
	for _, line := range lines {
		if rows, measured := line["rows"].(float64); measured && (rows < 4*300 || rows > 6*300 || line["per_second"].(float64) <= 0) {
			t.Errorf("of 300 lines there are %v", line)
		}
	}
}

func TestBenchImportRefuses(t *testing.T) {
	t.Parallel()
	for args, want := range map[string]string{"bench import --lines 0": "--lines must be from 1", "bench import --runs 0": "--runs at least 1"} {
		if got := runHere(t, nil, strings.Fields(args)...); got.code != exitBad || !strings.Contains(got.stderr, want) {
			t.Errorf("daybook %s: exit %d, %q: want exit 2 and %q", args, got.code, got.stderr, want)
		}
	}
}

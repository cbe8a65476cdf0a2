package story_test

import (
	"bytes"
	"fmt"
	"net/http"
	"os"
	"strconv"
	"testing"
	"time"
)

// jobLines is how many lines the file has that is stored while its server is killed, and how often. make crash takes 500,000.
func jobLines() (lines, kills int) {
	if n, err := strconv.Atoi(os.Getenv("DAYBOOK_STORY_JOB_LINES")); err == nil {
		return n, 4
	}
	return 51_000, 2
}

// TestAJobSurvivesKill9 kills a server, and its Postgres with it, while it stores a long file. After each restart all lines are there or none, and in the
// end all.
func TestAJobSurvivesKill9(t *testing.T) {
	t.Parallel()
	dir, err := os.MkdirTemp("", "daybook-story-")
	ok(t, err)
	t.Cleanup(func() { os.RemoveAll(dir) })
	lines, kills := jobLines()
	server := startIn(t, dir)
	path := fmt.Sprintf("/jobs/%v", server.as("preparer").upload(t, statementOf(lines), "account=1010").want(t, http.StatusAccepted)["job_id"])
	began := time.Now()
	for kill := range kills {
		server.waitsForPhase(t, path, []string{"storing", "matching", "keeping"}[kill%3])
		ok(t, server.kill())
		server = startIn(t, dir)
		if stored := server.storedLines(t); stored != 0 && stored != lines {
			t.Fatalf("after kill -9, %d of %d lines are stored", stored, lines)
		}
	}
	job := server.as("viewer").get(t, path).want(t, 200)
	for limit := time.Now().Add(10 * time.Minute); job["state"] == "waiting" || job["state"] == "running"; job = server.as("viewer").get(t, path).want(t, 200) {
		if time.Now().After(limit) {
			t.Fatalf("the job does not end: %v", job)
		}
	}
	if stored := server.storedLines(t); job["state"] != "done" || stored != lines {
		t.Errorf("the job is %v, and %d of %d lines are stored", job, stored, lines)
	}
	again := server.as("preparer").upload(t, statementOf(lines), "account=1010").want(t, http.StatusCreated)
	if again["duplicate"] != true {
		t.Errorf("the same file gives %v", again)
	}
	server.verifies(t)
	t.Logf("%d lines, %d kills, stored %v after they were sent; attempts: %v", lines, kills, time.Since(began).Round(time.Second), job["attempts"])
}

// startIn runs daybook demo in a directory that is kept.
func startIn(t *testing.T, dir string) program {
	t.Helper()
	demo := start(t, nil, "demo", "--addr", "127.0.0.1:0", "--data-dir", dir, "--empty")
	return program{url: demo.lines["ready"], database: demo.lines["database"], kill: demo.process.Kill}
}

// statementOf is a file of 1010 with so many lines over two months.
func statementOf(lines int) string {
	var b bytes.Buffer
	b.WriteString("Date,Amount,Reference,Description\n")
	for i := range lines {
		fmt.Fprintf(&b, "2026-%02d-%02d,%d.%02d,ref-%d,Payment %d\n", 1+i*2/lines, 1+i%28, 1+i%997, i%100, i, i%31)
	}
	return b.String()
}

// waitsForPhase returns when a job is at some part of its work, or has ended.
func (p program) waitsForPhase(t *testing.T, path, phase string) {
	t.Helper()
	for {
		job := p.as("viewer").get(t, path).want(t, 200)
		if state := job["state"]; state != "waiting" && state != "running" || job["phase"] == phase {
			return
		}
	}
}

// storedLines counts the lines of all statements.
func (p program) storedLines(t *testing.T) (n int) {
	t.Helper()
	conn := p.connect(t)
	defer conn.Close(t.Context())
	ok(t, conn.QueryRow(t.Context(), `select count(*) from statement_lines`).Scan(&n))
	return n
}

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

// jobLines is how many lines the file has that is stored while its server is killed, and in which phases it is. make crash takes 500,000.
func jobLines() (lines int, killed []string) {
	if n, err := strconv.Atoi(os.Getenv("DAYBOOK_STORY_JOB_LINES")); err == nil {
		return n, []string{"reading", "storing", "matching", "keeping", "storing"}
	}
	return 51_000, []string{"storing", "keeping"}
}

// TestAJobSurvivesKill9 kills a server, and its Postgres with it, while it stores a long file. After each restart all lines are there or none, and in the
// end all.
func TestAJobSurvivesKill9(t *testing.T) {
	t.Parallel()
	dir := emptyDemo.copied(t)
	lines, killed := jobLines()
	server := startIn(t, dir)
	path := fmt.Sprintf("/jobs/%v", server.as("preparer").upload(t, statementOf(lines), "account=1010").want(t, http.StatusAccepted)["job_id"])
	began := time.Now()
	for _, phase := range killed {
		done := server.waitsForPhase(t, path, phase)
		ok(t, server.kill())
		t.Logf("killed while %s, at %v", phase, done)
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
	if doubled := server.doubled(t); doubled != 0 {
		t.Errorf("%d lines are stored twice, or matched twice", doubled)
	}
	server.verifies(t)
	t.Logf("%d lines, %d kills, stored %v after they were sent; attempts: %v", lines, len(killed), time.Since(began).Round(time.Second), job["attempts"])
}

// startIn runs daybook demo in a directory that is kept.
func startIn(t *testing.T, dir string) program {
	t.Helper()
	demo := startDemoIn(t, dir, "--empty")
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

// waitsForPhase returns when a job is at some part of its work, or has ended, with how far it is. Reading ends before it is seen where the file was
// kept as it was read; then it is enough that the job runs.
func (p program) waitsForPhase(t *testing.T, path, phase string) any {
	t.Helper()
	for {
		job := p.as("viewer").get(t, path).want(t, 200)
		if state := job["state"]; state != "waiting" && state != "running" {
			t.Errorf("the job is %v before it was %s", state, phase)
			return job
		}
		if job["phase"] == phase || phase == "reading" && job["state"] == "running" {
			return fmt.Sprint(job["phase"], " ", job["done"], " of ", job["total"])
		}
	}
}

// doubled counts what stands twice: fingerprints, and lines in two live matches or breaks.
func (p program) doubled(t *testing.T) (n int) {
	t.Helper()
	conn := p.connect(t)
	defer conn.Close(t.Context())
	_, err := conn.Exec(t.Context(), `analyze`) // or it takes the tables for empty
	ok(t, err)
	ok(t, conn.QueryRow(t.Context(), `
		select (select count(*) - count(distinct (fingerprint, occurrence)) from statement_lines)
		     + (select count(*) from (select line_id from (select line_id from match_lines where live union all select line_id from break_lines where live) i group by line_id having count(*) > 1) x)
		     + (select count(*) from statement_lines l where not exists (select from match_lines i where i.line_id = l.id and i.live) and not exists (select from break_lines i where i.line_id = l.id and i.live))
		     + (select abs(count(*) - 1) from statements)`).Scan(&n))
	return n
}

// storedLines counts the lines of all statements.
func (p program) storedLines(t *testing.T) (n int) {
	t.Helper()
	conn := p.connect(t)
	defer conn.Close(t.Context())
	ok(t, conn.QueryRow(t.Context(), `select count(*) from statement_lines`).Scan(&n))
	return n
}

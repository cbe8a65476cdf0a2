package web_test

import (
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"strings"
	"testing"

	"daybook/store"
)

// works has the server of a bundle work its jobs until the test ends.
func (b *bundle) works(t *testing.T) {
	t.Helper()
	ctx, stop := context.WithCancel(context.WithoutCancel(t.Context()))
	ended := make(chan error, 1)
	go func() { ended <- b.WorkJobs(ctx, slog.New(slog.DiscardHandler)) }()
	t.Cleanup(func() {
		stop()
		ok(t, <-ended)
	})
}

// ends asks for a job until it has ended.
func (c client) ends(t *testing.T, path string) map[string]any {
	t.Helper()
	for {
		job := c.get(t, path).want(t, 200)
		switch job["state"] {
		case "done", "failed", "cancelled":
			return job
		}
	}
}

func TestALongStatementIsAnsweredWithAJob(t *testing.T) {
	t.Parallel()
	b := setup(t, store.WithJobLines(3))
	preparer := b.as("preparer")
	asked := preparer.key("k").upload(t, marchCSV, "account=1010")
	id := asked.want(t, 202)["job_id"]
	path := fmt.Sprintf("/jobs/%v", id)
	if asked.want(t, 202)["duplicate"] != false || !strings.HasSuffix(asked.header.Get("Location"), "/api/v1/books/main"+path) {
		t.Errorf("answered %s at %s", asked.body, asked.header.Get("Location"))
	}
	for _, sender := range []client{preparer.key("k"), preparer} {
		if again := sender.upload(t, marchCSV, "account=1010").want(t, 202); again["job_id"] != id || again["duplicate"] != true {
			t.Errorf("again gave %v", again)
		}
	}
	waiting := b.as("viewer").get(t, path).want(t, 200)
	if waiting["state"] != "waiting" || waiting["total"] != json.Number("4") || waiting["result"] != nil || waiting["problem"] != nil {
		t.Errorf("the job is %v", waiting)
	}
	b.works(t)
	job := b.as("viewer").ends(t, path)
	result, _ := job["result"].(map[string]any)
	if job["state"] != "done" || result["statement_id"] != json.Number("1") || fmt.Sprint(result["rows"]) != "map[duplicate:0 known:0 new:4 rejected:0 skipped:0]" {
		t.Errorf("the job is %v", job)
	}
	if again := preparer.upload(t, marchCSV, "account=1010").want(t, 201); again["duplicate"] != true {
		t.Errorf("after the job the file gives %v", again)
	}
	b.as("viewer").get(t, "/jobs/99").refused(t, "not-found", 404)
	b.as("viewer").post(t, path+"/cancel", "").refused(t, "forbidden", 403)
	if late := preparer.post(t, path+"/cancel", "").want(t, 200); late["state"] != "done" {
		t.Errorf("called off too late it is %v", late)
	}
}

func TestAJobIsCalledOffAndAnotherFails(t *testing.T) {
	t.Parallel()
	b := setup(t, store.WithJobLines(3))
	preparer := b.as("preparer")
	off := fmt.Sprintf("/jobs/%v", preparer.upload(t, marchCSV, "account=1010").want(t, 202)["job_id"])
	if job := preparer.post(t, off+"/cancel", "").want(t, 200); job["state"] != "cancelled" {
		t.Errorf("the job is %v", job)
	}
	fails := fmt.Sprintf("/jobs/%v", preparer.upload(t, marchCSV, "account=1010").want(t, 202)["job_id"])
	ok(t, b.EndAccount(t.Context(), b.book, "1010"))
	b.works(t)
	job := preparer.ends(t, fails)
	problem, _ := job["problem"].(map[string]any)
	if job["state"] != "failed" || problem["type"] != "/problems/closed-account" || problem["status"] != json.Number("422") {
		t.Errorf("the job is %v", job)
	}
	preparer.get(t, "/reconciliations/1").refused(t, "not-found", 404)
}

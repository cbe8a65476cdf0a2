package web_test

import (
	"bufio"
	"net/http"
	"strings"
	"testing"

	"daybook/store"
)

func TestALongDraftIsFollowedOnThePageOfItsJob(t *testing.T) {
	t.Parallel()
	b := setup(t, store.WithJobLines(3))
	br := b.browser(t, "preparer")
	draft := br.reads(t, "march.csv", exampleStatement)
	asked := br.confirms(t, draft).want(t, 303)
	if asked.location() != "/b/main/jobs/1" {
		t.Fatalf("confirming leads to %s", asked.location())
	}
	waiting := br.get(t, asked.location()).want(t, 200).says(t, "The statement is being stored", "It waits for its turn. 4 lines are to be stored.", "You may leave this page", "Call it off, store nothing")
	for _, needed := range []string{`<noscript><meta http-equiv="refresh" content="3">`, `data-follow="/b/main/jobs/1/events"`} {
		if !strings.Contains(waiting.body, needed) {
			t.Errorf("the page lacks %s", needed)
		}
	}
	if back := br.send(t, "GET", draft.path, "", nil).want(t, 303); back.location() != asked.location() {
		t.Errorf("the draft leads to %s", back.location())
	}
	if again := br.confirms(t, draft).want(t, 303); again.location() != asked.location() {
		t.Errorf("confirming again leads to %s", again.location())
	}
	fresh := br.get(t, uploadPath).filled(t, uploadPath, typed("account", "1010"))
	if again := br.upload(t, uploadPath, fresh, "copy.csv", exampleStatement).want(t, 303); again.location() != asked.location() {
		t.Errorf("the same file leads to %s", again.location())
	}
	b.browser(t, "viewer").post(t, asked.location()+"/cancel", nil).want(t, 403)
	br.follows(t, asked.location()+"/events", func() { b.works(t) })
	done := br.get(t, asked.location()).says(t, "The statement is stored", "All of it is stored and held against the journal.", "Open the reconciliation")
	if strings.Contains(done.body, "refresh") || strings.Contains(done.body, "data-follow") {
		t.Error("a page that has ended goes on")
	}
	br.get(t, done.link(t, "Open the reconciliation")).want(t, 200).says(t, "march.csv")
}

// follows reads the events of a job as its page does: the first says how it stands, which has begin called; the rest are read until it is done. An
// answer that pauses is asked for again.
func (br *browser) follows(t *testing.T, path string, begin func()) {
	t.Helper()
	begun, last := false, ""
	for last != "done" {
		answer := br.open(t, "GET", path, "", nil)
		if kind := answer.Header.Get("Content-Type"); kind != "text/event-stream" || answer.StatusCode != http.StatusOK {
			t.Fatalf("the events are %d, as %s", answer.StatusCode, kind)
		}
		events := bufio.NewScanner(answer.Body)
		name := ""
		for events.Scan() {
			if event, is := strings.CutPrefix(events.Text(), "event: "); is {
				name = event
			}
			if data, is := strings.CutPrefix(events.Text(), "data: "); is && name == "end" {
				last = data
			}
			if name == "step" && !begun {
				begun = true
				begin()
			}
		}
		ok(t, events.Err())
		ok(t, answer.Body.Close())
		if !begun || name != "end" && name != "pause" || name == "end" && last != "done" {
			t.Fatalf("the page is told %s %q, of steps: %v", name, last, begun)
		}
	}
}

func TestALongDraftThatIsCalledOffWaitsAsBefore(t *testing.T) {
	t.Parallel()
	b := setup(t, store.WithJobLines(3))
	br := b.browser(t, "preparer")
	draft := br.reads(t, "march.csv", exampleStatement)
	job := br.get(t, br.confirms(t, draft).want(t, 303).location())
	for range 2 {
		br.post(t, job.path+"/cancel", nil).want(t, 303)
	}
	off := br.get(t, job.path).says(t, "The upload was called off", "It was called off. Nothing was stored.")
	if back := off.link(t, "The file waits as before"); back != draft.path {
		t.Errorf("the way back is %s", back)
	}
	br.get(t, draft.path).want(t, http.StatusOK).says(t, "Store 4 lines")
	br.get(t, "/b/main/jobs/9").want(t, 404)
}

package web_test

import (
	"net/http"
	"strings"
	"testing"
)

func TestABreakIsGivenToAPerson(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.lessAtTheBank(t)
	br := b.browser(t, "preparer")
	assign := breakPath(1) + "/assign"
	br.submit(t, br.get(t, breakPath(1)), assign, typed("assignee", "preparer@demo.test")).want(t, http.StatusSeeOther)
	on := br.get(t, breakPath(1)).says(t, "The break is yours.", "In review", "Owner The preparer", "Given to The preparer")
	if strings.Contains(on.text(t), "Assign to me") || !strings.Contains(on.body, `<option value="controller@demo.test"`) || strings.Contains(on.body, `<option value="viewer@demo.test"`) {
		t.Errorf("it offers %s", on.text(t))
	}
	br.submit(t, on, assign, typed("assignee", "nobody@demo.test")).want(t, http.StatusUnprocessableEntity).says(t, "who has a role in this book")
	br.submit(t, on, assign, typed("assignee", "controller@demo.test")).want(t, http.StatusSeeOther)
	br.get(t, breakPath(1)).says(t, "The break is given to The controller.")
	br.submit(t, br.get(t, breakPath(1)), assign, typed("assignee", "")).want(t, http.StatusSeeOther)
	br.get(t, breakPath(1)).says(t, "Nobody has the break now.", "Given to nobody", "Open")
	stale := br.get(t, breakPath(1))
	b.as("controller").post(t, "/breaks/1/assign", `{"assignee":"controller@demo.test"}`).want(t, 200)
	br.submit(t, stale, assign, typed("assignee", "preparer@demo.test")).want(t, http.StatusConflict).says(t, "The controller: given to The controller")
	b.browser(t, "approver").post(t, assign, typed("form", "k", "assignee", "")).want(t, http.StatusForbidden)
}

func TestABreakIsCommentedOn(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.lessAtTheBank(t)
	br := b.browser(t, "approver")
	on := br.get(t, breakPath(1))
	comment := breakPath(1) + "/comment"
	br.submit(t, on, comment, typed("comment", " ")).want(t, http.StatusUnprocessableEntity).says(t, "1 thing keeps this comment from being added")
	br.submit(t, on, comment, typed("comment", "The fee of <b>March</b>?")).want(t, http.StatusSeeOther)
	br.submit(t, on, comment, typed("comment", "The fee of <b>March</b>?")).want(t, http.StatusSeeOther)
	shown := br.get(t, breakPath(1)).says(t, "The comment is added.", "“The fee of <b>March</b>?”")
	if strings.Count(shown.text(t), "The fee of") != 1 {
		t.Error("sent twice, it is there twice")
	}
	viewer := b.browser(t, "viewer")
	if strings.Contains(viewer.get(t, breakPath(1)).body, comment) {
		t.Error("a viewer is offered to comment")
	}
	viewer.post(t, comment, typed("form", "k", "comment", "x")).want(t, http.StatusForbidden)
}

func TestFilesAreAttachedOnThePage(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.lessAtTheBank(t)
	br := b.browser(t, "preparer")
	attach := breakPath(1) + "/attachments"
	on := br.get(t, breakPath(1)).says(t, "File, at most 5 MiB")
	send := func(name, content string) page { return br.upload(t, attach, on.form(t, attach), name, content) }
	send("", "").want(t, http.StatusUnprocessableEntity).says(t, "Choose a file")
	send("empty.txt", "").want(t, http.StatusUnprocessableEntity).says(t, "File is empty")
	send("large.txt", strings.Repeat("x", 5<<20+1)).want(t, http.StatusUnprocessableEntity).says(t, "File is larger than 5 MiB")
	send("huge.txt", strings.Repeat("x", 11<<20)).want(t, http.StatusRequestEntityTooLarge)
	send("invoice\u202efdp.exe", "x").want(t, http.StatusUnprocessableEntity).says(t, "characters that do not show")
	page := `<script>alert("here")</script>`
	send("letter.html", page).want(t, http.StatusSeeOther)
	send("letter.html", page).want(t, http.StatusSeeOther)
	shown := br.get(t, breakPath(1)).says(t, "“letter.html” is attached.", "letter.html 30 bytes The preparer", "Attached letter.html")
	if strings.Count(shown.body, `href="`+attach+`/1"`) != 2 || strings.Contains(shown.body, attach+"/2") {
		t.Errorf("it is listed as %s", shown.text(t))
	}
	file := b.browser(t, "viewer").get(t, attach+"/1").want(t, http.StatusOK)
	if file.body != page {
		t.Errorf("it holds %q", file.body)
	}
	for header, want := range map[string]string{
		"Content-Disposition": "attachment; filename=letter.html", "X-Content-Type-Options": "nosniff", "Content-Security-Policy": "sandbox; default-src 'none'", "Cache-Control": "no-store",
	} {
		if got := file.header.Get(header); got != want {
			t.Errorf("%s is %q, want %q", header, got, want)
		}
	}
	for path, status := range map[string]int{"/2": 404, "/x": 404} {
		br.get(t, attach+path).want(t, status)
	}
	br.get(t, breakPath(2)+"/attachments/1").want(t, http.StatusNotFound)
	viewer := b.browser(t, "viewer")
	viewer.upload(t, attach, typed("form", "k"), "a", "x").want(t, http.StatusForbidden)
}

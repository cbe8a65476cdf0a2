package web_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"mime/multipart"
	"strings"
	"testing"
)

// attach sends a file to a break.
func (c client) attach(t *testing.T, path, name, content string) response {
	t.Helper()
	var body bytes.Buffer
	form := multipart.NewWriter(&body)
	part, err := form.CreateFormFile("file", name)
	ok(t, err)
	_, err = part.Write([]byte(content))
	ok(t, err)
	ok(t, form.Close())
	return c.with("Content-Type", form.FormDataContentType()).post(t, path, body.String())
}

func TestFilesAreAttachedToBreaks(t *testing.T) {
	t.Parallel()
	b := setup(t)
	id := b.breakOf(t, b.march(t)["reconciliation_id"], "missing_in_ledger")["id"]
	path := fmt.Sprintf("/breaks/%v/attachments", id)
	preparer := b.as("preparer")
	script := "<html><script>alert(1)</script>"
	attached := preparer.key("k").attach(t, path, "Beleg “1”.html", script).want(t, 201)
	if attached["name"] != "Beleg “1”.html" || attached["size_bytes"] != json.Number(fmt.Sprint(len(script))) || attached["by"] != "The preparer" || attached["duplicate"] != false {
		t.Errorf("attached %v", attached)
	}
	again := preparer.key("k").attach(t, path, "Beleg “1”.html", script)
	if again.want(t, 201)["duplicate"] != true || again.header.Get("Idempotency-Replayed") != "true" {
		t.Errorf("again gave %s", again.body)
	}
	listed := b.as("viewer").get(t, path).want(t, 200)["items"].([]any)
	if len(listed) != 1 || listed[0].(map[string]any)["sha256"] != attached["sha256"] {
		t.Errorf("listed %v", listed)
	}
	content, _ := strings.CutPrefix(attached["content"].(string), "/api/v1/books/main")
	file := b.as("auditor").get(t, content)
	if file.status != 200 || file.body != script {
		t.Errorf("the file is answered %d: %s", file.status, file.body)
	}
	for header, want := range map[string]string{
		"Content-Disposition": "attachment; filename*=utf-8''Beleg%20%E2%80%9C1%E2%80%9D.html", "X-Content-Type-Options": "nosniff",
		"Content-Security-Policy": "sandbox; default-src 'none'", "Content-Type": "text/html; charset=utf-8",
	} {
		if got := file.header.Get(header); got != want {
			t.Errorf("%s is %q, want %q", header, got, want)
		}
	}
	events := b.as("viewer").get(t, fmt.Sprintf("/breaks/%v", id)).want(t, 200)["events"].([]any)
	if last := events[len(events)-1].(map[string]any); last["event"] != "attached" || last["attachment_id"] != attached["id"] {
		t.Errorf("the last event is %v", last)
	}

	preparer.attach(t, path, "empty", "").refused(t, "invalid", 422, "file")
	preparer.attach(t, path, "large", strings.Repeat("x", 5<<20+1)).refused(t, "invalid", 422, "file")
	preparer.attach(t, path, "huge", strings.Repeat("x", 11<<20)).want(t, 413)
	preparer.post(t, path, `{}`).refused(t, "invalid", 422)
	preparer.with("Content-Type", "multipart/form-data; boundary=x").post(t, path, "--x\r\nContent-Disposition: form-data; name=\"note\"\r\n\r\ny\r\n--x--\r\n").refused(t, "invalid", 422, "file", "note")
	b.as("viewer").attach(t, path, "a", "x").refused(t, "forbidden", 403)
	preparer.attach(t, "/breaks/99/attachments", "a", "x").refused(t, "not-found", 404)
	b.as("viewer").get(t, "/breaks/99/attachments").refused(t, "not-found", 404)
	b.as("viewer").get(t, path+"/99").refused(t, "not-found", 404)
	b.as("viewer").get(t, path+"/x").want(t, 404)
}

package web_test

import (
	"encoding/json"
	"net/http"
	"strings"
	"testing"

	"daybook/store"
)

func TestExport(t *testing.T) {
	t.Parallel()
	b := setup(t)
	auditor := b.as("auditor")
	if got := auditor.get(t, "/export.ndjson"); got.status != http.StatusOK || got.body != "" || got.header.Get("Content-Disposition") != `attachment; filename="main-0.ndjson"` {
		t.Errorf("an empty book is exported as %+v", got)
	}
	for _, txID := range []string{"t1", "t2", "t3"} {
		b.as("preparer").key(txID).post(t, "/entries", deposit(txID)).want(t, http.StatusCreated)
	}
	export := auditor.get(t, "/export.ndjson")
	if export.status != http.StatusOK || export.header.Get("Content-Type") != "application/x-ndjson" || strings.Count(export.body, "\n") != 3 {
		t.Fatalf("exported %+v", export)
	}
	var seal store.Seal
	ok(t, json.Unmarshal([]byte(auditor.get(t, "/seal").body), &seal))
	if v, err := store.VerifyExport(strings.NewReader(export.body), seal); err != nil || v.Fault != nil || v.Head != seal || v.Entries != 3 {
		t.Errorf("verified %+v, %v", v, err)
	}
	v, err := store.VerifyExport(strings.NewReader(strings.Replace(export.body, "3050", "3051", 1)), seal)
	if err != nil || v.Fault == nil || !strings.HasPrefix(v.Fault.String(), "entry 1: does not balance") {
		t.Errorf("of a changed export it says %+v, %v", v, err)
	}
	for _, name := range []string{"viewer", "preparer", "approver", "admin"} {
		b.as(name).get(t, "/export.ndjson").refused(t, "forbidden", http.StatusForbidden)
	}
	client{url: b.url + "/api/v1/books/main"}.get(t, "/export.ndjson").refused(t, "unauthenticated", http.StatusUnauthorized)
}

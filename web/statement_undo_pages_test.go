package web_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
)

const undoPath = "/b/main/statements/1/undo"

// offersNo asks that a page has none of some texts in its source.
func (p page) offersNo(t *testing.T, texts ...string) page {
	t.Helper()
	for _, text := range texts {
		if strings.Contains(p.body, text) {
			t.Errorf("%s offers %q", p.path, text)
		}
	}
	return p
}

func TestAnImportIsUndoneOnItsPageAndTheFileComesAgain(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.example(t)
	br := b.browser(t, "preparer")
	stored := br.stores(t, "march.csv", exampleStatement).location()
	br.get(t, stored).want(t, 200).says(t, "Undo the import", "Submit for sign-off")
	br.get(t, "/b/main/statements").says(t, "Undo the import")

	page := br.get(t, undoPath).want(t, 200).says(t, "4 lines go", "2 matches are taken apart", "3 breaks go with them", "No break that it settled comes back.")
	form := page.form(t, undoPath)
	br.post(t, undoPath, form).want(t, 422).says(t, "Reason")
	form.Set("reason", "the bank sent the wrong month")
	if to := br.post(t, undoPath, form).want(t, 303).location(); to != "/b/main/statements" {
		t.Errorf("an undo leads to %s", to)
	}
	br.post(t, undoPath, form).want(t, 303)
	br.get(t, "/b/main/statements").want(t, 200).says(t, "The import is undone. 4 lines went with it.", "Undone", "The preparer, 2026-03-31 10:00: the bank sent the wrong month").offersNo(t, "Undo the import")
	br.get(t, stored).want(t, 200).says(t, "The preparer undid this import", "the bank sent the wrong month", "24.50", "Upload a file for 1010").
		offersNo(t, "Statement and sign-off", "Run matching", "Undo the import")
	br.get(t, undoPath).want(t, 200).says(t, "This import cannot be undone.", "Statement 1 is undone already").offersNo(t, `name="reason"`)
	form.Set("reason", "another time")
	form.Set("form", "another-key-of-a-form")
	br.post(t, undoPath, form).want(t, 409).says(t, "Statement 1 is undone already")

	if again := br.stores(t, "march.csv", exampleStatement).location(); again == stored {
		t.Error("the file again leads to what was undone")
	}
}

func TestAnUndoSaysWhatStandsInItsWay(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.example(t)
	br := b.browser(t, "preparer")
	br.stores(t, "march.csv", exampleStatement)
	br.stores(t, "more.csv", exampleStatement+"2026-03-02,1.00,t9,nine\n")
	br.get(t, undoPath).want(t, 200).says(t, "This import cannot be undone.", "Undo statement 2").offersNo(t, `name="reason"`)
	br.get(t, "/b/main/statements/9/undo").want(t, 404)
	b.browser(t, "viewer").get(t, undoPath).want(t, 403)
	b.browser(t, "viewer").get(t, "/b/main/statements").want(t, 200).offersNo(t, "Undo the import")
}

func TestAnImportIsUndoneOverTheAPI(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.example(t)
	preparer := b.as("preparer")
	stored := preparer.upload(t, exampleStatement, "account=1010").want(t, 201)
	path := fmt.Sprintf("/statements/%v/undo", stored["statement_id"])
	preparer.post(t, path, `{}`).want(t, 422)
	b.as("viewer").post(t, path, `{"reason":"x"}`).want(t, 403)
	done := preparer.key("undo-1").post(t, path, `{"reason":"wrong file"}`).want(t, 200)
	if done["lines"] != json.Number("4") || done["matches"] != json.Number("2") || done["breaks_back"] != json.Number("0") || done["by"] != "The preparer" || done["duplicate"] != false {
		t.Errorf("undone gives %v", done)
	}
	if again := preparer.key("undo-1").post(t, path, `{"reason":"wrong file"}`).want(t, 200); again["duplicate"] != true {
		t.Errorf("again it gives %v", again)
	}
	preparer.post(t, path, `{"reason":"wrong file"}`).want(t, 409)
	found := preparer.get(t, fmt.Sprintf("/reconciliations/%v", stored["reconciliation_id"])).want(t, 200)
	if undo, _ := found["undo"].(map[string]any); found["status"] != "undone" || undo["reason"] != "wrong file" {
		t.Errorf("its reconciliation is %v", found)
	}
	if again := preparer.upload(t, exampleStatement, "account=1010").want(t, 201); again["statement_id"] == stored["statement_id"] || again["duplicate"] != false {
		t.Errorf("the file again gives %v", again)
	}
}

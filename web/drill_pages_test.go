package web_test

import (
	"strings"
	"testing"
)

func TestAnAdministratorRunsTheDrill(t *testing.T) {
	t.Parallel()
	b := setup(t)
	const path = "/b/main/keys/drill"
	b.browser(t, "preparer").get(t, path).want(t, 403)
	admin := b.browser(t, "admin")
	admin.get(t, "/b/main/keys").want(t, 200).says(t, "Drill")
	offered := admin.get(t, path).want(t, 200).says(t, "Run the drill")
	run := func() page {
		return admin.get(t, admin.submit(t, offered, path, nil).want(t, 303).location()).want(t, 200)
	}
	first := run().says(t, "The claim held.", "15 of 15 rounds")
	again := run()
	if first.text(t) != again.text(t) {
		t.Error("a double click ran the drill twice")
	}
	if text := admin.get(t, "/b/main/keys").want(t, 200).text(t); strings.Contains(text, "drill.charge") {
		t.Errorf("the keys of the callers are still there: %s", text)
	}
}

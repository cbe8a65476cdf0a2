package web_test

import (
	"net/http"
	"strings"
	"testing"
)

func TestARefusalNamesWhoCanGiveTheRole(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.browser(t, "viewer").get(t, "/b/main/journal/new").want(t, 403).says(t, "Who can give you a role", "The admin")
	if body := b.browser(t, "admin").get(t, "/b/main/journal/new").want(t, 403).body; strings.Contains(body, "Who can give you a role") {
		t.Error("the only administrator is sent to others")
	}
}

func TestAnErrorLeadsBackToThePageBefore(t *testing.T) {
	t.Parallel()
	b := setup(t)
	session := b.browser(t, "viewer").session
	for before, leads := range map[string]string{
		b.url + "/b/main/journal?q=rent":   `href="/b/main/journal?q=rent"`,
		b.url + "/login":                   "",
		b.url + "/b/main/journal/999":      "", // the page itself
		b.url + "//elsewhere.test/":        "",
		"http://elsewhere.test/b/main":     "",
		"":                                 "",
		"://":                              "",
		b.url + "/b/main/balances?all=1#x": `href="/b/main/balances?all=1"`,
	} {
		request, err := http.NewRequestWithContext(t.Context(), http.MethodGet, b.url+"/b/main/journal/999", nil)
		ok(t, err)
		request.Header.Set("Referer", before)
		request.AddCookie(&http.Cookie{Name: "daybook", Value: session})
		answer, err := http.DefaultTransport.RoundTrip(request)
		ok(t, err)
		body := readPage(t, answer).want(t, 404).body
		if shown := strings.Contains(body, "Back to where you were"); shown != (leads != "") || !strings.Contains(body, leads) {
			t.Errorf("from %q the page leads back: %v", before, shown)
		}
	}
}

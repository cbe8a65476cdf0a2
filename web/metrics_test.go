package web_test

import (
	"io"
	"net/http"
	"strings"
	"testing"
)

func TestMetrics(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.as("viewer").get(t, "/balances").want(t, 200)
	b.as("viewer").get(t, "/entries/99").want(t, 404)
	b.as("nobody").get(t, "/balances").want(t, 401)
	b.as("preparer").post(t, "/inbox", deliveredOf("shop", "m-1", "shop.opened", `{}`)).want(t, 200)
	text := b.metrics(t)
	for _, line := range []string{
		`daybook_http_request_duration_seconds_count{method="GET",route="/api/v1/books/:book/balances",status="200"} 1`,
		`daybook_http_request_duration_seconds_count{method="GET",route="/api/v1/books/:book/entries/:seq",status="404"} 1`,
		`daybook_http_request_duration_seconds_count{method="GET",route="/api/v1/books/:book/balances",status="401"} 1`,
		`daybook_http_requests_running 1`, `daybook_database_connections_in_use `, `daybook_inbox_messages{state="parked"} 1`, `daybook_inbox_messages{state="failed"} 0`, `go_goroutines `,
	} {
		if !strings.Contains(text, line) {
			t.Errorf("the metrics lack %s:\n%s", line, text)
		}
	}
}

func (b *bundle) metrics(t *testing.T) string {
	t.Helper()
	request, err := http.NewRequestWithContext(t.Context(), http.MethodGet, b.url+"/metrics", nil)
	ok(t, err)
	response, err := http.DefaultClient.Do(request)
	ok(t, err)
	defer response.Body.Close()
	text, err := io.ReadAll(response.Body)
	ok(t, err)
	if response.StatusCode != 200 {
		t.Fatalf("the metrics were answered %d: %s", response.StatusCode, text)
	}
	return string(text)
}

package web_test

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/getkin/kin-openapi/openapi3filter"
)

func init() {
	openapi3filter.RegisterBodyDecoder("application/x-ndjson", openapi3filter.RegisteredBodyDecoder("text/plain"))
}

// batchLine is a line of a batch: an entry of an amount with its key.
func batchLine(key, txID string, amount int64) string {
	return `{"idempotency_key":"` + key + `",` + strings.TrimPrefix(deposits(txID, amount), "{")
}

// answersOf gives number, status, and seq or kind of problem of each line of an answer.
func answersOf(t *testing.T, body string) (answers []string) {
	t.Helper()
	for line := range strings.Lines(body) {
		var a struct {
			Line, Status int
			Seq          int64
			Type         string
			Duplicate    bool
		}
		ok(t, json.Unmarshal([]byte(line), &a))
		what := strings.TrimPrefix(a.Type, "/problems/")
		if a.Status == http.StatusCreated {
			what = fmt.Sprint(a.Seq, " ", a.Duplicate)
		}
		answers = append(answers, fmt.Sprintf("%d: %d %s", a.Line, a.Status, what))
	}
	return answers
}

func TestABatchAnswersEachLineForItself(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.as("preparer").key("k0").post(t, "/entries", deposits("t0", 100)).want(t, 201)
	lines := []string{
		batchLine("k1", "t1", 100), "", batchLine("k2", "t2", 200), batchLine("k1", "t1", 100), batchLine("k1", "t1", 101), `{"idempotency_key":"k3"}`,
		`no JSON`, deposits("t4", 1), batchLine("k5", "t2", 200), strings.Replace(batchLine("k6", "t6", 5), "1010", "nobody", 1),
		`{"idempotency_key":"k7","description":"` + strings.Repeat("x", 3<<20) + `"}`, batchLine("k0", "t0", 100), batchLine("k8", "t8", 800),
	}
	got := b.as("preparer").with("Content-Type", "application/x-ndjson").post(t, "/entries/batch", strings.Join(lines, "\n"))
	want := []string{
		"1: 201 2 false", "3: 201 3 false", "4: 201 2 true", "5: 422 idempotency-key-reused", "6: 422 invalid",
		"7: 422 invalid", "8: 400 idempotency-key-missing", "9: 409 tx-id-exists", "10: 422 unknown-account",
		"11: 413 too-large", "12: 201 1 true", "13: 201 4 false",
	}
	if answers := answersOf(t, got.body); fmt.Sprint(answers) != fmt.Sprint(want) {
		t.Errorf("answered\n%s\nwant\n%s", strings.Join(answers, "\n"), strings.Join(want, "\n"))
	}
	for _, words := range []string{"The entry is not JSON: see character 2", `"by":"preparer@demo.test"`} {
		if !strings.Contains(got.body, words) {
			t.Errorf("nothing says %s:\n%s", words, got.body)
		}
	}
	b.as("viewer").post(t, "/entries/batch", lines[0]).want(t, 403)
	if got := b.as("preparer").with("Content-Type", "application/x-ndjson").post(t, "/entries/batch", ""); got.status != 200 || got.body != "" {
		t.Errorf("nothing is answered %q", got.body)
	}
}

func TestAConnectionCarriesBatchAfterBatch(t *testing.T) {
	t.Parallel()
	b := setup(t)
	conns := &http.Transport{MaxConnsPerHost: 1}
	defer conns.CloseIdleConnections()
	for n := range 3 {
		request, err := http.NewRequestWithContext(t.Context(), http.MethodPost, b.url+"/api/v1/books/main/entries/batch", io.MultiReader(strings.NewReader(batchLine(fmt.Sprint("k", n), fmt.Sprint("t", n), 1))))
		ok(t, err)
		request.Header.Set("Authorization", "Bearer token-preparer")
		response, err := conns.RoundTrip(request)
		ok(t, err)
		body, err := io.ReadAll(response.Body)
		ok(t, errors.Join(err, response.Body.Close()))
		if want := fmt.Sprintf("[1: 201 %d false]", n+1); fmt.Sprint(answersOf(t, string(body))) != want {
			t.Fatalf("batch %d on one connection was answered with %d %s, want %s", n+1, response.StatusCode, body, want)
		}
	}
}

func TestABatchIsAnsweredWhileItIsSent(t *testing.T) {
	t.Parallel()
	b := setup(t)
	body, send := io.Pipe()
	request, err := http.NewRequestWithContext(t.Context(), http.MethodPost, b.url+"/api/v1/books/main/entries/batch", body)
	ok(t, err)
	request.Header.Set("Authorization", "Bearer token-preparer")
	answered := make(chan *http.Response)
	go func() {
		response, err := http.DefaultClient.Do(request)
		if err != nil {
			t.Error(err)
		}
		answered <- response
	}()
	_, err = io.WriteString(send, batchLine("k0", "t0", 100)+"\n")
	ok(t, err)
	response := <-answered
	defer response.Body.Close()
	answers := bufio.NewScanner(response.Body)
	for i := 1; i <= 20; i++ {
		if !answers.Scan() {
			t.Fatalf("line %d is not answered: %v", i, answers.Err())
		}
		if got, want := answersOf(t, answers.Text()+"\n")[0], fmt.Sprintf("%d: 201 %d false", i, i); got != want {
			t.Fatalf("answered %s, want %s", got, want)
		}
		_, err = io.WriteString(send, batchLine(fmt.Sprint("k", i), fmt.Sprint("t", i), 100)+"\n")
		ok(t, err)
	}
	ok(t, send.Close())
	if !answers.Scan() || answers.Scan() {
		t.Errorf("the last line is answered as %q", answers.Text())
	}
}

func TestABatchOfThousandsIsPostedInItsOrder(t *testing.T) {
	t.Parallel()
	b := setup(t)
	var lines, again strings.Builder
	for i := range 3000 {
		fmt.Fprintln(&lines, batchLine(fmt.Sprint("k", i), fmt.Sprint("t", i), int64(i+1)))
	}
	again.WriteString(lines.String())
	for round, duplicate := range []bool{false, true} {
		answers := answersOf(t, b.as("preparer").with("Content-Type", "application/x-ndjson").post(t, "/entries/batch", again.String()).body)
		for i, answer := range answers {
			if want := fmt.Sprintf("%d: 201 %d %v", i+1, i+1, duplicate); answer != want {
				t.Fatalf("round %d: answered %s, want %s", round, answer, want)
			}
		}
		if len(answers) != 3000 {
			t.Errorf("round %d: %d answers", round, len(answers))
		}
	}
}

package web_test

import (
	"bufio"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"
	"time"
)

// stream is a batch that goes on: a line is sent, and its answer read.
type stream struct {
	send    *io.PipeWriter
	answers *bufio.Scanner
}

// stream begins a batch at a server, with the preparer's token.
func (b *bundle) stream(t *testing.T, url string) *stream {
	t.Helper()
	body, send := io.Pipe()
	request, err := http.NewRequestWithContext(t.Context(), http.MethodPost, url+"/api/v1/books/main/entries/batch", body)
	ok(t, err)
	request.Header.Set("Authorization", "Bearer token-preparer")
	response, err := http.DefaultClient.Do(request)
	ok(t, err)
	t.Cleanup(func() { send.Close(); response.Body.Close() })
	return &stream{send, bufio.NewScanner(response.Body)}
}

// line sends a line and gives what is answered.
func (s *stream) line(t *testing.T, key string) string {
	t.Helper()
	_, err := io.WriteString(s.send, batchLine(key, key, 1)+"\n")
	ok(t, err)
	return s.next(t)
}

func (s *stream) next(t *testing.T) string {
	t.Helper()
	if !s.answers.Scan() {
		t.Fatalf("the stream ended: %v", s.answers.Err())
	}
	return answersOf(t, s.answers.Text()+"\n")[0]
}

func TestAStreamEndsToPostWithTheRightTo(t *testing.T) {
	t.Parallel()
	b := setup(t)
	s := b.stream(t, b.url)
	if got := s.line(t, "k1"); got != "1: 201 1 false" {
		t.Fatalf("answered %s", got)
	}
	tokens, err := b.Tokens(t.Context(), b.book)
	ok(t, err)
	for _, token := range tokens {
		if token.Email == "preparer@demo.test" {
			ok(t, b.RevokeToken(t.Context(), b.book, token.ID))
		}
	}
	for i, key := range []string{"k2", "k1", "k3"} {
		if got, want := s.line(t, key), fmt.Sprintf("%d: 401 unauthenticated", i+2); got != want {
			t.Errorf("after the token was revoked %s is answered %s, want %s", key, got, want)
		}
	}
}

func TestAStreamIsToldThatTheServerStops(t *testing.T) {
	t.Parallel()
	b := setup(t)
	stopping := make(chan struct{})
	_, url := b.serveUntil(t, 10*time.Second, stopping)
	s := b.stream(t, url)
	if got := s.line(t, "k1"); got != "1: 201 1 false" {
		t.Fatalf("answered %s", got)
	}
	close(stopping)
	if got := s.next(t); got != "2: 503 busy" {
		t.Errorf("a stream whose server stops is answered %s", got)
	}
	if s.answers.Scan() || s.answers.Err() == nil {
		t.Errorf("and then %q, as if the body had been read to its end", s.answers.Text())
	}
}

// What follows a body that cannot be read must not pass for another request.
func TestABrokenBodyIsTheLastThingOfItsConnection(t *testing.T) {
	t.Parallel()
	b := setup(t)
	conn, err := net.Dial("tcp", strings.TrimPrefix(b.url, "http://"))
	ok(t, err)
	defer conn.Close()
	line := batchLine("k1", "t1", 1) + "\n"
	_, err = fmt.Fprintf(conn, "POST /api/v1/books/main/entries/batch HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer token-preparer\r\nTransfer-Encoding: chunked\r\n\r\n"+
		"%x\r\n%s\r\nZZ\r\nGET /healthz HTTP/1.1\r\nHost: x\r\n\r\n", len(line), line)
	ok(t, err)
	all, _ := io.ReadAll(conn) // ends when the server closes, by a reset perhaps
	if text := string(all); strings.Count(text, "HTTP/1.1 ") != 1 || !strings.Contains(text, `"status":201`) || !strings.Contains(text, "did not arrive") {
		t.Errorf("answered\n%s", text)
	}
}

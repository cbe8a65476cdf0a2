package story_test

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
)

// TestSIGTERMUnderLoad stops a server while clients ask without a pause. A request that it took is answered whole, a request that it
// did not take finds no server; nothing is cut off in between, and what was acknowledged is in the journal.
func TestSIGTERMUnderLoad(t *testing.T) {
	t.Parallel()
	p := startDemo(t, "--empty")
	server := p.serveBeside(t)
	var acknowledged sync.Map
	var answers atomic.Int64
	var clients sync.WaitGroup
	for n := range 48 {
		c := &connection{address: strings.TrimPrefix(server.url, "http://"), once: n%4 == 0}
		clients.Go(func() {
			defer c.close()
			for round := 0; ; round++ {
				txID := fmt.Sprintf("stop-%d-%d", n, round)
				post := n%3 == 1
				if err := c.ask(txID, post); errors.Is(err, errNotTaken) {
					return
				} else if err != nil {
					t.Errorf("%s was cut off: %v", txID, err)
					return
				}
				if post {
					acknowledged.Store(txID, true)
				}
				if answers.Add(1) == 3000 {
					ok(t, server.terminate())
				}
			}
		})
	}
	clients.Wait()
	p.verifies(t)
	posted := p.txIDs(t)
	acknowledged.Range(func(txID, _ any) bool {
		if !posted[txID.(string)] {
			t.Errorf("%s was acknowledged and is not in the journal", txID)
		}
		return true
	})
}

// txIDs are those of the whole journal.
func (p program) txIDs(t *testing.T) map[string]bool {
	t.Helper()
	found := map[string]bool{}
	for next := ""; ; {
		page := p.as("viewer").get(t, "/entries?limit=1000&after="+next).want(t, 200)
		for _, e := range page.list(t, "items") {
			found[fmt.Sprint(e["tx_id"])] = true
		}
		if page["next"] == nil {
			return found
		}
		next = fmt.Sprint(page["next"])
	}
}

// errNotTaken is that of a client who found no server: nothing of a request was sent.
var errNotTaken = errors.New("no connection")

// connection is a client that keeps its connection as long as the server does. It is our own, since that of the library sends again in
// silence what was cut off.
type connection struct {
	address string
	once    bool // a new connection for each request
	conn    net.Conn
	reader  *bufio.Reader
}

// ask posts an entry, or asks whether the server is well, and reads the answer whole.
func (c *connection) ask(txID string, post bool) error {
	if c.conn == nil {
		conn, err := net.Dial("tcp", c.address)
		if err != nil {
			return errors.Join(errNotTaken, err)
		}
		c.conn, c.reader = conn, bufio.NewReader(conn)
	}
	request := "GET /healthz HTTP/1.1\r\nHost: daybook\r\n\r\n"
	if post {
		body := deposit(txID, 3050)
		request = fmt.Sprintf("POST /api/v1/books/main/entries HTTP/1.1\r\nHost: daybook\r\nAuthorization: Bearer daybook-demo-preparer\r\n"+
			"Idempotency-Key: %s\r\nContent-Length: %d\r\n\r\n%s", txID, len(body), body)
	}
	if _, err := io.WriteString(c.conn, request); err != nil {
		return err
	}
	response, err := http.ReadResponse(c.reader, nil)
	if err != nil {
		return err
	}
	text, err := io.ReadAll(response.Body)
	if err == nil && response.StatusCode >= 300 {
		err = fmt.Errorf("answered %d: %s", response.StatusCode, text)
	}
	if response.Close || c.once {
		c.close()
	}
	return err
}

func (c *connection) close() {
	if c.conn != nil {
		c.conn.Close()
		c.conn = nil
	}
}

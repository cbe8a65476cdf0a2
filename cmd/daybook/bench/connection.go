package bench

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"net"
	"net/http/httputil"
	"strconv"
	"time"
)

// answerLimit is how long an answer may take: longer than the server lets anyone wait.
const answerLimit = 2 * time.Minute

// connection is one connection to the server that is kept alive, for one goroutine. It knows as much of HTTP as the server speaks.
type connection struct {
	net.Conn
	in   *bufio.Reader
	body []byte
}

func dial(address string) (*connection, error) {
	conn, err := net.Dial("tcp", address)
	if err != nil {
		return nil, fmt.Errorf("connect to the server: %w", err)
	}
	return &connection{Conn: conn, in: bufio.NewReaderSize(conn, 16<<10)}, nil
}

// exchange sends a request as it stands and gives the answer. The body is overwritten by the next one.
func (c *connection) exchange(request []byte) (status int, body []byte, err error) {
	if err := c.SetDeadline(time.Now().Add(answerLimit)); err != nil {
		return 0, nil, err
	}
	if _, err := c.Write(request); err != nil {
		return 0, nil, fmt.Errorf("send a request: %w", err)
	}
	status, length, err := c.readHead()
	if err != nil {
		return 0, nil, fmt.Errorf("read an answer: %w", err)
	}
	if length < 0 {
		c.body, err = io.ReadAll(c.chunks())
		return status, c.body, err
	}
	if cap(c.body) < length {
		c.body = make([]byte, length)
	}
	c.body = c.body[:length]
	_, err = io.ReadFull(c.in, c.body)
	return status, c.body, err
}

// readHead reads status and headers; the length is -1 for a body in chunks.
func (c *connection) readHead() (status, length int, err error) {
	line, err := c.in.ReadSlice('\n')
	if err != nil {
		return 0, 0, err
	}
	if len(line) < len("HTTP/1.1 200") {
		return 0, 0, fmt.Errorf("the status line is %q", line)
	}
	if status, err = strconv.Atoi(string(line[9:12])); err != nil {
		return 0, 0, fmt.Errorf("the status line is %q", line)
	}
	for {
		if line, err = c.in.ReadSlice('\n'); err != nil {
			return 0, 0, err
		}
		line = bytes.TrimRight(line, "\r\n")
		if len(line) == 0 {
			return status, length, nil
		}
		name, value, _ := bytes.Cut(line, []byte(": "))
		switch {
		case bytes.EqualFold(name, []byte("Content-Length")):
			length, err = strconv.Atoi(string(value))
		case bytes.EqualFold(name, []byte("Transfer-Encoding")):
			length = -1
		}
		if err != nil {
			return 0, 0, err
		}
	}
}

// chunks is a body in chunks, up to and including its end.
func (c *connection) chunks() io.Reader {
	return io.MultiReader(httputil.NewChunkedReader(c.in), &lineEnd{c.in})
}

// lineEnd reads the empty line behind the last chunk, and gives nothing.
type lineEnd struct{ in *bufio.Reader }

func (l *lineEnd) Read([]byte) (int, error) {
	if _, err := l.in.ReadSlice('\n'); err != nil {
		return 0, err
	}
	return 0, io.EOF
}

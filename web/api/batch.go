package api

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"sync"
	"time"

	"github.com/labstack/echo/v4"
	"golang.org/x/sync/semaphore"

	"daybook/store"
	"daybook/store/ledger"
	"daybook/store/strictjson"
)

const (
	// lineLimitBytes bounds a line as the body of a single entry is bounded.
	lineLimitBytes = 2 << 20
	// Lines on their way to the journal are bounded in number and in size; then no more is read until the oldest is answered.
	linesUnderWay = 1000
	bytesUnderWay = 8 << 20
	// streamPatience is how long either side may keep the other waiting.
	streamPatience = time.Minute
	// refusalsRecorded are the refusals of a stream that the audit log takes one by one.
	refusalsRecorded = 100
)

// postBatch posts NDJSON, a line each entry, and answers a line each in the same order while it reads.
func (a *api) postBatch(c echo.Context, actor store.Actor) error {
	if err := actor.Need(store.RightPost); err != nil {
		return err
	}
	// The context of the request ends with the first read that fails, if only by its deadline; what was taken is answered all the same.
	ctx, cancel := context.WithCancel(context.WithoutCancel(c.Request().Context()))
	defer cancel()
	// A client may send all before it reads anything, or wait for each answer: both have to work.
	control := http.NewResponseController(c.Response())
	if err := control.EnableFullDuplex(); err != nil && !errors.Is(err, http.ErrNotSupported) {
		return err
	}
	c.Response().Header().Set(echo.HeaderContentType, "application/x-ndjson")
	c.Response().WriteHeader(http.StatusOK)
	_ = control.Flush()
	b := &batch{api: a, c: c, actor: actor, control: control, room: semaphore.NewWeighted(bytesUnderWay), lines: make(chan batchLine, linesUnderWay)}
	go b.read(ctx)
	if !b.answer() {
		// The answers found no reader: the body is not waited for.
		cancel()
		_ = control.SetReadDeadline(longAgo)
		for range b.lines {
		}
	}
	if b.broken {
		// The server would take what is left of the body for the next request.
		panic(http.ErrAbortHandler)
	}
	return nil
}

// longAgo, as a deadline, ends a read that is under way.
var longAgo = time.Unix(1, 0)

// batch is a stream of entries. One goroutine reads and hands over to the writer, the other answers.
type batch struct {
	*api
	c       echo.Context
	actor   store.Actor
	control *http.ResponseController
	room    *semaphore.Weighted
	lines   chan batchLine
	broken  bool // the body was not read to its end; to be looked at when lines is closed
	refused int
}

// batchLine is a line on its way: with the posting that came of it, or the reason why none did.
type batchLine struct {
	number  int
	size    int64
	posting *store.Posting
	err     error
}

// read ends with the body, with the one who reads the answers, or with the server.
func (b *batch) read(ctx context.Context) {
	defer close(b.lines)
	b.broken = true
	defer b.untilStopped()()
	body := bufio.NewReaderSize(b.c.Request().Body, 64<<10)
	for number := 1; ; number++ {
		_ = b.control.SetReadDeadline(time.Now().Add(streamPatience))
		if b.stopping() {
			_ = b.control.SetReadDeadline(longAgo)
		}
		text, err := readLine(body)
		ended := errors.Is(err, io.EOF)
		broken := b.stopping() || err != nil && !ended && !errors.Is(err, errLongLine)
		switch {
		case b.stopping():
			text, err = nil, &ledger.Error{Kind: ledger.KindBusy, Message: "the server is being stopped: send again, from this line on, what is not answered"}
		case broken:
			err = &ledger.Error{Kind: ledger.KindInvalid, Message: "the rest of the body did not arrive: send again what is not answered", Err: err}
		}
		text = bytes.TrimSpace(text)
		if (len(text) > 0 || err != nil && !ended || broken) && !b.take(ctx, number, text, err) {
			return
		}
		if ended && !broken {
			b.broken = false
		}
		if ended || broken {
			return
		}
	}
}

// untilStopped ends a read that waits when the server is to stop, until what it gives is called.
func (b *batch) untilStopped() (end func()) {
	ended := make(chan struct{})
	var watch sync.WaitGroup
	watch.Go(func() {
		select {
		case <-b.Stopping:
			_ = b.control.SetReadDeadline(longAgo)
		case <-ended:
		}
	})
	return func() {
		close(ended)
		watch.Wait()
		if !b.broken {
			_ = b.control.SetReadDeadline(time.Time{}) // the connection is watched on, and may carry other requests
		}
	}
}

func (b *batch) stopping() bool {
	select {
	case <-b.Stopping:
		return true
	default:
		return false
	}
}

// take puts a line on its way; false when nobody waits for its answer any more.
func (b *batch) take(ctx context.Context, number int, text []byte, err error) bool {
	line := batchLine{number: number, size: int64(len(text)), err: err}
	if b.room.Acquire(ctx, line.size) != nil {
		return false
	}
	if len(text) > 0 {
		line.posting, line.err = b.start(ctx, text)
	}
	select {
	case b.lines <- line:
		return true
	case <-ctx.Done():
		return false
	}
}

// errLongLine says that a line was passed over.
var errLongLine = ledger.Refuse(ledger.KindTooLarge, "the line is larger than %d MiB, the most that is taken here", lineLimitBytes>>20)

// readLine gives the next line. The last one comes with io.EOF. Of a body that breaks off within a line nothing is given: it may be half an entry.
func readLine(body *bufio.Reader) ([]byte, error) {
	var line []byte
	for {
		part, err := body.ReadSlice('\n')
		if len(line)+len(part) <= lineLimitBytes {
			line = append(line, part...)
		} else {
			line = line[:0]
			for errors.Is(err, bufio.ErrBufferFull) {
				_, err = body.ReadSlice('\n')
			}
			if err == nil || errors.Is(err, io.EOF) {
				return nil, errLongLine
			}
		}
		switch {
		case err == nil || errors.Is(err, io.EOF):
			return line, err
		case !errors.Is(err, bufio.ErrBufferFull):
			return nil, err
		}
	}
}

// start hands the entry of a line to the writer.
func (b *batch) start(ctx context.Context, text []byte) (*store.Posting, error) {
	fields, err := strictjson.ReadObject("entry", text) // which has a line of the batch to itself
	if err != nil {
		return nil, err
	}
	sent := fields.Text("idempotency_key")
	if sent == "" {
		return nil, ledger.Refuse(ledger.KindKeyMissing, "each line needs an idempotency key of its own").At("idempotency_key", "is missing")
	}
	key, err := ledger.CheckKey(sent)
	if err != nil {
		return nil, err
	}
	entry := fields.Entry()
	if err := fields.Err(); err != nil {
		return nil, err
	}
	return b.Store.StartPost(ctx, b.actor, key, entry)
}

// answer writes the outcome of each line in turn, and reports whether all found a reader. It sends when nothing more is there to be added at
// once.
func (b *batch) answer() bool {
	out := bufio.NewWriterSize(b.c.Response(), 32<<10)
	encoder := json.NewEncoder(out)
	encoder.SetEscapeHTML(false)
	for line := range b.lines {
		_ = b.control.SetWriteDeadline(time.Now().Add(streamPatience))
		if encoder.Encode(b.outcome(line)) != nil {
			return false
		}
		b.room.Release(line.size)
		if len(b.lines) == 0 && (out.Flush() != nil || b.control.Flush() != nil) {
			return false
		}
	}
	return out.Flush() == nil
}

// outcome is the answer to a line: a receipt or a problem, with the line's number and the status that a single entry would have.
func (b *batch) outcome(line batchLine) any {
	var posted store.Receipt
	err := line.err
	if err == nil {
		posted, err = line.posting.Receipt()
	}
	if err == nil {
		return postedLine{line.number, http.StatusCreated, receiptOf(posted)}
	}
	if b.refused++; b.refused <= refusalsRecorded {
		b.Refused(b.c, err)
	}
	problem := ProblemOf(err, b.c.Response().Header().Get(echo.HeaderXRequestID))
	problem.Extra = map[string]any{"line": line.number}
	var refusal *ledger.Error
	if errors.As(err, &refusal) {
		for name, value := range refusal.Extra {
			problem.Extra[name] = value
		}
	}
	return problem
}

type postedLine struct {
	Line   int `json:"line"`
	Status int `json:"status"`
	receipt
}

package bench

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httputil"
	"sync"
	"time"
)

const (
	// batchEntries are posted by one request.
	batchEntries = 2_000
	// batchStreams are the requests at once: while one waits for its last answers the other goes on.
	batchStreams = 2

	ndjson = "application/x-ndjson"
)

// batch measures entries posted as NDJSON.
func (s *suite) batch(ctx context.Context) error {
	st := s.stages[Daybook]
	if st == nil {
		return nil
	}
	if there, err := st.takesBatches(); err != nil || !there {
		return errors.Join(err, s.say(skipped{Bench: "post", Writer: Daybook, Way: "batch", Skipped: "the server does not know POST /entries/batch"}))
	}
	deadline := time.Now().Add(s.Window)
	count, took, err := st.stream(ctx, func(int64) int64 {
		if time.Now().Before(deadline) {
			return batchEntries
		}
		return 0
	})
	if err != nil {
		return fmt.Errorf("post in batches: %w", err)
	}
	m := once(Daybook, count, took)
	m.Way, m.Clients, m.Accounts = "batch", batchStreams, s.Accounts
	return s.note("batch", m)
}

// takesBatches asks the server with an empty batch.
func (st *stage) takesBatches() (bool, error) {
	scene := st.scene(false)
	conn, err := dial(scene.address)
	if err != nil {
		return false, err
	}
	defer conn.Close()
	status, _, err := conn.exchange(append(scene.head("/entries/batch", ndjson), "Content-Length: 0\r\n\r\n"...))
	return status != http.StatusNotFound && status != http.StatusMethodNotAllowed, err
}

// stream posts batch after batch, each as large as next says, which is told how many entries went before, until it says 0.
func (st *stage) stream(ctx context.Context, next func(sent int64) int64) (posted int64, took time.Duration, err error) {
	scene := st.scene(false)
	streams, err := hire(batchStreams, scene.batcher)
	if err != nil {
		return 0, 0, err
	}
	source := source{next: next}
	faults := make([]error, len(streams))
	start := time.Now()
	var group sync.WaitGroup
	for i, stream := range streams {
		group.Go(func() {
			b := stream.(*batcher)
			for b.size = source.take(); b.size > 0 && faults[i] == nil; b.size = source.take() {
				faults[i] = errors.Join(ctx.Err(), b.Do(ctx))
			}
		})
	}
	group.Wait()
	took = time.Since(start)
	for _, stream := range streams {
		posted += stream.(*batcher).posted
	}
	st.posted += posted
	return posted, took, errors.Join(append(faults, dismiss(streams))...)
}

// source deals out the sizes of batches.
type source struct {
	mu   sync.Mutex
	next func(sent int64) int64
	sent int64
}

func (s *source) take() int64 {
	s.mu.Lock()
	defer s.mu.Unlock()
	size := s.next(s.sent)
	s.sent += size
	return size
}

// batcher posts a batch with each request, and reads the answers while it still sends.
type batcher struct {
	*connection
	entries *entries
	head    []byte
	size    int64
	posted  int64
}

func (s scene) batcher(client int) (*batcher, error) {
	conn, err := dial(s.address)
	return &batcher{connection: conn, entries: s.entries(client), head: append(s.head("/entries/batch", ndjson), "Transfer-Encoding: chunked\r\n\r\n"...)}, err
}

// Do posts a batch and returns when its last line is answered.
func (b *batcher) Do(context.Context) error {
	if err := b.SetDeadline(time.Now().Add(answerLimit)); err != nil {
		return err
	}
	sent := make(chan error, 1)
	go func() { sent <- b.send() }()
	if err := b.receive(); err != nil {
		b.Close() // what is still being sent is sent in vain
		<-sent
		return err
	}
	return <-sent
}

func (b *batcher) send() error {
	out := bufio.NewWriterSize(b.Conn, 64<<10)
	if _, err := out.Write(b.head); err != nil {
		return err
	}
	chunks := httputil.NewChunkedWriter(out)
	var lines []byte
	for n := range b.size {
		lines = append(b.entries.body(lines), `,"idempotency_key":"`...)
		lines = append(b.entries.id(lines), "\"}\n"...)
		if n%100 == 99 || n == b.size-1 {
			if _, err := chunks.Write(lines); err != nil {
				return err
			}
			lines = lines[:0]
		}
	}
	if err := chunks.Close(); err != nil {
		return err
	}
	if _, err := io.WriteString(out, "\r\n"); err != nil {
		return err
	}
	return out.Flush()
}

// receive reads the answers, one a line.
func (b *batcher) receive() error {
	status, length, err := b.readHead()
	if err != nil {
		return fmt.Errorf("read the answers to a batch: %w", err)
	}
	answers := io.Reader(io.LimitReader(b.in, int64(length)))
	if length < 0 {
		answers = b.chunks()
	}
	lines, answered := bufio.NewScanner(answers), int64(0)
	for lines.Scan() {
		if line := lines.Bytes(); status != http.StatusOK || !bytes.Contains(line, []byte(`"status":201`)) {
			return fmt.Errorf("a batch was answered with %d: %s", status, line)
		}
		answered++
		b.posted++
	}
	if err := lines.Err(); err != nil {
		return fmt.Errorf("read the answers to a batch: %w", err)
	}
	if answered != b.size {
		return fmt.Errorf("%d of %d lines of a batch were answered", answered, b.size)
	}
	return nil
}

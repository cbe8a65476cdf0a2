package store

import (
	"context"
	"sync"
	"time"

	"daybook/store/ledger"
)

const (
	// batchPosts and batchPostings bound a batch: beyond some hundred entries a commit is shared by enough.
	batchPosts    = 500
	batchPostings = 5_000
	// queueLimit bounds what waits for the writer of a book. Who comes then is told to come again: the wait would be long anyway.
	queueLimit = 4_000
	// streamLimit bounds what of it may come from those who keep many posts on their way, so that there is room for the others.
	streamLimit = queueLimit / 2
	// batchLimit is the longest that a batch may take. Its callers have given up long before.
	batchLimit = time.Minute
)

// writers are the doors of plain posts, one a book. Whatever waits when the one before has committed is judged as one batch and commits
// once; nobody waits for others to come. Across processes the head row decides.
type writers struct {
	mu      sync.Mutex
	byBook  map[int64]*writer
	running sync.WaitGroup
}

func (w *writers) of(s *Store, book Book) *writer {
	w.mu.Lock()
	defer w.mu.Unlock()
	found := w.byBook[book.ID]
	if found == nil {
		found = &writer{store: s, book: book, room: make(chan struct{}, queueLimit), streamRoom: make(chan struct{}, streamLimit)}
		w.byBook[book.ID] = found
	}
	return found
}

// writeReplays sees to it that the retries which were answered so far are counted in the database, for who looks at keys.
func (w *writers) writeReplays(book Book) {
	w.mu.Lock()
	found := w.byBook[book.ID]
	w.mu.Unlock()
	if found != nil {
		found.writeReplays(book)
	}
}

// writer appends the plain posts of one book. Its memory of the book is touched by nobody but run.
type writer struct {
	store *Store
	// room holds one for each post that waits or is being written, streamRoom for each of those that is streamed.
	room, streamRoom chan struct{}

	mu      sync.Mutex
	book    Book
	waiting []*pending
	running bool

	settled  settledPosts
	counting sync.Mutex // held while retries are written
	memory   memory
	// contested is set while others append between two batches of ours: then it is better to take the head first. lastSeq is the
	// last entry that we know of.
	contested bool
	lastSeq   int64
}

// pending is a post that waits for its outcome.
type pending struct {
	ctx     context.Context
	command ledger.Command
	actor   Actor
	stream  bool          // of one who keeps many posts on their way
	done    chan struct{} // closed once outcome and err are there
	outcome ledger.Outcome
	err     error
}

func (p *pending) answer(outcome ledger.Outcome, err error) {
	p.outcome, p.err = outcome, err
	if err == nil {
		p.err = outcome.Err
	}
	close(p.done)
}

// wait gives the outcome. Who gives up before may find that the entry is posted all the same: the key tells.
func (p *pending) wait() (ledger.Outcome, error) {
	select {
	case <-p.done:
		return p.outcome, p.err
	case <-p.ctx.Done():
	}
	select {
	case <-p.done:
		return p.outcome, p.err
	default:
		return ledger.Outcome{}, gaveUp(p.ctx.Err())
	}
}

// gaveUp tells that a wait for the writer ended, and why.
func gaveUp(cause error) error {
	return &ledger.Error{Kind: ledger.KindBusy, Message: "the book is busy: try again in a moment", Err: cause}
}

// settle posts a command and waits for its outcome. As long as another request has its key, it comes again.
func (w *writer) settle(ctx context.Context, actor Actor, command ledger.Command) (*pending, error) {
	var held error
	for {
		p, err := w.post(ctx, actor, command, false)
		if err != nil {
			return nil, err
		}
		_, err = p.wait()
		switch {
		case ctx.Err() != nil && held != nil && err != nil:
			return nil, held
		case ctx.Err() == nil && ledger.KindOf(err) == ledger.KindKeyInProgress:
			held = err
		default:
			return p, err
		}
	}
}

// post hands a command to the writer. Of a stream it waits for room in the queue, others are refused as KindBusy when there is none.
func (w *writer) post(ctx context.Context, actor Actor, command ledger.Command, stream bool) (*pending, error) {
	p := &pending{ctx: ctx, actor: actor, command: command, stream: stream, done: make(chan struct{})}
	if outcome, ok := w.settled.outcome(command, w.store.now()); ok {
		var err error
		if p.actor, err = w.store.confirmNow(w.store.db.WithContext(ctx), actor); err != nil {
			return nil, err
		}
		w.countReplay(command.Key)
		p.answer(outcome, nil)
		return p, nil
	}
	if err := w.takeRoom(p); err != nil {
		return nil, err
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	w.book = actor.Book
	w.waiting = append(w.waiting, p)
	w.start()
	return p, nil
}

// takeRoom takes a place in the queue: of a stream when there is one, else now or not at all.
func (w *writer) takeRoom(p *pending) error {
	full := &ledger.Error{Kind: ledger.KindBusy, Message: "too many posts wait for this book: try again in a moment"}
	if !p.stream {
		select {
		case w.room <- struct{}{}:
			return nil
		default:
			return full
		}
	}
	for i, room := range []chan struct{}{w.streamRoom, w.room} {
		select {
		case room <- struct{}{}:
		case <-p.ctx.Done():
			if i > 0 {
				<-w.streamRoom
			}
			full.Err = p.ctx.Err()
			return full
		}
	}
	return nil
}

func (w *writer) leaveRoom(batch []*pending) {
	for _, p := range batch {
		<-w.room
		if p.stream {
			<-w.streamRoom
		}
	}
}

// countReplay remembers a retry that was answered from memory; it is written when the writer is at it.
func (w *writer) countReplay(key string) {
	w.settled.countReplay(key)
	w.mu.Lock()
	defer w.mu.Unlock()
	w.start()
}

// start sees to it that run is under way. The lock is held.
func (w *writer) start() {
	if !w.running {
		w.running = true
		w.store.writers.running.Go(w.run)
	}
}

// run writes what waits until nothing does.
func (w *writer) run() {
	for {
		book, batch := w.next()
		if len(batch) > 0 {
			w.write(book, batch)
			w.leaveRoom(batch)
			continue
		}
		if w.writeReplays(book) {
			continue
		}
		if w.rest() {
			return
		}
	}
}

// next takes the oldest of what waits, as much as one batch holds.
func (w *writer) next() (Book, []*pending) {
	w.mu.Lock()
	defer w.mu.Unlock()
	count, postings := 0, 0
	for _, p := range w.waiting[:min(len(w.waiting), batchPosts)] {
		if postings += len(p.command.Entry.Postings); postings > batchPostings && count > 0 {
			break
		}
		count++
	}
	batch := w.waiting[:count:count]
	w.waiting = w.waiting[count:]
	return w.book, batch
}

// rest ends the run if nothing has come meanwhile.
func (w *writer) rest() bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	if len(w.waiting) > 0 || w.settled.hasReplays() {
		return false
	}
	w.waiting, w.running = nil, false
	return true
}

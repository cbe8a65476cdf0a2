package store

import (
	"cmp"
	"container/list"
	"context"
	"maps"
	"slices"
	"strings"
	"sync"
	"time"

	"golang.org/x/sync/semaphore"

	"daybook/recon/statement"
	"daybook/store/ledger"
)

// What the reading of files may take of a server.
const (
	arrivingBytes   = 4 * statement.MaxFileBytes // of the files that requests hold in memory
	readAtOnceBytes = 2 * statement.MaxFileBytes // of the files that are read at the same time
	readWait        = 20 * time.Second           // for room, and for a turn
	keptBytes       = 192 << 20                  // of files that were read, and what they were read as; the last one is kept in any case
	keptFor         = 10 * time.Minute           // without anybody asking again
	lineBytes       = 200                        // what a row that was read takes beside its text, about
)

// readings keeps files as they were read, so that each page of a draft, its confirmation and a retry do not read them again: a reading
// follows from the bytes of the file and the hints. What is kept is not changed.
type readings struct {
	room, turns *semaphore.Weighted
	now         func() time.Time
	limitBytes  int64
	mu          sync.Mutex
	kept        map[readingKey]*list.Element
	byUse       *list.List // of *keptReading, the last used in front
	bytes       int64
}

type readingKey struct {
	file  ledger.Hash
	hints string
}

// keptReading is a file as it was read, with the fingerprints of its lines.
type keptReading struct {
	key    readingKey
	data   []byte
	found  *statement.Inspection
	prints []([32]byte)
	bytes  int64
	usedAt time.Time
}

func newReadings(now func() time.Time) *readings {
	return &readings{room: semaphore.NewWeighted(arrivingBytes), turns: semaphore.NewWeighted(readAtOnceBytes), now: now, limitBytes: keptBytes,
		kept: map[readingKey]*list.Element{}, byUse: list.New()}
}

// AdmitFile waits until a request may hold a file of that size in memory; done says that it does not any more. Error: KindBusy.
func (s *Store) AdmitFile(ctx context.Context, sizeBytes int64) (done func(), err error) {
	return acquire(ctx, s.readings.room, min(sizeBytes, arrivingBytes))
}

// turn waits until a file of that size may be read; done ends the turn. Error: KindBusy.
func (r *readings) turn(ctx context.Context, sizeBytes int) (done func(), err error) {
	return acquire(ctx, r.turns, min(int64(sizeBytes)+lineBytes, readAtOnceBytes))
}

func acquire(ctx context.Context, from *semaphore.Weighted, weight int64) (done func(), err error) {
	waiting, cancel := context.WithTimeout(ctx, readWait)
	defer cancel()
	if err := from.Acquire(waiting, weight); err != nil {
		if ctx.Err() == nil {
			return nil, ledger.Refuse(ledger.KindBusy, "many files are being read just now: try again in a moment").With("retry_after", 5)
		}
		return nil, ctx.Err()
	}
	return func() { from.Release(weight) }, nil
}

// inspect reads a file under hints, unless it is kept as it was read. The error is that of statement.Inspect.
func (r *readings) inspect(file ledger.Hash, data []byte, hints statement.Hints) (*keptReading, error) {
	key := readingKey{file, hintsKey(hints)}
	if kept := r.find(key); kept != nil {
		return kept, nil
	}
	found, err := statement.Inspect(data, hints)
	if err != nil {
		return nil, err
	}
	read := &keptReading{key: key, data: data, found: found, bytes: int64(len(data))}
	if parsed := found.Statement; parsed != nil {
		read.prints = make([][32]byte, len(parsed.Lines))
		for i := range parsed.Lines {
			read.prints[i] = parsed.Lines[i].Fingerprint()
		}
		read.bytes += int64(len(data)) + int64(len(parsed.Lines)+len(parsed.Rejects)+len(parsed.Skipped))*lineBytes
	}
	r.keep(read)
	return read, nil
}

// file gives the bytes of a file that is kept, nil for one that is not.
func (r *readings) file(hash ledger.Hash) []byte {
	r.mu.Lock()
	defer r.mu.Unlock()
	for element := r.byUse.Front(); element != nil; element = element.Next() {
		if kept := element.Value.(*keptReading); kept.key.file == hash {
			return kept.data
		}
	}
	return nil
}

func (r *readings) find(key readingKey) *keptReading {
	r.mu.Lock()
	defer r.mu.Unlock()
	element := r.kept[key]
	if element == nil {
		return nil
	}
	r.byUse.MoveToFront(element)
	kept := element.Value.(*keptReading)
	kept.usedAt = r.now()
	return kept
}

// keep remembers a reading, and forgets what was not asked for the longest where all would be too much.
func (r *readings) keep(read *keptReading) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if old := r.kept[read.key]; old != nil {
		r.forget(old)
	}
	read.usedAt = r.now()
	r.kept[read.key] = r.byUse.PushFront(read)
	r.bytes += read.bytes
	for last := r.byUse.Back(); r.bytes > r.limitBytes && last != r.byUse.Front(); last = r.byUse.Back() {
		r.forget(last)
	}
}

// drop forgets a file, and sweep what nobody has asked for lately.
func (r *readings) drop(file ledger.Hash) {
	r.forgetWhere(func(kept *keptReading) bool { return kept.key.file == file })
}

func (r *readings) sweep() {
	since := r.now().Add(-keptFor)
	r.forgetWhere(func(kept *keptReading) bool { return !kept.usedAt.After(since) })
}

func (r *readings) forgetWhere(is func(*keptReading) bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	var next *list.Element
	for element := r.byUse.Front(); element != nil; element = next {
		if next = element.Next(); is(element.Value.(*keptReading)) {
			r.forget(element)
		}
	}
}

func (r *readings) forget(element *list.Element) {
	kept := r.byUse.Remove(element).(*keptReading)
	delete(r.kept, kept.key)
	r.bytes -= kept.bytes
}

// hintsKey names hints: equal ones have equal names.
func hintsKey(hints statement.Hints) string {
	var b strings.Builder
	for _, hint := range slices.Sorted(maps.Keys(hints)) {
		b.WriteString(hint + "=" + hints[hint] + "\x00")
	}
	return b.String()
}

// readAhead reads the file of an upload before its transaction begins: no connection, and no account, is held while it waits for its turn and
// is read. What is wrong with the upload is left to the transaction to say. It gives how many lines the file has, 0 where nobody can tell. Error:
// KindBusy.
func (s *Store) readAhead(ctx context.Context, actor Actor, upload Upload) (lines int, err error) {
	db := s.db.WithContext(ctx)
	account, err := accountOfBook(db, actor.Book, upload.Account, "")
	if err != nil {
		return 0, ctx.Err()
	}
	if _, stored, err := uploadedBefore(db, actor.Book, account, upload.hash()); stored || err != nil {
		return 0, ctx.Err()
	}
	done, err := s.readings.turn(ctx, len(upload.Data))
	if err != nil {
		return 0, err
	}
	defer done()
	profile, err := chooseProfile(db, actor.Book, account, upload.Profile, upload.Data)
	if err != nil {
		return 0, ctx.Err()
	}
	return s.linesOf(account, upload, profile), ctx.Err()
}

// linesOf reads a file, which is kept then, and counts its lines.
func (s *Store) linesOf(account ledger.Account, upload Upload, profile *Profile) int {
	if cmp.Or(takesStatements(account), checkPeriod(upload.PeriodFrom, upload.PeriodTo)) != nil {
		return 0
	}
	read := reading{readings: s.readings, profile: profile, found: &statement.Inspection{}}
	if read.read(account, upload) != nil || read.found.Statement == nil {
		return 0
	}
	return len(read.found.Statement.Lines)
}

// readDraftAhead is readAhead for the file of a draft.
func (s *Store) readDraftAhead(ctx context.Context, actor Actor, id, jobID int64) error {
	db := s.db.WithContext(ctx)
	draft, err := s.loadDraftFor(db, actor, id, jobID, false)
	if err != nil {
		return ctx.Err()
	}
	if draft.data = s.readings.file(draft.FileHash); draft.data != nil {
		read := reading{profile: draft.Profile}
		if err := read.settle(draft.Account, draft.upload()); err == nil && s.readings.find(readingKey{draft.FileHash, hintsKey(read.given)}) != nil {
			return nil
		}
	}
	done, err := s.readings.turn(ctx, draft.SizeBytes)
	if err != nil {
		return err
	}
	if s.loadFile(db, actor.Book, &draft) != nil {
		done()
		return ctx.Err()
	}
	_, err = abandonable(ctx, func() int {
		defer done()
		return s.linesOf(draft.Account, draft.upload(), draft.Profile)
	})
	return err
}

package store

import (
	"context"
	"errors"
	"sync/atomic"

	"github.com/jackc/pgx/v5/pgconn"
	"gorm.io/gorm"

	"daybook/store/ledger"
)

// write answers all posts of a batch. It judges them by memory and writes them in one call; where the book has moved on, or a key or tx
// id is known, it looks under the head's lock instead.
func (w *writer) write(book Book, batch []*pending) {
	batch = stillWanted(batch)
	if len(batch) == 0 {
		return
	}
	ctx, cancel := whileWanted(batch)
	defer cancel()
	if batch = w.notSettled(ctx, book, batch); len(batch) == 0 {
		return
	}
	outcomes, err := w.fromMemory(ctx, book, batch)
	switch {
	case len(batch) == 1 && isHeldKey(err):
		answerAll(batch, nil, inProgress(err))
	case errors.Is(err, errMovedOn) || isRefusedByDatabase(err):
		w.writeLocked(ctx, book, batch)
	default:
		answerAll(batch, outcomes, translate(orOutage(err)))
	}
}

// stillWanted answers those who have given up before their post was begun, and gives the others.
func stillWanted(batch []*pending) []*pending {
	wanted := batch[:0:0]
	for _, p := range batch {
		if p.ctx.Err() == nil {
			wanted = append(wanted, p)
			continue
		}
		p.answer(ledger.Outcome{}, gaveUp(p.ctx.Err()))
	}
	return wanted
}

// whileWanted ends with the last caller who waits for the batch.
func whileWanted(batch []*pending) (context.Context, context.CancelFunc) {
	ctx, cancel := context.WithTimeout(context.Background(), batchLimit)
	var left atomic.Int64
	left.Store(int64(len(batch)))
	stops := make([]func() bool, len(batch))
	for i, p := range batch {
		stops[i] = context.AfterFunc(p.ctx, func() {
			if left.Add(-1) == 0 {
				cancel()
			}
		})
	}
	return ctx, func() {
		for _, stop := range stops {
			stop()
		}
		cancel()
	}
}

// notSettled answers the retries of what was posted while they waited, as if they had come later, and gives the others.
func (w *writer) notSettled(ctx context.Context, book Book, batch []*pending) []*pending {
	retries, others := map[*pending]ledger.Outcome{}, batch[:0:0]
	for _, p := range batch {
		if outcome, ok := w.settled.outcome(p.command, w.store.now()); ok {
			retries[p] = outcome
		} else {
			others = append(others, p)
		}
	}
	if len(retries) == 0 {
		return batch
	}
	db := w.store.db.WithContext(ctx)
	version, err := readVersion(db, book)
	if err != nil {
		return batch
	}
	for p, outcome := range retries {
		var refusal error
		if p.actor, refusal = w.store.confirm(db, w.store.latest(p.actor), version); refusal != nil {
			p.answer(ledger.Outcome{}, translate(orOutage(refusal)))
			continue
		}
		w.settled.countReplay(p.command.Key)
		p.answer(outcome, nil)
	}
	return others
}

// errMovedOn says that a batch was not written, because the book is not as remembered or knows a key or tx id of it.
var errMovedOn = errors.New("the book has moved on")

func (w *writer) fromMemory(ctx context.Context, book Book, batch []*pending) ([]ledger.Outcome, error) {
	if w.contested {
		return nil, errMovedOn
	}
	commands := commandsOf(batch)
	if !w.memory.knows(commands) {
		if err := w.recall(ctx, book, commands); err != nil {
			return nil, err
		}
	}
	if !asOf(batch, w.memory.version) {
		return nil, errMovedOn
	}
	judged := ledger.Append(w.memory.head, w.memory.forBatch(), commands, w.store.now())
	answer, err := callAppend(w.store.db.WithContext(ctx), book, judged, commands, &w.memory.version)
	switch {
	case err == nil && answer == appendedTaken:
		w.memory.takeBack(judged.Records)
		return nil, errMovedOn
	case err == nil && answer != appended:
		err = errMovedOn
	}
	if err != nil {
		w.memory.forget() // it has the totals of what was not written, or perhaps was
		return nil, err
	}
	w.memory.head, w.lastSeq = judged.Head, judged.Head.Seq
	w.settled.add(judged, book.KeyRetentionDays)
	return judged.Outcomes, nil
}

// asOf reports whether all who post by a token were looked up as of a version of the book.
func asOf(batch []*pending, version int64) bool {
	for _, p := range batch {
		if known := p.actor.remembered; known != nil && known.version != version {
			return false
		}
	}
	return true
}

// confirmed sorts a batch under the head's lock: who may post as of a version of the book, and why others may not.
func (w *writer) confirmed(tx *gorm.DB, batch []*pending, version int64) (entitled []*pending, refused map[*pending]error, err error) {
	refused = map[*pending]error{}
	for _, p := range batch {
		actor, err := w.store.confirm(tx, w.store.latest(p.actor), version)
		if err == nil {
			p.actor = actor
			entitled = append(entitled, p)
			continue
		}
		switch ledger.KindOf(err) {
		case ledger.KindUnauthenticated, ledger.KindForbidden, ledger.KindNotFound:
			refused[p] = err
		default:
			return nil, nil, err
		}
	}
	return entitled, refused, nil
}

// lockedBatch is what came of a batch under the head's lock.
type lockedBatch struct {
	book     Book
	version  int64
	entitled []*pending
	refused  map[*pending]error
	judged   ledger.Batch
}

// writeLocked writes a batch under the head's lock. When the database refuses it, which the rules should not let happen, halves are tried
// apart, so that nobody fails for a neighbour.
func (w *writer) writeLocked(ctx context.Context, book Book, batch []*pending) {
	var b lockedBatch
	err := w.store.inTx(ctx, func(tx *gorm.DB) (err error) {
		b, err = w.judgeLocked(tx, book, batch)
		if err != nil || len(b.judged.Records) == 0 {
			return err
		}
		return writeHeld(tx, b.book, b.judged)
	})
	if half := len(batch) / 2; half > 0 && isRefusedByDatabase(err) {
		w.writeLocked(ctx, book, batch[:half])
		w.writeLocked(ctx, book, batch[half:])
		return
	}
	if isHeldKey(err) {
		err = inProgress(err)
	}
	if err != nil {
		answerAll(batch, nil, err)
		return
	}
	if len(b.entitled) > 0 {
		before := b.judged.Head.Seq - int64(len(b.judged.Records))
		w.memory.adopt(before, b.judged.Head, b.version, b.judged.Facts, commandsOf(b.entitled))
		w.contested, w.lastSeq = before != w.lastSeq, b.judged.Head.Seq
		w.settled.add(b.judged, b.book.KeyRetentionDays)
	}
	answerAll(b.entitled, b.judged.Outcomes, nil)
	for p, err := range b.refused {
		p.answer(ledger.Outcome{}, err)
	}
}

// judgeLocked takes the head, makes sure of who posts, and judges what those post who may.
func (w *writer) judgeLocked(tx *gorm.DB, book Book, batch []*pending) (b lockedBatch, err error) {
	if _, err = lockHead(tx, book.ID); err != nil {
		return b, err
	}
	if b.version, err = readVersion(tx, book); err != nil {
		return b, err
	}
	if b.entitled, b.refused, err = w.confirmed(tx, batch, b.version); err != nil || len(b.entitled) == 0 {
		return b, err
	}
	b.book = b.entitled[len(b.entitled)-1].actor.Book
	b.judged, err = w.store.judge(tx, b.book, commandsOf(b.entitled))
	return b, err
}

// isHeldKey tells a key that another request has and has not settled.
func isHeldKey(err error) bool {
	var pg *pgconn.PgError
	return errors.As(err, &pg) && pg.Code == codeLockTimeout
}

// isRefusedByDatabase tells an answer about what was sent from a database that is in trouble, or was called off.
func isRefusedByDatabase(err error) bool {
	var pg *pgconn.PgError
	if !errors.As(err, &pg) || len(pg.Code) != 5 {
		return false
	}
	switch pg.Code[:2] {
	case "08", "25", "53", "57", "58", "XX": // connection, a database that only reads, resources, operator, system, internal
		return false
	}
	return true
}

func commandsOf(batch []*pending) []ledger.Command {
	commands := make([]ledger.Command, len(batch))
	for i, p := range batch {
		commands[i] = p.command
	}
	return commands
}

func answerAll(batch []*pending, outcomes []ledger.Outcome, err error) {
	// What was called off was so because its callers had given up.
	if errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded) {
		err = gaveUp(err)
	}
	for i, p := range batch {
		if err != nil {
			p.answer(ledger.Outcome{}, err)
			continue
		}
		p.answer(outcomes[i], nil)
	}
}

// writeReplays writes the retries that were answered from memory; whether there were any. When it returns, all that were counted before are
// written, by whomever.
func (w *writer) writeReplays(book Book) bool {
	w.counting.Lock()
	defer w.counting.Unlock()
	replays := w.settled.takeReplays()
	if len(replays) == 0 {
		return false
	}
	ctx, cancel := context.WithTimeout(context.Background(), batchLimit)
	defer cancel()
	// A count that is lost is a statistic less, and no money.
	_ = countReplays(w.store.db.WithContext(ctx), book, replays)
	return true
}

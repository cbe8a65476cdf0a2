package store

import (
	"fmt"
	"maps"

	"gorm.io/gorm"

	"daybook/store/ledger"
)

// appendIn is the door into the journal for use cases that append inside their own transaction: it takes the book's head row, reads
// the facts that the commands mention, lets ledger.Append judge, and writes what came out. Plain posts come through the writer, which
// calls the same two functions.
func (s *Store) appendIn(tx *gorm.DB, actor Actor, commands []ledger.Command) ([]ledger.Outcome, error) {
	batch, err := s.judge(tx, actor.Book, commands)
	if err != nil || len(batch.Records) == 0 {
		return batch.Outcomes, err
	}
	return batch.Outcomes, writeHeld(tx, actor.Book, batch)
}

// judge takes the head and holds commands against what the book holds. Expired keys among theirs are freed, and retries counted.
func (s *Store) judge(tx *gorm.DB, book Book, commands []ledger.Command) (ledger.Batch, error) {
	head, err := lockHead(tx, book.ID)
	if err != nil {
		return ledger.Batch{}, fmt.Errorf("take the head of book %s: %w", book.Code, err)
	}
	facts, err := s.readFacts(tx, book, commands)
	if err != nil {
		return ledger.Batch{}, fmt.Errorf("read what the book holds: %w", err)
	}
	known := maps.Clone(facts.Keys)
	batch := ledger.Append(head, facts, commands, s.now())
	replays := map[string]int64{}
	for i, outcome := range batch.Outcomes {
		if _, before := known[commands[i].Key]; before && outcome.Duplicate {
			replays[commands[i].Key]++
		}
	}
	if err := countReplays(tx, book, replays); err != nil {
		return ledger.Batch{}, err
	}
	return batch, freeExpiredKeys(tx, book, batch)
}

// appendAnswer is what append_entries says.
type appendAnswer string

const (
	appended      appendAnswer = "done"
	appendedStale appendAnswer = "stale"
	appendedTaken appendAnswer = "taken"
)

// writeHeld writes a batch that was judged under the head's lock.
func writeHeld(tx *gorm.DB, book Book, batch ledger.Batch) error {
	answer, err := callAppend(tx, book, batch, nil, nil)
	if err == nil && answer != appended {
		err = fmt.Errorf("append up to entry %d: %s, though the head is held", batch.Head.Seq, answer)
	}
	return err
}

// callAppend writes a batch behind the head that it was judged for, in one call. version is that of the facts which the commands were
// judged by, nil for facts that were read under the head's lock.
func callAppend(tx *gorm.DB, book Book, batch ledger.Batch, commands []ledger.Command, version *int64) (appendAnswer, error) {
	columns, err := columnsOf(batch, book.KeyRetentionDays)
	if err != nil {
		return "", err
	}
	asked := mentionedBy(refused(commands, batch.Outcomes))
	arguments := append([]any{book.ID, batch.Head.Seq - int64(len(batch.Records)), version, asked.keys, asked.txIDs}, columns...)
	answer, err := queryOne[appendAnswer](tx, "no answer", appendCall, arguments...)
	if err != nil {
		return "", fmt.Errorf("append up to entry %d: %w", batch.Head.Seq, err)
	}
	return answer, nil
}

// refused are the commands that a batch refuses. One of them may be a retry of what is posted already.
func refused(commands []ledger.Command, outcomes []ledger.Outcome) (some []ledger.Command) {
	for i, command := range commands {
		if outcomes[i].Err != nil {
			some = append(some, command)
		}
	}
	return some
}

// appendCall has a place for each argument: what the batch was judged for, entries, postings, keys, and totals by account, day and currency.
const appendCall = `SELECT append_entries(?, ?, ?, ?, ?,
	?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?,
	?, ?, ?, ?, ?,
	?, ?, ?, ?, ?,
	?, ?, ?,
	?, ?, ?, ?, ?,
	?, ?)`

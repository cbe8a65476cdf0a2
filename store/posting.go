package store

import (
	"context"

	"daybook/store/ledger"
)

// Posting is a post that is on its way: its writer has it, and will answer.
type Posting struct {
	store   *Store
	pending *pending
	key     string
}

// StartPost hands an entry to the writer of the actor's book and does not wait for the outcome, so that a caller with many keeps several
// on their way; where the queue is full it waits for room. What is handed over in turn is posted in turn. Errors: KindForbidden, KindBusy.
func (s *Store) StartPost(ctx context.Context, actor Actor, key string, entry ledger.Entry) (*Posting, error) {
	actor = s.latest(actor)
	if err := actor.Need(RightPost); err != nil {
		return nil, err
	}
	p, err := s.writers.of(s, actor.Book).post(ctx, actor, postCommand(actor, key, entry), true)
	if err != nil {
		return nil, err
	}
	return &Posting{s, p, key}, nil
}

// Receipt waits for the outcome, as long as the context of StartPost lasts. Errors are those of PostEntry.
func (p *Posting) Receipt() (Receipt, error) {
	outcome, err := p.pending.wait()
	if err != nil {
		return Receipt{}, err
	}
	return p.store.receiptFor(p.pending.ctx, p.pending.actor, p.key, outcome)
}

func postCommand(actor Actor, key string, entry ledger.Entry) ledger.Command {
	return ledger.Command{Key: key, Entry: entry, Kind: ledger.PlainEntry, RecordedBy: actor.UserID, Recorder: actor.Email}
}

// receiptFor names who recorded the entry, which for a duplicate may be another than who asks.
func (s *Store) receiptFor(ctx context.Context, actor Actor, key string, outcome ledger.Outcome) (Receipt, error) {
	receipt := Receipt{
		Record: outcome.Record, Recorder: actor.Email, RecorderName: actor.Name, Key: key, Attempts: outcome.Attempts, Duplicate: outcome.Duplicate,
	}
	if outcome.Record.RecordedBy == actor.UserID {
		return receipt, nil
	}
	recorder, err := queryOne[struct{ Email, Name string }](s.db.WithContext(ctx), "the entry's recorder is unknown",
		`SELECT email, name FROM users WHERE id = ?`, outcome.Record.RecordedBy)
	receipt.Recorder, receipt.RecorderName = recorder.Email, recorder.Name
	return receipt, err
}

package store

import (
	"context"
	"encoding/json"
	"fmt"

	"gorm.io/gorm"
	"gorm.io/gorm/clause"

	"daybook/store/ledger"
)

// plainPool is how many posts the plain writer has under way at once, each on a connection of its own.
const plainPool = 64

// WithPlainWriter makes posts one transaction each, written by GORM's own means: what a program does that has no writer. Rules, chain,
// tables and triggers are the same. It is there for the bench, which measures the writer against it, and for nothing else.
func WithPlainWriter() Option {
	return func(s *Store) {
		s.plain = true
		if pool, err := s.db.DB(); err == nil {
			pool.SetMaxOpenConns(plainPool)
			pool.SetMaxIdleConns(plainPool)
		}
	}
}

// postPlainly appends one command in a transaction of its own.
func (s *Store) postPlainly(ctx context.Context, actor Actor, command ledger.Command) (Receipt, error) {
	var outcome ledger.Outcome
	err := s.inTx(ctx, func(tx *gorm.DB) error {
		var head plainHead
		if err := tx.Clauses(clause.Locking{Strength: "NO KEY UPDATE"}).Where("book_id = ?", actor.Book.ID).Take(&head).Error; err != nil {
			return fmt.Errorf("take the head of book %s: %w", actor.Book.Code, orOutage(err))
		}
		var err error
		if actor, err = s.confirmNow(tx, actor); err != nil {
			return err
		}
		facts, err := s.plainFacts(tx, actor, command)
		if err != nil {
			return fmt.Errorf("read what the book holds: %w", orOutage(err))
		}
		batch := ledger.Append(head.head(), facts, []ledger.Command{command}, s.now())
		outcome = batch.Outcomes[0]
		if outcome.Duplicate {
			return countReplay(tx, actor.Book, command.Key)
		}
		if outcome.Err != nil {
			return outcome.Err
		}
		return writePlainly(tx, actor, batch)
	})
	if err != nil {
		return Receipt{}, err
	}
	return Receipt{Record: outcome.Record, Recorder: actor.Email, RecorderName: actor.Name, Key: command.Key, Attempts: outcome.Attempts, Duplicate: outcome.Duplicate}, nil
}

// writePlainly writes the one record of a batch, its key and the totals.
func writePlainly(tx *gorm.DB, actor Actor, batch ledger.Batch) error {
	record := batch.Records[0]
	entry, err := plainEntryOf(actor.Book, record)
	if err != nil {
		return err
	}
	postings := plainPostingsOf(actor.Book, record, batch.Facts.Accounts)
	for _, row := range []any{&postings, &entry} {
		if err := tx.Create(row).Error; err != nil {
			return fmt.Errorf("append entry %d: %w", record.Seq, orOutage(err))
		}
	}
	if key := batch.Keys[record.Seq]; key != "" {
		row := plainKeyOf(actor, key, record)
		if err := tx.Create(&row).Error; err != nil {
			return inProgress(orOutage(err))
		}
	}
	for _, total := range plainTotalsOf(actor.Book, record, batch.Facts) {
		if err := tx.Clauses(total.onConflict).Create(total.rows).Error; err != nil {
			return fmt.Errorf("bring the totals up to entry %d: %w", record.Seq, orOutage(err))
		}
	}
	return nil
}

func plainEntryOf(book Book, r ledger.Record) (plainEntry, error) {
	metadata := []byte("{}")
	if r.Metadata != nil {
		var err error
		if metadata, err = json.Marshal(r.Metadata); err != nil {
			return plainEntry{}, err
		}
	}
	return plainEntry{
		BookID: book.ID, Seq: r.Seq, TxID: r.TxID, Kind: r.Kind, EffectiveOn: r.EffectiveOn, RecordedAt: r.RecordedAt, Description: r.Description,
		Reason: r.Reason, RecordedBy: r.RecordedBy, ApprovalID: nullable(r.ApprovalID), Reverses: nullable(r.Reverses), Replaces: nullable(r.Replaces),
		PostingCount: len(r.Postings), Metadata: string(metadata), PrevHash: r.PrevHash, Hash: r.Hash,
	}, nil
}

func plainPostingsOf(book Book, r ledger.Record, accounts map[string]ledger.Account) []plainPosting {
	rows := make([]plainPosting, len(r.Postings))
	for i, p := range r.Postings {
		rows[i] = plainPosting{BookID: book.ID, Seq: r.Seq, Line: i + 1, AccountID: accounts[p.Account].ID, AmountMinor: p.AmountMinor, Currency: p.Currency}
	}
	return rows
}

func plainKeyOf(actor Actor, key string, r ledger.Record) plainKey {
	return plainKey{
		BookID: actor.Book.ID, Key: key, Operation: ledger.OpEntry, Fingerprint: r.Fingerprint(), Seq: &r.Seq, Attempts: 1,
		UsedBy: actor.UserID, SettledAt: r.RecordedAt, ExpiresAt: r.RecordedAt.AddDate(0, 0, actor.Book.KeyRetentionDays),
	}
}

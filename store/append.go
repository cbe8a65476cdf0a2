package store

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"time"

	"gorm.io/gorm"

	"daybook/store/ledger"
)

// appendIn is the one way into the journal: within a transaction it takes the book's head row, reads the facts that the
// commands mention, lets ledger.Append judge, and writes what came out. Both doors use it: the queue of plain posts, and
// the use cases that append inside their own transaction.
func (s *Store) appendIn(tx *gorm.DB, actor Actor, commands []ledger.Command) ([]ledger.Outcome, error) {
	head, err := lockHead(tx, actor.Book.ID)
	if err != nil {
		return nil, fmt.Errorf("take the head of book %s: %w", actor.Book.Code, err)
	}
	facts, err := s.readFacts(tx, actor.Book, commands)
	if err != nil {
		return nil, fmt.Errorf("read what the book holds: %w", err)
	}
	batch := ledger.Append(head, facts, commands, s.now())
	for i, outcome := range batch.Outcomes {
		if outcome.Duplicate {
			if err := countReplay(tx, actor.Book, commands[i].Key); err != nil {
				return nil, err
			}
		}
	}
	if len(batch.Records) == 0 {
		return batch.Outcomes, nil
	}
	for _, write := range []func(*gorm.DB, Actor, ledger.Batch) error{insertPostings, insertEntries, insertKeys, writeTotals} {
		if err := write(tx, actor, batch); err != nil {
			return nil, fmt.Errorf("append entries %d to %d: %w", batch.Records[0].Seq, batch.Head.Seq, err)
		}
	}
	return batch.Outcomes, nil
}

// insertPostings writes all postings in one statement. It joins the head row, so that on a distributed engine the
// statement stays on the node of the book.
func insertPostings(tx *gorm.DB, actor Actor, batch ledger.Batch) error {
	var seqs, lines, accounts, amounts []int64
	var currencies []string
	for _, r := range batch.Records {
		for i, p := range r.Postings {
			seqs, lines = append(seqs, r.Seq), append(lines, int64(i+1))
			accounts, amounts = append(accounts, batch.Facts.Accounts[p.Account].ID), append(amounts, p.AmountMinor)
			currencies = append(currencies, p.Currency)
		}
	}
	_, err := exec(tx, `
		INSERT INTO postings (book_id, seq, line, account_id, amount_minor, currency)
		SELECT h.book_id, u.seq, u.line, u.account_id, u.amount_minor, u.currency
		  FROM heads h CROSS JOIN unnest(?::bigint[], ?::integer[], ?::bigint[], ?::bigint[], ?::text[])
		       AS u (seq, line, account_id, amount_minor, currency)
		 WHERE h.book_id = ?`,
		array[int64](seqs), array[int64](lines), array[int64](accounts), array[int64](amounts), array[string](currencies), actor.Book.ID)
	return err
}

type entryColumns struct {
	seqs, recordedBy, postingCounts               []int64
	approvals, reverses, replaces                 []*int64
	txIDs, kinds, descriptions, reasons, metadata []string
	effectiveOn, recordedAt                       []time.Time
	prevHashes, hashes                            [][]byte
}

func columnsOf(records []ledger.Record) (entryColumns, error) {
	var c entryColumns
	for _, r := range records {
		metadata, err := json.Marshal(r.Metadata)
		if err != nil {
			return c, err
		}
		if r.Metadata == nil {
			metadata = []byte("{}")
		}
		c.seqs, c.txIDs, c.kinds = append(c.seqs, r.Seq), append(c.txIDs, r.TxID), append(c.kinds, string(r.Kind))
		c.effectiveOn, c.recordedAt = append(c.effectiveOn, r.EffectiveOn.Time()), append(c.recordedAt, r.RecordedAt)
		c.descriptions, c.reasons = append(c.descriptions, r.Description), append(c.reasons, r.Reason)
		c.recordedBy, c.approvals = append(c.recordedBy, r.RecordedBy), append(c.approvals, nullable(r.ApprovalID))
		c.reverses, c.replaces = append(c.reverses, nullable(r.Reverses)), append(c.replaces, nullable(r.Replaces))
		c.postingCounts, c.metadata = append(c.postingCounts, int64(len(r.Postings))), append(c.metadata, string(metadata))
		c.prevHashes, c.hashes = append(c.prevHashes, r.PrevHash[:]), append(c.hashes, r.Hash[:])
	}
	return c, nil
}

func insertEntries(tx *gorm.DB, actor Actor, batch ledger.Batch) error {
	c, err := columnsOf(batch.Records)
	if err != nil {
		return err
	}
	_, err = exec(tx, `
		INSERT INTO entries (book_id, seq, tx_id, kind, effective_on, recorded_at, description, reason, recorded_by, approval_id,
		                     reverses, part, replaces, posting_count, metadata, prev_hash, hash)
		SELECT h.book_id, u.seq, u.tx_id, u.kind, u.effective_on, u.recorded_at, u.description, u.reason, u.recorded_by, u.approval_id,
		       u.reverses, 0, u.replaces, u.posting_count, u.metadata::jsonb, u.prev_hash, u.hash
		  FROM heads h CROSS JOIN unnest(?::bigint[], ?::text[], ?::text[], ?::date[], ?::timestamptz[], ?::text[], ?::text[], ?::bigint[], ?::bigint[],
		                                 ?::bigint[], ?::bigint[], ?::integer[], ?::text[], ?::bytea[], ?::bytea[])
		       AS u (seq, tx_id, kind, effective_on, recorded_at, description, reason, recorded_by, approval_id,
		             reverses, replaces, posting_count, metadata, prev_hash, hash)
		 WHERE h.book_id = ?`,
		array[int64](c.seqs), array[string](c.txIDs), array[string](c.kinds), array[time.Time](c.effectiveOn), array[time.Time](c.recordedAt),
		array[string](c.descriptions), array[string](c.reasons), array[int64](c.recordedBy), array[*int64](c.approvals),
		array[*int64](c.reverses), array[*int64](c.replaces), array[int64](c.postingCounts), array[string](c.metadata),
		array[[]byte](c.prevHashes), array[[]byte](c.hashes), actor.Book.ID)
	return err
}

// writeTotals brings the kept totals to their new values, rows in the order of their keys.
func writeTotals(tx *gorm.DB, actor Actor, batch ledger.Batch) error {
	if err := writeAccountTotals(tx, actor.Book.ID, batch); err != nil {
		return err
	}
	if err := addAccountDays(tx, actor.Book.ID, batch); err != nil {
		return err
	}
	var currencies []string
	var debits []int64
	for _, currency := range slices.Sorted(maps.Keys(batch.Facts.Currencies)) {
		currencies, debits = append(currencies, currency), append(debits, batch.Facts.Currencies[currency])
	}
	_, err := exec(tx, `
		INSERT INTO currency_totals (book_id, currency, debit_minor)
		SELECT h.book_id, u.currency, u.debit_minor
		  FROM heads h CROSS JOIN unnest(?::text[], ?::bigint[]) AS u (currency, debit_minor) WHERE h.book_id = ? ORDER BY u.currency
		ON CONFLICT (book_id, currency) DO UPDATE SET debit_minor = excluded.debit_minor`,
		array[string](currencies), array[int64](debits), actor.Book.ID)
	return err
}

func writeAccountTotals(tx *gorm.DB, bookID int64, batch ledger.Batch) error {
	touched := map[int64]ledger.Turnover{}
	for _, r := range batch.Records {
		for _, p := range r.Postings {
			touched[batch.Facts.Accounts[p.Account].ID] = batch.Facts.Totals[p.Account]
		}
	}
	var ids, debits, credits []int64
	for _, id := range slices.Sorted(maps.Keys(touched)) {
		ids, debits, credits = append(ids, id), append(debits, touched[id].DebitMinor), append(credits, touched[id].CreditMinor)
	}
	_, err := exec(tx, `
		INSERT INTO account_totals (book_id, account_id, debit_minor, credit_minor)
		SELECT h.book_id, u.account_id, u.debit_minor, u.credit_minor
		  FROM heads h CROSS JOIN unnest(?::bigint[], ?::bigint[], ?::bigint[]) AS u (account_id, debit_minor, credit_minor)
		 WHERE h.book_id = ? ORDER BY u.account_id
		ON CONFLICT (book_id, account_id) DO UPDATE SET debit_minor = excluded.debit_minor, credit_minor = excluded.credit_minor`,
		array[int64](ids), array[int64](debits), array[int64](credits), bookID)
	return err
}

// addAccountDays adds the batch's turnover per account, effective day and recorded day (UTC).
func addAccountDays(tx *gorm.DB, bookID int64, batch ledger.Batch) error {
	var ids, debits, credits []int64
	var effective, recorded []time.Time
	for _, r := range batch.Records {
		for _, p := range r.Postings {
			ids = append(ids, batch.Facts.Accounts[p.Account].ID)
			effective, recorded = append(effective, r.EffectiveOn.Time()), append(recorded, ledger.DateOf(r.RecordedAt).Time())
			debits, credits = append(debits, max(p.AmountMinor, 0)), append(credits, max(-p.AmountMinor, 0))
		}
	}
	_, err := exec(tx, `
		INSERT INTO account_days (book_id, account_id, effective_on, recorded_on, debit_minor, credit_minor)
		SELECT h.book_id, u.account_id, u.effective_on, u.recorded_on, sum(u.debit_minor), sum(u.credit_minor)
		  FROM heads h CROSS JOIN unnest(?::bigint[], ?::date[], ?::date[], ?::bigint[], ?::bigint[])
		       AS u (account_id, effective_on, recorded_on, debit_minor, credit_minor)
		 WHERE h.book_id = ? GROUP BY h.book_id, u.account_id, u.effective_on, u.recorded_on ORDER BY u.account_id, u.effective_on, u.recorded_on
		ON CONFLICT (book_id, account_id, effective_on, recorded_on) DO UPDATE
		   SET debit_minor = account_days.debit_minor + excluded.debit_minor, credit_minor = account_days.credit_minor + excluded.credit_minor`,
		array[int64](ids), array[time.Time](effective), array[time.Time](recorded), array[int64](debits), array[int64](credits), bookID)
	return err
}

// keysSweptAtOnce bounds how many expired keys a post takes along: more than it adds, so that the table shrinks to those alive.
const keysSweptAtOnce = 20

// insertKeys settles the idempotency keys of what was appended. Expired ones are swept on this occasion, those first that come
// again; one that another transaction has at hand is left for later.
func insertKeys(tx *gorm.DB, actor Actor, batch ledger.Batch) error {
	if len(batch.Keys) == 0 {
		return nil
	}
	var keys array[string]
	var seqs array[int64]
	var fingerprints array[[]byte]
	for _, r := range batch.Records {
		if key, ok := batch.Keys[r.Seq]; ok {
			fingerprint := r.Fingerprint()
			keys, seqs, fingerprints = append(keys, key), append(seqs, r.Seq), append(fingerprints, fingerprint[:])
		}
	}
	now := batch.Head.RecordedAt
	if _, err := exec(tx, `
		DELETE FROM idempotency_keys WHERE book_id = ? AND expires_at <= ? AND key = ANY(?::text[] || ARRAY(
		       SELECT k.key FROM idempotency_keys k WHERE k.book_id = ? AND k.expires_at <= ? ORDER BY k.expires_at LIMIT ? FOR UPDATE SKIP LOCKED))`,
		actor.Book.ID, now, keys, actor.Book.ID, now, keysSweptAtOnce); err != nil {
		return fmt.Errorf("sweep expired keys: %w", err)
	}
	_, err := exec(tx, `
		INSERT INTO idempotency_keys (book_id, key, operation, fingerprint, seq, attempts, replays, used_by, settled_at, expires_at)
		SELECT h.book_id, u.key, ?, u.fingerprint, u.seq, 1, 0, ?, ?, ?
		  FROM heads h CROSS JOIN unnest(?::text[], ?::bytea[], ?::bigint[]) AS u (key, fingerprint, seq) WHERE h.book_id = ?`,
		ledger.OpEntry, actor.UserID, now, now.AddDate(0, 0, actor.Book.KeyRetentionDays), keys, fingerprints, seqs, actor.Book.ID)
	return inProgress(err)
}

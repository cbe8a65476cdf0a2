package store

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"time"

	"gorm.io/gorm"

	"daybook/store/ledger"
)

// Receipt is what a posted entry settled to: the whole record, with how often the work was tried and whether this answer is
// a duplicate. ReversedBy and ReplacedBy are facts that came later, 0 where there is none.
type Receipt struct {
	ledger.Record
	Recorder string // e-mail address of the person or machine that recorded it
	// RecorderName is the name beside that address; Key is the idempotency key while it lives.
	RecorderName string
	Key          string
	ReversedBy   int64
	ReplacedBy   int64
	Attempts     int
	Duplicate    bool
}

// PostEntry appends an entry to the actor's book under an idempotency key. Posting again with the same key and content gives the
// first receipt, marked as a duplicate; a refusal leaves the key free. Errors: KindForbidden, KindKeyReused and those of
// ledger.Append.
func (s *Store) PostEntry(ctx context.Context, actor Actor, key string, entry ledger.Entry) (Receipt, error) {
	if err := actor.Need(RightPost); err != nil {
		return Receipt{}, err
	}
	command := postCommand(actor, key, entry)
	if s.plain {
		return s.postPlainly(ctx, actor, command)
	}
	settled, err := s.writers.of(s, actor.Book).settle(ctx, actor, command)
	if err != nil {
		return Receipt{}, err
	}
	return s.receiptFor(ctx, settled.actor, key, settled.outcome)
}

// PostEntries appends many entries without keys in one transaction, all or none. It is for filling a book; the tx ids guard
// against doing it twice.
func (s *Store) PostEntries(ctx context.Context, actor Actor, entries []ledger.Entry) error {
	if err := actor.Need(RightPost); err != nil {
		return err
	}
	commands := make([]ledger.Command, len(entries))
	for i, entry := range entries {
		commands[i] = ledger.Command{Entry: entry, Kind: ledger.PlainEntry, RecordedBy: actor.UserID}
	}
	return s.inTx(ctx, func(tx *gorm.DB) error {
		outcomes, err := s.appendIn(tx, actor, commands)
		if err != nil {
			return err
		}
		for i, outcome := range outcomes {
			if outcome.Err != nil {
				return fmt.Errorf("entry %d of %d, %s: %w", i+1, len(entries), entries[i].TxID, outcome.Err)
			}
		}
		return nil
	})
}

// MaxPage is the most items that a list gives at once.
const MaxPage = 1000

// Entries lists entries of a filter by seq, ascending unless Newest; more reports whether others follow on the page's far side.
func (s *Store) Entries(ctx context.Context, actor Actor, f EntryFilter) (items []Receipt, more bool, err error) {
	if err := actor.Need(RightRead); err != nil {
		return nil, false, err
	}
	if err := f.check(); err != nil {
		return nil, false, err
	}
	f.Limit = pageSize(f.Limit)
	where, args := f.where(actor.Book)
	order := "ASC"
	if f.Newest {
		order = "DESC"
	}
	db := s.db.WithContext(ctx)
	seqs, err := query[int64](db, `SELECT e.seq FROM entries e WHERE `+where+` ORDER BY e.seq `+order+` LIMIT `+strconv.Itoa(f.Limit+1), args...)
	if err != nil {
		return nil, false, fmt.Errorf("list entries: %w", err)
	}
	if more = len(seqs) > f.Limit; more {
		seqs = seqs[:f.Limit]
	}
	items, err = loadRecords(db, actor.Book, `e.seq = ANY(?::bigint[])`, array[int64](seqs))
	if f.Newest {
		slices.Reverse(items)
	}
	return items, more, err
}

func pageSize(limit int) int {
	if limit <= 0 {
		return 100
	}
	return min(limit, MaxPage)
}

// Entry gives one entry of the actor's book. Error: KindNotFound.
func (s *Store) Entry(ctx context.Context, actor Actor, seq int64) (Receipt, error) {
	if err := actor.Need(RightRead); err != nil {
		return Receipt{}, err
	}
	return loadEntry(s.db.WithContext(ctx), actor.Book, seq)
}

func loadEntry(db *gorm.DB, book Book, seq int64) (Receipt, error) {
	records, err := loadRecords(db, book, `e.seq = ?`, seq)
	if err != nil {
		return Receipt{}, err
	}
	if len(records) == 0 {
		return Receipt{}, ledger.Refuse(ledger.KindNotFound, "book %s has no entry %d", book.Code, seq)
	}
	return records[0], nil
}

type recordRow struct {
	Seq          int64
	TxID         string
	Kind         ledger.EntryKind
	EffectiveOn  ledger.Date
	RecordedAt   time.Time
	Description  string
	Reason       string
	RecordedBy   int64
	Recorder     string
	RecorderName string
	ApprovalID   *int64
	Reverses     *int64
	Part         int
	Replaces     *int64
	Metadata     string
	PrevHash     ledger.Hash
	Hash         ledger.Hash
	ReversedBy   *int64
	ReplacedBy   *int64
	Attempts     *int
	Key          *string
}

// loadRecords reads whole records of a book by a condition on entries e, in order of seq. What belongs to an entry is looked up for
// each: of a book that has grown within minutes the planner knows nothing yet, and would read all of it.
func loadRecords(db *gorm.DB, book Book, condition string, args ...any) ([]Receipt, error) {
	rows, err := query[recordRow](db, `
		SELECT e.seq, e.tx_id, e.kind, e.effective_on, e.recorded_at, e.description, e.reason, e.recorded_by, u.email AS recorder, u.name AS recorder_name, e.approval_id,
		       e.reverses, e.part, e.replaces, e.metadata::text AS metadata, e.prev_hash, e.hash, r.seq AS reversed_by, f.seq AS replaced_by, k.attempts, k.key
		  FROM entries e
		  JOIN users u ON u.id = e.recorded_by
		  LEFT JOIN LATERAL (SELECT seq FROM entries WHERE book_id = e.book_id AND reverses = e.seq AND part = 0 OFFSET 0) r ON true
		  LEFT JOIN LATERAL (SELECT seq FROM entries WHERE book_id = e.book_id AND replaces = e.seq OFFSET 0) f ON true
		  LEFT JOIN LATERAL (SELECT attempts, key FROM idempotency_keys WHERE book_id = e.book_id AND seq = e.seq OFFSET 0) k ON true
		 WHERE e.book_id = ? AND `+condition+` ORDER BY e.seq`, append([]any{book.ID}, args...)...)
	if err != nil {
		return nil, fmt.Errorf("read entries: %w", err)
	}
	postings, err := loadPostings(db, book, rows)
	if err != nil {
		return nil, err
	}
	receipts := make([]Receipt, len(rows))
	for i, row := range rows {
		if receipts[i], err = row.receipt(book, postings[row.Seq]); err != nil {
			return nil, err
		}
	}
	return receipts, nil
}

func loadPostings(db *gorm.DB, book Book, rows []recordRow) (map[int64][]ledger.Posting, error) {
	seqs := make(array[int64], len(rows))
	for i, row := range rows {
		seqs[i] = row.Seq
	}
	lines, err := query[struct {
		Seq         int64
		Account     string
		AmountMinor int64
		Currency    string
	}](db, `
		SELECT p.seq, a.code AS account, p.amount_minor, p.currency
		  FROM unnest(?::bigint[]) AS e (seq)
		 CROSS JOIN LATERAL (SELECT seq, line, account_id, amount_minor, currency FROM postings WHERE book_id = ? AND seq = e.seq OFFSET 0) p
		  JOIN accounts a ON a.book_id = ? AND a.id = p.account_id
		 ORDER BY p.seq, p.line`, seqs, book.ID, book.ID)
	if err != nil {
		return nil, fmt.Errorf("read postings: %w", err)
	}
	postings := map[int64][]ledger.Posting{}
	for _, l := range lines {
		postings[l.Seq] = append(postings[l.Seq], ledger.Posting{Account: l.Account, AmountMinor: l.AmountMinor, Currency: l.Currency})
	}
	return postings, nil
}

func (r recordRow) receipt(book Book, postings []ledger.Posting) (Receipt, error) {
	metadata := map[string]string{}
	if err := json.Unmarshal([]byte(r.Metadata), &metadata); err != nil {
		return Receipt{}, fmt.Errorf("read the metadata of entry %d: %w", r.Seq, err)
	}
	attempts, key := 1, ""
	if r.Attempts != nil {
		attempts, key = *r.Attempts, *r.Key
	}
	return Receipt{
		Record: ledger.Record{
			Entry: ledger.Entry{TxID: r.TxID, EffectiveOn: r.EffectiveOn, Description: r.Description, Postings: postings, Metadata: metadata},
			Book:  book.Code, Seq: r.Seq, Kind: r.Kind, RecordedAt: r.RecordedAt.UTC(), RecordedBy: r.RecordedBy, Reason: r.Reason,
			ApprovalID: valueOf(r.ApprovalID), Reverses: valueOf(r.Reverses), Part: r.Part, Replaces: valueOf(r.Replaces),
			PrevHash: r.PrevHash, Hash: r.Hash,
		},
		Recorder: r.Recorder, RecorderName: r.RecorderName, Key: key, ReversedBy: valueOf(r.ReversedBy), ReplacedBy: valueOf(r.ReplacedBy), Attempts: attempts,
	}, nil
}

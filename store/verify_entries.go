package store

import (
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"slices"
	"time"

	"daybook/store/ledger"
)

// verifyPage is how many entries are read at once, and verifyPagePostings at most how many postings with them, unless a single
// entry has more.
const (
	verifyPage         = 1000
	verifyPagePostings = 10_000
)

// storedEntry is an entry with its postings as they are stored, without anything that a join could hide or add.
type storedEntry struct {
	Seq          int64
	TxID         string
	Kind         ledger.EntryKind
	EffectiveOn  ledger.Date
	RecordedAt   time.Time
	Description  string
	Reason       string
	RecordedBy   int64
	ApprovalID   *int64
	Reverses     *int64
	Part         int
	Replaces     *int64
	PostingCount int64
	Metadata     string
	PrevHash     ledger.Hash
	Hash         ledger.Hash
	Lines        []storedPosting `gorm:"-"`
}

// storedPosting is a posting as it is stored; Account and AccountCurrency are nil when there is no such account.
type storedPosting struct {
	Seq             int64
	Line            int64
	Account         *string
	AccountCurrency *string
	AmountMinor     int64
	Currency        string
}

// checkEntries follows the chain from its beginning to the first fault or its end.
func (v *verifier) checkEntries() (*Fault, error) {
	after := int64(math.MinInt64)
	for {
		page, err := v.readEntries(`e.seq > ? ORDER BY e.seq LIMIT ?`, after, verifyPage)
		if err != nil || len(page) == 0 {
			return nil, err
		}
		if page, err = v.readLines(page); err != nil {
			return nil, err
		}
		for _, e := range page {
			if fault := v.follow(e); fault != nil {
				return fault, nil
			}
		}
		after = v.end.Seq
	}
}

func (v *verifier) readEntries(condition string, args ...any) ([]storedEntry, error) {
	entries, err := query[storedEntry](v.tx, `
		SELECT e.seq, e.tx_id, e.kind, CASE WHEN isfinite(e.effective_on) THEN e.effective_on END AS effective_on,
		       CASE WHEN isfinite(e.recorded_at) THEN e.recorded_at END AS recorded_at, e.description, e.reason, e.recorded_by, e.approval_id, e.reverses, e.part,
		       e.replaces, e.posting_count, e.metadata::text AS metadata, e.prev_hash, e.hash
		  FROM entries e WHERE e.book_id = ? AND `+condition, append([]any{v.book.ID}, args...)...)
	if err != nil {
		return nil, fmt.Errorf("read entries: %w", err)
	}
	return entries, nil
}

// readLines reads the postings of entries in order of seq, of as many of them as fit, and returns these. One line more than there
// should be is enough to see that there are too many.
func (v *verifier) readLines(entries []storedEntry) ([]storedEntry, error) {
	count, fit := int64(0), 0
	for ; fit < len(entries); fit++ {
		more := max(entries[fit].PostingCount, 0)
		if fit > 0 && count+more > verifyPagePostings {
			break
		}
		count += more
	}
	entries = entries[:fit]
	seqs := make(array[int64], fit)
	for i, e := range entries {
		seqs[i] = e.Seq
	}
	lines, err := query[storedPosting](v.tx, `
		SELECT p.seq, p.line, a.code AS account, a.currency AS account_currency, p.amount_minor, p.currency
		  FROM postings p LEFT JOIN accounts a ON a.book_id = p.book_id AND a.id = p.account_id
		 WHERE p.book_id = ? AND p.seq = ANY(?::bigint[]) ORDER BY p.seq, p.line LIMIT ?`, v.book.ID, seqs, count+1)
	if err != nil {
		return nil, fmt.Errorf("read postings: %w", err)
	}
	at := 0
	for i := range entries {
		from := at
		for at < len(lines) && lines[at].Seq == entries[i].Seq {
			at++
		}
		entries[i].Lines = lines[from:at]
	}
	return entries, nil
}

// follow holds an entry against the end of the chain and moves the end to it.
func (v *verifier) follow(e storedEntry) *Fault {
	switch next := v.end.Seq + 1; {
	case e.Seq < next:
		return &Fault{Seq: next, What: fmt.Sprintf("is not the first entry: one is numbered %d", e.Seq)}
	case e.Seq > next:
		return &Fault{Seq: next, What: fmt.Sprintf("is missing: the next one is entry %d", e.Seq)}
	}
	what := e.postingFault()
	if what == "" {
		what = e.chainFault(v.book, v.end)
	}
	if what != "" {
		return &Fault{Seq: e.Seq, What: what}
	}
	v.end = ledger.Head{Seq: e.Seq, Hash: e.Hash, RecordedAt: e.RecordedAt.UTC()}
	return nil
}

// postingFault says what is wrong with the postings of an entry among themselves, or "".
func (e storedEntry) postingFault() string {
	if int64(len(e.Lines)) != e.PostingCount {
		return fmt.Sprintf("has %d postings, and was recorded with %d", len(e.Lines), e.PostingCount)
	}
	if len(e.Lines) < 2 {
		return "has fewer than two postings"
	}
	sums := map[string]ledger.Turnover{}
	for i, p := range e.Lines {
		sum, fits := sums[p.Currency].Add(p.AmountMinor)
		switch {
		case p.Line != int64(i+1):
			return fmt.Sprintf("its postings are not numbered from 1 to %d", len(e.Lines))
		case p.Account == nil:
			return fmt.Sprintf("line %d names an account that does not exist", p.Line)
		case *p.AccountCurrency != p.Currency:
			return fmt.Sprintf("line %d is in %s, and account %s in %s", p.Line, p.Currency, *p.Account, *p.AccountCurrency)
		case p.AmountMinor == 0:
			return fmt.Sprintf("line %d is of zero", p.Line)
		case !fits:
			return fmt.Sprintf("line %d takes its total beyond the largest amount", p.Line)
		}
		sums[p.Currency] = sum
	}
	for _, currency := range slices.Sorted(maps.Keys(sums)) {
		if sum := sums[currency]; sum.BalanceMinor() != 0 {
			return fmt.Sprintf("does not balance: %s debits are %s and credits %s", currency,
				ledger.FormatAmount(sum.DebitMinor, currency), ledger.FormatAmount(sum.CreditMinor, currency))
		}
	}
	return ""
}

// chainFault says how an entry fails to continue the chain, or "".
func (e storedEntry) chainFault(book Book, end ledger.Head) string {
	record, err := e.record(book)
	switch {
	case err != nil:
		return "its metadata is not text by key"
	case record.PrevHash != end.Hash:
		return fmt.Sprintf("does not continue the chain: it was recorded after another entry than entry %d is now", end.Seq)
	case record.RecordedAt.Before(end.RecordedAt):
		return fmt.Sprintf("was recorded at %s, before entry %d", ledger.FormatInstant(record.RecordedAt), end.Seq)
	case record.Hash != record.ComputeHash():
		return "is not what was recorded: its content does not have its hash"
	}
	return ""
}

// record is what the hash of an entry is computed over. Its error is of metadata that cannot be read.
func (e storedEntry) record(book Book) (ledger.Record, error) {
	metadata := map[string]string{}
	if err := json.Unmarshal([]byte(e.Metadata), &metadata); err != nil {
		return ledger.Record{}, err
	}
	postings := make([]ledger.Posting, len(e.Lines))
	for i, p := range e.Lines {
		postings[i] = ledger.Posting{AmountMinor: p.AmountMinor, Currency: p.Currency}
		if p.Account != nil {
			postings[i].Account = *p.Account
		}
	}
	return ledger.Record{
		Entry: ledger.Entry{TxID: e.TxID, EffectiveOn: e.EffectiveOn, Description: e.Description, Postings: postings, Metadata: metadata},
		Book:  book.Code, Seq: e.Seq, Kind: e.Kind, RecordedAt: e.RecordedAt.UTC(), RecordedBy: e.RecordedBy, Reason: e.Reason,
		ApprovalID: valueOf(e.ApprovalID), Reverses: valueOf(e.Reverses), Part: e.Part, Replaces: valueOf(e.Replaces),
		PrevHash: e.PrevHash, Hash: e.Hash,
	}, nil
}

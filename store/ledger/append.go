package ledger

import (
	"cmp"
	"maps"
	"slices"
	"time"
)

// Head is the end of a book's journal: the last entry's number, hash and time.
type Head struct {
	Seq        int64
	Hash       Hash
	RecordedAt time.Time
}

// Command asks for one entry to be appended. Key is the idempotency key, "" where the caller guards repetition by
// other means. Recorder is the e-mail address of RecordedBy, for who comes with the same key in the same batch.
type Command struct {
	Key        string
	Entry      Entry
	Kind       EntryKind
	RecordedBy int64
	Recorder   string
	Reason     string
	ApprovalID int64
	Reverses   int64
	Replaces   int64
}

// KeyUse is who used an idempotency key first, and for what: an entry, which is Record, or another operation with what was
// sent for it as Content, by field path.
type KeyUse struct {
	Operation   string
	Fingerprint Hash
	Content     map[string]string
	Attempts    int
	UsedBy      string
	SettledAt   time.Time
	Record      *Record
}

// OpEntry is the operation of a key that posted an entry.
const OpEntry = "entry"

// TxIDUse says where a tx id is in use: posted as entry Seq, or reserved by the pending request ApprovalID.
type TxIDUse struct{ Seq, ApprovalID int64 }

// Facts is what the book holds of all that the commands mention, read under the head's lock. A missing map entry means
// that there is none.
type Facts struct {
	Book       string
	Accounts   map[string]Account
	Keys       map[string]KeyUse
	TxIDs      map[string]TxIDUse
	Closed     map[Period]bool
	ReversedBy map[int64]int64
	Totals     map[string]Turnover    // by account code: over all dates
	Days       map[string]DayBalances // by account code, for NoNegative accounts: by effective day
	Currencies map[string]int64       // debit total of the book per currency
}

// Outcome answers one command: Record and no error when it was appended or is a Duplicate of one that was.
type Outcome struct {
	Record    Record
	Duplicate bool
	Attempts  int
	Err       error
}

// Batch is what one Append adds: records in order, the new head, and the totals that changed.
type Batch struct {
	Head     Head
	Records  []Record
	Keys     map[int64]string // by seq: the idempotency key that posted it
	Outcomes []Outcome        // one a command, in order
	Facts    Facts            // as they are afterwards
}

// Append validates, numbers and chains commands behind a head, in order. A command that breaks a rule gets its error
// and leaves the others alone. It changes facts: totals, keys and tx ids of what it appends, so that later commands of
// the batch see them. Errors of commands: those of Entry.Check, KindKeyReused, KindTxIDExists, KindUnknownAccount,
// KindClosedAccount, KindCurrencyMismatch, KindPeriodClosed, KindAmountOverflow, KindInsufficientFunds.
func Append(head Head, facts Facts, commands []Command, now time.Time) Batch {
	a := appender{facts: facts, batch: Batch{Head: head, Keys: map[int64]string{}}, at: nextInstant(now, head.RecordedAt)}
	for _, c := range commands {
		a.batch.Outcomes = append(a.batch.Outcomes, a.append(c))
	}
	a.batch.Facts = a.facts
	return a.batch
}

type appender struct {
	facts Facts
	batch Batch
	at    time.Time
}

func (a *appender) append(c Command) Outcome {
	if use, used := a.facts.Keys[c.Key]; used && c.Key != "" {
		return answerFromKey(c, use)
	}
	if err := a.check(c); err != nil {
		return Outcome{Err: err}
	}
	effect, err := a.effectOf(c.Entry)
	if err != nil {
		return Outcome{Err: err}
	}
	record := a.chain(c)
	effect.apply(&a.facts)
	a.facts.TxIDs[c.Entry.TxID] = TxIDUse{Seq: record.Seq}
	if c.Reverses != 0 {
		a.facts.ReversedBy[c.Reverses] = record.Seq
	}
	if c.Key != "" {
		a.facts.Keys[c.Key] = KeyUse{Operation: OpEntry, Fingerprint: c.Entry.Fingerprint(), Attempts: 1, UsedBy: c.Recorder, SettledAt: a.at, Record: &record}
		a.batch.Keys[record.Seq] = c.Key
	}
	a.batch.Records = append(a.batch.Records, record)
	return Outcome{Record: record, Attempts: 1}
}

func answerFromKey(c Command, use KeyUse) Outcome {
	if use.Operation == OpEntry && use.Record != nil && use.Fingerprint == c.Entry.Fingerprint() {
		return Outcome{Record: *use.Record, Duplicate: true, Attempts: use.Attempts}
	}
	return Outcome{Err: KeyReused(c.Key, use, OpEntry, EntryFields(c.Entry))}
}

// check holds a command against the facts, without effect on totals.
func (a *appender) check(c Command) error {
	if err := c.Entry.Check(); err != nil {
		return err
	}
	if use, taken := a.facts.TxIDs[c.Entry.TxID]; taken && (use.ApprovalID == 0 || use.ApprovalID != c.ApprovalID) {
		return txIDExists(c.Entry.TxID, use)
	}
	if err := a.checkAccounts(c.Entry); err != nil {
		return err
	}
	if p := PeriodOf(c.Entry.EffectiveOn); a.facts.Closed[p] {
		return Refuse(KindPeriodClosed, "period %s is closed: use a date in an open period", p).
			At("effective_on", "lies in period %s, which is closed", p)
	}
	if by := a.facts.ReversedBy[c.Reverses]; c.Reverses != 0 && by != 0 {
		return Refuse(KindAlreadyReversed, "entry %d is already reversed by entry %d", c.Reverses, by).With("reversed_by", by)
	}
	return nil
}

func (a *appender) checkAccounts(e Entry) error {
	unknown := Refuse(KindUnknownAccount, "the book has no such account")
	closed := Refuse(KindClosedAccount, "the account is closed")
	mismatch := Refuse(KindCurrencyMismatch, "an account holds one currency only")
	for i, p := range e.Postings {
		switch account, known := a.facts.Accounts[p.Account]; {
		case !known:
			unknown.At(postingField(i, "account"), "there is no account %q in this book", p.Account)
		case account.Closed:
			closed.At(postingField(i, "account"), "account %s is closed", p.Account)
		case account.Currency != p.Currency:
			mismatch.At(postingField(i, "currency"), "account %s is in %s, not %s", p.Account, account.Currency, p.Currency)
		}
	}
	return cmp.Or(unknown.OrNil(), closed.OrNil(), mismatch.OrNil())
}

func (a *appender) chain(c Command) Record {
	r := Record{
		Entry: c.Entry, Book: a.facts.Book, Seq: a.batch.Head.Seq + 1, Kind: c.Kind, RecordedAt: a.at, RecordedBy: c.RecordedBy,
		Reason: c.Reason, ApprovalID: c.ApprovalID, Reverses: c.Reverses, Replaces: c.Replaces, PrevHash: a.batch.Head.Hash,
	}
	if r.Kind == "" {
		r.Kind = PlainEntry
	}
	r.Postings = slices.Clone(c.Entry.Postings)
	r.Metadata = maps.Clone(c.Entry.Metadata)
	r.Hash = r.ComputeHash()
	a.batch.Head = Head{Seq: r.Seq, Hash: r.Hash, RecordedAt: r.RecordedAt}
	return r
}

func txIDExists(txID string, use TxIDUse) error {
	if use.Seq != 0 {
		return Refuse(KindTxIDExists, "tx id %q is already entry %d", txID, use.Seq).
			At("tx_id", "is already entry %d", use.Seq).With("seq", use.Seq)
	}
	return Refuse(KindTxIDExists, "tx id %q is reserved by pending approval %d", txID, use.ApprovalID).
		At("tx_id", "is reserved by pending approval %d", use.ApprovalID).With("approval_id", use.ApprovalID)
}

package store

import (
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"time"

	"gorm.io/gorm"

	"daybook/store/ledger"
)

// ApprovalStatus says how far a request is.
type ApprovalStatus string

// The statuses of a request; all but pending are also decisions.
const (
	Pending  ApprovalStatus = "pending"
	Approved ApprovalStatus = "approved"
	Rejected ApprovalStatus = "rejected"
	Recalled ApprovalStatus = "recalled"
)

// Approval is a request to reverse an entry, and perhaps to replace it, with its decision once there is one.
type Approval struct {
	ID              int64
	Kind            string
	SubjectSeq      int64
	Status          ApprovalStatus
	RequesterID     int64
	Requester       string
	RequesterName   string
	RequestedAt     time.Time
	Reason          string
	EffectiveOn     ledger.Date
	ReversalTxID    string
	ReplacementTxID string
	Replacement     *ledger.Entry
	ContentHash     ledger.Hash
	DeciderID       int64
	Decider         string
	DeciderName     string
	DecidedAt       time.Time
	Note            string
	ReversalSeq     int64
	ReplacementSeq  int64
}

// Intact reports whether the request is still what was sent: its content has the hash that it was stored with.
func (a Approval) Intact() bool { return a.ContentHash == a.contentHash() }

// contentHash binds what is approved: subject, reason, date, ids and replacement, as JSON of the fields below in this order.
func (a Approval) contentHash() ledger.Hash {
	content, err := json.Marshal([]any{"daybook-approval", 1, a.Kind, a.SubjectSeq, a.Reason, a.EffectiveOn, a.ReversalTxID, a.ReplacementTxID, fingerprintOf(a.Replacement)})
	if err != nil {
		panic(fmt.Sprintf("plain values did not become JSON: %v", err))
	}
	return sha256.Sum256(content)
}

func fingerprintOf(e *ledger.Entry) string {
	if e == nil {
		return ""
	}
	return e.Fingerprint().String()
}

// commands gives what approval appends: the reversal, then the replacement if there is one.
func (a Approval) commands(subject ledger.Record, deciderID int64) []ledger.Command {
	commands := []ledger.Command{{
		Kind: ledger.Reversal, Reverses: subject.Seq, Reason: a.Reason, ApprovalID: a.ID, RecordedBy: deciderID,
		Entry: ledger.Entry{
			TxID: a.ReversalTxID, EffectiveOn: a.EffectiveOn, Description: "Reversal of " + subject.TxID, Postings: ledger.Mirror(subject.Postings),
		},
	}}
	if a.Replacement != nil {
		commands = append(commands, ledger.Command{
			Kind: ledger.Replacement, Replaces: subject.Seq, Reason: a.Reason, ApprovalID: a.ID, RecordedBy: deciderID, Entry: *a.Replacement,
		})
	}
	return commands
}

// ReversalRequest is what a person asks for: a whole reversal of an entry on a date, and perhaps a replacement, whose tx id may be
// left empty.
type ReversalRequest struct {
	Reason      string
	EffectiveOn ledger.Date
	Replacement *ledger.Entry
}

// RequestReversal asks for the reversal of an entry. Nothing is posted before another person approves; the tx ids are reserved
// until the request is decided. Errors: KindForbidden, KindNotFound, KindIsReversal, KindAlreadyReversed, KindReversalPending,
// KindInvalid, KindKeyReused and those of ledger.Append, which is tried without effect.
func (s *Store) RequestReversal(ctx context.Context, actor Actor, key string, seq int64, request ReversalRequest) (approval Approval, duplicate bool, err error) {
	if err := actor.Need(RightRequest); err != nil {
		return Approval{}, false, err
	}
	if err := request.check(); err != nil {
		return Approval{}, false, err
	}
	content := map[string]any{"seq": seq, "reason": request.Reason, "effective_on": request.EffectiveOn}
	if request.Replacement != nil {
		content["replacement"] = ledger.EntryFields(*request.Replacement)
	}
	err = s.inTx(ctx, func(tx *gorm.DB) error {
		approval, duplicate, err = once(s, tx, actor, key, "reversal-request", content, func() (Approval, error) {
			return s.requestReversal(tx, actor, seq, request)
		})
		return err
	})
	return approval, duplicate, err
}

func (r ReversalRequest) check() error {
	if err := ledger.CheckText("reason", r.Reason, true); err != nil {
		return err
	}
	if r.EffectiveOn.IsZero() {
		return ledger.Refuse(ledger.KindInvalid, "the reversal needs a date").At("effective_on", "give the accounting day as YYYY-MM-DD")
	}
	return nil
}

func (s *Store) requestReversal(tx *gorm.DB, actor Actor, seq int64, request ReversalRequest) (Approval, error) {
	if _, err := lockHead(tx, actor.Book.ID); err != nil {
		return Approval{}, err
	}
	subject, err := loadEntry(tx, actor.Book, seq)
	if err != nil {
		return Approval{}, err
	}
	if err := canRequest(tx, actor.Book, subject); err != nil {
		return Approval{}, err
	}
	approval := Approval{
		Kind: "reversal", SubjectSeq: seq, Status: Pending, RequesterID: actor.UserID, Requester: actor.Email, RequesterName: actor.Name,
		RequestedAt: s.now(), Reason: request.Reason, EffectiveOn: request.EffectiveOn, Replacement: request.Replacement,
	}
	if approval.ID, err = nextNumber(tx, actor.Book.ID, "approval", 1); err != nil {
		return Approval{}, err
	}
	if err := nameEntries(tx, actor.Book, subject.TxID, &approval); err != nil {
		return Approval{}, err
	}
	approval.ContentHash = approval.contentHash()
	if err := s.tryApproval(tx, actor, subject.Record, approval); err != nil {
		return Approval{}, err
	}
	return approval, s.insertApproval(tx, actor, approval)
}

func canRequest(tx *gorm.DB, book Book, subject Receipt) error {
	if err := ledger.CanReverse(subject.Record, subject.ReversedBy); err != nil {
		return err
	}
	pending, err := query[int64](tx, `SELECT id FROM approvals WHERE book_id = ? AND subject_seq = ? AND pending`, book.ID, subject.Seq)
	if err != nil {
		return err
	}
	if len(pending) > 0 {
		return ledger.Refuse(ledger.KindReversalPending, "a reversal of entry %d already waits for approval, as request %d", subject.Seq, pending[0]).
			With("approval_id", pending[0])
	}
	return nil
}

// The suffixes of the tx ids of a reversal and of a replacement.
const (
	reversalSuffix    = "-rev"
	replacementSuffix = "-fix"
)

// nameEntries gives the reversal, and a replacement without a tx id, the next free suffix of the subject's tx id.
func nameEntries(tx *gorm.DB, book Book, txID string, approval *Approval) (err error) {
	if approval.ReversalTxID, err = freeTxID(tx, book, txID, reversalSuffix); err != nil || approval.Replacement == nil {
		return err
	}
	replacement := *approval.Replacement
	if replacement.TxID == "" {
		if replacement.TxID, err = freeTxID(tx, book, txID, replacementSuffix); err != nil {
			return err
		}
	}
	if replacement.TxID == approval.ReversalTxID {
		return ledger.Refuse(ledger.KindTxIDExists, "tx id %q is that of the reversal: give the replacement another", replacement.TxID).
			At("replacement.tx_id", "is that of the reversal")
	}
	approval.Replacement, approval.ReplacementTxID = &replacement, replacement.TxID
	return nil
}

// freeTxID looks for the first derived tx id that is neither posted nor reserved, a few at a time.
func freeTxID(tx *gorm.DB, book Book, txID, suffix string) (string, error) {
	const atOnce = 20
	for first := 1; ; first += atOnce {
		var ids array[string]
		for n := range atOnce {
			ids = append(ids, ledger.DerivedTxID(txID, suffix, first+n))
		}
		taken, err := query[string](tx, `
			SELECT tx_id FROM entries WHERE book_id = ? AND tx_id = ANY(?::text[]) UNION ALL
			SELECT tx_id FROM reserved_tx_ids WHERE book_id = ? AND tx_id = ANY(?::text[])`, book.ID, ids, book.ID, ids)
		if err != nil {
			return "", fmt.Errorf("find a free tx id: %w", err)
		}
		for _, id := range ids {
			if !slices.Contains(taken, id) {
				return id, nil
			}
		}
	}
}

// ReversalNames gives the tx ids that a reversal of an entry and its replacement would get now; a request reserves them.
func (s *Store) ReversalNames(ctx context.Context, actor Actor, txID string) (reversal, replacement string, err error) {
	if err := actor.Need(RightRead); err != nil {
		return "", "", err
	}
	db := s.db.WithContext(ctx)
	if reversal, err = freeTxID(db, actor.Book, txID, reversalSuffix); err != nil {
		return "", "", err
	}
	replacement, err = freeTxID(db, actor.Book, txID, replacementSuffix)
	return reversal, replacement, err
}

// tryApproval lets ledger.Append judge what approval would append, without writing it.
func (s *Store) tryApproval(tx *gorm.DB, actor Actor, subject ledger.Record, approval Approval) error {
	commands := approval.commands(subject, actor.UserID)
	facts, err := s.readFacts(tx, actor.Book, commands)
	if err != nil {
		return err
	}
	for i, outcome := range ledger.Append(ledger.Head{}, facts, commands, s.now()).Outcomes {
		if outcome.Err != nil && i > 0 {
			return inReplacement(outcome.Err)
		}
		if outcome.Err != nil {
			return outcome.Err
		}
	}
	return nil
}

// inReplacement puts the fields of an error under replacement.
func inReplacement(err error) error {
	var refusal *ledger.Error
	if errors.As(err, &refusal) {
		for i := range refusal.Fields {
			refusal.Fields[i].Field = "replacement." + refusal.Fields[i].Field
		}
	}
	return err
}

func (s *Store) insertApproval(tx *gorm.DB, actor Actor, a Approval) error {
	var replacement, replacementTxID *string
	if a.Replacement != nil {
		text, err := json.Marshal(a.Replacement)
		if err != nil {
			return err
		}
		document := string(text)
		replacement, replacementTxID = &document, &a.ReplacementTxID
	}
	if _, err := exec(tx, `
		INSERT INTO approvals (book_id, id, kind, subject_seq, requester_id, requested_at, reason, effective_on, reversal_tx_id, replacement_tx_id,
		                       replacement, content_hash, pending)
		VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, CAST(? AS jsonb), ?, true)`,
		actor.Book.ID, a.ID, a.Kind, a.SubjectSeq, a.RequesterID, a.RequestedAt, a.Reason, a.EffectiveOn, a.ReversalTxID, replacementTxID,
		replacement, a.ContentHash); err != nil {
		return fmt.Errorf("store request %d: %w", a.ID, err)
	}
	for _, txID := range []string{a.ReversalTxID, a.ReplacementTxID} {
		if txID == "" {
			continue
		}
		if _, err := exec(tx, `INSERT INTO reserved_tx_ids (book_id, tx_id, approval_id) VALUES (?, ?, ?)`, actor.Book.ID, txID, a.ID); err != nil {
			return fmt.Errorf("reserve tx id %s: %w", txID, err)
		}
	}
	return s.audit(tx, actor, "reversal.request", fmt.Sprintf("entry %d", a.SubjectSeq), map[string]any{"approval_id": a.ID})
}

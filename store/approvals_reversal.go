package store

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"gorm.io/gorm"

	"daybook/store/ledger"
)

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
	approval := Approval{Kind: KindReversal, SubjectSeq: seq, Reason: request.Reason, EffectiveOn: request.EffectiveOn, Replacement: request.Replacement}
	if err := nameEntries(tx, actor.Book, subject.TxID, &approval); err != nil {
		return Approval{}, err
	}
	if err := s.tryApproval(tx, actor, subject.Record, approval); err != nil {
		return Approval{}, err
	}
	err = s.insertApproval(tx, actor, &approval)
	return approval, err
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

// tryApproval lets ledger.Append judge what approval would append, without writing it.
func (s *Store) tryApproval(tx *gorm.DB, actor Actor, subject ledger.Record, approval Approval) error {
	outcomes, err := s.tryCommands(tx, actor, approval.commands(subject, actor.UserID))
	if err != nil {
		return err
	}
	for i, outcome := range outcomes {
		if outcome.Err != nil && i > 0 {
			return within("replacement", outcome.Err)
		}
		if outcome.Err != nil {
			return outcome.Err
		}
	}
	return nil
}

// tryCommands says what would come of commands. The head is held.
func (s *Store) tryCommands(tx *gorm.DB, actor Actor, commands []ledger.Command) ([]ledger.Outcome, error) {
	facts, err := s.readFacts(tx, actor.Book, commands)
	if err != nil {
		return nil, err
	}
	return ledger.Append(ledger.Head{}, facts, commands, s.now()).Outcomes, nil
}

// within puts the fields of an error under the field that they are in.
func within(field string, err error) error {
	var refusal *ledger.Error
	if errors.As(err, &refusal) {
		for i := range refusal.Fields {
			refusal.Fields[i].Field = field + "." + refusal.Fields[i].Field
		}
	}
	return err
}

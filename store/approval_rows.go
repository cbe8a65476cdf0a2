package store

import (
	"encoding/json"
	"fmt"
	"time"

	"gorm.io/gorm"

	"daybook/store/ledger"
)

type approvalRow struct {
	ID                          int64
	Kind                        string
	SubjectSeq                  int64
	Status                      ApprovalStatus
	RequesterID                 int64
	Requester, RequesterName    string
	RequestedAt                 time.Time
	Reason                      string
	EffectiveOn                 time.Time
	ReversalTxID                string
	ReplacementTxID             *string
	Replacement                 *string
	ContentHash                 []byte
	DeciderID                   *int64
	Decider, DeciderName, Note  *string
	DecidedAt                   *time.Time
	ReversalSeq, ReplacementSeq *int64
}

// loadApprovals reads requests a with their decision d by a condition, which may end in an order and a limit.
func loadApprovals(db *gorm.DB, book Book, condition string, args ...any) ([]Approval, error) {
	rows, err := query[approvalRow](db, `
		SELECT a.id, a.kind, a.subject_seq, coalesce(d.decision, 'pending') AS status, a.requester_id, r.email AS requester, r.name AS requester_name,
		       a.requested_at, a.reason, a.effective_on, a.reversal_tx_id, a.replacement_tx_id, a.replacement::text AS replacement, a.content_hash,
		       d.decider_id, u.email AS decider, u.name AS decider_name, d.note, d.decided_at, d.reversal_seq, d.replacement_seq
		  FROM approvals a
		  JOIN users r ON r.id = a.requester_id
		  LEFT JOIN approval_decisions d ON d.book_id = a.book_id AND d.approval_id = a.id
		  LEFT JOIN users u ON u.id = d.decider_id
		 WHERE a.book_id = ? AND `+condition, append([]any{book.ID}, args...)...)
	if err != nil {
		return nil, fmt.Errorf("read requests: %w", err)
	}
	items := make([]Approval, len(rows))
	for i, row := range rows {
		if items[i], err = row.approval(); err != nil {
			return nil, err
		}
	}
	return items, nil
}

func (r approvalRow) approval() (Approval, error) {
	a := Approval{
		ID: r.ID, Kind: r.Kind, SubjectSeq: r.SubjectSeq, Status: r.Status, RequesterID: r.RequesterID, Requester: r.Requester,
		RequesterName: r.RequesterName, RequestedAt: r.RequestedAt.UTC(), Reason: r.Reason, EffectiveOn: ledger.DateOf(r.EffectiveOn),
		ReversalTxID: r.ReversalTxID, ContentHash: ledger.Hash(r.ContentHash),
		ReversalSeq: valueOf(r.ReversalSeq), ReplacementSeq: valueOf(r.ReplacementSeq),
	}
	if r.Replacement != nil {
		a.ReplacementTxID, a.Replacement = *r.ReplacementTxID, &ledger.Entry{}
		if err := json.Unmarshal([]byte(*r.Replacement), a.Replacement); err != nil {
			return Approval{}, fmt.Errorf("read the replacement of request %d: %w", r.ID, err)
		}
	}
	if r.DeciderID != nil {
		a.DeciderID, a.Decider, a.DeciderName, a.Note, a.DecidedAt = *r.DeciderID, *r.Decider, *r.DeciderName, *r.Note, r.DecidedAt.UTC()
	}
	return a, nil
}

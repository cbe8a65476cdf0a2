package store

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"

	"gorm.io/gorm"

	"daybook/store/ledger"
)

// ApprovalFilter narrows a list of requests; zero fields do not. After and Before are ids that bound the page, exclusive.
type ApprovalFilter struct {
	Status      ApprovalStatus
	Decided     bool // whatever the decision
	RequesterID int64
	NotOf       int64 // leaves out what this person requested
	Kinds       []ApprovalKind
	SubjectSeq  int64
	After       int64
	Before      int64
	Limit       int
	Newest      bool // newest first
}

// Approvals lists requests of the actor's book by id, ascending unless Newest; more reports whether others follow.
func (s *Store) Approvals(ctx context.Context, actor Actor, f ApprovalFilter) (items []Approval, more bool, err error) {
	if err := actor.Need(RightRead); err != nil {
		return nil, false, err
	}
	limit, order := pageSize(f.Limit), "ASC"
	if f.Newest {
		order = "DESC"
	}
	items, err = loadApprovals(s.db.WithContext(ctx), actor.Book, `a.id > ? AND (? = 0 OR a.id < ?)
		AND (? = '' OR coalesce(d.decision, 'pending') = ?) AND (NOT ? OR d.decision IS NOT NULL)
		AND (? = 0 OR a.requester_id = ?) AND a.requester_id <> ? AND (? = 0 OR a.subject_seq = ?)
		AND (? OR a.kind = ANY(?::text[])) ORDER BY a.id `+order+` LIMIT ?`,
		f.After, f.Before, f.Before, f.Status, f.Status, f.Decided, f.RequesterID, f.RequesterID, f.NotOf, f.SubjectSeq, f.SubjectSeq,
		f.Kinds == nil, array[ApprovalKind](f.Kinds), limit+1)
	if more = len(items) > limit; more {
		items = items[:limit]
	}
	return items, more, err
}

// Approval gives one request. Error: KindNotFound.
func (s *Store) Approval(ctx context.Context, actor Actor, id int64) (Approval, error) {
	if err := actor.Need(RightRead); err != nil {
		return Approval{}, err
	}
	return loadApproval(s.db.WithContext(ctx), actor.Book, id)
}

func loadApproval(db *gorm.DB, book Book, id int64) (Approval, error) {
	items, err := loadApprovals(db, book, `a.id = ?`, id)
	if err != nil {
		return Approval{}, err
	}
	if len(items) == 0 {
		return Approval{}, ledger.Refuse(ledger.KindNotFound, "book %s has no request %d", book.Code, id)
	}
	return items[0], nil
}

// PendingReversals gives, of these entries, those whose reversal waits for approval, with the id of the request.
func (s *Store) PendingReversals(ctx context.Context, actor Actor, seqs []int64) (map[int64]int64, error) {
	if err := actor.Need(RightRead); err != nil {
		return nil, err
	}
	rows, err := query[struct{ SubjectSeq, ID int64 }](s.db.WithContext(ctx), `
		SELECT subject_seq, id FROM approvals WHERE book_id = ? AND pending AND subject_seq = ANY(?::bigint[])`, actor.Book.ID, array[int64](seqs))
	if err != nil {
		return nil, fmt.Errorf("look for reversals that wait: %w", err)
	}
	pending := make(map[int64]int64, len(rows))
	for _, row := range rows {
		pending[row.SubjectSeq] = row.ID
	}
	return pending, nil
}

type approvalRow struct {
	ID                          int64
	Kind                        ApprovalKind
	SubjectSeq                  int64
	Status                      ApprovalStatus
	RequesterID                 int64
	Requester, RequesterName    string
	PasswordFrom                int64
	RequestedAt                 time.Time
	Reason                      string
	EffectiveOn                 ledger.Date
	ReversalTxID                string
	ReplacementTxID             *string
	Replacement, Content        *string
	ContentHash                 ledger.Hash
	DeciderID                   *int64
	Decider, DeciderName, Note  *string
	DecidedAt                   *time.Time
	ReversalSeq, ReplacementSeq *int64
	EntrySeq                    *int64
}

// loadApprovals reads requests a with their decision d by a condition, which may end in an order and a limit.
func loadApprovals(db *gorm.DB, book Book, condition string, args ...any) ([]Approval, error) {
	rows, err := query[approvalRow](db, `
		SELECT a.id, a.kind, a.subject_seq, coalesce(d.decision, 'pending') AS status, a.requester_id, r.email AS requester, r.name AS requester_name,
		       `+passwordFrom("r", "a.requested_at - CAST('"+givenFor.String()+"' AS interval)")+` AS password_from,
		       a.requested_at, a.reason, a.effective_on, a.reversal_tx_id, a.replacement_tx_id, a.replacement::text AS replacement, a.content::text AS content, a.content_hash,
		       d.decider_id, u.email AS decider, u.name AS decider_name, d.note, d.decided_at, d.reversal_seq, d.replacement_seq, d.entry_seq
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
		RequesterName: r.RequesterName, RequestedAt: r.RequestedAt.UTC(), Reason: r.Reason, EffectiveOn: r.EffectiveOn,
		ReversalTxID: r.ReversalTxID, ContentHash: r.ContentHash, passwordFrom: r.PasswordFrom,
		ReversalSeq: valueOf(r.ReversalSeq), ReplacementSeq: valueOf(r.ReplacementSeq), EntrySeq: valueOf(r.EntrySeq),
	}
	if r.Replacement != nil {
		a.ReplacementTxID, a.Replacement = *r.ReplacementTxID, &ledger.Entry{}
		if err := json.Unmarshal([]byte(*r.Replacement), a.Replacement); err != nil {
			return Approval{}, fmt.Errorf("read the replacement of request %d: %w", r.ID, err)
		}
	}
	if r.Content != nil {
		if err := readContent(*r.Content, &a); err != nil {
			return Approval{}, fmt.Errorf("read the content of request %d: %w", r.ID, err)
		}
	}
	if r.DeciderID != nil {
		a.DeciderID, a.Decider, a.DeciderName, a.Note, a.DecidedAt = *r.DeciderID, *r.Decider, *r.DeciderName, *r.Note, r.DecidedAt.UTC()
	}
	return a, nil
}

// readContent reads what a request asks for that is no reversal. A field that it does not know is an error, as the hash would not
// bind it.
func readContent(text string, a *Approval) error {
	decoder := json.NewDecoder(strings.NewReader(text))
	decoder.DisallowUnknownFields()
	switch a.Kind {
	case KindPeriodClose, KindPeriodReopen:
		a.PeriodChange = &PeriodChange{}
	case KindAdjustment:
		a.Adjustment = &AdjustmentRequest{}
	case KindRefund:
		a.Refund = &RefundRequest{}
	default:
		a.RoleChange = &RoleChange{}
	}
	return decoder.Decode(a.content())
}

// approvalColumns are the columns of a request that only some kinds have.
type approvalColumns struct{ reversalTxID, replacementTxID, replacement, subject, content *string }

func (a Approval) columns() (row approvalColumns, err error) {
	document := func(value any) *string {
		text, failed := json.Marshal(value)
		err = errors.Join(err, failed)
		written := string(text)
		return &written
	}
	if a.Kind != KindReversal {
		subject := a.Subject()
		return approvalColumns{subject: &subject, content: document(a.content())}, err
	}
	row.reversalTxID = &a.ReversalTxID
	if a.Replacement != nil {
		row.replacementTxID, row.replacement = &a.ReplacementTxID, document(a.Replacement)
	}
	return row, err
}

package store

import (
	"crypto/sha256"
	"encoding/json"
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

// ApprovalKind is what a request asks for.
type ApprovalKind string

// The kinds of requests.
const (
	KindReversal     ApprovalKind = "reversal"
	KindRoleChange   ApprovalKind = "role_change"
	KindPeriodClose  ApprovalKind = "period_close"
	KindPeriodReopen ApprovalKind = "period_reopen"
	KindAdjustment   ApprovalKind = "adjustment"
	KindRefund       ApprovalKind = "refund"
)

// ApprovalKinds lists the kinds.
var ApprovalKinds = []ApprovalKind{KindReversal, KindRoleChange, KindPeriodClose, KindPeriodReopen, KindAdjustment, KindRefund}

// approvalKinds says of each kind which right asks for it, which right decides, and what its actions begin with in the audit log.
var approvalKinds = map[ApprovalKind]struct {
	ask, decide Right
	action      string
}{
	KindReversal:     {RightRequest, RightDecide, "reversal"},
	KindRoleChange:   {RightUsers, RightUsers, "role-change"},
	KindPeriodClose:  {RightPeriods, RightDecide, "period-close"},
	KindPeriodReopen: {RightPeriods, RightDecide, "period-reopen"},
	KindAdjustment:   {RightResolve, RightDecide, "adjustment"},
	KindRefund:       {RightRequest, RightDecide, "refund"},
}

// Decides is the right that decides requests of this kind.
func (k ApprovalKind) Decides() Right { return approvalKinds[k].decide }

// Action is what the audit log calls a decision about a request of this kind.
func (k ApprovalKind) Action(decision ApprovalStatus) string {
	return approvalKinds[k].action + "." + string(decision)
}

// Approval is a request that takes effect when another person approves it, with its decision once there is one. A reversal is about the
// entry SubjectSeq and asks for what its own fields say; a role change is about a person and asks for RoleChange, closing or reopening is
// about a period and asks for PeriodChange, an adjustment is about a break and asks for Adjustment, which posts EntrySeq, and a refund is about a
// payment and asks for Refund.
type Approval struct {
	ID            int64
	Kind          ApprovalKind
	Status        ApprovalStatus
	RequesterID   int64
	Requester     string
	RequesterName string
	RequestedAt   time.Time
	Reason        string
	ContentHash   ledger.Hash
	DeciderID     int64
	Decider       string
	DeciderName   string
	DecidedAt     time.Time
	Note          string

	SubjectSeq      int64
	EffectiveOn     ledger.Date
	ReversalTxID    string
	ReplacementTxID string
	Replacement     *ledger.Entry
	ReversalSeq     int64
	ReplacementSeq  int64

	RoleChange   *RoleChange
	PeriodChange *PeriodChange
	Adjustment   *AdjustmentRequest
	EntrySeq     int64
	Refund       *RefundRequest

	// passwordFrom is who made the requester's password in the days before the request, or since; 0 for nobody.
	passwordFrom int64
}

// Subject names what a request is about, as the audit log does. Of what is no entry, one request waits at a time.
func (a Approval) Subject() string {
	switch {
	case a.RoleChange != nil:
		return fmt.Sprintf("user %d", a.RoleChange.UserID)
	case a.PeriodChange != nil:
		return periodSubject(a.PeriodChange.Period)
	case a.Adjustment != nil:
		return breakSubject(a.Adjustment.BreakID)
	case a.Refund != nil:
		return paymentSubject(a.Refund.PaymentID)
	}
	return fmt.Sprintf("entry %d", a.SubjectSeq)
}

func periodSubject(p ledger.Period) string { return "period " + string(p) }

// content is what a request asks for that is no reversal.
func (a Approval) content() any {
	switch {
	case a.PeriodChange != nil:
		return a.PeriodChange
	case a.Adjustment != nil:
		return a.Adjustment
	case a.Refund != nil:
		return a.Refund
	}
	return a.RoleChange
}

// txIDs are the tx ids that a request names.
func (a Approval) txIDs() []string {
	named := []string{a.ReversalTxID, a.ReplacementTxID}
	if a.Adjustment != nil {
		named = append(named, a.Adjustment.Entry.TxID)
	}
	return slices.DeleteFunc(named, func(id string) bool { return id == "" })
}

// Intact reports whether the request is still what was sent: its content has the hash that it was stored with.
func (a Approval) Intact() bool { return a.ContentHash == a.contentHash() }

// contentHash binds what is approved, as JSON of the fields below in this order: of a reversal its subject, reason, date, ids and
// replacement, of any other kind its subject, reason and content.
func (a Approval) contentHash() ledger.Hash {
	bound := []any{"daybook-approval", 2, a.Kind, a.Subject(), a.Reason, a.content()}
	if a.Kind == KindReversal {
		bound = []any{"daybook-approval", 1, a.Kind, a.SubjectSeq, a.Reason, a.EffectiveOn, a.ReversalTxID, a.ReplacementTxID, fingerprintOf(a.Replacement)}
	}
	content, err := json.Marshal(bound)
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

// insertApproval stores a request as the actor's, with its hash, and reserves the tx ids that it names.
func (s *Store) insertApproval(tx *gorm.DB, actor Actor, a *Approval) error {
	var err error
	if a.ID, err = nextNumber(tx, actor.Book.ID, "approval", 1); err != nil {
		return err
	}
	a.Status, a.RequesterID, a.Requester, a.RequesterName, a.RequestedAt = Pending, actor.UserID, actor.Email, actor.Name, s.now()
	a.ContentHash = a.contentHash()
	row, err := a.columns()
	if err != nil {
		return fmt.Errorf("write request %d: %w", a.ID, err)
	}
	if _, err := exec(tx, `
		INSERT INTO approvals (book_id, id, kind, requester_id, requested_at, reason, content_hash, pending,
		                       subject_seq, effective_on, reversal_tx_id, replacement_tx_id, replacement, subject, content)
		VALUES (?, ?, ?, ?, ?, ?, ?, true, ?, ?, ?, ?, CAST(? AS jsonb), ?, CAST(? AS jsonb))`,
		actor.Book.ID, a.ID, a.Kind, a.RequesterID, a.RequestedAt, a.Reason, a.ContentHash,
		nullable(a.SubjectSeq), a.EffectiveOn, row.reversalTxID, row.replacementTxID, row.replacement, row.subject, row.content); err != nil {
		return fmt.Errorf("store request %d: %w", a.ID, err)
	}
	for _, txID := range a.txIDs() {
		if _, err := exec(tx, `INSERT INTO reserved_tx_ids (book_id, tx_id, approval_id) VALUES (?, ?, ?)`, actor.Book.ID, txID, a.ID); err != nil {
			return fmt.Errorf("reserve tx id %s: %w", txID, err)
		}
	}
	return s.audit(tx, actor, a.Kind.Action("request"), a.Subject(), a.auditDetail())
}

// auditDetail is what the audit log tells of a request besides its subject.
func (a Approval) auditDetail() map[string]any {
	detail := map[string]any{"approval_id": a.ID}
	if a.RoleChange != nil {
		a.RoleChange.tell(detail)
	}
	if a.Kind != KindReversal && a.Status == Pending {
		detail["reason"] = a.Reason
	}
	return detail
}

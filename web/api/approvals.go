package api

import (
	"net/http"
	"strconv"

	"github.com/labstack/echo/v4"

	"daybook/store"
	"daybook/store/ledger"
)

// approval is a request with its decision. Reversal and Replacement are the seqs of what approving it appended. A request that is no
// reversal has none of a reversal's members, which are null, but its subject and what it asks for.
type approval struct {
	ApprovalID       int64   `json:"approval_id"`
	Kind             string  `json:"kind"`
	Status           string  `json:"status"`
	Seq              *int64  `json:"seq"`
	Reason           string  `json:"reason"`
	EffectiveOn      *string `json:"effective_on"`
	RequestedBy      string  `json:"requested_by"`
	RequestedAt      string  `json:"requested_at"`
	ReversalTxID     *string `json:"reversal_tx_id"`
	ReplacementTxID  *string `json:"replacement_tx_id"`
	ReplacementEntry *entry  `json:"replacement_entry"`
	ContentHash      string  `json:"content_hash"`
	DecidedBy        *string `json:"decided_by"`
	DecidedAt        *string `json:"decided_at"`
	Note             *string `json:"note"`
	Reversal         *int64  `json:"reversal"`
	Replacement      *int64  `json:"replacement"`

	Subject    string            `json:"subject,omitempty"`
	RoleChange *store.RoleChange `json:"role_change,omitempty"`
	Period     ledger.Period     `json:"period,omitempty"`
	Adjustment *adjustment       `json:"adjustment,omitempty"`
	Refund     *refund           `json:"refund,omitempty"`
}

// refund is what is to be given back of a payment.
type refund struct {
	PaymentID int64  `json:"payment_id"`
	Amount    int64  `json:"amount"`
	Currency  string `json:"currency"`
}

// adjustment is the entry that a break is to be settled with, and what it is to be matched with. EntrySeq is where it was posted.
type adjustment struct {
	BreakID    int64            `json:"break_id"`
	Resolution string           `json:"resolution"`
	ReasonCode string           `json:"reason_code"`
	Entry      entry            `json:"entry"`
	Match      store.MatchItems `json:"match"`
	EntrySeq   *int64           `json:"seq"`
}

func approvalOf(a store.Approval) approval {
	shown := approval{
		ApprovalID: a.ID, Kind: string(a.Kind), Status: string(a.Status), Seq: numberOrNull(a.SubjectSeq), Reason: a.Reason,
		EffectiveOn: textOrNull(a.EffectiveOn.String()),
		RequestedBy: a.Requester, RequestedAt: ledger.FormatInstant(a.RequestedAt),
		ReversalTxID: textOrNull(a.ReversalTxID), ReplacementTxID: textOrNull(a.ReplacementTxID), ContentHash: a.ContentHash.String(),
		DecidedBy: textOrNull(a.Decider), DecidedAt: instantOrNull(a.DecidedAt), Note: textOrNull(a.Note),
		Reversal: numberOrNull(a.ReversalSeq), Replacement: numberOrNull(a.ReplacementSeq),
	}
	if a.RoleChange != nil {
		shown.Subject, shown.RoleChange = a.Subject(), a.RoleChange
	}
	if a.PeriodChange != nil {
		shown.Subject, shown.Period = a.Subject(), a.PeriodChange.Period
	}
	if asked := a.Adjustment; asked != nil {
		shown.Subject = a.Subject()
		shown.Adjustment = &adjustment{BreakID: asked.BreakID, Resolution: string(asked.Resolution), ReasonCode: string(asked.ReasonCode),
			Entry: entryOf(asked.Entry), Match: asked.Match, EntrySeq: numberOrNull(a.EntrySeq)}
	}
	if asked := a.Refund; asked != nil {
		shown.Subject, shown.Refund = a.Subject(), &refund{PaymentID: asked.PaymentID, Amount: asked.AmountMinor, Currency: asked.Currency}
	}
	if a.Replacement != nil {
		replacement := entryOf(*a.Replacement)
		shown.ReplacementEntry = &replacement
	}
	return shown
}

func (a *api) listApprovals(c echo.Context, actor store.Actor) error {
	query := queryOf(c)
	filter := store.ApprovalFilter{
		After: query.after(), Limit: query.limit(),
		Status: store.ApprovalStatus(query.oneOf("status", string(store.Pending), string(store.Approved), string(store.Rejected), string(store.Recalled))),
	}
	if err := query.err(); err != nil {
		return err
	}
	approvals, more, err := a.Store.Approvals(c.Request().Context(), actor, filter)
	if err != nil {
		return err
	}
	return answer(c, http.StatusOK, listOf(approvals, more, approvalOf, func(a store.Approval) string { return strconv.FormatInt(a.ID, 10) }))
}

func (a *api) showApproval(c echo.Context, actor store.Actor) error {
	id, err := PathNumber(c, "id", "request")
	if err != nil {
		return err
	}
	found, err := a.Store.Approval(c.Request().Context(), actor, id)
	if err != nil {
		return err
	}
	return answer(c, http.StatusOK, approvalOf(found))
}

type decision struct {
	ApprovalID  int64  `json:"approval_id"`
	Status      string `json:"status"`
	Reversal    *int64 `json:"reversal"`
	Replacement *int64 `json:"replacement"`
	Entry       *int64 `json:"entry"`
	Duplicate   bool   `json:"duplicate"`
}

// decide answers one of the three decisions. Who may not decide is told so first, and not what else is wrong.
func (a *api) decide(wanted store.ApprovalStatus) handler {
	return func(c echo.Context, actor store.Actor) error {
		id, err := PathNumber(c, "id", "request")
		if err != nil {
			return err
		}
		key, note, err := readDecision(c)
		if err != nil {
			return a.refuseDecision(c, actor, id, wanted, err)
		}
		decided, duplicate, err := a.Store.Decide(c.Request().Context(), actor, key, id, wanted, note)
		if err != nil {
			return a.refuseDecision(c, actor, id, wanted, err)
		}
		return settled(c, http.StatusOK, duplicate, decision{
			ApprovalID: decided.ID, Status: string(decided.Status), Reversal: numberOrNull(decided.ReversalSeq),
			Replacement: numberOrNull(decided.ReplacementSeq), Entry: numberOrNull(decided.EntrySeq), Duplicate: duplicate,
		})
	}
}

func readDecision(c echo.Context) (key, note string, err error) {
	if key, err = optionalKey(c); err != nil {
		return "", "", err
	}
	body, err := readObject(c)
	if err != nil {
		return "", "", err
	}
	note = body.Text("note")
	return key, note, body.Err()
}

// refuseDecision gives what stands in the way of a decision: first a missing right, then the fault. The audit log names the attempt
// after the kind of the request.
func (a *api) refuseDecision(c echo.Context, actor store.Actor, id int64, wanted store.ApprovalStatus, fault error) error {
	request, err := a.Store.Approval(c.Request().Context(), actor, id)
	if err != nil {
		return err
	}
	c.Set(ActionKey, request.Kind.Action(wanted))
	if err := actor.MayDecide(request, wanted); err != nil {
		return err
	}
	return fault
}

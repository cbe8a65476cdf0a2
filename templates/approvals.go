package templates

import (
	"strconv"
	"strings"
	"time"

	"daybook/store/ledger"
	"daybook/templates/ui"
)

// Approvals is the queue of requests, and one of them in full.
type Approvals struct {
	Shell
	// Status is the tab: for-me, mine, others or done.
	Status string
	// ForMe are requests of others that the reader may decide, Others those that they may not.
	ForMe, Mine, Others, Done int
	// MayDecide says that the reader has the right to decide some kind of request, MayRequest that they may ask for reversals.
	MayDecide, MayRequest bool
	Queue                 []ApprovalRow
	// SignOffs are reconciliations that wait for the reader; they are opened on a page of their own.
	SignOffs []SignOffRow
	Detail   *ApprovalDetail
	// Older is the address of older requests; empty on the last page.
	Older string
}

// ApprovalRow is one request in the queue. One that is about no entry has a Title, and its Description says what would change. What moves no money has no
// Currency.
type ApprovalRow struct {
	ID          int64
	Title       string
	Seq         int64
	Replaces    bool
	Description string
	Account     string
	AmountMinor int64
	Currency    string
	Requester   string
	Reason      string
	// Age is how long the request has been waiting, or waited until it was decided.
	Age    time.Duration
	Status string
}

// ApprovalDetail is one request: what would be posted, whether it still can be, and the decision or the form for it.
type ApprovalDetail struct {
	ApprovalRow
	RequestedAt  time.Time
	EffectiveOn  ledger.Date
	Original     []ui.Posting
	Reversal     []ui.Posting
	ReversalTxID string
	Replacement  *ReplacementView
	RoleChange   *RoleChangeView
	PeriodChange *PeriodChangeView
	Adjustment   *AdjustmentView
	Refund       *RefundView
	Checks       []ApprovalCheck
	CheckedAt    time.Time
	Effects      []BalanceEffect
	Breaks       []BreakName
	For          PostedFor
	Decision     *DecisionView
	Decide       DecisionForm
}

// ReplacementView is the corrected entry that would be posted together with the reversal.
type ReplacementView struct {
	TxID        string
	EffectiveOn ledger.Date
	Description string
	Postings    []ui.Posting
}

// ApprovalCheck is one condition of an approval, as it was when asked and as it is now.
type ApprovalCheck struct {
	What, AtRequest, Now string
	Holds                bool
}

// DecisionView is how a request was decided: approved, rejected or recalled.
type DecisionView struct {
	Decision    string
	By          string
	At          time.Time
	Note        string
	ReversalSeq int64
	// ReplacementSeq is 0 when nothing replaced the entry, EntrySeq when no break was settled.
	ReplacementSeq, EntrySeq int64
}

// DecisionForm is what the reader may do with a pending request. Own and MissingRight are the two reasons for which a
// person cannot decide; a requester may recall.
type DecisionForm struct {
	Form         string
	Own          bool
	MissingRight string
	// Blocked says why approval cannot take effect now although the reader may decide; empty when it can.
	Blocked string
	Note    string
	Message string
	Errors  []ledger.FieldError
}

// The tabs of the approvals, as the status in the address.
const (
	ApprovalsForMe  = "for-me"
	ApprovalsMine   = "mine"
	ApprovalsOthers = "others"
	ApprovalsDone   = "done"
)

func (v Approvals) path(status string) string { return v.Book.URL("approvals") + "?status=" + status }

func (v Approvals) tabs() ui.Tabs {
	tab := func(text, status string, count int) ui.Tab {
		return ui.Tab{Text: text, Href: v.path(status), Count: count, Counted: true, Current: v.Status == status}
	}
	tabs := ui.Tabs{Label: "Approvals"}
	if v.MayDecide {
		tabs.Items = append(tabs.Items, tab("For me", ApprovalsForMe, v.ForMe))
	}
	tabs.Items = append(tabs.Items, tab("Mine, waiting", ApprovalsMine, v.Mine))
	if !v.MayDecide || v.Others > 0 || v.Status == ApprovalsOthers {
		tabs.Items = append(tabs.Items, tab("Of others, waiting", ApprovalsOthers, v.Others))
	}
	tabs.Items = append(tabs.Items, tab("Done", ApprovalsDone, v.Done))
	return tabs
}

func (v Approvals) lead() string {
	switch v.Status {
	case ApprovalsMine:
		return "Your own requests. Another person approves them"
	case ApprovalsDone:
		return "Requests that were decided or recalled"
	}
	if v.Status == ApprovalsOthers {
		return "Requests of others. They wait for a person with the right to decide"
	}
	return "Requests of others that take effect when you approve them"
}

func (v Approvals) queueLabel() string {
	switch v.Status {
	case ApprovalsMine:
		return "My requests"
	case ApprovalsDone:
		return "Decided requests"
	}
	if v.Status == ApprovalsOthers {
		return "Requests of others"
	}
	return "Requests for me"
}

func (v Approvals) empty() ui.Empty {
	e := ui.Empty{Icon: "checks", Title: "Nothing waits for you", Text: "Requests of others that you may decide come here. You approve or reject them."}
	switch {
	case v.Status == ApprovalsMine && !v.MayRequest:
		e.Title, e.Text = "None of your requests waits", "Asking for a reversal needs the right “request”, which you do not have in this book."
	case v.Status == ApprovalsMine:
		e.Title, e.Text = "None of your requests waits", "Ask for a reversal on the page of an entry. It comes here until another person decides."
		e.Actions = []ui.Button{{Text: "Open the journal", Icon: "notebook", Href: v.Book.URL("journal")}}
	case v.Status == ApprovalsDone:
		e.Title, e.Text = "No request was decided yet", "What was approved, rejected or recalled stays here for good."
	case v.Status == ApprovalsOthers:
		e.Title, e.Text = "No request of others waits", "A person with the right to decide approves or rejects them."
	}
	return e
}

// signOffs are those of the list that is open.
func (v Approvals) signOffs() []SignOffRow {
	if v.Status != ApprovalsForMe {
		return nil
	}
	return v.SignOffs
}

func (v Approvals) queue() ui.Queue {
	q := ui.Queue{Label: v.queueLabel()}
	for _, r := range v.signOffs() {
		q.Items = append(q.Items, r.item(v.Book, v.Format))
	}
	for _, r := range v.Queue {
		item := ui.QueueItem{
			Title:   r.title(v.Format),
			Line:    r.Description,
			Age:     r.age(v.Format),
			Meta:    strings.TrimSuffix(strings.Join([]string{r.name(), r.Requester, r.Reason}, " · "), " · "),
			Href:    v.path(v.Status) + "&id=" + strconv.FormatInt(r.ID, 10),
			Current: v.Detail != nil && v.Detail.ID == r.ID,
		}
		if r.Currency != "" {
			item.Money = &ui.Money{Minor: r.AmountMinor, Currency: r.Currency}
			item.Meta = strings.Join([]string{r.name(), r.Account, r.Requester, r.Reason}, " · ")
		}
		q.Items = append(q.Items, item)
	}
	return q
}

func (r ApprovalRow) title(f ui.Format) string {
	if r.Title != "" {
		return r.Title
	}
	return sentence(r.verb()) + " " + f.Seq(r.Seq)
}

// age says how long the request has waited, or how soon it was decided.
func (r ApprovalRow) age(f ui.Format) string {
	switch now := r.Age < time.Minute; {
	case r.Status != "pending" && now:
		return r.Status + " at once"
	case r.Status != "pending":
		return r.Status + " after " + f.Age(r.Age)
	case now:
		return "asked just now"
	}
	return "asked " + f.Age(r.Age) + " ago"
}

func (r ApprovalRow) name() string { return NameOfApproval(r.ID) }

// NameOfApproval is what people call a request: A-58.
func NameOfApproval(id int64) string { return "A-" + strconv.FormatInt(id, 10) }

func (r ApprovalRow) verb() string {
	if r.Replaces {
		return "reverse and replace"
	}
	return "reverse"
}

// chip says where a request stands: pending, approved, rejected or recalled.
func (r ApprovalRow) chip() ui.Chip {
	switch r.Status {
	case "approved":
		return ui.Chip{Text: "Approved", Tone: ui.OK}
	case "rejected":
		return ui.Chip{Text: "Rejected", Tone: ui.Bad}
	case "recalled":
		return ui.Chip{Text: "Recalled", Icon: "arrow-back-up"}
	}
	return ui.Chip{Text: "Waiting for approval", Tone: ui.Warn, Icon: "clock"}
}

func decisionWord(decision string) string {
	switch decision {
	case "approved":
		return "Approved by"
	case "rejected":
		return "Rejected by"
	}
	return "Recalled by"
}

// aboutEntry says that the request is for a reversal: what is about no entry has a title.
func (d ApprovalDetail) aboutEntry() bool { return d.Title == "" }

// asked says who asked and, where that was given, why.
func (d ApprovalDetail) asked() string {
	asked := "Asked by " + d.Requester + " on "
	if d.Reason == "" {
		return asked
	}
	return "“" + d.Reason + "” " + asked
}

// posts says what the journal gets.
func (d ApprovalDetail) posts(f ui.Format) string {
	if d.Adjustment != nil {
		return d.Adjustment.TxID + " is posted, and break " + NameOfBreak(d.Adjustment.BreakID) + " is " + d.Adjustment.outcome() + " in the same step"
	}
	if d.Replacement != nil {
		return d.ReversalTxID + " and " + d.Replacement.TxID + " are posted in one step, both or neither"
	}
	return d.ReversalTxID + " is posted and linked to " + f.Seq(d.Seq)
}

func (d ApprovalDetail) approve() string {
	switch {
	case d.PeriodChange != nil && d.PeriodChange.Closes:
		return "Approve and close"
	case d.PeriodChange != nil:
		return "Approve and reopen"
	case d.RoleChange != nil:
		return "Approve"
	case d.Refund != nil:
		return "Approve and refund"
	}
	return "Approve and post"
}

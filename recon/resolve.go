package recon

import (
	"slices"
	"strings"

	"daybook/store/ledger"
)

// Status is how far the work on a break has come.
type Status string

// The statuses of a break.
const (
	Open               Status = "open"
	InReview           Status = "in_review"
	WaitingForApproval Status = "waiting_for_approval"
	Resolved           Status = "resolved"
)

// Label is the status as people read it.
func (s Status) Label() string { return sentenceCase(string(s)) }

// Resolution is how a break was settled.
type Resolution string

// The resolutions of a break. Superseded is set by Daybook alone, when a later statement cures the break.
const (
	MatchedByHand  Resolution = "matched"
	Adjusted       Resolution = "adjusted"
	Reversed       Resolution = "reversed"
	CarriedForward Resolution = "carried_forward"
	WrittenOff     Resolution = "written_off"
	External       Resolution = "external"
	NotABreak      Resolution = "not_a_break"
	Superseded     Resolution = "superseded"
)

// Label is the resolution as people read it.
func (r Resolution) Label() string {
	switch r {
	case External:
		return "Bank to correct"
	case NotABreak:
		return "Not a break"
	}
	return sentenceCase(string(r))
}

// PlainResolutions are those that need neither an entry nor a match.
func PlainResolutions() []Resolution { return []Resolution{CarriedForward, External, NotABreak} }

// Reason is the code of a break's cause.
type Reason string

// The reason codes. ReasonOther needs a note.
const (
	BankFee             Reason = "BANK_FEE"
	BankInterest        Reason = "BANK_INTEREST"
	FXDifference        Reason = "FX_DIFFERENCE"
	Rounding            Reason = "ROUNDING"
	ReturnedPayment     Reason = "RETURNED_PAYMENT"
	Chargeback          Reason = "CHARGEBACK"
	BankError           Reason = "BANK_ERROR"
	LedgerError         Reason = "LEDGER_ERROR"
	DuplicatePosting    Reason = "DUPLICATE_POSTING"
	DuplicateStatement  Reason = "DUPLICATE_STATEMENT"
	TimingCutoff        Reason = "TIMING_CUTOFF"
	MissingReference    Reason = "MISSING_REFERENCE"
	WrongAccount        Reason = "WRONG_ACCOUNT"
	UnidentifiedReceipt Reason = "UNIDENTIFIED_RECEIPT"
	FraudSuspected      Reason = "FRAUD_SUSPECTED"
	ReasonOther         Reason = "OTHER"
)

// Reasons are all reason codes, in the order of a list to choose from.
func Reasons() []Reason {
	return []Reason{BankFee, BankInterest, FXDifference, Rounding, ReturnedPayment, Chargeback, BankError, LedgerError,
		DuplicatePosting, DuplicateStatement, TimingCutoff, MissingReference, WrongAccount, UnidentifiedReceipt,
		FraudSuspected, ReasonOther}
}

// Label is the reason as people read it.
func (r Reason) Label() string {
	switch r {
	case FXDifference:
		return "Exchange difference"
	case DuplicateStatement:
		return "Duplicate on statement"
	case TimingCutoff:
		return "Timing at cut-off"
	}
	return sentenceCase(strings.ToLower(string(r)))
}

// BreakFacts is what the rules of resolving need to know of a break.
type BreakFacts struct {
	Type            BreakType
	Status          Status
	DifferenceMinor int64
	Foreign         bool // a line of it is in another currency than the account
}

// CanResolve gives nil when a person may resolve the break in this way, else what stands in the way. Errors:
// KindIllegalTransition when the break is not open, KindInvalid with the fields at fault.
func CanResolve(b BreakFacts, resolution Resolution, reason Reason, note string) *ledger.Error {
	switch b.Status {
	case Open, InReview:
	case Resolved:
		return ledger.Refuse(ledger.KindIllegalTransition, "this break is already resolved: reopen it to resolve it in another way")
	case WaitingForApproval:
		return ledger.Refuse(ledger.KindIllegalTransition, "this break waits for an approval: it can be resolved when that is decided or recalled")
	default:
		return ledger.Refuse(ledger.KindIllegalTransition, "a break that is %q cannot be resolved", b.Status)
	}
	refusal := ledger.Refuse(ledger.KindInvalid, "the break cannot be resolved in this way")
	if fault := cannotSettle(b, resolution); fault != "" {
		refusal.At("resolution", "%s", fault)
	}
	if !slices.Contains(Reasons(), reason) {
		refusal.At("reason_code", "choose one of the reason codes, such as %s or %s", BankFee, TimingCutoff)
	}
	switch {
	case reason == ReasonOther && strings.TrimSpace(note) == "":
		refusal.At("note", "say in a note what the other reason is")
	case ledger.CheckText("note", note, false) != nil:
		refusal.At("note", "is too long, or has control characters")
	}
	if len(refusal.Fields) == 0 {
		return nil
	}
	return refusal
}

func cannotSettle(b BreakFacts, resolution Resolution) string {
	switch resolution {
	case CarriedForward, External:
		return ""
	case NotABreak:
		if b.DifferenceMinor != 0 || b.Foreign {
			return "a break with a difference cannot be set aside as not a break"
		}
		return ""
	case MatchedByHand:
		return "this comes with a match: choose the lines that belong together"
	case Adjusted, Reversed, WrittenOff:
		return "this comes with an entry: post the entry that settles the break"
	case Superseded:
		return "only Daybook sets this, when a later statement settles the break"
	}
	return "choose carried_forward, external or not_a_break"
}

// CanReopen gives nil when the break may be opened again. Errors: KindIllegalTransition.
func CanReopen(b BreakFacts, resolution Resolution) *ledger.Error {
	if b.Status != Resolved {
		return ledger.Refuse(ledger.KindIllegalTransition, "only a resolved break can be reopened")
	}
	if resolution == Superseded {
		return ledger.Refuse(ledger.KindIllegalTransition, "a later statement settled this break: take that match apart to open it again")
	}
	return nil
}

// sentenceCase turns waiting_for_approval into Waiting for approval.
func sentenceCase(code string) string {
	text := strings.ReplaceAll(code, "_", " ")
	if text == "" {
		return ""
	}
	return strings.ToUpper(text[:1]) + text[1:]
}

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

// Means are what a resolution comes with: the entry that settles the break, the lines that match.
type Means struct{ Entry, Match bool }

// CanResolve is CanSettle for a resolution that comes with nothing.
func CanResolve(b BreakFacts, resolution Resolution, reason Reason, note string) *ledger.Error {
	return CanSettle(b, Means{}, resolution, reason, note)
}

// CanSettle gives nil when a person may resolve the break in this way, else what stands in the way. A match, and a reversal, need no
// reason code. Errors: KindIllegalTransition when the break is not open, KindInvalid with the fields at fault.
func CanSettle(b BreakFacts, means Means, resolution Resolution, reason Reason, note string) *ledger.Error {
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
	if fault := cannotSettle(b, means, resolution); fault != "" {
		refusal.At("resolution", "%s", fault)
	}
	means.refuse(refusal, resolution)
	if free := resolution == MatchedByHand || resolution == Reversed; !slices.Contains(Reasons(), reason) && !(free && reason == "") {
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

// refuse names what a resolution does not come with.
func (m Means) refuse(refusal *ledger.Error, resolution Resolution) {
	posts := resolution == Adjusted || resolution == WrittenOff
	if m.Entry && !posts {
		refusal.At("entry", "goes with %s and %s only", Adjusted, WrittenOff)
	}
	if m.Match && !posts && resolution != MatchedByHand {
		refusal.At("match", "goes with %s, %s and %s only", MatchedByHand, Adjusted, WrittenOff)
	}
}

func cannotSettle(b BreakFacts, means Means, resolution Resolution) string {
	if b.Type == Balance && (means.Entry || means.Match || !slices.Contains(PlainResolutions(), resolution)) {
		return "a balance that does not prove has no lines: choose carried_forward or external"
	}
	switch resolution {
	case CarriedForward, External:
		return ""
	case NotABreak:
		if b.DifferenceMinor != 0 || b.Foreign {
			return "a break with a difference cannot be set aside as not a break"
		}
		return ""
	case MatchedByHand:
		if !means.Match && (b.DifferenceMinor != 0 || b.Foreign) {
			return "this comes with a match: choose the lines that belong together"
		}
		return ""
	case Adjusted, WrittenOff:
		if !means.Entry {
			return "this comes with an entry: give the entry that settles the break"
		}
		return ""
	case Reversed:
		return ""
	case Superseded:
		return "only Daybook sets this, when a later statement settles the break"
	}
	return "choose matched, adjusted, written_off, reversed, carried_forward, external or not_a_break"
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

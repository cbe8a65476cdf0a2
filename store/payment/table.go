package payment

import "fmt"

// rule says what an event does to a payment in some state.
type rule struct {
	verdict verdict
	to      State  // where moves leads
	word    string // why never, or what is waited for
}

type verdict uint8

const (
	undecided verdict = iota
	moves             // to one state
	weighs            // to the state that what is left of the captured amount says
	waits             // for another event, which may be on its way
	never
)

func to(s State) rule              { return rule{verdict: moves, to: s} }
func waitsFor(what string) rule    { return rule{verdict: waits, word: what} }
func neverSince(why string) rule   { return rule{verdict: never, word: why} }
func everyKind(r rule) [kinds]rule { return [kinds]rule{r, r, r, r, r, r, r, r, r} }

var byAmounts = rule{verdict: weighs}

// What may still come, and what cannot any more.
var (
	authorizeFirst = waitsFor("its authorization")
	captureFirst   = waitsFor("its capture")
	refundFirst    = waitsFor("the refund that it is about")
	disputeFirst   = waitsFor("the dispute that it is about")
	taken          = neverSince("the money was taken already")
	held           = neverSince("it is authorized already")
	given          = neverSince("all of it was given back")
	settledByBank  = neverSince("the bank gave the money back to the payer")
	contested      = neverSince("one dispute is open already")
)

// table decides every pair of a state and an event.
var table = [states][kinds]rule{
	Created: {
		KindAuthorization: to(Authorized), KindDecline: to(Failed), KindCapture: authorizeFirst, KindVoid: to(Voided), KindRefund: captureFirst,
		KindRefundFailure: captureFirst, KindDispute: captureFirst, KindDisputeWon: captureFirst, KindDisputeLost: captureFirst,
	},
	Authorized: {
		KindAuthorization: held, KindDecline: to(Failed), KindCapture: to(Captured), KindVoid: to(Voided), KindRefund: captureFirst,
		KindRefundFailure: captureFirst, KindDispute: captureFirst, KindDisputeWon: captureFirst, KindDisputeLost: captureFirst,
	},
	Captured: {
		KindAuthorization: taken, KindDecline: taken, KindCapture: taken, KindVoid: taken, KindRefund: byAmounts,
		KindRefundFailure: refundFirst, KindDispute: to(Disputed), KindDisputeWon: disputeFirst, KindDisputeLost: disputeFirst,
	},
	PartlyRefunded: {
		KindAuthorization: taken, KindDecline: taken, KindCapture: taken, KindVoid: taken, KindRefund: byAmounts,
		KindRefundFailure: byAmounts, KindDispute: to(Disputed), KindDisputeWon: disputeFirst, KindDisputeLost: disputeFirst,
	},
	Refunded: {
		KindAuthorization: taken, KindDecline: taken, KindCapture: given, KindVoid: taken, KindRefund: given,
		KindRefundFailure: byAmounts, KindDispute: given, KindDisputeWon: disputeFirst, KindDisputeLost: disputeFirst,
	},
	Voided: everyKind(neverSince("it was let go")),
	Failed: everyKind(neverSince("it was declined")),
	Disputed: {
		KindAuthorization: taken, KindDecline: taken, KindCapture: taken, KindVoid: taken, KindRefund: to(Disputed),
		KindRefundFailure: to(Disputed), KindDispute: contested, KindDisputeWon: byAmounts, KindDisputeLost: to(ChargedBack),
	},
	ChargedBack: {
		KindAuthorization: taken, KindDecline: taken, KindCapture: taken, KindVoid: taken, KindRefund: to(ChargedBack),
		KindRefundFailure: to(ChargedBack), KindDispute: settledByBank, KindDisputeWon: byAmounts, KindDisputeLost: settledByBank,
	},
}

// String is the rule as the documentation says it.
func (r rule) String() string {
	switch r.verdict {
	case moves:
		return r.to.String()
	case weighs:
		return "by what is left"
	case waits:
		return "waits for " + r.word
	case never:
		return "never: " + r.word
	}
	return "undecided"
}

// Rule says what an event of a kind does in a state, as docs/payments.md says it: the state it leads to, "by what is left" where the amounts decide,
// "waits for …" or "never: …".
func Rule(s State, k Kind) string { return table[s][k].String() }

// Outlook tells where an event may lead from a state, for pages and programs that offer what can be done. It decides nothing about amounts.
func Outlook(s State, k Kind) (possible bool) {
	v := table[s][k].verdict
	return v == moves || v == weighs
}

// Illegal is why an event cannot be applied to a payment in its state. Waits is true where another event, which may be on its way, can make it
// possible.
type Illegal struct {
	From  State
	Event Kind
	Waits bool
	why   string
}

func (e Illegal) Error() string {
	if e.Waits {
		return fmt.Sprintf("%s of a payment that is %s waits for %s", kindNouns[e.Event], words(e.From), e.why)
	}
	return fmt.Sprintf("%s of a payment that is %s is not possible: %s", kindNouns[e.Event], words(e.From), e.why)
}

var stateWords = [states]string{
	"created", "authorized", "captured", "partly refunded", "refunded", "voided", "failed", "disputed", "charged back",
}

func words(s State) string { return stateWords[s] }

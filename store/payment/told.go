package payment

// Told is an event as it is stored and sent: its kind with what events of that kind have. Amounts are in minor units.
type Told struct {
	Kind                  Kind
	Ref                   string
	AmountMinor, FeeMinor int64
	Reason                string
}

// Tell gives an event as it is stored.
func Tell(e Event) Told {
	told := Told{Kind: e.kind(), Ref: e.ref()}
	switch e := e.(type) {
	case Authorization:
		told.AmountMinor = e.AmountMinor
	case Decline:
		told.Reason = e.Reason
	case Capture:
		told.AmountMinor, told.FeeMinor = e.AmountMinor, e.FeeMinor
	case Void:
		told.Reason = e.Reason
	case Refund:
		told.AmountMinor, told.FeeMinor = e.AmountMinor, e.FeeMinor
	case Dispute:
		told.AmountMinor, told.FeeMinor = e.AmountMinor, e.FeeMinor
	case DisputeWon:
		told.FeeMinor = e.FeeMinor
	case RefundFailure, DisputeLost:
	}
	return told
}

// Event gives the event that was told. What events of its kind do not have is left out.
func (t Told) Event() Event {
	switch t.Kind {
	case KindAuthorization:
		return Authorization{Ref: t.Ref, AmountMinor: t.AmountMinor}
	case KindDecline:
		return Decline{Ref: t.Ref, Reason: t.Reason}
	case KindCapture:
		return Capture{Ref: t.Ref, AmountMinor: t.AmountMinor, FeeMinor: t.FeeMinor}
	case KindVoid:
		return Void{Ref: t.Ref, Reason: t.Reason}
	case KindRefund:
		return Refund{Ref: t.Ref, AmountMinor: t.AmountMinor, FeeMinor: t.FeeMinor}
	case KindRefundFailure:
		return RefundFailure{Ref: t.Ref}
	case KindDispute:
		return Dispute{Ref: t.Ref, AmountMinor: t.AmountMinor, FeeMinor: t.FeeMinor}
	case KindDisputeWon:
		return DisputeWon{Ref: t.Ref, FeeMinor: t.FeeMinor}
	case KindDisputeLost, kinds:
	}
	return DisputeLost{Ref: t.Ref}
}

// sameAs reports whether two events say the same. The words of a reason may differ: an answer and a message need not choose the same.
func (t Told) sameAs(other Told) bool {
	t.Reason, other.Reason = "", ""
	return t == other
}

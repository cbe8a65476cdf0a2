package payment_test

import (
	"testing"

	"daybook/store/payment"
)

func TestWhatIsToldOfAnEventIsThatEvent(t *testing.T) {
	t.Parallel()
	events := []payment.Event{
		payment.Authorization{Ref: "a", AmountMinor: 1}, payment.Decline{Ref: "b", Reason: "no funds"}, payment.Capture{Ref: "c", AmountMinor: 2, FeeMinor: 1},
		payment.Void{Ref: "d", Reason: "ran out"}, payment.Refund{Ref: "e", AmountMinor: 3, FeeMinor: 1}, payment.RefundFailure{Ref: "f"},
		payment.Dispute{Ref: "g", AmountMinor: 4, FeeMinor: 2}, payment.DisputeWon{Ref: "h", FeeMinor: 2}, payment.DisputeLost{Ref: "i"},
	}
	if len(events) != len(payment.Kinds()) {
		t.Errorf("%d kinds are tried, there are %d", len(events), len(payment.Kinds()))
	}
	for _, e := range events {
		if got := payment.Tell(e).Event(); got != e {
			t.Errorf("%#v was told as %#v", e, got)
		}
	}
}

func TestTheSameDeclineInOtherWordsIsTheSame(t *testing.T) {
	t.Parallel()
	p, err := payment.Payment{AmountMinor: 100}.Replay(payment.Decline{Ref: "d1", Reason: "insufficient_funds"}, payment.Decline{Ref: "d1", Reason: "The card has no funds"})
	if err != nil || p.State != payment.Failed || len(p.Events) != 1 {
		t.Errorf("got %v with %d events, %v", p.State, len(p.Events), err)
	}
	if _, err := p.Replay(payment.Decline{Ref: "d2"}); err == nil {
		t.Error("a decline of another name was taken")
	}
	if got := p.Ref(payment.KindDecline); got != "d1" {
		t.Errorf("the decline is called %q", got)
	}
	if got := p.Ref(payment.KindCapture); got != "" {
		t.Errorf("there is a capture %q", got)
	}
}

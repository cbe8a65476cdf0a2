package payment

import "daybook/store/ledger"

func positive(field string, minor int64) error {
	if minor <= 0 {
		return ledger.Refuse(ledger.KindInvalid, "the amount must be more than nothing").At(field, "must be more than 0")
	}
	return nil
}

// SmallFeeMinor is what a fee may be whatever the amount; a larger one may be as large as the amount.
const SmallFeeMinor = 10_000

// fits refuses an amount that is not between nothing and most, or a fee below nothing.
func fits(amountMinor, feeMinor, mostMinor int64, what string) error {
	if err := positive("amount", amountMinor); err != nil {
		return err
	}
	refusal := ledger.Refuse(ledger.KindInvalid, "the amounts do not fit the payment")
	if amountMinor > mostMinor {
		refusal.Message = "the amount is more than " + what
		refusal.At("amount", "is %d; %s is %d, in minor units", amountMinor, what, mostMinor).With("most_minor", mostMinor)
	}
	if most := max(amountMinor, SmallFeeMinor); feeMinor < 0 || feeMinor > most {
		refusal.At("fee", "is %d; must be from 0 to %d, in minor units", feeMinor, most)
	}
	return refusal.OrNil()
}

func (e Authorization) check(p Payment) error {
	return fits(e.AmountMinor, 0, p.AmountMinor, "what was asked for")
}

func (e Authorization) apply(p *Payment) Effect {
	p.AuthorizedMinor = e.AmountMinor
	return Effect{}
}

func (e Decline) check(Payment) error   { return nil }
func (e Decline) apply(*Payment) Effect { return Effect{} }
func (e Void) check(Payment) error      { return nil }
func (e Void) apply(*Payment) Effect    { return Effect{} }

func (e Capture) check(p Payment) error {
	return fits(e.AmountMinor, e.FeeMinor, p.AuthorizedMinor, "what was authorized")
}

func (e Capture) apply(p *Payment) Effect {
	p.CapturedMinor = e.AmountMinor
	return Effect{AmountMinor: e.AmountMinor, FeeMinor: e.FeeMinor}
}

func (e Refund) check(p Payment) error {
	return fits(e.AmountMinor, e.FeeMinor, p.CapturedMinor-p.RefundedMinor, "what was captured and not refunded")
}

func (e Refund) apply(p *Payment) Effect {
	p.RefundedMinor += e.AmountMinor
	return Effect{AmountMinor: e.AmountMinor, FeeMinor: e.FeeMinor}
}

func (e RefundFailure) check(p Payment) error {
	if _, found := p.find(Name(Refund{Ref: e.Ref})).(Refund); !found {
		return illegal(p.State, e.kind(), true, refundFirst.word)
	}
	return nil
}

func (e RefundFailure) apply(p *Payment) Effect {
	refund, _ := p.find(Name(Refund{Ref: e.Ref})).(Refund)
	p.RefundedMinor -= refund.AmountMinor
	return Effect{AmountMinor: refund.AmountMinor}
}

func (e Dispute) check(p Payment) error {
	return fits(e.AmountMinor, e.FeeMinor, p.CapturedMinor-p.DisputedMinor-p.LostMinor, "what was captured and not disputed")
}

func (e Dispute) apply(p *Payment) Effect {
	p.DisputedMinor += e.AmountMinor
	return Effect{AmountMinor: e.AmountMinor, FeeMinor: e.FeeMinor}
}

// disputed finds the dispute that a decision is about. Error: KindIllegalTransition, which waits for it.
func (p Payment) disputed(ref string, decision Kind) (Dispute, error) {
	dispute, found := p.find(Name(Dispute{Ref: ref})).(Dispute)
	if !found {
		return Dispute{}, illegal(p.State, decision, true, disputeFirst.word)
	}
	return dispute, nil
}

func (e DisputeWon) check(p Payment) error {
	dispute, err := p.disputed(e.Ref, e.kind())
	if err == nil && (e.FeeMinor < 0 || e.FeeMinor > dispute.FeeMinor) {
		err = ledger.Refuse(ledger.KindInvalid, "the bank cannot give back more than the fee that it took").At("fee", "must be from 0 to %d", dispute.FeeMinor)
	}
	return err
}

// apply gives back what the bank holds or, where it had decided for the payer before, what was lost.
func (e DisputeWon) apply(p *Payment) Effect {
	dispute, _ := p.disputed(e.Ref, e.kind())
	if p.find(Name(DisputeLost{Ref: e.Ref})) != nil {
		p.LostMinor -= dispute.AmountMinor
	} else {
		p.DisputedMinor -= dispute.AmountMinor
	}
	return Effect{AmountMinor: dispute.AmountMinor, FeeMinor: -e.FeeMinor}
}

func (e DisputeLost) check(p Payment) error {
	if _, err := p.disputed(e.Ref, e.kind()); err != nil {
		return err
	}
	if p.find(Name(DisputeWon{Ref: e.Ref})) != nil {
		return illegal(p.State, e.kind(), false, "the bank decided for us before")
	}
	return nil
}

// apply moves nothing: the bank took the money when the dispute began.
func (e DisputeLost) apply(p *Payment) Effect {
	dispute, _ := p.disputed(e.Ref, e.kind())
	p.DisputedMinor -= dispute.AmountMinor
	p.LostMinor += dispute.AmountMinor
	return Effect{}
}

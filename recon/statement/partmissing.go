package statement

import "daybook/store/ledger"

// tellMissing adds to the rejects that leave a gap what that means for the balances: where there is one of them only, how much is missing.
func (p *part) tellMissing() {
	if !p.gap || p.opening == nil || p.closing == nil {
		return
	}
	gaps := 0
	for _, r := range p.rejects {
		if r.Reason.leavesGap() {
			gaps++
		}
	}
	told := "; its amount is missing between the balances of the file"
	if missing, ok := p.missing(); ok && gaps == 1 {
		told = "; by the balances of the file it should be " + ledger.FormatAmount(missing, p.currency) + " " + p.currency
	}
	for i := range p.rejects {
		if p.rejects[i].Reason.leavesGap() {
			p.rejects[i].Detail += told
		}
	}
}

// missing is what the lines lack between the balances.
func (p *part) missing() (minor int64, ok bool) {
	minor, ok = ledger.Add(*p.closing, -*p.opening)
	for i := 0; ok && i < len(p.lines); i++ {
		minor, ok = ledger.Add(minor, -p.lines[i].AmountMinor)
	}
	return minor, ok
}

package statement

import (
	"fmt"
	"slices"

	"daybook/store/ledger"
)

// rejectForeign takes out the lines in another currency than that of the account, whose amounts do not say what the account was moved by. Where
// no balance says that currency, it is the one that was told.
func (p *part) rejectForeign(t *told) {
	if p.opening == nil && p.closing == nil && slices.ContainsFunc(p.lines, func(l Line) bool { return l.Currency == t.currency }) {
		p.currency = t.currency
	}
	if !slices.ContainsFunc(p.lines, func(l Line) bool { return l.Currency != p.currency }) {
		return
	}
	isTurned := map[int]bool{}
	for _, i := range p.turned {
		isTurned[i] = true
	}
	var kept []Line
	var turned []int
	for i, l := range p.lines {
		if l.Currency != p.currency {
			p.reject(l.Row, ReasonBadAmount, fmt.Sprintf("the entry is in %s and the account in %s: the file does not say what the account was moved by", l.Currency, p.currency), l.Raw)
			continue
		}
		if isTurned[i] {
			turned = append(turned, len(kept))
		}
		kept = append(kept, l)
	}
	p.lines, p.turned = kept, turned
	slices.SortStableFunc(p.rejects, func(a, b Reject) int { return a.Row - b.Row })
	p.tellMissing()
}

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

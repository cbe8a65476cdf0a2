package statement

import (
	"cmp"
	"fmt"
	"slices"

	"daybook/store/ledger"
)

// partBreak is where the parts of a statement do not lead from balance to balance.
type partBreak struct {
	at          *part // nil where everything adds up
	wanted, got int64
	compared    int   // the balances that entries led to before it
	before      *part // the one before at, where at opens with another balance than that closes with, or states none itself
}

// walk follows the balances over the parts: each opens with what the one before closes with, and closes with that and its lines. Where a
// balance is not stated or money is missing, there is nothing to compare. whole is true when every line lies between balances that agree.
func (all parts) walk() (found partBreak, whole bool) {
	running, compared := all[0].opening, 0
	whole = running != nil
	for i, p := range all {
		if p.apart && (i == 0 || !p.follows(all[i-1])) {
			running, whole = nil, false
		}
		if p.opening != nil {
			if running != nil && *running != *p.opening {
				return partBreak{at: p, wanted: *running, got: *p.opening, before: all[i-1]}, false
			}
			running = p.opening
		}
		running = p.after(running)
		if p.closing != nil {
			if running != nil && *running != *p.closing {
				found := partBreak{at: p, wanted: *running, got: *p.closing}
				if p.apart {
					found.before = all[i-1]
				}
				return found, false
			}
			if whole = whole && running != nil; running != nil {
				compared++
			}
			running = p.closing
		}
	}
	return partBreak{compared: compared}, whole && all[len(all)-1].closing != nil
}

// after gives the balance after the lines, nil where it cannot be said.
func (p *part) after(before *int64) *int64 {
	if before == nil || p.gap {
		return nil
	}
	sum, ok := *before, true
	for i := range p.lines {
		if sum, ok = ledger.Add(sum, p.lines[i].AmountMinor); !ok || p.lines[i].Currency != p.currency {
			return nil
		}
	}
	return &sum
}

// inOrder gives the parts in the order of their days in which the balances agree: banks list the newest first or last.
func (all parts) inOrder() parts {
	chronological := func(a, b *part) int { return cmp.Or(a.day.Compare(b.day), cmp.Compare(a.page, b.page)) }
	byDay := slices.Clone(all)
	slices.SortStableFunc(byDay, chronological)
	backwards := slices.Clone(all)
	slices.Reverse(backwards)
	backwardsByDay := slices.Clone(backwards)
	slices.SortStableFunc(backwardsByDay, chronological)
	orders := []parts{byDay, backwardsByDay, all, backwards}
	if slices.ContainsFunc(all, func(p *part) bool { return p.apart }) {
		orders = orders[:2] // in another order nothing would follow, so that nothing were compared
	} else if slices.ContainsFunc(all, func(p *part) bool { return p.day.IsZero() && p.page == 0 }) {
		orders = orders[2:]
	}
	for _, order := range orders {
		if found, _ := order.walk(); found.at == nil {
			return order
		}
	}
	return orders[0]
}

func (all parts) addUp() bool {
	found, _ := all.inOrder().walk()
	return found.at == nil
}

// turnAll turns every amount round, and the balances where only they stand in the way.
func (all parts) turnAll() {
	if all.turnLines(); all.addUp() {
		return
	}
	all.turnBalances()
	if !all.addUp() {
		all.turnBalances()
	}
}

func (all parts) turnLines() {
	for _, p := range all {
		for i := range p.lines {
			p.lines[i].AmountMinor = -p.lines[i].AmountMinor
		}
	}
}

func (all parts) turnBalances() {
	for _, p := range all {
		for _, balance := range []**int64{&p.opening, &p.closing} {
			if *balance != nil {
				turned := -**balance
				*balance = &turned
			}
		}
	}
}

// turnOwed turns the balances of a card that states what is owed, where its statements show that.
func (all parts) turnOwed() {
	if !slices.ContainsFunc(all, func(p *part) bool { return p.owed }) || all.addUp() {
		return
	}
	if all.turnBalances(); !all.addUp() {
		all.turnBalances()
	}
}

// turnReversals turns the lines whose sign banks print in two ways, when the balances show that this one means the other.
func (all parts) turnReversals() {
	turn := func() (some bool) {
		for _, p := range all {
			for _, i := range p.turned {
				p.lines[i].AmountMinor = -p.lines[i].AmountMinor
				some = true
			}
		}
		return some
	}
	if !all.addUp() && turn() && !all.addUp() {
		turn()
	}
}

// settle gives the statement its balances, or refuses it where they do not add up.
func (all parts) settle(out *Statement) error {
	ordered := all.inOrder()
	opening, closing := ordered[0].opening, ordered[len(ordered)-1].closing
	found, whole := ordered.walk()
	if found.at != nil {
		return found.refusal(out, opening, closing)
	}
	if last := ordered[len(ordered)-1]; last.carried {
		r := refuse(ClassBalance, 0, "The file is not whole: the last page, %s, carries its balance on to a page that is not in the file. Download the statement again.", last.called("the statement"))
		r.Statement, r.OpeningMinor, r.ClosingMinor = out, opening, closing
		return r
	}
	stated := ordered.stated(out.Lines)
	out.StatedFrom, out.StatedTo = stated.from, stated.to
	if out.OpeningMinor, out.ClosingMinor = opening, closing; whole {
		out.keepRepeated()
	}
	return nil
}

// refusal says where the balances do not add up.
func (b partBreak) refusal(out *Statement, opening, closing *int64) *Refusal {
	show := func(minor int64) string { return ledger.FormatAmount(minor, b.at.currency) + " " + b.at.currency }
	where := "The balances do not add up: "
	var r *Refusal
	if b.at.apart {
		r = refuse(ClassBalance, 0, where+"with the entries of %s the balance of the one before it comes to %s, and the file states %s. %s",
			b.at.called("the statement"), show(b.wanted), show(b.got), b.leftOut())
	} else if b.before != nil {
		r = refuse(ClassBalance, 0, where+"%s closes with %s, and %s opens with %s. A statement or a page between them may be missing: download them again without a gap.",
			b.before.called("a statement in the file"), show(b.wanted), b.at.called("the next one"), show(b.got))
	} else {
		r = refuse(ClassBalance, 0, where+"the opening balance of %s and its entries give %s, and the file states a closing balance of %s. Entries may be missing: download the statement again.",
			b.at.called("the statement"), show(b.wanted), show(b.got))
	}
	r.Statement, r.OpeningMinor, r.ClosingMinor = out, opening, closing
	return r
}

// leftOut says what may be missing before a statement that states no opening balance.
func (b partBreak) leftOut() string {
	first, last := b.before.period.to.AddDays(1), b.at.period.from.AddDays(-1)
	if last.Before(first) {
		return "Entries may be missing: download the statements again."
	}
	return fmt.Sprintf("The days from %s to %s are not in the file: download them too.", first, last)
}

// called names a part, by its day too where that is known.
func (p *part) called(unnamed string) string {
	name := cmp.Or(p.name, unnamed)
	if p.day.IsZero() {
		return name
	}
	return fmt.Sprintf("%s (of %s)", name, p.day)
}

// keepRepeated takes the bank's id off lines that share it with a line of the same day and amount, where the balances prove that all of them
// have moved money: it is none that tells them apart.
func (s *Statement) keepRepeated() {
	type movement struct {
		id          string
		day         ledger.Date
		amountMinor int64
	}
	count := map[movement]int{}
	repeated := false
	for i := range s.Lines {
		if l := &s.Lines[i]; l.BankID != "" {
			m := movement{l.BankID, l.Date, l.AmountMinor}
			count[m]++
			repeated = repeated || count[m] > 1
		}
	}
	for i := 0; repeated && i < len(s.Lines); i++ {
		if l := &s.Lines[i]; count[movement{l.BankID, l.Date, l.AmountMinor}] > 1 {
			l.BankID = ""
		}
	}
}

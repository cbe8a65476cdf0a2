package ledger

import "slices"

// DayBalance is the balance of an account at the end of a day.
type DayBalance struct {
	On           Date
	BalanceMinor int64
}

// DayBalances are the balances of an account at the end of each day on which it moved, in order of days. In between, the balance of the
// day before stands. Whatever moves late touches the end only, so that a long history costs nothing.
type DayBalances []DayBalance

// Add gives the balances with an amount more on a day and on all that follow. Like append, it may write into those that it was given.
func (b DayBalances) Add(on Date, amountMinor int64) DayBalances {
	from := b.after(on)
	if from > 0 && b[from-1].On == on {
		from--
	} else {
		b = slices.Insert(b, from, DayBalance{On: on, BalanceMinor: b.before(from)})
	}
	for i := from; i < len(b); i++ {
		b[i].BalanceMinor += amountMinor
	}
	return b
}

// lack gives the first day on which an amount on a day would leave an account of this type on the abnormal side. Earlier days do not
// change; a lack that was there before is not made worse by an amount that adds.
func (b DayBalances) lack(t AccountType, on Date, amountMinor int64) (DayBalance, bool) {
	if !abnormal(t, amountMinor) {
		return DayBalance{}, false
	}
	next := b.after(on)
	if balance := b.before(next) + amountMinor; abnormal(t, balance) {
		return DayBalance{On: on, BalanceMinor: balance}, true
	}
	for _, day := range b[next:] {
		if day.BalanceMinor += amountMinor; abnormal(t, day.BalanceMinor) {
			return day, true
		}
	}
	return DayBalance{}, false
}

// after is where the days after this one begin.
func (b DayBalances) after(on Date) int {
	at, moved := slices.BinarySearchFunc(b, on, func(day DayBalance, on Date) int { return day.On.Compare(on) })
	if moved {
		at++
	}
	return at
}

// before is the balance at the end of the day before the one at an index.
func (b DayBalances) before(at int) int64 {
	if at == 0 {
		return 0
	}
	return b[at-1].BalanceMinor
}

// abnormal says that a balance, or an amount, is on the side that is not normal for the type.
func abnormal(t AccountType, minor int64) bool {
	return t.DebitNormal() && minor < 0 || !t.DebitNormal() && minor > 0
}

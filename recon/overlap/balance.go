package overlap

import "daybook/store/ledger"

// step is a movement as the running balance has it: it leads from one balance to another.
type step struct {
	fingerprint   Fingerprint
	before, after int64
}

// followBalances decides the day by its running balances: what is stored and what the file has are steps of one walk, in which the same
// step is the same movement. It gives up unless the two together are one walk without a fork, a gap or a balance that comes twice: a bank that
// has put a movement in between meanwhile prints other balances for the same lines.
func (d *day) followBalances() bool {
	if !d.file.Proven {
		return false
	}
	ours, ok := stepsOf(len(d.stored), func(i int) Line { return d.stored[i].Line })
	if !ok {
		return false
	}
	theirs, ok := stepsOf(len(d.at), func(i int) Line { return d.file.Lines[d.at[i]] })
	if !ok || !oneWalk(ours, theirs) {
		return false
	}
	storedBy := make(map[step]int64, len(ours))
	for n, step := range ours {
		storedBy[step] = d.stored[n].StatementID
	}
	for i, step := range theirs {
		d.verdicts[d.at[i]] = Verdict{StatementID: storedBy[step]}
	}
	return true
}

func stepsOf(n int, line func(int) Line) ([]step, bool) {
	steps := make([]step, n)
	for i := range steps {
		l := line(i)
		if l.BalanceMinor == nil {
			return nil, false
		}
		before, ok := ledger.Add(*l.BalanceMinor, -l.AmountMinor)
		if !ok {
			return nil, false
		}
		steps[i] = step{l.Fingerprint, before, *l.BalanceMinor}
	}
	return steps, true
}

// oneWalk reports whether the steps of both, each taken once, lead from one balance to another through all of them, and no other way does.
func oneWalk(ours, theirs []step) bool {
	next, from := map[int64]step{}, map[int64]bool{}
	for _, side := range [][]step{ours, theirs} {
		taken := map[step]bool{}
		for _, s := range side {
			known, forks := next[s.before]
			switch {
			case taken[s] || forks && known != s:
				return false
			case !forks && from[s.after]:
				return false
			}
			taken[s], next[s.before], from[s.after] = true, s, true
		}
	}
	for start := range next {
		if from[start] {
			continue
		}
		walked := 0
		for s, more := next[start]; more; s, more = next[s.after] {
			walked++
		}
		return walked == len(next)
	}
	return false // it goes round
}

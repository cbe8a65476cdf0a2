package statement

import "daybook/store/ledger"

// byRunningBalance finds amount and balance in a table whose header says nothing: they are the columns of which one is the running
// balance of the other, in every row. Nothing is taken when more than one choice holds.
func (c *columns) byRunningBalance(body [][]string, profiles []profile) {
	var figures []int
	for i := range profiles {
		if !c.taken(i) && profiles[i].maybeMoney() {
			figures = append(figures, i)
		}
	}
	const most = 8
	if len(figures) < 2 || len(figures) > most || len(body) < 2 {
		return
	}
	var found []columns
	for _, balance := range figures {
		if profiles[balance].filled < profiles[balance].rows {
			continue
		}
		for _, first := range figures {
			for _, second := range append([]int{-1}, figures...) {
				if first == balance || second == balance || first == second || !isRunning(body, balance, first, second) {
					continue
				}
				with := *c
				with[roleBalance] = balance
				if second < 0 {
					with[roleAmount] = first
				} else {
					with[roleDebit], with[roleCredit] = first, second
				}
				found = append(found, with)
			}
		}
	}
	if len(found) == 1 {
		*c = found[0]
	}
}

// findBalance finds the column that is the running balance of the amounts, where its header does not say so. It takes one only if no other
// is it too.
func (c *columns) findBalance(body [][]string, profiles []profile) {
	found, first, second := -1, c[roleAmount], -1
	if first < 0 {
		first, second = c[roleDebit], c[roleCredit]
	}
	if first < 0 || c[roleAmount] < 0 && second < 0 || len(body) < 2 {
		return
	}
	for i := range profiles {
		if c.taken(i) || !profiles[i].maybeMoney() || profiles[i].filled < profiles[i].rows || !isRunning(body, i, first, second) {
			continue
		}
		if found >= 0 {
			return
		}
		found = i
	}
	c[roleBalance] = found
}

// maybeMoney reports whether a column without a name may hold amounts.
func (p *profile) maybeMoney() bool { return !p.foreign && p.nearlyAll(p.figures) && p.money > 0 }

// isRunning reports whether a column is the running balance of another, or of a column of money out and one of money in, down the
// file or up, under either decimal mark.
func isRunning(body [][]string, balance, first, second int) bool {
	for _, mark := range decimalMarks {
		amounts, balances, ok := figuresOf(body, balance, first, second, mark)
		if !ok {
			continue
		}
		down, up := true, true
		for i := 1; i < len(balances); i++ {
			sum, fits := ledger.Add(balances[i-1], amounts[i])
			down = down && fits && sum == balances[i]
			sum, fits = ledger.Add(balances[i], amounts[i-1])
			up = up && fits && sum == balances[i-1]
		}
		if down || up {
			return true
		}
	}
	return false
}

// figuresOf reads the figures with three decimals, whatever the currency: only their relation matters here.
func figuresOf(body [][]string, balance, first, second int, mark byte) (amounts, balances []int64, ok bool) {
	for _, cells := range body {
		read := func(column int) (int64, bool) {
			if column < 0 || column >= len(cells) || isNothing(cells[column]) {
				return 0, true
			}
			f, ok := lexFigure(cells[column])
			if !ok {
				return 0, false
			}
			minor, reason := f.minor(mark, "KWD")
			return minor, reason == ""
		}
		b, okBalance := read(balance)
		one, okFirst := read(first)
		two, okSecond := read(second)
		if !okBalance || !okFirst || !okSecond || second >= 0 && one != 0 && two != 0 {
			return nil, nil, false
		}
		if second >= 0 {
			one = two - one
		}
		amounts, balances = append(amounts, one), append(balances, b)
	}
	return amounts, balances, true
}

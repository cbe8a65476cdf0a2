package statement

import (
	"slices"
	"sort"
	"strings"

	"daybook/store/ledger"
)

// rowBalance is a balance that stands in a row of its own.
type rowBalance struct {
	kind  balanceKind
	minor int64
	row   int
}

// proof is what the running balance says about the lines: whether each balance is the one before plus the amount.
type proof struct {
	owed    bool // balances are printed as what is owed, the opposite of the account holder's view
	links   int  // pairs of neighbours that were compared
	held    int  // of them, those that agree
	broken  int  // the row of the first that does not agree, 0 for none
	wanted  int64
	got     int64
	opening *int64
	closing *int64
}

func (p proof) holds() bool { return p.links > 0 && p.broken == 0 }

// noteBalance reads a row that states a balance: from the balance column, else from where amounts stand.
func (rd *reader) noteBalance(kind balanceKind, cells []string, r record) {
	currency, detail := rd.currencyOf(cells)
	if detail != "" {
		return
	}
	minor, fault := rd.money(cells, roleBalance, currency)
	if fault != nil && rd.columns.has(roleAmount) {
		minor, fault = rd.signedAmount(cells, currency)
	} else if fault != nil {
		minor, fault = rd.sidedAmount(cells, currency)
	}
	if fault != nil {
		minor, fault = rd.balanceAnywhere(cells, currency)
	}
	if fault == nil {
		rd.balances = append(rd.balances, rowBalance{kind, minor, r.row})
	}
}

// balanceAnywhere reads the one figure of a row that has another form than the table, such as "Endsaldo";"1.188,67 EUR".
func (rd *reader) balanceAnywhere(cells []string, currency string) (int64, *faultyCell) {
	missing := &faultyCell{ReasonMissing, "the row has no amount"}
	found := missing
	var minor int64
	for _, cell := range cells {
		if _, after, named := strings.Cut(cell, ":"); named && balanceOf(cell) != noBalance {
			cell = after // "Closing balance: 1,050.00"
		}
		f, ok := lexFigure(cell)
		if !ok || !f.readable() || looksLikeDate(strings.TrimSpace(cell)) {
			continue
		}
		if f.currency != "" && f.currency != currency || found == nil {
			return 0, missing
		}
		amount, reason := f.minor(orPoint(rd.marks[roleAmount]+rd.marks[roleDebit]), currency)
		if reason != "" {
			return 0, missing
		}
		minor, found = amount, nil
	}
	return minor, found
}

// dropConstantBalance forgets a column of balances that is the same in every row: it is the balance of the day of the download, no running one.
func (rd *reader) dropConstantBalance() {
	lines := rd.out.Lines
	moved := 0
	for i := range lines {
		if lines[i].BalanceMinor == nil || *lines[i].BalanceMinor != *lines[0].BalanceMinor {
			return
		}
		if lines[i].AmountMinor != 0 {
			moved++
		}
	}
	if moved < 2 {
		return
	}
	for i := range lines {
		lines[i].BalanceMinor = nil
	}
}

// prove follows the running balance down the file, and up, as banks list the newest line first or last.
func (rd *reader) prove() proof {
	lines := rd.out.Lines
	if len(lines) == 0 || only(currenciesOf(lines)) == "" || rd.withoutBalances() {
		return proof{}
	}
	sign := int64(1)
	down, up := rd.chain(lines, false, sign), rd.chain(lines, true, sign)
	if rd.told.invert && down.broken > 0 && up.broken > 0 {
		sign = -1 // the balance of a card is what is owed
		down, up = rd.chain(lines, false, sign), rd.chain(lines, true, sign)
	}
	newestFirst := lines[0].Date.After(lines[len(lines)-1].Date)
	switch {
	case down.broken == 0 && up.broken == 0:
		if newestFirst {
			return up
		}
		if lines[0].Date == lines[len(lines)-1].Date && len(lines) > 1 && !samePair(down, up) {
			down.opening, down.closing = nil, nil
		}
		return down
	case down.broken == 0:
		return down
	case up.broken == 0:
		return up
	}
	if shuffled, ok := rd.anyOrder(lines, sign); ok {
		return shuffled
	}
	if up.held > down.held || up.held == down.held && newestFirst {
		return up
	}
	return down
}

func samePair(a, b proof) bool {
	return a.opening != nil && b.opening != nil && *a.opening == *b.opening && *a.closing == *b.closing
}

func currenciesOf(lines []Line) map[string]bool {
	set := map[string]bool{}
	for _, l := range lines {
		set[l.Currency] = true
	}
	return set
}

func (rd *reader) withoutBalances() bool {
	for i := range rd.out.Lines {
		if rd.out.Lines[i].BalanceMinor != nil {
			return false
		}
	}
	return true
}

// chain follows the balances in one direction. A row whose money is missing from the lines is a gap, after which the balance starts anew.
func (rd *reader) chain(lines []Line, up bool, sign int64) proof {
	p := proof{owed: sign < 0}
	known, started := false, false
	var running int64
	sound := true // no gap and no overflow between the end of the file and here
	for i := range lines {
		l := &lines[i]
		if up {
			l = &lines[len(lines)-1-i]
		}
		if i > 0 {
			before := &lines[i-1]
			if up {
				before = &lines[len(lines)-i]
			}
			if rd.gapBetween(before.Row, l.Row) {
				known = false
				sound = sound && started
			}
		}
		next, ok := ledger.Add(running, l.AmountMinor)
		running = next
		if !ok {
			known = false
		}
		if l.BalanceMinor == nil {
			continue
		}
		printed := sign * *l.BalanceMinor
		if known {
			p.compare(l.Row, running, printed)
		} else if !started && sound {
			opening, ok := ledger.Add(printed, -running)
			if ok && !rd.gapOutside(lines, up, true) {
				p.opening = &opening
			}
		}
		known, started, running = true, true, printed
	}
	if known && !rd.gapOutside(lines, up, false) {
		p.closing = &running
	}
	return p
}

func (p *proof) compare(row int, wanted, got int64) {
	p.links++
	if wanted == got {
		p.held++
	} else if p.broken == 0 {
		p.broken, p.wanted, p.got = row, wanted, got
	}
}

func (rd *reader) gapBetween(a, b int) bool {
	low, high := min(a, b), max(a, b)
	at := sort.SearchInts(rd.gaps, low)
	return at < len(rd.gaps) && rd.gaps[at] < high
}

// gapOutside reports whether money is missing before the first line, or after the last, in the order of the chain.
func (rd *reader) gapOutside(lines []Line, up, before bool) bool {
	if len(rd.gaps) == 0 {
		return false
	}
	if up != before {
		return rd.gaps[0] < lines[0].Row
	}
	return rd.gaps[len(rd.gaps)-1] > lines[len(lines)-1].Row
}

// anyOrder proves balances when the lines of a day are listed in another order than they were booked: each balance before a
// line must be the balance after another, but for one opening and one closing.
func (rd *reader) anyOrder(lines []Line, sign int64) (proof, bool) {
	if len(rd.gaps) > 0 || len(lines) < 3 {
		return proof{}, false
	}
	before, after := make([]int64, len(lines)), make([]int64, len(lines))
	for i := range lines {
		if lines[i].BalanceMinor == nil {
			return proof{}, false
		}
		var ok bool
		after[i] = sign * *lines[i].BalanceMinor
		if before[i], ok = ledger.Add(after[i], -lines[i].AmountMinor); !ok {
			return proof{}, false
		}
	}
	slices.Sort(before)
	slices.Sort(after)
	p := proof{owed: sign < 0, links: len(lines) - 1, held: len(lines) - 1}
	for b, a := 0, 0; b < len(before) || a < len(after); {
		switch {
		case b < len(before) && a < len(after) && before[b] == after[a]:
			b, a = b+1, a+1
		case a == len(after) || b < len(before) && before[b] < after[a]:
			if p.opening != nil {
				return proof{}, false
			}
			opening := before[b]
			p.opening, b = &opening, b+1
		default:
			if p.closing != nil {
				return proof{}, false
			}
			closing := after[a]
			p.closing, a = &closing, a+1
		}
	}
	return p, true
}

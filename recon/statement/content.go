package statement

import (
	"fmt"
	"hash"
	"hash/fnv"
	"strings"
	"unicode"

	"daybook/store/ledger"
)

// profile is what stands in one column of the rows that were looked at.
type profile struct {
	rows, filled int
	dates        int // cells that are a day, time of day or not
	figures      int // cells that are an amount
	lexed        int // cells that look like one, wrongly grouped ones and days among them
	money        int // figures with a sign, a mark or a separator
	currencies   int
	directions   int
	distinct     int
	letters      int
	statuses     int
	foreign      bool // the header says that it is about another currency or another date
	values       map[string]bool
	sequence     hash.Hash64 // of all cells in their order: equal for two columns that say the same
}

const distinctLimit = 200

func profileColumns(rows [][]string, width int) []profile {
	profiles := make([]profile, width)
	for i := range profiles {
		profiles[i].values, profiles[i].sequence = map[string]bool{}, fnv.New64a()
		for _, cells := range rows {
			profiles[i].rows++
			_, _ = profiles[i].sequence.Write([]byte{'\n'})
			if i < len(cells) {
				profiles[i].add(strings.TrimSpace(cells[i]))
			}
		}
		profiles[i].distinct = len(profiles[i].values)
	}
	return profiles
}

func (p *profile) add(cell string) {
	if cell == "" {
		return
	}
	p.filled++
	_, _ = p.sequence.Write([]byte(dayOr(cell)))
	if len(p.values) < distinctLimit {
		p.values[cell] = true
	}
	if looksLikeDate(cell) {
		p.dates++
	}
	f, ok := lexFigure(cell)
	if ok {
		p.lexed++
	}
	if ok && f.readable() && !looksLikeDate(cell) {
		p.figures++
		if f.signed || f.currency != "" || f.mark != 0 || strings.ContainsAny(f.body, ".,' ") {
			p.money++
		}
	}
	if code, _ := currencyOf(cell); code != "" {
		p.currencies++
	}
	if directionOf(cell) != 0 {
		p.directions++
	}
	if _, known := statusReason(cell); known && len(cell) < 40 {
		p.statuses++
	}
	for _, r := range cell {
		if unicode.IsLetter(r) {
			p.letters++
		}
	}
}

// dayOr gives the day of a cell without its time, so that two columns of the same days are known to be the same; else the cell.
func dayOr(cell string) string {
	if d, ok := lexDate(cell); ok {
		return fmt.Sprint(d.numbers, d.month)
	}
	return cell
}

func isCode(cell string) bool {
	_, known := ledger.Exponent(strings.ToUpper(cell))
	return known
}

func (p *profile) mostly(n int) bool { return p.filled > 0 && n*2 > p.filled }

func (p *profile) nearlyAll(n int) bool { return p.filled > 0 && n*10 >= p.filled*9 }

// agrees reports whether the content does not contradict a role that the header gives.
func (p *profile) agrees(r role) bool {
	if p.filled == 0 {
		return true
	}
	switch r {
	case roleDate, roleValueDate:
		return p.mostly(p.dates) || p.dates+p.figures > 0 && p.letters == 0
	case roleAmount, roleDebit, roleCredit, roleBalance, roleFee:
		return p.mostly(p.lexed) && p.dates*2 <= p.filled
	case roleCurrency:
		return p.mostly(p.currencies)
	case roleDirection:
		return p.distinct <= 12
	case roleStatus:
		return p.distinct <= 24
	case roleText, roleParty, rolePayer, rolePayee:
		return !p.nearlyAll(p.money)
	case roleBankID:
		return p.letters > 0 || p.longest() >= 6 // a running number of the download is no id of the bank
	}
	return true
}

// meant gives the role that a name has in view of what stands below it: "Valuta" is the value date in one country and the currency in the
// next, "Debit/Credit" an amount with a sign or a word for its direction.
func (p *profile) meant(r role) role {
	switch {
	case r == roleValueDate && p.mostly(p.currencies):
		return roleCurrency
	case r == roleDirection && p.mostly(p.figures) && p.money > 0:
		return roleAmount
	case r == roleAmount && p.mostly(p.directions):
		return roleDirection
	case (r == roleDebit || r == roleCredit) && p.mostly(p.directions) && p.filled == p.rows:
		return roleDirection
	}
	return r
}

func (p *profile) longest() int {
	longest := 0
	for v := range p.values {
		longest = max(longest, len(v))
	}
	return longest
}

// looksLikeDate is stricter than lexDate: two numbers alone or six digits may be anything.
func looksLikeDate(cell string) bool {
	d, ok := lexDate(cell)
	if !ok || d.shape.kind == counted || (d.shape.separator == 0 && d.shape.kind == allShort) || (d.shape.separator == 0 && d.shape.kind == yearLast) {
		return false
	}
	if d.shape.kind == noYear && !(strings.HasSuffix(cell, ".") || d.shape.separator == '/') {
		return false
	}
	for _, o := range d.shape.orders() {
		if _, _, _, fits := d.under(o); fits {
			return true
		}
	}
	return false
}

// byContent finds what the header does not say: the one column of dates, the amount and its running balance, the direction,
// the text.
func (c *columns) byContent(profiles []profile, t *told) {
	open := func(r role) bool { return !c.has(r) && t.columns[r] != notInFile }
	if open(roleDate) {
		c[roleDate] = c.onlyOne(profiles, func(p *profile) bool { return !p.foreign && p.nearlyAll(p.dates) && p.filled*10 >= p.rows*8 })
	}
	c.moneyByContent(profiles)
	if c.has(roleAmount) && open(roleDirection) {
		c[roleDirection] = c.onlyOne(profiles, func(p *profile) bool { return p.directions == p.filled && p.filled*10 >= p.rows*9 })
	}
	if open(roleCurrency) {
		c[roleCurrency] = c.onlyOne(profiles, func(p *profile) bool {
			return !p.foreign && p.currencies == p.filled && p.filled == p.rows && p.rows > 0
		})
	}
	if open(roleStatus) {
		c[roleStatus] = c.onlyOne(profiles, func(p *profile) bool { return p.statuses == p.filled && p.filled*10 >= p.rows*9 && p.filled > 0 })
	}
	if c.has(roleText) && !t.names(roleText) && profiles[c[roleText]].filled == 0 {
		c[roleText] = -1
	}
	if open(roleText) && !c.has(roleParty) && !c.has(rolePayee) {
		c[roleText] = c.longestText(profiles)
	}
}

// moneyByContent takes the one column of amounts, when no other could be one too: a column of money in or out that is half empty, or of
// balances, may stand beside it in words that are not known.
func (c *columns) moneyByContent(profiles []profile) {
	if !c.hasMoney() {
		at := c.onlyOne(profiles, func(p *profile) bool { return !p.foreign && p.mostly(p.figures) && p.money > 0 })
		if at >= 0 && profiles[at].nearlyAll(profiles[at].figures) && profiles[at].filled*10 >= profiles[at].rows*8 {
			c[roleAmount] = at
		}
	}
	if side, other := c.oneSide(); side >= 0 {
		c[other] = c.onlyOne(profiles, func(p *profile) bool {
			return p.mostly(p.figures) && p.money > 0 && p.filled+profiles[side].filled == p.rows
		})
	}
}

// oneSide gives the column of money out or in when the other one was not recognised, and the role that is missing.
func (c *columns) oneSide() (column int, missing role) {
	switch {
	case c.has(roleDebit) && !c.has(roleCredit):
		return c[roleDebit], roleCredit
	case c.has(roleCredit) && !c.has(roleDebit):
		return c[roleCredit], roleDebit
	}
	return -1, roleNone
}

// onlyOne gives the one free column that satisfies a condition, -1 when there is none or a choice. Of two that hold the same it gives
// the first.
func (c *columns) onlyOne(profiles []profile, is func(*profile) bool) int {
	found := -1
	for i := range profiles {
		if c.taken(i) || !is(&profiles[i]) {
			continue
		}
		switch {
		case found < 0:
			found = i
		case profiles[i].sequence.Sum64() != profiles[found].sequence.Sum64():
			return -1
		}
	}
	return found
}

func (c *columns) longestText(profiles []profile) int {
	best, most := -1, 0
	for i := range profiles {
		if !c.taken(i) && profiles[i].letters > most {
			best, most = i, profiles[i].letters
		}
	}
	return best
}

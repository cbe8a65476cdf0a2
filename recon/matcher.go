package recon

import (
	"iter"
	"slices"

	"daybook/store/ledger"
)

// Match pairs the lines of both sides and sorts what is left into breaks. The result does not depend on the order of
// the input beyond the indexes in it.
func Match(in Input) Result {
	m := newMatcher(in)
	m.sharedReferences(ofBatch)
	m.equals()
	m.sameReferenceAndAmount()
	m.equalsWithoutReference()
	m.reversedPairs()
	m.sharedReferences(ofLine)
	m.namedSums()
	m.sameReferenceOtherAmount()
	m.duplicates()
	m.amountWithinWindow()
	m.sameNumberOtherCurrency()
	m.sameBatch()
	m.namedAlone()
	m.sumsWithinWindow()
	m.missing()
	return m.result()
}

type side uint8

const (
	ledgerSide side = iota
	bankSide
)

type state uint8

const (
	free    state = iota
	left          // free, but one too many of its equals: not for another amount and not for the window
	paired        // in a match or in a break that binds both sides
	broken        // in a break of its own
	earlier       // of PairedLedger or PairedBank
)

// line is an Item made comparable in a few words; 0 as reference is none.
type line struct {
	amount      int64
	day         int32 // since 1970
	whole, base int32 // the reference with and without its part number
	batch       int32 // the reference where it names a batch; then whole and base are 0
	index       int32 // in its slice of the Input
	currency    int16 // in the order of the codes
	side        side
	state       state
}

// A position is the place of a line in matcher.lines, which are sorted by currency, amount, day, side, text and ID: the
// smaller position wins a tie.
type position = int32

// pair is a match of one line each; of two ledger lines when rule is ruleReversed: then bank is the place of the reversal.
type pair struct {
	ledger, bank position
	rule         rule
}

type matcher struct {
	in          Input
	rules       Rules
	normaliser  normaliser
	lines       []line
	byAmount    []position // all but those of earlier matches
	byReference []position // those with a reference, the ones of each reference in one run
	pairs       []pair
	groups      []gathered
	breaks      []placed
	surplus     map[position]string // why a line has no match, where a pass knew
	sought      map[position]string // what sets were tried for it
	search      Search
	said        map[said]string

	ledgers, banks []position // what sides returned last
	unnamed        []position // of one amount
}

func newMatcher(in Input) *matcher {
	m := &matcher{in: in, rules: in.Rules.orDefault(), surplus: map[position]string{}, sought: map[position]string{}, said: map[said]string{}}
	m.normaliser = newNormaliser(m.rules.Prefixes)
	m.lines = make([]line, 0, len(in.Ledger)+len(in.Bank)+len(in.PairedLedger)+len(in.PairedBank))
	names := names{m.normaliser, make(map[string]int32, max(len(in.Ledger), len(in.Bank)))}
	currencies := currencyOrder(in)
	add := func(items []Item, s side, as state) {
		for i := range items {
			item := &items[i]
			whole, base, batch := names.of(item.Reference)
			m.lines = append(m.lines, line{amount: item.AmountMinor, day: dayOf(item.Date), whole: whole, base: base, batch: batch,
				index: int32(i), currency: currencies[item.Currency], side: s, state: as})
		}
	}
	add(in.Ledger, ledgerSide, free)
	add(in.Bank, bankSide, free)
	add(in.PairedLedger, ledgerSide, earlier)
	add(in.PairedBank, bankSide, earlier)
	m.sortLines()
	m.indexLines(len(names.numbers))
	return m
}

func (m *matcher) indexLines(references int) {
	m.byAmount = make([]position, 0, len(m.in.Ledger)+len(m.in.Bank))
	for p := range m.lines {
		if m.lines[p].state != earlier {
			m.byAmount = append(m.byAmount, position(p))
		}
	}
	m.byReference = m.gather(references, func(at *line) int32 { return at.whole })
}

// gather lists the lines that have a number, those of each number in one run, by counting: the numbers are from 1 to most.
func (m *matcher) gather(most int, number func(*line) int32) []position {
	from := make([]int32, most+2) // of each number, where its lines begin
	for p := range m.lines {
		from[number(&m.lines[p])+1]++
	}
	from[1] = 0 // 0 is no number
	for n := 1; n < len(from); n++ {
		from[n] += from[n-1]
	}
	list := make([]position, from[most+1])
	for p := range m.lines {
		if n := number(&m.lines[p]); n != 0 {
			list[from[n]] = position(p)
			from[n]++
		}
	}
	return list
}

func (m *matcher) item(p position) *Item { return m.itemOf(&m.lines[p]) }

func (m *matcher) itemOf(l *line) *Item {
	switch {
	case l.side == ledgerSide && l.state == earlier:
		return &m.in.PairedLedger[l.index]
	case l.state == earlier:
		return &m.in.PairedBank[l.index]
	case l.side == ledgerSide:
		return &m.in.Ledger[l.index]
	}
	return &m.in.Bank[l.index]
}

// runs cuts a sorted list into its longest runs of lines that are the same as the first of the run.
func (m *matcher) runs(list []position, same func(a, b *line) bool) iter.Seq[[]position] {
	return func(yield func([]position) bool) {
		for start := 0; start < len(list); {
			end := start + 1
			for end < len(list) && same(&m.lines[list[start]], &m.lines[list[end]]) {
				end++
			}
			if !yield(list[start:end]) {
				return
			}
			start = end
		}
	}
}

// sides gives the lines of a run that are in one of the states, ledger and bank apart, in their order. What it returns
// is good until the next call: with a million runs, two new slices for each would be most of the work.
func (m *matcher) sides(run []position, in ...state) (ledgers, banks []position) {
	ledgers, banks = m.ledgers[:0], m.banks[:0]
	for _, p := range run {
		at := &m.lines[p]
		if !slices.Contains(in, at.state) {
			continue
		}
		if at.side == ledgerSide {
			ledgers = append(ledgers, p)
		} else {
			banks = append(banks, p)
		}
	}
	m.ledgers, m.banks = ledgers, banks
	return ledgers, banks
}

func (m *matcher) match(l, b position, r rule) {
	m.lines[l].state, m.lines[b].state = paired, paired
	m.pairs = append(m.pairs, pair{l, b, r})
}

func (m *matcher) daysApart(a, b position) int {
	return abs(int(m.lines[a].day) - int(m.lines[b].day))
}

// names gives every distinct reference a number, from 1.
type names struct {
	normaliser normaliser
	numbers    map[string]int32
}

// of gives a batch a number of its own: its reference does not name the line. A word without a digit names no batch either.
func (n *names) of(reference string) (whole, base, batch int32) {
	name := n.normaliser.normalise(reference)
	switch {
	case name.base == "" || name.batch && !hasDigit(name.base):
		return 0, 0, 0
	case name.batch:
		return 0, 0, n.number(name.base)
	}
	whole = n.number(name.whole)
	if name.part == "" {
		return whole, whole, 0
	}
	return whole, n.number(name.base), 0
}

func (n *names) number(text string) int32 {
	number, known := n.numbers[text]
	if !known {
		number = int32(len(n.numbers) + 1)
		n.numbers[text] = number
	}
	return number
}

func currencyOrder(in Input) map[string]int16 {
	order := map[string]int16{}
	for _, items := range [][]Item{in.Ledger, in.Bank, in.PairedLedger, in.PairedBank} {
		for i := range items {
			order[items[i].Currency] = 0
		}
	}
	codes := make([]string, 0, len(order))
	for code := range order {
		codes = append(codes, code)
	}
	slices.Sort(codes)
	for i, code := range codes {
		order[code] = int16(i)
	}
	return order
}

// dayOf counts the days since 1970 in the Gregorian calendar: years begin in March, so that the leap day ends them, and 400 of them have
// 146,097 days.
func dayOf(d ledger.Date) int32 {
	year, month := d.Year, (int(d.Month)+9)%12
	if month >= 10 {
		year--
	}
	era := year / 400
	if year < 0 {
		era = (year - 399) / 400
	}
	year -= 400 * era
	return int32(146_097*era + 365*year + year/4 - year/100 + (153*month+2)/5 + d.Day - 1 - 719_468)
}

func abs(n int) int { return max(n, -n) }

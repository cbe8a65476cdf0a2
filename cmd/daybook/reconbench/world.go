package reconbench

import (
	"math/rand/v2"

	"daybook/recon"
	"daybook/store/ledger"
)

// Plan says what world is made. The same plan makes the same world.
type Plan struct {
	Seed  uint64
	Lines int // of the bank, about
	Days  int // of the period, which is stated
	Mix   Mix
}

// World is both sides of an account, and the truth about them.
type World struct {
	Input recon.Input
	Facts []Fact
}

// Fact is something true: the lines belong together, or are a difference of one type. Ledger and Bank are indexes into the Input.
type Fact struct {
	Break        recon.BreakType // "" where the lines belong together
	Trouble      string          // what befell them
	Ledger, Bank []int
	Decidable    bool
}

// Make makes a world. What can be decided in it is not known before Decide.
func Make(plan Plan) *World {
	m := &maker{plan: plan, rng: newRand(plan.Seed), own: map[int64]bool{}}
	start := ledger.MustDate("2026-03-01")
	m.world.Input = recon.Input{Currency: "EUR", Rules: recon.DefaultRules(),
		Period: recon.Period{From: start, To: start.AddDays(plan.Days - 1), Stated: true}}
	for i := range plan.Days + 2*margin {
		m.days = append(m.days, start.AddDays(i-margin))
	}
	m.setPrices()
	for m.lines < plan.Lines {
		m.deal()
	}
	m.shuffle()
	return &m.world
}

func newRand(seed uint64) *rand.Rand { return rand.New(rand.NewPCG(seed, 0x6b696c6e)) }

// margin is the number of days before and after the period that lines may lie in.
const margin = 10

// maker makes a world deal by deal.
type maker struct {
	plan   Plan
	rng    *rand.Rand
	world  World
	days   []ledger.Date
	prices []int64        // amounts that several lines have
	own    map[int64]bool // amounts that one line has
	lines  int            // of the bank so far; a deal that has none counts as one
	number int            // of the last invoice
}

// deal makes one thing that happened, with the trouble that befell it.
func (m *maker) deal() {
	mix := m.plan.Mix
	befalls := m.rng.Float64() * 100
	for _, t := range []struct {
		share float64
		make  func()
	}{
		{mix.Fees, m.fee}, {mix.WrongAmounts, m.wrongAmount}, {mix.Batches, m.batch}, {mix.Splits / 2.5, m.split}, {mix.Duplicates, m.duplicate},
		{mix.EqualRows / 3, m.equalRows}, {mix.Late, m.late}, {mix.MissingInBank, m.missingInBank}, {mix.MissingInLedger, m.missingInLedger},
	} {
		if befalls -= t.share; befalls < 0 {
			t.make()
			return
		}
	}
	m.plain()
}

// post and book add a line to a side and give its index.
func (m *maker) post(s seen) int {
	m.world.Input.Ledger = append(m.world.Input.Ledger, m.item("E", len(m.world.Input.Ledger), s))
	return len(m.world.Input.Ledger) - 1
}

func (m *maker) book(s seen) int {
	m.lines++
	m.world.Input.Bank = append(m.world.Input.Bank, m.item("B", len(m.world.Input.Bank), s))
	return len(m.world.Input.Bank) - 1
}

// seen is a line as one side sees it; day counts from the start of the period.
type seen struct {
	day       int
	minor     int64
	reference string
	text      string
}

func (m *maker) item(side string, n int, s seen) recon.Item {
	return recon.Item{ID: side + pad(n, 8), Date: m.days[s.day+margin], AmountMinor: s.minor, Currency: "EUR", Reference: s.reference, Text: s.text}
}

func (m *maker) together(trouble string, postings, rows []int) {
	m.world.Facts = append(m.world.Facts, Fact{Trouble: trouble, Ledger: postings, Bank: rows})
}

func (m *maker) apart(trouble string, as recon.BreakType, postings, rows []int) {
	m.world.Facts = append(m.world.Facts, Fact{Break: as, Trouble: trouble, Ledger: postings, Bank: rows})
}

// absent is a posting that no bank line of this statement belongs to. Whether it is late or will never come, the statement cannot tell: by
// the account's rules it is timing where the window reaches the end of the period.
func (m *maker) absent(trouble string, posting, day int) {
	as := recon.MissingInBank
	if m.plan.Days-1-day <= m.world.Input.Rules.WindowDays {
		as = recon.Timing
	}
	m.apart(trouble, as, []int{posting}, nil)
}

// shuffle puts both sides in an order that says nothing.
func (m *maker) shuffle() {
	ledgers, banks := mix(m.rng, m.world.Input.Ledger), mix(m.rng, m.world.Input.Bank)
	for i := range m.world.Facts {
		for j, from := range m.world.Facts[i].Ledger {
			m.world.Facts[i].Ledger[j] = ledgers[from]
		}
		for j, from := range m.world.Facts[i].Bank {
			m.world.Facts[i].Bank[j] = banks[from]
		}
	}
}

// mix shuffles items, names them anew, and gives the place that each went to.
func mix(rng *rand.Rand, items []recon.Item) []int {
	order := rng.Perm(len(items))
	from := append([]recon.Item(nil), items...)
	for i, to := range order {
		items[to] = from[i]
		items[to].ID = from[to].ID
	}
	return order
}

// one chooses one of several.
func one[T any](m *maker, of ...T) T { return of[m.rng.IntN(len(of))] }

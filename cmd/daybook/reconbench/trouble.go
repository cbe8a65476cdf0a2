package reconbench

import (
	"strconv"

	"daybook/recon"
)

// fee has the bank keep a little of what it pays out, or take a little more than it pays.
func (m *maker) fee() {
	ours, theirs := m.pair()
	theirs.minor -= m.feeOn(ours.minor)
	trouble := m.blur(&ours, &theirs)
	m.apart(also("fee", trouble), recon.AmountMismatch, []int{m.post(ours)}, []int{m.book(theirs)})
}

// feeOn is from one minor unit to 3 per cent of an amount.
func (m *maker) feeOn(minor int64) int64 { return 1 + m.rng.Int64N(max(1, magnitude(minor)*3/100)) }

// wrongAmount has one side record another amount: digits swapped, a digit too many, a sign flipped, or something else.
func (m *maker) wrongAmount() {
	ours, theirs := m.pair()
	wrong := &ours.minor
	if m.rng.IntN(4) == 0 {
		wrong = &theirs.minor
	}
	right := *wrong
	for *wrong == right {
		switch m.rng.IntN(4) {
		case 0:
			*wrong = swapDigits(right, m.rng.IntN(len(strconv.FormatInt(magnitude(right), 10))-1))
		case 1:
			*wrong = right*10 + m.rng.Int64N(10)
		case 2:
			*wrong = -right
		case 3:
			*wrong = right + 1 + m.rng.Int64N(magnitude(right))
		}
	}
	trouble := m.blur(&ours, &theirs)
	m.apart(also("wrong amount", trouble), recon.AmountMismatch, []int{m.post(ours)}, []int{m.book(theirs)})
}

func swapDigits(minor int64, at int) int64 {
	digits := []byte(strconv.FormatInt(magnitude(minor), 10))
	digits[at], digits[at+1] = digits[at+1], digits[at]
	swapped, _ := strconv.ParseInt(string(digits), 10, 64)
	if minor < 0 {
		return -swapped
	}
	return swapped
}

// duplicate has one side record a deal twice, up to five days apart.
func (m *maker) duplicate() {
	ours, theirs := m.pair()
	again, as := m.post, recon.DuplicateInLedger
	copied := ours
	if m.rng.IntN(2) == 0 {
		again, as, copied = m.book, recon.DuplicateInBank, theirs
	}
	copied.day = min(copied.day+m.rng.IntN(6), m.plan.Days-1)
	m.together("duplicate", []int{m.post(ours)}, []int{m.book(theirs)})
	if second := again(copied); as == recon.DuplicateInLedger {
		m.apart("duplicate", as, []int{second}, nil)
	} else {
		m.apart("duplicate", as, nil, []int{second})
	}
}

// equalRows are small payments that nothing tells apart, sometimes one more on a side than on the other.
func (m *maker) equalRows() {
	ours, theirs := m.pair()
	ours.reference, theirs.reference = "", ""
	n := 2 + m.rng.IntN(3)
	postings := n + one(m, 0, 0, 0, -1, 1)
	for i := range max(n, postings) {
		switch {
		case i >= postings:
			m.apart("equal rows", recon.MissingInLedger, nil, []int{m.book(theirs)})
		case i >= n:
			m.absent("equal rows", m.post(ours), ours.day)
		default:
			m.together("equal rows", []int{m.post(ours)}, []int{m.book(theirs)})
		}
	}
}

// late crosses the cut-off: the bank books after the end of the period what was posted before it, or has booked at its start
// what was posted in the one before.
func (m *maker) late() {
	ours, theirs := m.pair()
	over := 1 + m.rng.IntN(5)
	delay := over + m.rng.IntN(6-over)
	if m.rng.IntN(2) == 0 {
		ours.day = m.plan.Days - 1 + over - delay
		m.lines++
		m.absent("late", m.post(ours), ours.day)
		return
	}
	theirs.day = over - 1
	ours.day = theirs.day - delay
	trouble := m.blur(&ours, &theirs)
	m.together(also("late", trouble), []int{m.post(ours)}, []int{m.book(theirs)})
}

func (m *maker) missingInBank() {
	ours, theirs := m.pair()
	m.blur(&ours, &theirs)
	m.lines++
	m.absent("missing", m.post(ours), ours.day)
}

func (m *maker) missingInLedger() {
	ours, theirs := m.pair()
	m.blur(&ours, &theirs)
	m.apart("missing", recon.MissingInLedger, nil, []int{m.book(theirs)})
}

// also names two troubles that befell one deal.
func also(trouble, another string) string {
	if another == noTrouble {
		return trouble
	}
	return trouble + ", " + another
}

func magnitude(n int64) int64 { return max(n, -n) }

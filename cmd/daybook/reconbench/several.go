package reconbench

import (
	"fmt"
	"strings"

	"daybook/recon"
)

// batch is one bank line for several postings of one sign, known by a batch reference on both sides, by the invoices that its
// text lists, by a reference that the postings share, or by nothing but the sum.
func (m *maker) batch() {
	day := m.bankDay()
	first := m.amount()
	postings := make([]seen, 2+m.rng.IntN(5))
	party := m.party()
	sameParty := m.rng.IntN(2) == 0
	together := m.posted(day)
	var total int64
	for i := range postings {
		minor := magnitude(m.amount())
		if first < 0 {
			minor = -minor
		}
		if !sameParty {
			party = m.party()
		}
		postings[i] = seen{together, minor, m.reference(), m.ledgerText(party)}
		total += minor
	}
	line := seen{day: day, minor: total, text: one(m, "SAMMLER", "BULK PAYMENT", "COLLECTIVE TRANSFER")}
	if sameParty {
		line.text = m.bankText(party)
	}
	how := m.tell(postings, &line)
	rows, indexes := []int{m.book(line)}, m.postAll(postings)
	if m.world.Input.Bank[rows[0]].AmountMinor != total {
		m.apart("batch "+how+", fee", recon.AmountMismatch, indexes, rows)
		return
	}
	m.together("batch "+how, indexes, rows)
}

// tell makes a batch known in one of four ways; where it is known well, a fee may be taken off.
func (m *maker) tell(postings []seen, line *seen) string {
	m.number++
	fee := int64(0)
	if m.rng.IntN(10) == 0 {
		fee = m.feeOn(line.minor)
	}
	switch at := m.rng.IntN(20); {
	case at < 7:
		key := fmt.Sprint(one(m, "PAYOUT-", "BATCH ", "LOT-"), 10_000+m.number)
		for i := range postings {
			postings[i].reference = key
			postings[i].day = max(postings[i].day-m.rng.IntN(4), 1-margin)
		}
		line.reference = m.asBankPrints(key)
		line.minor -= fee
		return "by reference"
	case at < 12:
		names := make([]string, len(postings))
		for i := range postings {
			names[i] = postings[i].reference
		}
		line.text += " " + strings.Join(names, one(m, ", ", " ", "; "))
		line.minor -= fee
		return "by text"
	case at < 15:
		key := fmt.Sprintf("PAY-2026-%d", 10_000+m.number)
		for i := range postings {
			postings[i].reference = key
		}
		return "of one reference"
	}
	return "by sum"
}

func (m *maker) postAll(postings []seen) (indexes []int) {
	for _, p := range postings {
		indexes = append(indexes, m.post(p))
	}
	return indexes
}

// split is one posting for several bank lines, known by part numbers, by the reference itself, or by nothing but the sum.
func (m *maker) split() {
	ours, theirs := m.pair()
	for magnitude(ours.minor) < 1000 {
		ours, theirs = m.pair()
	}
	n := int64(2 + m.rng.IntN(3))
	how := one(m, "by parts", "by parts", "by reference", "by sum")
	left := ours.minor
	var rows []int
	for i := int64(1); i <= n; i++ {
		part := theirs
		part.day = min(theirs.day+m.rng.IntN(2), m.plan.Days-1)
		part.minor = left
		if i < n {
			part.minor = left/(n-i+1) + m.rng.Int64N(magnitude(left/(n-i+1))/2) - magnitude(left/(n-i+1))/4
		}
		left -= part.minor
		switch how {
		case "by parts":
			part.reference = fmt.Sprintf("%s %d/%d", ours.reference, i, n)
		case "by sum":
			part.reference = ""
		}
		rows = append(rows, m.book(part))
	}
	m.together("split "+how, []int{m.post(ours)}, rows)
}

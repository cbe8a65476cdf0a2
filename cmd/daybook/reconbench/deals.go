package reconbench

import (
	"fmt"
	"math"
	"strconv"
	"strings"
)

// setPrices draws the amounts that several lines have, eight on average.
func (m *maker) setPrices() {
	for range max(3, int(float64(m.plan.Lines)*m.plan.Mix.SharedAmounts/100/8)) {
		m.prices = append(m.prices, m.fresh())
	}
}

// fresh draws an amount that no other line has: from 2.00 up, with as many below 200.00 as above.
func (m *maker) fresh() int64 {
	high := 2_000_000.0 * max(1, float64(m.plan.Lines)/200_000)
	for {
		minor := int64(math.Exp(math.Log(200) + m.rng.Float64()*(math.Log(high)-math.Log(200))))
		if !m.own[minor] {
			m.own[minor] = true
			return minor
		}
	}
}

// amount draws an amount with its sign: seven in ten are receipts.
func (m *maker) amount() int64 {
	minor := int64(0)
	if m.rng.Float64()*100 < m.plan.Mix.SharedAmounts {
		minor = m.prices[m.rng.IntN(len(m.prices))]
	} else {
		minor = m.fresh()
	}
	if m.rng.IntN(10) < 3 {
		return -minor
	}
	return minor
}

// bankDay draws a day of the period, posted the day of a posting that the bank sees on it: most are posted before, few after.
func (m *maker) bankDay() int { return m.rng.IntN(m.plan.Days) }

func (m *maker) posted(bankDay int) int {
	delay := one(m, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 2, 2, 3, -1, -1)
	return min(bankDay-delay, m.plan.Days-1)
}

// party is who pays or is paid.
func (m *maker) party() string {
	return one(m, partyNames...) + " " + one(m, partyTrades...) + " " + one(m, partyForms...)
}

// reference gives the business's own reference of a deal in one of the forms that are in use.
func (m *maker) reference() string {
	m.number++
	switch m.rng.IntN(4) {
	case 0:
		return "INV-2026-" + pad(m.number, 6)
	case 1:
		return fmt.Sprintf("KD%d/%d", 1000+m.rng.IntN(9000), 10_000+m.number)
	case 2:
		return fmt.Sprintf("ORD %s %s", pad(m.rng.IntN(1000), 3), pad(m.number, 7))
	}
	return strings.ToUpper(strconv.FormatUint(m.rng.Uint64()>>24|1<<39, 36))
}

// asBankPrints is a reference as it comes back from the bank.
func (m *maker) asBankPrints(reference string) string {
	squeezed := strings.NewReplacer(" ", "", "-", "", "/", "").Replace(reference)
	return one(m, reference, strings.ToUpper(squeezed), "EREF+"+squeezed, "Ref: "+reference, strings.ToLower(reference))
}

// ledgerText and bankText say who it was, each as its side does; one bank line in four does not say.
func (m *maker) ledgerText(party string) string {
	return one(m, party, "Invoice "+party, party+" "+one(m, "order", "delivery", "fees", "rent", "services"))
}

func (m *maker) bankText(party string) string {
	text := strings.ToUpper(party)
	switch m.rng.IntN(8) {
	case 0, 1:
		return one(m, "TRANSFER", "ONLINE PAYMENT", "SEPA CREDIT", "CARD PAYMENT")
	case 2:
		return text[:min(len(text), 14)]
	case 3:
		return text + " " + strings.ToUpper(one(m, partyTowns...))
	}
	return text
}

// pair is a deal as both sides see it.
func (m *maker) pair() (ours, theirs seen) {
	day, minor, party, reference := m.bankDay(), m.amount(), m.party(), m.reference()
	ours = seen{m.posted(day), minor, reference, m.ledgerText(party)}
	theirs = seen{day, minor, m.asBankPrints(reference), m.bankText(party)}
	return ours, theirs
}

const noTrouble = "none"

// blur does to the references of a pair what the mix says, and tells what.
func (m *maker) blur(ours, theirs *seen) string {
	befalls := m.rng.Float64() * 100
	switch {
	case befalls < m.plan.Mix.Typos:
		if m.rng.IntN(2) == 0 {
			ours.reference = m.slip(ours.reference)
		} else {
			theirs.reference = m.asBankPrints(m.slip(ours.reference))
		}
		return "typo"
	case befalls < m.plan.Mix.Typos+m.plan.Mix.NoReference:
		at := m.rng.IntN(20)
		if at != 0 {
			theirs.reference = one(m, "", "", "", "NONREF", "NOTPROVIDED")
		}
		if at < 4 {
			ours.reference = ""
		}
		return "no reference"
	}
	return noTrouble
}

// slip types a reference as a hurried person does: a wrong character, one left out, one twice, or two the wrong way round.
func (m *maker) slip(reference string) string {
	var places []int
	for i, r := range reference {
		if i >= 3 && (r >= '0' && r <= '9' || r >= 'A' && r <= 'Z') {
			places = append(places, i)
		}
	}
	for {
		at := places[m.rng.IntN(len(places))]
		text := []byte(reference)
		switch m.rng.IntN(4) {
		case 0:
			text[at] = byte('0' + m.rng.IntN(10))
		case 1:
			text = append(text[:at], text[at+1:]...)
		case 2:
			text = append(text[:at+1], text[at:]...)
		case 3:
			if at+1 < len(text) && text[at+1] >= '0' {
				text[at], text[at+1] = text[at+1], text[at]
			}
		}
		if string(text) != reference {
			return string(text)
		}
	}
}

func (m *maker) plain() {
	ours, theirs := m.pair()
	trouble := m.blur(&ours, &theirs)
	m.together(trouble, []int{m.post(ours)}, []int{m.book(theirs)})
}

func pad(n, width int) string { return fmt.Sprintf("%0*d", width, n) }

var (
	partyNames = strings.Fields(`Kiln Brandt Hansen Nova Atelier Zuid Ortega Lindqvist Moreau Rossi Keller Novak Jensen Tanaka Silva Byrne
		Walsh Fischer Bauer Dubois Lemaire Conti Greco Vermeer Jansen Visser Kowalski Nowak Horvat Szabo Varga Popescu Ionescu Petrov Dimitrov
		Andersson Eriksson Larsen Nielsen Virtanen Korhonen Costa Pereira Almeida Navarro Castro Reyes Molina Fuentes Okafor Mensah Haddad
		Khoury Rahman Patel Sharma Iyer Chandra Nguyen Tran`)
	partyTrades = strings.Fields(`Bakery Printing Logistics Hosting Ceramics Timber Textiles Dental Optics Garden Roofing Plumbing Studio
		Press Motors Cycles Foods Dairy Vineyard Brewery Pharma Labs Software Security Cleaning Catering Travel Interiors Lighting Tools
		Marine Aviation Energy Solar Metals Plastics Paper Packaging Music Sports`)
	partyForms = strings.Fields("Ltd GmbH SA BV AB SRL KG Oy")
	partyTowns = strings.Fields("Hamburg Lyon Porto Gent Malmo Turin Graz Cork Brno Tartu")
)

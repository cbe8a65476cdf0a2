package demobook

import (
	"fmt"
	"math/rand/v2"
	"time"

	"daybook/store/ledger"
)

// order is one of the web shop. A fixed one keeps its price when prices are brought to a total.
type order struct {
	day        ledger.Date
	number     int
	grossMinor int64
	fixed      bool
	giftCard   bool
}

// The days whose orders are paid out in March, and what the first payout of March and the last of February come to.
var (
	lastPaid   = ledger.MustDate("2026-02-25")
	firstOwing = ledger.MustDate("2026-02-26")
)

const firstOrderOfMarch = 20_436

// ordersOn says how many orders came on a day: more on the way to spring, and as many as are known for the last days.
func ordersOn(random *rand.Rand, day ledger.Date) int {
	switch day {
	case lastPaid:
		return 15
	case firstOwing:
		return 16
	case firstOwing.AddDays(1):
		return 12
	case endOfFebruary:
		return 19
	}
	if day.Month == 1 {
		return 16 + random.IntN(10)
	}
	return 21 + random.IntN(12)
}

// priceOn draws a price as the shop makes them, lower in the sale of January.
func priceOn(random *rand.Rand, day ledger.Date) int64 {
	most := 101
	if day.Month == 2 {
		most = 128
	}
	if !day.Before(lastPaid) {
		most = 190
	}
	return int64(18+random.IntN(most-18))*100 + []int64{0, 50, 90, 95}[random.IntN(4)]
}

func drawOrders(random *rand.Rand) []*order {
	var orders []*order
	for day := newYear; !day.After(endOfFebruary); day = day.AddDays(1) {
		for range ordersOn(random, day) {
			orders = append(orders, &order{day: day, grossMinor: priceOn(random, day)})
		}
	}
	for i, o := range orders {
		o.number = firstOrderOfMarch - len(orders) + i
	}
	return orders
}

// webshop books the orders of the two months, with refunds, gift cards and sales by bank transfer, and gives the orders. Prices are
// brought to four totals: what the last payout of February pays, what March starts with at the processor, the VAT of February,
// and the sales of both months.
func (j *journal) webshop(random *rand.Rand, march march) []*order {
	orders := drawOrders(random)
	j.bankSales(random)
	j.refunds(random, orders)
	giftCards(random, orders)

	var january, february, paid, owing []*order
	for _, o := range orders {
		switch {
		case o.day.Month == 1:
			january = append(january, o)
		case o.day.Before(lastPaid):
			february = append(february, o)
		case o.day == lastPaid:
			paid = append(paid, o)
		default:
			owing = append(owing, o)
		}
	}
	gross := func(minor int64) int64 { return minor }
	steer(random, paid, gross, grossOfPayout(march.bank.Lines[0].AmountMinor, len(paid)))
	steer(random, owing, gross, march.opening["1210"])
	booked := -j.sum("2200", endOfJanuary.AddDays(1), endOfFebruary)
	steer(random, february, vatIn, -march.opening["2200"]-booked-total(paid, vatIn)-total(owing, vatIn))
	booked = -j.sum("4010", newYear, endOfFebruary)
	steer(random, january, netOf, -march.opening["4010"]-booked-total(february, netOf)-total(paid, netOf)-total(owing, netOf))
	for _, o := range orders {
		j.order(o)
	}
	return orders
}

func (j *journal) order(o *order) {
	to, what := "1210", ""
	if o.giftCard {
		to, what = "2400", ", by gift card"
	}
	txID, reference := fmt.Sprintf("ord-%d", o.number), fmt.Sprintf("ORD-%d", o.number)
	j.addOn(o.day, Webshop, txID, fmt.Sprintf("Web shop order %d%s", o.number, what), reference, sold(to, "4010", o.grossMinor)...)
}

func total(orders []*order, measure func(grossMinor int64) int64) int64 {
	sum := int64(0)
	for _, o := range orders {
		sum += measure(o.grossMinor)
	}
	return sum
}

// steer changes prices, by whole euros as long as it can and one at the end by cents, until what is measured of the orders comes to
// target. It gives up after many rounds: then the balances do not come out, which the tests see.
func steer(random *rand.Rand, orders []*order, measure func(grossMinor int64) int64, target int64) {
	const least, most = 1_500, 19_500
	for range 100_000 {
		rest := target - total(orders, measure)
		o := orders[random.IntN(len(orders))]
		if o.fixed || rest == 0 {
			continue
		}
		if near := measure(1_000); -near < rest && rest < near {
			if finish(o, measure, rest) {
				return
			}
			continue
		}
		by := int64(1+random.IntN(10)) * 100
		if rest < 0 {
			by = -by
		}
		if changed := o.grossMinor + by; least <= changed && changed <= most {
			o.grossMinor = changed
		}
	}
}

// finish changes one price by a few euros at most, so that its measure changes by rest.
func finish(o *order, measure func(grossMinor int64) int64, rest int64) bool {
	want := measure(o.grossMinor) + rest
	for grossMinor := o.grossMinor - 1_200; grossMinor <= o.grossMinor+1_200; grossMinor++ {
		if measure(grossMinor) == want && grossMinor > 1_500 {
			o.grossMinor = grossMinor
			return true
		}
	}
	return false
}

// refunds books that some orders are given back whole, and the last of each month in part, to the amounts that the months had.
func (j *journal) refunds(random *rand.Rand, orders []*order) {
	for _, month := range []struct {
		number   time.Month
		netMinor int64
	}{{1, 131_820}, {2, 110_000}} {
		for rest := month.netMinor; rest > 0; {
			o := orders[random.IntN(len(orders))]
			day := nextBankDay(o.day.AddDays(2 + random.IntN(6)))
			if o.fixed || o.day.Month != month.number || day.Month != month.number || !day.Before(lastPaid) {
				continue
			}
			netMinor := min(netOf(o.grossMinor), rest)
			what, grossMinor := "Refund", o.grossMinor
			if netMinor < netOf(o.grossMinor) {
				what, grossMinor = "Part refund", netMinor+vatOn(netMinor)
			}
			o.fixed = true
			rest -= netMinor
			j.addOn(day, Processor, fmt.Sprintf("rfd-%d", o.number), fmt.Sprintf("%s, order %d", what, o.number), fmt.Sprintf("RFD-%d", o.number),
				eur("4090", netMinor), eur("2200", grossMinor-netMinor), eur("1210", -grossMinor))
		}
	}
}

// giftCards lets a few small orders be paid by gift card.
func giftCards(random *rand.Rand, orders []*order) {
	for left := 9; left > 0; {
		o := orders[random.IntN(len(orders))]
		if !o.fixed && o.day.Before(lastPaid) && o.grossMinor < 5_000 {
			o.fixed, o.giftCard = true, true
			left--
		}
	}
}

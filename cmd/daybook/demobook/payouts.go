package demobook

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"time"

	"daybook/store/ledger"
)

// bankSales books orders paid by bank transfer and places in the workshop.
func (j *journal) bankSales(random *rand.Rand) {
	const sales, lastNumber, workshopMinor = 48, 511, 18_000
	var days []ledger.Date
	for day := newYear.AddDays(1); day.Before(lastPaid.AddDays(2)); day = day.AddDays(1) {
		if isBankDay(day) {
			days = append(days, day)
		}
	}
	for i := range sales {
		day, name := days[i*len(days)/sales], drawName(random)
		number := fmt.Sprintf("%04d", lastNumber-sales+1+i)
		grossMinor := int64(90+random.IntN(220))*100 + 50*int64(random.IntN(2))
		j.addOn(day, Webshop, "bt-"+number, "Order by bank transfer, "+name, "BT-"+number, sold("1010", "4010", grossMinor)...).atBank(capitals(name), i%3%2)
	}
	for i := range 10 {
		day, name := days[2+i*4], drawName(random)
		number := fmt.Sprintf("%02d%02d", day.Month, i+1)
		j.addOn(day, Webshop, "ws-"+number, "Workshop place, "+name, "WS-"+number, sold("1010", "4010", workshopMinor)...).atBank(capitals(name)+" WORKSHOP", 1)
	}
}

func drawName(random *rand.Rand) string {
	first := []string{"Merel", "Lies", "Jip", "Daan", "Eva", "Koen", "Noor", "Sanne", "Timo", "Lotte", "Iris", "Femke"}
	last := []string{"Visser", "Smit", "Bakker", "Meijer", "de Boer", "Bos", "Mulder", "Dekker", "Peters", "Vos", "Kok", "Vermeer"}
	return first[random.IntN(len(first))] + " " + last[random.IntN(len(last))]
}

// payout is what the processor pays on one day: the orders of two days before, on Monday those of Thursday to Saturday.
type payout struct {
	grossMinor, refundMinor int64
	orders, refunds         int
}

// feeOn is what the processor keeps: 1.5 % and 0.25 for each order.
func feeOn(grossMinor int64, orders int) int64 { return (grossMinor*15+500)/1000 + int64(orders)*25 }

// grossOfPayout finds orders of which, after the fee, a payout is left.
func grossOfPayout(netMinor int64, orders int) int64 {
	grossMinor := netMinor
	for grossMinor-feeOn(grossMinor, orders) < netMinor {
		grossMinor++
	}
	return grossMinor
}

// payouts books gift cards sold through the processor, its payouts of all that was ordered up to lastPaid, and the rest of its
// fees, which it charges by the month.
func (j *journal) payouts(orders []*order) {
	paid := map[ledger.Date]*payout{newYear.AddDays(1): {grossMinor: 268_450, orders: 31}} // of the last days of 2025
	on := func(day ledger.Date) *payout {
		day = payoutDay(day)
		if paid[day] == nil {
			paid[day] = &payout{}
		}
		return paid[day]
	}
	for i, day := range []string{"01-03", "01-10", "01-24", "02-07", "02-11", "02-13", "02-14"} {
		minor := []int64{2_500, 5_000, 7_500}[i%3]
		number := fmt.Sprintf("%d", 4_418+i)
		j.add(Webshop, day, "gc-"+number, "Gift card "+number+", sold", "GC-"+number, move("1210", "2400", minor)...)
		on(ledger.MustDate("2026-" + day)).grossMinor += minor
		on(ledger.MustDate("2026-"+day)).orders++
	}
	for _, o := range orders {
		if !o.giftCard && !o.day.After(lastPaid) {
			on(o.day).grossMinor += o.grossMinor
			on(o.day).orders++
		}
	}
	for _, b := range j.bookings {
		if b.by == Processor { // a refund
			on(b.EffectiveOn).refundMinor -= b.of("1210")
			on(b.EffectiveOn).refunds++
		}
	}
	for day := newYear; !day.After(endOfFebruary); day = day.AddDays(1) {
		if p := paid[day]; p != nil {
			j.payout(day, *p)
		}
	}
	j.monthlyFees()
}

// payoutDay is when the orders of a day are paid out.
func payoutDay(day ledger.Date) ledger.Date {
	switch day.Time().Weekday() {
	case time.Thursday:
		return day.AddDays(4)
	case time.Friday:
		return day.AddDays(3)
	}
	return day.AddDays(2)
}

func (j *journal) payout(day ledger.Date, p payout) {
	feeMinor := feeOn(p.grossMinor, p.orders)
	what := fmt.Sprintf("Payout, %d orders", p.orders)
	if p.refunds == 1 {
		what += ", 1 refund"
	} else if p.refunds > 1 {
		what += fmt.Sprintf(", %d refunds", p.refunds)
	}
	gross := p.grossMinor - p.refundMinor
	booked := j.addOn(day, Processor, "po-"+mmdd(day), what, "PP-26-"+mmdd(day), eur("1010", gross-feeMinor), eur("6200", feeMinor), eur("1210", -gross))
	booked.atBank("PAYPORT PAYOUT", 0)
	booked.bank.nextMonth = slices.Contains([]string{"01-30", "02-27"}, day.String()[5:])
}

// monthlyFees splits over the two months what the processor charged in all less what it kept.
func (j *journal) monthlyFees() {
	const inAllMinor = 152_740
	rest := inAllMinor - j.sum("6200", newYear, endOfFebruary)
	j.add(Preparer, "01-30", "ppm-2601", "PayPort, plan and terminal, January", "PPM-2601", move("6200", "1010", rest/2)...).atBank("PAYPORT PLAN", 0)
	j.add(Preparer, "02-26", "ppm-2602", "PayPort, plan and terminal, February", "PPM-2602", move("6200", "1010", rest-rest/2)...).atBank("PAYPORT PLAN", 0)
}

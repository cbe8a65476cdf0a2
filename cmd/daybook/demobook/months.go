package demobook

import (
	"fmt"

	"daybook/store/ledger"
)

// eachMonth books what comes back every month: rent, wages and their tax, insurance, bank, depreciation, the VAT set aside.
func (j *journal) eachMonth() {
	for i, m := range []struct {
		name, rent, insured, taxed, setAside, wages, charged, last string
		interestMinor                                              int64
	}{
		{"January", "01-02", "01-15", "01-20", "01-22", "01-23", "01-30", "01-31", 396},
		{"February", "02-02", "02-16", "02-20", "02-23", "02-25", "02-27", "02-28", 388},
	} {
		mm := fmt.Sprintf("%02d", i+1)
		j.add(Preparer, m.rent, "rent-2026-"+mm, "Rent, kiln hall, "+m.name, "RENT-2026-"+mm, bought("6100", "1010", 210_500)...).
			atBank("HALBEHEER OOST RENT "+mm, 1)
		j.add(Preparer, m.insured, "ins-2026-"+mm, "Insurance premium, "+m.name, "POL-40771-"+mm, move("6500", "1010", 21_840)...).
			atBank("VERZEKERING OOST", 0)
		before, year, monthBefore := "January", 2026, i
		if i == 0 {
			before, year, monthBefore = "December", 2025, 12
		}
		j.add(Preparer, m.taxed, fmt.Sprintf("tax-wage-%02d", monthBefore), "Wage tax, "+before, fmt.Sprintf("LH-%d-%02d", year, monthBefore),
			move("2300", "1010", 391_200)...).atBank("BELASTINGDIENST LH", 0)
		j.add(Controller, m.setAside, "trf-vat-"+mm, "Transfer to VAT reserve", "TRF-VAT-"+mm, move("1020", "1010", 600_000)...).
			atBank("OWN TRANSFER 1020", 0)
		j.add(Controller, m.wages, "payroll-2026-"+mm, "Payroll, "+m.name+", 5 people", "PAYROLL-2026-"+mm,
			eur("6010", 1_240_000), eur("6020", 248_000), eur("2300", -391_200), eur("1010", -1_096_800)).atBank("WAGES "+capitals(m.name), 0)
		j.add(Preparer, m.charged, "chg-26"+mm, "Account charges, "+m.name, "CHG-26"+mm, move("6210", "1010", 3_715)...).atBank("ACCOUNT CHARGES", 0)
		j.add(Preparer, m.charged, "int-26"+mm, "Credit interest, "+m.name, "INT-26"+mm, move("1010", "4900", m.interestMinor)...).atBank("CREDIT INTEREST", 0)
		j.depreciate(m.name, mm, m.last)
	}
}

// depreciate books January by the plan of last year at first.
func (j *journal) depreciate(month, mm, day string) {
	const planMinor, lastYearMinor = 89_500, 98_500
	txID, description, reference := "dep-2026-"+mm, "Depreciation, "+month, "DEP-2026-"+mm
	if mm != "01" {
		j.add(Controller, day, txID, description, reference, move("6900", "1590", planMinor)...)
		return
	}
	wrong := j.add(Controller, day, txID, description, reference, move("6900", "1590", lastYearMinor)...)
	j.correct(wrong, "02-03", move("6900", "1590", planMinor)...)
}

// stock books what the kilns turned from clay into ware each Friday, and the cost of what was sold each Sunday.
func (j *journal) stock() {
	friday := ledger.MustDate("2026-01-09")
	for week, minor := range []int64{88_000, 94_500, 91_200, 97_800, 102_400, 99_600, 95_300, 91_500} {
		day := friday.AddDays(7 * week)
		j.addOn(day, Second, "fin-"+mmdd(day), fmt.Sprintf("Ware finished, week %d", week+2), "FIN-"+mmdd(day), move("1300", "1310", minor)...)
	}
	sunday := ledger.MustDate("2026-01-04")
	for week, minor := range []int64{168_400, 342_500, 338_000, 351_200, 364_900, 386_000, 411_500, 392_500, 340_000} {
		day := sunday.AddDays(7 * week)
		if day.After(endOfFebruary) {
			day = endOfFebruary
		}
		j.addOn(day, Webshop, "cogs-"+mmdd(day), "Cost of ware sold, week", "COGS-"+mmdd(day), move("5010", "1300", minor)...)
	}
}

// studio books the cards of two regulars: money in advance, and a fee for each evening at the wheel.
func (j *journal) studio() {
	for _, top := range []struct {
		day, name, code string
		minor           int64
	}{{"01-08", "Alice", "a", 15_000}, {"02-05", "Bob", "b", 20_000}, {"02-12", "Alice", "a", 20_000}} {
		number := top.code + top.day[:2] + top.day[3:]
		j.add(Preparer, top.day, "top-"+number, "Studio card of "+top.name+", paid in", "CARD-"+capitals(number), move("1010", "customer:"+lower(top.name), top.minor)...).
			atBank(capitals(top.name)+" STUDIO CARD", 0)
	}
	for _, card := range []struct {
		first, name, code string
		evenings          int
	}{{"01-14", "Alice", "a", 11}, {"02-12", "Bob", "b", 7}} {
		for evening := range card.evenings {
			day := ledger.MustDate("2026-" + card.first).AddDays(7 * evening)
			number := card.code + mmdd(day)
			j.addOn(day, Second, "evening-"+number, "Studio evening, "+card.name, "EVENING-"+capitals(number), move("customer:"+lower(card.name), "revenue:fees", 2_500)...)
		}
	}
}

// dollars books two bills of the American supplier, what was paid on them, and dollars that were bought. Each side of an exchange
// balances in its own currency.
func (j *journal) dollars() {
	owe := func(day, number string, dollarMinor, euroMinor int64) {
		j.add(Second, day, "bill-"+number, "Orton Glazes, order "+number+" in dollars", "BILL-"+capitals(number),
			eur("1310", euroMinor), eur("1900", -euroMinor), usd("1910", dollarMinor), usd("supplier:orton", -dollarMinor))
	}
	pay := func(day, number string, minor int64) {
		j.add(Preparer, day, "pay-"+number, "Orton Glazes, order "+number, capitals(number), usd("supplier:orton", minor), usd("1030", -minor))
	}
	owe("01-13", "og-4471", 100_800, 93_333)
	pay("01-27", "og-4471", 100_800)
	j.add(Controller, "02-10", "fx-2602", "Dollars bought, 2,000.00 USD at 1.0815", "FX-2602",
		eur("1010", -184_928), eur("1900", 184_928), usd("1910", -200_000), usd("1030", 200_000)).atBank("CURRENCY PURCHASE", 0)
	owe("02-18", "og-4516", 145_200, 134_257)
	pay("03-05", "og-4516", 145_200)
}

// loan books the instalment of the quarter.
func (j *journal) loan() {
	j.add(Controller, "01-02", "loan-26q1", "Loan for the kilns, first quarter", "LOAN-26Q1", eur("2500", 150_000), eur("6970", 18_400), eur("1010", -168_400)).
		atBank("NORDBANK LOAN INSTALMENT", 0)
}

// taxReturns pays from the reserve what the VAT returns of December and January say.
func (j *journal) taxReturns() {
	const salesMinor, purchasesMinor = 1_084_300, 402_100
	j.add(Preparer, "01-30", "vat-2025-12", "VAT return, December", "OB-2025-12",
		eur("2200", salesMinor), eur("2210", -purchasesMinor), eur("1020", purchasesMinor-salesMinor))
	sales := -j.sum("2200", newYear, endOfJanuary) + salesMinor
	purchases := j.sum("2210", newYear, endOfJanuary) + purchasesMinor
	j.add(Preparer, "02-27", "vat-2026-01", "VAT return, January", "OB-2026-01",
		eur("2200", sales), eur("2210", -purchases), eur("1020", purchases-sales))
}

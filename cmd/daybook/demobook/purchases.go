package demobook

import (
	"fmt"
	"strings"

	"daybook/store/ledger"
)

// bill is what a supplier sent and when it was paid; one that has no day is still owed when March begins.
type bill struct {
	number, supplier, account string
	netMinor                  int64
	received, paid            string
}

func bills() []bill {
	return []bill{
		{"KN-846", "Kartonnage Noord", "5110", 52_318, "01-06", "01-16"},
		{"VL-5521", "Vrachtlijn", "5100", 61_480, "01-08", "01-22"},
		{"LZ-2231", "Leem & Zoon", "1310", 148_500, "01-09", "01-23"},
		{"FK-271", "Fietskoerier", "5100", 24_300, "01-12", "01-19"},
		{"GD-103", "Glazuurdepot", "1310", 64_300, "01-15", "01-29"},
		{"KN-853", "Kartonnage Noord", "5110", 45_900, "01-20", "01-30"},
		{"VL-5534", "Vrachtlijn", "5100", 58_935, "01-22", "02-05"},
		{"FK-279", "Fietskoerier", "5100", 25_150, "01-26", "02-03"},
		{"KN-861", "Kartonnage Noord", "5110", 66_742, "02-03", "02-13"},
		{"VL-5547", "Vrachtlijn", "5100", 72_310, "02-03", "02-17"},
		{"GD-111", "Glazuurdepot", "1310", 58_900, "02-04", "02-18"},
		{"FK-288", "Fietskoerier", "5100", 27_400, "02-09", "02-16"},
		{"VL-5559", "Vrachtlijn", "5100", 66_420, "02-11", "02-25"},
		{"KN-872", "Kartonnage Noord", "5110", 61_905, "02-12", "02-24"},
		{"OB-2031", "Ovenbouw Rijn", "1500", 400_000, "02-17", ""},
		{"VL-5566", "Vrachtlijn", "5100", 68_954, "02-18", "02-26"},
		{"KN-879", "Kartonnage Noord", "5110", 57_415, "02-18", "02-26"},
		{"LZ-2274", "Leem & Zoon", "1310", 162_066, "02-19", ""},
		{"GD-118", "Glazuurdepot", "1310", 91_901, "02-23", ""},
		{"FK-295", "Fietskoerier", "5100", 26_850, "02-23", "02-26"},
		{"BW-77", "Beurswerk", "6400", 159_475, "02-24", ""},
	}
}

// purchase is bought and paid at once, by card or by direct debit.
type purchase struct {
	kind, number, supplier, what, account string
	netMinor                              int64
	day                                   string
	noReference                           bool
}

func directPurchases() []purchase {
	return []purchase{
		{"sub", "SUB-SHOPKIT-01", "Shopkit", "Shopkit, January", "6300", 7_900, "01-02", false},
		{"card", "PH-742", "Papierhal", "", "5110", 8_940, "01-15", true},
		{"card", "GP-1131", "Gereedschap Plus", "", "1310", 4_820, "01-09", true},
		{"card", "SD-0418", "Stadsdrukkerij", "", "6400", 11_800, "01-13", false},
		{"card", "OR-274", "Ovenservice Rijn", "", "1310", 23_650, "01-16", false},
		{"nrg", "E-2601-8790", "Stroom en Warmte", "Energy, December", "6110", 117_600, "01-19", false},
		{"card", "TL-2026", "Tekenlab", "Tekenlab, licence 2026", "6300", 46_810, "01-19", false},
		{"card", "CB-2601", "Cloudboek", "", "6300", 3_900, "01-19", false},
		{"card", "DH-9714", "Domeinhuis", "", "6300", 2_495, "01-12", false},
		{"mkt", "KP-022", "Kleurpost", "Kleurpost, winter mailing", "6400", 45_000, "01-22", false},
		{"card", "GP-1144", "Gereedschap Plus", "", "1310", 3_975, "01-27", true},
		{"ads", "ZP-2601", "Zoekplaats", "Zoekplaats, ads of January", "6400", 64_200, "01-29", false},
		{"card", "MR-2601", "Mailroute", "", "6300", 2_900, "01-29", false},
		{"sub", "SUB-SHOPKIT-02", "Shopkit", "Shopkit, February", "6300", 7_900, "02-02", false},
		{"card", "PH-755", "Papierhal", "", "5110", 9_615, "02-05", true},
		{"card", "GP-1158", "Gereedschap Plus", "", "1310", 6_120, "02-06", true},
		{"card", "FZ-104", "Fotostudio Zicht", "", "6400", 32_500, "02-10", false},
		{"card", "DH-9803", "Domeinhuis", "", "6300", 2_495, "02-10", false},
		{"card", "SD-0429", "Stadsdrukkerij", "", "6400", 11_800, "02-11", false},
		{"card", "OR-289", "Ovenservice Rijn", "", "1310", 23_650, "02-12", false},
		{"nrg", "E-2602-8816", "Stroom en Warmte", "Energy, January", "6110", 114_264, "02-17", false},
		{"card", "CB-2602", "Cloudboek", "", "6300", 3_900, "02-18", false},
		{"card", "PH-763", "Papierhal", "", "5110", 9_655, "02-19", true},
		{"card", "GP-1171", "Gereedschap Plus", "", "1310", 5_157, "02-25", true},
		{"card", "MR-2602", "Mailroute", "", "6300", 2_900, "02-26", false},
		{"ads", "ZP-2602", "Zoekplaats", "Zoekplaats, ads of February", "6400", 70_225, "02-26", false},
	}
}

// purchases books bills, their payments, the bills of 2025 that were paid now, and what was paid at once.
func (j *journal) purchases() {
	for _, b := range bills() {
		j.receiveBill(b)
	}
	for _, b := range []bill{
		{number: "LZ-2190", supplier: "Leem & Zoon", netMinor: 141_653, paid: "01-08"}, {number: "KN-821", supplier: "Kartonnage Noord", netMinor: 73_000, paid: "01-09"},
		{number: "VL-5508", supplier: "Vrachtlijn", netMinor: 119_000, paid: "01-14"}, {number: "GD-097", supplier: "Glazuurdepot", netMinor: 79_670, paid: "01-15"},
	} {
		j.pay(b)
	}
	for _, p := range directPurchases() {
		what := p.what
		if what == "" {
			what = p.supplier + ", " + p.number
		}
		booked := j.add(Second, p.day, p.kind+"-"+lower(p.number), what, p.number, bought(p.account, "1010", p.netMinor)...)
		booked.atBank(capitals(p.supplier), 1).bank.noReference = p.noReference
	}
	parcels := []int64{31_240, 28_915, 27_480, 29_105, 33_260, 36_745, 35_890, 32_610}
	for week, netMinor := range parcels {
		day := ledger.MustDate("2026-01-07").AddDays(7 * week)
		number := fmt.Sprintf("PV-%d", 76_912+23*week)
		j.addOn(day, Second, "shp-pv-"+mmdd(day), fmt.Sprintf("Pakketvlot, week %d", week+1), number, bought("5100", "1010", netMinor)...).
			atBank("PAKKETVLOT PARCELS", 0)
	}
	j.clay()
}

func (j *journal) receiveBill(b bill) {
	postings := bought(b.account, "2010", b.netMinor)
	wrong := b.number == "KN-853" // typed as 549.00 instead of 459.00
	if wrong {
		postings = bought(b.account, "2010", 54_900)
	}
	booked := j.add(Second, b.received, "bill-"+lower(b.number), b.supplier+" "+b.number, "BILL-"+b.number, postings...)
	if wrong {
		j.correct(booked, "01-21", bought(b.account, "2010", b.netMinor)...)
	}
	if b.paid != "" {
		j.pay(b)
	}
}

func (j *journal) pay(b bill) {
	paid := j.add(Preparer, b.paid, "pay-"+lower(b.number), b.supplier+", "+b.number, b.number, move("2010", "1010", b.netMinor+vatOn(b.netMinor))...)
	paid.atBank(capitals(b.supplier), 0)
	paid.bank.nextMonth = b.number == "KN-853" // ordered on the last evening of the month
}

// clay is the order that brings the VAT on purchases of February to what March begins with.
func (j *journal) clay() {
	const rent, atEndOfFebruary = 44_205, 441_890
	vatMinor := atEndOfFebruary - rent - j.sum("2210", endOfJanuary.AddDays(1), endOfFebruary)
	j.receiveBill(bill{"LZ-2259", "Leem & Zoon", "1310", vatMinor * 100 / 21, "02-05", "02-19"})
}

func capitals(name string) string { return strings.ToUpper(name) }

func lower(name string) string { return strings.ToLower(name) }

package demobook

// invoice is a wholesale invoice and when it was paid; one that has no day is still open when March begins.
type invoice struct {
	number, customer, name string
	netMinor               int64
	sent, paid             string
}

func invoices() []invoice {
	return []invoice{
		{"INV-0106", "customer:ceder", "Ceder Interieur", 140_000, "01-12", "01-26"},
		{"INV-0112", "customer:linde", "Linde & Dochters", 110_000, "01-19", "02-04"},
		{"INV-0203", "customer:ceder", "Ceder Interieur", 180_000, "02-03", "02-16"},
		{"INV-0205", "customer:huis", "Huis van Klei", 220_000, "02-04", "02-18"},
		{"INV-0208", "customer:linde", "Linde & Dochters", 145_000, "02-05", "02-20"},
		{"INV-0211", "customer:west", "Servies West", 155_000, "02-06", "02-24"},
		{"INV-0219", "customer:noor", "Atelier Noor", 300_000, "02-12", ""},
		{"INV-0222", "customer:noor", "Atelier Noor", 200_000, "02-13", ""},
		{"INV-0224", "customer:huis", "Huis van Klei", 98_000, "02-16", ""},
		{"INV-0226", "customer:bord", "Bord & Co", 70_000, "02-17", ""},
		{"INV-0227", "customer:bord", "Bord & Co", 210_000, "02-18", ""},
		{"INV-0228", "customer:huis", "Huis van Klei", 72_000, "02-19", ""},
		{"INV-0231", "customer:huis", "Huis van Klei", 180_000, "02-20", ""},
		{"INV-0233", "customer:west", "Servies West", 150_000, "02-24", ""},
	}
}

// wholesale books the invoices of the two months and their receipts, and the receipts of the invoices of 2025.
func (j *journal) wholesale() {
	for _, i := range invoices() {
		grossMinor := i.netMinor + vatOn(i.netMinor)
		to := i.customer
		if i.number == "INV-0112" { // booked on the customer above it in the list
			to = "customer:west"
		}
		booked := j.add(Preparer, i.sent, "inv-"+i.number[4:], i.name+", "+i.number, i.number, sold(to, "4020", grossMinor)...)
		if to != i.customer {
			j.correct(booked, "01-20", sold(i.customer, "4020", grossMinor)...)
		}
		shortMinor := int64(0)
		if i.number == "INV-0112" {
			shortMinor = 132
		}
		if i.paid != "" {
			j.receive(i.paid, i.number, i.customer, i.name, grossMinor, shortMinor)
		}
	}
	j.receive("01-09", "INV-1204", "customer:noor", "Atelier Noor", 290_400, 0)
	j.receive("01-14", "INV-1211", "customer:bord", "Bord & Co", 181_500, 0)
	j.receive("01-21", "INV-1215", "customer:huis", "Huis van Klei", 157_300, 185)
	j.receive("01-27", "INV-1219", "customer:west", "Servies West", 121_000, 0)
}

// receive books what a customer paid. What is short of the invoice by less than it would cost to ask for is written off.
func (j *journal) receive(day, number, customer, name string, grossMinor, shortMinor int64) {
	postings := move("1010", customer, grossMinor)
	if shortMinor != 0 {
		postings[0].AmountMinor -= shortMinor
		postings = append(postings, eur("6950", shortMinor))
	}
	j.add(Preparer, day, "rcv-inv-"+number[4:], name+", "+number, number, postings...).atBank(capitals(name), 0)
}

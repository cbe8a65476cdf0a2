package gallery

import (
	"daybook/recon"
	"daybook/store/ledger"
	"daybook/templates"
)

// breakGroups are the breaks of March 2026 by type.
func breakGroups() []templates.BreakGroup {
	group := func(t recon.BreakType, status string, rows ...templates.BreakRow) templates.BreakGroup {
		g := templates.BreakGroup{BreakKind: templates.BreakKind{Type: t, Status: status, Count: len(rows)}, Rows: rows}
		for _, r := range rows {
			g.SumMinor += r.DifferenceMinor
		}
		return g
	}
	return []templates.BreakGroup{
		group(recon.AmountMismatch, templates.BreaksOpen,
			breakOf(311, 16, bankSide(44, "2026-03-16", -124850, "LEEM & ZOON", "LZ-2291"), ledgerSide(1355, "2026-03-13", -128450, "Leem & Zoon, LZ-2291", "pay-lz-2291"), "Digits swapped", recon.WaitingForApproval, "Tom"),
			breakOf(312, 14, bankSide(53, "2026-03-18", 239500, "ATELIER NOOR", "INV-0318"), ledgerSide(1447, "2026-03-18", 242000, "Atelier Noor, INV-0318", "rcv-inv-0318"), "25.00 less at the bank", recon.Open, ""),
			breakOf(313, 13, bankSide(56, "2026-03-19", 105471, "PAYPORT PAYOUT", "PP-26-0319"), ledgerSide(1463, "2026-03-19", 106371, "Payout, 11 orders", "po-0319"), "9.00 less at the bank", recon.Open, ""),
			breakOf(326, 12, bankSide(60, "2026-03-20", -49862, "ORTON GLAZES INC", "OR-5517"), ledgerSide(1490, "2026-03-20", -54000, "Orton Glazes, OR-5517", "pay-or-5517"), "41.38 less at the bank", recon.InReview, "Maja"),
			breakOf(314, 8, bankSide(66, "2026-03-24", -6490, "REFUND ORDER 20614", "RFD-20614"), ledgerSide(1557, "2026-03-24", 6490, "Refund by bank, 20614", "rfd-20614"), "Sign flipped", recon.Open, "Tom")),
		group(recon.MissingInLedger, templates.BreaksOpen,
			breakOf(316, 15, bankSide(50, "2026-03-17", -114273, "STROOM EN WARMTE", "E-2603-8841"), nil, "No posting with this reference or amount", recon.InReview, "Tom"),
			breakOf(317, 8, bankSide(69, "2026-03-24", -8900, "PAYPORT CHARGEBACK", "CB-20571"), nil, "No posting with this reference or amount", recon.Open, ""),
			breakOf(318, 1, bankSide(87, "2026-03-31", -3850, "ACCOUNT CHARGES", "CHG-2603"), nil, "No posting with this reference or amount", recon.Open, ""),
			breakOf(319, 1, bankSide(88, "2026-03-31", 412, "CREDIT INTEREST", ""), nil, "No posting with this reference or amount", recon.Open, "")),
		group(recon.MissingInBank, templates.BreaksOpen,
			breakOf(322, 26, nil, ledgerSide(1244, "2026-03-06", 84700, "Bord & Co, INV-0226", "rcv-inv-0226"), "No line with this reference or amount", recon.Open, "Ana"),
			breakOf(323, 20, nil, ledgerSide(1334, "2026-03-12", -31218, "Fietskoerier, FK-302", "pay-fk-302"), "No line with this reference or amount", recon.Open, "Tom")),
		group(recon.Ambiguous, templates.BreaksOpen,
			breakOf(315, 29, bankSide(17, "2026-03-03", 18000, "J VERMEER WORKSHOP", "NONREF"),
				append(ledgerSide(1172, "2026-03-02", 18000, "Workshop place, Jip Vermeer", "ws-0301"), ledgerSide(1211, "2026-03-04", 18000, "Workshop place, Iris Kok", "ws-0302")...), "2 postings fit 1 line", recon.Open, "")),
		group(recon.DuplicateInLedger, templates.BreaksOpen,
			breakOf(325, 16, nil, ledgerSide(1411, "2026-03-16", -21840, "Insurance premium, March", "ins-2026-03b"), "Equal to #1,410", recon.Open, "Ana")),
		group(recon.Timing, templates.BreaksExplained,
			explained(breakOf(327, 2, nil, ledgerSide(1662, "2026-03-30", 465341, "Payout, 46 orders", "po-0330"), "2 days before the end of the period", recon.Open, "By rule"), recon.CarriedForward),
			explained(breakOf(328, 1, nil, ledgerSide(1673, "2026-03-31", 182830, "Payout, 16 orders", "po-0331"), "On the last day of the period", recon.Open, "By rule"), recon.CarriedForward),
			explained(breakOf(329, 1, nil, ledgerSide(1683, "2026-03-31", -96000, "Glazuurdepot, GD-126", "pay-gd-126"), "On the last day of the period", recon.Open, "By rule"), recon.CarriedForward)),
		group(recon.DuplicateInBank, templates.BreaksExplained,
			explained(breakOf(324, 21, bankSide(36, "2026-03-11", -14630, "PAKKETVLOT PARCELS", "PV-77120"), nil, "Equal to row 35", recon.Open, "Ana"), recon.External)),
	}
}

// breakOf is a break whose difference is that of its two sides.
func breakOf(id int64, age int, bank []templates.BankSide, postings []templates.LedgerSide, why string, status recon.Status, owner string) templates.BreakRow {
	r := templates.BreakRow{ID: id, Version: 3, AgeDays: age, Bank: bank, Ledger: postings, Currency: "EUR", Why: why, Status: templates.BreakStatus{Status: status}, Owner: owner}
	if status == recon.WaitingForApproval {
		r.Request = 58
	}
	for _, p := range postings {
		r.DifferenceMinor += p.AmountMinor
	}
	for _, b := range bank {
		r.DifferenceMinor -= b.AmountMinor
	}
	return r
}

func explained(r templates.BreakRow, how recon.Resolution) templates.BreakRow {
	r.Status = templates.BreakStatus{Status: recon.Resolved, Resolution: how}
	return r
}

func bankSide(row int, day string, minor int64, text, reference string) []templates.BankSide {
	return []templates.BankSide{{Row: row, Date: ledger.MustDate(day), Description: text, Reference: reference, AmountMinor: minor, Currency: "EUR"}}
}

func ledgerSide(seq int64, day string, minor int64, text, txID string) []templates.LedgerSide {
	return []templates.LedgerSide{{Seq: seq, Line: 1, TxID: txID, Date: ledger.MustDate(day), Description: text, AmountMinor: minor, Currency: "EUR"}}
}

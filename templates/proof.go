package templates

import "daybook/templates/ui"

// proof is the arithmetic on one line. What is explained is shown as a person adds it up: an amount that raises the
// expected balance is added, one that lowers it is taken off, both without a sign of their own.
func (v Reconciliation) proof() ui.Proof {
	p := v.Proof
	statement := "Balance per statement"
	if v.StatementAssumed {
		statement += ", assumed"
	}
	explained := v.path("?status=" + BreaksExplained)
	return ui.Proof{
		Terms: []ui.Term{
			{Label: "Balance per ledger", Money: v.money(p.LedgerMinor)},
			v.taken("Outstanding payments", p.OutstandingMinor, v.OutstandingCount, "+", explained),
			v.taken("Deposits in transit", p.InTransitMinor, v.InTransitCount, "−", explained),
			v.taken("Other explained", p.OtherExplainedMinor, v.OtherExplainedCount, "−", explained),
			{Op: "=", Label: "Expected at the bank", Money: v.money(p.ExpectedMinor)},
			{Label: statement, Money: v.money(p.StatementMinor)},
		},
		End:  ui.Term{Label: "Unexplained difference", Money: v.money(p.UnexplainedMinor)},
		Chip: proofChip(p.UnexplainedMinor, v.count(BreaksOpen)),
	}
}

// proofChip is the word for how far a proof has come. Open breaks whose differences cancel out leave nothing unexplained in sum, and
// are still to be worked.
func proofChip(unexplainedMinor int64, openBreaks int) ui.Chip {
	switch {
	case unexplainedMinor != 0:
		return ui.Chip{Text: "Not proven", Tone: ui.Bad}
	case openBreaks > 0:
		return ui.Chip{Text: "Breaks open", Tone: ui.Warn}
	}
	return ui.Chip{Text: "Proven", Tone: ui.OK}
}

// taken is a term of "expected = ledger - …". A zero keeps the sign that its name leads one to expect.
func (v Reconciliation) taken(label string, minor int64, count int, usual, address string) ui.Term {
	t := ui.Term{Op: usual, Label: label, Money: v.money(minor)}
	if count > 0 {
		t.Label += ", " + v.Format.Number(count)
		t.Href = address
	}
	switch {
	case minor < 0:
		t.Op, t.Money = "+", v.money(-minor)
	case minor > 0:
		t.Op = "−"
	}
	return t
}

package recon

import "daybook/store/ledger"

// Proof leads from the balance per ledger to the balance per statement: expected = ledger - outstanding - in transit -
// other explained, unexplained = expected - statement. Every explained part is signed as ledger - bank: an outstanding
// payment of 960.00 is -960.00.
type Proof struct {
	LedgerMinor         int64 `json:"ledger_minor"`
	OutstandingMinor    int64 `json:"outstanding_minor"`     // payments in the ledger that the bank has not seen yet
	InTransitMinor      int64 `json:"in_transit_minor"`      // receipts in the ledger that the bank has not seen yet
	OtherExplainedMinor int64 `json:"other_explained_minor"` // what the bank is to correct, and what else is carried forward
	ExpectedMinor       int64 `json:"expected_minor"`
	StatementMinor      int64 `json:"statement_minor"`
	UnexplainedMinor    int64 `json:"unexplained_minor"`
}

// Difference is a break as the proof sees it: what is open has no resolution.
type Difference struct {
	Type       BreakType
	Resolution Resolution
	Minor      int64 // ledger - bank
}

// Prove adds up the proof. Each break is given once, and counts once: explained are those carried forward, as timing is
// born, and those left to the bank. A resolution that posted an entry is in the ledger's balance already.
// Errors: KindAmountOverflow.
func Prove(ledgerMinor, statementMinor int64, breaks []Difference) (Proof, error) {
	var outstanding, inTransit, other, expected, unexplained wide
	for _, b := range breaks {
		if b.Resolution != CarriedForward && b.Resolution != External {
			continue
		}
		switch onlyInLedger := b.Type == Timing || b.Type == MissingInBank; {
		case b.Resolution == External || !onlyInLedger:
			other.add(b.Minor)
		case b.Minor < 0:
			outstanding.add(b.Minor)
		default:
			inTransit.add(b.Minor)
		}
		expected.subtract(b.Minor)
	}
	expected.add(ledgerMinor)
	unexplained = expected
	unexplained.subtract(statementMinor)

	proof, fits := Proof{LedgerMinor: ledgerMinor, StatementMinor: statementMinor}, true
	for _, part := range []struct {
		sum  wide
		into *int64
	}{{outstanding, &proof.OutstandingMinor}, {inTransit, &proof.InTransitMinor}, {other, &proof.OtherExplainedMinor},
		{expected, &proof.ExpectedMinor}, {unexplained, &proof.UnexplainedMinor}} {
		minor, ok := part.sum.minor()
		*part.into, fits = minor, fits && ok
	}
	if !fits {
		return Proof{}, ledger.Refuse(ledger.KindAmountOverflow, "the proof has a sum beyond the largest amount")
	}
	return proof, nil
}

// BalanceSource says where the balance per statement comes from.
type BalanceSource string

// The sources of a statement's balance, the surest first.
const (
	StatedClosing   BalanceSource = "stated"   // the file says it
	PreviousClosing BalanceSource = "previous" // the closing before this statement, and its lines
	AssumedOpening  BalanceSource = "assumed"  // the ledger's balance before the first statement, and its lines
)

// StatementBalance is the balance per statement: the file's closing, else the previous closing and the lines, else the
// ledger's opening and the lines. Errors: KindAmountOverflow.
func StatementBalance(closing, previous *int64, ledgerOpeningMinor, linesMinor int64) (int64, BalanceSource, error) {
	if closing != nil {
		return *closing, StatedClosing, nil
	}
	opening, source := ledgerOpeningMinor, AssumedOpening
	if previous != nil {
		opening, source = *previous, PreviousClosing
	}
	minor, ok := ledger.Add(opening, linesMinor)
	if !ok {
		return 0, source, ledger.Refuse(ledger.KindAmountOverflow, "the balance per statement is beyond the largest amount")
	}
	return minor, source, nil
}

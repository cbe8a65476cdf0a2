package recon_test

import (
	"math"
	"testing"

	"daybook/recon"
	"daybook/store/ledger"
)

func TestProveLeadsFromTheLedgerToTheStatement(t *testing.T) {
	t.Parallel()
	proof, err := recon.Prove(8081520, 7329824, []recon.Difference{
		{Type: recon.Timing, Resolution: recon.CarriedForward, Minor: -96000},
		{Type: recon.Timing, Resolution: recon.CarriedForward, Minor: 465341},
		{Type: recon.MissingInBank, Resolution: recon.CarriedForward, Minor: 182830},
		{Type: recon.DuplicateInBank, Resolution: recon.External, Minor: 14630},
		{Type: recon.AmountMismatch, Minor: 184895},
		{Type: recon.MissingInLedger, Resolution: recon.Adjusted, Minor: -500},
		{Type: recon.Timing, Minor: 0},
	})
	want := recon.Proof{LedgerMinor: 8081520, OutstandingMinor: -96000, InTransitMinor: 648171, OtherExplainedMinor: 14630,
		ExpectedMinor: 7514719, StatementMinor: 7329824, UnexplainedMinor: 184895}
	if err != nil || proof != want {
		t.Errorf("got %+v (%v), want %+v", proof, err, want)
	}
}

func TestProveCountsWhatWaitsInTheBankAsOther(t *testing.T) {
	t.Parallel()
	proof, err := recon.Prove(1000, 700, []recon.Difference{
		{Type: recon.MissingInLedger, Resolution: recon.CarriedForward, Minor: 100},
		{Type: recon.Timing, Resolution: recon.External, Minor: 200},
	})
	if err != nil || proof.OtherExplainedMinor != 300 || proof.UnexplainedMinor != 0 {
		t.Errorf("got %+v (%v)", proof, err)
	}
}

func TestProveRefusesWhatNoAmountCanHold(t *testing.T) {
	t.Parallel()
	if _, err := recon.Prove(math.MaxInt64, -1, nil); ledger.KindOf(err) != ledger.KindAmountOverflow {
		t.Errorf("got %v", err)
	}
	back := []recon.Difference{
		{Type: recon.Timing, Resolution: recon.CarriedForward, Minor: -math.MaxInt64},
		{Type: recon.Timing, Resolution: recon.CarriedForward, Minor: math.MaxInt64},
	}
	if proof, err := recon.Prove(math.MaxInt64, math.MaxInt64, back); err != nil || proof.UnexplainedMinor != 0 {
		t.Errorf("a sum that comes back within the limits is fine: %+v (%v)", proof, err)
	}
}

func TestStatementBalanceTakesTheSurestSource(t *testing.T) {
	t.Parallel()
	closing, previous := int64(500), int64(300)
	for _, c := range []struct {
		closing, previous *int64
		want              int64
		source            recon.BalanceSource
	}{
		{&closing, &previous, 500, recon.StatedClosing},
		{nil, &previous, 350, recon.PreviousClosing},
		{nil, nil, 150, recon.AssumedOpening},
	} {
		if got, source, err := recon.StatementBalance(c.closing, c.previous, 100, 50); err != nil || got != c.want || source != c.source {
			t.Errorf("got %d, %s (%v), want %d, %s", got, source, err, c.want, c.source)
		}
	}
	if _, _, err := recon.StatementBalance(nil, nil, math.MaxInt64, 1); ledger.KindOf(err) != ledger.KindAmountOverflow {
		t.Errorf("got %v", err)
	}
}

func TestTotalCountsTheScopeInTheAccountsCurrency(t *testing.T) {
	t.Parallel()
	in := march(t, "a 2026-03-01 10.00 EUR - x\nb 2026-03-01 99.00 USD - x\n?c 2026-02-01 50.00 EUR - x", "1 2026-03-01 12.50 EUR - x")
	if totals, err := recon.Total(in); err != nil || totals != (recon.Totals{LedgerMinor: 1000, BankMinor: 1250, DifferenceMinor: -250}) {
		t.Errorf("got %+v (%v)", totals, err)
	}
}

package recon_test

import (
	"strings"
	"testing"

	"daybook/recon"
	"daybook/store/ledger"
)

func TestCanResolve(t *testing.T) {
	t.Parallel()
	open := recon.BreakFacts{Type: recon.MissingInBank, Status: recon.Open, DifferenceMinor: 100}
	zero := recon.BreakFacts{Type: recon.Ambiguous, Status: recon.InReview}
	foreign := recon.BreakFacts{Type: recon.CurrencyMismatch, Status: recon.Open, Foreign: true}
	with := func(b recon.BreakFacts, s recon.Status) recon.BreakFacts { b.Status = s; return b }
	for _, c := range []struct {
		name       string
		facts      recon.BreakFacts
		resolution recon.Resolution
		reason     recon.Reason
		note       string
		kind       ledger.Kind
		fields     string
	}{
		{name: "CarriesForward", facts: open, resolution: recon.CarriedForward, reason: recon.TimingCutoff},
		{name: "LeavesItToTheBank", facts: open, resolution: recon.External, reason: recon.BankError},
		{name: "SetsAsideWhatHasNoDifference", facts: zero, resolution: recon.NotABreak, reason: recon.DuplicateStatement},
		{name: "TakesOtherWithANote", facts: open, resolution: recon.CarriedForward, reason: recon.ReasonOther, note: "see ticket 7"},
		{name: "RefusesADifferenceAsNotABreak", facts: open, resolution: recon.NotABreak, reason: recon.Rounding, kind: ledger.KindInvalid, fields: "resolution"},
		{name: "RefusesAnotherCurrencyAsNotABreak", facts: foreign, resolution: recon.NotABreak, reason: recon.Rounding, kind: ledger.KindInvalid, fields: "resolution"},
		{name: "RefusesAMatchWithoutOne", facts: open, resolution: recon.MatchedByHand, reason: recon.Rounding, kind: ledger.KindInvalid, fields: "resolution"},
		{name: "RefusesAnAdjustmentWithoutAnEntry", facts: open, resolution: recon.Adjusted, reason: recon.BankFee, kind: ledger.KindInvalid, fields: "resolution"},
		{name: "RefusesSupersededFromAPerson", facts: open, resolution: recon.Superseded, reason: recon.BankFee, kind: ledger.KindInvalid, fields: "resolution"},
		{name: "NamesEveryFieldAtFault", facts: open, resolution: "ignored", reason: "BECAUSE", note: strings.Repeat("x", 5000), kind: ledger.KindInvalid, fields: "resolution reason_code note"},
		{name: "RefusesOtherWithoutANote", facts: open, resolution: recon.External, reason: recon.ReasonOther, note: "  ", kind: ledger.KindInvalid, fields: "note"},
		{name: "RefusesAResolvedBreak", facts: with(open, recon.Resolved), resolution: recon.External, reason: recon.BankError, kind: ledger.KindIllegalTransition},
		{name: "RefusesABreakThatWaits", facts: with(open, recon.WaitingForApproval), resolution: recon.External, reason: recon.BankError, kind: ledger.KindIllegalTransition},
		{name: "RefusesAnUnknownStatus", facts: with(open, ""), resolution: recon.External, reason: recon.BankError, kind: ledger.KindIllegalTransition},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			refusal := recon.CanResolve(c.facts, c.resolution, c.reason, c.note)
			if c.kind == "" {
				if refusal != nil {
					t.Fatalf("refused: %v", refusal)
				}
				return
			}
			if refusal == nil || refusal.Kind != c.kind {
				t.Fatalf("got %v, want %s", refusal, c.kind)
			}
			var fields []string
			for _, f := range refusal.Fields {
				fields = append(fields, f.Field)
			}
			if got := strings.Join(fields, " "); got != c.fields {
				t.Errorf("fields %q, want %q", got, c.fields)
			}
		})
	}
}

func TestCanReopen(t *testing.T) {
	t.Parallel()
	resolved := recon.BreakFacts{Status: recon.Resolved}
	if err := recon.CanReopen(resolved, recon.External); err != nil {
		t.Errorf("refused: %v", err)
	}
	if err := recon.CanReopen(resolved, recon.Superseded); err == nil || err.Kind != ledger.KindIllegalTransition {
		t.Errorf("what a later statement settled was reopened: %v", err)
	}
	if err := recon.CanReopen(recon.BreakFacts{Status: recon.Open}, ""); err == nil || err.Kind != ledger.KindIllegalTransition {
		t.Errorf("an open break was reopened: %v", err)
	}
}

func TestEverythingHasALabelForPeople(t *testing.T) {
	t.Parallel()
	labels := map[string]string{}
	for i, b := range recon.BreakTypes() {
		labels[string(b)] = b.Label()
		if b.Rank() != i {
			t.Errorf("%s has rank %d, want %d", b, b.Rank(), i)
		}
	}
	for _, r := range recon.Reasons() {
		labels[string(r)] = r.Label()
	}
	for _, s := range []recon.Status{recon.Open, recon.InReview, recon.WaitingForApproval, recon.Resolved} {
		labels[string(s)] = s.Label()
	}
	for _, r := range append(recon.PlainResolutions(), recon.MatchedByHand, recon.WrittenOff) {
		labels[string(r)] = r.Label()
	}
	for _, k := range []recon.Kind{recon.KindReference, recon.KindFuzzy, recon.KindBatch, recon.KindSplit, recon.KindReversedPair, recon.KindManual} {
		labels[string(k)] = k.Label()
	}
	for code, label := range labels {
		if label == "" || label == code || strings.Contains(label, "_") {
			t.Errorf("%s is shown as %q", code, label)
		}
	}
	for code, want := range map[string]string{"amount_mismatch": "Amount differs", "missing_in_ledger": "Missing in ledger",
		"waiting_for_approval": "Waiting for approval", "BANK_FEE": "Bank fee", "FX_DIFFERENCE": "Exchange difference", "external": "Bank to correct"} {
		if labels[code] != want {
			t.Errorf("%s is shown as %q, want %q", code, labels[code], want)
		}
	}
}

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

func TestCanSettle(t *testing.T) {
	t.Parallel()
	open := recon.BreakFacts{Type: recon.AmountMismatch, Status: recon.Open, DifferenceMinor: 50}
	even := recon.BreakFacts{Type: recon.Ambiguous, Status: recon.Open}
	balance := recon.BreakFacts{Type: recon.Balance, Status: recon.Open, DifferenceMinor: 50}
	for _, c := range []struct {
		name       string
		facts      recon.BreakFacts
		means      recon.Means
		resolution recon.Resolution
		reason     recon.Reason
		fields     string
	}{
		{name: "AdjustsWithAnEntry", facts: open, means: recon.Means{Entry: true}, resolution: recon.Adjusted, reason: recon.BankFee},
		{name: "AdjustsWhatIsMatchedToo", facts: open, means: recon.Means{Entry: true, Match: true}, resolution: recon.WrittenOff, reason: recon.Rounding},
		{name: "AsksForTheReasonOfAnEntry", facts: open, means: recon.Means{Entry: true}, resolution: recon.WrittenOff, fields: "reason_code"},
		{name: "MatchesWithoutAReason", facts: open, means: recon.Means{Match: true}, resolution: recon.MatchedByHand},
		{name: "MatchesWhatIsEvenByItself", facts: even, resolution: recon.MatchedByHand, reason: recon.MissingReference},
		{name: "KnowsTheReasonsOfAMatch", facts: even, resolution: recon.MatchedByHand, reason: "BECAUSE", fields: "reason_code"},
		{name: "ReversesWithWhatThereIs", facts: open, resolution: recon.Reversed},
		{name: "RefusesAnEntryThatIsNotPosted", facts: open, means: recon.Means{Entry: true}, resolution: recon.External, reason: recon.BankError, fields: "entry"},
		{name: "RefusesAMatchThatIsNotMade", facts: open, means: recon.Means{Match: true}, resolution: recon.Reversed, fields: "match"},
		{name: "LeavesABalanceToTheBank", facts: balance, resolution: recon.External, reason: recon.BankError},
		{name: "RefusesAnEntryForABalance", facts: balance, means: recon.Means{Entry: true}, resolution: recon.Adjusted, reason: recon.BankError, fields: "resolution"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			var fields []string
			if refusal := recon.CanSettle(c.facts, c.means, c.resolution, c.reason, ""); refusal != nil {
				for _, f := range refusal.Fields {
					fields = append(fields, f.Field)
				}
			}
			if got := strings.Join(fields, " "); got != c.fields {
				t.Errorf("fields %q, want %q", got, c.fields)
			}
		})
	}
}

func TestAlone(t *testing.T) {
	t.Parallel()
	march := recon.Period{From: ledger.MustDate("2026-03-01"), To: ledger.MustDate("2026-03-31"), Stated: true}
	inferred := recon.Period{From: march.From, To: march.To}
	for _, c := range []struct {
		name   string
		bank   bool
		day    string
		period recon.Period
		want   recon.BreakType
	}{
		{"OfTheBank", true, "2026-03-31", march, recon.MissingInLedger},
		{"NearTheEnd", false, "2026-03-28", march, recon.Timing},
		{"BeforeTheWindow", false, "2026-03-27", march, recon.MissingInBank},
		{"NearAnEndThatNobodyStated", false, "2026-03-31", inferred, recon.MissingInBank},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			got, why, resolution := recon.Alone(c.bank, ledger.MustDate(c.day), c.period, recon.DefaultRules())
			if got != c.want || (resolution == recon.CarriedForward) != (got == recon.Timing) || (why != "") != (got == recon.Timing) {
				t.Errorf("%s, %q, resolved as %q", got, why, resolution)
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

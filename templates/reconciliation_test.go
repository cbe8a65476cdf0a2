package templates

import (
	"strings"
	"testing"

	"daybook/recon"
	"daybook/store/ledger"
	"daybook/templates/ui"
)

// march is the proof of a month in which one posting is outstanding, two are in transit and breaks are open.
func march() Reconciliation {
	return Reconciliation{
		Currency: "EUR", OutstandingCount: 1, InTransitCount: 2, OtherExplainedCount: 1,
		Kinds: []BreakKind{{Type: recon.MissingInBank, Status: BreaksOpen, Count: 15, SumMinor: 184895}},
		Proof: recon.Proof{
			LedgerMinor: 8081520, OutstandingMinor: -96000, InTransitMinor: 648171, OtherExplainedMinor: 14630,
			ExpectedMinor: 7514719, UnexplainedMinor: 184895, StatementMinor: 7329824,
		},
	}
}

// agreed is a month in which nothing is left to do.
func agreed() Reconciliation {
	return Reconciliation{Currency: "EUR", Proof: recon.Proof{LedgerMinor: 8081520, ExpectedMinor: 8081520, StatementMinor: 8081520}}
}

func TestTheProofReadsAsItIsAddedUp(t *testing.T) {
	t.Parallel()
	p := march().proof()
	sum := p.Terms[0].Money.Minor
	for _, term := range p.Terms[1:4] {
		if term.Money.Minor < 0 {
			t.Errorf("%s is shown with a sign of its own", term.Label)
		}
		if term.Op == "+" {
			sum += term.Money.Minor
		} else {
			sum -= term.Money.Minor
		}
	}
	if expected := p.Terms[4].Money.Minor; sum != expected {
		t.Errorf("the terms add up to %d, the proof says %d", sum, expected)
	}
	if p.Chip.Text != "Not proven" || agreed().proof().Chip.Text != "Proven" {
		t.Error("the word does not follow the unexplained difference")
	}
	offset := march()
	offset.Proof.UnexplainedMinor = 0
	offset.Kinds = []BreakKind{{Type: recon.MissingInBank, Status: BreaksOpen, Count: 1, SumMinor: 500}, {Type: recon.MissingInLedger, Status: BreaksOpen, Count: 1, SumMinor: -500}}
	if chip := offset.proof().Chip; chip.Text != "Breaks open" || !strings.HasPrefix(offset.openSentence(), "Differences cancel out: 2 breaks are open") {
		t.Errorf("breaks that cancel out are %q: %s", chip.Text, offset.openSentence())
	}
	if row := (StatementRow{OpenBreaks: 2}); row.chip().Text != "Breaks open" {
		t.Errorf("the list calls breaks that cancel out %q", row.chip().Text)
	}
}

func TestDigitsAreComparedOnlyWhereOneLineStandsAgainstOnePosting(t *testing.T) {
	t.Parallel()
	bank, posting := BankSide{AmountMinor: 1, Currency: "EUR"}, LedgerSide{AmountMinor: 2, Currency: "EUR"}
	if pairOf([]BankSide{bank}, []LedgerSide{posting}) == nil {
		t.Error("one line is not compared with one posting")
	}
	if pairOf([]BankSide{bank}, []LedgerSide{posting, posting}) != nil {
		t.Error("one line is compared with two postings")
	}
	posting.Currency = "USD"
	if pairOf([]BankSide{bank}, []LedgerSide{posting}) != nil {
		t.Error("amounts of two currencies are compared digit by digit")
	}
}

func TestTheSentenceUnderTheProofSaysWhereTheDifferenceLies(t *testing.T) {
	t.Parallel()
	v := march()
	v.Proof.UnexplainedMinor++
	if got := v.openSentence(); !strings.Contains(got, "1,848.95; the rest lies outside") {
		t.Error(got)
	}
	v = agreed()
	v.Proof.UnexplainedMinor = 5
	if got := v.openSentence(); !strings.HasPrefix(got, "No break is open: the difference lies outside") {
		t.Error(got)
	}
}

func TestAPeriodOfAWholeMonthHasItsName(t *testing.T) {
	t.Parallel()
	for want, days := range map[string][2]string{
		"February 2028":            {"2028-02-01", "2028-02-29"},
		"2026-02-01 to 2026-02-27": {"2026-02-01", "2026-02-27"},
		"2026-03-01 to 2026-04-30": {"2026-03-01", "2026-04-30"},
	} {
		if got := PeriodName(ui.Format{}, ledger.MustDate(days[0]), ledger.MustDate(days[1])); got != want {
			t.Errorf("period %v is called %s, want %s", days, got, want)
		}
	}
}

func TestEveryBreakTypeAndPlainResolutionIsExplained(t *testing.T) {
	t.Parallel()
	for _, kind := range recon.BreakTypes() {
		if typeWords[kind].icon == "" || typeWords[kind].meaning == "" {
			t.Errorf("nothing is said about %s", kind)
		}
	}
	for _, how := range recon.PlainResolutions() {
		if resolutionWords[how].icon == "" || resolutionWords[how].meaning == "" {
			t.Errorf("nothing is said about %s", how)
		}
	}
}

func TestABreakIsListedByWhatTheProofMakesOfIt(t *testing.T) {
	t.Parallel()
	for want, statuses := range map[string][]BreakStatus{
		BreaksOpen:      {{Status: recon.Open}, {Status: recon.InReview}, {Status: recon.WaitingForApproval}},
		BreaksExplained: {{recon.Resolved, recon.CarriedForward}, {recon.Resolved, recon.External}},
		BreaksResolved:  {{recon.Resolved, recon.NotABreak}, {recon.Resolved, recon.Superseded}},
	} {
		for _, s := range statuses {
			if got := s.Standing(); got != want {
				t.Errorf("%+v is listed as %s, want %s", s, got, want)
			}
		}
	}
}

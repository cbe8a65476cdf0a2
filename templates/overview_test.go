package templates

import (
	"strings"
	"testing"

	"daybook/recon"
	"daybook/store/ledger"
)

func TestTotalsAtTheBankAreOfOneCurrencyAndHideWhatIsTooLarge(t *testing.T) {
	t.Parallel()
	v := Overview{Banks: []BankLine{
		{Currency: "EUR", Reconciliation: 1, Proof: recon.Proof{LedgerMinor: ledger.MaxAmountMinor, ExpectedMinor: 5, StatementMinor: 3, UnexplainedMinor: 2}, OpenBreaks: 1},
		{Currency: "JPY", Reconciliation: 2, Proof: recon.Proof{LedgerMinor: 7, ExpectedMinor: 7, StatementMinor: 7}},
		{Currency: "EUR", Reconciliation: 3, Proof: recon.Proof{LedgerMinor: 1, ExpectedMinor: 1, StatementMinor: 1}, OpenBreaks: 2},
		{Currency: "KWD"},
	}}
	totals := v.totals()
	if len(totals) != 2 || totals[0].Currency != "EUR" || totals[1].Currency != "JPY" {
		t.Fatalf("the totals are %+v", totals)
	}
	if eur := totals[0]; !eur.Ledger.Beyond || eur.Statement != (Total{Minor: 4}) || eur.Unexplained != (Total{Minor: 2}) || eur.unexplained().Blank || eur.OpenBreaks != 3 {
		t.Errorf("the total in EUR is %+v", eur)
	}
	if !totals[0].cell(totals[0].Ledger).Blank || totals[1].cell(totals[1].Ledger).Blank {
		t.Error("a sum that is beyond the largest amount is shown, or one that is not is hidden")
	}
}

func TestDifferencesOfOppositeSignsHaveNoTotal(t *testing.T) {
	t.Parallel()
	v := Overview{}
	for _, minor := range []int64{77700, 0, -77700} {
		v.Banks = append(v.Banks, BankLine{Currency: "EUR", Reconciliation: 1, Proof: recon.Proof{UnexplainedMinor: minor}})
	}
	if total := v.totals()[0]; !total.unexplained().Blank || total.cell(total.Ledger).Blank {
		t.Errorf("two differences are hidden by the total %+v", total)
	}
	v.Banks = v.Banks[1:]
	if total := v.totals()[0]; total.unexplained().Blank || total.Unexplained.Minor != -77700 {
		t.Errorf("the total of one difference is %+v", total)
	}
}

func TestTheOverviewSaysHowTheMonthStands(t *testing.T) {
	t.Parallel()
	line := func(to string, unexplainedMinor int64, open int) BankLine {
		return BankLine{Reconciliation: 1, StatementTo: ledger.MustDate(to), Proof: recon.Proof{UnexplainedMinor: unexplainedMinor}, OpenBreaks: open}
	}
	late := line("2025-12-31", 0, 1)
	late.EarlierBreaks = 1
	for want, banks := range map[string][]BankLine{
		"One account has breaks open on earlier statements.":                                                  {late, line("2025-12-31", 0, 0)},
		"No account is held against a statement yet.":                                                         nil,
		"Every account at the bank agrees with its statement of December 2025.":                               {line("2025-12-31", 0, 0)},
		"One account has no statement to the end of December 2025 yet.":                                       {line("2025-12-30", 0, 0), line("2026-01-15", 0, 0)},
		"2 accounts have an unexplained difference, and one has open breaks that cancel out.":                 {line("2025-12-31", 1, 1), line("2025-12-31", -1, 0), line("2025-12-31", 0, 2)},
		"One account has an unexplained difference, and 2 have no statement to the end of December 2025 yet.": {line("2025-11-30", 5, 1), line("2025-11-30", 0, 0)},
	} {
		if got := (Overview{Today: ledger.MustDate("2026-01-31"), Banks: banks}).lead(); got != "Saturday 31 January 2026. "+want {
			t.Errorf("it says %q, want %q", got, want)
		}
	}
	if got := (Overview{Today: ledger.MustDate("2026-03-01"), Banks: []BankLine{line("2026-02-27", 0, 0)}}).lead(); !strings.HasSuffix(got, "to the end of February yet.") {
		t.Error(got)
	}
}

func TestEveryTypeOfBreakIsInTheChart(t *testing.T) {
	t.Parallel()
	for _, kind := range recon.BreakTypes() {
		found := false
		for _, s := range breakSeries {
			for _, known := range s.types {
				found = found || known == kind
			}
		}
		if !found {
			t.Errorf("%s is counted nowhere", kind)
		}
	}
}

package recon_test

import (
	"encoding/json"
	"strings"
	"testing"

	"daybook/recon"
	"daybook/store/ledger"
)

func TestRulesCheck(t *testing.T) {
	t.Parallel()
	fee := recon.FeeRule{Account: "6800", FixedMinor: 30, PerMille: 29}
	for name, c := range map[string]struct {
		change func(*recon.Rules)
		fields string
	}{
		"TheDefault":         {func(*recon.Rules) {}, ""},
		"All":                {func(r *recon.Rules) { r.WindowDays, r.ToleranceMinor, r.Fee = 0, 5, fee }, ""},
		"AWindowOfMinusOne":  {func(r *recon.Rules) { r.WindowDays = -1 }, "window_days"},
		"AWindowOfYears":     {func(r *recon.Rules) { r.WindowDays = 367 }, "window_days"},
		"ANegativeTolerance": {func(r *recon.Rules) { r.ToleranceMinor = -1 }, "tolerance_minor"},
		"PrefixesOfSigns":    {func(r *recon.Rules) { r.Prefixes = []string{"KD-", "--", strings.Repeat("X", 41)} }, "prefixes[1] prefixes[2]"},
		"TooManyPrefixes":    {func(r *recon.Rules) { r.Prefixes = strings.Split(strings.Repeat("X,", 100)+"X", ",") }, "prefixes"},
		"AFeeWithoutAccount": {func(r *recon.Rules) { r.Fee = recon.FeeRule{PerMille: 1} }, "fee.account"},
		"WrongFees":          {func(r *recon.Rules) { r.Fee = recon.FeeRule{Account: "6800", FixedMinor: -1, PerMille: 201} }, "fee.fixed_minor fee.per_mille"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			rules := recon.DefaultRules()
			c.change(&rules)
			var got []string
			if err := rules.Check(); err != nil {
				refusal := err.(*ledger.Error) //nolint:errorlint // Check returns no other
				for _, f := range refusal.Fields {
					got = append(got, f.Field)
				}
			}
			if strings.Join(got, " ") != c.fields {
				t.Errorf("faults of %v, want %q", got, c.fields)
			}
		})
	}
}

func TestRulesAreKeptAsTheyWere(t *testing.T) {
	t.Parallel()
	text, err := json.Marshal(recon.Rules{WindowDays: 3, Prefixes: []string{"REF"}, Version: 1})
	if want := `{"WindowDays":3,"Prefixes":["REF"],"Version":1}`; err != nil || string(text) != want {
		t.Errorf("rules without new settings are kept as %s (%v), want %s", text, err, want)
	}
}

func TestMatchByTheRulesOfTheAccount(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name, ledger, bank string
		rules              recon.Rules
		want               string
	}{
		{"ATolerance",
			"a 2026-03-10 5.02 EUR A x\nb 2026-03-10 5.03 EUR B x", "1 2026-03-20 5.00 EUR A x\n2 2026-03-20 5.00 EUR B x", recon.Rules{ToleranceMinor: 2},
			`reference [a][1] 90 same reference, but for 0.02 that the account's rules allow
amount_mismatch [b][2] 3 0.03 less at the bank, perhaps a fee
`},
		{"NoToleranceWithoutAReference",
			"a 2026-03-10 5.02 EUR - x", "1 2026-03-10 5.00 EUR - x", recon.Rules{ToleranceMinor: 2, WindowDays: 3},
			`missing_in_ledger [][1] -500 nothing unmatched in the ledger has this amount within 3 days
missing_in_bank [a][] 502 nothing unmatched at the bank has this amount within 3 days
`},
		{"NoToleranceInAnotherCurrency",
			"a 2026-03-10 5.02 USD A x", "1 2026-03-20 5.00 USD A x", recon.Rules{ToleranceMinor: 2, WindowDays: 3},
			"amount_mismatch [a][1] 0 0.02 less at the bank, perhaps a fee\n"},
		{"AFeeOnReceiptsAndPayments",
			"a 2026-03-10 100.00 EUR A x\nb 2026-03-10 -100.00 EUR B x\nc 2026-03-10 100.00 EUR C x\nd 2026-03-10 100.00 EUR D x", "1 2026-03-10 96.80 EUR A x\n2 2026-03-10 -103.20 EUR B x\n3 2026-03-10 96.79 EUR C x\n4 2026-03-10 101.00 EUR D x",
			recon.Rules{Fee: recon.FeeRule{Account: "6800", FixedMinor: 30, PerMille: 29}},
			`reference [b][2] 90 same reference, less a fee of 3.20 that the account's rules allow
reference [a][1] 90 same reference, less a fee of 3.20 that the account's rules allow
amount_mismatch [c][3] 321 3.21 less at the bank, perhaps a fee
amount_mismatch [d][4] -100 1.00 more at the bank
`},
		{"AFeeOnABatch",
			"a 2026-03-10 100.00 EUR PAYOUT 1 x\nb 2026-03-10 50.00 EUR PAYOUT 1 x", "1 2026-03-20 145.05 EUR PAYOUT 1 x",
			recon.Rules{Fee: recon.FeeRule{Account: "6800", FixedMinor: 30, PerMille: 29}},
			"batch [b a][1] 90 2 postings with the same batch reference add up to this bank line, less a fee of 4.95 that the account's rules allow\n"},
		{"AFeeOnTheOnlySumWithinTheWindow",
			"a 2026-03-10 100.00 EUR A x\nb 2026-03-10 50.00 EUR B x\nc 2026-03-10 900.00 EUR C x", "1 2026-03-11 145.05 EUR - x",
			recon.Rules{WindowDays: 3, Fee: recon.FeeRule{Account: "6800", FixedMinor: 30, PerMille: 29}},
			`batch [b a][1] 75 2 postings of 2026-03-10 add up to this bank line, less a fee of 4.95 that the account's rules allow; no other set of up to 8 does, of 2 tried
missing_in_bank [c][] 90000 nothing unmatched at the bank has this reference, or this amount within 3 days
`},
		{"PrefixesOfItsOwn",
			"a 2026-03-10 5.00 EUR KD-77 x", "1 2026-03-20 5.00 EUR 0077 x", recon.Rules{Prefixes: []string{"kd"}},
			"reference [a][1] 100 same reference and amount, 10 days apart\n"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			in := march(t, c.ledger, c.bank)
			for _, side := range [][]recon.Item{in.Ledger, in.Bank} {
				for i := range side {
					if number, text, found := strings.Cut(side[i].Text, " "); found {
						side[i].Reference, side[i].Text = side[i].Reference+number, text
					}
				}
			}
			in.Rules = c.rules
			in.Rules.Version = 2
			if got := told(in, recon.Match(in)); got != c.want {
				t.Errorf("got\n%s\nwant\n%s", got, c.want)
			}
		})
	}
}

package main

import (
	"errors"
	"fmt"
	"strings"

	"github.com/urfave/cli/v3"

	"daybook/recon"
	"daybook/store/ledger"
)

// ruleFlags say by which rules two files are matched; what is not said is as for an account without rules of its own.
func ruleFlags() []cli.Flag {
	return []cli.Flag{
		&cli.IntFlag{Name: "window-days", Value: recon.DefaultRules().WindowDays, Usage: "days that two lines of the same amount may lie apart"},
		&cli.StringSliceFlag{Name: "prefix", Usage: "take this off the front of references too, besides those that every bank uses; may be repeated"},
		&cli.Int64Flag{Name: "tolerance-minor", Usage: "let lines of one reference match although their amounts differ by so many minor units"},
		&cli.Int64Flag{Name: "fee-fixed-minor", Usage: "let lines match although the bank kept a fee of up to so many minor units for each entry"},
		&cli.IntFlag{Name: "fee-per-mille", Usage: "and of up to so many thousandths of the amount"},
		&cli.BoolFlag{Name: "strict-references", Usage: "keep lines apart whose references differ by one slip of the pen"},
	}
}

// rulesOf reads the rules from the flags. Match books no fee, so any account will do for them.
func rulesOf(c *cli.Command) (recon.Rules, error) {
	rules := recon.DefaultRules()
	rules.WindowDays = c.Int("window-days")
	rules.Prefixes = append(rules.Prefixes, c.StringSlice("prefix")...)
	rules.ToleranceMinor = c.Int64("tolerance-minor")
	rules.Fee = recon.FeeRule{Account: "fees", FixedMinor: c.Int64("fee-fixed-minor"), PerMille: c.Int("fee-per-mille")}
	rules.StrictReferences = c.Bool("strict-references")
	err := rules.Check()
	var refusal *ledger.Error
	if !errors.As(err, &refusal) {
		return rules, err
	}
	var faults []string
	for _, f := range refusal.Fields {
		faults = append(faults, fmt.Sprintf("--%s %s", flagOf(f.Field), f.Detail))
	}
	return rules, badInput("%s", strings.Join(faults, "; "))
}

// flagOf names the flag of a field of the rules.
func flagOf(field string) string {
	if strings.HasPrefix(field, "prefixes") {
		return "prefix"
	}
	return strings.NewReplacer(".", "-", "_", "-").Replace(field)
}

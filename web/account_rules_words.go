package web

import (
	"slices"
	"strconv"
	"strings"

	"daybook/recon"
	"daybook/store"
	"daybook/store/ledger"
	"daybook/templates"
	"daybook/templates/ui"
)

// perCentDigits is a currency with the decimals of a share typed per cent, of which the last must be 0: the rules count per mille.
const perCentDigits = "EUR"

// rulesForm reads rules out of a form, in the words of the reader.
type rulesForm struct {
	*form
	format   ui.Format
	currency string
}

func (f rulesForm) rules() recon.Rules {
	days, err := strconv.Atoi(f.text("window_days"))
	if err != nil {
		f.fault("window_days", "must be a whole number of days")
	}
	return recon.Rules{
		WindowDays: days, Prefixes: strings.Split(strings.ReplaceAll(f.raw("prefixes"), "\r", ""), "\n"),
		ToleranceMinor: f.amount("tolerance_minor"), ToleranceAccount: f.text("tolerance_account"), StrictReferences: f.text("strict_references") != "",
		Fee: recon.FeeRule{Account: f.text("fee.account"), FixedMinor: f.amount("fee.fixed_minor"), PerMille: f.perMille("fee.per_mille")},
	}
}

func (f rulesForm) fault(field, detail string) {
	f.faults = append(f.faults, ledger.FieldError{Field: field, Detail: detail})
}

// amount reads an amount; none is 0.
func (f rulesForm) amount(name string) int64 {
	text := f.text(name)
	if text == "" {
		return 0
	}
	minor, err := f.format.ParseAmount(text, f.currency)
	if err != nil {
		f.fault(name, quoted(text)+" is not an amount: write it as "+f.format.Example())
	}
	return minor
}

func (f rulesForm) perMille(name string) int {
	text := strings.TrimSpace(strings.TrimSuffix(f.text(name), "%"))
	if text == "" {
		return 0
	}
	hundredths, err := f.format.ParseAmount(text, perCentDigits)
	if err != nil || hundredths%10 != 0 || hundredths > 100*100 {
		f.fault(name, quoted(text)+" is not a share of an amount: write it as "+f.format.Percent(15)+", with one digit behind the point at most")
		return 0
	}
	return int(hundredths / 10)
}

// typedRules is what a form holds, to be shown again.
func typedRules(f *form) templates.TypedRules {
	seen, _ := strconv.Atoi(f.text("version"))
	return templates.TypedRules{
		WindowDays: f.raw("window_days"), Prefixes: f.raw("prefixes"), Tolerance: f.raw("tolerance_minor"), ToleranceAccount: f.raw("tolerance_account"),
		FeeAccount: f.raw("fee.account"), FeeFixed: f.raw("fee.fixed_minor"), FeePerCent: f.raw("fee.per_mille"),
		StrictReferences: f.text("strict_references") != "", Note: f.raw("note"), Seen: max(seen, 1),
	}
}

// rulesTyped is how rules would be typed.
func rulesTyped(format ui.Format, currency string, rules recon.Rules) templates.TypedRules {
	typed := templates.TypedRules{
		WindowDays: strconv.Itoa(rules.WindowDays), Prefixes: strings.Join(rules.Prefixes, "\n"), ToleranceAccount: rules.ToleranceAccount,
		FeeAccount: rules.Fee.Account, StrictReferences: rules.StrictReferences, Seen: rules.Version,
	}
	if rules.ToleranceMinor != 0 {
		typed.Tolerance = format.Typed(rules.ToleranceMinor, currency)
	}
	if rules.Fee.FixedMinor != 0 {
		typed.FeeFixed = format.Typed(rules.Fee.FixedMinor, currency)
	}
	if rules.Fee.PerMille != 0 {
		typed.FeePerCent = format.Percent(rules.Fee.PerMille)
	}
	return typed
}

// rulesSteps tells of each version what it changed.
func rulesSteps(format ui.Format, currency string, versions []store.RulesVersion) []templates.RulesStep {
	steps := make([]templates.RulesStep, len(versions))
	for i, v := range versions {
		steps[i] = templates.RulesStep{Version: v.Rules.Version, Note: v.Note, By: v.By, At: v.At}
		if i+1 < len(versions) {
			steps[i].Changes = rulesChanges(format, currency, versions[i+1].Rules, v.Rules)
		}
	}
	return steps
}

func rulesChanges(format ui.Format, currency string, before, after recon.Rules) (changes []string) {
	change := func(what, from, to string) {
		if from != to {
			changes = append(changes, what+" "+wordOrNone(from)+" → "+wordOrNone(to))
		}
	}
	old, now := rulesTyped(format, currency, before), rulesTyped(format, currency, after)
	change("Window", format.Plural(before.WindowDays, "day", "days"), format.Plural(after.WindowDays, "day", "days"))
	change("Tolerance", old.Tolerance, now.Tolerance)
	change("Tolerance booked to", old.ToleranceAccount, now.ToleranceAccount)
	change("Fee", old.FeeFixed, now.FeeFixed)
	change("Fee of the amount, %,", old.FeePerCent, now.FeePerCent)
	change("Fee booked to", old.FeeAccount, now.FeeAccount)
	change("Strict references", yesNo(before.StrictReferences), yesNo(after.StrictReferences))
	if added := without(after.Prefixes, before.Prefixes); len(added) > 0 {
		changes = append(changes, "Prefixes added: "+strings.Join(added, ", "))
	}
	if gone := without(before.Prefixes, after.Prefixes); len(gone) > 0 {
		changes = append(changes, "Prefixes taken out: "+strings.Join(gone, ", "))
	}
	return changes
}

func without(all, others []string) []string {
	return slices.DeleteFunc(slices.Clone(all), func(one string) bool { return slices.Contains(others, one) })
}

func wordOrNone(text string) string {
	if text == "" {
		return "none"
	}
	return text
}

func yesNo(is bool) string {
	if is {
		return "yes"
	}
	return "no"
}

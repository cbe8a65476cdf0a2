package recon

import (
	"cmp"
	"fmt"
	"strings"
	"unicode/utf8"

	"daybook/store/ledger"
)

// Rules are an account's settings for Match. The zero Rules stand for DefaultRules. Rules are kept with each reconciliation
// as JSON under the names of the fields, so that it can be matched again as it was; a field that is left out is the default.
type Rules struct {
	// WindowDays is how many days lines that do not name each other may lie apart, and how close to the end of a stated
	// period a posting is timing instead of missing.
	WindowDays int
	// Prefixes are taken off the front of references, in any case and with any signs in and around them.
	Prefixes []string
	// ToleranceMinor is by how much, either way, the amounts of lines that name each other may differ and still match. In
	// minor units of the account's currency.
	ToleranceMinor int64 `json:",omitzero"`
	// ToleranceAccount is the code of the account that such differences are booked to; "" is the fee's. Match itself books nothing.
	ToleranceAccount string `json:",omitzero"`
	// Fee is what the bank may keep of what it pays out, or take on top of what it pays.
	Fee FeeRule `json:",omitzero"`
	// StrictReferences keeps lines apart whose references differ by one slip of the pen.
	StrictReferences bool `json:",omitzero"`
	// Version counts the changes of an account's rules.
	Version int
}

// FeeRule allows a match with a fee taken off: the bank's side may be less than the ledger's by at most FixedMinor for each
// posting and PerMille of their amounts. The zero FeeRule allows none.
type FeeRule struct {
	Account    string `json:",omitzero"` // the code of the account that fees are booked to; Match itself books nothing
	FixedMinor int64  `json:",omitzero"` // in minor units of the account's currency
	PerMille   int    `json:",omitzero"`
}

// The limits of Rules.
const (
	MaxWindowDays  = 366
	MaxPrefixes    = 100
	MaxPrefixRunes = 40
	MaxPerMille    = 200
)

// DefaultRules are the settings of an account that has none of its own.
func DefaultRules() Rules { return Rules{WindowDays: 3, Prefixes: DefaultPrefixes(), Version: 1} }

func (r Rules) orDefault() Rules {
	if r.WindowDays == 0 && r.Version == 0 && len(r.Prefixes) == 0 && r.ToleranceMinor == 0 && r.ToleranceAccount == "" && r.Fee == (FeeRule{}) && !r.StrictReferences {
		return DefaultRules()
	}
	return r
}

// Contra is the code of the account that the difference of a match is booked to, "" where the rules name none.
func (r Rules) Contra(m Matched) string {
	if m.IsFee() {
		return r.Fee.Account
	}
	return r.ToleranceContra()
}

// ToleranceContra is the code of the account that differences within the tolerance are booked to, "" where the rules name none.
func (r Rules) ToleranceContra() string { return cmp.Or(r.ToleranceAccount, r.Fee.Account) }

// IsFee reports whether the difference of the match is a fee, and not one within a tolerance.
func (m Matched) IsFee() bool { return m.Rule == ruleFee.String() }

// Check gives nil when Match can work by the rules. The fields of the error are named window_days, prefixes[0],
// tolerance_minor, fee.account, fee.fixed_minor and fee.per_mille. Error: KindInvalid.
func (r Rules) Check() error {
	refusal := ledger.Refuse(ledger.KindInvalid, "the account cannot be matched by these rules")
	if r.WindowDays < 0 || r.WindowDays > MaxWindowDays {
		refusal.At("window_days", "must be a number of days from 0 to %d", MaxWindowDays)
	}
	if len(r.Prefixes) > MaxPrefixes {
		refusal.At("prefixes", "are %d: keep at most %d", len(r.Prefixes), MaxPrefixes)
	}
	for i, prefix := range r.Prefixes {
		if fault := prefixFault(prefix); fault != "" {
			refusal.At(fmt.Sprintf("prefixes[%d]", i), "%s", fault)
		}
	}
	if r.ToleranceMinor < 0 {
		refusal.At("tolerance_minor", "must be 0 or more: it holds in both directions")
	}
	r.Fee.check(refusal)
	return refusal.OrNil()
}

func (f FeeRule) check(refusal *ledger.Error) {
	if f.FixedMinor < 0 {
		refusal.At("fee.fixed_minor", "must be 0 or more: it is the most that the bank takes for each posting")
	}
	if f.PerMille < 0 || f.PerMille > MaxPerMille {
		refusal.At("fee.per_mille", "must be from 0 to %d: 15 is 1.5 per cent", MaxPerMille)
	}
	if (f.FixedMinor > 0 || f.PerMille > 0) && strings.TrimSpace(f.Account) == "" {
		refusal.At("fee.account", "name the account that fees are booked to")
	}
}

func prefixFault(prefix string) string {
	switch {
	case squeeze(upper(prefix)) == "":
		return "has no letter or digit: leave it out"
	case utf8.RuneCountInString(prefix) > MaxPrefixRunes:
		return fmt.Sprintf("is longer than %d characters", MaxPrefixRunes)
	}
	return ""
}

// allows reports whether a match may leave a difference of ledger - bank between postings that add up to ledgerMinor and bank
// lines, and what it is called.
func (r Rules) allows(ledgerMinor, differenceMinor int64, postings int) (as rule, ok bool) {
	switch {
	case magnitude(differenceMinor) <= uint64(r.ToleranceMinor):
		return ruleTolerance, true
	case differenceMinor > 0 && uint64(differenceMinor) <= r.Fee.most(magnitude(ledgerMinor), postings):
		return ruleFee, true
	}
	return 0, false
}

// most is the largest fee on postings that add up to an amount. What no amount can hold is more than any fee.
func (f FeeRule) most(amount uint64, postings int) uint64 {
	share := amount/1000*uint64(f.PerMille) + amount%1000*uint64(f.PerMille)/1000
	fixed := uint64(f.FixedMinor) * uint64(postings)
	if f.FixedMinor > ledger.MaxAmountMinor/int64(max(postings, 1)) {
		fixed = ledger.MaxAmountMinor
	}
	return share + fixed
}

package recon

import (
	"fmt"
	"slices"
	"strings"
	"unicode"

	"daybook/store/ledger"
)

// rule is what found a pair of one line each.
type rule uint8

const (
	ruleEquals    rule = iota // alone with its date, amount and reference
	ruleAlike                 // one of several that cannot be told apart
	ruleReference             // reference and amount, on another day
	ruleWindow                // amount within the window, no other candidate
	ruleReversed              // a posting and its reversal
	ruleText                  // amount within the window, and of several candidates the one whose reference the text names
	ruleSlip                  // amount within the window, and references that differ by a slip of the pen
	ruleShared                // lines of one reference that add up
	ruleNamed                 // lines whose references the text names
	ruleSum                   // the only lines within the window that add up
	ruleTolerance             // reference, and an amount that differs by no more than the account's rules allow
	ruleFee                   // reference, and an amount with no more taken off than the account's rules allow
)

func (r rule) String() string {
	return [...]string{"equals", "alike", "reference", "window", "reversed", "text", "slip", "shared", "named", "sum", "tolerance", "fee"}[r]
}

func (m *matcher) matched(p pair) Matched {
	l, b := &m.lines[p.ledger], &m.lines[p.bank]
	apart := m.daysApart(p.ledger, p.bank)
	found := Matched{Kind: KindReference, Rule: p.rule.String(), Score: 100}
	switch {
	case p.rule == ruleReversed:
		found.Kind, found.Why = KindReversedPair, "an entry and its reversal cancel on this account"
	case p.rule == ruleTolerance || p.rule == ruleFee:
		found.DifferenceMinor, _ = difference(l.amount, b.amount)
		found.Score, found.Why = 90, "same reference"+m.whyDifference(p.rule, p.ledger, found.DifferenceMinor)
	case p.rule == ruleNamed:
		found.Score, found.Why = 95, m.sentence("same amount, and the bank's text names the reference", p.rule, apart)
	case l.whole != 0 && l.whole == b.whole:
		found.Why = m.sentence("same reference and amount", p.rule, apart)
	case l.batch != 0 && l.batch == b.batch && p.rule == ruleReference:
		found.Why = m.sentence("same batch reference and amount", p.rule, apart)
	case p.rule == ruleSlip:
		found.Kind, found.Score = KindFuzzy, m.score(p, apart)-slipScore
		found.Why = m.sentence("same amount", p.rule, apart) + fmt.Sprintf(": %s and %s", m.item(p.ledger).Reference, m.item(p.bank).Reference)
	default:
		found.Kind, found.Score, found.Why = KindFuzzy, m.score(p, apart), m.sentence("same amount", p.rule, apart)
	}
	return found
}

// slipScore is taken off for references that are not the same.
const slipScore = 20

// whole is a match of several lines as it is told.
func (m *matcher) whole(g gathered) Matched {
	found := Matched{Kind: KindBatch, Rule: g.rule.String(), Score: g.score, Why: g.why, DifferenceMinor: g.differenceMinor}
	if len(g.banks) > 1 {
		found.Kind = KindSplit
	}
	for _, p := range g.ledgers {
		found.Ledger = append(found.Ledger, int(m.lines[p].index))
	}
	for _, p := range g.banks {
		found.Bank = append(found.Bank, int(m.lines[p].index))
	}
	return found
}

// sentence keeps what it said: a million matches are explained in a handful of sentences.
func (m *matcher) sentence(start string, r rule, apart int) string {
	key := said{start, r, apart}
	if text, found := m.said[key]; found {
		return text
	}
	text := start
	if r != ruleReference && r != ruleNamed || apart > 0 {
		text += ", " + days(apart)
	}
	switch r {
	case ruleAlike:
		text += ", one of several alike"
	case ruleWindow:
		text += ", no other candidate"
	case ruleText:
		text += ", and of several candidates the one whose reference the text names"
	case ruleSlip:
		text += ", no other candidate; the references differ by one slip"
	}
	m.said[key] = text
	return text
}

type said struct {
	start string
	rule  rule
	days  int
}

// score of a match without a reference: 50 for the amount, up to 25 for the date, up to 25 for the text.
func (m *matcher) score(p pair, apart int) int {
	span := m.rules.WindowDays + 1
	common, shorter := wordsInCommon(m.item(p.ledger).Text, m.item(p.bank).Text)
	return 50 + max(0, 25*(span-apart)/span) + 25*common/max(shorter, 1)
}

// wordsInCommon counts the words that two texts share, and those of the shorter one.
func wordsInCommon(a, b string) (common, shorter int) {
	return commonWords(words(a), words(b))
}

func commonWords(short, long []string) (common, shorter int) {
	if len(short) > len(long) {
		short, long = long, short
	}
	for _, w := range short {
		if slices.Contains(long, w) {
			common++
		}
	}
	return common, len(short)
}

// words bounds what is compared: the texts of a bank are short, those of a hostile file need not be.
func words(text string) []string {
	const most = 32
	all := strings.FieldsFunc(strings.ToUpper(text), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsNumber(r) })
	slices.Sort(all)
	all = slices.Compact(all)
	return all[:min(len(all), most)]
}

// whyAmount names what a person would look for first: a flipped sign, swapped digits, a fee.
func whyAmount(l, b *Item) string {
	here, there, minor := l.AmountMinor, b.AmountMinor, ""
	if d, ok := difference(here, there); ok {
		minor = money(int64(magnitude(d)), l.Currency)
	}
	switch {
	case here == -there:
		return "sign flipped"
	case (here < 0) != (there < 0):
		return fmt.Sprintf("opposite signs: %s in the ledger, %s at the bank", money(here, l.Currency), money(there, b.Currency))
	case digitsSwapped(magnitude(here), magnitude(there)):
		return fmt.Sprintf("digits swapped: %s in the ledger, %s at the bank", money(here, l.Currency), money(there, b.Currency))
	}
	amount, less := minor+" more", magnitude(there) < magnitude(here)
	if less {
		amount = minor + " less"
	}
	if here < 0 {
		amount += " paid"
	}
	if looksLikeFee(here, there) {
		return amount + " at the bank, perhaps a fee"
	}
	return amount + " at the bank"
}

// looksLikeFee: the bank has less of ours, by at most a tenth.
func looksLikeFee(here, there int64) bool {
	taken, ok := difference(here, there)
	return ok && taken > 0 && magnitude(taken) <= magnitude(here)/10
}

// digitsSwapped reports whether two amounts differ by two neighbouring digits that changed places.
func digitsSwapped(a, b uint64) bool {
	x, y := fmt.Sprint(a), fmt.Sprint(b)
	for len(x) < len(y) {
		x = "0" + x
	}
	for len(y) < len(x) {
		y = "0" + y
	}
	for i := range len(x) - 1 {
		if x[i] != y[i] {
			return x[i] == y[i+1] && x[i+1] == y[i] && x[i+2:] == y[i+2:]
		}
	}
	return false
}

func whyCurrency(start string, l, b *Item) string {
	return fmt.Sprintf("%s: %s %s in the ledger, %s %s at the bank", start,
		l.Currency, money(l.AmountMinor, l.Currency), b.Currency, money(b.AmountMinor, b.Currency))
}

func whySurplus(ledgers, banks int) string {
	return fmt.Sprintf("%d alike in the ledger, %d at the bank", ledgers, banks)
}

func (m *matcher) otherSide(p position) string {
	if m.lines[p].side == ledgerSide {
		return "at the bank"
	}
	return "in the ledger"
}

func (m *matcher) within() string {
	if m.rules.WindowDays == 0 {
		return "on the same day"
	}
	return "within " + count(m.rules.WindowDays, "day", "days")
}

func money(minor int64, currency string) string {
	return ledger.GroupDigits(ledger.FormatAmount(minor, currency))
}

func days(n int) string {
	if n == 0 {
		return "same day"
	}
	return count(n, "day", "days") + " apart"
}

func count(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprintf("%d %s", n, many)
}

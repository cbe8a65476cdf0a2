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
)

func (r rule) String() string {
	return [...]string{"equals", "alike", "reference", "window", "reversed"}[r]
}

func (m *matcher) matched(p pair) Matched {
	l, b := &m.lines[p.ledger], &m.lines[p.bank]
	apart := m.daysApart(p.ledger, p.bank)
	if p.rule == ruleReversed {
		return Matched{Kind: KindReversedPair, Rule: p.rule.String(), Score: 100, Why: "an entry and its reversal cancel on this account"}
	}
	if l.whole != 0 && l.whole == b.whole {
		return Matched{Kind: KindReference, Rule: p.rule.String(), Score: 100, Why: m.sentence("same reference and amount", p.rule, apart)}
	}
	return Matched{Kind: KindFuzzy, Rule: p.rule.String(), Score: m.score(p, apart), Why: m.sentence("same amount", p.rule, apart)}
}

// sentence keeps what it said: a million matches are explained in a handful of sentences.
func (m *matcher) sentence(start string, r rule, apart int) string {
	key := said{start, r, apart}
	if text, found := m.said[key]; found {
		return text
	}
	text := start
	if r != ruleReference || apart > 0 {
		text += ", " + days(apart)
	}
	switch r {
	case ruleAlike:
		text += ", one of several alike"
	case ruleWindow:
		text += ", no other candidate"
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
	return 50 + max(0, 25*(span-apart)/span) + 25*wordsInCommon(m.item(p.ledger).Text, m.item(p.bank).Text)/100
}

// wordsInCommon is the share, in per cent, of the words of the shorter text that are in the other one too.
func wordsInCommon(a, b string) int {
	short, long := words(a), words(b)
	if len(short) > len(long) {
		short, long = long, short
	}
	if len(short) == 0 {
		return 0
	}
	common := 0
	for _, w := range short {
		if slices.Contains(long, w) {
			common++
		}
	}
	return 100 * common / len(short)
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

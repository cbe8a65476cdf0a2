package recon

import (
	"slices"
	"strings"
	"unicode"
)

const (
	shortestName = 4  // characters, prefix and all: something shorter is found in too many texts
	shortestWord = 6  // characters of a reference without a digit
	mostTokens   = 64 // of a text that are looked at
	tokensInName = 4  // INV 2026 / 0412 is three
	namedLimit   = 64 // postings that a text may name
)

// namedSums is the part of pass 7 that goes by the bank's text, whatever the date: a transfer that pays several invoices lists them.
// The postings that the text of a bank line names by their references are a batch when they add up to it.
func (m *matcher) namedSums() {
	names := m.namesOf(ledgerSide)
	if len(names.lines) == 0 {
		return
	}
	var claims []claim
	for _, b := range m.byAmount {
		if at := &m.lines[b]; at.state != free || at.side != bankSide || m.item(b).Candidate {
			continue
		}
		members := names.in(b)
		if len(members) < 2 || len(members) > namedLimit {
			continue
		}
		before := len(claims)
		if c, ok := m.claimSum(b, members, "that its text names"); ok {
			claims = append(claims, c)
		} else if set, ok := m.onlySet(b, members); ok {
			c, _ := m.claimSum(b, set, "that its text names")
			claims = append(claims, c)
		} else {
			claims = m.claimFee(claims, b, members, "a reference that its text names")
		}
		for i := range claims[before:] {
			if c := &claims[before+i]; c.rule == ruleShared {
				c.rule, c.score = ruleNamed, 95
			}
		}
	}
	m.settleClaims(claims)
}

// namedAlone ends it after the window: a bank line whose text names the reference of one posting of its amount, whatever the date.
func (m *matcher) namedAlone() {
	names := m.namesOf(ledgerSide)
	if len(names.lines) == 0 {
		return
	}
	var claims []claim
	for _, b := range m.byAmount {
		at := &m.lines[b]
		if at.state != free || at.side != bankSide || at.base != 0 || m.item(b).Candidate {
			continue
		}
		for _, l := range names.in(b) {
			if m.lines[l].amount == at.amount {
				claims = append(claims, claim{target: b, members: []position{l}})
			}
		}
	}
	for _, group := range disputes(claims) {
		if len(group) == 1 {
			m.match(group[0].members[0], group[0].target, ruleNamed)
		}
	}
}

// named are the references of the free lines of one side, for finding them in texts.
type named struct {
	m     *matcher
	lines map[string][]position // "" has none
}

func (m *matcher) namesOf(s side) named {
	n := named{m, map[string][]position{}}
	for _, p := range m.byAmount {
		if at := &m.lines[p]; at.state == free && at.side == s && at.base != 0 {
			base := m.referenceOf(p)
			n.lines[base] = append(n.lines[base], p)
		}
	}
	return n
}

// in gives the lines of p's currency that the text or the reference of p names, in order. A name is made of up to four words in a
// row, the longest first.
func (n named) in(p position) []position {
	item := n.m.item(p)
	var found []position
	for _, text := range []string{item.Reference, item.Text} {
		tokens := tokensOf(text)
		for i := 0; i < len(tokens); {
			size := min(tokensInName, len(tokens)-i)
			for ; size > 0; size-- {
				if lines := n.lines[n.m.normaliser.name(tokens[i:i+size])]; len(lines) > 0 {
					found = append(found, lines...)
					break
				}
			}
			i += max(size, 1)
		}
	}
	slices.Sort(found)
	currency := n.m.lines[p].currency
	return slices.DeleteFunc(slices.Compact(found), func(other position) bool { return n.m.lines[other].currency != currency })
}

// names reports whether a text names a reference.
func (n normaliser) names(text, reference string) bool {
	if reference == "" {
		return false
	}
	tokens := tokensOf(text)
	for i := range tokens {
		for size := 1; size <= min(tokensInName, len(tokens)-i); size++ {
			if n.name(tokens[i:i+size]) == reference {
				return true
			}
		}
	}
	return false
}

// tokensOf gives the words of a text.
func tokensOf(text string) []string {
	tokens := strings.FieldsFunc(upper(text), separates)
	return tokens[:min(len(tokens), mostTokens)]
}

// name is the reference that words of a text may be, or "". Words without a digit are no prefix of anything.
func (n normaliser) name(words []string) string {
	text := words[0]
	if len(words) > 1 {
		text = strings.Join(words, "")
	}
	switch {
	case !telling(text) || len(words) > 1 && !hasDigit(text):
		return ""
	case !hasDigit(text):
		return text
	}
	return n.bare(text)
}

// telling reports whether words of a text are long enough to be a reference.
func telling(text string) bool {
	return len(text) >= shortestWord || len(text) >= shortestName && hasDigit(text)
}

func hasDigit(text string) bool { return strings.ContainsFunc(text, unicode.IsDigit) }

package statement

import (
	"slices"
	"strings"

	"daybook/store/ledger"
)

// part is one statement of a message: the entries of one account between two balances. A bank cuts a long statement into pages, and puts
// those of several days, currencies or accounts into one file.
type part struct {
	account  string // as printed, without blanks, also where it is masked; "" for none
	kind     string // what tells accounts of one number apart, such as SAVINGS; "" for nothing
	currency string // of the account, "" where it is not said
	day      ledger.Date
	name     string // how a person finds it, such as "statement 31, page 2"; "" for nothing better than its day
	page     int    // its place among those of one day, 0 for that in the file
	same     identity
	apart    bool // states no opening balance, see follows
	owed     bool // may state as its balance what is owed, as those of cards do
	period   days // what it says it is of
	balanced days // of its balances; zero where it has not both
	carried  bool // closes with a balance that another page carries on
	// opening and closing are in minor units, nil where they are not stated.
	opening, closing *int64
	lines            []Line
	rejects          []Reject
	skipped          []Skipped
	gap              bool // the money of some entry is missing from the lines
	unsigned         *unsignedEntry
	turned           []int // lines that have the other sign with some banks, by index
}

// reject keeps an entry that is no line. Only one that has moved no money leaves the balances whole.
func (p *part) reject(row int, reason Reason, detail, raw string) {
	p.rejects = append(p.rejects, Reject{Row: row, Reason: reason, Detail: detail, Raw: raw})
	p.gap = p.gap || reason.leavesGap()
}

// leavesGap reports whether what is rejected for a reason has moved money, or may have.
func (r Reason) leavesGap() bool {
	switch r {
	case ReasonPending, ReasonNotCompleted, ReasonMemoOnly, ReasonInfoOnly:
		return false
	}
	return true
}

// parts are the statements of a message in the order of the file.
type parts []*part

// maxParts is how many statements a file may hold.
const maxParts = 50_000

// with adds a statement.
func (all parts) with(p *part) (parts, error) {
	if len(all) == maxParts {
		return nil, refuse(ClassMalformed, 0, "The file holds more than %d statements. Split it by period and upload the parts.", maxParts)
	}
	return append(all, p), nil
}

// joined makes the statements of a message one, or refuses them: as of several accounts or currencies unless one was told, and where their
// entries do not lead from balance to balance.
func (all parts) joined(format string, t *told) (*Statement, error) {
	if len(all) == 0 {
		return nil, refuse(ClassEmpty, 0, "The file holds no statement.")
	}
	all = all.withoutRepeated()
	mine, err := all.ofAccount(t)
	if err != nil {
		return nil, err
	}
	if mine, err = mine.ofCurrency(t); err != nil {
		return nil, err
	}
	if t.invert {
		mine.turnAll()
	} else if err := mine.settleSigns(t); err != nil {
		return nil, err
	}
	mine.turnOwed()
	mine.turnReversals()
	out := all.statement(format, mine)
	if out.AccountPrinted = shown(mine[0].account); out.AccountPrinted == "" {
		out.Account = t.account
	} else {
		out.Account = out.AccountPrinted
	}
	return out, mine.settle(out)
}

// shown gives an account as printed, "" for one that is masked.
func shown(account string) string {
	if upper := strings.ToUpper(account); strings.ContainsAny(upper, "*•#") || strings.Contains(upper, "XX") || strings.Contains(upper, "..") {
		return ""
	}
	return account
}

// statement puts the entries of the chosen parts into one, in the order of the file; those of the others are skipped.
func (all parts) statement(format string, mine parts) *Statement {
	out := &Statement{Format: format, Currency: mine[0].currency, Lines: []Line{}, Rejects: []Reject{}, Skipped: []Skipped{}}
	chosen := map[*part]bool{}
	for _, p := range mine {
		chosen[p] = true
	}
	for _, p := range all {
		if !chosen[p] {
			out.Skipped = append(out.Skipped, p.allSkipped(SkipAccount)...)
			continue
		}
		out.Lines, out.Rejects, out.Skipped = followed(out.Lines, p.lines), followed(out.Rejects, p.rejects), followed(out.Skipped, p.skipped)
	}
	if currencies := currenciesOf(out.Lines); len(currencies) > 0 {
		out.Currency = only(currencies)
	}
	return out
}

// followed puts one list behind another; behind none it stays where it is in memory.
func followed[T any](first, second []T) []T {
	if len(first) == 0 && len(second) > 0 {
		return second
	}
	return append(first, second...)
}

// ofAccount gives the parts of the account that was told, of a file of several.
func (all parts) ofAccount(t *told) (parts, error) {
	names := all.names()
	var accounts []string
	mine := map[string]parts{}
	for i, p := range all {
		if mine[names[i]] == nil {
			accounts = append(accounts, names[i])
		}
		mine[names[i]] = append(mine[names[i]], p)
	}
	if len(accounts) == 1 && (t.account == "" || shown(accounts[0]) == "") {
		return all, nil
	}
	for _, account := range accounts {
		if t.account != "" && strings.EqualFold(account, t.account) {
			return mine[account], nil
		}
	}
	if t.account != "" {
		return nil, refuse(ClassMultipleAccounts, 0, "The file holds no statement of account %s, but of %s.", short(t.account), accountList(accounts)).
			asking(askPart(accounts, mine))
	}
	return nil, refuse(ClassMultipleAccounts, 0, "The file holds the statements of %d accounts: %s. Choose one (hint account).", len(accounts), accountList(accounts)).
		asking(askPart(accounts, mine))
}

// names gives the account of each part as a person can tell it: with its kind where there are several of one number.
func (all parts) names() []string {
	kinds := map[string]map[string]bool{}
	for _, p := range all {
		if kinds[p.account] == nil {
			kinds[p.account] = map[string]bool{}
		}
		kinds[p.account][p.kind] = true
	}
	names := make([]string, len(all))
	for i, p := range all {
		if names[i] = p.account; len(kinds[p.account]) > 1 {
			names[i] += "/" + p.kind
		}
	}
	return names
}

// askPart asks which of several accounts a file is read for.
func askPart(accounts []string, of map[string]parts) *Question {
	q := &Question{Hint: "account"}
	for _, account := range accounts[:min(len(accounts), accountLimit)] {
		if account == "" || len(account) > cellShown {
			continue // no answer to choose
		}
		entries := 0
		for _, p := range of[account] {
			entries += len(p.lines) + len(p.rejects)
		}
		q.Answers = append(q.Answers, Answer{Value: account, Meaning: plural(entries, "movement")})
	}
	return q
}

// ofCurrency gives the parts in the currency that was told, of an account that is kept in several. What is in one currency is left to the
// caller to compare with that of its account.
func (all parts) ofCurrency(t *told) (parts, error) {
	currencies := map[string]bool{}
	for _, p := range all {
		if p.currency == "" {
			p.currency = t.currency
		}
		currencies[p.currency] = true
	}
	mine := all
	if len(currencies) > 1 && t.currency != "" && currencies[t.currency] {
		mine = slices.DeleteFunc(slices.Clone(all), func(p *part) bool { return p.currency != t.currency })
	}
	for _, p := range mine {
		for i := range p.lines {
			currencies[p.lines[i].Currency] = true
		}
	}
	switch {
	case currencies[""]:
		return nil, refuse(ClassMissingCurrency, 0, "The file does not say the currency of its amounts. Say it (hint currency).").asking(&Question{Hint: "currency"})
	case len(currencies) > 1 && (t.currency == "" || len(mine) == len(all) && !currencies[t.currency]):
		return nil, refuse(ClassMultipleCurrencies, 0, "The file holds amounts in %s. Say the currency of the account (hint currency).", strings.Join(sorted(currencies), ", "))
	}
	for _, p := range mine {
		p.rejectForeign(t)
	}
	return mine, nil
}

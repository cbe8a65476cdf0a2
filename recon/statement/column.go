package statement

import (
	"strconv"
	"strings"
)

// columns is where each role stands, -1 where it does not.
type columns [roleCount]int

func noColumns() columns {
	var c columns
	for r := range c {
		c[r] = -1
	}
	return c
}

func (c *columns) has(r role) bool { return c[r] >= 0 }

// taken reports whether a column already has a role that excludes others.
func (c *columns) taken(column int) bool {
	for _, at := range c {
		if at == column {
			return true
		}
	}
	return false
}

// hasMoney reports whether some column gives the amount.
func (c *columns) hasMoney() bool {
	return c.has(roleAmount) || c.has(roleDebit) || c.has(roleCredit)
}

// cell gives what stands in the column of a role, trimmed; "" where there is none.
func (c *columns) cell(cells []string, r role) string {
	if at := c[r]; at >= 0 && at < len(cells) {
		return strings.TrimSpace(cells[at])
	}
	return ""
}

// assign decides what each column means: by hints, then by the words of the header as far as the content agrees, then by
// the content alone.
func assign(header []string, profiles []profile, t *told) (columns, error) {
	c := noColumns()
	for r, name := range t.columns {
		if name == notInFile {
			continue
		}
		at, err := findColumn(header, len(profiles), name)
		if err != nil {
			return c, badHint(hintOf(r), "%s", err)
		}
		c[r] = at
	}
	c.byHeader(header, profiles, t)
	c.settleMoney(t)
	c.byContent(profiles, t)
	for r, name := range t.columns {
		if name == notInFile {
			c[r] = -1
		}
	}
	return c, nil
}

// notInFile is the column that a hint names to say that the file has none of its kind, whatever its header looks like.
const notInFile = "#0"

// names reports whether the user named a column of the file for a role.
func (t *told) names(r role) bool {
	name, told := t.columns[r]
	return told && name != notInFile
}

func hintOf(r role) string {
	for hint, of := range columnHints {
		if of == r {
			return hint
		}
	}
	return ""
}

// longestName is the length in bytes up to which a cell may be the name of a column in another spelling.
const longestName = 1_000

type noColumn string

func (e noColumn) Error() string { return string(e) }

// findColumn finds a column by #n, counted from 1 at the left, or by its name in the header.
func findColumn(header []string, width int, name string) (int, error) {
	if number, ok := strings.CutPrefix(name, "#"); ok {
		if n, err := strconv.Atoi(number); err == nil {
			if n < 1 || n > max(width, len(header)) {
				return -1, noColumn("the file has no column " + short(name))
			}
			return n - 1, nil
		}
	}
	folded := fold(name)
	for _, same := range []func(header string) bool{
		func(header string) bool { return strings.TrimSpace(header) == name },
		func(header string) bool { return len(header) <= longestName && fold(header) == folded },
	} {
		found := -1
		for i, h := range header {
			if h != "" && same(h) {
				if found >= 0 {
					return -1, noColumn("two columns are named " + strconv.Quote(short(name)) + ": use #" + strconv.Itoa(found+1) + " or #" + strconv.Itoa(i+1))
				}
				found = i
			}
		}
		if found >= 0 {
			return found, nil
		}
	}
	return -1, noColumn("the file has no column named " + strconv.Quote(short(name)) + columnList(header))
}

func columnList(header []string) string {
	var names []string
	for _, h := range header {
		if h = strings.TrimSpace(h); h != "" {
			names = append(names, short(h))
		}
	}
	if len(names) == 0 || len(names) > 40 {
		return ""
	}
	return "; its columns are " + strings.Join(names, ", ")
}

// byHeader gives each role the column with the surest name whose content agrees.
func (c *columns) byHeader(header []string, profiles []profile, t *told) {
	ranks := [roleCount]int{}
	for i, h := range header {
		if i >= len(profiles) || c.taken(i) {
			continue
		}
		entry := headerRole(h)
		entry.role = profiles[i].meant(entry.role)
		if entry.role == roleAccount && i > 1 && isPartyRole(headerRole(header[i-1]).role) {
			entry.role = roleForeign // beside the name of the other party stands its account
		}
		if entry.role == roleNone && currencyIn(h) != "" && isCurrencyToken(fold(h)) {
			entry = wordEntry{roleAmount, 2 * unsure} // a column named "CAD$"
		}
		r := entry.role
		profiles[i].foreign = r == roleForeign
		if r == roleNone || r == roleForeign || !profiles[i].agrees(r) {
			continue
		}
		if _, told := t.columns[r]; told {
			continue
		}
		better := entry.rank < ranks[r] || profiles[i].filled > 0 && c.has(r) && profiles[c[r]].filled == 0 && entry.rank < unsure
		if r == roleCurrency && c.has(r) && entry.rank == ranks[r] {
			better = c.nextToAmount(header, i) && !c.nextToAmount(header, c[r])
		}
		if !c.has(r) || better {
			c[r], ranks[r] = i, entry.rank
		}
	}
	if !c.has(roleDate) && c.has(roleValueDate) {
		c[roleDate] = c[roleValueDate]
	}
	c.chooseAccount(profiles)
}

// foreignAmounts gives the columns of amounts in another currency, which are written as the account's own.
func foreignAmounts(header []string) []int {
	var found []int
	for i, h := range header {
		if headerRole(h).role != roleForeign {
			continue
		}
		for token := range strings.FieldsSeq(headerPhrase(h)) {
			if knownWords()[token].role == roleAmount || strings.HasSuffix(token, "betrag") || strings.HasSuffix(token, "belopp") {
				found = append(found, i)
				break
			}
		}
	}
	return found
}

// mostTexts bounds the columns that are put together into one text: each is looked for in what is there already.
const mostTexts = 40

// moreTexts gives the other columns that are named as text and hold some.
func (c *columns) moreTexts(header []string, profiles []profile) []int {
	var more []int
	for i, h := range header {
		if len(more) < mostTexts && i < len(profiles) && headerRole(h).role == roleText && !c.taken(i) && profiles[i].letters > 0 && profiles[i].agrees(roleText) {
			more = append(more, i)
		}
	}
	return more
}

func isPartyRole(r role) bool { return r == roleParty || r == rolePayer || r == rolePayee }

// nextToAmount reports whether a column stands right of one that is named as an amount: of two currency columns that one counts.
func (c *columns) nextToAmount(header []string, at int) bool {
	return at > 0 && (c[roleAmount] == at-1 || headerRole(header[at-1]).role == roleAmount)
}

// chooseAccount takes a column named only "IBAN" as the own account when it is the first one and always filled: elsewhere
// it is the other party's.
func (c *columns) chooseAccount(profiles []profile) {
	at := c[roleMaybeAccount]
	if at < 0 || c.has(roleAccount) {
		return
	}
	if p := profiles[at]; p.filled == p.rows && p.rows > 0 && (at == 0 || p.rows > 1 && p.distinct == 1) {
		c[roleAccount] = at
	}
}

// settleMoney keeps one way of saying the amount: what the user told, else both sides in columns of their own, else one column.
func (c *columns) settleMoney(t *told) {
	amountTold, debitTold, creditTold := t.names(roleAmount), t.names(roleDebit), t.names(roleCredit)
	both := c.has(roleDebit) && c.has(roleCredit)
	switch {
	case amountTold && !debitTold && !creditTold, !both && c.has(roleAmount) && !debitTold && !creditTold:
		c[roleDebit], c[roleCredit] = -1, -1
	case both, debitTold, creditTold:
		c[roleAmount] = -1
	}
}

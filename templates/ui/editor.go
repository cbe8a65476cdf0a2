package ui

import (
	"strconv"
	"strings"

	"daybook/store/ledger"
)

// Editor is the table in which the postings of an entry are typed. The fields of its lines are named as in the JSON:
// postings[0].account, .debit and .credit, below the prefix where there is one ("replacement."). Amounts are decimals,
// with the reader's marks; the currency follows the account. Its buttons post "add" and "drop" (the number of the line); a form that holds an
// editor begins with DefaultSubmit.
type Editor struct {
	// Prefix goes before the names of the fields, with its dot.
	Prefix   string
	Caption  string
	Lines    []Line
	Accounts []AccountChoice
	Errors   []ledger.FieldError
}

// Line is what was typed in one line, unread.
type Line struct{ Account, Debit, Credit string }

// AccountChoice is an account that can be posted to.
type AccountChoice struct{ Code, Name, Currency string }

func (e Editor) listID() string { return FieldID(e.Prefix + "accounts") }

func (e Editor) field(i int, name string) string {
	return e.Prefix + "postings[" + strconv.Itoa(i) + "]." + name
}

func (e Editor) account(line Line) AccountChoice {
	for _, a := range e.Accounts {
		if a.Code == line.Account {
			return a
		}
	}
	return AccountChoice{}
}

func (a AccountChoice) digits() string {
	digits, _ := ledger.Exponent(a.Currency)
	return strconv.Itoa(digits)
}

// totals are those of the lines that can be read; a side with an amount that cannot is incomplete.
func (e Editor) totals(f Format) []SideTotal {
	var read Postings
	unread := map[string]bool{}
	for _, line := range e.Lines {
		a := e.account(line)
		if a.Code == "" {
			continue
		}
		read.Rows = append(read.Rows, Posting{Currency: a.Currency})
		for _, side := range []struct {
			typed string
			sign  int64
		}{{line.Debit, 1}, {line.Credit, -1}} {
			minor, err := f.ParseAmount(side.typed, a.Currency)
			if err == nil {
				read.Rows = append(read.Rows, Posting{Minor: side.sign * minor, Currency: a.Currency})
			} else if strings.TrimSpace(side.typed) != "" {
				unread[a.Currency] = true
			}
		}
	}
	totals := read.Totals()
	for i := range totals {
		totals[i].Incomplete = totals[i].Incomplete || unread[totals[i].Currency]
	}
	if len(totals) == 0 {
		return []SideTotal{{Currency: e.defaultCurrency()}}
	}
	return totals
}

// balanced says whether what was typed can be read and adds up.
func (t SideTotal) balanced() bool { return t.difference() == 0 && t.DebitMinor != 0 && !t.Incomplete }

func (e Editor) defaultCurrency() string {
	if len(e.Accounts) == 0 {
		return ""
	}
	return e.Accounts[0].Currency
}

// difference is without a sign; the columns show which side is larger.
func (t SideTotal) difference() int64 {
	if t.DebitMinor < t.CreditMinor {
		return t.CreditMinor - t.DebitMinor
	}
	return t.DebitMinor - t.CreditMinor
}

// TypedErrors moves what the rules say about a posting's amount to the side it was typed on, and about its currency to
// its account, which are the controls a person can go to.
func TypedErrors(prefix string, lines []Line, errors []ledger.FieldError) []ledger.FieldError {
	names := map[string]string{}
	for i, line := range lines {
		at := prefix + "postings[" + strconv.Itoa(i) + "]"
		names[at], names[at+".currency"] = at+".account", at+".account"
		names[at+".amount"] = at + ".debit"
		if line.Debit == "" && line.Credit != "" {
			names[at+".amount"] = at + ".credit"
		}
	}
	moved := make([]ledger.FieldError, 0, len(errors))
	for _, e := range errors {
		if name, ok := names[e.Field]; ok {
			e.Field = name
		}
		moved = append(moved, e)
	}
	return moved
}

package statement

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// ofxStmt is a STMTRS or CCSTMTRS: what is known of one statement while it is read.
type ofxStmt struct {
	part
	start               int      // where it stands in the text
	from, until         string   // DTSTART and DTEND
	balance, balanceDay string   // LEDGERBAL
	kinds               []string // TRNTYPE of each line
	corrections         []ofxCorrection
}

func (s *ofxStmt) take(within, name, value string) {
	switch within + "/" + name {
	case "STMTRS/CURDEF", "CCSTMTRS/CURDEF":
		s.currency = currencyCode(value)
	case "BANKACCTFROM/ACCTID", "CCACCTFROM/ACCTID":
		s.account = compact(value)
	case "BANKACCTFROM/ACCTTYPE":
		s.kind = strings.ToUpper(value)
	case "BANKTRANLIST/DTSTART":
		s.from = value
	case "BANKTRANLIST/DTEND":
		s.until = value
	case "LEDGERBAL/BALAMT":
		s.balance = value
	case "LEDGERBAL/DTASOF":
		s.balanceDay = value
	}
}

// takeEntry reads an entry into a line or a reject; what corrects another is kept until all are read.
func (s *ofxStmt) takeEntry(e *ofxEntry, raw string, t *told) {
	s.currency = cmp.Or(s.currency, currencyCode(e.currency), t.currency)
	if e.isBalance() {
		s.skipped = append(s.skipped, Skipped{e.row, SkipBalance, raw})
		return
	}
	line, fault := e.line(s.currency, t)
	if e.corrects != "" {
		s.corrections = append(s.corrections, ofxCorrection{row: e.row, of: e.corrects, deletes: e.action == "DELETE"})
	}
	switch {
	case e.corrects != "" && e.action == "DELETE":
		s.reject(e.row, ReasonInfoOnly, fmt.Sprintf("the bank deletes its entry %s, which an earlier file may have brought", short(e.corrects)), raw)
	case fault != nil:
		s.reject(e.row, fault.reason, fault.detail, raw)
	default:
		line.Raw = raw
		s.lines, s.kinds = append(s.lines, line), append(s.kinds, e.kind)
	}
}

// finish gives the statement its balance and its period. OFX states no opening balance.
func (s *ofxStmt) finish(t *told) {
	s.apart = true
	s.correct()
	s.dropRunningIDs()
	s.day, _ = ofxDay(s.balanceDay, &told{})
	if s.closesWithBalance() {
		if minor, fault := ofxMinor(s.balance, s.currency); fault == nil {
			s.closing = &minor
		}
	}
	s.period.from, _ = ofxDay(s.from, t)
	s.period.to, _ = ofxDay(s.until, t)
	if s.period.said() && ofxMidnight.MatchString(s.until) {
		s.period.to = s.untilDay(s.period, s.day)
	}
	if until, ok := ofxDay(s.until, &told{}); ok && (s.day.IsZero() || s.day.After(until)) {
		s.day = until
	}
}

// ofxMidnight is the end of a period with the time at which a day begins.
var ofxMidnight = regexp.MustCompile(`^\d{8}0{4}`)

// identity tells the statement from others by all of its text, up to the end of what is given, where a day in it says which one it is.
func (s *ofxStmt) identity(text string) identity {
	if s.until == "" && s.balanceDay == "" {
		return identity{}
	}
	return identity{text: strings.TrimSpace(text[s.start:])}
}

// closesWithBalance reports whether the balance is that after the lines. Some banks state that of the day of the download, which is another
// one where the period ended before; some that of yesterday beside the lines of today.
func (s *ofxStmt) closesWithBalance() bool {
	until, ok := ofxDay(s.until, &told{})
	if s.balance == "" || s.balanceDay != "" && (s.day.IsZero() || ok && s.day.After(until)) {
		return false
	}
	return s.balanceDay == "" || !slices.ContainsFunc(s.lines, func(l Line) bool { return l.Date.After(s.day) })
}

// ofxCorrection is an entry by which the bank takes back another that it sent before.
type ofxCorrection struct {
	row     int
	of      string // FITID
	deletes bool
}

// correct takes the entries out that others of the file correct. One whose id several entries have stays.
func (s *ofxStmt) correct() {
	if len(s.corrections) == 0 {
		return
	}
	rows := map[string][]int{}
	for i := range s.lines {
		rows[s.lines[i].BankID] = append(rows[s.lines[i].BankID], s.lines[i].Row)
	}
	gone := map[int]string{}
	for _, c := range s.corrections {
		if len(rows[c.of]) > 2 {
			continue
		}
		earlier := slices.DeleteFunc(slices.Clone(rows[c.of]), func(row int) bool { return row == c.row })
		if len(earlier) != 1 {
			continue
		}
		gone[earlier[0]] = fmt.Sprintf("the bank replaces it by entry %d", c.row)
		if c.deletes {
			gone[earlier[0]] = fmt.Sprintf("the bank deletes it by entry %d", c.row)
		}
	}
	s.lines = slices.DeleteFunc(s.lines, func(l Line) bool {
		detail, is := gone[l.Row]
		if is {
			s.reject(l.Row, ReasonNotCompleted, detail, l.Raw)
		}
		return is
	})
	slices.SortFunc(s.rejects, func(a, b Reject) int { return a.Row - b.Row })
}

// dropRunningIDs forgets ids that only number the entries of the file: the next file gives them to other movements.
func (s *ofxStmt) dropRunningIDs() {
	for i := range s.lines {
		if n, err := strconv.Atoi(s.lines[i].BankID); err != nil || n > len(s.lines)+len(s.rejects) {
			return
		}
	}
	for i := range s.lines {
		s.lines[i].BankID = ""
	}
}

package templates

import (
	"strconv"
	"time"

	"daybook/recon"
	"daybook/store/ledger"
	"daybook/templates/ui"
)

// Overview is the first page of a book: what waits for the reader, how the accounts at the bank stand, whether the book is what was
// recorded, and how the work on breaks goes.
type Overview struct {
	Shell
	Today   ledger.Date
	MayPost bool
	Needs   Needs
	Banks   []BankLine // by code
	Sound   Soundness

	Rates []ui.RatePoint // by month
	Ages  []ui.Bar       // open breaks by BreakSeries, a bar for each class of age
	Weeks []ui.Bar       // opened and closed
}

// Needs is what waits. Ages are zero where nothing waits.
type Needs struct {
	// MayDecide says whether the reader decides any requests of others: ForMe are those, and what waits to be signed off.
	MayDecide, MayRequest                 bool
	ForMe, Others, Mine                   int
	OldestForMe, OldestOthers, OldestMine time.Duration
	OpenBreaks, BreakAccounts             int
	OldestBreak                           int64
	OldestBreakDays                       int
	Unmatched                             int // postings since the last matching of their account
	// PaymentsUnknown are those that are not settled: the gateway has not answered, or the entry of what it did was refused; InboxUnapplied messages that failed or are parked.
	PaymentsUnknown, InboxUnapplied int
}

// BankLine is an account that takes statements, as its newest reconciliation leaves it.
type BankLine struct {
	Account        ui.Account
	Currency       string
	Reconciliation int64 // 0 while there is no statement
	StatementTo    ledger.Date
	Status         string
	Assumed        bool // the balance per statement is that of the ledger and the lines: the file states none
	Proof          recon.Proof
	OpenBreaks     int   // of the account
	EarlierBreaks  int   // those of them that only earlier reconciliations hold
	EarliestOpen   int64 // the earliest reconciliation with an open break
	OldestDays     int
	Unmatched      int
	// ReconciledTo is zero where none of the statements looked at is proven; EarlierUnseen says whether there are earlier ones.
	ReconciledTo  ledger.Date
	EarlierUnseen bool
}

// explained leads from the balance per ledger to what is expected at the bank; false where it is beyond the largest amount.
func (b BankLine) explained() (int64, bool) {
	return ledger.Add(b.Proof.ExpectedMinor, -b.Proof.LedgerMinor)
}

// openBreaks is the list of what is open: of the newest reconciliation, or of the earliest where the newest holds none.
func (b BankLine) openBreaks(book Book) string {
	if b.OpenBreaks == b.EarlierBreaks {
		return b.earlierBreaks(book)
	}
	return book.ReconciliationURL(b.Reconciliation) + "?status=" + BreaksOpen
}

func (b BankLine) earlierBreaks(book Book) string {
	return book.ReconciliationURL(b.EarliestOpen) + "?status=" + BreaksOpen
}

// BankTotal adds up the accounts of one currency.
type BankTotal struct {
	Currency                                  string
	Ledger, Explained, Statement, Unexplained Total
	OpenBreaks                                int
	// over and under say that an account has more unexplained than the statement, and one less: such differences have no sum worth showing.
	over, under bool
}

// Total is a sum that knows when it is beyond the largest amount: then it is not shown.
type Total struct {
	Minor  int64
	Beyond bool
}

func (t *Total) add(minor int64, fits bool) {
	sum, ok := ledger.Add(t.Minor, minor)
	t.Beyond = t.Beyond || !fits || !ok
	t.Minor = sum
}

// totals are per currency, in the order in which the currencies come, of the accounts that have a statement.
func (v Overview) totals() []BankTotal {
	var totals []BankTotal
	at := map[string]int{}
	for _, b := range v.Banks {
		if b.Reconciliation == 0 {
			continue
		}
		if _, known := at[b.Currency]; !known {
			at[b.Currency] = len(totals)
			totals = append(totals, BankTotal{Currency: b.Currency})
		}
		t := &totals[at[b.Currency]]
		explained, fits := b.explained()
		t.Ledger.add(b.Proof.LedgerMinor, true)
		t.Explained.add(explained, fits)
		t.Statement.add(b.Proof.StatementMinor, true)
		t.Unexplained.add(b.Proof.UnexplainedMinor, true)
		t.over, t.under = t.over || b.Proof.UnexplainedMinor > 0, t.under || b.Proof.UnexplainedMinor < 0
		t.OpenBreaks += b.OpenBreaks
	}
	return totals
}

// lead is the day and how the month stands. The day is that of the bar, in UTC: nothing here depends on where the reader is.
func (v Overview) lead() string {
	return v.Today.Time().Format("Monday 2 January 2006") + ". " + v.state()
}

// lastMonth is the last whole month, by its first and its last day.
func (v Overview) lastMonth() (first, last ledger.Date) {
	last = ledger.Date{Year: v.Today.Year, Month: v.Today.Month, Day: 1}.AddDays(-1)
	return ledger.Date{Year: last.Year, Month: last.Month, Day: 1}, last
}

// month names the last whole month, with its year where that is another.
func (v Overview) month() string {
	first, _ := v.lastMonth()
	if first.Year == v.Today.Year {
		return first.Month.String()
	}
	return first.Time().Format("January 2006")
}

// due counts the accounts without a statement up to the end of the last month.
func (v Overview) due() (count int) {
	_, last := v.lastMonth()
	for _, b := range v.Banks {
		if b.StatementTo.Before(last) {
			count++
		}
	}
	return count
}

func (v Overview) state() string {
	unexplained, earlier, open, due := 0, 0, 0, v.due()
	for _, b := range v.Banks {
		switch {
		case b.Proof.UnexplainedMinor != 0:
			unexplained++
		case b.EarlierBreaks > 0:
			earlier++
		case b.OpenBreaks > 0:
			open++
		}
	}
	var parts []string
	note := func(count int, one, many string) {
		if count > 0 {
			parts = append(parts, counted(count, one, many, len(parts) == 0))
		}
	}
	note(unexplained, "has an unexplained difference", "have an unexplained difference")
	note(earlier, "has breaks open on earlier statements", "have breaks open on earlier statements")
	note(open, "has open breaks that cancel out", "have open breaks that cancel out")
	note(due, "has no statement to the end of "+v.month()+" yet", "have no statement to the end of "+v.month()+" yet")
	switch len(parts) {
	case 0:
		if len(v.Banks) == 0 {
			return "No account is held against a statement yet."
		}
		return "Every account at the bank agrees with its statement of " + v.month() + "."
	case 1:
		return parts[0] + "."
	}
	text := parts[0]
	for _, part := range parts[1 : len(parts)-1] {
		text += ", " + part
	}
	return text + ", and " + parts[len(parts)-1] + "."
}

// counted says of how many accounts something is so; the first part of a sentence names what is counted.
func counted(count int, one, many string, first bool) string {
	switch {
	case count == 1 && first:
		return "One account " + one
	case count == 1:
		return "one " + one
	case first:
		return strconv.Itoa(count) + " accounts " + many
	}
	return strconv.Itoa(count) + " " + many
}

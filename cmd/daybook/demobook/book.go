package demobook

import (
	"math/rand/v2"
	"slices"
	"time"

	"daybook/store/ledger"
)

// The people and machines that act in the story, by the name before the @ of their login.
const (
	Preparer   = "preparer"
	Second     = "maja"
	Controller = "controller"
	Approver   = "approver"
	Webshop    = "webshop"
	Processor  = "payport"
)

// Book is a book to be filled: its accounts, then what happened in it, in the order of time. Samples are files for the user to
// upload.
type Book struct {
	Name     string
	Currency string
	Accounts []ledger.Account
	Steps    []Step
	Samples  []File
}

// Step is one thing that By did at a time; exactly one of the others is set.
type Step struct {
	At      time.Time
	By      string
	Post    []ledger.Entry
	Request *Request
	Approve *Decision
	Reject  *Decision
	Upload  *Upload
}

// Request asks for the reversal of the entry with a tx id, and perhaps for its replacement.
type Request struct {
	Subject     string
	Reason      string
	EffectiveOn ledger.Date
	Replacement *ledger.Entry
}

// Decision decides the request to reverse the entry with a tx id.
type Decision struct {
	Subject string
	Note    string
}

// Upload is a bank's file for an account and the period it speaks for.
type Upload struct {
	Account  string
	File     File
	From, To ledger.Date
}

// File is a file by its name without a folder.
type File struct {
	Name string
	Data []byte
}

var (
	newYear       = ledger.Date{Year: 2026, Month: 1, Day: 1}
	endOfJanuary  = ledger.Date{Year: 2026, Month: 1, Day: 31}
	endOfFebruary = ledger.Date{Year: 2026, Month: 2, Day: 28}
	endOfMarch    = ledger.Date{Year: 2026, Month: 3, Day: 31}
)

// Empty is a book with four accounts and nothing in them.
func Empty() Book {
	return Book{
		Name: "Main book", Currency: "EUR",
		Accounts: []ledger.Account{
			account("1010", "Bank", ledger.Asset), account("customer:alice", "Alice", ledger.Liability),
			account("customer:bob", "Bob", ledger.Liability), account("revenue:fees", "Fees", ledger.Income),
		},
		Samples: []File{exampleFile()},
	}
}

// KilnAndCo is the book of the demo. The error says that the data built into the program cannot be read.
func KilnAndCo() (Book, error) {
	march, err := readMarch()
	if err != nil {
		return Book{}, err
	}
	j := &journal{}
	j.wholesale()
	j.purchases()
	j.eachMonth()
	j.stock()
	j.studio()
	j.dollars()
	j.loan()
	random := rand.New(rand.NewPCG(2026, 3))
	j.payouts(j.webshop(random, march))
	j.taxReturns()
	j.open(march)
	january := j.statementOf(newYear, endOfJanuary)
	february := j.statementOf(endOfJanuary.AddDays(1), endOfFebruary)
	for _, b := range march.bookings {
		j.bookings = append(j.bookings, &b)
	}
	slices.SortStableFunc(j.bookings, func(a, b *booking) int { return a.EffectiveOn.Compare(b.EffectiveOn) })

	steps := append(j.steps(), uploads(january, february)...)
	steps = append(steps, pending()...)
	slices.SortStableFunc(steps, func(a, b Step) int { return a.At.Compare(b.At) })
	return Book{
		Name: "Kiln & Co", Currency: "EUR", Accounts: append(march.accounts, furtherAccounts()...), Steps: steps,
		Samples: []File{march.statement(), reserveFile()},
	}, nil
}

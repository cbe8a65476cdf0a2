package demobook

import (
	"bytes"
	"fmt"
	"reflect"
	"slices"
	"testing"

	"daybook/recon/statement"
	"daybook/store/ledger"
)

func story(t *testing.T) Book {
	t.Helper()
	book, err := KilnAndCo()
	if err != nil {
		t.Fatal(err)
	}
	return book
}

// entries are all that the book will hold: what is posted, and what approved requests append.
func entries(book Book) []ledger.Entry {
	var all []ledger.Entry
	subjects, asked := map[string]ledger.Entry{}, map[string]*Request{}
	for _, s := range book.Steps {
		for _, e := range s.Post {
			subjects[e.TxID] = e
		}
		all = append(all, s.Post...)
		if s.Request != nil {
			asked[s.Request.Subject] = s.Request
		}
		if s.Approve != nil {
			request, subject := asked[s.Approve.Subject], subjects[s.Approve.Subject]
			all = append(all, ledger.Entry{
				TxID: subject.TxID + "-rev", EffectiveOn: request.EffectiveOn, Description: "Reversal of " + subject.TxID, Postings: ledger.Mirror(subject.Postings),
			})
			if request.Replacement != nil {
				all = append(all, *request.Replacement)
			}
		}
	}
	return all
}

func balances(all []ledger.Entry, until ledger.Date) map[string]int64 {
	sums := map[string]int64{}
	for _, e := range all {
		if !e.EffectiveOn.After(until) {
			for _, p := range e.Postings {
				sums[p.Account] += p.AmountMinor
			}
		}
	}
	return sums
}

func TestTheBookHasTheSizeOfASmallCompany(t *testing.T) {
	t.Parallel()
	book := story(t)
	if n := len(entries(book)); n < 2_000 {
		t.Errorf("%d entries", n)
	}
	if n := len(book.Accounts); n < 40 {
		t.Errorf("%d accounts", n)
	}
}

func TestEveryEntryKeepsTheRules(t *testing.T) {
	t.Parallel()
	book := story(t)
	currencies := map[string]string{}
	for _, a := range book.Accounts {
		if err := a.Check(); err != nil || currencies[a.Code] != "" {
			t.Errorf("account %s: twice, or %v", a.Code, err)
		}
		currencies[a.Code] = a.Currency
	}
	seen := map[string]bool{}
	for _, e := range entries(book) {
		if err := e.Check(); err != nil {
			t.Errorf("%s: %v", e.TxID, err)
		}
		if seen[e.TxID] {
			t.Errorf("tx id %s twice", e.TxID)
		}
		seen[e.TxID] = true
		for _, p := range e.Postings {
			if currencies[p.Account] != p.Currency {
				t.Errorf("%s: %s posted to account %q, which is in %q", e.TxID, p.Currency, p.Account, currencies[p.Account])
			}
		}
	}
}

func TestFebruaryEndsWhereMarchBegins(t *testing.T) {
	t.Parallel()
	known, err := readMarch()
	if err != nil {
		t.Fatal(err)
	}
	all := entries(story(t))
	february, march := balances(all, endOfFebruary), balances(all, endOfMarch)
	closing := known.opening
	for _, a := range known.accounts {
		if february[a.Code] != known.opening[a.Code] {
			t.Errorf("%s has %d at the end of February, March begins with %d", a.Code, february[a.Code], known.opening[a.Code])
		}
	}
	for _, b := range known.bookings {
		for _, p := range b.Postings {
			closing[p.Account] += p.AmountMinor
		}
	}
	for _, a := range known.accounts {
		if march[a.Code] != closing[a.Code] {
			t.Errorf("%s has %d at the end of March, want %d", a.Code, march[a.Code], closing[a.Code])
		}
	}
}

func TestBalancesHaveTheSideOfTheirType(t *testing.T) {
	t.Parallel()
	book := story(t)
	all := entries(book)
	contra := []string{"1590", "1910", "2210", "4090"} // kept on the other side of their kind
	for _, until := range []ledger.Date{newYear, endOfJanuary, endOfFebruary, endOfMarch} {
		sums := balances(all, until)
		for _, a := range book.Accounts {
			if wrong := sums[a.Code] != 0 && (sums[a.Code] > 0) != a.Type.DebitNormal(); wrong != (slices.Contains(contra, a.Code) && sums[a.Code] != 0) {
				t.Errorf("%s, %s, has %d on %s", a.Code, a.Type, sums[a.Code], until)
			}
		}
	}
}

func TestNothingIsOpenedInProfitAndLoss(t *testing.T) {
	t.Parallel()
	book := story(t)
	sums := balances(entries(book)[:1], newYear)
	for _, a := range book.Accounts {
		if (a.Type == ledger.Income || a.Type == ledger.Expense) && sums[a.Code] != 0 {
			t.Errorf("%s opens with %d", a.Code, sums[a.Code])
		}
	}
}

func TestTheStoryIsTheSameEveryTime(t *testing.T) {
	t.Parallel()
	if !reflect.DeepEqual(story(t), story(t)) {
		t.Error("two tellings differ")
	}
}

func TestStepsAreInTheOrderOfTime(t *testing.T) {
	t.Parallel()
	steps := story(t).Steps
	for i, s := range steps[1:] {
		if s.At.Before(steps[i].At) {
			t.Errorf("step %d, at %s, comes after %s", i+1, s.At, steps[i].At)
		}
		if what := fmt.Sprint(len(s.Post) > 0, s.Request != nil, s.Approve != nil, s.Reject != nil, s.Upload != nil); bytes.Count([]byte(what), []byte("true")) != 1 {
			t.Errorf("step %d does not do exactly one thing: %s", i+1, what)
		}
		if s.Request != nil && s.Request.Reason == "" {
			t.Errorf("the reversal of %s has no reason", s.Request.Subject)
		}
	}
	if steps[len(steps)-1].Request == nil {
		t.Error("the story does not end with a request that waits")
	}
}

func TestEveryFileReadsWithoutHints(t *testing.T) {
	t.Parallel()
	book := story(t)
	files := append(book.Samples, Empty().Samples...)
	for _, s := range book.Steps {
		if s.Upload != nil {
			files = append(files, s.Upload.File)
		}
	}
	lines := map[string]int{"nordbank-1010-2026-03.csv": 80, "nordbank-1020-2026-03.csv": 1, "example-1010.csv": 4}
	for _, f := range files {
		read, err := statement.Read(f.Data, nil)
		if err != nil {
			t.Errorf("%s: %v", f.Name, err)
			continue
		}
		if rows := bytes.Count(f.Data, []byte("\n")) - 1; len(read.Lines) != rows || lines[f.Name] != 0 && rows != lines[f.Name] {
			t.Errorf("%s: %d lines in %d rows", f.Name, len(read.Lines), rows)
		}
		if read.Currency != "EUR" || read.OpeningMinor == nil || read.ClosingMinor == nil {
			t.Errorf("%s: currency %q, balances %v and %v", f.Name, read.Currency, read.OpeningMinor, read.ClosingMinor)
		}
	}
}

func TestStatementsOfTheBankFollowEachOther(t *testing.T) {
	t.Parallel()
	book := story(t)
	var closing int64
	for i, f := range append(filesUploaded(book), book.Samples[0]) {
		read, err := statement.Read(f.Data, nil)
		if err != nil {
			t.Fatal(err)
		}
		if i > 0 && *read.OpeningMinor != closing {
			t.Errorf("%s opens with %d, the month before closed with %d", f.Name, *read.OpeningMinor, closing)
		}
		closing = *read.ClosingMinor
	}
}

func filesUploaded(book Book) []File {
	var files []File
	for _, s := range book.Steps {
		if s.Upload != nil {
			files = append(files, s.Upload.File)
		}
	}
	return files
}

package store_test

import (
	"fmt"
	"reflect"
	"testing"

	"daybook/store"
	"daybook/store/ledger"
)

// balanced is a file with a running balance, of an account that it prints.
func balanced(account string, rows ...string) []byte {
	file := "Account number: " + account + "\nDate,Amount,Balance,Description\n"
	for _, row := range rows {
		file += row + "\n"
	}
	return []byte(file)
}

func minor(amount *int64) string {
	if amount == nil {
		return "-"
	}
	return fmt.Sprint(*amount)
}

// proved gives a proof in one line.
func proved(p *store.BalanceProof) string {
	if p == nil {
		return "none"
	}
	return fmt.Sprint("opening ", minor(p.OpeningMinor), ", known ", p.Known, ", opening new ", minor(p.OpeningNewMinor), ", duplicate ", p.Duplicate, ", in ", p.In, ", out ", p.Out,
		", computed ", minor(p.ComputedMinor), ", in file ", minor(p.ClosingMinor), ", difference ", minor(p.DifferenceMinor), ", rejected ", p.Rejected)
}

func TestPreviewDraft_ProvesTheBalances(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.upload(t, balanced("NL01BANK0123", "2026-02-26,10.00,110.00,a", "2026-02-27,-2.00,108.00,b", "2026-02-27,-3.00,105.00,c"))
	for name, test := range map[string]struct {
		data []byte
		want string
	}{
		"AllNew":         {balanced("NL01BANK0123", "2026-03-02,5.00,110.00,d", "2026-03-03,-1.50,108.50,e"), "opening 10500, known {0 0}, opening new 10500, duplicate {0 0}, in {1 500}, out {1 -150}, computed 10850, in file 10850, difference 0, rejected 0"},
		"Overlap":        {balanced("NL01BANK0123", "2026-02-27,-2.00,108.00,b", "2026-02-27,-3.00,105.00,c", "2026-03-02,5.00,110.00,d"), "opening 11000, known {2 -500}, opening new 10500, duplicate {0 0}, in {1 500}, out {0 0}, computed 11000, in file 11000, difference 0, rejected 0"},
		"NewestFirst":    {balanced("NL01BANK0123", "2026-03-02,5.00,110.00,d", "2026-02-27,-3.00,105.00,c"), "opening 10800, known {1 -300}, opening new 10500, duplicate {0 0}, in {1 500}, out {0 0}, computed 11000, in file 11000, difference 0, rejected 0"},
		"KnownAreLater":  {balanced("NL01BANK0123", "2026-02-25,1.00,100.00,z", "2026-02-26,10.00,110.00,a"), "opening 9900, known {1 1000}, opening new -, duplicate {0 0}, in {1 100}, out {0 0}, computed 11000, in file 11000, difference 0, rejected 0"},
		"NothingStated":  {csv("2026-03-02,5.00,d", "2026-03-03,-1.50,e"), "opening -, known {0 0}, opening new -, duplicate {0 0}, in {1 500}, out {1 -150}, computed -, in file -, difference -, rejected 0"},
		"ARejectedRow":   {[]byte("Opening balance,10.00\nClosing balance,17.00\nDate,Amount\n2026-03-02,5.00\n2026-03-03,x\n"), "opening 1000, known {0 0}, opening new 1000, duplicate {0 0}, in {1 500}, out {0 0}, computed 1500, in file 1700, difference -200, rejected 1"},
		"ARowIsMissing":  {balanced("NL01BANK0123", "2026-03-02,5.00,110.00,d", "2026-03-03,-1.50,100.50,e"), "opening 10500, known {0 0}, opening new 10500, duplicate {0 0}, in {1 500}, out {1 -150}, computed 10850, in file 10050, difference 800, rejected 0"},
		"ClosingIsOther": {[]byte("Opening balance,10.00\nClosing balance,17.00\nDate,Amount\n2026-03-02,5.00\n"), "opening 1000, known {0 0}, opening new 1000, duplicate {0 0}, in {1 500}, out {0 0}, computed 1500, in file 1700, difference -200, rejected 0"},
		"TwoCurrencies":  {[]byte("Date,Amount,Currency\n2026-03-02,5.00,EUR\n2026-03-03,7.00,USD\n"), "none"},
		"BeyondTheRange": {[]byte("Date,Amount\n2026-03-02,92233720368547758.07\n2026-03-03,92233720368547758.07\n"), "none"},
	} {
		t.Run(name, func(t *testing.T) {
			p := b.preview(t, b.start(t, test.data))
			if got := proved(p.Proof); got != test.want {
				t.Errorf("got  %s\nwant %s\nrefused %v", got, test.want, p.Refusal)
			}
		})
	}
}

func TestPreviewDraft_HoldsAFileAgainstTheOneBefore(t *testing.T) {
	t.Parallel()
	b := setup(t)
	february := b.upload(t, balanced("NL01BANK0123", "2026-02-26,10.00,110.00,a", "2026-02-28,-5.00,105.00,b"))
	for name, test := range map[string]struct {
		data            []byte
		opening, dates  string
		balances, whose string
	}{
		"Continues":                 {balanced("NL01BANK0123", "2026-03-01,5.00,110.00,d", "2026-03-03,-1.50,108.50,e"), "10500 10500 true", "gap 0, overlap 0, true", "1 1 true", "true"},
		"AfterDaysWithoutMovements": {balanced("NL01BANK0123", "2026-03-04,5.00,110.00,d"), "10500 10500 true", "gap 3, overlap 0, true", "none", "true"},
		"RowsAreMissing":            {balanced("NL01BANK0123", "2026-03-04,5.00,210.00,d", "2026-03-05,5.00,215.00,e"), "10500 20500 false", "gap 3, overlap 0, false", "1 1 true", "true"},
		"Overlaps":                  {balanced("NL01BANK0123", "2026-02-28,-5.00,105.00,b", "2026-03-01,5.00,110.00,d"), "10500 10500 true", "gap 0, overlap 1, true", "1 1 true", "true"},
		"OfAnotherAccount":          {balanced("NL99BANK0999", "2026-03-01,5.00,110.00,d", "2026-03-03,-1.50,108.50,e"), "10500 10500 true", "gap 0, overlap 0, true", "1 1 true", "false"},
		"Before":                    {balanced("NL01BANK0123", "2026-01-01,5.00,110.00,d", "2026-01-03,-1.50,108.50,e"), "none", "none", "1 1 true", "true"},
		"WithoutBalances":           {csv("2026-03-01,5.00,d"), "none", "gap 0, overlap 0, true", "none", "none"},
	} {
		t.Run(name, func(t *testing.T) {
			checks := b.preview(t, b.start(t, test.data)).Checks
			opening, dates, balances, whose := "none", "none", "none", "none"
			if c := checks.Opening; c != nil {
				opening = fmt.Sprint(c.ClosingMinor, " ", c.OpeningMinor, " ", c.OK())
				if c.StatementID != february.StatementID || c.ClosedOn != ledger.MustDate("2026-02-28") {
					t.Errorf("held against %+v", c)
				}
			}
			if c := checks.Dates; c != nil {
				dates = fmt.Sprintf("gap %d, overlap %d, %v", c.GapDays, c.OverlapDays, c.OK())
			}
			if c := checks.Balances; c != nil {
				balances = fmt.Sprint(c.Equal, " ", c.Compared, " ", c.OK())
			}
			if c := checks.Account; c != nil {
				whose = fmt.Sprint(c.OK())
			}
			if opening != test.opening || dates != test.dates || balances != test.balances || whose != test.whose {
				t.Errorf("opening %s, dates %s, balances %s, account %s", opening, dates, balances, whose)
			}
		})
	}
}

func TestPreviewDraft_GivesOneClassAndASliceOfIt(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.upload(t, csv("2026-03-02,10.00,t1"))
	id := b.start(t, csv("2026-03-02,10.00,t1", "2026-03-03,1.00,t2", "2026-03-03,x,t3", "2026-03-04,2.00,t4", "Total,3.00,", "2026-03-05,4.00,t5"))
	slice := func(class string, after, limit int) (rows []int, more bool) {
		p, err := b.PreviewDraft(t.Context(), b.preparer, id, store.PreviewWindow{Class: class, AfterRow: after, Limit: limit})
		ok(t, err)
		if p.Rows != (store.RowCounts{New: 3, Known: 1, Rejected: 1, Skipped: 1}) {
			t.Errorf("rows %+v", p.Rows)
		}
		for _, row := range p.Shown {
			rows = append(rows, row.Row)
		}
		return rows, p.More
	}
	for _, test := range []struct {
		class        string
		after, limit int
		want         []int
		more         bool
	}{
		{"", 0, 2, []int{3, 5}, true}, {store.RowNew, 5, 2, []int{7}, false}, {store.RowKnown, 0, 0, []int{2}, false},
		{store.RowRejected, 0, 0, []int{4}, false}, {store.RowSkipped, 0, 0, []int{6}, false}, {store.RowDuplicate, 0, 0, nil, false},
	} {
		if rows, more := slice(test.class, test.after, test.limit); !reflect.DeepEqual(rows, test.want) || more != test.more {
			t.Errorf("%s after %d: %v, more %v", test.class, test.after, rows, more)
		}
	}
	_, err := b.PreviewDraft(t.Context(), b.preparer, id, store.PreviewWindow{Class: "odd"})
	refused(t, err, ledger.KindInvalid)
	rows, err := b.DraftRows(t.Context(), b.preparer, id, store.RowRejected)
	ok(t, err)
	if len(rows) != 1 || rows[0].Row != 4 || rows[0].Reason != "bad_amount" || rows[0].Raw != "2026-03-03,x,t3,Line of the bank" {
		t.Errorf("to download are %+v", rows)
	}
}

func TestPreviewDraft_TakesTheYearFromTheStatedPeriod(t *testing.T) {
	t.Parallel()
	b := setup(t)
	id := b.start(t, []byte("Date;Amount\n31.12.;1,50\n02.01.;2,50\n"))
	if p := b.preview(t, id); p.Question == nil || p.Question.Hint != "period_start" {
		t.Fatalf("asked %+v", p.Question)
	}
	p := b.tell(t, id, nil, func(c *store.DraftChange) {
		c.PeriodFrom, c.PeriodTo = ledger.MustDate("2025-12-15"), ledger.MustDate("2026-01-15")
	})
	if p.Refusal != nil || p.FirstLine.Date != ledger.MustDate("2025-12-31") || !p.Period.Stated || p.Shown[1].Line.Date != ledger.MustDate("2026-01-02") {
		t.Errorf("refused %v, first %+v, period %+v", p.Refusal, p.FirstLine, p.Period)
	}
}

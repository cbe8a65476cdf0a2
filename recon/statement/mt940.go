package statement

import (
	"fmt"
	"strings"

	"daybook/store/ledger"
)

// swiftPage is one message of type 940: a statement, or a page of one.
type swiftPage struct {
	part
	kind       string // the type of the message where its envelope says it, such as 942
	line       int    // the physical line on which it begins
	start, end int    // where it stands in the text
	number     int    // of the statement, 0 where it has none
	sheet      int    // of the page, from 1; 0 where it has none
	from, to   ledger.Date
	interim    bool // has fields that only an interim report has
	entries    []swiftEntry
}

// swiftEntry is a field 61 and what follows it, by where it stands in the text.
type swiftEntry struct {
	row, line            int
	start, head, headEnd int
	details, end         int // details is 0 where the entry has no field 86
}

// readMT940 reads SWIFT MT940, the customer statement, and MT950, which is the same without texts. An interim report (MT942) and a report of
// balances (MT941) are refused: what they tell is not final. Format: SWIFT Standards, category 9.
func readMT940(text string, t *told) (*Statement, error) {
	r := swiftReader{text: text, told: t}
	if err := r.split(); err != nil {
		return nil, err
	}
	if err := r.check(); err != nil {
		return nil, err
	}
	var all parts
	for _, p := range r.pages {
		p.identify()
		p.same = r.identity(p)
		err := p.readEntries(r.text, t)
		if err != nil {
			return nil, err
		}
		if all, err = all.with(&p.part); err != nil {
			return nil, err
		}
	}
	return all.joined("mt940", t)
}

// identify settles what the fields of a page say together.
func (p *swiftPage) identify() {
	p.account = accountWithout(p.account, p.currency)
	if p.opening != nil && p.closing != nil {
		p.balanced = days{p.from, p.to}
	}
	p.page = p.number*1_000_000_000 + p.sheet
	switch {
	case p.number > 0 && p.sheet > 0:
		p.name = fmt.Sprintf("statement %d, page %d", p.number, p.sheet)
	case p.number > 0:
		p.name = fmt.Sprintf("statement %d", p.number)
	}
}

// accountWithout takes the currency off an account, which some banks print behind it, but not off an IBAN that ends in one.
func accountWithout(account, currency string) string {
	bare, ends := strings.CutSuffix(account, currency)
	bare = strings.TrimRight(bare, "/")
	size := map[string]int{"MU": 30, "SC": 31}[account[:min(len(account), 2)]]
	if currency == "" || !ends || bare == "" || len(account) == size || !isDigit(rune(bare[len(bare)-1])) {
		return account
	}
	return bare
}

// swiftReader gathers the pages of a file.
type swiftReader struct {
	text  string
	told  *told
	pages []*swiftPage
	page  *swiftPage // the one that is open, nil before the first
	kind  string     // of the message that is to come
	entry *swiftEntry
	rows  int
}

// take puts a field where it belongs.
func (r *swiftReader) take(f swiftField) error {
	switch f.tag {
	case "":
		return nil
	case swiftEnvelope:
		if r.entry = nil; f.value != "" {
			r.kind = f.value
		}
		return nil
	case "20":
		r.open(f)
		return nil
	case "61":
		return r.takeEntry(f)
	case "86", "NS":
		return r.takeDetails(f)
	}
	r.entry = nil
	switch f.tag {
	case "25", "25P", "28", "28C", "60", "60F", "60M":
		r.openWithout20(f)
	}
	p := r.page
	if p == nil {
		return nil
	}
	p.end = f.end
	switch f.tag {
	case "25", "25P":
		p.account = strings.TrimPrefix(compact(f.firstLine()), "/")
	case "28", "28C":
		p.number, p.sheet = pageNumber(f.firstLine())
	case "60", "60F", "60M":
		return p.takeBalance(f, true)
	case "62", "62F", "62M":
		return p.takeBalance(f, false)
	case "34F", "13D", "13":
		p.interim = true
	}
	return nil
}

func (r *swiftReader) open(f swiftField) {
	r.page = &swiftPage{kind: r.kind, line: f.line, start: f.start, end: f.end}
	r.pages = append(r.pages, r.page)
	r.entry, r.kind = nil, ""
}

// openWithout20 begins a page where a bank repeats the rest of its head only.
func (r *swiftReader) openWithout20(f swiftField) {
	before := r.page
	if before != nil && before.closing == nil && (f.tag[:2] != "60" || before.opening == nil) {
		return
	}
	r.open(f)
	if before != nil {
		r.page.account, r.page.number = before.account, before.number
	}
}

func (r *swiftReader) takeEntry(f swiftField) error {
	if r.page == nil {
		r.open(f)
	}
	if r.rows++; r.rows > MaxRows {
		return refuse(ClassMalformed, f.line, "The file has more than %d entries. Split it by period and upload the parts.", MaxRows)
	}
	r.page.end = f.end
	r.page.entries = append(r.page.entries, swiftEntry{row: r.rows, line: f.line, start: f.start, head: f.valueAt, headEnd: f.end, end: f.end})
	r.entry = &r.page.entries[len(r.page.entries)-1]
	return r.bounded(f)
}

// takeDetails keeps the text of an entry. Behind a balance it is about the whole statement.
func (r *swiftReader) takeDetails(f swiftField) error {
	if r.page != nil {
		r.page.end = f.end
	}
	if r.entry == nil {
		return nil
	}
	if r.entry.details == 0 {
		r.entry.details = f.valueAt
	}
	r.entry.end = f.end
	return r.bounded(f)
}

func (r *swiftReader) bounded(f swiftField) error {
	if r.entry.end-r.entry.start > MaxRecordBytes {
		return refuse(ClassMalformed, f.line, "The entry in line %d is longer than %d kB: the file is damaged, or it is no statement.", r.entry.line, MaxRecordBytes>>10)
	}
	return nil
}

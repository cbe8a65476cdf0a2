package statement

import (
	"cmp"
	"fmt"
	"strconv"
	"strings"

	"daybook/store/ledger"
)

// openAccount reads a record 03: account, currency, and any number of a type code, an amount, a count and the kind of funds. Of these, 010 is the
// opening ledger balance and 015 the closing one.
func (r *baiReader) openAccount(record baiRecord) error {
	fields := record.fields()
	account, _ := fields.next()
	printed, _ := fields.next()
	// Without a currency a group is in US dollars, by the format; the one that the user tells is nearer to this account.
	currency := strings.ToUpper(cmp.Or(printed, r.as.currency, r.told.currency, "USD"))
	if _, known := ledger.Exponent(currency); !known {
		return refuse(ClassMalformed, record.line, "The account in line %d is in %q, which is not a currency of ISO 4217. Download the file from the bank again.", record.line, short(currency))
	}
	r.section = &baiSection{part: part{account: compact(account), currency: currency, day: r.as.day}, start: record.start}
	r.account = &baiLevel{}
	r.account.count(record)

	sums, ok := readSums(fields, false)
	if !ok {
		sums, ok = readSums(fields, true)
	}
	if !ok {
		return refuse(ClassMalformed, record.line, "The balances and totals of the account in line %d cannot be read. Download the file from the bank again.", record.line)
	}
	for _, sum := range sums {
		if err := r.takeSum(record, sum); err != nil {
			return err
		}
	}
	return nil
}

func (r *baiReader) takeSum(record baiRecord, sum baiSum) error {
	balance := map[string]**int64{"010": &r.section.opening, "015": &r.section.closing}[sum.code]
	minor, reason := baiAmount(sum.amount)
	switch {
	case reason == ReasonMissing:
		return nil
	case reason == "" && (balance == nil || *balance == nil || **balance == minor):
		r.account.add(minor)
		if balance != nil {
			*balance = &minor
		}
		return nil
	case balance == nil:
		r.account.unknown = true
		return nil
	case reason == "":
		return refuse(ClassMalformed, record.line, "The account in line %d states two different balances with the code %s. Download the file from the bank again.", record.line, sum.code)
	}
	return refuse(ClassMalformed, record.line, "The balance %q (code %s) of the account in line %d is not an amount in the smallest unit of %s. Download the file from the bank again.",
		short(sum.amount), sum.code, record.line, r.section.currency)
}

// baiSum is a balance or a total of an account by its type code.
type baiSum struct{ code, amount string }

// readSums reads what a record 03 says behind account and currency. Some banks leave fields out at the end of a physical record; with
// cutShort the end of one ends a sum.
func readSums(f baiFields, cutShort bool) (sums []baiSum, ok bool) {
	more := func() string {
		if cutShort && !f.open {
			return ""
		}
		field, _ := f.next()
		return field
	}
	for {
		code, some := f.next()
		if !some {
			return sums, true
		}
		if code == "" {
			continue
		}
		if len(code) != 3 || !allDigits(code) {
			return nil, false
		}
		amount, count := more(), more()
		if amount != "" && strings.Trim(amount, "+-0123456789.") != "" || count != "" && !allDigits(count) {
			return nil, false
		}
		if !skipFunds(more(), &f) {
			return nil, false
		}
		sums = append(sums, baiSum{code, amount})
	}
}

// skipFunds passes over what follows a kind of funds: three amounts after S, day and time after V, and after D a number of pairs. It
// reports whether the kind is one of the format and its fields are there.
func skipFunds(funds string, f *baiFields) bool {
	numbers := 0
	switch strings.ToUpper(funds) {
	case "", "0", "1", "2", "Z":
		return true
	case "S":
		numbers = 3
	case "V":
		numbers = 2
	case "D":
		count, _ := f.next()
		pairs, err := strconv.Atoi(count)
		if err != nil || pairs < 0 || pairs > MaxRows {
			return false
		}
		numbers = 2 * pairs
	default:
		return false
	}
	for range numbers {
		if field, ok := f.next(); !ok || strings.Trim(field, "+-0123456789") != "" {
			return false
		}
	}
	return true
}

// closeAccount reads a record 49: the control total of the account and the number of its records.
func (r *baiReader) closeAccount(record baiRecord) (err error) {
	p := r.section
	if r.as.interim && (p.opening == nil || p.closing == nil) {
		return refuse(ClassUnsupported, record.line, "The account that ends in line %d is reported as of the previous day, and not finally (as-of-date modifier 1). Upload the final report.", record.line)
	}
	fields := record.fields()
	total, _ := fields.next()
	records, _ := fields.next()
	r.checkTotal(r.account, record, "account", total)
	r.checkRecords(r.account, record, "account", records)
	r.account.passOn(r.group)
	p.settleMinus()
	p.tellMissing()
	if p.opening != nil && p.closing != nil {
		p.balanced = days{p.day, p.day}
	}
	p.same = r.identity(strings.TrimSpace(r.text[p.start:record.end]))
	r.account, r.section = nil, nil
	r.all, err = r.all.with(&p.part)
	return err
}

// identity tells the account from others by its text and that of the head of its group. Accounts that are alike within one group are none
// that stand in the file twice, unless they have the same balances.
func (r *baiReader) identity(text string) identity {
	if r.section.opening != nil && r.section.closing != nil {
		return identity{r.as.text, text}
	}
	r.as.alike[text]++
	return identity{fmt.Sprint(r.as.text, " ", r.as.alike[text]), text}
}

// settleMinus decides what a minus before the amount of a movement means. Its type code says already whether money comes in or goes out: by the
// format the minus turns that round, but some banks print it before every debit. Only the balances can tell; where they cannot, the
// movement is no line.
func (s *baiSection) settleMinus() {
	if len(s.minus) == 0 {
		return
	}
	if s.opening != nil && s.closing != nil && !s.gap {
		if end := s.after(s.opening); end == nil || *end != *s.closing {
			s.turnMinus()
		}
		return
	}
	kept := s.lines[:0]
	for i, l := range s.lines {
		if len(s.minus) > 0 && s.minus[0] == i {
			s.minus = s.minus[1:]
			s.reject(l.Row, ReasonBadAmount, "the amount has a minus, and without an opening and a closing balance it is open whether it turns the movement round", l.Raw)
			continue
		}
		kept = append(kept, l)
	}
	s.lines = kept
}

// turnMinus reads the minus as one that only repeats what the type code says.
func (s *baiSection) turnMinus() {
	for _, i := range s.minus {
		s.lines[i].AmountMinor = -s.lines[i].AmountMinor
	}
}

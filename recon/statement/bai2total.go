package statement

import (
	"fmt"
	"strconv"
	"strings"

	"daybook/store/ledger"
)

// baiLevel is what the records of an account, a group or a file add up to, to be held against its trailer.
type baiLevel struct {
	records, logical int   // with and without those of code 88
	sum, magnitude   int64 // of the amounts as printed, and without their signs
	unknown          bool  // an amount cannot be read, or the sum is beyond what can be kept
	children         int   // accounts of a group, groups of a file
}

func (l *baiLevel) count(record baiRecord) {
	if l != nil {
		l.records += record.physical
		l.logical++
	}
}

// add takes an amount into the control total.
func (l *baiLevel) add(minor int64) {
	l.addSums(minor, max(minor, -minor))
}

func (l *baiLevel) addSums(sum, magnitude int64) {
	var ok, alsoOK bool
	l.sum, ok = ledger.Add(l.sum, sum)
	l.magnitude, alsoOK = ledger.Add(l.magnitude, magnitude)
	l.unknown = l.unknown || !ok || !alsoOK
}

// close ends a group or a file: its trailer states the control total, how many accounts or groups it has, and how many records.
func (r *baiReader) close(level **baiLevel, parent *baiLevel, record baiRecord, name, child string) {
	fields := record.fields()
	total, _ := fields.next()
	children, _ := fields.next()
	records, _ := fields.next()
	l := *level
	r.checkTotal(l, record, name, total)
	if n, err := strconv.Atoi(children); err == nil && n != l.children {
		r.damaged(record, "The trailer of the %s in line %d counts %s, and the %s has %d.", name, record.line, plural(n, child), name, l.children)
	}
	r.checkRecords(l, record, name, records)
	l.passOn(parent)
	*level = nil
}

// passOn adds what a level sums up to that above it.
func (l *baiLevel) passOn(parent *baiLevel) {
	if parent != nil {
		parent.addSums(l.sum, l.magnitude)
		parent.unknown = parent.unknown || l.unknown
		parent.children++
	}
}

// checkTotal compares a control total. Some banks sum up what stands in the records, others leave the signs out.
func (r *baiReader) checkTotal(l *baiLevel, record baiRecord, name, stated string) {
	if stated == "" || l.unknown {
		return
	}
	total, reason := baiAmount(stated)
	if reason == "" && (total == l.sum || total == l.magnitude) {
		return
	}
	r.damaged(record, "The control total of the %s in line %d is %s, and its records add up to %d.", name, record.line, short(stated), l.sum)
}

// checkRecords compares the number of records. Some banks do not count those with code 88.
func (r *baiReader) checkRecords(l *baiLevel, record baiRecord, name, stated string) {
	if n, err := strconv.Atoi(stated); err == nil && n != l.records && n != l.logical {
		r.damaged(record, "The trailer of the %s in line %d counts %s, and the %s has %d.", name, record.line, plural(n, "record"), name, l.records)
	}
}

// damaged keeps the first thing that is wrong with a trailer.
func (r *baiReader) damaged(record baiRecord, format string, args ...any) {
	if r.damage == "" {
		r.damage, r.damageLine = fmt.Sprintf(format, args...), record.line
	}
}

// baiAmount reads an amount: digits in minor units, with a sign or without.
func baiAmount(text string) (int64, Reason) {
	digits := strings.TrimPrefix(strings.TrimPrefix(text, "+"), "-")
	switch {
	case digits == "":
		return 0, ReasonMissing
	case len(digits) < len(text)-1 || !allDigits(digits):
		return 0, ReasonBadAmount
	}
	n, err := strconv.ParseInt(digits, 10, 64)
	if err != nil {
		return 0, ReasonOverflow
	}
	if text[0] == '-' {
		n = -n
	}
	return n, ""
}

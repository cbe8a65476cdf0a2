package statement

import (
	"fmt"
	"strings"

	"daybook/store/ledger"
)

// readBAI2 reads BAI2, and BTRS where it is written alike: groups of accounts as of a day, each with balances, movements and control totals.
// Format: BAI, Cash Management Balance Reporting Specifications, Version 2.
func readBAI2(text string, t *told) (*Statement, error) {
	r := baiReader{text: text, told: t}
	if err := r.read(); err != nil {
		return nil, err
	}
	read, err := r.all.joined("bai2", t)
	if err == nil && r.damage != "" {
		refusal := refuse(ClassBalance, r.damageLine, "%s Records may be missing: download the file from the bank again.", r.damage)
		refusal.Statement, refusal.OpeningMinor, refusal.ClosingMinor = read, read.OpeningMinor, read.ClosingMinor
		read.OpeningMinor, read.ClosingMinor = nil, nil
		read.StatedFrom, read.StatedTo = ledger.Date{}, ledger.Date{}
		return nil, refusal
	}
	return read, err
}

// baiReader goes through the records of a file.
type baiReader struct {
	text string
	told *told
	all  parts
	rows int

	file, group, account *baiLevel // those that are open
	as                   baiGroup
	section              *baiSection
	damage               string // the first control total that is not that of the records
	damageLine           int
}

// baiGroup is what a record 02 says about the accounts below it.
type baiGroup struct {
	day      ledger.Date
	currency string
	interim  bool // of the previous day, and not final
	text     string
	alike    map[string]int // how often the text of an account without balances stands in the group
}

// baiSection is one record 03 and what belongs to it.
type baiSection struct {
	part
	start int // where it stands in the text
	// minus are the lines whose amount is printed with a minus: by index, as if it turned the amount round.
	minus []int
}

// read takes the records apart and each where it belongs. The file must end with its trailer.
func (r *baiReader) read() error {
	records := baiRecords{lines: baiLinesOf(r.text)}
	for records.next() {
		record := records.record
		if record.end-record.start > MaxRecordBytes {
			return refuse(ClassMalformed, record.line, "The record in line %d is longer than %d kB: the file is damaged, or it is no statement.", record.line, MaxRecordBytes>>10)
		}
		if err := r.take(record); err != nil {
			return err
		}
	}
	if records.stray > 0 {
		return refuse(ClassMalformed, records.stray, "Line %d is no record of BAI2: it begins with none of 01, 02, 03, 16, 49, 88, 98, 99. The file is damaged: download it from the bank again.", records.stray)
	}
	if r.file != nil {
		return baiCutOff(records.lines.number, "the file ends before its trailer (record 99)")
	}
	return nil
}

func baiCutOff(line int, what string) error {
	return refuse(ClassMalformed, line, "The file is cut off or damaged: %s. Download it from the bank again.", what)
}

// take puts a record where it belongs, and refuses one that stands where it cannot.
func (r *baiReader) take(record baiRecord) error {
	if !r.expects(record.code) {
		return baiCutOff(record.line, fmt.Sprintf("the record %s in line %d stands where none can, since a header or a trailer before it is missing", record.code, record.line))
	}
	for _, level := range []*baiLevel{r.file, r.group, r.account} {
		level.count(record)
	}
	switch record.code {
	case "01":
		return r.openFile(record)
	case "02":
		return r.openGroup(record)
	case "03":
		return r.openAccount(record)
	case "16":
		return r.readEntry(record)
	case "49":
		return r.closeAccount(record)
	case "98":
		r.close(&r.group, r.file, record, "group", "account")
	case "99":
		r.close(&r.file, nil, record, "file", "group")
	}
	return nil
}

func (r *baiReader) expects(code string) bool {
	switch code {
	case "01":
		return r.file == nil
	case "02", "99":
		return r.file != nil && r.group == nil
	case "03", "98":
		return r.group != nil && r.account == nil
	}
	return r.account != nil
}

func (r *baiReader) openFile(record baiRecord) error {
	fields := record.fields()
	var version string
	for i := 1; i <= 8; i++ {
		version, _ = fields.next()
	}
	if version = strings.TrimLeft(version, "0"); version != "" && version != "2" && version != "3" {
		return refuse(ClassUnsupported, record.line, "The file is of version %s of the BAI format. Version 2 is read here: ask the bank for BAI2.", short(version))
	}
	r.file = &baiLevel{}
	r.file.count(record)
	return nil
}

// openGroup reads receiver, originator, status, as-of date, time, currency and as-of-date modifier.
func (r *baiReader) openGroup(record baiRecord) error {
	var f [7]string
	fields := record.fields()
	for i := range f {
		f[i], _ = fields.next()
	}
	if why := notFinal(f[2], f[6]); why != "" {
		return refuse(ClassUnsupported, record.line, "The group in line %d is %s. Upload the final report of the day.", record.line, why)
	}
	day, ok := baiDay(f[3])
	if !ok {
		return refuse(ClassMalformed, record.line, "The as-of date %q of the group in line %d is not a date (year, month, day). Download the file from the bank again.", short(f[3]), record.line)
	}
	r.as = baiGroup{day: day, currency: f[5], interim: f[6] == "1", text: strings.TrimSpace(r.text[record.start:record.end]), alike: map[string]int{}}
	r.group = &baiLevel{}
	r.group.count(record)
	return nil
}

// notFinal says what a group is that holds no final movements, "" for one that does.
func notFinal(status, modifier string) string {
	switch strings.TrimLeft(status, "0") {
	case "", "1":
	case "2":
		return "a deletion of an earlier one (group status 2)"
	case "3":
		return "a correction of an earlier one (group status 3), which would be counted twice"
	case "4":
		return "a test (group status 4)"
	default:
		return "of a status that is not known here, " + short(status)
	}
	if modifier == "3" {
		return "an interim report of the day (as-of-date modifier 3)"
	}
	return ""
}

// baiDay reads YYMMDD, or YYYYMMDD as in BTRS.
func baiDay(digits string) (ledger.Date, bool) {
	if !allDigits(digits) || len(digits) != 6 && len(digits) != 8 {
		return ledger.Date{}, false
	}
	if len(digits) == 8 {
		year, month, day := digitsAt(digits, 0)*100+digitsAt(digits, 2), digitsAt(digits, 4), digitsAt(digits, 6)
		return dayOf(year, month, day), validDay(year, month, day)
	}
	day := swiftDay(digits)
	return day, !day.IsZero()
}

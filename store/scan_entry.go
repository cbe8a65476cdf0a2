package store

import (
	"encoding/binary"
	"encoding/json"
	"fmt"
	"math"
	"time"

	"daybook/store/ledger"
)

// storedEntry is an entry with its postings as they are stored, and what of them no record can be.
type storedEntry struct {
	ledger.Record
	postingCount int64
	lines        int64 // the postings that there are; no more of them are kept than one beyond postingCount
	accounts     []*scannedAccount
	effectiveDay int32 // as the database counts days
	recordedDay  int32
	unnumbered   bool   // the postings are not numbered from 1 on
	lineFault    string // the first posting that is in no account, or in one of another currency
	unreadable   bool   // the metadata is not text by key
}

// fault says what of an entry does not go together as it is stored, "" when all does.
func (e *storedEntry) fault() string {
	switch {
	case e.lines != e.postingCount:
		return fmt.Sprintf("has %d postings, and was recorded with %d", e.lines, e.postingCount)
	case e.unnumbered:
		return fmt.Sprintf("its postings are not numbered from 1 to %d", e.lines)
	case e.lineFault != "":
		return e.lineFault
	case e.unreadable:
		return "its metadata is not text by key"
	}
	return ""
}

// decode takes over the columns of scanColumns.
func (e *storedEntry) decode(book Book, columns [][]byte) error {
	e.Book, e.Seq, e.TxID, e.Kind = book.Code, integer(columns[0]), string(columns[1]), kindOf(columns[2])
	e.effectiveDay = int32(integer(columns[3]))
	e.EffectiveOn = dateOf(e.effectiveDay)
	e.RecordedAt, e.recordedDay = instantOf(integer(columns[4]))
	e.Description, e.Reason, e.RecordedBy = string(columns[5]), string(columns[6]), integer(columns[7])
	e.ApprovalID, e.Reverses, e.Part, e.Replaces = integer(columns[8]), integer(columns[9]), int(integer(columns[10])), integer(columns[11])
	e.postingCount = integer(columns[12])
	if metadata := columns[13]; string(metadata) != "{}" {
		e.unreadable = json.Unmarshal(metadata, &e.Metadata) != nil
	}
	if err := e.PrevHash.Scan(columns[14]); err != nil {
		return err
	}
	if err := e.Hash.Scan(columns[15]); err != nil {
		return err
	}
	room := min(max(e.postingCount, 0), ledger.MaxPostings)
	e.Postings, e.accounts = make([]ledger.Posting, 0, room), make([]*scannedAccount, 0, room)
	return nil
}

// add takes over a posting: line, account, amount and currency, in order of line.
func (e *storedEntry) add(accounts map[int64]*scannedAccount, columns [][]byte) {
	e.lines++
	if e.lines > e.postingCount {
		return
	}
	posting := ledger.Posting{AmountMinor: integer(columns[2])}
	account, known := accounts[integer(columns[1])]
	line := integer(columns[0])
	if known {
		posting.Account, posting.Currency = account.code, account.currency
	}
	switch {
	case e.unnumbered || e.lineFault != "":
	case line != e.lines:
		e.unnumbered = true
	case !known:
		e.lineFault = fmt.Sprintf("line %d names an account that does not exist", line)
	case string(columns[3]) != account.currency:
		e.lineFault = fmt.Sprintf("line %d is in %s, and account %s in %s", line, columns[3], account.code, account.currency)
	}
	e.Postings, e.accounts = append(e.Postings, posting), append(e.accounts, account)
}

// integer reads a number of two, four or eight bytes; NULL is 0.
func integer(column []byte) int64 {
	switch len(column) {
	case 2:
		return int64(int16(binary.BigEndian.Uint16(column)))
	case 4:
		return int64(int32(binary.BigEndian.Uint32(column)))
	case 8:
		return int64(binary.BigEndian.Uint64(column))
	}
	return 0
}

// kindOf gives the kinds without a copy of each.
func kindOf(column []byte) ledger.EntryKind {
	if string(column) == string(ledger.PlainEntry) {
		return ledger.PlainEntry
	}
	return ledger.EntryKind(column)
}

// The database counts days and microseconds from the beginning of the year 2000. The first and last numbers are the infinities, which are
// no day and no instant.
var epoch = time.Date(2000, 1, 1, 0, 0, 0, 0, time.UTC)

const (
	secondsADay      = 24 * 60 * 60
	microsecondsADay = secondsADay * 1_000_000
)

func dateOf(days int32) ledger.Date {
	if days == math.MinInt32 || days == math.MaxInt32 {
		return ledger.Date{}
	}
	return ledger.DateOf(time.Unix(epoch.Unix()+int64(days)*secondsADay, 0))
}

func instantOf(microseconds int64) (at time.Time, day int32) {
	if microseconds == math.MinInt64 || microseconds == math.MaxInt64 {
		return time.Time{}, 0
	}
	days := microseconds / microsecondsADay
	if microseconds%microsecondsADay < 0 {
		days--
	}
	return time.UnixMicro(epoch.UnixMicro() + microseconds).UTC(), int32(days)
}

package statement

import (
	"fmt"

	"daybook/store/ledger"
)

// What is beyond these is refused, so that memory stays in proportion to the file.
const (
	MaxFileBytes   = 32 << 20  // of a whole file
	MaxRecordBytes = 256 << 10 // of one row, line breaks in quotes included
	MaxColumns     = 1_000
	MaxRows        = 1_000_000 // rows that are not blank
)

// Statement is what a file says about one account: its lines, every row that is not one, and the balances that the file
// states or its running balance proves.
type Statement struct {
	Format   string // "csv", "camt.053", "mt940", "ofx" or "bai2"
	Currency string // ISO 4217, "" when the lines have several or there are none
	Account  string // as printed, without blanks; "" when there is none or only a masked one
	// AccountPrinted is Account where the file itself says it, "" where only a hint does.
	AccountPrinted string
	OpeningMinor   *int64
	ClosingMinor   *int64
	// StatedFrom and StatedTo are the days for which a message says that it is whole: without a gap, and with every line in them. Zero where it
	// does not, as in CSV.
	StatedFrom, StatedTo ledger.Date
	// Of the lines with a running balance beside them, those that could be recomputed from a neighbour, and those of them that agree.
	BalancesCompared, BalancesEqual int
	Lines                           []Line
	Rejects                         []Reject
	Skipped                         []Skipped
	Settings                        Settings
}

// Line is one movement of the account, money in positive.
type Line struct {
	Row          int // the physical line of the file on which the record starts, from 1
	Date         ledger.Date
	AmountMinor  int64
	Currency     string
	Reference    string
	Description  string
	BankID       string // the bank's own id of the movement where a column is recognisably one, else ""
	BalanceMinor *int64 // the running balance beside it
	Raw          string // the record as it stands in the file
}

// Reason says why a row is not a line although it might be a movement.
type Reason string

// The reasons a row is rejected for, by the names of the contract.
const (
	ReasonPending      Reason = "pending"
	ReasonNotCompleted Reason = "not_completed"
	ReasonMemoOnly     Reason = "memo_only"
	ReasonInfoOnly     Reason = "info_only"
	ReasonBadDate      Reason = "bad_date"
	ReasonBadAmount    Reason = "bad_amount"
	ReasonPrecision    Reason = "amount_precision"
	ReasonOverflow     Reason = "amount_overflow"
	ReasonMissing      Reason = "missing_amount"
	ReasonBoth         Reason = "both_debit_and_credit"
	ReasonRagged       Reason = "ragged_row"
)

// Reject is a row the user must be told about. Detail is for people.
type Reject struct {
	Row    int
	Reason Reason
	Detail string
	Raw    string
}

// Skipped is a row that is no movement: a total, a balance, a continuation of the row above, or left out by a hint.
// Header, preamble and blank lines are not counted.
type Skipped struct {
	Row    int
	Reason SkipReason
	Raw    string
}

// SkipReason says what a skipped row is.
type SkipReason string

// What skipped rows are.
const (
	SkipTotal    SkipReason = "total"
	SkipBalance  SkipReason = "balance"
	SkipDetail   SkipReason = "detail"        // continues the row above
	SkipNote     SkipReason = "note"          // text without date and amount
	SkipExcluded SkipReason = "excluded"      // by include_rows or exclude_rows
	SkipAccount  SkipReason = "other_account" // the user chose another account of this file
	SkipRepeated SkipReason = "repeated"      // of a page that stands in the file a second time
)

// Class is the kind of reason for which a whole file is refused.
type Class string

// The classes of refusals, by the names of the contract. ClassMissingCurrency is ours: a number without a currency has no
// minor units, and guessing two digits would be wrong by a factor of 100 for yen. So is ClassAmbiguousSign: money out that is printed as if it came in.
const (
	ClassAmbiguousDecimal   Class = "ambiguous_decimal"
	ClassAmbiguousDate      Class = "ambiguous_date"
	ClassInconsistentDate   Class = "inconsistent_date"
	ClassMissingYear        Class = "missing_year"
	ClassMissingCurrency    Class = "missing_currency"
	ClassMultipleAccounts   Class = "multiple_accounts"
	ClassMultipleCurrencies Class = "multiple_currencies"
	ClassMalformed          Class = "malformed_csv"
	ClassEmpty              Class = "empty_file"
	ClassBalance            Class = "balance_mismatch"
	ClassUnsupported        Class = "unsupported_message"
	ClassAmbiguousSign      Class = "ambiguous_sign"
)

// Refusal is the error of a file that is refused as a whole. Detail says to people what is wrong, where, and what to do.
type Refusal struct {
	Class     Class
	Row       int // the physical line, 0 where it is not about one
	Detail    string
	Statement *Statement // with ClassBalance only: what was read, for an import that a person decides on with a reason
	// The balances that the file states and that its lines do not lead from and to, with ClassBalance only; nil where it states none.
	OpeningMinor, ClosingMinor *int64
	asks                       string    // the hint that settles it, where the class alone does not say
	question                   *Question // what to ask about a message, which has no table to ask about
}

// Error gives the class and the detail in one line.
func (r *Refusal) Error() string { return string(r.Class) + ": " + r.Detail }

// settledBy names the hint that settles what the file is refused for.
func (r *Refusal) settledBy(hint string) *Refusal {
	r.asks = hint
	return r
}

// asking gives what to ask about a message that is refused.
func (r *Refusal) asking(q *Question) *Refusal {
	r.question = q
	return r
}

func refuse(class Class, row int, format string, args ...any) *Refusal {
	return &Refusal{Class: class, Row: row, Detail: fmt.Sprintf(format, args...)}
}

// Read reads a file whole or refuses it whole. The error is a *Refusal when the file is refused, and a *ledger.Error of
// KindInvalid when a hint is unknown, malformed or names a column that the file does not have.
func Read(data []byte, hints Hints) (*Statement, error) {
	t, err := hints.resolve()
	if err != nil {
		return nil, err
	}
	_, _, read, err := readFile(data, t)
	return read, err
}

// readFile reads a file of any format whole, or refuses it whole. The sheet is nil when no table could be looked at, as of a bank's message.
func readFile(data []byte, t *told) (textFormat, *sheet, *Statement, error) {
	text, encoding, err := readText(data, t)
	if err != nil {
		return textFormat{}, nil, nil, err
	}
	format := formatOf(text)
	switch {
	case format.read != nil:
		read, err := format.read(text, t)
		if read != nil {
			read.Settings = format.settings()
		}
		return format, nil, read, err
	case format.called != "":
		return format, nil, nil, unsupported(format)
	}
	s, read, err := readCSV(unwrapped(text), encoding, t)
	return format, s, read, err
}

// readText gives the characters of a file of any format, and the name of their encoding.
func readText(data []byte, t *told) (text, encoding string, err error) {
	if len(data) > MaxFileBytes {
		return "", "", refuse(ClassMalformed, 0, "The file has more than %d MB. Split it by period and upload the parts.", MaxFileBytes>>20)
	}
	if called := binaryFormat(data); called != "" {
		return "", "", unsupported(textFormat{called: called})
	}
	return decode(data, t)
}

// readTable gives the characters of a file that may be CSV; ok is false for one that is none.
func readTable(data []byte, t *told) (text string, ok bool) {
	text, _, err := readText(data, t)
	if err != nil {
		return "", false
	}
	if formatOf(text).called != "" {
		return "", false
	}
	return unwrapped(text), true
}

// unsupported refuses a file that is not read: a bank's message in a format of its own as such, anything else as no statement.
func unsupported(format textFormat) *Refusal {
	class := ClassMalformed
	if format.message {
		class = ClassUnsupported
	}
	return refuse(class, 0, "This looks like %s, which is not read here. Download the account's movements from the bank as CSV, camt.053, MT940, OFX or BAI2 and upload that.", format.called)
}

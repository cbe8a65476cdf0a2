package statement

import (
	"encoding/json"
	"sort"
	"strconv"
	"strings"
	"time"

	// Zone hints must mean the same on every machine, also on one without a zone database.
	_ "time/tzdata"

	"golang.org/x/text/encoding"

	"daybook/store/ledger"
)

// Hints are what a user tells about a file, by the names of the contract: what the file itself does not say.
type Hints map[string]string

// maxHintBytes is of one hint; include_rows may list many values.
const maxHintBytes = 10_000

// ParseHints reads "key=value" pairs. An unknown key, a bad value or a key told twice is a ledger.Error of KindInvalid that names it.
func ParseHints(pairs []string) (Hints, error) {
	hints := Hints{}
	for _, pair := range pairs {
		key, value, ok := strings.Cut(pair, "=")
		key = strings.TrimSpace(key)
		if !ok || key == "" {
			return nil, badHint(pair, "write a hint as key=value")
		}
		if _, twice := hints[key]; twice {
			return nil, badHint(key, "told twice")
		}
		hints[key] = value
	}
	if _, err := hints.resolve(); err != nil {
		return nil, err
	}
	return hints, nil
}

// told is what the hints say, typed.
type told struct {
	currency, account      string
	dates                  *dateHint
	decimal                byte // 0 when not told
	delimiter              byte
	encodingName           string
	encoding               encoding.Encoding
	hasHeader              *bool
	headerRow              int // the physical line of the header, 0 when not told
	columns                map[role]string
	directionDebit         string
	unmarkedDebit          *bool
	invert, signTold       bool
	include, exclude       *rowChoice
	locale                 *locale
	zone, stampZone        *time.Location
	periodStart, periodEnd ledger.Date
}

// rowChoice picks rows by what stands in a column.
type rowChoice struct {
	column string
	values map[string]bool
}

var columnHints = map[string]role{
	"date_column": roleDate, "amount_column": roleAmount, "debit_column": roleDebit, "credit_column": roleCredit,
	"balance_column": roleBalance, "fee_column": roleFee, "description_column": roleText, "reference_column": roleReference,
	"currency_column": roleCurrency, "status_column": roleStatus, "direction_column": roleDirection,
}

func badHint(key, format string, args ...any) error {
	for i, arg := range args {
		if text, ok := arg.(string); ok {
			args[i] = short(text)
		}
	}
	key = short(key)
	err := ledger.Refuse(ledger.KindInvalid, "The hint %q cannot be used", key)
	return err.At("hint."+key, format, args...)
}

// Check refuses hints of which one is unknown or malformed, as a ledger.Error of KindInvalid that names it. Whether a file has the
// columns that they name shows only with the file.
func (h Hints) Check() error {
	_, err := h.resolve()
	return err
}

func (h Hints) resolve() (*told, error) {
	t := &told{columns: map[role]string{}}
	keys := make([]string, 0, len(h))
	for key := range h {
		keys = append(keys, key)
	}
	sort.Strings(keys)
	for _, key := range keys {
		if err := t.take(key, strings.TrimSpace(h[key])); err != nil {
			return nil, err
		}
	}
	if !t.periodStart.IsZero() && !t.periodEnd.IsZero() && t.periodEnd.Before(t.periodStart) {
		return nil, badHint("period_end", "is before period_start")
	}
	return t, nil
}

func (t *told) take(key, value string) error {
	if value == "" {
		return badHint(key, "has no value")
	}
	if len(value) > maxHintBytes {
		return badHint(key, "is too long: the most is %d bytes", maxHintBytes)
	}
	if r, ok := columnHints[key]; ok {
		t.columns[r] = value
		return nil
	}
	switch key {
	case "currency":
		return t.takeCurrency(value)
	case "account":
		t.account = compact(value)
	case "date_format":
		return t.takeDateFormat(value)
	case "decimal", "delimiter", "encoding", "has_header":
		return t.takeDialect(key, value)
	case "header_row":
		return t.takeHeaderRow(value)
	case "direction_debit":
		t.directionDebit = fold(value)
	case "unmarked_sign", "sign":
		return t.takeSign(key, value)
	case "include_rows", "exclude_rows":
		return t.takeRows(key, value)
	case "locale":
		return t.takeLocale(value)
	case "timezone", "timestamp_timezone":
		return t.takeZone(key, value)
	case "period_start", "period_end":
		return t.takePeriod(key, value)
	default:
		return badHint(key, "is not a hint that is known here")
	}
	return nil
}

func (t *told) takeCurrency(value string) error {
	t.currency = strings.ToUpper(value)
	if _, known := ledger.Exponent(t.currency); !known {
		return badHint("currency", "%q is not an ISO 4217 currency, such as EUR", value)
	}
	return nil
}

func (t *told) takeDateFormat(value string) error {
	hint, ok := parseDateHint(value)
	if !ok {
		return badHint("date_format", "%q is not a date format: write it with d, m and y, such as dd/mm/yyyy", value)
	}
	t.dates = hint
	return nil
}

func (t *told) takeDialect(key, value string) error {
	switch {
	case key == "decimal" && (value == "." || value == ","):
		t.decimal = value[0]
	case key == "decimal":
		return badHint(key, "%q is not a decimal sign: it is . or ,", value)
	case key == "delimiter" && strings.EqualFold(value, "tab"):
		t.delimiter = '\t'
	case key == "delimiter" && len(value) == 1 && canDelimit(value[0]):
		t.delimiter = value[0]
	case key == "delimiter":
		return badHint(key, "%q is not a delimiter: it is one character, or tab", value)
	case key == "encoding":
		enc, name, ok := encodingByName(value)
		if !ok {
			return badHint(key, "%q is not an encoding that is known here, such as utf-8 or windows-1252", value)
		}
		t.encoding, t.encodingName = enc, name
	case strings.EqualFold(value, "true") || strings.EqualFold(value, "false"):
		has := strings.EqualFold(value, "true")
		t.hasHeader = &has
	default:
		return badHint(key, "%q is neither true nor false", value)
	}
	return nil
}

// takeHeaderRow takes the physical line of the header; 0 says that there is none.
func (t *told) takeHeaderRow(value string) error {
	row, err := strconv.Atoi(value)
	if err != nil || row < 0 {
		return badHint("header_row", "%q is not the number of a row", value)
	}
	if t.headerRow = row; row == 0 {
		none := false
		t.hasHeader = &none
	}
	return nil
}

func (t *told) takeSign(key, value string) error {
	switch {
	case key == "sign" && (value == "invert" || value == "normal"):
		t.invert, t.signTold = value == "invert", true
	case key == "sign":
		return badHint(key, "%q is not known: it is invert or normal", value)
	case value == "debit" || value == "credit":
		debit := value == "debit"
		t.unmarkedDebit = &debit
	default:
		return badHint(key, "%q is not known: it is debit or credit", value)
	}
	return nil
}

func (t *told) takeRows(key, value string) error {
	var given struct {
		Column string          `json:"column"`
		Value  json.RawMessage `json:"value"`
	}
	choice := &rowChoice{values: map[string]bool{}}
	if err := json.Unmarshal([]byte(value), &given); err != nil || given.Column == "" || len(given.Value) == 0 {
		return badHint(key, `write it as {"column":"Type","value":"Payment"}`)
	}
	var one string
	var several []string
	if json.Unmarshal(given.Value, &one) == nil {
		several = []string{strings.TrimSpace(one)}
	} else if json.Unmarshal(given.Value, &several) != nil {
		return badHint(key, "the value is a text or a list of texts")
	}
	for _, value := range several {
		choice.values[value] = true
	}
	choice.column = given.Column
	if key == "include_rows" {
		t.include = choice
	} else {
		t.exclude = choice
	}
	return nil
}

func (t *told) takeZone(key, value string) error {
	zone, err := time.LoadLocation(value)
	if err != nil || strings.EqualFold(value, "local") {
		return badHint(key, "%q is not a time zone, such as Europe/Berlin", value)
	}
	if key == "timezone" {
		t.zone = zone
	} else {
		t.stampZone = zone
	}
	return nil
}

func (t *told) takePeriod(key, value string) error {
	day, err := ledger.ParseDate(value)
	if err != nil {
		return badHint(key, "%q is not a date: write it as YYYY-MM-DD", value)
	}
	if key == "period_start" {
		t.periodStart = day
	} else {
		t.periodEnd = day
	}
	return nil
}

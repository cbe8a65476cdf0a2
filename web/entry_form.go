package web

import (
	"cmp"
	"context"
	"errors"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"daybook/store"
	"daybook/store/ledger"
	"daybook/templates/ui"
)

// entryForm is an entry as it was typed below a prefix: "" for a new entry, "replacement." within a request.
type entryForm struct {
	*form
	prefix string
	lines  []ui.Line
	format ui.Format // of who typed it
}

// linesOffered is how many empty lines a new entry begins with.
const linesOffered = 4

var lineField = regexp.MustCompile(`^postings\[(0|[1-9]\d{0,4})\]\.(account|debit|credit)$`)

// readEntryForm takes the lines in the order of their numbers, and does what the buttons beside them ask for. pressed reports
// whether one was pressed: then nothing is to be posted, only shown.
func readEntryForm(f *form, prefix string, format ui.Format) (e entryForm, pressed bool) {
	e = entryForm{form: f, prefix: prefix, format: format}
	byNumber := map[int]ui.Line{}
	for name := range f.values {
		inner, ours := strings.CutPrefix(name, prefix)
		if !ours || !strings.HasPrefix(inner, "postings[") {
			continue
		}
		field := lineField.FindStringSubmatch(inner)
		if field == nil {
			f.faults = append(f.faults, ledger.FieldError{Field: name, Detail: quoted(name) + " is not a line of this form: open it again"})
			continue
		}
		n, _ := strconv.Atoi(field[1])
		line := byNumber[n]
		switch field[2] {
		case "account":
			line.Account = f.text(name)
		case "debit":
			line.Debit = f.raw(name)
		case "credit":
			line.Credit = f.raw(name)
		}
		byNumber[n] = line
	}
	dropped, drop := f.pressed(prefix + "drop")
	for _, n := range sortedKeys(byNumber) {
		if at, ok := number(dropped); !drop || !ok || at != n {
			e.lines = append(e.lines, byNumber[n])
		}
	}
	_, add := f.pressed(prefix + "add")
	if add || len(e.lines) == 0 {
		e.lines = append(e.lines, ui.Line{})
	}
	return e, add || drop
}

func sortedKeys[V any](m map[int]V) []int {
	keys := make([]int, 0, len(m))
	for key := range m {
		keys = append(keys, key)
	}
	slices.Sort(keys)
	return keys
}

func (e entryForm) name(field string) string { return e.prefix + field }

func (e entryForm) at(line int, field, detail string) {
	e.faults = append(e.faults, ledger.FieldError{Field: e.name("postings[" + strconv.Itoa(line) + "]." + field), Detail: detail})
}

// entry reads what was typed. What cannot be read is noted in the form; lineOf gives for each posting the line it was typed
// in, as blank lines are left out.
func (e entryForm) entry(ctx context.Context, books *store.Store, actor store.Actor) (entry ledger.Entry, lineOf []int, err error) {
	entry = ledger.Entry{
		TxID: e.text(e.name("tx_id")), EffectiveOn: e.date(e.name("effective_on")), Description: e.text(e.name("description")), Metadata: map[string]string{},
	}
	var codes []string
	for _, line := range e.lines {
		codes = append(codes, line.Account)
	}
	accounts, err := books.AccountsByCode(ctx, actor, codes)
	if err != nil {
		return entry, nil, err
	}
	for i, line := range e.lines {
		if line.Account == "" && strings.TrimSpace(line.Debit+line.Credit) == "" {
			continue
		}
		account, known := accounts[line.Account]
		if !known {
			e.at(i, "account", unknownAccount(line.Account))
			e.amount(i, line, "")
			continue
		}
		entry.Postings = append(entry.Postings, ledger.Posting{Account: account.Code, AmountMinor: e.amount(i, line, account.Currency), Currency: account.Currency})
		lineOf = append(lineOf, i)
	}
	if len(e.faults) > 0 {
		e.addMissing(entry)
	}
	return entry, lineOf, nil
}

// mostDigits is a currency with the most decimals there are: in it an amount is read whose own currency is not known.
const mostDigits = "KWD"

func unknownAccount(code string) string {
	if code == "" {
		return "give the code of an account"
	}
	return "there is no account " + quoted(code)
}

// amount reads the one side of a line that is filled; a debit is positive. No currency is that of an unknown account.
func (e entryForm) amount(i int, line ui.Line, currency string) int64 {
	debit, credit := strings.TrimSpace(line.Debit), strings.TrimSpace(line.Credit)
	side, text, sign := "debit", debit, int64(1)
	switch {
	case debit != "" && credit != "":
		e.at(i, "debit", "fill debit or credit, not both")
		return 0
	case debit == "" && credit == "":
		e.at(i, "debit", "fill debit or credit")
		return 0
	case debit == "":
		side, text, sign = "credit", credit, -1
	}
	minor, err := e.format.ParseAmount(text, cmp.Or(currency, mostDigits))
	var refusal *ledger.Error
	switch {
	case err != nil && currency == "":
		e.at(i, side, quoted(text)+" is not an amount: write it as "+e.format.Example())
	case errors.As(err, &refusal):
		e.at(i, side, refusal.Message)
	case minor < 0:
		e.at(i, side, "write the amount without a sign, on the side where it belongs")
	}
	return sign * minor
}

// addMissing notes, beside lines that cannot be read, what else is wrong, so that it is told at once.
func (e entryForm) addMissing(entry ledger.Entry) {
	entry.Postings = nil
	var refusal *ledger.Error
	if !errors.As(entry.Check(), &refusal) || refusal.Kind != ledger.KindInvalid {
		return
	}
	var missing []ledger.FieldError
	for _, fault := range refusal.Fields {
		if name := e.name(fault.Field); ui.ErrorOf(e.faults, name) == "" {
			missing = append(missing, ledger.FieldError{Field: name, Detail: fault.Detail})
		}
	}
	e.faults = append(missing, e.faults...) // in the order of the form
}

// inLines moves what the rules say of postings to the lines they were typed in.
func (e entryForm) inLines(fields []ledger.FieldError, lineOf []int) []ledger.FieldError {
	moved := make([]ledger.FieldError, len(fields))
	for i, f := range fields {
		moved[i] = f
		inner, ours := strings.CutPrefix(f.Field, e.prefix+"postings[")
		digits, rest, whole := strings.Cut(inner, "]")
		n, err := strconv.Atoi(digits)
		if ours && whole && err == nil && n < len(lineOf) {
			moved[i].Field = e.prefix + "postings[" + strconv.Itoa(lineOf[n]) + "]" + rest
		}
	}
	return moved
}

// typedLines writes postings as they would be typed.
func typedLines(format ui.Format, postings []ledger.Posting) []ui.Line {
	lines := make([]ui.Line, len(postings))
	for i, p := range postings {
		lines[i].Account = p.Account
		if p.AmountMinor > 0 {
			lines[i].Debit = format.Typed(p.AmountMinor, p.Currency)
		} else {
			lines[i].Credit = format.Typed(-p.AmountMinor, p.Currency)
		}
	}
	return lines
}

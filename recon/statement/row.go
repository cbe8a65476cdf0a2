package statement

import (
	"fmt"
	"strings"
	"time"

	"daybook/store/ledger"
)

// reader turns the rows of a sheet into a statement. Every row that is not blank and not the header ends in exactly one of
// lines, rejects and skipped.
type reader struct {
	*sheet
	alternative
	out      *Statement
	gaps     []int        // rows whose money is missing from the lines
	balances []rowBalance // balances that stand in rows of their own
	open     int          // index of the line that rows without date and amount continue, -1 for none
	more     []string     // the texts that continue it

	inSection int         // how many sections have begun
	unbooked  Reason      // why the rows below the last title are not booked, "" when they are
	lastDay   ledger.Date // of the row above
}

func (s *sheet) readWith(a alternative) *reader {
	rd := &reader{sheet: s, alternative: a, open: -1,
		out: &Statement{Format: "csv", Account: s.account(), AccountPrinted: s.accountPrinted(), Lines: make([]Line, 0, s.survey.rows), Rejects: []Reject{}, Skipped: []Skipped{}}}

	var cells []string
	for _, r := range s.preamble[max(0, len(s.preamble)-1):] {
		cells = s.cells(r, cells)
		rd.unbooked, _ = titleOf(cells)
	}
	for _, r := range s.body {
		if cells = s.cells(r, cells); !s.repeatsHeader(cells) {
			rd.read(r, cells)
		}
	}
	rd.openLine(-1)
	rd.dropConstantBalance()
	rd.signByBalance()
	return rd
}

func (rd *reader) read(r record, cells []string) {
	dated, filled := rd.filled(cells)
	if reason, title := titleOf(cells); title && !dated && !filled {
		rd.unbooked = reason
		rd.skip(r, SkipNote)
		return
	}
	switch kind := rd.kindOf(cells, dated && filled); kind {
	case openingBalance, closingBalance, someBalance:
		rd.noteBalance(kind, cells, r)
		rd.skip(r, SkipBalance)
		return
	case otherBalance:
		rd.skip(r, SkipBalance)
		return
	case total, maybeTotal:
		rd.skip(r, SkipTotal)
		return
	}
	switch {
	case !rd.chosen(cells):
		rd.gaps = append(rd.gaps, r.row)
		rd.skip(r, SkipExcluded)
	case rd.forms.pickAccount != "" && compact(rd.columns.cell(cells, roleAccount)) != rd.forms.pickAccount:
		rd.skip(r, SkipAccount)
	case rd.otherSection(r.row):
		rd.skip(r, SkipAccount)
	case rd.unbooked != "" && (dated || filled):
		rd.reject(r, rd.unbooked, "the title above the row says that it is not booked")
	case !rd.whole(cells):
		rd.readRagged(r, cells)
	case len(rd.header) > 0 && !dated && rd.wordsOnly(cells) && len(rd.out.Lines)+len(rd.out.Rejects) == 0:
		rd.skip(r, SkipNote) // the second line of the header
	case !filled && rd.columns.cell(cells, roleDate) == "" && !rd.besides(cells):
		rd.continueLine(r, cells)
	case !filled && !dated && countFilled(cells) == 1:
		rd.skip(r, SkipNote)
	default:
		rd.readMovement(r, cells)
	}
}

func (rd *reader) readMovement(r record, cells []string) {
	if reason, detail := rd.notBooked(cells); reason != "" {
		rd.reject(r, reason, detail)
		return
	}
	day, detail := rd.date(cells)
	rd.lastDay = day
	if detail != "" {
		rd.reject(r, ReasonBadDate, detail)
		return
	}
	currency, detail := rd.currencyOf(cells)
	if detail != "" {
		rd.reject(r, ReasonBadAmount, detail)
		return
	}
	amount, fault := rd.amount(cells, currency)
	if fault != nil {
		rd.reject(r, fault.reason, fault.detail)
		return
	}
	line := Line{Row: r.row, Date: day, AmountMinor: amount, Currency: currency, Raw: rd.text[r.start:r.end]}
	if balance, fault := rd.money(cells, roleBalance, currency); fault == nil {
		line.BalanceMinor = &balance
	}
	rd.nameLine(&line, cells)
	rd.out.Lines = append(rd.out.Lines, line)
	rd.openLine(len(rd.out.Lines) - 1)
}

// openLine makes a line the one that rows without date and amount continue, -1 for none, and completes the text of the one before: once, since
// a file may be nothing but such rows.
func (rd *reader) openLine(at int) {
	if len(rd.more) > 0 {
		line := &rd.out.Lines[rd.open]
		line.Description = strings.TrimSpace(line.Description + " " + strings.Join(rd.more, " "))
		rd.more = rd.more[:0]
	}
	rd.open = at
}

// notBooked gives the reason a row has not moved money, or not yet.
func (rd *reader) notBooked(cells []string) (Reason, string) {
	for _, r := range []role{roleDirection, roleDate} {
		cell := rd.columns.cell(cells, r)
		if reason, _ := statusReason(cell); cell != "" && len(cell) < 40 && reason != "" {
			return reason, fmt.Sprintf("the bank marks the row as %q", short(cell))
		}
	}
	status := rd.columns.cell(cells, roleStatus)
	reason, known := statusReason(status)
	if reason != "" && rd.survey.statusKnown*2 >= rd.survey.statusUnknown {
		return reason, fmt.Sprintf("the bank marks the row as %q", short(status))
	}
	if !known && rd.survey.statusKnown > rd.survey.statusUnknown {
		return ReasonNotCompleted, fmt.Sprintf("the status %q is not known here; if such rows are booked, choose the rows to read (hint include_rows)", short(status))
	}
	return "", ""
}

// date reads the booking date, as printed unless zones were told.
func (rd *reader) date(cells []string) (ledger.Date, string) {
	cell := rd.columns.cell(cells, roleDate)
	if cell == "" && rd.survey.days.carries() && !rd.lastDay.IsZero() {
		return rd.lastDay, ""
	}
	if cell == "" {
		return ledger.Date{}, "the row has no date"
	}
	d, ok := lexDate(cell)
	if !ok {
		return ledger.Date{}, fmt.Sprintf("%q is not a date", short(cell))
	}
	year, month, day, ok := d.under(rd.forms.orders[d.shape])
	if !ok {
		return ledger.Date{}, fmt.Sprintf("%q is not a day of the calendar in the date format of this file", short(cell))
	}
	if year == 0 {
		if year = rd.yearBeside(cells, month, day); year != 0 {
			return ledger.Date{Year: year, Month: time.Month(month), Day: day}, ""
		}
		if year = rd.forms.period.yearOf(month, day); year == 0 {
			return ledger.Date{}, fmt.Sprintf("%q is not a day of the statement's period in one year only", short(cell))
		}
	}
	return rd.told.inZone(ledger.Date{Year: year, Month: time.Month(month), Day: day}, d.clock), ""
}

// yearBeside gives the year that puts a day nearest to the value date of its row, 0 when that has no year either.
func (rd *reader) yearBeside(cells []string, month, day int) int {
	if rd.columns[roleValueDate] == rd.columns[roleDate] {
		return 0
	}
	d, ok := lexDate(rd.columns.cell(cells, roleValueDate))
	if !ok || rd.forms.valueOrders[d.shape] == orderNone {
		return 0
	}
	year, valueMonth, valueDay, ok := d.under(rd.forms.valueOrders[d.shape])
	if !ok || year == 0 {
		return 0
	}
	value := time.Date(year, time.Month(valueMonth), valueDay, 0, 0, 0, 0, time.UTC)
	best, least := 0, 100*24*time.Hour
	for y := year - 1; y <= year+1; y++ {
		apart := value.Sub(time.Date(y, time.Month(month), day, 0, 0, 0, 0, time.UTC)).Abs()
		if validDay(y, month, day) && apart < least {
			best, least = y, apart
		}
	}
	return best
}

// yearOf gives the one year that puts a day into the period, 0 when none or several do.
func (p daySpan) yearOf(month, day int) int {
	found := 0
	for year := p.min / 10000; year <= p.max/10000; year++ {
		if n := year*10000 + month*100 + day; n >= p.min && n <= p.max && validDay(year, month, day) {
			if found != 0 {
				return 0
			}
			found = year
		}
	}
	return found
}

// currencyOf gives the currency of a row: its own column, what stands beside the amount, or the file's.
func (rd *reader) currencyOf(cells []string) (currency, detail string) {
	cell := rd.columns.cell(cells, roleCurrency)
	if rd.forms.headerCurrency != "" {
		cell = rd.forms.headerCurrency // "Amount (EUR)": a column of currencies beside it is about something else
	}
	own, known := currencyOf(cell)
	if cell != "" && !known {
		return "", fmt.Sprintf("%q is not a currency", short(cell))
	}
	for _, r := range []role{roleAmount, roleDebit, roleCredit} {
		f, ok := lexFigure(rd.columns.cell(cells, r))
		if !ok || f.currency == "" {
			continue
		}
		if own != "" && f.currency != own {
			return "", fmt.Sprintf("the row names two currencies, %s and %s", own, f.currency)
		}
		own = f.currency
	}
	if own == "" {
		own = rd.forms.currency
	}
	if own == "" {
		return "", "the row names no currency"
	}
	return own, ""
}

func (rd *reader) skip(r record, reason SkipReason) {
	rd.out.Skipped = append(rd.out.Skipped, Skipped{Row: r.row, Reason: reason, Raw: rd.text[r.start:r.end]})
	if reason != SkipDetail {
		rd.openLine(-1)
	}
}

func (rd *reader) reject(r record, reason Reason, detail string) {
	rd.out.Rejects = append(rd.out.Rejects, Reject{Row: r.row, Reason: reason, Detail: detail, Raw: rd.text[r.start:r.end]})
	rd.openLine(-1)
	switch reason {
	case ReasonPending, ReasonNotCompleted, ReasonMemoOnly, ReasonInfoOnly:
	default:
		rd.gaps = append(rd.gaps, r.row)
	}
}

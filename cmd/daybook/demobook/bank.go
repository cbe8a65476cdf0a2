package demobook

import (
	"bytes"
	"encoding/csv"
	"slices"
	"time"

	"daybook/store/ledger"
)

// noReference is how the bank prints that there is none.
const noReference = "NONREF"

// isBankDay tells the days on which the bank books.
func isBankDay(day ledger.Date) bool {
	weekday := day.Time().Weekday()
	return day != newYear && weekday != time.Saturday && weekday != time.Sunday
}

// nextBankDay is the day itself or the first one after it on which the bank books.
func nextBankDay(day ledger.Date) ledger.Date {
	for !isBankDay(day) {
		day = day.AddDays(1)
	}
	return day
}

// statementOf is what the bank says about 1010 in a month: what was booked, as many days later as the bank takes, but within the
// month unless it was still under way, and what was under way before.
func (j *journal) statementOf(first, last ledger.Date) bankMonth {
	month := bankMonth{}
	for _, b := range j.bookings {
		minor := b.of("1010")
		if minor == 0 {
			continue
		}
		day := b.onStatement()
		switch {
		case day.Before(first):
			month.OpeningMinor += minor
		case !day.After(last):
			line := bankLine{Date: day, AmountMinor: minor, Reference: b.Metadata["reference"], Text: b.bank.text}
			if b.bank.noReference {
				line.Reference = noReference
			}
			month.Lines = append(month.Lines, line)
		}
	}
	month.ClosingMinor = month.OpeningMinor
	for _, line := range month.Lines {
		month.ClosingMinor += line.AmountMinor
	}
	slices.SortStableFunc(month.Lines, func(a, b bankLine) int { return a.Date.Compare(b.Date) })
	return month
}

// onStatement is the day on which the bank books it.
func (b *booking) onStatement() ledger.Date {
	if b.bank.text == "" { // the opening balance
		return b.EffectiveOn.AddDays(-1)
	}
	end := endOfJanuary
	if b.EffectiveOn.Month == 2 {
		end = endOfFebruary
	}
	if b.bank.nextMonth {
		return nextBankDay(end.AddDays(1))
	}
	day := nextBankDay(b.EffectiveOn.AddDays(b.bank.days))
	for day.After(end) || !isBankDay(day) {
		day = day.AddDays(-1)
	}
	return day
}

// file writes the month as the bank's web site gives it, with the balance after each line.
func (m bankMonth) file(name string) File {
	var buffer bytes.Buffer
	w := csv.NewWriter(&buffer)
	w.UseCRLF = true
	write := func(cells ...string) { _ = w.Write(cells) } // a buffer takes everything
	write("Booking date", "Description", "Reference", "Amount", "Currency", "Balance")
	balanceMinor := m.OpeningMinor
	for _, line := range m.Lines {
		balanceMinor += line.AmountMinor
		write(line.Date.String(), line.Text, line.Reference, ledger.FormatAmount(line.AmountMinor, "EUR"), "EUR", ledger.FormatAmount(balanceMinor, "EUR"))
	}
	w.Flush()
	return File{Name: name, Data: buffer.Bytes()}
}

// statement is the file of March for the user to upload. It does not agree with the journal everywhere.
func (m march) statement() File { return m.bank.file("nordbank-1010-2026-03.csv") }

// reserveFile is the statement of March of the VAT reserve, which agrees.
func reserveFile() File {
	transfer := bankLine{Date: ledger.MustDate("2026-03-24"), AmountMinor: 600_000, Reference: "TRF-VAT-03", Text: "OWN TRANSFER 1010"}
	return bankMonth{OpeningMinor: 2_140_000, Lines: []bankLine{transfer}}.file("nordbank-1020-2026-03.csv")
}

// exampleFile goes with four entries t1 1000, t2 2500, t3 700 and t5 90 on 1010: one amount differs, and each side lacks one.
func exampleFile() File {
	day := ledger.MustDate("2026-03-01")
	return bankMonth{Lines: []bankLine{
		{day, 1_000, "t1", "Deposit t1"}, {day, 2_450, "t2", "Deposit t2"}, {day, 300, "t4", "Deposit t4"}, {day, 90, "t5", "Deposit t5"},
	}}.file("example-1010.csv")
}

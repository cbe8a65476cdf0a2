package demobook

import (
	"fmt"

	"daybook/store/ledger"
)

// journal collects what is booked; its bookings come in the order of their days only at the end.
type journal struct {
	bookings []*booking
}

// booking is an entry with who booked it and what the bank makes of it. A reversal and its replacement name the tx id of the
// entry they are about: they are not posted but requested and approved.
type booking struct {
	ledger.Entry
	by       string
	reverses string
	replaces string
	bank     bankNote
}

// bankNote is how a posting of 1010 comes back on the bank's statement.
type bankNote struct {
	text        string
	days        int  // that the bank takes
	noReference bool // the bank does not pass it on
	nextMonth   bool // still under way when the month ends
}

func (j *journal) add(by, day, txID, description, reference string, postings ...ledger.Posting) *booking {
	return j.addOn(ledger.MustDate("2026-"+day), by, txID, description, reference, postings...)
}

func (j *journal) addOn(day ledger.Date, by, txID, description, reference string, postings ...ledger.Posting) *booking {
	b := &booking{by: by, Entry: ledger.Entry{
		TxID: txID, EffectiveOn: day, Description: description, Postings: postings, Metadata: map[string]string{"reference": reference},
	}}
	j.bookings = append(j.bookings, b)
	return b
}

// correct books the reversal of a booking and its replacement by one with other postings, both on a later day.
func (j *journal) correct(wrong *booking, day string, postings ...ledger.Posting) {
	reversal := j.add(wrong.by, day, wrong.TxID+"-rev", "Reversal of "+wrong.TxID, "", ledger.Mirror(wrong.Postings)...)
	reversal.Metadata, reversal.reverses = nil, wrong.TxID
	fix := j.add(wrong.by, day, wrong.TxID+"-fix", wrong.Description, wrong.Metadata["reference"], postings...)
	fix.replaces = wrong.TxID
}

// atBank says with which text the bank shows the booking, and after how many days.
func (b *booking) atBank(text string, days int) *booking {
	b.bank.text, b.bank.days = text, days
	return b
}

// of gives the postings of a booking to an account, added up.
func (b *booking) of(account string) int64 {
	minor := int64(0)
	for _, p := range b.Postings {
		if p.Account == account {
			minor += p.AmountMinor
		}
	}
	return minor
}

// sum adds up an account over the days from first to last.
func (j *journal) sum(account string, first, last ledger.Date) int64 {
	minor := int64(0)
	for _, b := range j.bookings {
		if !b.EffectiveOn.Before(first) && !b.EffectiveOn.After(last) {
			minor += b.of(account)
		}
	}
	return minor
}

func eur(account string, minor int64) ledger.Posting {
	return ledger.Posting{Account: account, AmountMinor: minor, Currency: "EUR"}
}

func usd(account string, minor int64) ledger.Posting {
	return ledger.Posting{Account: account, AmountMinor: minor, Currency: "USD"}
}

// move debits one account and credits another.
func move(to, from string, minor int64) []ledger.Posting {
	return []ledger.Posting{eur(to, minor), eur(from, -minor)}
}

// bought debits what was bought and the VAT on it, and credits who is paid or owed.
func bought(account, from string, netMinor int64) []ledger.Posting {
	vatMinor := vatOn(netMinor)
	return []ledger.Posting{eur(account, netMinor), eur("2210", vatMinor), eur(from, -netMinor-vatMinor)}
}

// sold debits who paid or owes, and credits the sale and the VAT in it.
func sold(to, account string, grossMinor int64) []ledger.Posting {
	netMinor := netOf(grossMinor)
	return []ledger.Posting{eur(to, grossMinor), eur(account, -netMinor), eur("2200", netMinor-grossMinor)}
}

// vatOn is 21 % of a net amount, rounded to the cent.
func vatOn(netMinor int64) int64 { return (netMinor*21 + 50) / 100 }

// netOf takes 21 % VAT out of a gross amount, rounded to the cent.
func netOf(grossMinor int64) int64 { return (grossMinor*200 + 121) / 242 }

// vatIn is the VAT in a gross amount.
func vatIn(grossMinor int64) int64 { return grossMinor - netOf(grossMinor) }

func mmdd(day ledger.Date) string { return fmt.Sprintf("%02d%02d", day.Month, day.Day) }

package recon

import "daybook/store/ledger"

// Item is one line of either side: a posting of the account or a line of the bank's statement. Amounts are seen by the
// account holder on both sides, money in positive, and stay within ±ledger.MaxAmountMinor.
type Item struct {
	ID          string // names the line and settles ties; unique on its side
	Date        ledger.Date
	AmountMinor int64
	Currency    string
	Reference   string // as it came; Match normalises it
	Text        string
	// Candidate marks a line outside the scope: it may be matched, and a line in scope with the same reference may be
	// bound to it in an amount or currency break, but it never opens a break by itself and counts in no total.
	Candidate bool
	// Correction is shared by postings that correct one another: it names the entry that was reversed, on its own postings, on those of
	// its reversal, which also has Reverses, and on those of its replacement.
	Correction string
	Reverses   bool
}

// Period is the time that the statement speaks for. Only a stated one (by the file, the form or a flag) lets Match
// call a late posting timing.
type Period struct {
	From, To ledger.Date
	Stated   bool
}

// Input is what Match works on. PairedLedger and PairedBank are lines that were matched earlier; they only serve to
// recognise a duplicate of one of them.
type Input struct {
	Currency                 string // the account's
	Ledger, Bank             []Item
	PairedLedger, PairedBank []Item
	Period                   Period
	Rules                    Rules
}

package demobook

import "daybook/store/ledger"

// reconcileFrom is the first day on which the bank was open: the opening balance of the day before is on no statement.
var reconcileFrom = newYear.AddDays(1)

func account(code, name string, kind ledger.AccountType) ledger.Account {
	return ledger.Account{Code: code, Name: name, Type: kind, Currency: "EUR"}
}

func inDollars(a ledger.Account) ledger.Account {
	a.Currency = "USD"
	return a
}

// furtherAccounts are those that March does not touch, or only among themselves.
func furtherAccounts() []ledger.Account {
	return []ledger.Account{
		inDollars(account("1030", "Bank, US dollars", ledger.Asset)),
		account("1400", "Deposits paid", ledger.Asset),
		account("1900", "Currency exchange, EUR side", ledger.Asset),
		inDollars(account("1910", "Currency exchange, USD side", ledger.Asset)),
		account("customer:ceder", "Ceder Interieur", ledger.Asset),
		account("customer:linde", "Linde & Dochters", ledger.Asset),
		account("customer:alice", "Alice Vermeer, studio card", ledger.Liability),
		account("customer:bob", "Bob Kramer, studio card", ledger.Liability),
		inDollars(account("supplier:orton", "Orton Glazes Inc", ledger.Liability)),
		account("2500", "Bank loan, kilns", ledger.Liability),
		account("4900", "Interest received", ledger.Income),
		account("revenue:fees", "Studio fees", ledger.Income),
		account("6970", "Interest paid", ledger.Expense),
	}
}

// open books the opening balances: for each account of March what it has at the end of February less what moved until then, and
// for the others what they had. The loan closes the entry.
func (j *journal) open(march march) {
	var postings []ledger.Posting
	sum := int64(0)
	for _, a := range march.accounts {
		if minor := march.opening[a.Code] - j.sum(a.Code, newYear, endOfFebruary); minor != 0 {
			postings, sum = append(postings, eur(a.Code, minor)), sum+minor
		}
	}
	const depositMinor, exchangeMinor, dollarsMinor = 631_500, 380_000, 412_000
	sum += depositMinor + exchangeMinor
	postings = append(postings, usd("1030", dollarsMinor), eur("1400", depositMinor), eur("1900", exchangeMinor), usd("1910", -dollarsMinor), eur("2500", -sum))
	j.addOn(newYear, Controller, "opening-2026", "Opening balances 2026, from the closed books of 2025", "OPENING-2026", postings...)
}

// Package ledger holds the rules of bookkeeping as pure functions: what an amount, an account, an entry and a period
// are, when an entry balances, what its reversal is, and how entries are numbered and chained. It does no I/O and
// knows no clock: dates, heads and balances are handed in by the caller.
package ledger

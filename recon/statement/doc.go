// Package statement reads a bank's file into a Statement: lines in minor units with the day the bank booked them, and
// every row that is not a line with the reason why. It is pure: bytes and hints in, no I/O and no clock.
//
// A CSV file is read in steps, each in files of its own: which format it is (format.go), its characters (encoding.go), records with
// their physical row (record.go), delimiter, header and body (dialect.go, layout.go), what each column means (column.go,
// vocabulary.go, content.go), and then, from all rows together, how dates and decimals are written (survey.go, order.go, decimal.go).
// Only then is a row read (row.go, amount.go) and the balances proved (balance.go). Where the file decides, nothing is asked; where
// it does not, the file is refused with the question, and a hint answers it.
//
// A bank's message has a reader for its format (camt.go, mt940.go, ofx.go, bai2.go), which makes parts of it: the statements of one account
// between two balances (part.go). The parts of the account are made one statement, and their balances are followed from the first to the last
// (partbalance.go).
package statement

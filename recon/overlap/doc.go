// Package overlap tells which lines of a bank's file an earlier file has brought. It is pure: what the account has and what the file says
// in, a verdict for each line out.
//
// Equal lines are counted: the second of two equal coffees is known only when two are stored. A count is right for a day that the file
// holds whole. Where a file begins or ends within a day, an equal line may be one more: there the running balances decide (balance.go),
// else the order of the lines (position.go). What neither decides counts as known, and is marked: an overlap never adds a line twice, and
// what may be missing is told.
//
// A file of another format says the same movement with other fields, so that its fingerprint is another. What no fingerprint knows is compared
// with what is stored of other formats by reference, by text, and in doubt by its amount alone (formats.go).
package overlap

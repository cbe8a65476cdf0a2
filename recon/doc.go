// Package recon holds a bank statement against the ledger: Match pairs what agrees and puts every other line of both
// sides into exactly one break, Totals and Prove say whether the whole adds up, and CanResolve says how a break may be
// settled. It does no I/O and knows no clock; the same lines give the same result in whatever order they come.
//
// The passes run from the most precise to the least, each over all lines before the next:
//
//	1 normalise references      NormaliseReference, newMatcher
//	2 equals                    equals.go
//	3 reference and amount      reference.go
//	8 an entry and its reversal reversed.go, before what follows may bind either
//	4 reference, other amount   reference.go
//	5 duplicates                duplicates.go
//	6 amount within the window  window.go, graph.go, currency.go
//	9 what is left              missing.go
//
// Batches and splits are to stand between 6 and 9.
package recon

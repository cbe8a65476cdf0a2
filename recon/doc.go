// Package recon holds a bank statement against the ledger: Match pairs what agrees and puts every other line of both
// sides into exactly one break, Totals and Prove say whether the whole adds up, and CanResolve says how a break may be
// settled. It does no I/O and knows no clock; the same lines give the same result in whatever order they come.
//
// The passes run from the most precise to the least, each over all lines before the next:
//
//	1 normalise references      NormaliseReference, newMatcher
//	7 by the reference of a batch, where lines add up   shared.go
//	2 equals                    equals.go
//	3 reference and amount      reference.go
//	8 an entry and its reversal reversed.go, before what follows may bind either
//	7 by a shared reference, or those that the bank's text names, where lines add up   shared.go, named.go
//	4 reference, other amount   reference.go
//	5 duplicates                duplicates.go
//	6 amount within the window  window.go, graph.go, texts.go, slips.go, currency.go
//	7 within the window, by sum sums.go, sumsearch.go, namesakes.go, subset.go, grids.go
//	9 what is left              missing.go
//
// Lines that name each other and add up exactly leave less doubt than two that name each other and differ, so that much of pass 7
// comes before pass 4. docs/matching.md tells each pass in words, and what it costs.
package recon

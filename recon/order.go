package recon

import (
	"cmp"
	"slices"
	"strings"
)

// sortLines puts the lines in the order of their positions: by currency and amount first, 16 bits at a time from the last on (a radix
// sort, Knuth 5.2.5), then those of one amount by comparing them. That takes a quarter of the time of comparing all.
func (m *matcher) sortLines() {
	keys := make([]sortKey, len(m.lines))
	for i := range m.lines {
		at := &m.lines[i]
		keys[i] = sortKey{uint64(at.amount) ^ 1<<63, uint16(at.currency), int32(i)}
	}
	keys = radixSort(keys)
	sorted := make([]line, len(m.lines))
	for i, key := range keys {
		sorted[i] = m.lines[key.line]
	}
	m.lines = sorted
	for start := 0; start < len(sorted); {
		end := start + 1
		for end < len(sorted) && sorted[end].amount == sorted[start].amount && sorted[end].currency == sorted[start].currency {
			end++
		}
		if end-start > 1 {
			slices.SortFunc(sorted[start:end], m.order)
		}
		start = end
	}
}

// sortKey is an amount, with its sign turned so that it sorts as an unsigned number, its currency, and the line that has them.
type sortKey struct {
	amount   uint64
	currency uint16
	line     int32
}

// digit is the n-th of the key's five digits of 16 bits, from the least on.
func (k sortKey) digit(n int) uint16 {
	if n == 4 {
		return k.currency
	}
	return uint16(k.amount >> (16 * n))
}

func radixSort(keys []sortKey) []sortKey {
	into := make([]sortKey, len(keys))
	counts := make([]int32, 1<<16)
	for n := range 5 {
		clear(counts)
		for _, key := range keys {
			counts[key.digit(n)]++
		}
		if len(keys) == 0 || int(counts[keys[0].digit(n)]) == len(keys) {
			continue // all have the same
		}
		at := int32(0)
		for digit, count := range counts {
			counts[digit], at = at, at+count
		}
		for _, key := range keys {
			digit := key.digit(n)
			into[counts[digit]] = key
			counts[digit]++
		}
		keys, into = into, keys
	}
	return keys
}

// order is that of the lines of one currency and amount.
func (m *matcher) order(a, b line) int {
	if a.day != b.day || a.side != b.side {
		return cmp.Or(cmp.Compare(a.day, b.day), cmp.Compare(a.side, b.side))
	}
	x, y := m.itemOf(&a), m.itemOf(&b)
	if x.Candidate != y.Candidate {
		if y.Candidate {
			return -1 // what would break goes first
		}
		return 1
	}
	if (x.Correction == "") != (y.Correction == "") {
		if x.Correction == "" {
			return -1 // what was corrected is not what the bank saw, while there is another
		}
		return 1
	}
	return cmp.Or(strings.Compare(x.Text, y.Text), strings.Compare(x.ID, y.ID), strings.Compare(x.Reference, y.Reference),
		cmp.Compare(a.state, b.state), cmp.Compare(a.index, b.index))
}

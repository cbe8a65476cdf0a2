package ledger

import (
	"cmp"
	"fmt"
	"slices"
)

// ChainFault is the first thing in a journal that is not as it was recorded: of entry Seq, or of the book as a whole where Seq is 0.
type ChainFault struct {
	Seq  int64
	What string
}

// Follower follows the journal of a book from its beginning, one record after the other, and says where it stops being what was
// recorded. It needs the same memory however long the journal is. Where it is to go on from is its End: of a book without entries, one
// with GenesisHash.
type Follower struct {
	End    Head
	buffer []byte
	sums   []currencySum
}

type currencySum struct {
	currency string
	Turnover
}

// Expect says when seq is not the number of the next record.
func (f *Follower) Expect(seq int64) *ChainFault {
	switch next := f.End.Seq + 1; {
	case seq < next:
		return &ChainFault{Seq: next, What: fmt.Sprintf("is not %s: one is numbered %d", nextEntry(f.End), seq)}
	case seq > next:
		return &ChainFault{Seq: next, What: fmt.Sprintf("is missing: the next one is entry %d", seq)}
	}
	return nil
}

func nextEntry(end Head) string {
	if end.Seq == 0 {
		return "the first entry"
	}
	return "the next entry"
}

// Follow holds a record against the end of the journal, and moves the end to it when there is no fault: it must be next in number,
// balance, continue the chain, not be earlier, have its hash, and link as its kind does.
func (f *Follower) Follow(r *Record) *ChainFault {
	if fault := f.Expect(r.Seq); fault != nil {
		return fault
	}
	what := f.postingsFault(r.Postings)
	if what == "" {
		what = f.chainFault(r)
	}
	if what == "" {
		what = r.linkFault()
	}
	if what != "" {
		return &ChainFault{Seq: r.Seq, What: what}
	}
	f.End = Head{Seq: r.Seq, Hash: r.Hash, RecordedAt: r.RecordedAt}
	return nil
}

func (f *Follower) postingsFault(postings []Posting) string {
	if len(postings) < 2 {
		return "has fewer than two postings"
	}
	f.sums = f.sums[:0]
	for i, p := range postings {
		sum, fits := f.sumOf(p.Currency).Add(p.AmountMinor)
		switch {
		case p.AmountMinor == 0:
			return fmt.Sprintf("line %d is of zero", i+1)
		case !fits:
			return fmt.Sprintf("line %d takes its total beyond the largest amount", i+1)
		}
		f.sumOf(p.Currency).Turnover = sum
	}
	slices.SortFunc(f.sums, func(a, b currencySum) int { return cmp.Compare(a.currency, b.currency) })
	for _, sum := range f.sums {
		if sum.BalanceMinor() != 0 {
			return fmt.Sprintf("does not balance: %s debits are %s and credits %s", sum.currency,
				FormatAmount(sum.DebitMinor, sum.currency), FormatAmount(sum.CreditMinor, sum.currency))
		}
	}
	return ""
}

// sumOf finds the sum of a currency, of which an entry has few.
func (f *Follower) sumOf(currency string) *currencySum {
	for i := range f.sums {
		if f.sums[i].currency == currency {
			return &f.sums[i]
		}
	}
	f.sums = append(f.sums, currencySum{currency: currency})
	return &f.sums[len(f.sums)-1]
}

func (f *Follower) chainFault(r *Record) string {
	switch {
	case r.PrevHash != f.End.Hash:
		return fmt.Sprintf("does not continue the chain: it was recorded after another entry than entry %d is now", f.End.Seq)
	case r.RecordedAt.Before(f.End.RecordedAt):
		return fmt.Sprintf("was recorded at %s, before entry %d", FormatInstant(r.RecordedAt), f.End.Seq)
	}
	var hash Hash
	if hash, f.buffer = r.HashIn(f.buffer); hash != r.Hash {
		return "is not what was recorded: its content does not have its hash"
	}
	return ""
}

// linkFault says what of a record's own links cannot be, whatever is at their other end.
func (r *Record) linkFault() string {
	switch {
	case (r.Kind == Reversal) != (r.Reverses != 0) || (r.Kind == Replacement) != (r.Replaces != 0):
		return fmt.Sprintf("is called %s, which does not go with what it links to", r.Kind)
	case r.Reverses < 0 || r.Reverses >= r.Seq:
		return fmt.Sprintf("reverses entry %d, which does not come before it", r.Reverses)
	case r.Replaces < 0 || r.Replaces >= r.Seq:
		return fmt.Sprintf("replaces entry %d, which does not come before it", r.Replaces)
	case (r.Kind == Reversal || r.Kind == Replacement) && r.ApprovalID == 0:
		return fmt.Sprintf("is a %s that nobody approved", r.Kind)
	}
	return ""
}

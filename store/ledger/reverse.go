package ledger

import "strconv"

// Mirror gives the postings of a reversal: the same accounts and currencies, opposite amounts, in the same order.
func Mirror(postings []Posting) []Posting {
	mirrored := make([]Posting, len(postings))
	for i, p := range postings {
		mirrored[i] = Posting{Account: p.Account, AmountMinor: -p.AmountMinor, Currency: p.Currency}
	}
	return mirrored
}

// DerivedTxID gives the tx id of an entry that comes of another: its own with a suffix and, from the second on, a number (t1-rev,
// t1-rev2). Of an id too long for that the end is cut off.
func DerivedTxID(txID, suffix string, n int) string {
	if n > 1 {
		suffix += strconv.Itoa(n)
	}
	runes := []rune(txID)
	return string(runes[:min(len(runes), maxTxIDRunes-len(suffix))]) + suffix
}

// CanReverse refuses to reverse a record that is a reversal (KindIsReversal) or has been reversed by the entry
// reversedBy (KindAlreadyReversed); 0 means that it has not.
func CanReverse(r Record, reversedBy int64) error {
	if r.Kind == Reversal {
		return Refuse(KindIsReversal, "entry %d is itself a reversal; post a new entry instead", r.Seq)
	}
	if reversedBy != 0 {
		return Refuse(KindAlreadyReversed, "entry %d is already reversed by entry %d", r.Seq, reversedBy).With("reversed_by", reversedBy)
	}
	return nil
}

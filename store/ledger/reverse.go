package ledger

// Mirror gives the postings of a reversal: the same accounts and currencies, opposite amounts, in the same order.
func Mirror(postings []Posting) []Posting {
	mirrored := make([]Posting, len(postings))
	for i, p := range postings {
		mirrored[i] = Posting{Account: p.Account, AmountMinor: -p.AmountMinor, Currency: p.Currency}
	}
	return mirrored
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

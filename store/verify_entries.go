package store

// checkEntries follows the chain to the first fault or its end, and sums the postings on the way.
func (v *verifier) checkEntries() (*Fault, error) {
	after := int64(beforeAll)
	if v.follower.End.Seq > 0 {
		after = v.follower.End.Seq
	}
	for page, err := range v.journal.pages(after) {
		if err != nil {
			return nil, err
		}
		fault := v.followPage(page.entries)
		if page.stray != nil && (fault == nil || *page.stray < fault.Seq) {
			fault = &Fault{Seq: *page.stray, What: strayPostings}
		}
		if fault != nil {
			return fault, nil
		}
	}
	return v.checkTail()
}

const strayPostings = "has postings, and there is no such entry"

func (v *verifier) followPage(entries []storedEntry) *Fault {
	for i := range entries {
		e := &entries[i]
		fault := v.follower.Expect(e.Seq)
		switch what := e.fault(); {
		case fault != nil:
		case what != "":
			return &Fault{Seq: e.Seq, What: what}
		default:
			fault = v.follower.Follow(&e.Record)
		}
		if fault != nil {
			return &Fault{Seq: fault.Seq, What: fault.What}
		}
		v.sums.add(e)
	}
	return nil
}

// checkTail looks for postings after the last entry.
func (v *verifier) checkTail() (*Fault, error) {
	faults, err := query[Fault](v.tx, `SELECT seq, ? AS what FROM postings WHERE book_id = ? AND seq > ? ORDER BY seq LIMIT 1`,
		strayPostings, v.book.ID, v.follower.End.Seq)
	if err != nil || len(faults) == 0 {
		return nil, err
	}
	return &faults[0], nil
}

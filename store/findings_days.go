package store

import (
	"daybook/recon"
	"daybook/store/ledger"
)

// What a break or a match holds never changes, so its days are worked out once and stand with it.

// earliestDay is the day of the first of what a break is about.
func (r *run) earliestDay(b recon.Break) ledger.Date {
	var day ledger.Date
	for _, i := range b.Bank {
		day = earlier(day, r.lines[i].BookedOn)
	}
	for _, i := range b.Ledger {
		day = earlier(day, r.entries[i].EffectiveOn)
	}
	return day
}

// linkEarlier puts new breaks also into the other reconciliations that have something of them inside: what was put together anew is a
// difference there as before.
func (r *run) linkEarlier(ids array[int64], since array[ledger.Date]) error {
	ends, err := query[ledger.Date](r.tx, `SELECT max(scope_to) FROM reconciliations WHERE book_id = ? AND account_id = ? AND id <> ? AND status NOT IN (?, 'undone') HAVING count(*) > 0`,
		r.actor.Book.ID, r.account.ID, r.id, ReconciliationSignedOff)
	if err != nil || len(ends) == 0 {
		return err
	}
	var inside array[int64]
	for i, id := range ids {
		if !since[i].After(ends[0]) {
			inside = append(inside, id)
		}
	}
	if len(inside) == 0 {
		return nil
	}
	return holdBreaks(r.tx, r.actor.Book, r.account.ID, inside, 0)
}

// lastOf is the last day and the last entry of the postings of a match; none where it has none.
func (r *run) lastOf(m recon.Matched) (day ledger.Date, seq *int64) {
	for _, i := range m.Ledger {
		if p := r.entries[i]; seq == nil || p.Seq > *seq {
			seq = &p.Seq
		}
		if on := r.entries[i].EffectiveOn; on.After(day) {
			day = on
		}
	}
	return day, seq
}

// span is the first and the last day of a match of several lines, none of one that is a pair: there the last of its postings tells.
func (r *run) span(m recon.Matched) (first, last ledger.Date) {
	if len(m.Ledger)+len(m.Bank) <= 2 {
		return first, last
	}
	for _, i := range m.Bank {
		first, last = earlier(first, r.lines[i].BookedOn), later(last, r.lines[i].BookedOn)
	}
	for _, i := range m.Ledger {
		first, last = earlier(first, r.entries[i].EffectiveOn), later(last, r.entries[i].EffectiveOn)
	}
	return first, last
}

// earlier gives the earlier of two days, of which the first may be none.
func earlier(a, b ledger.Date) ledger.Date {
	if a.IsZero() || b.Before(a) {
		return b
	}
	return a
}

func later(a, b ledger.Date) ledger.Date {
	if b.After(a) {
		return b
	}
	return a
}

package store

import (
	"fmt"

	"daybook/recon"
	"daybook/store/ledger"
)

// feeLimits is what keeps a difference from being booked by itself.
type feeLimits struct {
	limitMinor int64
	signedTo   ledger.Date       // the end of the last reconciliation that is submitted or signed off, zero for none
	used       map[string]feeUse // by tx id
}

// feeUse is an entry, or a request for one, that has the tx id.
type feeUse struct {
	TxID     string
	Seq      int64
	Standing bool // it books a difference, and is not reversed
}

func (r *run) loadFeeLimits(differ []int) (limits feeLimits, err error) {
	if limits.limitMinor, err = adjustmentLimit(r.tx, r.actor.Book); err != nil {
		return limits, err
	}
	ends, err := query[ledger.Date](r.tx, `SELECT scope_to FROM reconciliations WHERE book_id = ? AND account_id = ? AND status IN (?, ?) ORDER BY scope_to DESC LIMIT 1`,
		r.actor.Book.ID, r.account.ID, ReconciliationSubmitted, ReconciliationSignedOff)
	if err != nil {
		return limits, fmt.Errorf("look what is signed off: %w", err)
	}
	if len(ends) > 0 {
		limits.signedTo = ends[0]
	}
	var ids array[string]
	for _, i := range differ {
		for n := range feeTries {
			ids = append(ids, r.feeTxID(r.result.Matches[i], n+1))
		}
	}
	uses, err := query[feeUse](r.tx, `
		SELECT e.tx_id, e.seq, e.kind = ? AND NOT EXISTS (SELECT FROM entries v WHERE v.book_id = e.book_id AND v.reverses = e.seq) AS standing
		  FROM entries e WHERE e.book_id = ? AND e.tx_id = ANY(?::text[])
		UNION ALL SELECT q.tx_id, 0, false FROM reserved_tx_ids q WHERE q.book_id = ? AND q.tx_id = ANY(?::text[])`,
		ledger.Adjustment, r.actor.Book.ID, ids, r.actor.Book.ID, ids)
	if err != nil {
		return limits, fmt.Errorf("look what was booked before: %w", err)
	}
	limits.used = make(map[string]feeUse, len(uses))
	for _, use := range uses {
		limits.used[use.TxID] = use
	}
	return limits, nil
}

// feeTxID is the n-th tx id of an entry that books the difference of a match.
func (r *run) feeTxID(m recon.Matched, n int) string {
	first := r.entries[m.Ledger[0]]
	id := fmt.Sprintf("%s%d-%d", feePrefix, first.Seq, first.Line)
	if n > 1 {
		id += fmt.Sprintf("-%d", n)
	}
	return id
}

// judge gives the tx id under which a difference is booked, or why it is not.
func (l feeLimits) judge(r *run, m recon.Matched, command ledger.Command) (txID, why string) {
	money := func(minor int64) string { return ledger.GroupDigits(ledger.FormatAmount(minor, r.account.Currency)) }
	minor := max(m.DifferenceMinor, -m.DifferenceMinor)
	switch {
	case r.account.Currency != r.actor.Book.Currency:
		return "", fmt.Sprintf("not booked by itself: on an account in %s each adjusting entry needs a second person", r.account.Currency)
	case minor > l.limitMinor:
		return "", fmt.Sprintf("not booked by itself: %s is above the book's limit of %s for adjusting entries", money(minor), money(l.limitMinor))
	case !command.Entry.EffectiveOn.After(l.signedTo):
		return "", fmt.Sprintf("not booked by itself: the account is submitted or signed off up to %s", l.signedTo)
	}
	for n := range feeTries {
		txID = r.feeTxID(m, n+1)
		use, taken := l.used[txID]
		switch {
		case !taken:
			return txID, ""
		case use.Standing:
			return "", fmt.Sprintf("not booked again: entry %d books such a difference of this posting already. Match it with these by hand, or have it reversed", use.Seq)
		}
	}
	return "", fmt.Sprintf("not booked by itself: %d entries for it were reversed", feeTries)
}

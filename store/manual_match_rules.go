package store

import (
	"fmt"
	"time"

	"daybook/recon"
	"daybook/store/ledger"
)

// mayMatch refuses what cannot be one match. Errors: KindInvalid, KindAmountOverflow, KindIllegalTransition.
func (w *handwork) mayMatch(set handSet, how settlement) error {
	if err := w.areFree(set); err != nil {
		return err
	}
	if err := w.mayLeaveBreaks(set, how); err != nil {
		return err
	}
	if set.count() < 2 {
		return ledger.Refuse(ledger.KindInvalid, "a match needs at least two lines or postings").At("rows", "name what belongs together")
	}
	if how.Resolution == recon.MatchedByHand {
		for _, l := range set.lines {
			if l.Currency != w.account.Currency {
				return ledger.Refuse(ledger.KindInvalid, "%s is in %s: a match adds up in %s", w.lineName(l), l.Currency, w.account.Currency).
					At("rows", "%s is in another currency than the account", w.lineName(l))
			}
		}
	}
	ledgerMinor, bankMinor, err := w.sums(set)
	if err != nil || ledgerMinor == bankMinor {
		return err
	}
	return w.differ(set, ledgerMinor, bankMinor)
}

// sums adds up both sides in the currency of the account: a line in another one adds nothing. Error: KindAmountOverflow.
func (w *handwork) sums(set handSet) (ledgerMinor, bankMinor int64, err error) {
	ok := true
	add := func(sum *int64, minor int64) {
		if more, fits := ledger.Add(*sum, minor); fits {
			*sum = more
		} else {
			ok = false
		}
	}
	for _, p := range set.postings {
		add(&ledgerMinor, p.AmountMinor)
	}
	for _, l := range set.lines {
		if l.Currency == w.account.Currency {
			add(&bankMinor, l.AmountMinor)
		}
	}
	if _, fits := ledger.Add(ledgerMinor, -bankMinor); !fits || !ok {
		return 0, 0, ledger.Refuse(ledger.KindAmountOverflow, "these add up to more than the largest amount")
	}
	return ledgerMinor, bankMinor, nil
}

// difference is ledger less bank. Error: KindAmountOverflow.
func (w *handwork) difference(set handSet) (int64, error) {
	ledgerMinor, bankMinor, err := w.sums(set)
	return ledgerMinor - bankMinor, err
}

// differ says by how much two sides differ.
func (w *handwork) differ(set handSet, ledgerMinor, bankMinor int64) error {
	refusal := ledger.Refuse(ledger.KindInvalid, "the two sides differ by %s: the ledger's add up to %s, the bank's to %s",
		w.money(ledgerMinor-bankMinor), w.money(ledgerMinor), w.money(bankMinor))
	switch {
	case len(set.lines) == 0:
		refusal.Message = fmt.Sprintf("postings without a line of the bank must cancel: these add up to %s", w.money(ledgerMinor))
	case len(set.postings) == 0:
		refusal.Message = fmt.Sprintf("lines of the bank without a posting must cancel: these add up to %s", w.money(bankMinor))
	}
	return refusal.At("postings", "add up to %s", w.money(ledgerMinor)).At("rows", "add up to %s", w.money(bankMinor)).
		With("difference_minor", ledgerMinor-bankMinor)
}

func (w *handwork) money(minor int64) string {
	return ledger.GroupDigits(ledger.FormatAmount(minor, w.account.Currency)) + " " + w.account.Currency
}

// areFree refuses what is matched already, and says who matched it. Error: KindIllegalTransition, with the match.
func (w *handwork) areFree(set handSet) error {
	var matchID int64
	var name string
	for _, l := range set.lines {
		if l.MatchID != 0 && matchID == 0 {
			matchID, name = l.MatchID, w.lineName(l)
		}
	}
	for _, p := range set.postings {
		if p.MatchID != 0 && matchID == 0 {
			matchID, name = p.MatchID, p.String()
		}
	}
	if matchID == 0 {
		return nil
	}
	made, err := queryOne[struct {
		Name string
		At   time.Time
		Why  string
	}](w.tx, "there is no such match", `
		SELECT coalesce(u.name, '') AS name, m.made_at AS at, m.why FROM matches m LEFT JOIN users u ON u.id = m.made_by WHERE m.book_id = ? AND m.id = ?`,
		w.actor.Book.ID, matchID)
	if err != nil {
		return fmt.Errorf("look who made match %d: %w", matchID, err)
	}
	by := "the matching made: " + made.Why
	if made.Name != "" {
		by = fmt.Sprintf("%s made on %s", made.Name, atMinute(made.At))
	}
	return ledger.Refuse(ledger.KindIllegalTransition, "%s is already in match %d, which %s. Take that apart first; nothing was changed", name, matchID, by).
		With("match_id", matchID)
}

// atMinute writes an instant as people read it.
func atMinute(at time.Time) string { return at.UTC().Format("2006-01-02 15:04") + " UTC" }

// mayLeaveBreaks refuses to take from a break what another person decides about, or what was settled otherwise. Error: KindIllegalTransition.
func (w *handwork) mayLeaveBreaks(set handSet, how settlement) error {
	breaks, err := w.breaksOf(set)
	if err != nil {
		return err
	}
	for _, b := range breaks {
		whole := b.items.without(set).empty()
		switch {
		case b.Status == recon.WaitingForApproval && b.ID != how.BreakID:
			return ledger.Refuse(ledger.KindIllegalTransition, "break %d waits for request %d to be decided: nothing is taken out of it until then", b.ID, b.ApprovalID).
				With("break_id", b.ID).With("approval_id", b.ApprovalID)
		case b.Resolution == recon.NotABreak:
			return ledger.Refuse(ledger.KindIllegalTransition, "break %d was set aside as not a break: reopen it to match what it holds", b.ID).With("break_id", b.ID)
		case b.Status == recon.Resolved && !whole:
			return ledger.Refuse(ledger.KindIllegalTransition, "break %d is resolved as %q as a whole: match all of it, or reopen it first", b.ID, b.Resolution.Label()).With("break_id", b.ID)
		}
	}
	return nil
}

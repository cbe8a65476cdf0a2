package store

import (
	"errors"
	"fmt"
	"slices"

	"daybook/recon"
	"daybook/store/ledger"
)

// What the account's rules let a match differ by is booked in the transaction of the matching, so that the match adds up. Nobody approves
// these entries, so the limit of the book for adjusting entries holds for each of them: what is above it is a break, which says so.

// feePrefix begins the tx id of an entry that books such a difference; the match's first posting follows.
const feePrefix = "fee-"

// feeTries is how many entries for the same posting are looked for: each but the last was reversed.
const feeTries = 5

// bookDifferences books what matches differ by, all at once, and lets what is posted to the account join them. Those that cannot be booked
// are breaks.
func (r *run) bookDifferences() error {
	var differ []int
	for i := range r.result.Matches {
		if r.result.Matches[i].DifferenceMinor != 0 {
			differ = append(differ, i)
		}
	}
	if len(differ) == 0 {
		return nil
	}
	refused, commands, places, err := r.commandsFor(differ)
	if err != nil {
		return err
	}
	if len(commands) > 0 {
		outcomes, err := r.store.appendIn(r.tx, r.actor, commands)
		if err != nil {
			return fmt.Errorf("book what the rules allow: %w", err)
		}
		for i, outcome := range outcomes {
			if outcome.Err != nil {
				refused[places[i]] = "it could not be booked: " + faultWords(outcome.Err)
				continue
			}
			r.join(&r.result.Matches[places[i]], outcome.Record)
		}
	}
	r.breakRefused(refused)
	return r.auditBooked()
}

// commandsFor gives the entries to post and the places of their matches, and why others cannot be booked, by place.
func (r *run) commandsFor(differ []int) (refused map[int]string, commands []ledger.Command, places []int, err error) {
	refused = map[int]string{}
	limits, err := r.loadFeeLimits(differ)
	if err != nil {
		return nil, nil, nil, err
	}
	for _, i := range differ {
		m := r.result.Matches[i]
		if !r.actor.Can(RightPost) { // rules are set by one person, and what they book is posted by another
			refused[i] = "whoever runs the matching needs the right to post for it"
			continue
		}
		command := r.booking(m)
		txID, why := limits.judge(r, m, command)
		if why != "" {
			refused[i] = why
			continue
		}
		command.Entry.TxID = txID
		commands, places = append(commands, command), append(places, i)
	}
	return refused, commands, places, nil
}

// booking is the command that posts the difference of a match, on the day from which all of it is in the books and at the bank: a proof of
// before has none of it. It has the reference of what it belongs to, so that it is found with it should the match be undone.
func (r *run) booking(m recon.Matched) ledger.Command {
	what := "Difference"
	if m.IsFee() {
		what = "Bank fee"
	}
	amount := ledger.GroupDigits(ledger.FormatAmount(max(m.DifferenceMinor, -m.DifferenceMinor), r.account.Currency)) + " " + r.account.Currency
	entry := ledger.Entry{
		EffectiveOn: r.lastDayOf(m), Description: fmt.Sprintf("%s of %s that the rules of account %s allow", what, amount, r.account.Code),
		Postings: []ledger.Posting{
			{Account: r.rules.Contra(m), AmountMinor: m.DifferenceMinor, Currency: r.account.Currency},
			{Account: r.account.Code, AmountMinor: -m.DifferenceMinor, Currency: r.account.Currency},
		},
		Metadata: map[string]string{"rule": m.Rule, "rules_version": fmt.Sprint(r.rules.Version), "reconciliation": fmt.Sprint(r.id)},
	}
	if reference := r.referenceOf(m); reference != "" && ledger.CheckText("reference", reference, true) == nil {
		entry.Metadata["reference"] = reference
	}
	return ledger.Command{Kind: ledger.Adjustment, Entry: entry, RecordedBy: r.actor.UserID,
		Reason: fmt.Sprintf("%s allowed by rule %s, version %d of the rules of account %s", what, m.Rule, r.rules.Version, r.account.Code)}
}

// lastDayOf is the last day of what a match holds.
func (r *run) lastDayOf(m recon.Matched) (last ledger.Date) {
	for _, i := range m.Bank {
		last = later(last, r.lines[i].BookedOn)
	}
	for _, i := range m.Ledger {
		last = later(last, r.entries[i].EffectiveOn)
	}
	return last
}

// referenceOf is the reference of the one line of a side that has only one, the bank's before the ledger's.
func (r *run) referenceOf(m recon.Matched) string {
	if len(m.Bank) == 1 && r.lines[m.Bank[0]].Reference != "" {
		return r.lines[m.Bank[0]].Reference
	}
	if len(m.Ledger) == 1 {
		return r.entries[m.Ledger[0]].Reference
	}
	return ""
}

// join makes what an entry posted to the account part of a match. All of the match counts from now on in the open reconciliations whose days
// it is of: half of it would be no difference that any proof explains.
func (r *run) join(m *recon.Matched, record ledger.Record) {
	for i, p := range record.Postings {
		if p.Account != r.account.Code {
			continue
		}
		m.Ledger = append(slices.Clone(m.Ledger), len(r.entries))
		r.entries = append(r.entries, postingItem{Seq: record.Seq, Line: i + 1, EffectiveOn: record.EffectiveOn, AmountMinor: p.AmountMinor,
			Currency: p.Currency, Reference: record.Metadata["reference"], Description: record.Description})
		r.booked = append(r.booked, record.Seq)
		r.bookedMinor += p.AmountMinor // part of the account's turnover, which is bounded
	}
	for _, i := range m.Ledger {
		r.counted = append(r.counted, handPosting{Seq: r.entries[i].Seq, Line: r.entries[i].Line})
	}
	m.Why += fmt.Sprintf("; booked as entry %d", record.Seq)
	m.DifferenceMinor = 0
	if r.bookedBy == nil {
		r.bookedBy = map[int]int64{}
	}
	r.bookedBy[m.Bank[0]] = record.Seq
}

// bookedSeq is the entry that booked the difference of a match, nil for none.
func (r *run) bookedSeq(m recon.Matched) *int64 {
	if len(r.bookedBy) == 0 || len(m.Bank) == 0 {
		return nil
	}
	return nullable(r.bookedBy[m.Bank[0]])
}

// breakRefused makes breaks of matches whose difference cannot be booked, by their places.
func (r *run) breakRefused(refused map[int]string) {
	if len(refused) == 0 {
		return
	}
	kept := r.result.Matches[:0:0]
	for i, m := range r.result.Matches {
		why, is := refused[i]
		if !is {
			kept = append(kept, m)
			continue
		}
		r.result.Breaks = append(r.result.Breaks, recon.Break{Type: recon.AmountMismatch, Ledger: m.Ledger, Bank: m.Bank,
			DifferenceMinor: m.DifferenceMinor, Why: m.Why + "; " + why})
	}
	r.result.Matches = kept
	slices.SortStableFunc(r.result.Breaks, func(a, b recon.Break) int { return a.Type.Rank() - b.Type.Rank() })
}

// auditBooked notes what was booked, and by which rules.
func (r *run) auditBooked() error {
	if len(r.booked) == 0 {
		return nil
	}
	return r.store.audit(r.tx, r.actor, "reconciliation.booked", fmt.Sprintf("reconciliation %d", r.id), map[string]any{
		"entries": len(r.booked), "first": r.booked[0], "last": r.booked[len(r.booked)-1], "minor": r.bookedMinor, "rules_version": r.rules.Version})
}

// faultWords is what a refusal says, with its fields.
func faultWords(err error) string {
	var refusal *ledger.Error
	if !errors.As(err, &refusal) {
		return err.Error()
	}
	if len(refusal.Fields) > 0 {
		return refusal.Fields[0].Detail
	}
	return refusal.Message
}

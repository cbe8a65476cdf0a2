package store

import (
	"fmt"

	"gorm.io/gorm"

	"daybook/recon"
	"daybook/store/ledger"
)

// adjustmentSuffix is that of the tx id of an adjusting entry whose requester gave it none.
const adjustmentSuffix = "-adj"

// resolveByEntry posts an entry that makes up for the difference and matches what it posts to the account with what the break holds. An
// entry that needs a second person is asked for instead.
func (w *handwork) resolveByEntry(b Break, decision BreakResolution) error {
	if err := w.actor.Need(RightPost); err != nil {
		return err
	}
	set, err := w.setOf(b, decision.Match)
	if err != nil {
		return err
	}
	entry := *decision.Entry
	if entry.TxID == "" {
		if entry.TxID, err = adjustmentTxID(w.tx, w.actor.Book, b.ID); err != nil {
			return err
		}
	}
	neededMinor, err := w.fits(set, entry)
	if err != nil {
		return err
	}
	how := settlement{BreakID: b.ID, Resolution: decision.Resolution, ReasonCode: decision.ReasonCode, Note: decision.Note}
	waits, err := w.needsSecondPerson(set, entry, neededMinor)
	if err != nil {
		return err
	}
	if waits {
		return w.askForAdjustment(b, set, entry, how)
	}
	_, err = w.adjust(set, w.adjusting(entry, how), how)
	return err
}

// fits gives what an entry must move the account by to settle a set, if it does. Error: KindInvalid, with how much is missing.
func (w *handwork) fits(set handSet, entry ledger.Entry) (neededMinor int64, err error) {
	differenceMinor, err := w.difference(set)
	if err != nil {
		return 0, err
	}
	var movedMinor int64
	for i, p := range entry.Postings {
		if p.Account != w.account.Code {
			continue
		}
		var ok bool
		if movedMinor, ok = ledger.Add(movedMinor, p.AmountMinor); !ok {
			return 0, ledger.Refuse(ledger.KindAmountOverflow, "the postings add up to more than the largest amount").
				At(fmt.Sprintf("entry.postings[%d].amount", i), "takes the sum beyond the largest amount")
		}
	}
	switch neededMinor = -differenceMinor; {
	case neededMinor == 0:
		return 0, ledger.Refuse(ledger.KindInvalid, "there is no difference that an entry could settle").At("entry", "would make one: match the lines without it")
	case movedMinor != neededMinor:
		return 0, ledger.Refuse(ledger.KindInvalid, "the entry moves account %s by %s; to settle the break it must move it by %s", w.account.Code, w.money(movedMinor), w.money(neededMinor)).
			At("entry.postings", "move account %s by %s, not by %s", w.account.Code, w.money(movedMinor), w.money(neededMinor)).With("needed_minor", neededMinor)
	}
	return neededMinor, nil
}

// needsSecondPerson is waitsForSecondPerson for an entry that settles a set, of all that it moves: what it moves between other accounts, or to and fro on
// this one, counts as well.
func (w *handwork) needsSecondPerson(set handSet, entry ledger.Entry, neededMinor int64) (bool, error) {
	limit, err := adjustmentLimit(w.tx, w.actor.Book)
	debitsMinor, currency := int64(0), w.account.Currency
	for _, p := range entry.Postings {
		var fits bool
		if debitsMinor, fits = ledger.Add(debitsMinor, max(p.AmountMinor, 0)); !fits {
			debitsMinor = ledger.MaxAmountMinor
		}
		if p.Currency != w.account.Currency {
			currency = p.Currency
		}
	}
	return waitsForSecondPerson(w.actor.Book, len(set.postings) > 0, currency, max(neededMinor, -neededMinor, debitsMinor), limit), err
}

// adjustmentTxID is the tx id of an entry for a break whose requester gave it none.
func adjustmentTxID(tx *gorm.DB, book Book, id int64) (string, error) {
	return freeTxID(tx, book, fmt.Sprintf("break-%d", id), adjustmentSuffix)
}

// adjusting is the command that posts an adjusting entry.
func (w *handwork) adjusting(entry ledger.Entry, how settlement) ledger.Command {
	return ledger.Command{Kind: ledger.Adjustment, Entry: entry, Reason: how.reason(), ApprovalID: how.ApprovalID, RecordedBy: w.actor.UserID}
}

// reason says in words why an entry is posted.
func (h settlement) reason() string {
	if h.Note == "" {
		return h.ReasonCode.Label()
	}
	return h.ReasonCode.Label() + ": " + h.Note
}

// adjust posts an entry, and matches what it posts to the account with a set. It gives the entry's seq.
func (w *handwork) adjust(set handSet, command ledger.Command, how settlement) (int64, error) {
	outcomes, err := w.store.appendIn(w.tx, w.actor, []ledger.Command{command})
	if err != nil {
		return 0, err
	}
	if err := outcomes[0].Err; err != nil {
		return 0, within("entry", err)
	}
	record := outcomes[0].Record
	for i, p := range record.Postings {
		if p.Account == w.account.Code {
			set.postings = append(set.postings, handPosting{Seq: record.Seq, Line: i + 1, AccountID: w.account.ID, EffectiveOn: record.EffectiveOn,
				AmountMinor: p.AmountMinor, Currency: p.Currency})
		}
	}
	how.Seq = record.Seq
	made := madeMatch{kind: recon.KindManual, rule: "adjustment", why: fmt.Sprintf("settled by entry %d, %s", record.Seq, how.reason()), note: how.Note}
	_, err = w.match(set.byDay(), made, how)
	return record.Seq, err
}

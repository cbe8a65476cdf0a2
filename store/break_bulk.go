package store

import (
	"context"
	"errors"
	"fmt"

	"gorm.io/gorm"

	"daybook/recon"
	"daybook/store/ledger"
)

// SeenBreak is a break as a person saw it: Version is its version then, 0 where that is not said.
type SeenBreak struct {
	ID      int64 `json:"id"`
	Version int   `json:"version,omitempty"`
}

// BulkResolution is one decision about many breaks. Contra is, for adjusted and written_off, the account that takes the other side of an
// entry for each, dated On or, without it, as the break is.
type BulkResolution struct {
	Resolution recon.Resolution
	ReasonCode recon.Reason
	Note       string
	Contra     string
	On         ledger.Date
	// Description and Reference are those of each entry; without a description it names the reason and the break. Entry, where there is one, is posted
	// as it stands for the break EntryOf: it was previewed.
	Description, Reference string
	Entry                  *ledger.Entry
	EntryOf                int64
}

// content is what an idempotency key is held against, with what it is about.
func (d BulkResolution) content(about string, choice any) map[string]any {
	content := map[string]any{about: choice, "resolution": d.Resolution, "reason_code": d.ReasonCode, "note": d.Note, "contra": d.Contra, "on": d.On,
		"description": d.Description, "reference": d.Reference, "entry_of": d.EntryOf}
	if d.Entry != nil {
		content["entry"] = ledger.EntryFields(*d.Entry)
	}
	return content
}

// BreakOutcome is what became of one of many breaks: how it stands now or, with Kind, Message and Fields of the refusal, why it was left as it
// was. Had says that somebody had been assigned to it before.
type BreakOutcome struct {
	ID         int64
	Version    int
	Status     recon.Status
	Resolution recon.Resolution
	ApprovalID int64
	Had        bool
	Kind       ledger.Kind
	Message    string
	Fields     []ledger.FieldError
}

// maxBreaksAtOnce bounds what one decision is about, maxEntriesAtOnce one that posts an entry for each: nobody else posts meanwhile.
const (
	maxBreaksAtOnce  = 1000
	maxEntriesAtOnce = 200
)

// bounded refuses more entries at once than others may wait for. Error: KindInvalid.
func (d BulkResolution) bounded(breaks int) error {
	if d.Contra == "" || breaks <= maxEntriesAtOnce {
		return nil
	}
	return ledger.Refuse(ledger.KindInvalid, "an entry is posted for each break: choose at most %d at once, not %d", maxEntriesAtOnce, breaks).
		At("breaks", "are %d: narrow the filter, or decide them page by page", breaks)
}

// ResolveBreaks resolves many breaks of a reconciliation by one decision, in one transaction and under one key. A break that it cannot
// resolve, as one that another person changed since it was seen, is left as it is and told; the others are resolved all the same. Errors:
// KindForbidden, KindNotFound, KindInvalid, KindIllegalTransition where the reconciliation is not open, KindKeyReused.
func (s *Store) ResolveBreaks(ctx context.Context, actor Actor, key string, reconciliationID int64, breaks []SeenBreak, decision BulkResolution) ([]BreakOutcome, bool, error) {
	if err := decision.bounded(len(breaks)); err != nil {
		return nil, false, err
	}
	return s.workOnBreaks(ctx, actor, key, "breaks-resolve", decision.content("breaks", breaks), reconciliationID, BreakChoice{Breaks: breaks}, func(w *handwork, b Break, seen SeenBreak) error {
		return w.resolve(b, decision.of(b, seen))
	})
}

// ReopenBreaks is ReopenBreak for many, which are left as ResolveBreaks leaves them.
func (s *Store) ReopenBreaks(ctx context.Context, actor Actor, key string, reconciliationID int64, breaks []SeenBreak, note string) ([]BreakOutcome, bool, error) {
	content := map[string]any{"breaks": breaks, "note": note}
	return s.workOnBreaks(ctx, actor, key, "breaks-reopen", content, reconciliationID, BreakChoice{Breaks: breaks}, func(w *handwork, b Break, seen SeenBreak) error {
		if err := w.isAsSeen(b, seen.Version); err != nil {
			return err
		}
		return w.reopen(b, note)
	})
}

// of is the decision about one of the breaks.
func (d BulkResolution) of(b Break, seen SeenBreak) BreakResolution {
	one := BreakResolution{Resolution: d.Resolution, ReasonCode: d.ReasonCode, Note: d.Note, Version: seen.Version}
	if d.Contra == "" {
		return one
	}
	if d.Entry != nil && d.EntryOf == b.ID {
		one.Entry = d.Entry
		return one
	}
	on := d.On
	if on.IsZero() {
		on = b.EarliestDay()
	}
	description := d.Description
	if description == "" {
		description = fmt.Sprintf("%s, break %d", d.ReasonCode.Label(), b.ID)
	}
	one.Entry = &ledger.Entry{EffectiveOn: on, Description: description, Postings: []ledger.Posting{
		{Account: b.Account, AmountMinor: -b.DifferenceMinor, Currency: b.Currency}, {Account: d.Contra, AmountMinor: b.DifferenceMinor, Currency: b.Currency},
	}}
	if d.Reference != "" {
		one.Entry.Metadata = map[string]string{"reference": d.Reference}
	}
	return one
}

func (s *Store) workOnBreaks(ctx context.Context, actor Actor, key, operation string, content any, reconciliationID int64, choice BreakChoice,
	act func(w *handwork, b Break, seen SeenBreak) error) (outcomes []BreakOutcome, duplicate bool, err error) {
	if err := actor.Need(RightResolve); err != nil {
		return nil, false, err
	}
	if err := choice.check(); err != nil {
		return nil, false, err
	}
	err = s.inTx(ctx, func(tx *gorm.DB) error {
		outcomes, duplicate, err = once(s, tx, actor, key, operation, content, func() ([]BreakOutcome, error) {
			w, err := s.beginHandwork(tx, actor, reconciliationID)
			if err != nil {
				return nil, err
			}
			if w.home.Status == ReconciliationSignedOff {
				return nil, notOpen(w.home.ID, w.home.Status)
			}
			breaks, err := choice.breaks(tx, actor, reconciliationID)
			if err != nil {
				return nil, err
			}
			all := make([]BreakOutcome, len(breaks))
			for i, seen := range breaks {
				if all[i], err = w.workOnOne(seen, act); err != nil {
					return nil, err
				}
			}
			return all, nil
		})
		return err
	})
	return outcomes, duplicate, err
}

// workOnOne works on one of many breaks in a part of the transaction that is taken back where it is refused.
func (w *handwork) workOnOne(seen SeenBreak, act func(w *handwork, b Break, seen SeenBreak) error) (BreakOutcome, error) {
	outcome := BreakOutcome{ID: seen.ID}
	err := w.tx.Transaction(func(part *gorm.DB) error {
		one := *w
		one.tx = part
		held, err := query[int64](part, `SELECT break_id FROM reconciliation_breaks WHERE book_id = ? AND reconciliation_id = ? AND break_id = ?`, w.actor.Book.ID, w.home.ID, seen.ID)
		if err != nil {
			return err
		}
		if len(held) == 0 {
			return ledger.Refuse(ledger.KindNotFound, "reconciliation %d has no break %d", w.home.ID, seen.ID)
		}
		b, err := loadBreak(part, w.actor.Book, seen.ID)
		if err != nil {
			return err
		}
		outcome.Had = b.Assignee != ""
		if err := act(&one, b, seen); err != nil {
			return err
		}
		b, err = loadBreak(part, w.actor.Book, seen.ID)
		outcome.Version, outcome.Status, outcome.Resolution, outcome.ApprovalID = b.Version, b.Status, b.Resolution, b.ApprovalID
		return err
	})
	var refusal *ledger.Error
	if errors.As(translate(err), &refusal) && refusal.Kind != ledger.KindBusy && refusal.Kind != ledger.KindInternal {
		outcome.Kind, outcome.Message, outcome.Fields = refusal.Kind, refusal.Message, refusal.Fields
		return outcome, nil
	}
	return outcome, err
}

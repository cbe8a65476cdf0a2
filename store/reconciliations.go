package store

import (
	"context"
	"time"

	"gorm.io/gorm"

	"daybook/recon"
	"daybook/store/ledger"
)

// Reconciliation is one account's statement held against the journal, with the state its breaks are in now or, once it is signed off, were
// in then. Counts are of the
// breaks it holds by type; Totals are of the postings and lines in its matches and breaks that are in the account's currency, and
// Postings and Lines count them.
type Reconciliation struct {
	ID            int64
	Account       ledger.Account
	Status        string // one of ReconciliationOpen, ReconciliationSubmitted and ReconciliationSignedOff
	Version       int    // which begins with 1; reopening what was signed off begins the next
	ScopeFrom     ledger.Date
	ScopeTo       ledger.Date
	PeriodStated  bool
	LedgerSeq     int64 // the head of the journal when it was last matched
	RulesVersion  int   // of the account's rules that it was last matched by
	BalanceSource recon.BalanceSource
	CreatedAt     time.Time
	Statement     Statement
	Continuity    *Continuity    // nil for the account's first statement; in Reconciliation only
	Early         *EarlyPostings // nil for none, or where open breaks are all that is unexplained; in Reconciliation only, and not of one that is signed off
	Undo          *Undo          // of one whose import was undone
	Latest        bool           // no later reconciliation of the account: matching can be run again
	NewestID      int64          // the latest of the account
	Unmatched     int            // postings of the account, within the time that its matching looks at, that came since; in Reconciliation only
	Matches       int
	Counts        map[recon.BreakType]int
	Breaks        []BreakSum
	OpenBreaks    int
	Totals        recon.Totals
	Postings      int
	Lines         int
	Proof         recon.Proof
	Steps         []ReconciliationStep // how it was submitted, signed and reopened, oldest first; in Reconciliation only
}

// BreakSum counts the breaks of a reconciliation that are of one type, status, resolution and sign, and adds up their differences.
type BreakSum struct {
	Type            recon.BreakType
	Status          recon.Status
	Resolution      recon.Resolution // "" while they are not resolved
	Breaks          int
	DifferenceMinor int64
}

// outsideBreaks reports whether the proof leaves something unexplained that no open break holds.
func (r Reconciliation) outsideBreaks() bool {
	openMinor := int64(0)
	for _, sum := range r.Breaks {
		if StandingOf(sum.Status, sum.Resolution) == StandsOpen {
			var fits bool
			if openMinor, fits = ledger.Add(openMinor, sum.DifferenceMinor); !fits {
				return true
			}
		}
	}
	return openMinor != r.Proof.UnexplainedMinor
}

// Reconciliation gives one reconciliation of the actor's book. Error: KindNotFound.
func (s *Store) Reconciliation(ctx context.Context, actor Actor, id int64) (Reconciliation, error) {
	if err := actor.Need(RightRead); err != nil {
		return Reconciliation{}, err
	}
	var items []Reconciliation
	err := s.inSnapshot(ctx, func(tx *gorm.DB) (err error) {
		if items, err = loadReconciliations(tx, actor.Book, `r.id = ?`, id); err != nil || len(items) == 0 {
			return err
		}
		if items[0].Continuity, err = loadContinuity(tx, actor.Book, items[0].Statement.ID); err != nil {
			return err
		}
		if items[0].Undo, err = loadUndo(tx, actor.Book, items[0].Statement.ID, id); err != nil {
			return err
		}
		if items[0].Status != ReconciliationSignedOff && items[0].outsideBreaks() {
			if items[0].Early, err = loadEarly(tx, actor.Book, id, items[0].Account); err != nil {
				return err
			}
		}
		if items[0].Steps, err = loadSteps(tx, actor.Book, id); err != nil || !items[0].Latest {
			return err
		}
		since, err := postingsSince(tx, actor.Book, id)
		items[0].Unmatched = since[id]
		return err
	})
	if err == nil && len(items) == 0 {
		err = noReconciliation(actor.Book, id)
	}
	if err != nil {
		return Reconciliation{}, err
	}
	return items[0], nil
}

func noReconciliation(book Book, id int64) error {
	return ledger.Refuse(ledger.KindNotFound, "book %s has no reconciliation %d", book.Code, id)
}

// Reconciliations lists the reconciliations of the actor's book, newest first, before an id (0: from the newest), each whole.
func (s *Store) Reconciliations(ctx context.Context, actor Actor, before int64, limit int) (items []Reconciliation, more bool, err error) {
	if err := actor.Need(RightRead); err != nil {
		return nil, false, err
	}
	limit = min(pageSize(limit), 100)
	err = s.inSnapshot(ctx, func(tx *gorm.DB) (err error) {
		if items, err = loadReconciliations(tx, actor.Book, `(? = 0 OR r.id < ?) ORDER BY r.id DESC LIMIT ?`, before, before, limit+1); err != nil {
			return err
		}
		return addUndos(tx, actor.Book, items)
	})
	if more = len(items) > limit; more {
		items = items[:limit]
	}
	return items, more, err
}

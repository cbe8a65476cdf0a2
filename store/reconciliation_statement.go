package store

import (
	"context"
	"fmt"
	"time"

	"gorm.io/gorm"

	"daybook/recon"
	"daybook/store/ledger"
)

// ReconciliationStatement is a bank reconciliation statement: all that leads from the balance per ledger to the balance per statement, and
// who stands for it. Of a signed version it is what was kept when it was signed.
type ReconciliationStatement struct {
	signedHead
	Status      string // of the version that it is of
	UploadedBy  string
	UploadedAt  time.Time
	Kinds       []MatchCount
	Explained   []ExplainedItem
	Breaks      []StatementBreak
	Adjustments []Adjustment
	// Current is the reconciliation's version now; Signed are the versions that were signed off, oldest first.
	Current int
	Signed  []int
	Steps   []ReconciliationStep // up to its signing, of a signed version
}

// ExplainedItem is one thing that a proof takes into account besides both balances. Part says which sum it is in.
type ExplainedItem struct {
	N           int
	Part        ExplainedPart
	AmountMinor int64 // as the proof has it: ledger - bank
	BreakID     int64 // 0 for what is matched, across the period's end
	Since       ledger.Date
	Ledger      []PostingSide
	Bank        []LineSide
}

// ExplainedPart is a sum of the proof.
type ExplainedPart string

// The parts of a proof.
const (
	PartOutstanding ExplainedPart = "outstanding"
	PartInTransit   ExplainedPart = "in_transit"
	PartOther       ExplainedPart = "other"
)

// StatementBreak is a break with the end that it came to. Since is the day of its earliest line or posting.
type StatementBreak struct {
	Break
	Since      ledger.Date
	ReasonCode recon.Reason
	Note       string
	ResolvedBy string // "" where a rule did, and while it is open
	ResolvedAt time.Time
}

// Adjustment is the posting of an entry that settled breaks.
type Adjustment struct {
	PostingSide
	RecordedBy string
	Breaks     []int64
}

// ReconciliationStatement gives the bank reconciliation statement of a reconciliation as it is now, or of a version that was signed off.
// Error: KindNotFound.
func (s *Store) ReconciliationStatement(ctx context.Context, actor Actor, id int64, version int) (statement ReconciliationStatement, err error) {
	if err := actor.Need(RightRead); err != nil {
		return ReconciliationStatement{}, err
	}
	err = s.inSnapshot(ctx, func(tx *gorm.DB) error {
		r, err := loadWithSteps(tx, actor.Book, id)
		if err != nil {
			return err
		}
		switch {
		case version == 0 && r.Status == ReconciliationSignedOff:
			version = r.Version
		case version == 0 && r.Status == ReconciliationUndone:
			return ledger.Refuse(ledger.KindNotFound, "reconciliation %d was undone with its import: it has no statement", id)
		}
		load := statementLoad{tx: tx, book: actor.Book, id: id, version: version}
		statement = ReconciliationStatement{Status: r.Status, Current: r.Version, Steps: r.Steps}
		if version != 0 {
			statement.Status, statement.Steps = ReconciliationSignedOff, stepsUpTo(r.Steps, version)
		}
		if statement.signedHead, err = load.head(r); err != nil {
			return err
		}
		for _, part := range []func(*ReconciliationStatement) error{load.upload, load.versions, load.kinds, load.breaks, load.explained, load.adjustments} {
			if err := part(&statement); err != nil {
				return fmt.Errorf("read the statement of reconciliation %d: %w", id, err)
			}
		}
		return statement.checkSums()
	})
	return statement, err
}

// stepsUpTo are the steps up to the one that signed a version.
func stepsUpTo(steps []ReconciliationStep, version int) []ReconciliationStep {
	for i, step := range steps {
		if step.Event == StepSignedOff && step.Version == version {
			return steps[:i+1]
		}
	}
	return steps
}

// checkSums makes sure that what is listed is what the proof adds up to. Sums wrap around, so that only their ends count.
func (s ReconciliationStatement) checkSums() error {
	sums := map[ExplainedPart]int64{}
	for _, item := range s.Explained {
		sums[item.Part] += item.AmountMinor
	}
	for part, minor := range map[ExplainedPart]int64{PartOutstanding: s.Proof.OutstandingMinor, PartInTransit: s.Proof.InTransitMinor, PartOther: s.Proof.OtherExplainedMinor} {
		if sums[part] != minor {
			return fmt.Errorf("of reconciliation %d the %s items add up to %d, and the proof has %d", s.ReconciliationID, part, sums[part], minor)
		}
	}
	return nil
}

// PerMille is the share of the bank's lines that a rule matched, of a thousand and rounded down: all of them are 1000, and nothing else is; ok is false where there is no line.
func (s ReconciliationStatement) PerMille() (share int, ok bool) {
	if s.AllLines == 0 {
		return 0, false
	}
	return s.AutoLines * 1000 / s.AllLines, true
}

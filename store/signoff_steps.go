package store

import (
	"context"
	"fmt"
	"strings"

	"gorm.io/gorm"

	"daybook/recon"
	"daybook/store/ledger"
)

// MayReopenReconciliations refuses, as KindForbidden, who may neither prepare nor sign off reconciliations.
func (a Actor) MayReopenReconciliations() error {
	if a.Can(RightDecide) {
		return nil
	}
	return a.Need(RightResolve)
}

// MaySignOff refuses a sign-off that is not the actor's to give: KindOwnRequest for what the actor submitted, KindForbidden without the
// right, and where one pair of hands may have both submitted and signed. Error also: KindNotFound.
func (s *Store) MaySignOff(ctx context.Context, actor Actor, id int64) error {
	if err := actor.Need(RightRead); err != nil {
		return err
	}
	db := s.db.WithContext(ctx)
	rows, err := queryReconciliations(db, actor.Book, `r.id = ?`, id)
	if err != nil {
		return err
	}
	if len(rows) == 0 {
		return noReconciliation(actor.Book, id)
	}
	steps, err := loadSteps(db, actor.Book, id)
	if err != nil {
		return err
	}
	return actor.maySign(db, Reconciliation{ID: id, Status: rows[0].Status, Version: rows[0].Version, Steps: steps})
}

func (a Actor) maySign(tx *gorm.DB, r Reconciliation) error {
	submitted := r.Step(StepSubmitted)
	if r.Status != ReconciliationSubmitted || submitted == nil {
		return a.Need(RightDecide)
	}
	if submitted.UserID == a.UserID {
		return ledger.Refuse(ledger.KindOwnRequest, "you submitted this; another person must sign off reconciliation %d", r.ID)
	}
	if err := a.Need(RightDecide); err != nil {
		return err
	}
	from, err := queryOne[struct{ PasswordFrom int64 }](tx, "the user is gone", `SELECT coalesce(`+
		passwordFrom("u", "CAST(? AS timestamptz) - CAST('"+givenFor.String()+"' AS interval)")+`, 0) AS password_from FROM users u WHERE u.id = ?`, submitted.At, submitted.UserID)
	if err != nil {
		return fmt.Errorf("look who made the password of user %d: %w", submitted.UserID, err)
	}
	return a.otherHandsThan(submitted.UserID, submitted.User, from.PasswordFrom, fmt.Sprintf("sign off reconciliation %d", r.ID))
}

// Step gives the last step of a kind in the version of now, nil where there is none.
func (r Reconciliation) Step(event string) *ReconciliationStep {
	for i := len(r.Steps) - 1; i >= 0; i-- {
		if r.Steps[i].Event == event && r.Steps[i].Version == r.Version {
			return &r.Steps[i]
		}
	}
	return nil
}

// lastHash is that of what was submitted last.
func lastHash(r Reconciliation) ledger.Hash {
	if step := r.Step(StepSubmitted); step != nil {
		return step.ContentHash
	}
	return ledger.Hash{}
}

// alreadyPast tells who comes second what the first has done.
func alreadyPast(r Reconciliation) error {
	done, event := "submitted", StepSubmitted
	if r.Status == ReconciliationSignedOff {
		done, event = "signed off", StepSignedOff
	}
	refusal := ledger.Refuse(ledger.KindIllegalTransition, "reconciliation %d is %s already", r.ID, done)
	if step := r.Step(event); step != nil {
		refusal.Message += fmt.Sprintf(", by %s on %s", step.User, step.At.UTC().Format("2006-01-02 15:04"))
	}
	return refusal.With("status", r.Status)
}

// unexplainedWords says what keeps a reconciliation from being explained: "12.50 EUR is unexplained, and 2 breaks are open: 1 amount differs
// (10.00), 1 missing in ledger (2.50)".
func unexplainedWords(r Reconciliation) string {
	open := map[recon.BreakType]BreakSum{}
	for _, sum := range r.Breaks {
		if sum.Status == recon.Resolved {
			continue
		}
		total := open[sum.Type]
		total.Breaks += sum.Breaks
		total.DifferenceMinor, _ = ledger.Add(total.DifferenceMinor, sum.DifferenceMinor)
		open[sum.Type] = total
	}
	var kinds []string
	for _, t := range recon.BreakTypes() {
		if sum, found := open[t]; found {
			kinds = append(kinds, fmt.Sprintf("%d %s (%s)", sum.Breaks, strings.ToLower(t.Label()), plainAmount(sum.DifferenceMinor, r.Account.Currency)))
		}
	}
	words := amountWords(r.Proof.UnexplainedMinor, r.Account.Currency) + " is unexplained"
	switch {
	case r.OpenBreaks == 1:
		words += ", and 1 break is open: "
	case r.OpenBreaks > 1:
		words += fmt.Sprintf(", and %d breaks are open: ", r.OpenBreaks)
	default:
		words += ", and no break is open: the difference is outside the rows held against each other, most likely in the opening balance"
	}
	return words + strings.Join(kinds, ", ")
}

func plainAmount(minor int64, currency string) string {
	return ledger.GroupDigits(ledger.FormatAmount(minor, currency))
}

func amountWords(minor int64, currency string) string {
	return plainAmount(minor, currency) + " " + currency
}

func (s *Store) insertStep(tx *gorm.DB, actor Actor, r Reconciliation, event, reason string, content ledger.Hash) error {
	if _, err := exec(tx, `
		INSERT INTO reconciliation_events (book_id, reconciliation_id, n, event, version, reason, unexplained_minor, open_breaks, content_hash, user_id, at)
		VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
		actor.Book.ID, r.ID, len(r.Steps)+1, event, r.Version, reason, r.Proof.UnexplainedMinor, r.OpenBreaks, content, actor.UserID, s.now()); err != nil {
		return fmt.Errorf("note that reconciliation %d is %s: %w", r.ID, event, err)
	}
	detail := map[string]any{"version": r.Version, "unexplained_minor": r.Proof.UnexplainedMinor}
	if reason != "" {
		detail["reason"] = reason
	}
	return s.audit(tx, actor, "reconciliation."+event, fmt.Sprintf("reconciliation %d", r.ID), detail)
}

func loadSteps(db *gorm.DB, book Book, id int64) ([]ReconciliationStep, error) {
	steps, err := query[ReconciliationStep](db, `
		SELECT e.n, e.event, e.version, e.reason, e.unexplained_minor, e.open_breaks, e.content_hash, e.user_id, u.name AS user, e.at
		  FROM reconciliation_events e JOIN users u ON u.id = e.user_id WHERE e.book_id = ? AND e.reconciliation_id = ? ORDER BY e.n`, book.ID, id)
	if err != nil {
		return nil, fmt.Errorf("read the steps of reconciliation %d: %w", id, err)
	}
	for i := range steps {
		steps[i].At = steps[i].At.UTC()
	}
	return steps, nil
}

func loadWithSteps(tx *gorm.DB, book Book, id int64) (Reconciliation, error) {
	items, err := loadReconciliations(tx, book, `r.id = ?`, id)
	if err != nil {
		return Reconciliation{}, err
	}
	if len(items) == 0 {
		return Reconciliation{}, noReconciliation(book, id)
	}
	items[0].Steps, err = loadSteps(tx, book, id)
	return items[0], err
}

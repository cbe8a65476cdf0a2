package store

import (
	"context"
	"errors"

	"gorm.io/gorm"
)

// Settling is what an entry for a break would lead to: it waits for another person, or is posted at once. LimitMinor is the limit of the
// book, Limited says that the limit is what decides.
type Settling struct {
	Waits      bool
	Limited    bool
	LimitMinor int64
}

// SettlingOf says whether an entry that settles a break as it is would wait for another person.
func (s *Store) SettlingOf(ctx context.Context, actor Actor, b Break) (Settling, error) {
	if err := actor.Need(RightRead); err != nil {
		return Settling{}, err
	}
	limit, err := adjustmentLimit(s.db.WithContext(ctx), actor.Book)
	how := Settling{LimitMinor: limit, Limited: len(b.Ledger) > 0 && b.Currency == actor.Book.Currency}
	how.Waits = waitsForSecondPerson(actor.Book, len(b.Ledger) > 0, b.Currency, b.DifferenceMinor, limit)
	return how, err
}

// errTakenBack ends the transaction of a preview.
var errTakenBack = errors.New("a preview is taken back")

// PreviewResolution resolves a break and takes it back: it gives how the break would then stand. Errors: those of ResolveBreak.
func (s *Store) PreviewResolution(ctx context.Context, actor Actor, id int64, decision BreakResolution) (would Break, err error) {
	if err := actor.Need(RightResolve); err != nil {
		return Break{}, err
	}
	err = s.inTx(ctx, func(tx *gorm.DB) error {
		w, err := s.beginBreakwork(tx, actor, id)
		if err != nil {
			return err
		}
		b, err := loadBreak(tx, actor.Book, id)
		if err != nil {
			return err
		}
		if err := w.resolve(b, decision); err != nil {
			return err
		}
		if would, err = loadBreak(tx, actor.Book, id); err != nil {
			return err
		}
		return errTakenBack
	})
	if errors.Is(err, errTakenBack) {
		err = nil
	}
	return would, err
}

// FreeTxIDOf is the tx id that an entry for a break gets which names none, as the book stands now.
func (s *Store) FreeTxIDOf(ctx context.Context, actor Actor, id int64) (string, error) {
	if err := actor.Need(RightRead); err != nil {
		return "", err
	}
	return adjustmentTxID(s.db.WithContext(ctx), actor.Book, id)
}

// waitsForSecondPerson reports whether an adjusting entry waits for another person: one of more than the limit of the book, in another
// currency than the book's, for which there is no limit, or in the place of an entry that the ledger lacks.
func waitsForSecondPerson(book Book, inLedger bool, currency string, neededMinor, limitMinor int64) bool {
	return !inLedger || currency != book.Currency || max(neededMinor, -neededMinor) > limitMinor
}

// Assignee is a person who may resolve breaks.
type Assignee struct{ Email, Name string }

// Assignees lists who may resolve the breaks of the actor's book, by name.
func (s *Store) Assignees(ctx context.Context, actor Actor) ([]Assignee, error) {
	if err := actor.Need(RightRead); err != nil {
		return nil, err
	}
	return query[Assignee](s.db.WithContext(ctx), `
		SELECT u.email, u.name FROM users u
		 WHERE u.disabled_at IS NULL AND EXISTS (SELECT FROM user_roles r WHERE r.book_id = ? AND r.user_id = u.id AND r.role = ANY(?::text[]))
		 ORDER BY u.name, u.id LIMIT ?`, actor.Book.ID, rolesWith(RightResolve), MaxPage)
}

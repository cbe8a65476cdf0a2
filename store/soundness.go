package store

import (
	"context"
	"fmt"
	"log/slog"
	"sync"
	"time"

	"gorm.io/gorm"
)

// Soundness says how far a book is known to be what was recorded: what can be seen at once, now, and what the last verification by
// this server found.
type Soundness struct {
	Head int64
	// Missing is how many of the numbers up to the head no entry has.
	Missing int64
	// Currencies are those with postings; Differing are those of them whose kept debits and credits are not equal.
	Currencies []string
	Differing  []string
	// Last is nil before the first verification.
	Last *Verified
}

// Verified is a verification, when it began, and the guards of the database that were off then. WholeAt is when every entry was read: by
// this one, or by the one that it went on from.
type Verified struct {
	Verification
	At        time.Time
	WholeAt   time.Time
	GuardsOff []string

	progress progress
}

// Soundness looks at the actor's book. What was verified is not counted again. Error: KindForbidden.
func (s *Store) Soundness(ctx context.Context, actor Actor) (Soundness, error) {
	if err := actor.Need(RightRead); err != nil {
		return Soundness{}, err
	}
	found := Soundness{Last: s.verified.of(actor.Book.ID)}
	err := s.inSnapshot(ctx, func(tx *gorm.DB) error {
		if err := found.countEntries(tx, actor.Book); err != nil {
			return err
		}
		return found.compareTotals(tx, actor.Book)
	})
	if err != nil {
		return Soundness{}, fmt.Errorf("look at book %s: %w", actor.Book.Code, err)
	}
	return found, nil
}

// countEntries counts from where the chain was followed to.
func (f *Soundness) countEntries(tx *gorm.DB, book Book) error {
	var followed int64
	if f.Last != nil {
		followed = f.Last.Entries
	}
	row, err := queryOne[struct{ Head, Later int64 }](tx, "the book has no head", `
		SELECT h.seq AS head, (SELECT count(*) FROM entries e WHERE e.book_id = h.book_id AND e.seq > ? AND e.seq <= h.seq) AS later
		  FROM heads h WHERE h.book_id = ?`, followed, book.ID)
	f.Head, f.Missing = row.Head, max(row.Head-followed-row.Later, 0)
	return err
}

func (f *Soundness) compareTotals(tx *gorm.DB, book Book) error {
	rows, err := query[struct {
		Currency string
		Equal    bool
	}](tx, `
		SELECT coalesce(k.currency, t.currency) AS currency,
		       coalesce(k.debit_minor, 0) = coalesce(t.debit, 0) AND coalesce(k.debit_minor, 0) = coalesce(t.credit, 0) AS equal
		  FROM (SELECT currency, debit_minor FROM currency_totals WHERE book_id = @book) k
		  FULL JOIN (SELECT a.currency, sum(s.debit_minor) AS debit, sum(s.credit_minor) AS credit
		               FROM account_totals s JOIN accounts a ON a.book_id = s.book_id AND a.id = s.account_id
		              WHERE s.book_id = @book GROUP BY a.currency) t ON t.currency = k.currency
		 ORDER BY 1`, map[string]any{"book": book.ID})
	for _, row := range rows {
		f.Currencies = append(f.Currencies, row.Currency)
		if !row.Equal {
			f.Differing = append(f.Differing, row.Currency)
		}
	}
	return err
}

// verifications are the last ones, by book. They live as long as the server: one that starts knows nothing and verifies anew.
type verifications struct {
	mu     sync.Mutex
	byBook map[int64]Verified
}

func (v *verifications) of(bookID int64) *Verified {
	v.mu.Lock()
	defer v.mu.Unlock()
	last, known := v.byBook[bookID]
	if !known {
		return nil
	}
	return &last
}

func (v *verifications) keep(last Verified) {
	v.mu.Lock()
	defer v.mu.Unlock()
	if v.byBook == nil {
		v.byBook = map[int64]Verified{}
	}
	v.byBook[last.Book.ID] = last
}

// VerifyBooks verifies every book and keeps what it found for Soundness. It gives those that have a fault.
func (s *Store) VerifyBooks(ctx context.Context) (faulty []Verified, err error) {
	return s.verifyBooks(ctx, func(*Verified) bool { return false })
}

// wholeAgain is after how long entries that were verified are read again: only that finds a change of something old.
const wholeAgain = 24 * time.Hour

// VerifyOn is VerifyBooks that goes on from where the last verification of a book ended, unless that had a fault, or every entry was read
// longer than a day ago. Links, requests and kept totals are looked at whole.
func (s *Store) VerifyOn(ctx context.Context) (faulty []Verified, err error) {
	return s.verifyBooks(ctx, func(last *Verified) bool {
		return last != nil && last.Fault == nil && s.now().Sub(last.WholeAt) < wholeAgain
	})
}

// verifyBooks goes on from the last verification of a book where goesOn says so.
func (s *Store) verifyBooks(ctx context.Context, goesOn func(last *Verified) bool) (faulty []Verified, err error) {
	books, err := s.Books(ctx)
	if err != nil {
		return nil, err
	}
	off, err := s.GuardsOff(ctx)
	if err != nil {
		return nil, err
	}
	for _, book := range books {
		next := Verified{At: s.now(), WholeAt: s.now(), GuardsOff: off, progress: fromTheStart()}
		if last := s.verified.of(book.ID); goesOn(last) {
			next.WholeAt, next.progress = last.WholeAt, last.progress
		}
		if next.Verification, next.progress, err = s.verifyFrom(ctx, book, next.progress); err != nil {
			return faulty, err
		}
		s.verified.keep(next)
		if next.Fault != nil {
			faulty = append(faulty, next)
		}
	}
	return faulty, nil
}

// verifyShare bounds the time that verifying takes: of so many parts of the time it is given one, however long the books are.
const verifyShare = 20

// KeepVerified verifies every book at once and then goes on each interval (VerifyOn), or less often where that would take too much of the
// time, until ctx ends. Faults are logged as errors, each time.
func (s *Store) KeepVerified(ctx context.Context, interval time.Duration, log *slog.Logger) {
	for ctx.Err() == nil {
		began := s.now()
		faulty, err := s.VerifyOn(ctx)
		if err != nil && ctx.Err() == nil {
			log.Error("the books could not be verified", "error", err)
		}
		for _, f := range faulty {
			log.Error("a book is not what was recorded", "book", f.Book.Code, "fault", f.Fault.String())
		}
		rest := time.NewTimer(max(interval, verifyShare*s.now().Sub(began)))
		select {
		case <-ctx.Done():
		case <-rest.C:
		}
		rest.Stop()
	}
}

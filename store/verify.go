package store

import (
	"context"
	"errors"
	"fmt"
	"time"

	"gorm.io/gorm"

	"daybook/store/ledger"
)

// Verification says whether a book still is what was recorded. Fault is the first thing that is not, nil when all holds; Entries
// and Head are those up to which the chain holds.
type Verification struct {
	Book    Book
	Entries int64
	Head    Seal
	Fault   *Fault
}

// Fault is something in a book that is not as it was recorded: of the entry Seq or, where Account is set, of the totals kept of
// that account. OfTotals says that the journal is whole and only a kept total is not what it sums to.
type Fault struct {
	Seq      int64
	Account  string
	What     string
	OfTotals bool
}

// String tells the fault to people: "entry 7: …", "account 1010: …", or "book: …" where it is of neither.
func (f Fault) String() string {
	switch {
	case f.Account != "":
		return "account " + f.Account + ": " + f.What
	case f.Seq != 0:
		return fmt.Sprintf("entry %d: %s", f.Seq, f.What)
	}
	return "book: " + f.What
}

// Verify recomputes a book from its entries and postings: numbers, chain, sums, links, approvals, the head, the kept totals and what was
// signed off, all in one snapshot, while others go on posting. It needs memory for a page of entries, whatever the length of the book. A fault
// is an answer, not an error.
func (s *Store) Verify(ctx context.Context, book Book) (Verification, error) {
	v, _, err := s.verifyFrom(ctx, book, fromTheStart())
	return v, err
}

// progress is how far a book has been verified: the end of the chain, what the postings up to there sum to, and when the last sign-off was
// given that was looked at.
type progress struct {
	end      ledger.Head
	sums     sums
	signedAt time.Time
}

func fromTheStart() progress {
	return progress{end: ledger.Head{Hash: ledger.GenesisHash}, sums: newSums(), signedAt: signedFrom()}
}

// verifyFrom is Verify for what came after an earlier one: entries up to there are not read again, all else is. Where the entry that
// it ended with is no longer the same, it begins anew.
func (s *Store) verifyFrom(ctx context.Context, book Book, from progress) (Verification, progress, error) {
	v := verifier{book: book, follower: ledger.Follower{End: from.end}, sums: from.sums, signedAt: from.signedAt}
	if err := s.inScan(ctx, book, v.verify); err != nil {
		return Verification{}, progress{}, fmt.Errorf("verify book %s: %w", book.Code, err)
	}
	end := v.follower.End
	return Verification{Book: book, Entries: end.Seq, Head: sealOf(book, end), Fault: v.fault}, progress{end: end, sums: v.sums, signedAt: v.signedAt}, nil
}

// verifier follows the journal of a book, sums what it comes by, and holds the first fault so far.
type verifier struct {
	tx       *gorm.DB
	journal  *scan
	book     Book
	follower ledger.Follower
	sums     sums
	signedAt time.Time
	fault    *Fault
}

// verify looks for the fault with the lowest seq; totals and sign-offs, which have none, are looked at when there is no other fault.
func (v *verifier) verify(tx *gorm.DB, journal *scan) error {
	v.tx, v.journal = tx, journal
	if err := v.checkStart(); err != nil {
		return err
	}
	v.sums.weigh(journal.accounts)
	for _, check := range []func() (*Fault, error){v.checkEntries, v.checkHead, v.checkLinks, v.checkApprovals} {
		fault, err := check()
		if err != nil {
			return err
		}
		v.note(fault)
	}
	if v.fault != nil {
		return nil
	}
	for _, check := range []func() (*Fault, error){v.checkTotals, v.checkSignoffs, v.checkPayments, v.checkInbox} {
		fault, err := check()
		if v.note(fault); err != nil || v.fault != nil {
			return err
		}
	}
	return nil
}

// checkStart looks whether the entry to go on from still is what it was.
func (v *verifier) checkStart() error {
	end := v.follower.End
	if end.Seq == 0 {
		return nil
	}
	same, err := query[bool](v.tx, `SELECT hash = ? FROM entries WHERE book_id = ? AND seq = ?`, end.Hash, v.book.ID, end.Seq)
	if err == nil && (len(same) == 0 || !same[0]) {
		from := fromTheStart()
		v.follower.End, v.sums, v.signedAt = from.end, from.sums, from.signedAt
	}
	return err
}

// note keeps a fault that comes before the one known; of two in the same entry the one that was found first.
func (v *verifier) note(fault *Fault) {
	if fault != nil && (v.fault == nil || fault.Seq < v.fault.Seq) {
		v.fault = fault
	}
}

// checkHead holds the head of the book against the last entry. It says nothing where the chain was not followed to its end.
func (v *verifier) checkHead() (*Fault, error) {
	if v.fault != nil {
		return nil, nil
	}
	head, err := readHead(v.tx, v.book.ID, "")
	var refusal *ledger.Error
	switch {
	case errors.As(err, &refusal) && refusal.Kind == ledger.KindNotFound:
		return &Fault{What: "it has no head, so that nothing can be posted"}, nil
	case err != nil:
		return nil, err
	case head.Seq > v.follower.End.Seq:
		return &Fault{Seq: v.follower.End.Seq + 1, What: fmt.Sprintf("is missing: the head of the book is at entry %d", head.Seq)}, nil
	case head.Seq < v.follower.End.Seq:
		return &Fault{Seq: head.Seq + 1, What: fmt.Sprintf("is beyond the head of the book, which is at entry %d", head.Seq)}, nil
	case head.Hash != v.follower.End.Hash:
		return &Fault{Seq: head.Seq, What: "the head of the book has another hash"}, nil
	case head.Seq > 0 && !head.RecordedAt.Equal(v.follower.End.RecordedAt):
		return &Fault{Seq: head.Seq, What: "the head of the book has another time"}, nil
	}
	return nil, nil
}

// StrayBook gives the number of a book that has entries, postings or a head and does not exist, 0 when there is none. Verify looks
// at one book and cannot see it.
func (s *Store) StrayBook(ctx context.Context) (int64, error) {
	stray, err := query[int64](s.db.WithContext(ctx), `
		SELECT r.book_id
		  FROM (SELECT book_id FROM heads UNION SELECT book_id FROM entries UNION SELECT book_id FROM postings) r
		 WHERE NOT EXISTS (SELECT FROM books b WHERE b.id = r.book_id) ORDER BY r.book_id LIMIT 1`)
	if err != nil || len(stray) == 0 {
		return 0, err
	}
	return stray[0], nil
}

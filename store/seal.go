package store

import (
	"context"
	"time"

	"gorm.io/gorm"

	"daybook/store/ledger"
)

// Seal is the head of a book at some moment. Whoever keeps it can tell later whether all up to there is still what it was.
// Of an empty book it has seq 0, the genesis hash and the time at which the book was opened.
type Seal struct {
	Book string      `json:"book"`
	Seq  int64       `json:"seq"`
	Hash ledger.Hash `json:"hash"`
	At   time.Time   `json:"at"`
}

// Seal gives the head of the actor's book. Error: KindForbidden.
func (s *Store) Seal(ctx context.Context, actor Actor) (Seal, error) {
	if err := actor.Need(RightRead); err != nil {
		return Seal{}, err
	}
	return s.SealBook(ctx, actor.Book)
}

// SealBook is Seal for whoever runs a command of administration.
func (s *Store) SealBook(ctx context.Context, book Book) (Seal, error) {
	head, err := readHead(s.db.WithContext(ctx), book.ID, "")
	if err != nil {
		return Seal{}, err
	}
	return sealOf(book, head), nil
}

func sealOf(book Book, head ledger.Head) Seal {
	return Seal{Book: book.Code, Seq: head.Seq, Hash: head.Hash, At: head.RecordedAt}
}

// lockHead reads the head of a book and holds it: until the transaction ends, nobody else appends.
func lockHead(tx *gorm.DB, bookID int64) (ledger.Head, error) {
	return readHead(tx, bookID, "FOR NO KEY UPDATE")
}

func readHead(tx *gorm.DB, bookID int64, lock string) (ledger.Head, error) {
	head, err := queryOne[ledger.Head](tx, "the book has no head", `SELECT seq, hash, recorded_at FROM heads WHERE book_id = ? `+lock, bookID)
	head.RecordedAt = head.RecordedAt.UTC()
	return head, err
}

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
	if err := actor.need(RightRead); err != nil {
		return Seal{}, err
	}
	head, err := readHead(s.db.WithContext(ctx), actor.Book.ID, "")
	if err != nil {
		return Seal{}, err
	}
	return sealOf(actor.Book, head), nil
}

func sealOf(book Book, head ledger.Head) Seal {
	return Seal{Book: book.Code, Seq: head.Seq, Hash: head.Hash, At: head.RecordedAt}
}

func readHead(tx *gorm.DB, bookID int64, lock string) (ledger.Head, error) {
	row, err := queryOne[struct {
		Seq        int64
		Hash       []byte
		RecordedAt time.Time
	}](tx, "the book has no head", `SELECT seq, hash, recorded_at FROM heads WHERE book_id = ? `+lock, bookID)
	if err != nil {
		return ledger.Head{}, err
	}
	return ledger.Head{Seq: row.Seq, Hash: asHash(row.Hash), RecordedAt: row.RecordedAt.UTC()}, nil
}

// asHash is the hash in stored bytes; bytes of another length are no hash, and equal to none.
func asHash(stored []byte) ledger.Hash {
	if len(stored) != len(ledger.Hash{}) {
		return ledger.Hash{}
	}
	return ledger.Hash(stored)
}

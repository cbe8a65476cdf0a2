package store

import (
	"context"
	"fmt"
	"regexp"

	"gorm.io/gorm"

	"daybook/store/ledger"
)

// Book is one legal entity's journal. Currency is that of its reports; its accounts may be in any.
type Book struct {
	ID               int64
	Code             string
	Name             string
	Currency         string
	KeyRetentionDays int
}

const bookColumns = `b.id, b.code, b.name, b.currency, b.key_retention_days`

const defaultKeyRetentionDays = 30

var bookCodeForm = regexp.MustCompile(`^[a-z0-9][a-z0-9-]{0,62}$`)

// AddBook opens an empty book. Errors: KindInvalid.
func (s *Store) AddBook(ctx context.Context, code, name, currency string) (Book, error) {
	refusal := ledger.Refuse(ledger.KindInvalid, "the book cannot be opened as it stands")
	if !bookCodeForm.MatchString(code) {
		refusal.At("code", "use 1 to 63 lower-case letters, digits and -")
	}
	if !ledger.IsName(name) {
		refusal.At("name", "give a name of at most %d characters", ledger.MaxNameRunes)
	}
	if _, known := ledger.Exponent(currency); !known {
		refusal.At("currency", "%q is not an ISO 4217 currency", currency)
	}
	if err := refusal.OrNil(); err != nil {
		return Book{}, err
	}
	book := Book{Code: code, Name: name, Currency: currency, KeyRetentionDays: defaultKeyRetentionDays}
	err := s.inTx(ctx, func(tx *gorm.DB) error {
		if err := takeTurn(tx, "books"); err != nil {
			return err
		}
		id, err := queryOne[int64](tx, "no id", `SELECT coalesce(max(id), 0) + 1 FROM books`)
		if err != nil {
			return err
		}
		book.ID = id
		if _, err := exec(tx, `INSERT INTO books (id, code, name, currency, key_retention_days, adjustment_limit_minor, created_at) VALUES (?, ?, ?, ?, ?, ?, ?)`,
			id, code, name, currency, book.KeyRetentionDays, firstAdjustmentLimit(currency), s.now()); err != nil {
			return err
		}
		if _, err := exec(tx, `INSERT INTO heads (book_id, seq, hash, recorded_at) VALUES (?, 0, ?, ?)`, id, ledger.GenesisHash, s.now()); err != nil {
			return err
		}
		return s.audit(tx, Actor{Email: Operator, Book: book}, "book.open", "book "+code, nil)
	})
	if err != nil {
		return Book{}, fmt.Errorf("open book %s: %w", code, err)
	}
	return book, nil
}

// BookByCode finds a book. Error: KindNotFound.
func (s *Store) BookByCode(ctx context.Context, code string) (Book, error) {
	return queryOne[Book](s.db.WithContext(ctx), fmt.Sprintf("there is no book %q", code), `SELECT `+bookColumns+` FROM books b WHERE b.code = ?`, code)
}

func bookByID(db *gorm.DB, id int64) (Book, error) {
	return queryOne[Book](db, fmt.Sprintf("there is no book %d", id), `SELECT `+bookColumns+` FROM books b WHERE b.id = ?`, id)
}

// Books lists all books by code.
func (s *Store) Books(ctx context.Context) ([]Book, error) {
	return query[Book](s.db.WithContext(ctx), `SELECT `+bookColumns+` FROM books b ORDER BY b.code LIMIT 1000`)
}

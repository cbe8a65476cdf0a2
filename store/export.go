package store

import (
	"context"
	"fmt"
	"io"

	"gorm.io/gorm"

	"daybook/store/ledger"
)

// Export writes the journal of the actor's book as it is at one moment, an entry a line (ledger.Record.AppendLine), from the first to the
// last. begin is told the seal of that moment and gives what to write to. It needs memory for a few pages of entries, however long the
// book is. Errors: KindForbidden, those of begin and of writing.
func (s *Store) Export(ctx context.Context, actor Actor, begin func(Seal) (io.Writer, error)) error {
	if err := actor.Need(RightAudit); err != nil {
		return err
	}
	return s.export(ctx, actor.Book, begin)
}

// ExportBook is Export for whoever runs a command of administration. It gives the seal that goes with what was written.
func (s *Store) ExportBook(ctx context.Context, book Book, w io.Writer) (seal Seal, err error) {
	err = s.export(ctx, book, func(at Seal) (io.Writer, error) {
		seal = at
		return w, nil
	})
	return seal, err
}

func (s *Store) export(ctx context.Context, book Book, begin func(Seal) (io.Writer, error)) error {
	err := s.inScan(ctx, book, func(tx *gorm.DB, journal *scan) error {
		head, err := readHead(tx, book.ID, "")
		if err != nil {
			return err
		}
		w, err := begin(sealOf(book, head))
		if err != nil {
			return err
		}
		return writeLines(w, journal)
	})
	if err != nil {
		return fmt.Errorf("export book %s: %w", book.Code, err)
	}
	return nil
}

// writeLines writes a page at a time. What no record can be is not written as if it were one.
func writeLines(w io.Writer, journal *scan) error {
	var lines []byte
	for page, err := range journal.pages(beforeAll) {
		if err != nil {
			return err
		}
		lines = lines[:0]
		for i := range page.entries {
			e := &page.entries[i]
			if what := e.fault(); what != "" {
				return ledger.Refuse(ledger.KindInternal, "entry %d %s: the book is not what was recorded, verify it", e.Seq, what)
			}
			lines = e.AppendLine(lines)
		}
		if _, err := w.Write(lines); err != nil {
			return err
		}
	}
	return nil
}

// VerifyExport is ledger.VerifyExport for a seal as it was given out. It needs no database.
func VerifyExport(export io.ReadSeeker, seal Seal) (Verification, error) {
	end, fault, err := ledger.VerifyExport(export, seal.Book, ledger.Head{Seq: seal.Seq, Hash: seal.Hash, RecordedAt: seal.At})
	if err != nil {
		return Verification{}, err
	}
	book := Book{Code: seal.Book}
	v := Verification{Book: book, Entries: end.Seq, Head: sealOf(book, end)}
	if fault != nil {
		v.Fault = &Fault{Seq: fault.Seq, What: fault.What}
	}
	return v, nil
}

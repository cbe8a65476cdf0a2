package main

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/urfave/cli/v3"

	"daybook/store"
	"daybook/store/ledger"
)

func exportCommand(p *program) *cli.Command {
	return &cli.Command{
		Name:  "export",
		Usage: "write a book to standard output, an entry a line, to be verified without the database",
		Flags: append(p.databaseFlags(), p.bookFlag()),
		Action: p.withBook(func(ctx context.Context, books *store.Store, book store.Book) error {
			w := bufio.NewWriterSize(p.stdout, 1<<16)
			_, err := books.ExportBook(ctx, book, w)
			return errors.Join(err, w.Flush())
		}),
	}
}

func sealCommand(p *program) *cli.Command {
	return &cli.Command{
		Name:  "seal",
		Usage: "write the head of a book to standard output, to be kept where nobody can change it",
		Flags: append(p.databaseFlags(), p.bookFlag()),
		Action: p.withBook(func(ctx context.Context, books *store.Store, book store.Book) error {
			seal, err := books.SealBook(ctx, book)
			if err != nil {
				return err
			}
			text, err := json.Marshal(map[string]any{"book": seal.Book, "seq": seal.Seq, "hash": seal.Hash, "at": ledger.FormatInstant(seal.At)})
			if err != nil {
				return err
			}
			fmt.Fprintf(p.stdout, "%s\n", text)
			return nil
		}),
	}
}

// withBook is the action of a command that works on one book that there is.
func (p *program) withBook(work func(context.Context, *store.Store, store.Book) error) cli.ActionFunc {
	return func(ctx context.Context, c *cli.Command) error {
		return p.withBooks(ctx, c, func(books *store.Store) error {
			book, err := books.BookByCode(ctx, c.String(settingBook))
			if err != nil {
				return err
			}
			return work(ctx, books, book)
		})
	}
}

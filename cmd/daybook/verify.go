package main

import (
	"context"
	"fmt"
	"strings"

	"github.com/urfave/cli/v3"

	"daybook/store"
)

const (
	settingExport = "export"
	settingSeal   = "seal"
)

func verifyCommand(p *program) *cli.Command {
	return &cli.Command{
		Name:  "verify",
		Usage: "prove that a book is what was recorded, or name the first thing that is not",
		Flags: append(p.databaseFlags(),
			&cli.StringFlag{Name: settingBook, Usage: "verify this book only, by its code; without it, all"},
			&cli.StringFlag{Name: settingExport, Usage: "verify this file, which daybook export or the API wrote, without a database"},
			&cli.StringFlag{Name: settingSeal, Usage: "hold it against the seal in this file, which daybook seal or the API wrote"}),
		Action: func(ctx context.Context, c *cli.Command) error {
			export, seal := c.String(settingExport), c.String(settingSeal)
			switch {
			case export != "" && seal != "":
				return p.verifyExport(export, seal, c.String(settingBook))
			case export != "" || seal != "":
				return badInput("an export is held against a seal: give both, --export FILE and --seal FILE")
			}
			return p.withBooks(ctx, c, func(books *store.Store) error { return p.verify(ctx, books, c.String(settingBook)) })
		},
	}
}

// withBooks lets a command work on the books that there are: an older schema is an error here, and so is no database.
func (p *program) withBooks(ctx context.Context, c *cli.Command, work func(*store.Store) error) error {
	config := p.databaseOf(c, true)
	config.migrate, config.existing = false, true
	return p.withStore(ctx, config, work)
}

// verify prints a line a book and answers no when there is a fault in any.
func (p *program) verify(ctx context.Context, books *store.Store, code string) error {
	chosen, err := chooseBooks(ctx, books, code)
	if err != nil {
		return err
	}
	if err := p.verifyDatabase(ctx, books, code == ""); err != nil {
		return err
	}
	if len(chosen) == 0 {
		fmt.Fprintln(p.stdout, "there is no book yet")
	}
	faults := 0
	for _, book := range chosen {
		v, err := books.Verify(ctx, book)
		if err != nil {
			return err
		}
		switch {
		case v.Fault == nil:
			fmt.Fprintf(p.stdout, "book %s: %d entries, chain, sums, totals, links and payments hold; head %d %s\n", book.Code, v.Entries, v.Head.Seq, v.Head.Hash)
			continue
		case len(chosen) == 1:
			fmt.Fprintln(p.stdout, v.Fault)
		default:
			fmt.Fprintf(p.stdout, "%s (book %s)\n", v.Fault, book.Code)
		}
		faults++
	}
	if faults > 0 {
		return answerNo("%d of %d books verified have a fault", faults, len(chosen))
	}
	return nil
}

// verifyDatabase looks at what is of no single book: whether the guards are on, which is told beside the answer, and whether a book is
// missing as a whole.
func (p *program) verifyDatabase(ctx context.Context, books *store.Store, allBooks bool) error {
	off, err := books.GuardsOff(ctx)
	if err != nil {
		return err
	}
	if len(off) > 0 {
		p.log.Warn("guards of the database are off: what is recorded can be changed", "triggers", strings.Join(off, " "))
	}
	if !allBooks {
		return nil
	}
	stray, err := books.StrayBook(ctx)
	if err != nil || stray == 0 {
		return err
	}
	fmt.Fprintf(p.stdout, "book: there are records of book number %d, and there is no such book\n", stray)
	return answerNo("a book is missing")
}

func chooseBooks(ctx context.Context, books *store.Store, code string) ([]store.Book, error) {
	if code == "" {
		return books.Books(ctx)
	}
	book, err := books.BookByCode(ctx, code)
	return []store.Book{book}, err
}

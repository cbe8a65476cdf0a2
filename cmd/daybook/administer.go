package main

import (
	"context"
	"errors"
	"fmt"
	"text/tabwriter"
	"time"

	"github.com/urfave/cli/v3"

	"daybook/store"
	"daybook/store/postgres"
)

// withStore lets a command of administration work on the books of the database that its flags name, beside a server that may be
// running there.
func (p *program) withStore(ctx context.Context, config databaseConfig, work func(*store.Store) error) (err error) {
	database, err := p.openDatabase(ctx, config)
	if err != nil {
		return err
	}
	defer database.close()
	db, err := postgres.Open(ctx, database.appURL)
	if err != nil {
		return err
	}
	books := store.New(db, clock)
	defer func() { err = errors.Join(err, books.Close()) }()
	return work(books)
}

// administer is the action of a command that takes as many arguments as its usage names, at least.
func (p *program) administer(arguments int, work func(context.Context, *cli.Command, *store.Store) error) cli.ActionFunc {
	return func(ctx context.Context, c *cli.Command) error {
		if c.Args().Len() < arguments {
			return badInput("%s needs %s: see %s --help", c.FullName(), c.ArgsUsage, c.FullName())
		}
		return p.withStore(ctx, p.databaseOf(c, true), func(books *store.Store) error { return work(ctx, c, books) })
	}
}

// exactly refuses arguments that a command would not look at.
func exactly(arguments int) func(context.Context, *cli.Command) error {
	return func(_ context.Context, c *cli.Command) error {
		if c.Args().Len() > arguments {
			return badInput("%s takes no %q: see %s --help", c.FullName(), c.Args().Get(arguments), c.FullName())
		}
		return nil
	}
}

const settingBook = "book"

func (p *program) bookFlag() cli.Flag {
	return &cli.StringFlag{Name: settingBook, Sources: p.from("DAYBOOK_BOOK"), Value: "main", Usage: "the book, by its code"}
}

// table prints aligned columns; the first row has their names.
func (p *program) table(rows [][]string) error {
	w := tabwriter.NewWriter(p.stdout, 0, 0, 2, ' ', 0)
	for _, row := range rows {
		for i, cell := range row {
			if i > 0 {
				fmt.Fprint(w, "\t")
			}
			fmt.Fprint(w, cell)
		}
		fmt.Fprintln(w)
	}
	return w.Flush()
}

// day writes a time in a table; none is a dash.
func day(t time.Time) string {
	if t.IsZero() {
		return "-"
	}
	return t.UTC().Format(time.DateOnly)
}

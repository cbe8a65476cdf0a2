package main

import (
	"context"
	"fmt"

	"github.com/urfave/cli/v3"

	"daybook/store"
)

func bookCommand(p *program) *cli.Command {
	return &cli.Command{
		Name:     "book",
		Usage:    "open books, one for each legal entity",
		Commands: []*cli.Command{bookAddCommand(p), bookListCommand(p)},
	}
}

func bookAddCommand(p *program) *cli.Command {
	return &cli.Command{
		Name:      "add",
		Usage:     "open an empty book",
		ArgsUsage: "CODE",
		Flags: append(p.databaseFlags(),
			&cli.StringFlag{Name: "name", Usage: "the name of the legal entity", Required: true},
			&cli.StringFlag{Name: "currency", Usage: "the ISO 4217 currency of its reports", Value: "EUR"}),
		ArgValidator: exactly(1),
		Action: p.administer(1, func(ctx context.Context, c *cli.Command, books *store.Store) error {
			book, err := books.AddBook(ctx, c.Args().First(), c.String("name"), c.String("currency"))
			if err != nil {
				return err
			}
			fmt.Fprintf(p.stdout, "opened book %s\n", book.Code)
			return nil
		}),
	}
}

func bookListCommand(p *program) *cli.Command {
	return &cli.Command{
		Name:  "list",
		Usage: "list all books",
		Flags: p.databaseFlags(),
		Action: p.administer(0, func(ctx context.Context, _ *cli.Command, books *store.Store) error {
			all, err := books.Books(ctx)
			if err != nil {
				return err
			}
			rows := [][]string{{"CODE", "NAME", "CURRENCY"}}
			for _, book := range all {
				rows = append(rows, []string{book.Code, book.Name, book.Currency})
			}
			return p.table(rows)
		}),
	}
}

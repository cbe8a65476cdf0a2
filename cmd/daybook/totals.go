package main

import (
	"context"
	"fmt"

	"github.com/urfave/cli/v3"

	"daybook/store"
)

func totalsCommand(p *program) *cli.Command {
	return &cli.Command{
		Name:     "totals",
		Usage:    "look after the totals that are kept beside the postings",
		Commands: []*cli.Command{totalsRebuildCommand(p)},
	}
}

func totalsRebuildCommand(p *program) *cli.Command {
	return &cli.Command{
		Name:   "rebuild",
		Usage:  "prove the kept totals of a book, and set right those that are not what its postings sum to; others may go on posting",
		Flags:  append(p.databaseFlags(), p.bookFlag()),
		Action: p.withBook(p.rebuildTotals),
	}
}

func (p *program) rebuildTotals(ctx context.Context, books *store.Store, book store.Book) error {
	done, err := books.RebuildTotals(ctx, book)
	if err != nil {
		return err
	}
	switch fault := done.Before.Fault; {
	case fault == nil:
		fmt.Fprintf(p.stdout, "book %s: the kept totals are what its postings sum to\n", book.Code)
		return nil
	case !fault.OfTotals:
		fmt.Fprintln(p.stdout, fault)
		return answerNo("the journal is not what was recorded, so its totals are left as they are")
	default:
		fmt.Fprintf(p.stdout, "book %s: set right %d totals of accounts, %d of days, %d of currencies; the first was %s\n", book.Code, done.Accounts, done.Days, done.Currencies, fault)
		return nil
	}
}

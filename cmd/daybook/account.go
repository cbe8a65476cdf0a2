package main

import (
	"context"
	"fmt"
	"strings"

	"github.com/urfave/cli/v3"

	"daybook/store"
	"daybook/store/ledger"
)

func accountCommand(p *program) *cli.Command {
	return &cli.Command{
		Name:     "account",
		Usage:    "add, list, close and reopen the accounts of a book",
		Commands: []*cli.Command{accountAddCommand(p), accountListCommand(p), accountCloseCommand(p), accountReopenCommand(p)},
	}
}

func accountAddCommand(p *program) *cli.Command {
	return &cli.Command{
		Name:      "add",
		Usage:     "add an account to a book",
		ArgsUsage: "CODE",
		Flags: append(p.databaseFlags(), p.bookFlag(),
			&cli.StringFlag{Name: "name", Usage: "the account's name, as it is shown", Required: true},
			&cli.StringFlag{Name: "type", Usage: accountTypes(), Required: true},
			&cli.StringFlag{Name: "currency", Usage: "its ISO 4217 currency; without it, that of the book"},
			&cli.BoolFlag{Name: "no-negative", Usage: "refuse entries that bring it below zero: assets and expenses to a credit balance, the others to a debit balance"},
			&cli.StringFlag{Name: "reconcile-from", Usage: "the first day that is held against statements, YYYY-MM-DD; without it, that of the first statement"}),
		ArgValidator: exactly(1),
		Action:       p.administer(1, p.addAccount),
	}
}

func accountTypes() string {
	words := make([]string, len(ledger.AccountTypes))
	for i, kind := range ledger.AccountTypes {
		words[i] = string(kind)
	}
	return strings.Join(words[:len(words)-1], ", ") + " or " + words[len(words)-1]
}

func (p *program) addAccount(ctx context.Context, c *cli.Command, books *store.Store) error {
	account := ledger.Account{
		Code: c.Args().First(), Name: c.String("name"), Type: ledger.AccountType(c.String("type")), Currency: c.String("currency"), NoNegative: c.Bool("no-negative"),
	}
	if from := c.String("reconcile-from"); from != "" {
		var err error
		if account.ReconcileFrom, err = ledger.ParseDate(from); err != nil {
			return err
		}
	}
	book, err := books.BookByCode(ctx, c.String(settingBook))
	if err != nil {
		return err
	}
	if account.Currency == "" {
		account.Currency = book.Currency
	}
	account, err = books.AddAccount(ctx, book, account)
	if err != nil {
		return err
	}
	fmt.Fprintf(p.stdout, "added account %s (%s, %s) to book %s\n", account.Code, account.Type, account.Currency, book.Code)
	return nil
}

func accountListCommand(p *program) *cli.Command {
	return &cli.Command{
		Name:  "list",
		Usage: "list the accounts of a book",
		Flags: append(p.databaseFlags(), p.bookFlag()),
		Action: p.administer(0, func(ctx context.Context, c *cli.Command, books *store.Store) error {
			book, err := books.BookByCode(ctx, c.String(settingBook))
			if err != nil {
				return err
			}
			accounts, err := books.AllAccounts(ctx, book)
			if err != nil {
				return err
			}
			rows := [][]string{{"CODE", "NAME", "TYPE", "CURRENCY", "NO NEGATIVE", "RECONCILE FROM", "STATUS"}}
			for _, account := range accounts {
				rows = append(rows, accountRow(account))
			}
			return p.table(rows)
		}),
	}
}

func accountCloseCommand(p *program) *cli.Command {
	return accountStateCommand(p, "close", "have an account take no more entries: it must have no balance left, and no open break", "closed", (*store.Store).EndAccount)
}

func accountReopenCommand(p *program) *cli.Command {
	return accountStateCommand(p, "reopen", "have a closed account take entries again", "reopened", (*store.Store).ResumeAccount)
}

func accountStateCommand(p *program, name, usage, done string, change func(*store.Store, context.Context, store.Book, string) error) *cli.Command {
	return &cli.Command{
		Name:         name,
		Usage:        usage,
		ArgsUsage:    "CODE",
		Flags:        append(p.databaseFlags(), p.bookFlag()),
		ArgValidator: exactly(1),
		Action: p.administer(1, func(ctx context.Context, c *cli.Command, books *store.Store) error {
			book, err := books.BookByCode(ctx, c.String(settingBook))
			if err != nil {
				return err
			}
			if err := change(books, ctx, book, c.Args().First()); err != nil {
				return err
			}
			fmt.Fprintf(p.stdout, "%s account %s of book %s\n", done, c.Args().First(), book.Code)
			return nil
		}),
	}
}

func accountRow(account ledger.Account) []string {
	noNegative, from, status := "no", "-", "open"
	if account.NoNegative {
		noNegative = "yes"
	}
	if !account.ReconcileFrom.IsZero() {
		from = account.ReconcileFrom.String()
	}
	if account.Closed {
		status = "closed"
	}
	return []string{account.Code, account.Name, string(account.Type), account.Currency, noNegative, from, status}
}

package main

import (
	"context"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/urfave/cli/v3"

	"daybook/store"
	"daybook/store/ledger"
)

func tokenCommand(p *program) *cli.Command {
	return &cli.Command{
		Name:     "token",
		Usage:    "let programs act for people through the API",
		Commands: []*cli.Command{tokenAddCommand(p), tokenRevokeCommand(p), tokenListCommand(p)},
	}
}

func tokenAddCommand(p *program) *cli.Command {
	return &cli.Command{
		Name:      "add",
		Usage:     "make a token that acts as a person in a book, and print it: it is shown this once",
		ArgsUsage: "EMAIL",
		Flags: append(p.databaseFlags(), p.bookFlag(),
			&cli.StringFlag{Name: "name", Usage: "what uses the token", Required: true},
			&cli.StringSliceFlag{Name: "right", Usage: "narrow the token to reading and this right; may be repeated"},
			&cli.StringFlag{Name: "expires", Usage: "the token ends with this day, YYYY-MM-DD; without it, when it is revoked"}),
		ArgValidator: exactly(1),
		Action:       p.administer(1, p.addToken),
	}
}

func (p *program) addToken(ctx context.Context, c *cli.Command, books *store.Store) error {
	expires, err := endOf(c.String("expires"))
	if err != nil {
		return err
	}
	book, err := books.BookByCode(ctx, c.String(settingBook))
	if err != nil {
		return err
	}
	user, err := books.UserByEmail(ctx, c.Args().First())
	if err != nil {
		return err
	}
	var only []store.Right
	for _, right := range c.StringSlice("right") {
		only = append(only, store.Right(right))
	}
	_, plain, err := books.AddToken(ctx, book, user.ID, c.String("name"), only, expires, "")
	if err != nil {
		return err
	}
	fmt.Fprintln(p.stdout, plain)
	return nil
}

// endOf is the first instant after a day in UTC; no day is the zero time.
func endOf(text string) (time.Time, error) {
	if text == "" {
		return time.Time{}, nil
	}
	date, err := ledger.ParseDate(text)
	if err != nil {
		return time.Time{}, err
	}
	return date.AddDays(1).Time(), nil
}

func tokenRevokeCommand(p *program) *cli.Command {
	return &cli.Command{
		Name:         "revoke",
		Usage:        "end a token; token list has the numbers",
		ArgsUsage:    "NUMBER",
		Flags:        append(p.databaseFlags(), p.bookFlag()),
		ArgValidator: exactly(1),
		Action: p.administer(1, func(ctx context.Context, c *cli.Command, books *store.Store) error {
			id, err := strconv.ParseInt(c.Args().First(), 10, 64)
			if err != nil {
				return badInput("%q is not the number of a token: see daybook token list", c.Args().First())
			}
			book, err := books.BookByCode(ctx, c.String(settingBook))
			if err != nil {
				return err
			}
			if err := books.RevokeToken(ctx, book, id); err != nil {
				return err
			}
			fmt.Fprintf(p.stdout, "token %d of book %s is revoked\n", id, book.Code)
			return nil
		}),
	}
}

func tokenListCommand(p *program) *cli.Command {
	return &cli.Command{
		Name:  "list",
		Usage: "list the tokens of a book",
		Flags: append(p.databaseFlags(), p.bookFlag()),
		Action: p.administer(0, func(ctx context.Context, c *cli.Command, books *store.Store) error {
			book, err := books.BookByCode(ctx, c.String(settingBook))
			if err != nil {
				return err
			}
			tokens, err := books.Tokens(ctx, book)
			if err != nil {
				return err
			}
			rows := [][]string{{"NUMBER", "EMAIL", "NAME", "RIGHTS", "SINCE", "LAST DAY", "STATUS"}}
			for _, token := range tokens {
				rows = append(rows, tokenRow(token, clock()))
			}
			return p.table(rows)
		}),
	}
}

func tokenRow(token store.Token, at time.Time) []string {
	rights, lastDay, status := "all of the person", "-", "active"
	if token.Only != nil {
		words := []string{string(store.RightRead)}
		for _, right := range token.Only {
			words = append(words, string(right))
		}
		rights = strings.Join(words, ", ")
	}
	if !token.ExpiresAt.IsZero() {
		lastDay = day(token.ExpiresAt.Add(-time.Microsecond))
		if !token.ExpiresAt.After(at) {
			status = "expired"
		}
	}
	if !token.RevokedAt.IsZero() {
		status = "revoked " + day(token.RevokedAt)
	}
	return []string{strconv.FormatInt(token.ID, 10), token.Email, token.Name, rights, day(token.CreatedAt), lastDay, status}
}

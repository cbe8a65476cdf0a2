package main

import (
	"context"
	"fmt"
	"strings"

	"github.com/urfave/cli/v3"

	"daybook/store"
	"daybook/store/ledger"
)

func paymentsCommand(p *program) *cli.Command {
	return &cli.Command{
		Name:     "payments",
		Usage:    "say on which accounts of a book payments are booked",
		Commands: []*cli.Command{paymentAccountsCommand(p)},
	}
}

func paymentAccountsCommand(p *program) *cli.Command {
	account := func(name, usage string) cli.Flag {
		return &cli.StringFlag{Name: name, Usage: usage + ", by its code", Required: true}
	}
	return &cli.Command{
		Name:  "accounts",
		Usage: "set the accounts of the payments of a currency, for what happens from then on",
		Flags: append(p.databaseFlags(), p.bookFlag(),
			&cli.StringFlag{Name: "currency", Usage: "its ISO 4217 code; without it, that of the book"},
			account("clearing", "the asset that is the money at the gateway"),
			account("received", "what customers pay is booked here"),
			account("fees", "what the gateway keeps"),
			account("chargebacks", "what the bank holds or gave back in disputes"),
			account("bank", "the asset on which payouts arrive"),
			&cli.BoolFlag{Name: "customer-accounts", Usage: "book what a customer pays on customer:<customer>, where the book has that account"},
			&cli.StringFlag{Name: "refund-limit", Value: "0", Usage: "up to what may be refunded of a payment without a second person, as a decimal"}),
		ArgValidator: exactly(0),
		Action:       p.administer(0, p.setPaymentAccounts),
	}
}

func (p *program) setPaymentAccounts(ctx context.Context, c *cli.Command, books *store.Store) error {
	book, err := books.BookByCode(ctx, c.String(settingBook))
	if err != nil {
		return err
	}
	settings := store.PaymentSettings{
		Currency: strings.ToUpper(c.String("currency")), Clearing: c.String("clearing"), Received: c.String("received"), Fees: c.String("fees"),
		Chargebacks: c.String("chargebacks"), Bank: c.String("bank"), CustomerAccounts: c.Bool("customer-accounts"),
	}
	if settings.Currency == "" {
		settings.Currency = book.Currency
	}
	if settings.RefundLimitMinor, err = ledger.ParseAmount(c.String("refund-limit"), settings.Currency); err != nil {
		return err
	}
	if err := books.SetPaymentAccounts(ctx, book, settings); err != nil {
		return err
	}
	fmt.Fprintf(p.stdout, "payments in %s of book %s are booked on %s, %s, %s, %s and %s\n",
		settings.Currency, book.Code, settings.Clearing, settings.Received, settings.Fees, settings.Chargebacks, settings.Bank)
	return nil
}

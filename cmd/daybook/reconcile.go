package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"path/filepath"
	"slices"
	"strconv"

	"github.com/urfave/cli/v3"

	"daybook/recon"
	"daybook/recon/statement"
	"daybook/store/ledger"
)

func reconcileCommand(p *program) *cli.Command {
	return &cli.Command{
		Name:  "reconcile",
		Usage: "hold a bank statement against a file of ledger entries, without a database",
		Flags: append([]cli.Flag{
			&cli.StringFlag{Name: "ledger", Required: true, Usage: "CSV with entry_id,date,amount_minor,currency,reference,description"},
			&cli.StringFlag{Name: "statement", Required: true, Usage: "the statement as the bank gave it"},
			&cli.StringFlag{Name: "format", Value: "text", Usage: "text, json or csv"},
			&cli.StringFlag{Name: "currency", Usage: "the account's currency; else that of the statement"},
			&cli.StringFlag{Name: "from", Usage: "first day of the statement's period, with --to; else the file's own, where it states one"},
			&cli.StringFlag{Name: "to", Usage: "last day of the statement's period: entries close to it are timing, not missing"},
			&cli.StringSliceFlag{Name: "statement-hint", Usage: "what the statement does not say, as key=value; may be repeated; statement parse --help lists the keys"},
		}, ruleFlags()...),
		DisableSliceFlagSeparator: true, // a hint's value may hold commas
		Action: func(_ context.Context, c *cli.Command) error {
			write, err := reconciledWriter(c.String("format"))
			if err != nil {
				return err
			}
			r, err := reconcileFiles(c)
			if err != nil {
				return err
			}
			return write(p.stdout, r)
		},
	}
}

func reconciledWriter(format string) (func(io.Writer, *reconciled) error, error) {
	switch format {
	case "text":
		return writeReconciledText, nil
	case "json":
		return writeReconciledJSON, nil
	case "csv":
		return writeReconciledCSV, nil
	}
	return nil, badInput("--format is text, json or csv, not %q", format)
}

// reconciled is the result for two files: the items of both sides stand in the order of their files.
type reconciled struct {
	ledgerFile, statementFile string
	in                        recon.Input
	statement                 *statement.Statement
	result                    recon.Result
	totals                    recon.Totals
}

func reconcileFiles(c *cli.Command) (*reconciled, error) {
	r := &reconciled{ledgerFile: c.String("ledger"), statementFile: c.String("statement")}
	var err error
	if r.in.Rules, err = rulesOf(c); err != nil {
		return nil, err
	}
	if r.in.Period, err = statedPeriod(c.String("from"), c.String("to")); err != nil {
		return nil, err
	}
	if r.in.Ledger, err = readLedgerFile(r.ledgerFile); err != nil {
		return nil, err
	}
	if r.in.Currency, err = accountCurrency(c.String("currency"), r.in.Ledger); err != nil {
		return nil, err
	}
	if r.statement, err = statementOf(r.statementFile, c.StringSlice("statement-hint"), r.in.Currency); err != nil {
		return nil, err
	}
	if !r.in.Period.Stated && !r.statement.StatedFrom.IsZero() {
		r.in.Period = recon.Period{From: r.statement.StatedFrom, To: r.statement.StatedTo, Stated: true}
	}
	r.in.Bank = bankItems(r.statement)
	if !c.IsSet("currency") && r.statement.Currency != "" {
		r.in.Currency = r.statement.Currency
	}
	if r.in.Currency == "" && len(r.in.Ledger)+len(r.in.Bank) > 0 {
		return nil, badInput("the files have more than one currency: say with --currency which is the account's")
	}
	if r.totals, err = recon.Total(r.in); err != nil {
		return nil, err
	}
	r.result = recon.Match(r.in)
	return r, nil
}

func statedPeriod(from, to string) (recon.Period, error) {
	if from == "" && to == "" {
		return recon.Period{}, nil
	}
	if from == "" || to == "" {
		return recon.Period{}, badInput("--from and --to state the period together: give both")
	}
	first, err := ledger.ParseDate(from)
	if err != nil {
		return recon.Period{}, fmt.Errorf("--from: %w", err)
	}
	last, err := ledger.ParseDate(to)
	if err != nil {
		return recon.Period{}, fmt.Errorf("--to: %w", err)
	}
	if last.Before(first) {
		return recon.Period{}, badInput("the period ends on %s, before it starts on %s", last, first)
	}
	return recon.Period{From: first, To: last, Stated: true}, nil
}

// accountCurrency is the one that was said, else the one that all entries have; "" when they do not agree.
func accountCurrency(said string, entries []recon.Item) (string, error) {
	if said != "" {
		if _, known := ledger.Exponent(said); !known {
			return "", badInput("--currency: %q is not an ISO 4217 currency", said)
		}
		return said, nil
	}
	currencies := map[string]bool{}
	for i := range entries {
		currencies[entries[i].Currency] = true
	}
	if len(currencies) != 1 {
		return "", nil
	}
	return slices.Collect(maps.Keys(currencies))[0], nil
}

// statementOf reads the statement as one of an account in currency, where no hint says another. What the file itself says comes first.
func statementOf(path string, pairs []string, currency string) (*statement.Statement, error) {
	hints, err := statement.ParseHints(pairs)
	if err != nil {
		return nil, fmt.Errorf("--statement-hint: %w", err)
	}
	data, err := readBounded(path)
	if err != nil {
		return nil, badInput("the statement cannot be read: %w", err)
	}
	if hints["currency"] == "" && currency != "" {
		hints["currency"] = currency
	}
	read, err := statement.Read(data, hints)
	var refusal *statement.Refusal
	switch {
	case err == nil:
		return read, nil
	case errors.As(err, &refusal) && refusal.Row > 0:
		return nil, badInput("%s, line %d: %s (%s)", filepath.Base(path), refusal.Row, refusal.Detail, refusal.Class)
	case errors.As(err, &refusal):
		return nil, badInput("%s: %s (%s)", filepath.Base(path), refusal.Detail, refusal.Class)
	}
	return nil, err
}

func bankItems(s *statement.Statement) []recon.Item {
	items := make([]recon.Item, len(s.Lines))
	for i, line := range s.Lines {
		items[i] = recon.Item{ID: strconv.Itoa(line.Row), Date: line.Date, AmountMinor: line.AmountMinor,
			Currency: line.Currency, Reference: line.Reference, Text: line.Description}
	}
	return items
}

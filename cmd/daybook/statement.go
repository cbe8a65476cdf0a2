package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/urfave/cli/v3"

	"daybook/recon/statement"
	"daybook/store/ledger"
)

func statementCommand(p *program) *cli.Command {
	return &cli.Command{
		Name:     "statement",
		Usage:    "read a bank's statement file",
		Commands: []*cli.Command{statementParseCommand(p)},
	}
}

func statementParseCommand(p *program) *cli.Command {
	return &cli.Command{
		Name:        "parse",
		Usage:       "print as JSON what a statement file says, without storing anything",
		ArgsUsage:   "FILE",
		Description: hintHelp("--hint"),
		Flags: []cli.Flag{
			&cli.StringSliceFlag{Name: "hint", Usage: "tell what the file does not say, as key=value; may be repeated"},
		},
		DisableSliceFlagSeparator: true, // a hint may hold a comma: decimal=,
		Action: func(_ context.Context, c *cli.Command) error {
			if c.Args().Len() != 1 {
				return badInput("statement parse takes one file, and was given %d", c.Args().Len())
			}
			return p.parseStatement(c.Args().First(), c.StringSlice("hint"))
		},
	}
}

// parseStatement prints the answer for a file that is read and for one that is refused; only the refused one is an error.
func (p *program) parseStatement(file string, pairs []string) error {
	data, err := readBounded(file)
	if err != nil {
		return badInput("%v", err)
	}
	hints, err := statement.ParseHints(pairs)
	var read *statement.Statement
	if err == nil {
		read, err = statement.Read(data, hints)
	}
	encoder := json.NewEncoder(p.stdout)
	encoder.SetEscapeHTML(false)
	encoder.SetIndent("", " ")
	if encodeErr := encoder.Encode(statementAnswerOf(read, err)); encodeErr != nil {
		return fmt.Errorf("print the statement: %w", encodeErr)
	}
	var refusal *statement.Refusal
	if errors.As(err, &refusal) {
		return badInput("%s is refused (%s): %s", filepath.Base(file), refusal.Class, refusal.Detail)
	}
	return err
}

// readBounded reads one byte more than a statement may have, so that the reader refuses a larger file instead of this
// program filling the memory with it.
func readBounded(name string) ([]byte, error) {
	file, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	return io.ReadAll(io.LimitReader(file, statement.MaxFileBytes+1))
}

// statementAnswer is the JSON of statement parse.
type statementAnswer struct {
	Currency     *string            `json:"currency"`
	Account      *string            `json:"account"`
	OpeningMinor *int64             `json:"opening_minor"`
	ClosingMinor *int64             `json:"closing_minor"`
	Format       *string            `json:"format"`
	Lines        []statementLine    `json:"lines"`
	Rejects      []statementReject  `json:"rejects"`
	Skipped      []statementSkipped `json:"skipped"`
	Settings     *statementSettings `json:"settings,omitempty"`
	Outcome      string             `json:"outcome"`
	ErrorClass   *string            `json:"error_class"`
	Row          *int               `json:"row,omitempty"`
	Detail       *string            `json:"detail"`
}

type statementLine struct {
	Row          int         `json:"row"`
	Date         ledger.Date `json:"date"`
	AmountMinor  int64       `json:"amount_minor"`
	Currency     string      `json:"currency"`
	Reference    string      `json:"reference"`
	Description  string      `json:"description"`
	BankID       string      `json:"bank_id,omitempty"`
	BalanceMinor *int64      `json:"balance_minor,omitempty"`
}

type statementReject struct {
	Row    int    `json:"row"`
	Reason string `json:"reason"`
	Detail string `json:"detail"`
}

type statementSkipped struct {
	Row    int    `json:"row"`
	Reason string `json:"reason"`
}

type statementSettings struct {
	Encoding   string            `json:"encoding"`
	Delimiter  string            `json:"delimiter"`
	HeaderRow  int               `json:"header_row"`
	DateFormat string            `json:"date_format"`
	Decimal    string            `json:"decimal"`
	Columns    map[string]string `json:"columns"` // role -> name, or #n where the column has none
}

func statementAnswerOf(read *statement.Statement, err error) statementAnswer {
	if err != nil {
		return refusedAnswer(err)
	}
	answer := statementAnswer{Outcome: "ok", Format: &read.Format, Currency: orNull(read.Currency), Account: orNull(read.Account),
		OpeningMinor: read.OpeningMinor, ClosingMinor: read.ClosingMinor, Settings: settingsAnswer(read.Settings),
		Lines: []statementLine{}, Rejects: []statementReject{}, Skipped: []statementSkipped{}}
	for _, l := range read.Lines {
		answer.Lines = append(answer.Lines, statementLine{l.Row, l.Date, l.AmountMinor, l.Currency, l.Reference, l.Description, l.BankID, l.BalanceMinor})
	}
	for _, r := range read.Rejects {
		answer.Rejects = append(answer.Rejects, statementReject{r.Row, string(r.Reason), r.Detail})
	}
	for _, s := range read.Skipped {
		answer.Skipped = append(answer.Skipped, statementSkipped{s.Row, string(s.Reason)})
	}
	if len(read.Lines) == 0 && len(read.Rejects) == 0 {
		answer.Detail = orNull("The file holds no transactions.")
	}
	return answer
}

func refusedAnswer(err error) statementAnswer {
	answer := statementAnswer{Outcome: "error", Detail: orNull(oneLine(err)),
		Lines: []statementLine{}, Rejects: []statementReject{}, Skipped: []statementSkipped{}}
	var refusal *statement.Refusal
	if errors.As(err, &refusal) {
		answer.ErrorClass, answer.Detail = orNull(string(refusal.Class)), orNull(refusal.Detail)
		if refusal.Row > 0 {
			answer.Row = &refusal.Row
		}
	}
	return answer
}

func settingsAnswer(s statement.Settings) *statementSettings {
	answer := &statementSettings{s.Encoding, s.Delimiter, s.HeaderRow, s.DateFormat, s.Decimal, map[string]string{}}
	for _, c := range s.Columns {
		if c.Role == "" {
			continue
		}
		answer.Columns[c.Role] = c.Name
		if c.Name == "" {
			answer.Columns[c.Role] = fmt.Sprintf("#%d", c.Number)
		}
	}
	return answer
}

func orNull(text string) *string {
	if text == "" {
		return nil
	}
	return &text
}

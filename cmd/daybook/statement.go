package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime/debug"

	"github.com/urfave/cli/v3"

	"daybook/recon/statement"
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

// collectPercent has garbage collected early while a file is read and printed: a large one is nearly all of the memory of this program.
const collectPercent = 25

// parseStatement prints the answer for a file that is read and for one that is refused; only the refused one is an error.
func (p *program) parseStatement(file string, pairs []string) error {
	defer debug.SetGCPercent(debug.SetGCPercent(collectPercent))
	data, err := readBounded(file)
	if err != nil {
		return badInput("%v", err)
	}
	hints, err := statement.ParseHints(pairs)
	var read *statement.Statement
	if err == nil {
		read, err = statement.Read(data, hints)
	}
	if printErr := printStatement(p.stdout, read, err); printErr != nil {
		return fmt.Errorf("print the statement: %w", printErr)
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
	info, err := file.Stat()
	if err != nil {
		return nil, err
	}
	data := bytes.NewBuffer(make([]byte, 0, min(info.Size(), statement.MaxFileBytes+1)+bytes.MinRead))
	_, err = data.ReadFrom(io.LimitReader(file, statement.MaxFileBytes+1))
	return data.Bytes(), err
}

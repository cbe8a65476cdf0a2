package main

import (
	"errors"
	"fmt"
	"io"
	"strings"

	"daybook/store/ledger"
)

// The exit codes of every command.
const (
	exitWell = 0
	exitNo   = 1
	exitBad  = 2
)

// noError is the answer no: the command did its work, and what it was asked is not so. Any other error means that the
// work could not be done.
type noError struct{ message string }

func (e *noError) Error() string { return e.message }

// answerNo ends a command with exit code 1 and one line on standard error, or none for an empty format.
func answerNo(format string, args ...any) error { return &noError{fmt.Sprintf(format, args...)} }

// badInput ends a command with exit code 2 and one line on standard error that says what to do instead.
func badInput(format string, args ...any) error { return fmt.Errorf(format, args...) }

// exitCode tells an error to people in one line and gives the code the process ends with.
func exitCode(err error, stderr io.Writer) int {
	if err == nil {
		return exitWell
	}
	if line := oneLine(err); line != "" {
		fmt.Fprintln(stderr, "daybook: "+line)
	}
	var no *noError
	if errors.As(err, &no) {
		return exitNo
	}
	return exitBad
}

// oneLine is the text of an error without line breaks. A refusal of the ledger is told without its kind, which is a
// word for programs.
func oneLine(err error) string {
	text := err.Error()
	var refusal *ledger.Error
	if errors.As(err, &refusal) && refusal.Kind != ledger.KindInternal {
		text = refusal.Message
		for _, f := range refusal.Fields {
			text += "; " + f.Field + ": " + f.Detail
		}
	}
	var lines []string
	for line := range strings.Lines(text) {
		if line = strings.TrimSpace(line); line != "" {
			lines = append(lines, line)
		}
	}
	return strings.Join(lines, " | ")
}

package main

import (
	"errors"
	"fmt"
	"io"

	"daybook/recon/statement"
	"daybook/store/ledger"
)

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

// printStatement prints the answer row by row: of a large file the whole would be many times the file.
func printStatement(out io.Writer, read *statement.Statement, err error) error {
	answer, lines := answerOf(read, err), &statement.Statement{}
	if err == nil {
		lines = read
	}
	object := newJSONObject(out)
	object.field("currency", answer.Currency)
	object.field("account", answer.Account)
	object.field("opening_minor", answer.OpeningMinor)
	object.field("closing_minor", answer.ClosingMinor)
	object.field("format", answer.Format)
	object.list("lines", len(lines.Lines), func(i int) any {
		l := &lines.Lines[i]
		return statementLine{l.Row, l.Date, l.AmountMinor, l.Currency, l.Reference, l.Description, l.BankID, l.BalanceMinor}
	})
	object.list("rejects", len(lines.Rejects), func(i int) any {
		r := &lines.Rejects[i]
		return statementReject{r.Row, string(r.Reason), r.Detail}
	})
	object.list("skipped", len(lines.Skipped), func(i int) any {
		return statementSkipped{lines.Skipped[i].Row, string(lines.Skipped[i].Reason)}
	})
	if answer.Settings != nil {
		object.field("settings", answer.Settings)
	}
	object.field("outcome", answer.Outcome)
	object.field("error_class", answer.ErrorClass)
	if answer.Row != nil {
		object.field("row", answer.Row)
	}
	object.field("detail", answer.Detail)
	return object.close()
}

// answerOf gives the answer without its rows.
func answerOf(read *statement.Statement, err error) statementAnswer {
	if err != nil {
		return refusedAnswer(err)
	}
	answer := statementAnswer{Outcome: "ok", Format: &read.Format, Currency: orNull(read.Currency), Account: orNull(read.Account),
		OpeningMinor: read.OpeningMinor, ClosingMinor: read.ClosingMinor, Settings: settingsAnswer(read.Settings)}
	if len(read.Lines) == 0 && len(read.Rejects) == 0 {
		answer.Detail = orNull("The file holds no transactions.")
	}
	return answer
}

func refusedAnswer(err error) statementAnswer {
	answer := statementAnswer{Outcome: "error", Detail: orNull(oneLine(err))}
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

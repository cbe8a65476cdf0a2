package statement_test

import (
	"errors"
	"strings"
	"testing"

	"daybook/recon/statement"
	"daybook/store/ledger"
)

func TestParseHints_NamesWhatCannotBeUsed(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ pair, field string }{
		{"colour=blue", "hint.colour"}, {"currency=EURO", "hint.currency"}, {"decimal=;", "hint.decimal"}, {"date_format=soon", "hint.date_format"},
		{"encoding=klingon", "hint.encoding"}, {"has_header=maybe", "hint.has_header"}, {"sign=flip", "hint.sign"}, {"unmarked_sign=x", "hint.unmarked_sign"},
		{"include_rows=Type", "hint.include_rows"}, {"timezone=Mars/Base", "hint.timezone"}, {"locale=xx", "hint.locale"}, {"period_start=1.3.26", "hint.period_start"},
		{"delimiter=x", "hint.delimiter"}, {"account=", "hint.account"}, {"currency", "hint.currency"},
	} {
		_, err := statement.ParseHints([]string{c.pair})
		var refused *ledger.Error
		if !errors.As(err, &refused) || refused.Kind != ledger.KindInvalid || len(refused.Fields) != 1 || refused.Fields[0].Field != c.field {
			t.Errorf("%s: got %v, want %s to be named", c.pair, err, c.field)
		}
	}
	if _, err := statement.ParseHints([]string{"decimal=.", "decimal=,"}); ledger.KindOf(err) != ledger.KindInvalid {
		t.Errorf("a hint told twice: %v", err)
	}
}

// hinted reads a file with hints and gives what was read in one line.
func hinted(t *testing.T, file string, pairs ...string) string {
	t.Helper()
	hints, err := statement.ParseHints(pairs)
	if err != nil {
		t.Fatal(err)
	}
	read, err := statement.Read([]byte(file), hints)
	var refusal *statement.Refusal
	if errors.As(err, &refusal) {
		return "refused: " + string(refusal.Class)
	}
	if err != nil {
		t.Fatal(err)
	}
	var words []string
	for _, l := range read.Lines {
		words = append(words, l.Date.String()+" "+ledger.FormatAmount(l.AmountMinor, l.Currency))
	}
	for _, r := range read.Rejects {
		words = append(words, string(r.Reason))
	}
	for _, s := range read.Skipped {
		words = append(words, string(s.Reason))
	}
	return strings.Join(words, ", ")
}

func TestRead_TakesHints(t *testing.T) {
	t.Parallel()
	plain := "Date,Description,Amount\n2026-03-02,Rent,-500.00\n2026-03-03,Client,20.00\n"
	typed := "Date,Kind,Amount\n2026-03-02,out,500.00\n2026-03-03,in,20.00\n2026-03-04,note,1.00\n"
	stamps := "When,Amount\n2026-03-31T23:30:00Z,1.00\n2026-03-31 23:30:00,2.00\n"
	for name, c := range map[string]struct {
		file  string
		hints []string
		want  string
	}{
		"sign=invert turns every amount":           {plain, []string{"currency=EUR", "sign=invert"}, "2026-03-02 500.00, 2026-03-03 -20.00"},
		"a zone moves an instant":                  {stamps, []string{"currency=EUR", "date_column=When", "timezone=Europe/Berlin"}, "2026-04-01 1.00, 2026-03-31 2.00"},
		"a zone of the stamps moves them all":      {stamps, []string{"currency=EUR", "date_column=#1", "timezone=Asia/Tokyo", "timestamp_timezone=America/New_York"}, "2026-04-01 1.00, 2026-04-01 2.00"},
		"include_rows keeps rows":                  {typed, []string{"currency=EUR", `include_rows={"column":"Kind","value":"in"}`}, "2026-03-03 20.00, excluded, excluded"},
		"exclude_rows with a list leaves rows out": {typed, []string{"currency=EUR", `exclude_rows={"column":"#2","value":["in","note"]}`}, "2026-03-02 500.00, excluded, excluded"},
		"direction_debit names the word for out":   {typed, []string{"currency=EUR", "direction_column=Kind", "direction_debit=note"}, "2026-03-02 500.00, 2026-03-03 20.00, 2026-03-04 -1.00"},
		"a fee goes off the amount":                {"Date,Amount,Fee\n2026-03-02,-10.00,0.50\n2026-03-03,5.00,\n", []string{"currency=EUR", "fee_column=Fee"}, "2026-03-02 -10.50, 2026-03-03 5.00"},
		"a date format is held to":                 {"Date,Amount\n03/04/2026,1.00\n03/14/2026,2.00\n", []string{"currency=EUR", "date_format=dd/mm/yyyy"}, "2026-04-03 1.00, bad_date"},
		"a strptime format is understood":          {"Date,Amount\n03/04/2026,1.00\n", []string{"currency=EUR", "date_format=%m/%d/%Y"}, "2026-03-04 1.00"},
		"a decimal sign is held to":                {"Date;Amount\n2026-03-02;1,50\n2026-03-02;1.50\n", []string{"currency=EUR", "decimal=,"}, "2026-03-02 1.50, bad_amount"},
		"a locale answers what the file leaves":    {"Date;Amount\n03/04/2026;1.250\n", []string{"currency=EUR", "locale=de-DE"}, "2026-04-03 1250.00"},
		"the file is surer than a locale":          {"Date;Amount\n03/14/2026;1,250.00\n", []string{"currency=EUR", "locale=de-DE"}, "2026-03-14 1250.00"},
		"a currency of the account is not forced":  {"Date,Amount,Currency\n2026-03-02,1.00,USD\n2026-03-02,2.00,EUR\n", []string{"currency=EUR"}, "2026-03-02 1.00, 2026-03-02 2.00"},
		"a currency is asked for":                  {plain, nil, "refused: missing_currency"},
		"an account that is not in the file":       {"IBAN/BBAN,Date,Amount,Currency\nNL01,2026-03-02,1.00,EUR\n", []string{"account=NL02"}, "refused: multiple_accounts"},
		"no header where the user says so":         {"Date,x,Amount\n2026-03-02,x,1.00\n", []string{"currency=EUR", "has_header=false", "date_column=#1", "amount_column=#3"}, "2026-03-02 1.00, bad_date"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if got := hinted(t, c.file, c.hints...); got != c.want {
				t.Errorf("got %s, want %s", got, c.want)
			}
		})
	}
}

func TestRead_SaysWhichColumnsThereAre(t *testing.T) {
	t.Parallel()
	_, err := statement.Read([]byte("Date,Description,Amount\n2026-03-02,Rent,-500.00\n"), statement.Hints{"amount_column": "Betrag"})
	if ledger.KindOf(err) != ledger.KindInvalid || !strings.Contains(err.Error(), "Date, Description, Amount") {
		t.Errorf("got %v, want the columns to choose from", err)
	}
}

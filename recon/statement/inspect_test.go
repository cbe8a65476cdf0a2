package statement_test

import (
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"daybook/recon/statement"
	"daybook/store/ledger"
)

func inspect(t *testing.T, file string, hints statement.Hints) *statement.Inspection {
	t.Helper()
	found, err := statement.Inspect([]byte(file), hints)
	if err != nil {
		t.Fatal(err)
	}
	return found
}

// asked gives a question in one line.
func asked(q *statement.Question) string {
	if q == nil {
		return "nothing"
	}
	words := fmt.Sprintf("%s of row %d %q", q.Hint, q.Row, q.Sample)
	for _, a := range q.Answers {
		words += fmt.Sprintf("; %s: %s", a.Value, a.Meaning)
	}
	return words
}

func TestInspect_AsksTheOneQuestionThatStandsInTheWay(t *testing.T) {
	t.Parallel()
	euros := statement.Hints{"currency": "EUR"}
	for name, c := range map[string]struct {
		file  string
		hints statement.Hints
		want  string
	}{
		"which number is the month": {"Date,Amount\n03/04/2026,1.50\n05/04/2026,2.50\n", euros,
			`date_format of row 2 "03/04/2026"; dd/mm/yyyy: 3 April 2026; mm/dd/yyyy: 4 March 2026`},
		"dates of two orders": {"Date,Amount\n13/04/2026,1.50\n05/14/2026,2.50\n", euros,
			`date_format of row 2 "13/04/2026"; dd/mm/yyyy: 13 April 2026; mm/dd/yyyy: no day of the calendar: such rows are rejected`},
		"thousands or decimals": {"Date;Amount\n2026-03-02;1.250\n2026-03-03;30\n", statement.Hints{"currency": "KWD"},
			`decimal of row 2 "1.250"; .: 1.250 KWD; ,: 1250.000 KWD`},
		"which of two accounts": {"Account number,Date,Amount\nNL01BANK0123,2026-03-02,1.50\nNL02BANK0456,2026-03-02,2.50\nNL01BANK0123,2026-03-03,2.50\n", euros,
			`account of row 0 ""; NL01BANK0123: 2 rows, the first in row 2; NL02BANK0456: 1 row, the first in row 3`},
		"which rows of two currencies": {"Date,Amount,Currency\n2026-03-02,1.50,EUR\n2026-03-03,2.50,USD\n", nil,
			`include_rows of row 0 ""; {"column":"#3","value":"EUR"}: 1 row in EUR; {"column":"#3","value":"USD"}: 1 row in USD`},
		"the currency": {"Date,Amount\n2026-03-02,1.50\n2026-03-03,2.50\n", nil, `currency of row 0 ""`},
		"the year":     {"Date,Amount\n02.03.,1.50\n03.03.,2.50\n", euros, `period_start of row 2 "02.03."`},
		"the encoding": {"Datum;Betrag;Text\n2026-03-02;1,50;\x81\x8d caf\xe9\n", euros, `encoding of row 0 ""`},
		"which is the amount": {"Huhr;Zzam;Qwer\n2026-03-02;1,50;7,25\n2026-03-03;2,50;8,10\n", euros,
			`amount_column of row 2 ""; #2: Zzam: 1,50; #3: Qwer: 7,25`},
		"which is the date": {"Huhr;Zzam;Qwer\n2026-03-02;2026-03-04;7,25\n2026-03-03;2026-03-05;8,10\n", euros,
			`date_column of row 2 ""; #1: Huhr: 2026-03-02; #2: Zzam: 2026-03-04`},
		"which of two of a name": {"Datum;Betrag;Betrag;Text\n2026-03-02;1,50;7,25;a\n2026-03-03;2,50;8,10;b\n", euros,
			`amount_column of row 2 ""; #2: Betrag: 1,50; #3: Betrag: 7,25`},
		"what tells money in from money out": {"Date,Kind,Amount,Balance\n2026-03-02,Up,10.00,110.00\n2026-03-03,Down,5.00,105.00\n2026-03-04,Up,1.00,108.00\n", euros,
			`direction_column of row 3 "5.00"; #2: Kind: Down, Up`},
		"nothing that no hint settles":           {"Date,Amount,Balance\n2026-03-02,10.00,110.00\n2026-03-03,-5.00,100.00\n2026-03-04,-1.00,99.00\n", euros, `nothing`},
		"nothing of a quote that does not close": {"Date,Amount\n2026-03-02,\"1.50\n2026-03-03,2.50\n", euros, `nothing`},
		"nothing of an empty file":               {"", euros, `nothing`},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			found := inspect(t, c.file, c.hints)
			got := asked(found.Question)
			if c.want == `encoding of row 0 ""` { // what it reads as in some twelve encodings is theirs to say
				got, _, _ = strings.Cut(got, ";")
			}
			if got != c.want {
				t.Errorf("asked\n%s, want\n%s\nrefused: %v", got, c.want, found.Refusal)
			}
			if found.Question != nil && found.Refusal == nil {
				t.Error("a question stands in the way of nothing")
			}
		})
	}
}

// Whatever is answered to a question is a hint, and the same question does not come again.
func TestInspect_AnAnswerSettlesItsQuestion(t *testing.T) {
	t.Parallel()
	for _, file := range []string{
		"Date,Amount\n03/04/2026,1.50\n05/04/2026,2.50\n",
		"Date;Amount\n2026-03-02;1.250\n2026-03-03;30\n",
		"Account number,Date,Amount\nNL01BANK0123,2026-03-02,1.50\nNL02BANK0456,2026-03-02,2.50\n",
		"Huhr;Zzam;Qwer\n2026-03-02;1,50;7,25\n2026-03-03;2,50;8,10\n",
		"Huhr;Zzam;Qwer\n2026-03-02;2026-03-04;7,25\n2026-03-03;2026-03-05;8,10\n",
		"Datum;Betrag;Betrag;Text\n2026-03-02;1,50;7,25;a\n2026-03-03;2,50;8,10;b\n",
		"Datum;Betrag;Text\n2026-03-02;1,50;\x81\x8d caf\xe9\n2026-03-03;1,50;\x81\n",
	} {
		hints := statement.Hints{"currency": "KWD"}
		first := inspect(t, file, hints).Question
		if first == nil || len(first.Answers) < 2 {
			t.Fatalf("%q asks %s", file, asked(first))
		}
		for _, answer := range first.Answers {
			hints[first.Hint] = answer.Value
			if next := inspect(t, file, hints).Question; next != nil && next.Hint == first.Hint {
				t.Errorf("%q asks again, after %s=%s: %s", file, first.Hint, answer.Value, asked(next))
			}
		}
	}
}

func TestInspect_ShowsTheFileThatIsRefused(t *testing.T) {
	t.Parallel()
	found := inspect(t, "Bank of Nowhere\nBalance;12\n\nHuhr;Zzam;Qwer\nx;y;z\nu;v;w\n", statement.Hints{"currency": "EUR"})
	if found.Refusal == nil || found.Refusal.Class != statement.ClassMalformed || found.Statement != nil {
		t.Fatalf("refused: %v", found.Refusal)
	}
	want := []statement.SampleRow{{Row: 1, Cells: []string{"Bank of Nowhere"}}, {Row: 2, Cells: []string{"Balance", "12"}}, {Row: 4, Cells: []string{"Huhr", "Zzam", "Qwer"}},
		{Row: 5, Cells: []string{"x", "y", "z"}}, {Row: 6, Cells: []string{"u", "v", "w"}}}
	if !reflect.DeepEqual(found.Sample, want) || found.Settings.Delimiter != ";" || len(found.Settings.Columns) != 3 {
		t.Errorf("sample %v, settings %+v", found.Sample, found.Settings)
	}
}

func TestInspect_TakesTheHeaderWhereItIsTold(t *testing.T) {
	t.Parallel()
	file := "My account 2026\nHuhr;Zzam;Qwer\n2026-03-02;1,50;a\n2026-03-03;2,50;b\n"
	found := inspect(t, file, statement.Hints{"currency": "EUR", "header_row": "2", "date_column": "Huhr", "amount_column": "Zzam"})
	if found.Refusal != nil || len(found.Statement.Lines) != 2 || found.Settings.HeaderRow != 2 || found.Settings.By["header_row"] != statement.ByHint {
		t.Errorf("refused %v, settings %+v", found.Refusal, found.Settings)
	}
	if want := []statement.SampleRow{{Row: 1, Cells: []string{"My account 2026"}}}; !reflect.DeepEqual(found.Preamble, want) {
		t.Errorf("preamble %v", found.Preamble)
	}
	bare := inspect(t, "2026-03-02;1,50;a\n2026-03-03;2,50;b\n", statement.Hints{"currency": "EUR", "header_row": "0"})
	if bare.Refusal != nil || len(bare.Statement.Lines) != 2 || bare.Settings.HeaderRow != 0 {
		t.Errorf("without a header: %v, %+v", bare.Refusal, bare.Settings)
	}
	for _, row := range []string{"9", "-1", "two"} {
		_, err := statement.Inspect([]byte(file), statement.Hints{"header_row": row})
		if ledger.KindOf(err) != ledger.KindInvalid || !strings.Contains(err.Error(), "hint.header_row") {
			t.Errorf("header_row=%s: %v", row, err)
		}
	}
}

func TestInspect_LeavesAColumnOutThatIsToldToBeNone(t *testing.T) {
	t.Parallel()
	file := "Date,Amount,Balance,Description,Counterparty\n2026-03-02,1.50,900.00,Rent,Owner\n2026-03-03,2.50,10.00,Food,Shop\n"
	if found := inspect(t, file, statement.Hints{"currency": "EUR"}); found.Refusal == nil || found.Refusal.Class != statement.ClassBalance {
		t.Fatalf("with the balance: %v", found.Refusal)
	}
	found := inspect(t, file, statement.Hints{"currency": "EUR", "balance_column": "#0", "description_column": "#0"})
	if found.Refusal != nil || found.Statement.Lines[0].BalanceMinor != nil || found.Statement.Lines[0].Description != "Owner" {
		t.Errorf("without it: %v, %+v", found.Refusal, found.Statement)
	}
	sides := "Date,Amount,Debit,Credit\n2026-03-02,1.50,3.00,\n2026-03-03,2.50,,4.00\n"
	found = inspect(t, sides, statement.Hints{"currency": "EUR", "amount_column": "#0"})
	if found.Refusal != nil || found.Statement.Lines[0].AmountMinor != -300 || found.Settings.Amounts != statement.AmountsSides {
		t.Errorf("without an amount column: %v, %+v", found.Refusal, found.Settings)
	}
}

func TestInspect_TellsHowTheFileIsWritten(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		file  string
		hints statement.Hints
		want  string
	}{
		"signed": {"Datum;Betrag\n15.03.2026;-1.234,50\n16.03.2026;2,00\n", statement.Hints{"currency": "EUR"},
			`utf-8 file, ";" file, header 1 file, dd.mm.yyyy file, "," file, thousands ".", signed, currency EUR told`},
		"sides": {"Date,Debit,Credit\n2026-03-02,\"1,234.50\",\n2026-03-03,,2.00\n", statement.Hints{"currency": "EUR", "decimal": "."},
			`utf-8 file, "," file, header 1 file, yyyy-mm-dd file, "." told, thousands ",", sides, currency EUR told`},
		"directed": {"Date\tAmount EUR\tDebit/Credit\n2026-03-02\t3.00\tD\n2026-03-03\t2.00\tC\n", statement.Hints{"delimiter": "tab"},
			`utf-8 file, "\t" told, header 1 file, yyyy-mm-dd file, "." file, thousands "", direction, currency EUR file`},
		"marked": {"Date,Amount\n2026-03-02,3.00 Cr\n2026-03-03,2.00\n", statement.Hints{"currency": "EUR"},
			`utf-8 file, "," file, header 1 file, yyyy-mm-dd file, "." file, thousands "", marked, currency EUR told`},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := inspect(t, c.file, c.hints).Settings
			got := fmt.Sprintf("%s %s, %q %s, header %d %s, %s %s, %q %s, thousands %q, %s, currency %s %s", s.Encoding, s.By["encoding"], s.Delimiter, s.By["delimiter"],
				s.HeaderRow, s.By["header_row"], s.DateFormat, s.By["date_format"], s.Decimal, s.By["decimal"], s.Thousands, s.Amounts, s.Currency, s.By["currency"])
			if got != c.want {
				t.Errorf("got  %s\nwant %s", got, c.want)
			}
		})
	}
}

func TestInspect_NamesHintsThatTheRowsContradict(t *testing.T) {
	t.Parallel()
	file := "Date;Amount\n03/04/2026;1,50\n03/14/2026;2,50\n"
	found := inspect(t, file, statement.Hints{"currency": "EUR", "date_format": "dd/mm/yyyy", "decimal": "."})
	var hints []string
	for _, c := range found.Settings.Contradictions {
		hints = append(hints, fmt.Sprint(c.Hint, " ", c.Row))
	}
	if got := strings.Join(hints, ", "); got != "date_format 3, decimal 2" {
		t.Errorf("contradicted are %s", got)
	}
	if found = inspect(t, file, statement.Hints{"currency": "EUR", "date_format": "mm/dd/yyyy", "decimal": ","}); len(found.Settings.Contradictions) > 0 {
		t.Errorf("contradicted are %v", found.Settings.Contradictions)
	}
}

func TestHeaders_KnowAFileByItsLayout(t *testing.T) {
	t.Parallel()
	fingerprint := func(file string) string {
		return inspect(t, file, statement.Hints{"currency": "EUR"}).Settings.HeaderFingerprint
	}
	knows := func(file, print string) int {
		headers, err := statement.Headers([]byte(file), nil)
		if err != nil {
			t.Fatal(err)
		}
		row, known := headers[print]
		if !known {
			return -1
		}
		return row
	}
	march, april := "Datum;Betrag;Text\n02.03.2026;1,50;a\n03.03.2026;2,50;b\n", "Report of April\n\nDATUM ;Betrag;Text\n02.04.2026;7;c\n"
	if row := knows(april, fingerprint(march)); row != 3 {
		t.Errorf("the header of March is in row %d of April", row)
	}
	bare := fingerprint("02.03.2026;1,50;a;\n03.03.2026;2,50;b;\n")
	for file, want := range map[string]int{
		"04.04.2026;9,75;;x\n05.04.2026;19,75;y;x\n": 0, "04.04.2026;9,75;a\n": -1, "a;9,75;04.04.2026;\nb;9,75;05.04.2026;\n": -1, march: -1,
		"PK\x03\x04": -1, "": -1, "no table": -1,
	} {
		if row := knows(file, bare); row != want {
			t.Errorf("%q: known in row %d, want %d", file, row, want)
		}
	}
}

func lasting(t *testing.T, file string, found *statement.Inspection, told statement.Hints) statement.Hints {
	t.Helper()
	return found.Lasting([]byte(file), told, told)
}

// What a profile keeps of a file reads that file as it was read, and leaves nothing open that the file settled.
func TestLasting_ReadsTheFileAsItWasRead(t *testing.T) {
	t.Parallel()
	files, err := filepath.Glob("testdata/layouts/*.csv")
	corpus, err2 := filepath.Glob("testdata/corpus/*/statement.*")
	if err != nil || err2 != nil || len(files) == 0 || len(corpus) == 0 {
		t.Fatal(err, err2, len(files), len(corpus))
	}
	read := 0
	for _, file := range append(files, corpus...) {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		told := statement.Hints{"currency": "EUR"}
		found := inspect(t, string(data), told)
		if found.Refusal != nil {
			continue
		}
		read++
		kept := lasting(t, string(data), found, told)
		again := inspect(t, string(data), kept)
		if again.Refusal != nil {
			t.Errorf("%s is refused under %v: %v", file, kept, again.Refusal)
			continue
		}
		first, second := *found.Statement, *again.Statement
		first.Settings, second.Settings = statement.Settings{}, statement.Settings{}
		if !reflect.DeepEqual(first, second) {
			t.Errorf("%s is read otherwise under %v:\n%+v\n%+v", file, kept, first, second)
		}
		if len(again.Settings.Contradictions) > 0 {
			t.Errorf("%s contradicts %v", file, again.Settings.Contradictions)
		}
	}
	if read < 30 {
		t.Errorf("only %d files were read", read)
	}
}

func TestLasting_KeepsWhatTheNextMonthLeavesOpen(t *testing.T) {
	t.Parallel()
	march := "Huhr;Zzam;Qwer;Zzam 2\n13/03/2026;1.050,10;a;900,00\n14/03/2026;20,00;b;920,00\n15/03/2026;-20,00;c;900,00\n"
	told := statement.Hints{"currency": "EUR", "period_start": "2026-03-01", "period_end": "2026-03-31", "description_column": "#3"}
	kept := lasting(t, march, inspect(t, march, told), told)
	want := statement.Hints{"currency": "EUR", "description_column": "Qwer", "date_format": "dd/mm/yyyy", "decimal": ",", "date_column": "Huhr", "amount_column": "Zzam", "balance_column": "Zzam 2", "direction_column": "#0"}
	if !reflect.DeepEqual(kept, want) {
		t.Errorf("kept %v, want %v", kept, want)
	}
	april := inspect(t, "Huhr;Zzam;Qwer;Zzam 2\n03/04/2026;7;d;907\n", kept)
	if april.Refusal != nil || april.Statement.Lines[0].Date != ledger.MustDate("2026-04-03") || april.Statement.Lines[0].AmountMinor != 700 {
		t.Errorf("April: %v, %+v", april.Refusal, april.Statement)
	}
}

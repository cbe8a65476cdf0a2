package statement_test

import (
	"bytes"
	"errors"
	"fmt"
	"runtime"
	"strings"
	"testing"

	"daybook/recon/statement"
)

// TestRead_RefusesWhatIsNoStatement feeds what people upload by mistake or on purpose.
func TestRead_RefusesWhatIsNoStatement(t *testing.T) {
	t.Parallel()
	header := "Date,Description,Amount,Currency\n"
	for name, c := range map[string]struct {
		data  []byte
		class statement.Class
	}{
		"nothing":             {nil, statement.ClassEmpty},
		"a mark and blanks":   {[]byte("\ufeff\n  \n;;\n"), statement.ClassEmpty},
		"prose":               {[]byte("Dear customer,\nyour statement is attached.\n"), statement.ClassMalformed},
		"a NUL":               {[]byte(header + "2026-03-02,Ca\x00fe,1.00,EUR\n"), statement.ClassMalformed},
		"broken UTF-8":        {[]byte(header + "2026-03-02,Caf\xc3\xa9 \xc3\xa9,1.00,EUR\n2026-03-02,\xc3(,1.00,EUR\n"), statement.ClassMalformed},
		"an open quote":       {[]byte(header + "2026-03-02,\"Rent,1.00,EUR\n2026-03-03,Rent,1.00,EUR\n"), statement.ClassMalformed},
		"a swallowed quote":   {[]byte(header + "2026-03-02,\"Rent,1.00,EUR\n2026-03-03,\"Rent\",1.00,EUR\n"), statement.ClassMalformed},
		"a zip":               {[]byte("PK\x03\x04" + strings.Repeat("\x00", 100)), statement.ClassMalformed},
		"a workbook":          {[]byte("PK\x03\x04" + strings.Repeat("\x00", 30) + "xl/workbook.xml"), statement.ClassMalformed},
		"a PDF":               {[]byte("%PDF-1.7\n%\xe2\xe3"), statement.ClassMalformed},
		"JSON":                {[]byte(`{"date":"2026-03-02","amount":1}`), statement.ClassMalformed},
		"NULs":                {make([]byte, 1<<20), statement.ClassMalformed},
		"marks of order":      {bytes.Repeat([]byte("\ufeff"), 1<<20), statement.ClassEmpty},
		"line ends":           {bytes.Repeat([]byte("\r"), 1<<20), statement.ClassEmpty},
		"quotes":              {bytes.Repeat([]byte(`"`), 1<<20), statement.ClassEmpty},
		"pairs of quotes":     {bytes.Repeat([]byte(`"","",`), 1<<18), statement.ClassEmpty},
		"broken UTF-16":       {append([]byte("\xff\xfe"), bytes.Repeat([]byte{0x00, 0xd8, 0x41, 0x00}, 1<<16)...), statement.ClassMalformed},
		"wide further down":   {[]byte(header + strings.Repeat("2026-03-02,Rent,1.00,EUR\n", 999) + strings.Repeat("x,", 2_000)), statement.ClassMalformed},
		"one endless line":    {bytes.Repeat([]byte("a"), 20<<20), statement.ClassMalformed},
		"one endless quote":   {append([]byte(header+"2026-03-02,\""), bytes.Repeat([]byte("a\n"), 5<<20)...), statement.ClassMalformed},
		"millions of columns": {[]byte("Date,Amount" + strings.Repeat(",x", 5_000_000)), statement.ClassMalformed},
		"too many bytes":      {bytes.Repeat([]byte("2026-03-02,Rent,1.00,EUR\n"), statement.MaxFileBytes/25+1), statement.ClassMalformed},
		"too many rows":       {append([]byte(header), bytes.Repeat([]byte("x\n"), statement.MaxRows+1)...), statement.ClassMalformed},
		"twin amounts":        {[]byte("date,amount,amount,currency\n2026-03-02,10.00,99.00,EUR\n2026-03-03,11.00,88.00,EUR\n"), statement.ClassMalformed},
		"stray quotes":        {bytes.Repeat([]byte(strings.Repeat(`"a,`, 999)+"\n"), 2_000), statement.ClassMalformed},
		"stray quotes in one": {bytes.Repeat([]byte(strings.Repeat(`"a`, 60_000)+"\",\n"), 5), statement.ClassMalformed},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			_, err := statement.Read(c.data, nil)
			var refusal *statement.Refusal
			if !errors.As(err, &refusal) || refusal.Class != c.class || refusal.Detail == "" {
				t.Errorf("got %v, want a refusal as %s", err, c.class)
			}
		})
	}
}

// TestRead_MemoryStaysInProportion feeds files that are made to cost many times their size. It runs alone, since it measures the whole program.
func TestRead_MemoryStaysInProportion(t *testing.T) {
	const header = "Date,Description,Amount,Currency\n"
	rows := func(n int, row func(i int) string) string {
		var b strings.Builder
		for i := range n {
			b.WriteString(row(i))
		}
		return b.String()
	}
	for name, c := range map[string]struct {
		text  string
		hints statement.Hints
	}{
		"many rows": {text: "Date,Description,Debit,Credit,Balance,Currency\n" + rows(50_000, func(i int) string {
			return fmt.Sprintf("2026-03-%02d,\"Payment %d, to somebody\",%d.50,,%d.50,EUR\n", 1+i*28/50_000, i, 1, -i-1-i/2)
		})},
		"one line that is continued": {text: header + "2026-03-02,Rent,1.00,EUR\n" + strings.Repeat(",and so on and so on and so on,,\n", 20_000)},
		"rows by an unknown column of long names": {
			text:  strings.Replace(header, "Description", strings.Repeat("Description ", 10_000), 1) + strings.Repeat("2026-03-02,Rent,1.00,EUR\n", 20_000),
			hints: statement.Hints{"include_rows": `{"column":"Type","value":"Payment"}`},
		},
		"columns of text": {text: "Date,Amount" + strings.Repeat(",Description", 900) + "\n" + rows(20, func(int) string {
			return "2026-03-02,1.00" + rows(900, func(i int) string { return fmt.Sprintf(",%d%s", i, strings.Repeat("x", 100)) }) + "\n"
		}), hints: statement.Hints{"currency": "EUR"}},
		"a preamble of balances": {text: strings.Repeat(strings.Repeat("Opening balance,", 900)+"\n", 100) + header + "2026-03-02,Rent,1.00,EUR\n"},
		"parts of many accounts": {text: rows(2_000, func(i int) string {
			return fmt.Sprintf("Account: %d\n%s2026-03-02,Rent,1.00,EUR\n", 1_000_000+i, header)
		})},
		"a column of types that has none": {text: "Date,Description,Amount,Balance,Currency\n" + rows(20_000, func(i int) string {
			return fmt.Sprintf("2026-03-02,Payment %d,%d.00,%d.00,EUR\n", i, 1+i%2, 100+i%2)
		})},
		"Windows-1252 of three bytes a letter": {text: header + strings.Repeat("2026-03-02,"+strings.Repeat("\x80", 200)+",1.00,EUR\n", 5_000)},
	} {
		t.Run(name, func(t *testing.T) {
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			_, err := statement.Read([]byte(c.text), c.hints)
			runtime.ReadMemStats(&after)
			var refusal *statement.Refusal
			if err != nil && !errors.As(err, &refusal) {
				t.Fatal(err)
			}
			if spent := after.TotalAlloc - before.TotalAlloc; spent > uint64(60*len(c.text)) {
				t.Errorf("%d bytes allocated for a file of %d, %d times as many", spent, len(c.text), spent/uint64(len(c.text)))
			}
		})
	}
}

// What is continued over many rows is whole all the same, and each of the rows is told.
func TestRead_KeepsTheTextOfALineThatIsContinued(t *testing.T) {
	t.Parallel()
	read, err := statement.Read([]byte("Date,Description,Amount,Currency\n2026-03-02,Rent,1.00,EUR\n,for March,,\n, and  April,,\n2026-03-03,Tea,2.00,EUR\n,green,,\n"), nil)
	if err != nil {
		t.Fatal(err)
	}
	if len(read.Lines) != 2 || read.Lines[0].Description != "Rent for March and April" || read.Lines[1].Description != "Tea green" || len(read.Skipped) != 3 {
		t.Errorf("got %+v, skipped %+v", read.Lines, read.Skipped)
	}
}

// What is said about a file never repeats a large part of it.
func TestInspect_ShowsTheBeginningOfWhatIsLong(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("x", 200_000)
	for name, c := range map[string]struct {
		text  string
		hints statement.Hints
	}{
		"a cell":    {"Date,Description,Amount,Currency\n2026-03-02," + long + ",1.00,EUR\n", nil},
		"a name":    {"Date," + long + ",Paid\n2026-03-02,Rent,x\n2026-03-03,Rent,y\n", nil},
		"an amount": {"Date,Amount,Balance,Currency\n2026-03-02,1.00,5.00,EUR\n2026-03-03,1.00,9.00,EUR" + strings.Repeat(" ", 200_000) + "\n", nil},
		"an account": {"Date,Amount,Account,Currency\n2026-03-02,1.00," + long + ",EUR\n2026-03-02,1.00,12345678,EUR\n",
			statement.Hints{"account": "12345"}},
		"a preamble": {long + "\nDate,Amount,Currency\n2026-03-02,1.00,EUR\n", nil},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			found, err := statement.Inspect([]byte(c.text), c.hints)
			if err != nil {
				t.Fatal(err)
			}
			said := fmt.Sprint(found.Preamble, found.Sample, found.RefusedRow, found.Question)
			if found.Refusal != nil {
				said += found.Refusal.Error()
			}
			if len(said) > 20_000 {
				t.Errorf("%d bytes are shown: %.200s", len(said), said)
			}
		})
	}
	for _, hint := range []string{"currency", "amount_column", "sign", "include_rows", "account", "direction_debit", long} {
		_, err := statement.Inspect([]byte("Date,Amount\n2026-03-02,1.00\n"), statement.Hints{hint: long})
		if err == nil || len(err.Error()) > 2_000 {
			t.Errorf("hint %.20s: %d bytes are said", hint, len(fmt.Sprint(err)))
		}
	}
}

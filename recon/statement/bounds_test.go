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

// A file of many rows must not cost many times its size.
func TestRead_MemoryStaysInProportion(t *testing.T) {
	var b bytes.Buffer
	b.WriteString("Date,Description,Debit,Credit,Balance,Currency\n")
	const rows = 50_000
	for i := range rows {
		fmt.Fprintf(&b, "2026-03-%02d,\"Payment %d, to somebody\",%d.50,,%d.50,EUR\n", 1+i*28/rows, i, 1, -i-1-i/2)
	}
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	_, err := statement.Read(b.Bytes(), nil)
	runtime.ReadMemStats(&after)
	var refusal *statement.Refusal
	if !errors.As(err, &refusal) || refusal.Class != statement.ClassBalance || len(refusal.Statement.Lines) != rows {
		t.Fatalf("got %v, want a balance that does not add up over %d lines", err, rows)
	}
	if spent := after.TotalAlloc - before.TotalAlloc; spent > uint64(60*b.Len()) {
		t.Errorf("%d bytes allocated for a file of %d", spent, b.Len())
	}
}

package store_test

import (
	"bytes"
	"fmt"
	"os"
	"strconv"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"daybook/store"
	"daybook/store/ledger"
	"daybook/store/postgres"
	"daybook/store/postgres/pgtest"
)

// benchLines is how many lines the bench stores, 100,000 unless told otherwise.
func benchLines() int {
	if n, err := strconv.Atoi(os.Getenv("DAYBOOK_BENCH_LINES")); err == nil {
		return n
	}
	return 100_000
}

// storedBy are the tables that an import fills.
var storedBy = []string{"statement_lines", "statement_rows", "matches", "match_lines", "match_postings", "breaks", "break_lines", "break_postings", "break_events", "reconciliation_breaks"}

// BenchmarkUploadStatement stores a long file and holds it against as many postings: 96 lines of 100 match. It reports how many rows that stores a
// second, how many COPY stores of the same rows into tables with the same indexes, and the share of the two in percent.
func BenchmarkUploadStatement(b *testing.B) {
	lines := benchLines()
	for b.Loop() {
		b.StopTimer()
		books, actor, ownerURL := stage(b, lines)
		data := bankOf(lines)
		b.StartTimer()
		began := time.Now()
		if _, _, err := books.UploadStatement(b.Context(), actor, "", store.Upload{Account: "1010", FileName: "bench.csv", Data: data,
			PeriodFrom: ledger.MustDate("2026-01-01"), PeriodTo: ledger.MustDate("2026-03-31")}); err != nil {
			b.Fatal(err)
		}
		took := time.Since(began)
		b.StopTimer()
		rows, copied := copies(b, ownerURL)
		b.ReportMetric(float64(rows)/took.Seconds(), "rows/s")
		b.ReportMetric(float64(lines)/took.Seconds(), "lines/s")
		b.ReportMetric(float64(rows)/copied.Seconds(), "copied-rows/s")
		b.ReportMetric(100*copied.Seconds()/took.Seconds(), "%-of-copy")
		b.StartTimer()
	}
}

// stage is a book with as many postings of 1010 as there are lines.
func stage(b *testing.B, lines int) (*store.Store, store.Actor, string) {
	b.Helper()
	must := func(err error) {
		b.Helper()
		if err != nil {
			b.Fatal(err)
		}
	}
	ownerURL, appURL := pgtest.New(b)
	db, err := postgres.Open(b.Context(), appURL)
	must(err)
	at := time.Date(2026, 4, 1, 10, 0, 0, 0, time.UTC)
	books := store.New(db, func() time.Time { return at }, store.WithPasswordCost(64, 1), store.WithJobLines(10*lines))
	b.Cleanup(func() { must(books.Close()) })
	book, err := books.AddBook(b.Context(), "main", "Main book", "EUR")
	must(err)
	user, err := books.AddUser(b.Context(), "bench@demo.test", "bench", password)
	must(err)
	for _, role := range []store.Role{store.Preparer, store.Admin} {
		must(books.GrantRole(b.Context(), book, user.ID, role))
	}
	actor, err := books.Actor(b.Context(), user.ID, "main")
	must(err)
	for code, kind := range map[string]ledger.AccountType{"1010": ledger.Asset, "customer:alice": ledger.Liability} {
		_, _, err := books.OpenAccount(b.Context(), actor, "", ledger.Account{Code: code, Name: code, Type: kind, Currency: "EUR"})
		must(err)
	}
	const atOnce = 5000
	for from := 0; from < lines; from += atOnce {
		var entries []ledger.Entry
		for i := from; i < min(from+atOnce, lines); i++ {
			entries = append(entries, entry(fmt.Sprintf("tx-%d", i), on(benchDay(i)), amount(benchMinor(i)), described("Payment of customer "+strconv.Itoa(i%500)), noting("reference", "INV-"+strconv.Itoa(i))))
		}
		must(books.PostEntries(b.Context(), actor, entries))
	}
	return books, actor, ownerURL
}

func benchDay(i int) string  { return fmt.Sprintf("2026-%02d-%02d", 1+i%3, 1+i/3%28) }
func benchMinor(i int) int64 { return int64(100 + i*7919%100_000) }
func bankOf(lines int) []byte {
	var file bytes.Buffer
	file.WriteString("Date,Amount,Reference,Description\n")
	for i := range lines {
		minor, reference := benchMinor(i), "INV-"+strconv.Itoa(i)
		switch i % 100 {
		case 7, 57:
			reference = "" // matched by amount and day, or several candidates
		case 11:
			minor += 35
		case 23:
			reference = "other-" + strconv.Itoa(i)
		}
		fmt.Fprintf(&file, "%s,%d.%02d,%s,Incoming payment of customer %d\n", benchDay(i), minor/100, minor%100, reference, i%500)
	}
	return file.Bytes()
}

// copies stores the rows once more by COPY, into tables with the same columns, checks and indexes.
func copies(b *testing.B, ownerURL string) (rows int64, took time.Duration) {
	b.Helper()
	conn, err := pgx.Connect(b.Context(), ownerURL)
	if err != nil {
		b.Fatal(err)
	}
	defer conn.Close(b.Context())
	for _, table := range storedBy {
		var held bytes.Buffer
		if _, err := conn.PgConn().CopyTo(b.Context(), &held, "COPY "+table+" TO STDOUT"); err != nil {
			b.Fatal(err)
		}
		if _, err := conn.Exec(b.Context(), "CREATE TABLE copy_of_"+table+" (LIKE "+table+" INCLUDING ALL)"); err != nil {
			b.Fatal(err)
		}
		began := time.Now()
		tag, err := conn.PgConn().CopyFrom(b.Context(), &held, "COPY copy_of_"+table+" FROM STDIN")
		if err != nil {
			b.Fatal(err)
		}
		took += time.Since(began)
		rows += tag.RowsAffected()
		b.Logf("%s: %d rows copied in %v", table, tag.RowsAffected(), time.Since(began))
	}
	return rows, took
}

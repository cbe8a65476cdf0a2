package store

import (
	"cmp"
	"database/sql/driver"
	"fmt"
	"strings"

	"gorm.io/gorm"

	"daybook/store/ledger"
)

// array hands a slice to Postgres as one array parameter; GORM would spell a bare slice out.
type array[T any] []T

// Value is the slice itself, which the driver encodes.
func (a array[T]) Value() (driver.Value, error) { return []T(a), nil }

// query runs a SELECT (or a statement with RETURNING) and scans all rows. No row is an empty slice. GORM's Scan would write each statement
// out with its arguments for a log that nobody keeps.
func query[T any](tx *gorm.DB, sql string, args ...any) (found []T, err error) {
	rows, err := tx.Raw(sql, args...).Rows()
	if err != nil {
		return nil, orOutage(err)
	}
	defer rows.Close()
	if rows.Next() {
		err = tx.ScanRows(rows, &found)
	}
	if err = cmp.Or(err, rows.Err()); err != nil {
		return nil, orOutage(err)
	}
	return found, nil
}

// queryEach is query for many rows: each is read as it comes in.
func queryEach(tx *gorm.DB, read func(scan func(into ...any) error) error, sql string, args ...any) error {
	rows, err := tx.Raw(sql, args...).Rows()
	if err != nil {
		return orOutage(err)
	}
	defer rows.Close()
	for rows.Next() {
		if err := read(rows.Scan); err != nil {
			return orOutage(err)
		}
	}
	return orOutage(rows.Err())
}

// queryOne is query for exactly one row; none is KindNotFound with the message.
func queryOne[T any](tx *gorm.DB, notFound, sql string, args ...any) (T, error) {
	rows, err := query[T](tx, sql, args...)
	if err != nil {
		return *new(T), err
	}
	if len(rows) == 0 {
		return *new(T), ledger.Refuse(ledger.KindNotFound, "%s", notFound)
	}
	return rows[0], nil
}

// exec runs a statement and gives the number of rows it touched.
func exec(tx *gorm.DB, sql string, args ...any) (int64, error) {
	result := tx.Exec(sql, args...)
	return result.RowsAffected, orOutage(result.Error)
}

// takeTurn waits until no other transaction, on whatever server, has the turn of that name; it ends with the transaction.
func takeTurn(tx *gorm.DB, name string) error {
	_, err := exec(tx, `SELECT pg_advisory_xact_lock(hashtextextended(?, 0))`, "daybook "+name)
	return err
}

// nextNumber gives out the first of count fresh numbers of a kind of record in a book.
func nextNumber(tx *gorm.DB, bookID int64, kind string, count int64) (int64, error) {
	last, err := queryOne[int64](tx, "no number", `
		INSERT INTO numbers (book_id, kind, last) VALUES (?, ?, ?)
		ON CONFLICT (book_id, kind) DO UPDATE SET last = numbers.last + excluded.last
		RETURNING last`, bookID, kind, count)
	if err != nil {
		return 0, fmt.Errorf("number a %s: %w", kind, err)
	}
	return last - count + 1, nil
}

func nullable(n int64) *int64 {
	if n == 0 {
		return nil
	}
	return &n
}

func valueOf(n *int64) int64 {
	if n == nil {
		return 0
	}
	return *n
}

// storable makes a text of a bank's file one that Postgres can hold: without NUL and in valid UTF-8.
func storable(s string) string {
	return strings.ToValidUTF8(strings.ReplaceAll(s, "\x00", "\uFFFD"), "\uFFFD")
}

// containing is the pattern of LIKE that finds a text anywhere, beginning the one that finds it in front.
func containing(text string) string { return "%" + beginning(text) }

func beginning(text string) string {
	return strings.NewReplacer(`\`, `\\`, `%`, `\%`, `_`, `\_`).Replace(text) + "%"
}

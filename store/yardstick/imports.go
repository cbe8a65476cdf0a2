package yardstick

import (
	"bytes"
	"context"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"
)

// storedByImport are the tables that an import fills.
var storedByImport = []string{"statement_lines", "statement_rows", "matches", "match_lines", "match_postings", "breaks", "break_lines", "break_postings", "break_events",
	"reconciliation_breaks"}

// CopyImport brings the rows that imports into a book stored by COPY into empty tables with the same columns, checks and indexes, in one transaction.
// It gives how many rows there are, and how long COPY and COMMIT took; reading them is not counted.
func (y Yardstick) CopyImport(ctx context.Context, book int64) (rows int64, took time.Duration, err error) {
	err = y.connected(ctx, func(conn *pgx.Conn) error {
		held := make([]bytes.Buffer, len(storedByImport))
		for i, table := range storedByImport {
			if _, err := conn.PgConn().CopyTo(ctx, &held[i], fmt.Sprintf("COPY (SELECT * FROM %s WHERE book_id = %d) TO STDOUT", table, book)); err != nil {
				return fmt.Errorf("read %s to copy: %w", table, err)
			}
			if _, err := conn.Exec(ctx, fmt.Sprintf("DROP TABLE IF EXISTS copy_of_%[1]s; CREATE TABLE copy_of_%[1]s (LIKE %[1]s INCLUDING ALL)", table)); err != nil {
				return fmt.Errorf("make room for a copy of %s: %w", table, err)
			}
		}
		start := time.Now()
		tx, err := conn.Begin(ctx)
		if err != nil {
			return err
		}
		defer tx.Rollback(context.WithoutCancel(ctx))
		for i, table := range storedByImport {
			tag, err := conn.PgConn().CopyFrom(ctx, &held[i], "COPY copy_of_"+table+" FROM STDIN")
			if err != nil {
				return fmt.Errorf("copy %s: %w", table, err)
			}
			rows += tag.RowsAffected()
		}
		err = tx.Commit(ctx)
		took = time.Since(start)
		return err
	})
	return rows, took, err
}

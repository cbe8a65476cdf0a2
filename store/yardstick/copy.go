package yardstick

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"
)

// copyRows is the most rows of a table that one COPY brings; an entry of the bench has two postings.
const (
	copyRows    = 10_000
	copyEntries = copyRows / 2
)

// copiedByEntry are the tables with rows of single entries, in the order in which their triggers want them; copiedAtTheEnd are the kept
// totals.
var (
	copiedByEntry  = []string{"postings", "entries", "idempotency_keys"}
	copiedAtTheEnd = []string{"account_totals", "account_days", "currency_totals"}
)

// Copy brings the first entries of a book into a fresh one by COPY: postings, entries and keys in chunks, then the totals, over one
// connection, with indexes and triggers as they are. It gives the number of entries and how long COPY and COMMIT took; reading the rows
// is not counted. The copies are as good as the book for every guard of the database, and for nobody who recomputes their hashes.
func (y Yardstick) Copy(ctx context.Context, from, into int64, limit int64) (entries int64, took time.Duration, err error) {
	err = y.connected(ctx, func(conn *pgx.Conn) error {
		c := copier{conn: conn, from: from, into: into, columns: map[string][]string{}}
		if entries, err = c.prepare(ctx, limit); err != nil {
			return err
		}
		for seq := int64(1); seq <= entries; seq += copyEntries {
			within := fmt.Sprintf("seq BETWEEN %d AND %d", seq, min(seq+copyEntries-1, entries))
			if err := c.chunk(ctx, copiedByEntry, within); err != nil {
				return err
			}
		}
		err := c.chunk(ctx, copiedAtTheEnd, "true")
		took = c.took
		return err
	})
	return entries, took, err
}

type copier struct {
	conn       *pgx.Conn
	from, into int64
	columns    map[string][]string // of each table
	took       time.Duration
}

// prepare gives the fresh book the accounts of the other one, and says how many entries there are to copy.
func (c *copier) prepare(ctx context.Context, limit int64) (entries int64, err error) {
	for _, table := range slices.Concat([]string{"accounts"}, copiedByEntry, copiedAtTheEnd) {
		rows, _ := c.conn.Query(ctx, `
			SELECT column_name FROM information_schema.columns WHERE table_schema = 'public' AND table_name = $1 AND column_name <> 'book_id'
			 ORDER BY ordinal_position`, table)
		if c.columns[table], err = pgx.CollectRows(rows, pgx.RowTo[string]); err != nil {
			return 0, fmt.Errorf("read the columns of %s: %w", table, err)
		}
	}
	accounts := strings.Join(c.columns["accounts"], ", ")
	if _, err := c.conn.Exec(ctx, `INSERT INTO accounts (book_id, `+accounts+`) SELECT $1, `+accounts+` FROM accounts WHERE book_id = $2`, c.into, c.from); err != nil {
		return 0, fmt.Errorf("copy the accounts: %w", err)
	}
	err = c.conn.QueryRow(ctx, `SELECT least(seq, $2) FROM heads WHERE book_id = $1`, c.from, limit).Scan(&entries)
	return entries, err
}

// chunk reads rows of some tables, and copies them in one transaction.
func (c *copier) chunk(ctx context.Context, tables []string, within string) error {
	read := make([][][]any, len(tables))
	for i, table := range tables {
		var err error
		if read[i], err = c.read(ctx, table, within); err != nil {
			return fmt.Errorf("read %s to copy: %w", table, err)
		}
	}
	start := time.Now()
	tx, err := c.conn.Begin(ctx)
	if err != nil {
		return err
	}
	defer tx.Rollback(context.WithoutCancel(ctx))
	for i, table := range tables {
		for rows := range slices.Chunk(read[i], copyRows) {
			columns := append([]string{"book_id"}, c.columns[table]...)
			if _, err := tx.CopyFrom(ctx, pgx.Identifier{table}, columns, pgx.CopyFromRows(rows)); err != nil {
				return fmt.Errorf("copy %s: %w", table, err)
			}
		}
	}
	if err := tx.Commit(ctx); err != nil {
		return fmt.Errorf("commit what was copied: %w", err)
	}
	c.took += time.Since(start)
	return nil
}

// read gives rows as COPY takes them, for the fresh book. JSON stays the text that it is.
func (c *copier) read(ctx context.Context, table, within string) ([][]any, error) {
	selected := make([]string, len(c.columns[table]))
	for i, column := range c.columns[table] {
		selected[i] = column
		if column == "metadata" || column == "content" || column == "receipt" {
			selected[i] += "::text"
		}
	}
	rows, err := c.conn.Query(ctx, `SELECT $1::bigint, `+strings.Join(selected, ", ")+` FROM `+table+` WHERE book_id = $2 AND `+within, c.into, c.from)
	if err != nil {
		return nil, err
	}
	return pgx.CollectRows(rows, func(row pgx.CollectableRow) ([]any, error) { return row.Values() })
}

// CopyOut writes all that a book's verification reads to nowhere, by COPY on the server, and says how long that took.
func (y Yardstick) CopyOut(ctx context.Context, book int64) (took time.Duration, err error) {
	err = y.connected(ctx, func(conn *pgx.Conn) error {
		start := time.Now()
		for _, table := range append([]string{"entries", "postings"}, copiedAtTheEnd...) {
			if _, err := conn.Exec(ctx, fmt.Sprintf(`COPY (SELECT t.* FROM %s t WHERE t.book_id = %d) TO '/dev/null'`, table, book)); err != nil {
				return fmt.Errorf("copy %s to nowhere: %w", table, err)
			}
		}
		took = time.Since(start)
		return nil
	})
	return took, err
}

// Counts says how many entries a book has, and how many of its keys have posted one.
func (y Yardstick) Counts(ctx context.Context, book int64) (entries, keys int64, err error) {
	err = y.connected(ctx, func(conn *pgx.Conn) error {
		return conn.QueryRow(ctx, `
			SELECT (SELECT count(*) FROM entries WHERE book_id = $1), (SELECT count(*) FROM idempotency_keys WHERE book_id = $1 AND seq IS NOT NULL)`,
			book).Scan(&entries, &keys)
	})
	return entries, keys, err
}

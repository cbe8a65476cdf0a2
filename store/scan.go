package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"iter"
	"math"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/stdlib"
	"gorm.io/gorm"
)

// What is read at once, and how much of it lies ready for whoever follows it: the database and the follower work at the same time.
const (
	scanEntries  = 4000
	scanPostings = 20_000
	scanAhead    = 2
)

// scan reads a journal in order of seq as it is stored, without anything that a join could hide or add: in few large queries, and
// straight from the driver, since it is done to millions of rows. It needs memory for a few pages and for the accounts of the book.
type scan struct {
	ctx      context.Context
	conn     *sql.Conn
	book     Book
	accounts map[int64]*scannedAccount
}

// scannedAccount is what a posting is held against; the weight is for whoever sums.
type scannedAccount struct {
	code, currency string
	weight         uint64
	currencyWeight uint64
}

// scanPage is some entries that follow each other, each with its postings. Stray is the seq of postings between them that have no
// entry, nil when there are none.
type scanPage struct {
	entries []storedEntry
	stray   *int64
}

// inScan runs fn over the database as it is at one moment, with a scan of a book beside tx. A page and a query of tx take turns on the
// connection: fn finishes with the one before the other.
func (s *Store) inScan(ctx context.Context, book Book, fn func(tx *gorm.DB, journal *scan) error) error {
	return s.db.WithContext(ctx).Connection(func(pinned *gorm.DB) error {
		conn, ok := pinned.Statement.ConnPool.(*sql.Conn)
		if !ok {
			return errors.New("the connection is not one of the pool")
		}
		snapshot := &sql.TxOptions{Isolation: sql.LevelRepeatableRead, ReadOnly: true}
		return translate(orOutage(pinned.Transaction(func(tx *gorm.DB) error {
			journal := &scan{ctx: ctx, conn: conn, book: book}
			if err := journal.readAccounts(tx); err != nil {
				return err
			}
			return fn(tx, journal)
		}, snapshot)))
	})
}

func (j *scan) readAccounts(tx *gorm.DB) error {
	rows, err := query[struct {
		ID             int64
		Code, Currency string
	}](tx, `SELECT id, code, currency FROM accounts WHERE book_id = ?`, j.book.ID)
	if err != nil {
		return fmt.Errorf("read the accounts of book %s: %w", j.book.Code, err)
	}
	j.accounts = make(map[int64]*scannedAccount, len(rows))
	for _, row := range rows {
		j.accounts[row.ID] = &scannedAccount{code: row.Code, currency: row.Currency}
	}
	return nil
}

const scanColumns = `
	SELECT seq, tx_id, kind, effective_on, recorded_at, description, reason, recorded_by, approval_id, reverses, part, replaces, posting_count, metadata::text, prev_hash, hash
	  FROM entries WHERE book_id = $1 AND `

const scanLines = `SELECT seq, line, account_id, amount_minor, currency FROM postings WHERE book_id = $1 AND `

// beforeAll is less than any seq, also one that nobody gave out.
const beforeAll = math.MinInt64

// pages gives the journal after an entry page by page, while the next ones are being read.
func (j *scan) pages(after int64) iter.Seq2[scanPage, error] {
	return func(yield func(scanPage, error) bool) {
		stop := errors.New("stop")
		err := j.raw(func(conn *pgx.Conn) error {
			pages, done, failed := make(chan scanPage, scanAhead), make(chan struct{}), make(chan error, 1)
			go func() {
				defer close(pages)
				failed <- j.read(conn, after, pages, done)
			}()
			defer func() {
				close(done)
				for range pages { // until the reader has closed it, and is done with the connection
				}
			}()
			for page := range pages {
				if !yield(page, nil) {
					return stop
				}
			}
			return <-failed
		})
		if err != nil && !errors.Is(err, stop) {
			yield(scanPage{}, err)
		}
	}
}

// raw lends the driver's connection, which is that of the snapshot.
func (j *scan) raw(use func(conn *pgx.Conn) error) error {
	return j.conn.Raw(func(driverConn any) error {
		conn, ok := driverConn.(*stdlib.Conn)
		if !ok {
			return fmt.Errorf("the driver gives a %T", driverConn)
		}
		return use(conn.Conn())
	})
}

// read sends the journal after an entry until it ends or nobody takes it any more.
func (j *scan) read(conn *pgx.Conn, after int64, pages chan<- scanPage, done <-chan struct{}) error {
	for {
		entries, err := j.readEntries(conn, `seq > $2 ORDER BY seq LIMIT $3`, after, scanEntries)
		if err != nil || len(entries) == 0 {
			return err
		}
		for len(entries) > 0 {
			fit := fitting(entries)
			page := scanPage{entries: entries[:fit]}
			last := entries[fit-1].Seq
			if page.stray, err = j.readPostings(conn, page.entries, `seq > $2 AND seq <= $3 ORDER BY seq, line`, after, last); err != nil {
				return err
			}
			select {
			case pages <- page:
			case <-done:
				return nil
			}
			entries, after = entries[fit:], last
		}
	}
}

// fitting counts the entries at the beginning whose postings are to be read at once, one at least.
func fitting(entries []storedEntry) int {
	count := int64(0)
	for i := range entries {
		count += max(entries[i].postingCount, 0)
		if i > 0 && count > scanPostings {
			return i
		}
	}
	return len(entries)
}

// some gives the entries of these numbers that there are, in order.
func (j *scan) some(seqs []int64) (entries []storedEntry, err error) {
	err = j.raw(func(conn *pgx.Conn) error {
		if entries, err = j.readEntries(conn, `seq = ANY($2) ORDER BY seq`, seqs); err != nil {
			return err
		}
		_, err = j.readPostings(conn, entries, `seq = ANY($2) ORDER BY seq, line`, seqs)
		return err
	})
	return entries, err
}

// binaryColumns has every column come as it is stored.
var binaryColumns = pgx.QueryResultFormats{pgx.BinaryFormatCode}

func (j *scan) readEntries(conn *pgx.Conn, condition string, args ...any) ([]storedEntry, error) {
	rows, err := conn.Query(j.ctx, scanColumns+condition, append([]any{binaryColumns, j.book.ID}, args...)...)
	if err != nil {
		return nil, fmt.Errorf("read entries: %w", err)
	}
	defer rows.Close()
	entries := make([]storedEntry, 0, scanEntries)
	for rows.Next() {
		entries = append(entries, storedEntry{})
		if err := entries[len(entries)-1].decode(j.book, rows.RawValues()); err != nil {
			return nil, err
		}
	}
	if err := rows.Err(); err != nil {
		return nil, fmt.Errorf("read entries: %w", err)
	}
	return entries, nil
}

// readPostings reads postings into their entries, and gives the seq of the first without one.
func (j *scan) readPostings(conn *pgx.Conn, entries []storedEntry, condition string, args ...any) (stray *int64, err error) {
	rows, err := conn.Query(j.ctx, scanLines+condition, append([]any{binaryColumns, j.book.ID}, args...)...)
	if err != nil {
		return nil, fmt.Errorf("read postings: %w", err)
	}
	defer rows.Close()
	at := 0
	for rows.Next() {
		columns := rows.RawValues()
		seq := integer(columns[0])
		for at < len(entries) && entries[at].Seq < seq {
			at++
		}
		switch {
		case at < len(entries) && entries[at].Seq == seq:
			entries[at].add(j.accounts, columns[1:])
		case stray == nil:
			stray = &seq
		}
	}
	if err := rows.Err(); err != nil {
		return nil, fmt.Errorf("read postings: %w", err)
	}
	return stray, nil
}

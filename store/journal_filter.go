package store

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"daybook/store/ledger"
)

// EntryFilter narrows a list of entries; zero fields do not. After and Before are seqs that bound the page, exclusive.
type EntryFilter struct {
	After, Before int64
	Account       string
	From, To      ledger.Date
	Seqs          []int64
	TxID          string           // exactly
	Text          string           // in the tx id, the description or the metadata
	OrSeq         int64            // finds this entry too, whatever Text finds
	OrAmounts     map[string]int64 // finds postings of these absolute amounts too, by currency, whatever Text finds
	Kind          ledger.EntryKind
	Amounts       map[string]int64 // the absolute amount of a posting, by currency
	Limit         int
	Newest        bool // newest first
}

func (f EntryFilter) where(book Book) (string, []any) {
	parts, args := []string{"e.book_id = ?"}, []any{book.ID}
	add := func(condition string, values ...any) {
		parts, args = append(parts, condition), append(args, values...)
	}
	if f.After > 0 {
		add("e.seq > ?", f.After)
	}
	if f.Before > 0 {
		add("e.seq < ?", f.Before)
	}
	if !f.From.IsZero() {
		add("e.effective_on >= ?", f.From)
	}
	if !f.To.IsZero() {
		add("e.effective_on <= ?", f.To)
	}
	if f.Kind != "" {
		add("e.kind = ?", f.Kind)
	}
	if f.Seqs != nil {
		add("e.seq = ANY(?::bigint[])", array[int64](f.Seqs))
	}
	if f.TxID != "" {
		add("e.tx_id = ?", f.TxID)
	}
	if f.Text != "" {
		like := "%" + strings.NewReplacer(`\`, `\\`, `%`, `\%`, `_`, `\_`).Replace(f.Text) + "%"
		currencies, amounts := columnsOfAmounts(f.OrAmounts)
		add("(e.tx_id ILIKE ? OR e.description ILIKE ? OR e.metadata::text ILIKE ? OR e.seq = ? OR "+hasAmount+")", like, like, like, f.OrSeq, currencies, amounts)
	}
	if len(f.Amounts) > 0 {
		currencies, amounts := columnsOfAmounts(f.Amounts)
		add(hasAmount, currencies, amounts)
	}
	if f.Account != "" {
		add(`EXISTS (SELECT FROM postings p JOIN accounts a ON a.book_id = p.book_id AND a.id = p.account_id
		              WHERE p.book_id = e.book_id AND p.seq = e.seq AND a.code = ?)`, f.Account)
	}
	return strings.Join(parts, " AND "), args
}

// hasAmount finds entries with a posting of one of these absolute amounts.
const hasAmount = `EXISTS (SELECT FROM postings p JOIN unnest(?::text[], ?::bigint[]) AS w (currency, minor)
		                            ON w.currency = p.currency AND p.amount_minor IN (w.minor, -w.minor)
		                         WHERE p.book_id = e.book_id AND p.seq = e.seq)`

func columnsOfAmounts(byCurrency map[string]int64) (currencies array[string], amounts array[int64]) {
	for _, currency := range slices.Sorted(maps.Keys(byCurrency)) {
		currencies, amounts = append(currencies, currency), append(amounts, byCurrency[currency])
	}
	return currencies, amounts
}

// EntryTotals sums the entries of a filter: how many, their postings, and their debits per currency as decimal text in minor units, which may
// exceed the largest amount.
type EntryTotals struct {
	Entries    int64
	Postings   int64
	DebitMinor map[string]string
}

// SumEntries sums all entries of a filter, whatever its page.
func (s *Store) SumEntries(ctx context.Context, actor Actor, f EntryFilter) (EntryTotals, error) {
	totals := EntryTotals{DebitMinor: map[string]string{}}
	if err := actor.Need(RightRead); err != nil {
		return totals, err
	}
	f.After, f.Before = 0, 0
	where, args := f.where(actor.Book)
	db := s.db.WithContext(ctx)
	count, err := queryOne[struct{ Entries, Postings int64 }](db, "no count", `
		SELECT count(*) AS entries, coalesce(sum(e.posting_count), 0) AS postings FROM entries e WHERE `+where, args...)
	if err != nil {
		return totals, fmt.Errorf("count entries: %w", err)
	}
	totals.Entries, totals.Postings = count.Entries, count.Postings
	rows, err := query[struct{ Currency, Total string }](db, `
		SELECT p.currency, sum(p.amount_minor)::text AS total
		  FROM entries e JOIN postings p ON p.book_id = e.book_id AND p.seq = e.seq
		 WHERE p.amount_minor > 0 AND `+where+` GROUP BY p.currency`, args...)
	for _, row := range rows {
		totals.DebitMinor[row.Currency] = row.Total
	}
	return totals, err
}

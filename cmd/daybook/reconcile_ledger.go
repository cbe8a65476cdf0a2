package main

import (
	"bufio"
	"encoding/csv"
	"errors"
	"io"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"daybook/recon"
	"daybook/store/ledger"
)

// ledgerColumns are the columns of a ledger file, the ones it must have first.
var ledgerColumns = []string{"entry_id", "date", "amount_minor", "currency", "reference", "description"}

const ledgerColumnsNeeded = 4

// readLedgerFile reads the ledger's side of a reconciliation: all of it, or nothing and the first line at fault.
func readLedgerFile(path string) ([]recon.Item, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, badInput("the ledger cannot be read: %w", err)
	}
	defer file.Close()
	buffered := bufio.NewReader(file)
	if mark, _ := buffered.Peek(3); string(mark) == "\ufeff" {
		_, _ = buffered.Discard(len(mark))
	}
	rows := csv.NewReader(buffered)
	rows.FieldsPerRecord, rows.ReuseRecord = -1, true
	at := &ledgerRow{file: filepath.Base(path)}
	header, err := rows.Read()
	if err != nil {
		return nil, at.unreadable(err)
	}
	if err := at.readHeader(header); err != nil {
		return nil, err
	}
	var items []recon.Item
	for {
		row, err := rows.Read()
		if errors.Is(err, io.EOF) {
			return items, nil
		}
		if err != nil {
			return nil, at.unreadable(err)
		}
		at.cells = row
		at.line, _ = rows.FieldPos(0)
		item, err := at.item()
		if err != nil {
			return nil, err
		}
		items = append(items, item)
	}
}

// ledgerRow is one row of a ledger file, with what it takes to say where it stands.
type ledgerRow struct {
	file    string
	line    int
	columns [6]int // where each of ledgerColumns is; -1 where it is missing
	width   int
	cells   []string
}

func (r *ledgerRow) readHeader(header []string) error {
	named := make([]string, len(header))
	for i, cell := range header {
		named[i] = strings.ToLower(strings.TrimSpace(cell))
	}
	r.width = len(header)
	for i, column := range ledgerColumns {
		r.columns[i] = slices.Index(named, column)
		if r.columns[i] < 0 && i < ledgerColumnsNeeded {
			return badInput("%s has no column %s: its first line must name %s", r.file, column, strings.Join(ledgerColumns, ","))
		}
	}
	return nil
}

func (r *ledgerRow) item() (recon.Item, error) {
	if len(r.cells) != r.width {
		return recon.Item{}, badInput("%s, line %d has %d columns and the header has %d", r.file, r.line, len(r.cells), r.width)
	}
	item := recon.Item{ID: r.cell(0), Currency: r.cell(3), Reference: r.cell(4), Text: r.cell(5)}
	if item.ID == "" {
		return recon.Item{}, badInput("%s, line %d has no entry_id", r.file, r.line)
	}
	var err error
	if item.Date, err = ledger.ParseDate(r.cell(1)); err != nil {
		return recon.Item{}, badInput("%s, line %d: %q is not a date: write it as YYYY-MM-DD", r.file, r.line, r.cell(1))
	}
	if item.AmountMinor, err = strconv.ParseInt(r.cell(2), 10, 64); err != nil || item.AmountMinor == math.MinInt64 {
		return recon.Item{}, badInput("%s, line %d: amount_minor is a whole number of minor units (1234 for 12.34), not %q", r.file, r.line, r.cell(2))
	}
	if _, known := ledger.Exponent(item.Currency); !known {
		return recon.Item{}, badInput("%s, line %d: %q is not an ISO 4217 currency", r.file, r.line, item.Currency)
	}
	return item, nil
}

func (r *ledgerRow) cell(column int) string {
	if at := r.columns[column]; at >= 0 {
		return strings.TrimSpace(r.cells[at])
	}
	return ""
}

func (r *ledgerRow) unreadable(err error) error {
	var parse *csv.ParseError
	switch {
	case errors.Is(err, io.EOF):
		return badInput("%s is empty: its first line must name %s", r.file, strings.Join(ledgerColumns, ","))
	case errors.As(err, &parse):
		return badInput("%s, line %d is not CSV: %w", r.file, parse.Line, parse.Err)
	}
	return badInput("the ledger cannot be read: %w", err)
}

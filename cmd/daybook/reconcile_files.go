package main

import (
	"bufio"
	"bytes"
	"cmp"
	"encoding/csv"
	"encoding/json"
	"errors"
	"io"
	"strconv"
	"strings"

	"daybook/recon"
)

type matchJSON struct {
	Kind     recon.Kind `json:"kind"`
	Rule     string     `json:"rule"`
	EntryIDs []string   `json:"entry_ids"`
	BankRows []int      `json:"bank_rows"`
	Score    int        `json:"score"`
	Why      string     `json:"why"`
	// what the rules allow to be left
	DifferenceMinor int64 `json:"difference_minor,omitempty"`
}

type breakJSON struct {
	Type            recon.BreakType  `json:"type"`
	EntryIDs        []string         `json:"entry_ids"`
	BankRows        []int            `json:"bank_rows"`
	DifferenceMinor int64            `json:"difference_minor"`
	Why             string           `json:"why"`
	Resolution      recon.Resolution `json:"resolution,omitempty"`
}

// writeReconciledJSON writes the contract's form of a result piece by piece, since there may be a million matches; rejects are the rows
// of the statement that are not lines.
func writeReconciledJSON(w io.Writer, r *reconciled) error {
	out := &pieces{out: bufio.NewWriter(w)}
	out.list(`{"matches":[`, len(r.result.Matches), func(i int) any {
		m := r.result.Matches[i]
		return matchJSON{m.Kind, m.Rule, r.entryIDs(m.Ledger), r.bankRows(m.Bank), m.Score, m.Why, m.DifferenceMinor}
	})
	out.list(`],"breaks":[`, len(r.result.Breaks), func(i int) any {
		b := r.result.Breaks[i]
		return breakJSON{b.Type, r.entryIDs(b.Ledger), r.bankRows(b.Bank), b.DifferenceMinor, b.Why, b.Resolution}
	})
	out.list(`],"rejects":[`, len(r.statement.Rejects), func(i int) any {
		x := r.statement.Rejects[i]
		return statementReject{x.Row, string(x.Reason), x.Detail}
	})
	out.piece(`],"counts":`, r.result.Counts())
	out.piece(`,"totals":`, r.totals)
	out.piece(`,"search":`, r.result.Search)
	out.text("}\n")
	return errors.Join(out.err, out.out.Flush())
}

// pieces writes JSON bit by bit, and keeps the first error of what cannot be written as JSON.
type pieces struct {
	out  *bufio.Writer // keeps the first error of writing for Flush
	next bytes.Buffer
	err  error
}

func (p *pieces) text(text string) { _, _ = p.out.WriteString(text) }

func (p *pieces) piece(before string, value any) {
	p.text(before)
	p.next.Reset()
	encoder := json.NewEncoder(&p.next)
	encoder.SetEscapeHTML(false)
	p.err = cmp.Or(p.err, encoder.Encode(value))
	_, _ = p.out.Write(bytes.TrimSuffix(p.next.Bytes(), []byte("\n")))
}

func (p *pieces) list(before string, n int, value func(i int) any) {
	p.text(before)
	for i := range n {
		separator := ","
		if i == 0 {
			separator = ""
		}
		p.piece(separator, value(i))
	}
}

func (r *reconciled) entryIDs(indexes []int) []string {
	ids := make([]string, len(indexes))
	for i, index := range indexes {
		ids[i] = r.in.Ledger[index].ID
	}
	return ids
}

func (r *reconciled) bankRows(indexes []int) []int {
	rows := make([]int, len(indexes))
	for i, index := range indexes {
		rows[i] = r.statement.Lines[index].Row
	}
	return rows
}

// writeReconciledCSV writes a row for each line of a match or a break. The difference stands on the first row of each
// only, so that its column can be added up.
func writeReconciledCSV(w io.Writer, r *reconciled) error {
	out := csv.NewWriter(w)
	_ = out.Write([]string{"class", "number", "type", "side", "entry_id", "bank_row", "date", "amount_minor", "currency", "reference",
		"description", "difference_minor", "score", "why"}) // Flush tells the error of any Write
	for i, m := range r.result.Matches {
		r.writeGroup(out, []string{"match", strconv.Itoa(i + 1), string(m.Kind)}, m.Ledger, m.Bank,
			[]string{strconv.FormatInt(m.DifferenceMinor, 10), strconv.Itoa(m.Score), m.Why})
	}
	for i, b := range r.result.Breaks {
		r.writeGroup(out, []string{"break", strconv.Itoa(i + 1), string(b.Type)}, b.Ledger, b.Bank,
			[]string{strconv.FormatInt(b.DifferenceMinor, 10), "", b.Why})
	}
	out.Flush()
	return out.Error()
}

func (r *reconciled) writeGroup(out *csv.Writer, head []string, ledgers, banks []int, tail []string) {
	write := func(item recon.Item, side, entry, row string) {
		cells := append(append([]string{}, head...), side, plainCell(entry), row, item.Date.String(),
			strconv.FormatInt(item.AmountMinor, 10), item.Currency, plainCell(item.Reference), plainCell(item.Text))
		_ = out.Write(append(cells, tail...))
		tail = append([]string{""}, tail[1:]...)
	}
	for _, i := range ledgers {
		write(r.in.Ledger[i], "ledger", r.in.Ledger[i].ID, "")
	}
	for _, i := range banks {
		write(r.in.Bank[i], "bank", "", r.in.Bank[i].ID)
	}
}

// plainCell keeps a spreadsheet from taking text for a formula.
func plainCell(text string) string {
	if text != "" && strings.ContainsRune("=+-@\t\r", rune(text[0])) {
		return "'" + text
	}
	return text
}

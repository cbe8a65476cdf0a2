package main

import (
	"encoding/csv"
	"encoding/json"
	"io"
	"strconv"
	"strings"

	"daybook/recon"
)

// reconciledJSON is the contract's form of a result; rejects are the rows of the statement that are not lines.
type reconciledJSON struct {
	Matches []matchJSON             `json:"matches"`
	Breaks  []breakJSON             `json:"breaks"`
	Counts  map[recon.BreakType]int `json:"counts"`
	Totals  recon.Totals            `json:"totals"`
	Search  recon.Search            `json:"search"`
	Rejects []statementReject       `json:"rejects"`
}

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

func writeReconciledJSON(w io.Writer, r *reconciled) error {
	out := reconciledJSON{Matches: []matchJSON{}, Breaks: []breakJSON{}, Counts: r.result.Counts(), Totals: r.totals, Search: r.result.Search, Rejects: []statementReject{}}
	for _, m := range r.result.Matches {
		out.Matches = append(out.Matches, matchJSON{m.Kind, m.Rule, r.entryIDs(m.Ledger), r.bankRows(m.Bank), m.Score, m.Why, m.DifferenceMinor})
	}
	for _, b := range r.result.Breaks {
		out.Breaks = append(out.Breaks, breakJSON{b.Type, r.entryIDs(b.Ledger), r.bankRows(b.Bank), b.DifferenceMinor, b.Why, b.Resolution})
	}
	for _, x := range r.statement.Rejects {
		out.Rejects = append(out.Rejects, statementReject{x.Row, string(x.Reason), x.Detail})
	}
	encoder := json.NewEncoder(w)
	encoder.SetEscapeHTML(false)
	return encoder.Encode(out)
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

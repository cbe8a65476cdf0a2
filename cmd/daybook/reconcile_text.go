package main

import (
	"bufio"
	"fmt"
	"io"
	"path/filepath"
	"strings"
	"unicode"
	"unicode/utf8"

	"daybook/recon"
	"daybook/store/ledger"
)

// writeReconciledText writes a result for people: what agrees as a number, every break with its lines and its reason.
func writeReconciledText(w io.Writer, r *reconciled) error {
	out := bufio.NewWriter(w) // keeps the first error for Flush
	t := &reconcileText{reconciled: r, out: out}
	t.head()
	t.matches()
	t.breaks()
	t.rejects()
	t.foot()
	return out.Flush()
}

type reconcileText struct {
	*reconciled
	out io.Writer
}

func (t *reconcileText) say(format string, args ...any) { fmt.Fprintf(t.out, format+"\n", args...) }

func (t *reconcileText) head() {
	t.say("Ledger     %s, %s", filepath.Base(t.ledgerFile), counted(len(t.in.Ledger), "entry", "entries"))
	t.say("Statement  %s, %s", filepath.Base(t.statementFile), counted(len(t.in.Bank), "line", "lines"))
	if t.in.Period.Stated {
		t.say("Period     %s to %s", t.in.Period.From, t.in.Period.To)
	}
	if t.in.Currency != "" {
		t.say("Currency   %s", t.in.Currency)
	}
}

func (t *reconcileText) matches() {
	byKind := map[recon.Kind]int{}
	for _, m := range t.result.Matches {
		byKind[m.Kind]++
	}
	var kinds []string
	for _, kind := range []recon.Kind{recon.KindReference, recon.KindFuzzy, recon.KindBatch, recon.KindSplit, recon.KindReversedPair} {
		if n := byKind[kind]; n > 0 {
			kinds = append(kinds, fmt.Sprintf("%d %s", n, strings.ToLower(kind.Label())))
		}
	}
	line := counted(len(t.result.Matches), "match", "matches")
	if len(kinds) > 0 {
		line += ": " + strings.Join(kinds, ", ")
	}
	t.say("\n%s", line)
	if search := t.result.Search; search.Lines > 0 {
		t.say("Sums       sought for %s: %s tried", counted(search.Lines, "line", "lines"), counted(search.Sets, "set", "sets"))
		if search.Unfinished > 0 {
			t.say("           too many sets to try them all for %s", counted(search.Unfinished, "line", "lines"))
		}
	}
}

// breaks come sorted by type, so a group ends where the next type begins.
func (t *reconcileText) breaks() {
	if len(t.result.Breaks) == 0 {
		t.say("No breaks")
		return
	}
	t.say("%s, each with ledger - bank", counted(len(t.result.Breaks), "break", "breaks"))
	columns := t.widths()
	counts := t.result.Counts()
	for i, b := range t.result.Breaks {
		if i == 0 || b.Type != t.result.Breaks[i-1].Type {
			t.say("\n%s  %d  %s", b.Type.Label(), counts[b.Type], t.value(b.Type))
		}
		for _, l := range b.Ledger {
			t.item(columns, "entry", t.in.Ledger[l])
		}
		for _, l := range b.Bank {
			t.item(columns, "row", t.in.Bank[l])
		}
		t.say("    %s  %s", t.money(b.DifferenceMinor), printable(b.Why))
	}
}

// value is the sum of a type's differences.
func (t *reconcileText) value(of recon.BreakType) string {
	var sum int64
	for _, b := range t.result.Breaks {
		if b.Type != of {
			continue
		}
		var ok bool
		if sum, ok = ledger.Add(sum, b.DifferenceMinor); !ok {
			return "beyond the largest amount"
		}
	}
	return t.money(sum)
}

type textWidths struct{ id, reference, text, amount int }

func (t *reconcileText) widths() textWidths {
	var w textWidths
	widen := func(items []recon.Item, indexes []int) {
		for _, i := range indexes {
			item := items[i]
			w.id = max(w.id, utf8.RuneCountInString(printable(item.ID)))
			w.reference = max(w.reference, utf8.RuneCountInString(cut(item.Reference)))
			w.text = max(w.text, utf8.RuneCountInString(cut(item.Text)))
			w.amount = max(w.amount, len(amountOf(item)))
		}
	}
	for _, b := range t.result.Breaks {
		widen(t.in.Ledger, b.Ledger)
		widen(t.in.Bank, b.Bank)
	}
	return w
}

func (t *reconcileText) item(w textWidths, side string, item recon.Item) {
	t.say("  %-5s  %-*s  %s  %-*s  %-*s  %*s %s", side, w.id, printable(item.ID), item.Date, w.reference, cut(item.Reference),
		w.text, cut(item.Text), w.amount, amountOf(item), item.Currency)
}

func (t *reconcileText) rejects() {
	if len(t.statement.Rejects) == 0 {
		return
	}
	t.say("\n%s of the statement not read", counted(len(t.statement.Rejects), "row", "rows"))
	for _, reject := range t.statement.Rejects {
		t.say("  row %d  %s  %s", reject.Row, reject.Reason, printable(reject.Detail))
	}
}

func (t *reconcileText) foot() {
	lines := [][2]string{{"Ledger", t.money(t.totals.LedgerMinor)}, {"Bank", t.money(t.totals.BankMinor)}, {"Difference", t.money(t.totals.DifferenceMinor)}}
	if allowed := t.allowed(); allowed != "" {
		lines = append(lines, [2]string{"of it allowed", allowed})
	}
	if t.result.Counts()[recon.Timing] > 0 {
		lines = append(lines, [2]string{"of it timing", t.value(recon.Timing)})
	}
	width := 0
	for _, line := range lines {
		width = max(width, len(line[1]))
	}
	t.say("")
	for _, line := range lines {
		t.say("%-13s %*s", line[0], width, line[1])
	}
}

// allowed is the sum of the differences of matches that the rules allow, "" where there are none.
func (t *reconcileText) allowed() string {
	var sum int64
	some := false
	for _, m := range t.result.Matches {
		var ok bool
		if sum, ok = ledger.Add(sum, m.DifferenceMinor); !ok {
			return "beyond the largest amount"
		}
		some = some || m.DifferenceMinor != 0
	}
	if !some {
		return ""
	}
	return t.money(sum)
}

func (t *reconcileText) money(minor int64) string {
	return ledger.GroupDigits(ledger.FormatAmount(minor, t.in.Currency))
}

func amountOf(item recon.Item) string {
	return ledger.GroupDigits(ledger.FormatAmount(item.AmountMinor, item.Currency))
}

// cut keeps a text within its column.
func cut(text string) string {
	const most = 40
	runes := []rune(printable(text))
	if len(runes) <= most {
		return string(runes)
	}
	return string(runes[:most-1]) + "…"
}

// printable keeps what a file says from steering the terminal.
func printable(text string) string {
	return strings.Map(func(r rune) rune {
		if !unicode.IsPrint(r) {
			return ' '
		}
		return r
	}, text)
}

func counted(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprintf("%d %s", n, many)
}

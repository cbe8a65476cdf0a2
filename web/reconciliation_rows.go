package web

import (
	"context"
	"strings"

	"daybook/recon"
	"daybook/store"
	"daybook/templates"
)

// breakGroups puts breaks, which are in the order of the list, under their kinds. A break of an entry whose reversal is pending, by the number of the
// request, waits for that.
func (s *server) breakGroups(kinds []templates.BreakKind, breaks []store.Break, pending map[int64]int64) []templates.BreakGroup {
	var groups []templates.BreakGroup
	for _, standing := range []store.Standing{store.StandsOpen, store.StandsExplained, store.StandsResolved} {
		for _, kind := range kinds {
			group := templates.BreakGroup{BreakKind: kind}
			for _, b := range breaks {
				if kind.Status == string(standing) && b.Type == kind.Type && store.StandingOf(b.Status, b.Resolution) == standing {
					group.Rows = append(group.Rows, s.breakRow(b, pending))
				}
			}
			if len(group.Rows) > 0 {
				groups = append(groups, group)
			}
		}
	}
	return groups
}

func (s *server) breakRow(b store.Break, pending map[int64]int64) templates.BreakRow {
	row := templates.BreakRow{
		ID: b.ID, Version: b.Version, Owner: b.AssigneeName, Request: b.ApprovalID, AgeDays: s.ageDays(b), Bank: bankSides(b.Bank), Ledger: ledgerSides(b.Ledger), DifferenceMinor: b.DifferenceMinor, Currency: b.Currency,
		Why: b.Why, Status: templates.BreakStatus{Status: b.Status, Resolution: b.Resolution},
	}
	for _, seq := range entriesOf(b) {
		if id := pending[seq]; id != 0 && row.Request == 0 && b.Status != recon.Resolved {
			row.Request, row.Status.Status = id, recon.WaitingForApproval
		}
	}
	return row
}

// pendingOf gives the reversals that wait of the entries in any of these breaks.
func (s *server) pendingOf(ctx context.Context, actor store.Actor, breaks []store.Break) (map[int64]int64, error) {
	var seqs []int64
	for _, b := range breaks {
		seqs = append(seqs, entriesOf(b)...)
	}
	if len(seqs) == 0 {
		return nil, nil
	}
	return s.Store.PendingReversals(ctx, actor, seqs)
}

// ageDays counts from the earliest of what the break is about.
func (s *server) ageDays(b store.Break) int { return max(b.EarliestDay().DaysUntil(s.today()), 0) }

func bankSides(lines []store.LineSide) []templates.BankSide {
	sides := make([]templates.BankSide, len(lines))
	for i, l := range lines {
		sides[i] = bankSide(l)
	}
	return sides
}

func bankSide(l store.LineSide) templates.BankSide {
	return templates.BankSide{
		StatementID: l.StatementID, Row: l.Row, Date: l.BookedOn, Description: l.Description, Reference: l.Reference, AmountMinor: l.AmountMinor, Currency: l.Currency,
	}
}

func ledgerSides(postings []store.PostingSide) []templates.LedgerSide {
	sides := make([]templates.LedgerSide, len(postings))
	for i, p := range postings {
		sides[i] = ledgerSide(p)
	}
	return sides
}

func ledgerSide(p store.PostingSide) templates.LedgerSide {
	return templates.LedgerSide{
		Seq: p.Seq, Line: p.Line, TxID: p.TxID, Date: p.EffectiveOn, Description: p.Description, AmountMinor: p.AmountMinor, Currency: p.Currency,
	}
}

func postingRows(postings []store.ScopePosting) (rows []templates.PostingRow) {
	for _, p := range postings {
		rows = append(rows, templates.PostingRow{
			LedgerSide: ledgerSide(p.PostingSide), MatchKind: p.MatchKind, BreakID: p.BreakID, BreakType: p.BreakType,
			Status: templates.BreakStatus{Status: p.Status, Resolution: p.Resolution},
		})
	}
	return rows
}

func historySteps(history []store.WorkDone) (steps []templates.HistoryStep) {
	for _, h := range history {
		steps = append(steps, templates.HistoryStep{
			About: string(h.About), Event: h.Event, Resolution: h.Resolution, Reason: h.ReasonCode, Note: h.Note, By: h.User, Assignee: h.Assignee, At: h.At, Count: h.Count,
			BreakIDs: h.BreakIDs, MatchID: h.MatchID, Lines: h.Lines, Postings: h.Postings, Request: h.ApprovalID, Seq: h.Seq, Version: h.Version,
		})
	}
	return steps
}

// matchRows are the matches, with the cursor of the page after them.
func matchRows(matches []store.Match) (rows []templates.MatchRow, cursor int64) {
	for _, m := range matches {
		rows = append(rows, templates.MatchRow{ID: m.ID, Kind: m.Kind, Score: m.Score, Why: m.Why, MadeBy: m.MadeBy, Bank: bankSides(m.Bank), Ledger: ledgerSides(m.Ledger)})
		cursor = m.ID
	}
	return rows, cursor
}

// lineRows are the lines of the file, with the cursor of the page after them.
func lineRows(lines []store.BankLine) (rows []templates.LineRow, cursor int64) {
	for _, l := range lines {
		rows = append(rows, templates.LineRow{BankSide: bankSide(l.LineSide), MatchKind: l.MatchKind, BreakID: l.BreakID, BreakType: l.BreakType})
		cursor = int64(l.Row)
	}
	return rows, cursor
}

// fileRows are the rows that did not become lines, with the cursor of the page after them.
func fileRows(notes []store.RowNote) (rows []templates.StatementFileRow, cursor int64) {
	for _, n := range notes {
		rows = append(rows, fileRow(n))
		cursor = int64(n.Row)
	}
	return rows, cursor
}

// rawShown is what of a row of a file is shown on a page, in bytes; the download has all of it.
const rawShown = 2_000

func beginning(raw string) string {
	if len(raw) <= rawShown {
		return raw
	}
	return strings.ToValidUTF8(raw[:rawShown], "") + "…"
}

func fileRow(n store.RowNote) templates.StatementFileRow {
	return templates.StatementFileRow{Row: n.Row, Class: n.Class, Reason: n.Reason, Detail: n.Detail, Raw: beginning(n.Raw), MayBeNew: n.MayBeNew}
}

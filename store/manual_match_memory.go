package store

import (
	"fmt"
	"slices"

	"gorm.io/gorm"

	"daybook/recon"
)

// apart are the matches that people took apart: no rule makes them again.
type apart struct {
	postings map[PostingRef][]int64 // the matches that each was in
	lines    map[int64][]int64
}

// loadApart reads the matches of an account that people took apart, but for those that went with an import.
func loadApart(tx *gorm.DB, book Book, accountID int64) (apart, error) {
	const undone = `matches m JOIN match_events v ON v.book_id = m.book_id AND v.match_id = m.id AND v.event = 'unmatched'`
	const chosen = ` WHERE m.book_id = ? AND m.account_id = ? AND NOT m.live`
	a := apart{map[PostingRef][]int64{}, map[int64][]int64{}}
	postings, err := query[struct {
		MatchID, Seq int64
		Line         int
	}](tx, `SELECT i.match_id, i.seq, i.line FROM `+undone+` JOIN match_postings i ON i.book_id = m.book_id AND i.match_id = m.id`+chosen, book.ID, accountID)
	if err != nil {
		return a, fmt.Errorf("read which postings were taken apart: %w", err)
	}
	for _, p := range postings {
		ref := PostingRef{p.Seq, p.Line}
		a.postings[ref] = append(a.postings[ref], p.MatchID)
	}
	lines, err := query[struct{ MatchID, LineID int64 }](tx,
		`SELECT i.match_id, i.line_id FROM `+undone+` JOIN match_lines i ON i.book_id = m.book_id AND i.match_id = m.id`+chosen, book.ID, accountID)
	if err != nil {
		return a, fmt.Errorf("read which lines were taken apart: %w", err)
	}
	for _, l := range lines {
		a.lines[l.LineID] = append(a.lines[l.LineID], l.MatchID)
	}
	return a, nil
}

// forbids reports whether a match would put together what a person took apart: a posting and a line, or without lines two postings, that
// were in one match.
func (a apart) forbids(r *run, m recon.Matched) bool {
	seen := map[int64]int{}
	for _, i := range m.Ledger {
		for _, id := range a.postings[PostingRef{r.entries[i].Seq, r.entries[i].Line}] {
			if seen[id]++; len(m.Bank) == 0 && seen[id] > 1 {
				return true
			}
		}
	}
	for _, i := range m.Bank {
		for _, id := range a.lines[r.lines[i].ID] {
			if seen[id] > 0 {
				return true
			}
		}
	}
	return false
}

// matchBut is recon.Match without the matches that people took apart. Their postings stand by themselves, so that the lines may find
// others, which may be forbidden in their turn.
func (r *run) matchBut(a apart, in recon.Input) recon.Result {
	result := recon.Match(in)
	if len(a.postings) == 0 {
		return result
	}
	all, alone := in.Ledger, map[int]bool{}
	for {
		before := len(alone)
		for _, m := range result.Matches {
			if a.forbids(r, m) {
				for _, i := range m.Ledger {
					alone[i] = true
				}
			}
		}
		if len(alone) == before {
			return r.withAlone(result, in, all, alone)
		}
		var rest []int
		in.Ledger = nil
		for i, item := range all {
			if !alone[i] {
				in.Ledger, rest = append(in.Ledger, item), append(rest, i)
			}
		}
		result = recon.Match(in)
		for i := range result.Matches {
			renumber(result.Matches[i].Ledger, rest)
		}
		for i := range result.Breaks {
			renumber(result.Breaks[i].Ledger, rest)
		}
	}
}

// renumber turns places among the postings that took part into places among all.
func renumber(places, rest []int) {
	for i, place := range places {
		places[i] = rest[place]
	}
}

// withAlone adds to a result the postings that took no part in it, each as the break that it is by itself.
func (r *run) withAlone(result recon.Result, in recon.Input, all []recon.Item, alone map[int]bool) recon.Result {
	for i, item := range all {
		if !alone[i] || item.Candidate {
			continue
		}
		b := recon.Break{Ledger: []int{i}}
		b.Type, b.Why, b.Resolution = recon.Alone(false, item.Date, in.Period, in.Rules)
		if b.Why == "" {
			b.Why = "the rules would match it as before, and that match was taken apart by hand"
		}
		if item.Currency == in.Currency {
			b.DifferenceMinor = item.AmountMinor
		}
		result.Breaks = append(result.Breaks, b)
	}
	slices.SortStableFunc(result.Breaks, func(a, b recon.Break) int { return a.Type.Rank() - b.Type.Rank() })
	return result
}

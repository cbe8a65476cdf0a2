package store

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"daybook/recon"
	"daybook/store/ledger"
)

// Candidate is what a break could be matched with, or what of a break could be matched with one another. Postings and Lines are what is
// found, Match is all that a match of it names. Resolves are the other breaks that such a match settles, Reduces those that it takes a part from.
type Candidate struct {
	Postings          []PostingSide
	Lines             []LineSide
	Score             int
	Fits              []recon.Fit
	Match             MatchItems
	Resolves, Reduces []int64
}

const (
	candidateDays = 92  // about a quarter: further away a person searches
	candidatesIn  = 500 // open items of a side that are weighed
	candidateSide = 50  // items of one side of a break whose pairs are weighed
)

// Candidates weighs what a break that is not resolved could be matched with, the best first: open items of the other side, items of its own
// side that cancel it, sets of several that add up, and, for one that holds both sides, what of it belongs together. There is none for a break
// without lines or in another currency. Error: KindNotFound.
func (s *Store) Candidates(ctx context.Context, actor Actor, id int64, limit int) ([]Candidate, error) {
	if err := actor.Need(RightRead); err != nil {
		return nil, err
	}
	db := s.db.WithContext(ctx)
	b, err := loadBreak(db, actor.Book, id)
	if err != nil || b.Status == recon.Resolved || b.Type == recon.Balance || b.Foreign() || len(b.Ledger)+len(b.Bank) == 0 {
		return nil, err
	}
	account, err := loadAccount(db, actor.Book, b.Account, "")
	if err != nil {
		return nil, err
	}
	rules, err := latestRules(db, actor.Book, account.ID)
	if err != nil {
		return nil, err
	}
	found := b.within(rules)
	if b.DifferenceMinor != 0 {
		around := OpenFilter{From: b.EarliestDay().AddDays(-candidateDays), To: b.latestDay().AddDays(candidateDays), near: -b.DifferenceMinor, Limit: candidatesIn}
		open, err := loadOpenItems(db, actor.Book, b, around)
		if err != nil {
			return nil, fmt.Errorf("look for what break %d could be matched with: %w", id, err)
		}
		found = append(found, b.beyond(open, rules)...)
	}
	slices.SortStableFunc(found, func(x, y Candidate) int { return cmp.Compare(y.Score, x.Score) })
	return found[:min(len(found), max(limit, 0))], nil
}

// beyond weighs open items of either side that would take the difference of a break away.
func (b Break) beyond(open OpenItems, rules recon.Rules) (found []Candidate) {
	like := b.like()
	like.AmountMinor = -b.DifferenceMinor
	for _, c := range recon.Candidates(recon.Sought{Item: like, As: roleOf(len(b.Bank), len(b.Ledger))}, postingItems(open.Postings), rules, candidatesIn) {
		next := Candidate{Score: c.Score, Fits: c.Fits, Match: b.items()}
		for _, i := range c.Items {
			p := open.Postings[i]
			next.Postings, next.Match.Postings = append(next.Postings, p.PostingSide), append(next.Match.Postings, PostingRef{p.Seq, p.Line})
		}
		next.Resolves, next.Reduces = takenFrom(c.Items, func(i int) (int64, int) { return open.Postings[i].BreakID, open.Postings[i].BreakItems })
		found = append(found, next)
	}
	like.AmountMinor = b.DifferenceMinor
	for _, c := range recon.Candidates(recon.Sought{Item: like, As: roleOf(len(b.Ledger), len(b.Bank))}, lineItems(open.Lines), rules, candidatesIn) {
		next := Candidate{Score: c.Score, Fits: c.Fits, Match: b.items()}
		for _, i := range c.Items {
			l := open.Lines[i]
			next.Lines, next.Match.Rows = append(next.Lines, l.LineSide), append(next.Match.Rows, RowRef{l.StatementID, l.Row})
		}
		next.Resolves, next.Reduces = takenFrom(c.Items, func(i int) (int64, int) { return open.Lines[i].BreakID, open.Lines[i].BreakItems })
		found = append(found, next)
	}
	return found
}

// roleOf says what items are for a break that has so many of the other side and of their own.
func roleOf(others, own int) recon.Role {
	switch {
	case others == 0:
		return recon.Cancelling
	case own == 0:
		return recon.TheOtherSide
	}
	return recon.MakingUp
}

// within weighs what of a break that holds both sides belongs together: a line with postings of it, a posting with several lines.
func (b Break) within(rules recon.Rules) (found []Candidate) {
	if len(b.Ledger) == 0 || len(b.Bank) == 0 || len(b.Ledger)+len(b.Bank) < 3 || max(len(b.Ledger), len(b.Bank)) > candidateSide {
		return nil
	}
	postings, lines := make([]OpenPosting, len(b.Ledger)), make([]OpenLine, len(b.Bank))
	for i, p := range b.Ledger {
		postings[i].PostingSide = p
	}
	for i, l := range b.Bank {
		lines[i].LineSide = l
	}
	for i, line := range lineItems(lines) {
		for _, c := range recon.Candidates(recon.Sought{Item: line}, postingItems(postings), rules, candidateSide) {
			next := Candidate{Score: c.Score, Fits: c.Fits, Lines: b.Bank[i : i+1]}
			for _, at := range c.Items {
				next.Postings = append(next.Postings, b.Ledger[at])
			}
			found = append(found, next.named())
		}
	}
	for i, posting := range postingItems(postings) {
		for _, c := range recon.Candidates(recon.Sought{Item: posting}, lineItems(lines), rules, candidateSide) {
			if len(c.Items) < 2 {
				continue // a pair stands there already
			}
			next := Candidate{Score: c.Score, Fits: c.Fits, Postings: b.Ledger[i : i+1]}
			for _, at := range c.Items {
				next.Lines = append(next.Lines, b.Bank[at])
			}
			found = append(found, next.named())
		}
	}
	return found
}

// named has a match name what the candidate shows.
func (c Candidate) named() Candidate {
	c.Match = Break{Ledger: c.Postings, Bank: c.Lines}.items()
	return c
}

// items names all that a break holds.
func (b Break) items() MatchItems {
	items := MatchItems{Postings: []PostingRef{}, Rows: []RowRef{}}
	for _, p := range b.Ledger {
		items.Postings = append(items.Postings, PostingRef{p.Seq, p.Line})
	}
	for _, l := range b.Bank {
		items.Rows = append(items.Rows, RowRef{l.StatementID, l.Row})
	}
	return items
}

// like is what the first line or posting of a break says: the bank's, as the ledger's words are the book's own.
func (b Break) like() recon.Item {
	if len(b.Bank) > 0 {
		l := b.Bank[0]
		return recon.Item{Date: l.BookedOn, Currency: b.Currency, Reference: l.Reference, Text: l.Description}
	}
	p := b.Ledger[0]
	return recon.Item{Date: p.EffectiveOn, Currency: b.Currency, Reference: p.Reference, Text: p.Description}
}

// latestDay is the day of the latest line or posting of a break.
func (b Break) latestDay() ledger.Date {
	day := b.EarliestDay()
	for _, p := range b.Ledger {
		day = later(day, p.EffectiveOn)
	}
	for _, l := range b.Bank {
		day = later(day, l.BookedOn)
	}
	return day
}

// takenFrom tells of the breaks that items are of which ones they are all of.
func takenFrom(items []int, of func(i int) (id int64, size int)) (whole, part []int64) {
	taken, sizes := map[int64]int{}, map[int64]int{}
	for _, i := range items {
		if id, size := of(i); id != 0 {
			taken[id]++
			sizes[id] = size
		}
	}
	for id, n := range taken {
		if n == sizes[id] {
			whole = append(whole, id)
		} else {
			part = append(part, id)
		}
	}
	slices.Sort(whole)
	slices.Sort(part)
	return whole, part
}

func postingItems(postings []OpenPosting) []recon.Item {
	items := make([]recon.Item, len(postings))
	for i, p := range postings {
		items[i] = recon.Item{Date: p.EffectiveOn, AmountMinor: p.AmountMinor, Currency: p.Currency, Reference: p.Reference, Text: p.Description}
	}
	return items
}

func lineItems(lines []OpenLine) []recon.Item {
	items := make([]recon.Item, len(lines))
	for i, l := range lines {
		items[i] = recon.Item{Date: l.BookedOn, AmountMinor: l.AmountMinor, Currency: l.Currency, Reference: l.Reference, Text: l.Description}
	}
	return items
}

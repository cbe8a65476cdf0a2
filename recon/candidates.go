package recon

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"unicode"
)

// Sought is what would settle a break: items that add up to an amount, near a day, that say what the break says.
type Sought struct {
	Item
	As Role
}

// Role is what the items sought do for a break.
type Role int

// The roles: to be the other side that is missing, to cancel what is there on their own side, or to make up the difference of two sides.
const (
	TheOtherSide Role = iota
	Cancelling
	MakingUp
)

// Candidate is a set of items that add up to what is sought; Items are indexes into what was looked through. Score is from 0 to 100: 50 for
// the amount, up to 25 for the day, up to 25 for the reference or the words.
type Candidate struct {
	Items []int
	Score int
	Fits  []Fit
}

// Fit says in words how well a candidate fits in one respect.
type Fit struct {
	Text string
	How  Grade
}

// Grade is how well something fits.
type Grade int

// The grades of a fit.
const (
	FitsNot Grade = iota
	FitsInPart
	Fits
)

// The parts of a score, and the days after which a day says nothing any more.
const (
	amountScore = 50
	dayScore    = 25
	wordScore   = 25
	nearDays    = 31
)

// mostSummed is how many items, those of the nearest days, sets are sought among.
const mostSummed = 64

// Candidates gives the items that by themselves have the amount sought, and the sets of several that add up to it, the best first, at most
// so many. Items in another currency than the one sought are none. Where more sets add up than mean anything, none of them is given.
func Candidates(sought Sought, items []Item, rules Rules, most int) []Candidate {
	w := weigher{sought, items, newNormaliser(rules.Prefixes), map[string]int{}}
	for _, item := range items {
		for _, word := range words(item.Text) {
			w.said[word]++
		}
	}
	var all []Candidate
	for i, item := range items {
		if item.Currency == sought.Currency && item.AmountMinor == sought.AmountMinor {
			all = append(all, w.weigh([]int{i}))
		}
	}
	for _, set := range w.sums() {
		all = append(all, w.weigh(set))
	}
	slices.SortStableFunc(all, func(a, b Candidate) int {
		return cmp.Or(cmp.Compare(b.Score, a.Score), cmp.Compare(len(a.Items), len(b.Items)), slices.Compare(a.Items, b.Items))
	})
	return all[:min(len(all), max(most, 0))]
}

type weigher struct {
	sought     Sought
	items      []Item
	normaliser normaliser
	said       map[string]int // how many of the items say a word
}

// sums are the sets of items, all of the sign sought, that add up to it.
func (w weigher) sums() (sets [][]int) {
	target := magnitude(w.sought.AmountMinor)
	if target == 0 || target > amountLimit {
		return nil
	}
	members := w.members(target)
	amounts := make([]int64, len(members))
	for i, at := range members {
		amounts[i] = int64(magnitude(w.items[at].AmountMinor))
	}
	s := subset{amounts: amounts, twin: make([]bool, len(amounts)), grids: gridsOf(amounts), low: int64(target), high: int64(target), steps: mostSteps,
		all: len(amounts) <= fewLines, most: noise}
	s.run()
	for _, found := range s.sets {
		set := make([]int, len(found.indexes))
		for i, index := range found.indexes {
			set[i] = members[index]
		}
		slices.Sort(set)
		sets = append(sets, set)
	}
	return sets
}

// members are the items that could be part of a sum, of the nearest days, by falling amount.
func (w weigher) members(target uint64) (members []int) {
	for i, item := range w.items {
		if sameSign := (item.AmountMinor < 0) == (w.sought.AmountMinor < 0); item.Currency == w.sought.Currency && sameSign && item.AmountMinor != 0 && magnitude(item.AmountMinor) < target {
			members = append(members, i)
		}
	}
	slices.SortStableFunc(members, func(a, b int) int { return cmp.Compare(w.daysTo(a), w.daysTo(b)) })
	members = members[:min(len(members), mostSummed)]
	slices.SortStableFunc(members, func(a, b int) int {
		return cmp.Compare(magnitude(w.items[b].AmountMinor), magnitude(w.items[a].AmountMinor))
	})
	return members
}

func (w weigher) daysTo(i int) int {
	days := w.sought.Date.DaysUntil(w.items[i].Date)
	return max(days, -days)
}

// weigh scores a set by its furthest day and its poorest words.
func (w weigher) weigh(set []int) Candidate {
	c := Candidate{Items: set, Score: amountScore}
	apart, said, what := 0, wordScore, Fit{}
	for n, i := range set {
		apart = max(apart, w.daysTo(i))
		if score, fit := w.words(i); n == 0 || score < said {
			said, what = score, fit
		}
	}
	c.Score += max(0, dayScore*(nearDays-apart)/nearDays) + said
	near := Fits
	if apart > 0 {
		near = FitsInPart
	}
	if apart >= nearDays {
		near = FitsNot
	}
	c.Fits = []Fit{w.amount(len(set)), {days(apart), near}, what}
	return c
}

func (w weigher) amount(n int) Fit {
	said := map[Role][2]string{
		TheOtherSide: {"Amount equal", "add up to it"}, Cancelling: {"Amount cancels it", "together cancel it"}, MakingUp: {"Makes up the difference", "make up the difference"},
	}[w.sought.As]
	if n > 1 {
		return Fit{fmt.Sprintf("%d %s", n, said[1]), Fits}
	}
	return Fit{said[0], Fits}
}

// words weighs what two items say: the same reference, one that the text of the other names, or words in common.
func (w weigher) words(i int) (score int, fit Fit) {
	ours, theirs := w.sought.Item, w.items[i]
	mine, other := w.normaliser.normalise(ours.Reference).base, w.normaliser.normalise(theirs.Reference).base
	switch {
	case mine != "" && mine == other:
		return wordScore, Fit{"Same reference", Fits}
	case other != "" && w.normaliser.names(ours.Text, other) || mine != "" && w.normaliser.names(theirs.Text, mine):
		return wordScore, Fit{"Reference in the text", Fits}
	}
	common, shorter := wordsInCommon(ours.Text, theirs.Text)
	if common == 0 {
		return 0, Fit{"No common word", FitsNot}
	}
	return wordScore * common / max(shorter, 1), Fit{"“" + w.telling(ours.Text, theirs.Text) + "” in both", Fits}
}

// telling is the word that two texts share and the fewest others say, of those the longest, as a name is written.
func (w weigher) telling(a, b string) (told string) {
	theirs := words(b)
	for _, word := range words(a) {
		if slices.Contains(theirs, word) && (told == "" || cmp.Or(cmp.Compare(w.said[word], w.said[told]), cmp.Compare(len(told), len(word))) < 0) {
			told = word
		}
	}
	runes := []rune(strings.ToLower(told))
	runes[0] = unicode.ToUpper(runes[0])
	return string(runes)
}

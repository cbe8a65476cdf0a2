package web

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/labstack/echo/v4"

	"daybook/recon"
	"daybook/store"
	"daybook/store/ledger"
	"daybook/templates"
)

// fillCandidates adds what an open break could be matched with.
func (s *server) fillCandidates(ctx context.Context, actor store.Actor, b store.Break, view *templates.Break) error {
	found, err := s.Store.Candidates(ctx, actor, b.ID, candidatesShown)
	for _, c := range found {
		shown := templates.Candidate{Score: c.Score, Fits: c.Fits, Resolves: c.Resolves, Reduces: c.Reduces, Match: itemNames(c.Match)}
		for _, p := range c.Postings {
			shown.Items = append(shown.Items, openPosting(p))
		}
		for _, l := range c.Lines {
			shown.Items = append(shown.Items, openLine(l))
		}
		view.Candidates = append(view.Candidates, withoutTheObvious(shown, b))
	}
	return err
}

// withoutTheObvious leaves out of a candidate the only line, or the only posting, of a break: it goes with each.
func withoutTheObvious(c templates.Candidate, b store.Break) templates.Candidate {
	rest := slices.DeleteFunc(slices.Clone(c.Items), func(item templates.OpenItem) bool {
		return item.Seq == 0 && len(b.Bank) == 1 && item.Name == lineName(b.Bank[0]) || item.Seq != 0 && len(b.Ledger) == 1 && item.Name == postingName(b.Ledger[0])
	})
	if len(rest) > 0 {
		c.Items = rest
	}
	return c
}

func postingName(p store.PostingSide) string { return fmt.Sprintf("p.%d.%d", p.Seq, p.Line) }
func lineName(l store.LineSide) string       { return fmt.Sprintf("r.%d.%d", l.StatementID, l.Row) }

func itemNames(items store.MatchItems) (names []string) {
	for _, p := range items.Postings {
		names = append(names, postingName(store.PostingSide{Seq: p.Seq, Line: p.Line}))
	}
	for _, r := range items.Rows {
		names = append(names, lineName(store.LineSide{StatementID: r.StatementID, Row: r.Row}))
	}
	return names
}

// readItems reads the names of postings and lines as forms send them.
func readItems(names []string) (items store.MatchItems, err error) {
	items = store.MatchItems{Postings: []store.PostingRef{}, Rows: []store.RowRef{}}
	for _, name := range names {
		parts := strings.Split(name, ".")
		var of, at int64
		var bad error
		if len(parts) == 3 {
			if of, bad = strconv.ParseInt(parts[1], 10, 64); bad == nil {
				at, bad = strconv.ParseInt(parts[2], 10, 32)
			}
		}
		switch {
		case len(parts) != 3 || bad != nil || parts[0] != "p" && parts[0] != "r":
			return items, ledger.Refuse(ledger.KindInvalid, "the form names what is neither a posting nor a line: open it again").At("item", "%s is no posting and no line", quoted(name))
		case parts[0] == "p":
			items.Postings = append(items.Postings, store.PostingRef{Seq: of, Line: int(at)})
		default:
			items.Rows = append(items.Rows, store.RowRef{StatementID: of, Row: int(at)})
		}
	}
	return items, nil
}

func openPosting(p store.PostingSide) templates.OpenItem {
	item := templates.OpenItem{Name: postingName(p), Date: p.EffectiveOn, Text: p.Description, Reference: p.Reference, AmountMinor: p.AmountMinor, Currency: p.Currency, Seq: p.Seq}
	return item
}

func openLine(l store.LineSide) templates.OpenItem {
	return templates.OpenItem{Name: lineName(l), Date: l.BookedOn, Text: l.Description, Reference: l.Reference, AmountMinor: l.AmountMinor, Currency: l.Currency, Row: l.Row}
}

// matchBreak matches what a person chose, of this break and of others.
func (s *server) matchBreak(c echo.Context, actor store.Actor) error {
	return s.workOnBreak(c, actor, breakWork{
		may: needResolve,
		act: func(ctx context.Context, id int64, f *form) (told, error) {
			items, err := s.chosenItems(ctx, actor, id, f.values["item"])
			if err != nil {
				return told{}, err
			}
			return s.matchItems(ctx, actor, id, f, items, f.text("match_note"))
		},
		refuse: func(view *templates.Break, f *form, refusal *ledger.Error) {
			view.Match = templates.MatchForm{Form: f.key(), Message: wholeMessage(refusal)}
			for _, fault := range refusal.Fields {
				if fault.Field == "note" {
					view.Match.Errors = append(view.Match.Errors, ledger.FieldError{Field: "match_note", Detail: inWords(fault)})
				}
			}
		},
	})
}

// wholeMessage is what stands over a form that has no field for what the rules say: of a match, by how much its sides differ.
func wholeMessage(refusal *ledger.Error) string {
	return strings.TrimSuffix(sentence(refusal.Message), ".") + "."
}

func (s *server) matchItems(ctx context.Context, actor store.Actor, id int64, f *form, items store.MatchItems, note string) (told, error) {
	version, _ := seenVersion(f)
	after, _, err := s.Store.ResolveBreak(ctx, actor, f.key(), id, store.BreakResolution{Resolution: recon.MatchedByHand, Match: &items, Note: note, Version: version,
		ReasonCode: recon.Reason(f.text("reason_code"))})
	if err != nil {
		return told{}, err
	}
	if after.Status != recon.Resolved {
		return told{text: "What was chosen is matched.\nWhat is left of the break stays open."}, nil
	}
	return told{text: "The break is matched."}, nil
}

// chosenItems reads what was chosen; something of this break must be among it. Error: KindInvalid.
func (s *server) chosenItems(ctx context.Context, actor store.Actor, id int64, names []string) (store.MatchItems, error) {
	items, err := readItems(names)
	if err != nil {
		return items, err
	}
	b, _, err := s.Store.Break(ctx, actor, id)
	if err != nil {
		return items, err
	}
	own := ownItems(b)
	if !slices.ContainsFunc(own, func(item templates.OpenItem) bool { return slices.Contains(names, item.Name) }) {
		if len(own) > 1 {
			return items, ledger.Refuse(ledger.KindInvalid, "nothing of this break is chosen").At("item", "choose what of this break is to be matched")
		}
		own, err := readItems([]string{own[0].Name})
		return store.MatchItems{Postings: append(own.Postings, items.Postings...), Rows: append(own.Rows, items.Rows...)}, err
	}
	return items, nil
}

func ownItems(b store.Break) (items []templates.OpenItem) {
	for _, l := range b.Bank {
		items = append(items, openLine(l))
	}
	for _, p := range b.Ledger {
		items = append(items, openPosting(p))
	}
	return items
}

// openSearch is what a person searches for, and what they have chosen of an earlier answer; all is chosen of the break where nothing was sent.
type openSearch struct {
	text, amount, from, to string
	chosen                 []string
	sent                   bool
	note                   string
}

func searchOf(value func(name string) string) openSearch {
	return openSearch{text: strings.TrimSpace(value("text")), amount: strings.TrimSpace(value("amount")), from: value("from"), to: value("to")}
}

func (q openSearch) choosing(f *form) openSearch {
	q.chosen, q.sent, q.note = f.values["item"], true, f.raw("match_note")
	return q
}

// openShown is how many open items of each side a search shows.
const openShown = 50

// searchOpenItems adds the open items that a person searches for.
func (s *server) searchOpenItems(c echo.Context, actor store.Actor, view *templates.Break, q openSearch) error {
	ctx := c.Request().Context()
	b, _, err := s.Store.Break(ctx, actor, view.ID)
	if err != nil {
		return err
	}
	search := templates.OpenSearch{Text: q.text, Amount: q.amount, From: q.from, To: q.to, Note: q.note}
	filter := store.OpenFilter{Text: q.text, Limit: openShown, From: readDate(q.from, "from", &search.Errors), To: readDate(q.to, "to", &search.Errors)}
	if q.amount != "" {
		if filter.AmountMinor, err = view.Format.ParseAmount(q.amount, b.Currency); err != nil {
			search.Errors = append(search.Errors, ledger.FieldError{Field: "amount", Detail: quoted(q.amount) + " is not an amount: write it as " + view.Format.Example()})
		}
	}
	search.Own = chosenOf(ownItems(b), q)
	if len(search.Errors) == 0 {
		found, err := s.Store.OpenItems(ctx, actor, b.ID, filter)
		if err != nil {
			return err
		}
		search.More = found.More
		for _, p := range found.Postings {
			item := openPosting(p.PostingSide)
			item.BreakID = p.BreakID
			search.Postings = append(search.Postings, item)
		}
		for _, l := range found.Lines {
			item := openLine(l.LineSide)
			item.BreakID = l.BreakID
			search.Lines = append(search.Lines, item)
		}
	}
	search.Postings, search.Lines = chosenOf(search.Postings, q), chosenOf(search.Lines, q)
	if !q.sent {
		for i := range search.Own {
			search.Own[i].Chosen = true
		}
	}
	view.Search = &search
	return nil
}

func chosenOf(items []templates.OpenItem, q openSearch) []templates.OpenItem {
	for i := range items {
		items[i].Chosen = slices.Contains(q.chosen, items[i].Name)
	}
	return items
}

package store_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"daybook/recon"
	"daybook/store"
	"daybook/store/ledger"
)

var carried = store.BulkResolution{Resolution: recon.CarriedForward, ReasonCode: recon.TimingCutoff}

func TestResolveChosen_TakesAWholeFilterAsItWasSeen(t *testing.T) {
	t.Parallel()
	b := setup(t)
	id := b.five(t)
	q := store.BreakQuery{ReconciliationID: id, Standing: store.StandsOpen}
	page, _ := b.worked(t, q)
	all := store.BreakChoice{All: &store.SeenFilter{BreakQuery: q, Found: page.Found, Digest: page.Digest}}
	outcomes, duplicate, err := b.ResolveChosen(t.Context(), b.preparer, "k", id, all, carried)
	ok(t, err)
	if len(outcomes) != 4 || duplicate || outcomes[0].Resolution != recon.CarriedForward || outcomes[0].Version != page.Items[0].Version+1 {
		t.Errorf("the outcomes are %+v", outcomes)
	}
	if _, duplicate, err = b.ResolveChosen(t.Context(), b.preparer, "k", id, all, carried); err != nil || !duplicate {
		t.Errorf("sent twice it is no duplicate: %v", err)
	}
	b.isProven(t, "1010")
}

func TestResolveChosen_RefusesAFilterThatFindsSomethingElse(t *testing.T) {
	t.Parallel()
	for name, change := range map[string]func(t *testing.T, b bundle, id int64, item store.Break){
		"a break changed": func(t *testing.T, b bundle, _ int64, item store.Break) {
			_, _, err := b.AssignBreak(t.Context(), b.controller, "", item.ID, b.controller.Email, "")
			ok(t, err)
		},
		"one was resolved": func(t *testing.T, b bundle, _ int64, item store.Break) {
			_, _, err := b.ResolveBreak(t.Context(), b.controller, "", item.ID, store.BreakResolution{Resolution: recon.External, ReasonCode: recon.BankError})
			ok(t, err)
		},
		"one came": func(t *testing.T, b bundle, id int64, _ store.Break) {
			b.post(t, entry("new", on("2026-03-11"), amount(11)))
			ok(t, b.RunMatching(t.Context(), b.preparer, id))
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := setup(t)
			id := b.five(t)
			q := store.BreakQuery{ReconciliationID: id, Standing: store.StandsOpen}
			page, _ := b.worked(t, q)
			change(t, b, id, page.Items[0])
			all := store.BreakChoice{All: &store.SeenFilter{BreakQuery: q, Found: page.Found, Digest: page.Digest}}
			_, _, err := b.ResolveChosen(t.Context(), b.preparer, "", id, all, carried)
			refused(t, err, ledger.KindIllegalTransition)
			if !strings.Contains(err.Error(), "has changed since you saw it") {
				t.Errorf("it says %v", err)
			}
			if after, _ := b.worked(t, store.BreakQuery{ReconciliationID: id, Standing: store.StandsExplained}); after.Found > 2 {
				t.Errorf("%d are explained", after.Found)
			}
		})
	}
}

func TestAssignChosenAndCommentChosen(t *testing.T) {
	t.Parallel()
	b := setup(t)
	id := b.five(t)
	page, _ := b.worked(t, store.BreakQuery{ReconciliationID: id})
	choice := store.BreakChoice{Breaks: []store.SeenBreak{{ID: page.Items[0].ID, Version: page.Items[0].Version}, {ID: page.Items[4].ID}}}
	outcomes, _, err := b.AssignChosen(t.Context(), b.preparer, "", id, choice, b.preparer.Email, "")
	ok(t, err)
	if outcomes[0].Status != recon.InReview || outcomes[0].Had || outcomes[1].Kind != ledger.KindIllegalTransition {
		t.Errorf("assigned are %+v", outcomes)
	}
	again, _, err := b.AssignChosen(t.Context(), b.controller, "", id, choice, b.controller.Email, "")
	ok(t, err)
	if again[0].Kind != ledger.KindIllegalTransition || !strings.Contains(again[0].Message, "assigned by preparer") {
		t.Errorf("who came second is told %+v", again[0])
	}
	outcomes, _, err = b.CommentChosen(t.Context(), b.preparer, "", id, choice, "asked the bank")
	ok(t, err)
	if outcomes[0].Kind != "" || outcomes[1].Kind != "" {
		t.Errorf("commented are %+v", outcomes)
	}
	_, _, err = b.CommentChosen(t.Context(), b.preparer, "", id, choice, " ")
	refused(t, err, ledger.KindInvalid)
	_, _, err = b.CommentChosen(t.Context(), b.viewer, "", id, choice, "x")
	refused(t, err, ledger.KindForbidden)
}

func TestMatchBreaks_MatchesAllThatTheyHoldOrWhatIsNamedOfIt(t *testing.T) {
	t.Parallel()
	b := setup(t)
	id := b.unlike(t) // 10.00 + 20.00 and 5.00 against 30.00 and 2.50 twice
	seen := map[int64]store.SeenBreak{}
	page, _ := b.worked(t, store.BreakQuery{ReconciliationID: id})
	for _, item := range page.Items {
		seen[item.DifferenceMinor*int64(100)+int64(len(seen))] = store.SeenBreak{ID: item.ID, Version: item.Version}
	}
	of := func(minors ...int64) (breaks []store.SeenBreak) {
		for _, minor := range minors {
			for key, one := range seen {
				if key/100 == minor {
					breaks = append(breaks, one)
					delete(seen, key)
					break
				}
			}
		}
		return breaks
	}
	_, _, err := b.MatchBreaks(t.Context(), b.preparer, "", id, []store.SeenBreak{{ID: page.Items[0].ID, Version: 1}}, store.MatchItems{}, "")
	refused(t, err, ledger.KindInvalid)
	three := of(1000, 2000, -3000)
	match, _, err := b.MatchBreaks(t.Context(), b.preparer, "k", id, three, store.MatchItems{}, "paid in one sum")
	ok(t, err)
	if len(match.Ledger) != 2 || len(match.Bank) != 1 || match.Why != "paid in one sum" {
		t.Errorf("the match is %+v", match)
	}
	_, _, err = b.MatchBreaks(t.Context(), b.controller, "", id, three, store.MatchItems{}, "")
	refused(t, err, ledger.KindIllegalTransition)
	if !strings.Contains(err.Error(), "resolved as Matched by preparer") {
		t.Errorf("who came second is told %v", err)
	}
	if _, _, err = b.MatchBreaks(t.Context(), b.preparer, "", id, append(of(500), of(-250)...), store.MatchItems{}, ""); err == nil {
		t.Error("what does not add up was matched")
	}
	b.isProven(t, "1010")
}

func TestMatchBreaks_OfTwoAtOnceOneWinsAndTheOtherIsTold(t *testing.T) {
	t.Parallel()
	b := setup(t)
	elsewhere := b.another(t)
	id := b.unlike(t)
	page, _ := b.worked(t, store.BreakQuery{ReconciliationID: id})
	var sum []store.SeenBreak
	for _, item := range page.Items {
		if minor := item.DifferenceMinor; minor == 1000 || minor == 2000 || minor == -3000 {
			sum = append(sum, store.SeenBreak{ID: item.ID, Version: item.Version})
		}
	}
	results := atOnce(
		func() error {
			_, _, err := b.MatchBreaks(t.Context(), b.preparer, "", id, sum, store.MatchItems{}, "")
			return err
		},
		func() error {
			_, _, err := elsewhere.MatchBreaks(t.Context(), b.controller, "", id, sum, store.MatchItems{}, "")
			return err
		},
	)
	if (results[0] == nil) == (results[1] == nil) {
		t.Fatalf("of two at once both or none matched: %v", results)
	}
	lost := errors.Join(results...)
	refused(t, lost, ledger.KindIllegalTransition)
	if !strings.Contains(lost.Error(), "has changed since you saw it (resolved as Matched by ") {
		t.Errorf("the other is told %v", lost)
	}
	b.isProven(t, "1010")
}

func TestWorkList_OfManyCanBeDecidedAtOnceUpToAThousand(t *testing.T) {
	t.Parallel()
	b := setup(t)
	var lines []string
	for i := range store.MaxBreaksAtOnce + 1 {
		lines = append(lines, fmt.Sprintf("2026-03-%02d,-1.%02d,x%d", i%28+1, i%90+10, i))
	}
	id := b.upload(t, csv(lines...), period("2026-03-01", "2026-03-31")).ReconciliationID
	page, _ := b.worked(t, store.BreakQuery{ReconciliationID: id, Limit: 10})
	if page.Found != store.MaxBreaksAtOnce+1 || page.Digest != "" || len(page.Items) != 10 || !page.More {
		t.Errorf("of all it finds %d with digest %q", page.Found, page.Digest)
	}
	all := store.BreakChoice{All: &store.SeenFilter{Found: page.Found, Digest: "x"}}
	_, _, err := b.ResolveChosen(t.Context(), b.preparer, "", id, all, carried)
	refused(t, err, ledger.KindInvalid)
	if fewer, _ := b.worked(t, store.BreakQuery{ReconciliationID: id, Text: "x1", Limit: 10}); fewer.Digest == "" {
		t.Errorf("of %d there is no digest", fewer.Found)
	}
}

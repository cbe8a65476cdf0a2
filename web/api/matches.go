package api

import (
	"context"
	"fmt"
	"math"
	"net/http"
	"strconv"

	"github.com/labstack/echo/v4"

	"daybook/store"
	"daybook/store/ledger"
)

type match struct {
	ID               int64         `json:"id"`
	ReconciliationID int64         `json:"reconciliation_id"`
	Kind             string        `json:"kind"`
	Rule             string        `json:"rule"`
	Score            int           `json:"score"`
	Why              string        `json:"why"`
	Live             bool          `json:"live"`
	MadeBy           *string       `json:"made_by"`
	MadeAt           *string       `json:"made_at"`
	RulesVersion     *int64        `json:"rules_version"`
	BookedSeq        *int64        `json:"booked_seq"`
	Ledger           []postingSide `json:"ledger"`
	Bank             []lineSide    `json:"bank"`
}

func matchOf(m store.Match) match {
	return match{
		ID: m.ID, ReconciliationID: m.ReconciliationID, Kind: string(m.Kind), Rule: m.Rule, Score: m.Score, Why: m.Why, Live: m.Live,
		RulesVersion: numberOrNull(int64(m.RulesVersion)), BookedSeq: numberOrNull(m.BookedSeq),
		MadeBy: textOrNull(m.MadeBy), MadeAt: instantOrNull(m.MadeAt), Ledger: postingSidesOf(m.Ledger), Bank: lineSidesOf(m.Bank),
	}
}

func (a *api) listMatches(c echo.Context, actor store.Actor) error {
	id, err := PathNumber(c, "id", "reconciliation")
	if err != nil {
		return err
	}
	query := queryOf(c)
	after, limit := query.after(), query.limit()
	if err := query.err(); err != nil {
		return err
	}
	matches, more, err := a.Store.Matches(c.Request().Context(), actor, id, after, limit)
	if err != nil {
		return err
	}
	return answer(c, http.StatusOK, listOf(matches, more, matchOf, func(m store.Match) string { return strconv.FormatInt(m.ID, 10) }))
}

func (a *api) makeMatch(c echo.Context, actor store.Actor) error {
	return a.workOnMatch(c, actor, "reconciliation", http.StatusCreated, a.Store.MatchByHand)
}

func (a *api) unmatch(c echo.Context, actor store.Actor) error {
	return a.workOnMatch(c, actor, "match", http.StatusOK, a.Store.Unmatch)
}

// matchWork is a use case that works on postings and rows of what has the number.
type matchWork func(ctx context.Context, actor store.Actor, key string, id int64, items store.MatchItems, note string) (store.Match, bool, error)

// workOnMatch reads what is named of a reconciliation or a match, and answers with the match as it then is.
func (a *api) workOnMatch(c echo.Context, actor store.Actor, noun string, status int, work matchWork) error {
	if err := actor.Need(store.RightResolve); err != nil {
		return err
	}
	key, err := optionalKey(c)
	if err != nil {
		return err
	}
	id, err := PathNumber(c, "id", noun)
	if err != nil {
		return err
	}
	body, err := readObject(c)
	if err != nil {
		return err
	}
	items, note := readItems(body), body.Text("note")
	if err := body.Err(); err != nil {
		return err
	}
	worked, duplicate, err := work(c.Request().Context(), actor, key, id, items, note)
	if err != nil {
		return err
	}
	return settled(c, status, duplicate, struct {
		match
		Duplicate bool `json:"duplicate"`
	}{matchOf(worked), duplicate})
}

// readItems takes the postings and rows that an object names. A row is a number, of the statement of the reconciliation, or says
// which statement it is of.
func readItems(o *object) store.MatchItems {
	var items store.MatchItems
	for _, p := range o.Objects("postings") {
		items.Postings = append(items.Postings, store.PostingRef{Seq: p.Number("seq"), Line: int(min(p.Number("line"), math.MaxInt32))})
	}
	value := o.Take("rows")
	elements, ok := value.([]any)
	if !ok && value != nil {
		o.WrongType("rows", "a list", value)
	}
	for i, element := range elements {
		name := fmt.Sprintf("rows[%d]", i)
		if _, isObject := element.(map[string]any); isObject {
			row := o.Nest(name, element)
			items.Rows = append(items.Rows, store.RowRef{StatementID: row.Number("statement_id"), Row: int(min(row.Number("row"), math.MaxInt32))})
			continue
		}
		items.Rows = append(items.Rows, store.RowRef{Row: int(min(o.Positive(name, element), math.MaxInt32))})
	}
	return items
}

// entryOrNone takes an entry, nil when it is left out.
func entryOrNone(o *object, name string) *ledger.Entry {
	inner := o.Object(name)
	if inner == nil {
		return nil
	}
	entry := inner.Entry()
	return &entry
}

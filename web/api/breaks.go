package api

import (
	"math"
	"net/http"
	"strconv"

	"github.com/labstack/echo/v4"

	"daybook/recon"
	"daybook/store"
	"daybook/store/ledger"
)

type breakShown struct {
	ID               int64         `json:"id"`
	Account          string        `json:"account"`
	ReconciliationID int64         `json:"reconciliation_id"`
	Type             string        `json:"type"`
	Status           string        `json:"status"`
	Resolution       *string       `json:"resolution"`
	Ledger           []postingSide `json:"ledger"`
	Bank             []lineSide    `json:"bank"`
	DifferenceMinor  int64         `json:"difference_minor"`
	Currency         string        `json:"currency"`
	FirstSeenOn      string        `json:"first_seen_on"`
	Why              string        `json:"why"`
	Version          int           `json:"version"`
	Assignee         *string       `json:"assignee"`
	MatchID          *int64        `json:"match_id"`
	ApprovalID       *int64        `json:"approval_id"`
}

type postingSide struct {
	Seq         int64  `json:"seq"`
	Line        int    `json:"line"`
	TxID        string `json:"tx_id"`
	EffectiveOn string `json:"effective_on"`
	AmountMinor int64  `json:"amount_minor"`
	Currency    string `json:"currency"`
}

type lineSide struct {
	StatementID int64  `json:"statement_id"`
	Row         int    `json:"row"`
	BookedOn    string `json:"booked_on"`
	Reference   string `json:"reference"`
	AmountMinor int64  `json:"amount_minor"`
	Currency    string `json:"currency"`
}

func breakOf(b store.Break) breakShown {
	return breakShown{
		ID: b.ID, Account: b.Account, ReconciliationID: b.ReconciliationID, Type: string(b.Type), Status: string(b.Status),
		Resolution: textOrNull(string(b.Resolution)), Ledger: postingSidesOf(b.Ledger), Bank: lineSidesOf(b.Bank),
		DifferenceMinor: b.DifferenceMinor, Currency: b.Currency, FirstSeenOn: b.FirstSeenOn.String(), Why: b.Why,
		Version: b.Version, Assignee: textOrNull(b.Assignee), MatchID: numberOrNull(b.MatchID), ApprovalID: numberOrNull(b.ApprovalID),
	}
}

func postingSidesOf(sides []store.PostingSide) []postingSide {
	shown := make([]postingSide, len(sides))
	for i, p := range sides {
		shown[i] = postingSide{Seq: p.Seq, Line: p.Line, TxID: p.TxID, EffectiveOn: p.EffectiveOn.String(), AmountMinor: p.AmountMinor, Currency: p.Currency}
	}
	return shown
}

func lineSidesOf(sides []store.LineSide) []lineSide {
	shown := make([]lineSide, len(sides))
	for i, l := range sides {
		shown[i] = lineSide{
			StatementID: l.StatementID, Row: l.Row, BookedOn: l.BookedOn.String(), Reference: l.Reference, AmountMinor: l.AmountMinor, Currency: l.Currency,
		}
	}
	return shown
}

// breakEvent is a step in the history of a break, with what it has to do with.
type breakEvent struct {
	N          int     `json:"n"`
	Event      string  `json:"event"`
	Type       *string `json:"type"`
	Resolution *string `json:"resolution"`
	ReasonCode *string `json:"reason_code"`
	Note       string  `json:"note"`
	By         *string `json:"by"`
	At         string  `json:"at"`
	Assignee   *string `json:"assignee"`
	MatchID    *int64  `json:"match_id"`
	ApprovalID *int64  `json:"approval_id"`
	Seq        *int64  `json:"seq"`
	Attachment *int64  `json:"attachment_id"`
}

func (a *api) showBreak(c echo.Context, actor store.Actor) error {
	id, err := PathNumber(c, "id", "break")
	if err != nil {
		return err
	}
	found, events, err := a.Store.Break(c.Request().Context(), actor, id)
	if err != nil {
		return err
	}
	shown := struct {
		breakShown
		Events []breakEvent `json:"events"`
	}{breakOf(found), make([]breakEvent, len(events))}
	for i, e := range events {
		shown.Events[i] = breakEvent{
			N: e.N, Event: e.Event, Type: textOrNull(string(e.Type)), Resolution: textOrNull(string(e.Resolution)), ReasonCode: textOrNull(string(e.ReasonCode)), Note: e.Note, By: textOrNull(e.User),
			At: ledger.FormatInstant(e.At), Assignee: textOrNull(e.Assignee), MatchID: numberOrNull(e.MatchID), ApprovalID: numberOrNull(e.ApprovalID), Seq: numberOrNull(e.Seq),
			Attachment: numberOrNull(e.AttachmentID),
		}
	}
	return answer(c, http.StatusOK, shown)
}

func (a *api) listBreaks(c echo.Context, actor store.Actor) error {
	id, err := PathNumber(c, "id", "reconciliation")
	if err != nil {
		return err
	}
	query := queryOf(c)
	filter := store.BreakFilter{
		ReconciliationID: id, After: int(min(query.after(), maxOffset)), Limit: query.limit(),
		Type:   recon.BreakType(query.oneOf("type", textsOf(recon.BreakTypes())...)),
		Status: recon.Status(query.oneOf("status", textsOf([]recon.Status{recon.Open, recon.InReview, recon.WaitingForApproval, recon.Resolved})...)),
	}
	if err := query.err(); err != nil {
		return err
	}
	breaks, more, err := a.Store.Breaks(c.Request().Context(), actor, filter)
	if err != nil {
		return err
	}
	next := strconv.Itoa(filter.After + len(breaks))
	return answer(c, http.StatusOK, listOf(breaks, more, breakOf, func(store.Break) string { return next }))
}

// maxOffset is beyond the end of every list that is paged by place.
const maxOffset = 1 << 40

func textsOf[T ~string](words []T) []string {
	texts := make([]string, len(words))
	for i, word := range words {
		texts[i] = string(word)
	}
	return texts
}

func (a *api) resolveBreak(c echo.Context, actor store.Actor) error {
	return a.workOnBreak(c, actor, needResolve, func(key string, id int64, body *object) (store.Break, bool, error) {
		resolution := store.BreakResolution{
			Resolution: recon.Resolution(body.Text("resolution")), ReasonCode: recon.Reason(body.Text("reason_code")), Note: body.Text("note"), Entry: entryOrNone(body, "entry"),
		}
		if inner := body.Object("match"); inner != nil {
			items := readItems(inner)
			resolution.Match = &items
		}
		resolution.Version = seenVersion(body)
		if err := body.Err(); err != nil {
			return store.Break{}, false, err
		}
		return a.Store.ResolveBreak(c.Request().Context(), actor, key, id, resolution)
	})
}

func (a *api) reopenBreak(c echo.Context, actor store.Actor) error {
	return a.workOnBreak(c, actor, needResolve, func(key string, id int64, body *object) (store.Break, bool, error) {
		note := body.Text("note")
		if err := body.Err(); err != nil {
			return store.Break{}, false, err
		}
		return a.Store.ReopenBreak(c.Request().Context(), actor, key, id, note)
	})
}

func (a *api) assignBreak(c echo.Context, actor store.Actor) error {
	return a.workOnBreak(c, actor, needResolve, func(key string, id int64, body *object) (store.Break, bool, error) {
		assignee, note, version := body.Text("assignee"), body.Text("note"), seenVersion(body)
		if err := body.Err(); err != nil {
			return store.Break{}, false, err
		}
		return a.Store.AssignBreak(c.Request().Context(), actor, key, id, assignee, note, version)
	})
}

func (a *api) commentBreak(c echo.Context, actor store.Actor) error {
	return a.workOnBreak(c, actor, store.Actor.MayComment, func(key string, id int64, body *object) (store.Break, bool, error) {
		note := body.Text("note")
		if err := body.Err(); err != nil {
			return store.Break{}, false, err
		}
		return a.Store.CommentBreak(c.Request().Context(), actor, key, id, note)
	})
}

// seenVersion is the version of a break that was seen, 0 where that is not said.
func seenVersion(body *object) int {
	version := body.Take("version")
	if version == nil {
		return 0
	}
	return int(min(body.Positive("version", version), math.MaxInt32))
}

func needResolve(actor store.Actor) error { return actor.Need(store.RightResolve) }

// workOnBreak reads what the commands on a break have in common, and answers with the break as it then is.
func (a *api) workOnBreak(c echo.Context, actor store.Actor, may func(store.Actor) error,
	work func(key string, id int64, body *object) (store.Break, bool, error)) error {
	if err := may(actor); err != nil {
		return err
	}
	key, err := optionalKey(c)
	if err != nil {
		return err
	}
	id, err := PathNumber(c, "id", "break")
	if err != nil {
		return err
	}
	body, err := readObject(c)
	if err != nil {
		return err
	}
	worked, duplicate, err := work(key, id, body)
	if err != nil {
		return err
	}
	return settled(c, http.StatusOK, duplicate, struct {
		breakShown
		Duplicate bool `json:"duplicate"`
	}{breakOf(worked), duplicate})
}

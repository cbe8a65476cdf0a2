package api

import (
	"net/http"
	"strconv"

	"github.com/labstack/echo/v4"

	"daybook/store"
)

func (a *api) postEntry(c echo.Context, actor store.Actor) error {
	if err := actor.Need(store.RightPost); err != nil {
		return err
	}
	key, err := requiredKey(c)
	if err != nil {
		return err
	}
	body, err := readObject(c)
	if err != nil {
		return err
	}
	entry := body.Entry()
	if err := body.Err(); err != nil {
		return err
	}
	posted, err := a.Store.PostEntry(c.Request().Context(), actor, key, entry)
	if err != nil {
		return err
	}
	return created(c, posted.Duplicate, receiptOf(posted))
}

func (a *api) listEntries(c echo.Context, actor store.Actor) error {
	query := queryOf(c)
	filter := store.EntryFilter{
		After: query.after(), Limit: query.limit(), Account: query.text("account"), From: query.date("from"), To: query.date("to"), Words: store.WordsOf(query.text("q")),
	}
	if err := query.err(); err != nil {
		return err
	}
	entries, more, err := a.Store.Entries(c.Request().Context(), actor, filter)
	if err != nil {
		return err
	}
	return answer(c, http.StatusOK, listOf(entries, more, receiptOf, func(r store.Receipt) string { return strconv.FormatInt(r.Seq, 10) }))
}

func (a *api) showEntry(c echo.Context, actor store.Actor) error {
	seq, err := PathNumber(c, "seq", "entry")
	if err != nil {
		return err
	}
	found, err := a.Store.Entry(c.Request().Context(), actor, seq)
	if err != nil {
		return err
	}
	return answer(c, http.StatusOK, receiptOf(found))
}

func (a *api) requestReversal(c echo.Context, actor store.Actor) error {
	if err := actor.Need(store.RightRequest); err != nil {
		return err
	}
	key, err := optionalKey(c)
	if err != nil {
		return err
	}
	seq, err := PathNumber(c, "seq", "entry")
	if err != nil {
		return err
	}
	request, err := readReversalRequest(c)
	if err != nil {
		return err
	}
	approval, duplicate, err := a.Store.RequestReversal(c.Request().Context(), actor, key, seq, request)
	if err != nil {
		return err
	}
	return created(c, duplicate, map[string]any{"approval_id": approval.ID, "status": approval.Status, "duplicate": duplicate})
}

func readReversalRequest(c echo.Context) (store.ReversalRequest, error) {
	body, err := readObject(c)
	if err != nil {
		return store.ReversalRequest{}, err
	}
	request := store.ReversalRequest{Reason: body.Text("reason"), EffectiveOn: body.Date("effective_on")}
	if replacement := body.Object("replacement"); replacement != nil {
		entry := replacement.Entry()
		request.Replacement = &entry
	}
	return request, body.Err()
}

package web

import (
	"strconv"
	"strings"

	"github.com/labstack/echo/v4"

	"daybook/store"
	"daybook/store/ledger"
	"daybook/templates"
	"daybook/templates/ui"
	"daybook/web/api"
)

// unmatch takes a match apart, or what is chosen of it out.
func (s *server) unmatch(c echo.Context, actor store.Actor) error {
	c.Set(api.ActionKey, "match.unmatched")
	f, r, err := s.beginWork(c, actor)
	if err != nil {
		return err
	}
	w := workForm{form: f, id: r.ID}
	id, part, err := readUnmatch(f)
	var match store.Match
	if err == nil {
		match, _, err = s.Store.Unmatch(c.Request().Context(), actor, f.key(), id, part, f.text("note"))
	}
	if err != nil {
		return s.showRefusedWork(c, actor, r, w, workResult{}, err)
	}
	address := bookView(actor.Book).ReconciliationURL(r.ID)
	done := &templates.WorkDone{Title: "Taken out of the match: it is a break again.", Link: ui.Link{Text: "Breaks", Href: address}}
	if !match.Live {
		done.Title = "Taken apart: what it held is a break again."
		if parts := partsOf(match, r.Account); parts != "" {
			done.Undo = templates.WorkUndo{Do: "match", Parts: parts}
		}
	}
	s.tellWork(c, r.ID, done)
	query := c.QueryParams()
	query.Set("tab", templates.ReconciliationMatched)
	query.Set("at", strconv.FormatInt(id, 10))
	return seeOther(c, address+"?"+query.Encode())
}

// readUnmatch reads the match whose button was pressed, and what is chosen of it. Error: KindInvalid.
func readUnmatch(f *form) (id int64, part store.MatchItems, err error) {
	if id, err = strconv.ParseInt(f.text("match"), 10, 64); err != nil {
		return 0, part, ledger.Refuse(ledger.KindInvalid, "press the button of the match that is to be taken apart: nothing was done yet")
	}
	for _, value := range f.values["part"] {
		prefix, item, _ := strings.Cut(value, ".")
		if prefix == f.text("match") && !addItem(&part, strings.Split(item, ".")) {
			return 0, part, notAsSent("part")
		}
	}
	return id, part, nil
}

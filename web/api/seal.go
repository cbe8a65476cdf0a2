package api

import (
	"net/http"

	"github.com/labstack/echo/v4"

	"daybook/store"
	"daybook/store/ledger"
)

type seal struct {
	Book string `json:"book"`
	Seq  int64  `json:"seq"`
	Hash string `json:"hash"`
	At   string `json:"at"`
}

func (a *api) showSeal(c echo.Context, actor store.Actor) error {
	head, err := a.Store.Seal(c.Request().Context(), actor)
	if err != nil {
		return err
	}
	return answer(c, http.StatusOK, seal{Book: head.Book, Seq: head.Seq, Hash: head.Hash.String(), At: ledger.FormatInstant(head.At)})
}

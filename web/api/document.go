package api

import (
	"io"

	"github.com/labstack/echo/v4"

	"daybook/store/ledger"
	"daybook/store/strictjson"
)

type object = strictjson.Object

// readObject reads a body that must be one JSON object, strictly: what a lenient reader would guess at or pass over is a
// fault here, since it may be money. An empty body is an empty object. The Content-Type does not matter. Error:
// KindInvalid; faults of fields are collected and told by object.Err.
func readObject(c echo.Context) (*object, error) {
	body, err := readBody(c)
	if err != nil {
		return nil, err
	}
	return strictjson.ReadObject("body", body)
}

func readBody(c echo.Context) ([]byte, error) {
	body, err := io.ReadAll(c.Request().Body)
	if err != nil {
		return nil, &ledger.Error{Kind: ledger.KindInvalid, Message: "the body did not arrive whole: send it again", Err: err}
	}
	return body, nil
}

package api

import (
	"bytes"
	"io"

	"github.com/labstack/echo/v4"

	"daybook/store/ledger"
	"daybook/store/strictjson"
)

// readObject reads a body that must be one JSON object, strictly: what a lenient reader would guess at or pass over is a
// fault here, since it may be money. An empty body is an empty object. The Content-Type does not matter. Error:
// KindInvalid; faults of fields are collected and told by object.err.
func readObject(c echo.Context) (*object, error) {
	body, err := io.ReadAll(c.Request().Body)
	if err != nil {
		return nil, &ledger.Error{Kind: ledger.KindInvalid, Message: "the body did not arrive whole: send it again", Err: err}
	}
	return objectIn("body", body)
}

// objectIn is readObject for what is there already, by the name under which faults tell of it.
func objectIn(what string, body []byte) (*object, error) {
	faults := &faults{invalid: ledger.Refuse(ledger.KindInvalid, "the %s has fields that cannot be read", what)}
	if len(bytes.TrimLeft(body, " \t\r\n")) == 0 {
		return &object{faults: faults}, nil
	}
	document, err := strictjson.Read(what, body)
	if err != nil {
		return nil, err
	}
	members, ok := document.Value.(map[string]any)
	if !ok {
		return nil, ledger.Refuse(ledger.KindInvalid, "the %s must be one JSON object, not %s", what, nameOf(document.Value))
	}
	for _, path := range document.Twice {
		faults.at(path, "is given twice")
	}
	return &object{members: members, faults: faults}, nil
}

func join(path, name string) string { return strictjson.Join(path, name) }

func nameOf(value any) string { return strictjson.NameOf(value) }

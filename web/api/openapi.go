package api

import (
	_ "embed"
	"net/http"

	"github.com/labstack/echo/v4"
)

// Document is the OpenAPI description of this API. The tests of package web hold it to the handlers: every request that succeeds
// and every answer has to be as it says.
//
//go:embed openapi.yaml
var Document []byte

// showDocument needs no token: it holds nothing of a book.
func showDocument(c echo.Context) error {
	return c.Blob(http.StatusOK, "application/yaml", Document)
}

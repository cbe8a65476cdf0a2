package api

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"time"

	"github.com/labstack/echo/v4"

	"daybook/store"
)

// exportLimit is what an export may take, which reads a moment of the database as long as it lasts. Other requests end much sooner.
const exportLimit = 15 * time.Minute

// exportBook sends the journal line by line, as fast as it is taken: nothing of it is gathered first. An export that cannot be sent to its
// end is broken off, so that nobody takes it for the whole.
func (a *api) exportBook(c echo.Context, actor store.Actor) error {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(c.Request().Context()), exportLimit)
	defer cancel()
	connection := http.NewResponseController(c.Response())
	if err := connection.SetWriteDeadline(time.Time{}); err != nil {
		return fmt.Errorf("give an export its time: %w", err)
	}
	// Who takes nothing any more is left in the end: a deadline that has passed ends the write that waits for them.
	defer context.AfterFunc(ctx, func() { _ = connection.SetWriteDeadline(time.Unix(1, 0)) })()
	err := a.Store.Export(ctx, actor, func(seal store.Seal) (io.Writer, error) {
		header := c.Response().Header()
		header.Set(echo.HeaderContentType, "application/x-ndjson")
		header.Set(echo.HeaderContentDisposition, fmt.Sprintf(`attachment; filename="%s-%d.ndjson"`, seal.Book, seal.Seq))
		c.Response().WriteHeader(http.StatusOK)
		return c.Response(), nil
	})
	if err != nil && c.Response().Committed {
		panic(http.ErrAbortHandler)
	}
	return err
}

package api

import (
	"bytes"
	"encoding/json"
	"net/http"

	"github.com/labstack/echo/v4"
)

// list is a page of a list. Next is what to send as after for the next page, null on the last.
type list[T any] struct {
	Items []T     `json:"items"`
	Next  *string `json:"next"`
}

// listOf shapes the items of a page; cursor gives the place after the last one.
func listOf[From, To any](items []From, more bool, shape func(From) To, cursor func(From) string) list[To] {
	page := list[To]{Items: make([]To, len(items))}
	for i, item := range items {
		page.Items[i] = shape(item)
	}
	if more && len(items) > 0 {
		next := cursor(items[len(items)-1])
		page.Next = &next
	}
	return page
}

// answer writes a value as JSON, with text as it is: no & becomes \u0026.
func answer(c echo.Context, status int, value any) error {
	var buffer bytes.Buffer
	encoder := json.NewEncoder(&buffer)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(value); err != nil {
		return err
	}
	return c.Blob(status, echo.MIMEApplicationJSON, buffer.Bytes())
}

// created answers a command that made something, or found that an earlier one has.
func created(c echo.Context, duplicate bool, value any) error {
	return settled(c, http.StatusCreated, duplicate, value)
}

// settled answers a command, and says in a header when the answer is that of an earlier one.
func settled(c echo.Context, status int, duplicate bool, value any) error {
	if duplicate {
		c.Response().Header().Set("Idempotency-Replayed", "true")
	}
	return answer(c, status, value)
}

// numberOrNull is null for the 0 of a link that leads nowhere.
func numberOrNull(n int64) *int64 {
	if n == 0 {
		return nil
	}
	return &n
}

// textOrNull is null for a text that is not there.
func textOrNull(s string) *string {
	if s == "" {
		return nil
	}
	return &s
}

package web

import (
	"bytes"
	"encoding/csv"
	"fmt"
	"net/http"
	"slices"
	"strconv"

	"github.com/labstack/echo/v4"

	"daybook/store"
	"daybook/store/ledger"
	"daybook/web/api"
)

// downloadDraftRows gives a class of the rows of a draft as a file, to be looked at beside the bank's own.
func (s *server) downloadDraftRows(c echo.Context, actor store.Actor, id int64) error {
	class := c.QueryParam("rows")
	notes, err := s.Store.DraftRows(c.Request().Context(), actor, id, class)
	if err != nil {
		return err
	}
	return sendRows(c, fmt.Sprintf("draft-%d-%s.csv", id, class), notes)
}

// rowsAtOnce is how many rows of a stored file are read at a time while they are written to a download.
const rowsAtOnce = 1_000

// downloadStatementRows gives the rows of a stored file that are no lines, of one class or of all.
func (s *server) downloadStatementRows(c echo.Context, actor store.Actor) error {
	id, err := api.PathNumber(c, "id", "statement")
	if err != nil {
		return err
	}
	class := c.QueryParam("rows")
	if class != "" && !slices.Contains(store.RowClasses, class) {
		return ledger.Refuse(ledger.KindInvalid, "rows are %v, not %q", store.RowClasses, class).At("rows", "is no class of rows")
	}
	var chosen []store.RowNote
	for after, more := 0, true; more; {
		var notes []store.RowNote
		if notes, more, err = s.Store.StatementRows(c.Request().Context(), actor, id, after, rowsAtOnce); err != nil {
			return err
		}
		for _, note := range notes {
			if after = note.Row; class == "" || note.Class == class {
				chosen = append(chosen, note)
			}
		}
	}
	return sendRows(c, fmt.Sprintf("statement-%d-rows.csv", id), chosen)
}

// sendRows sends rows as CSV, one record a row.
func sendRows(c echo.Context, name string, notes []store.RowNote) error {
	var file bytes.Buffer
	file.WriteString("\ufeff") // a spreadsheet reads UTF-8 only where it is told so
	out := csv.NewWriter(&file)
	rows := [][]string{{"row", "result", "reason", "why", "in the file"}}
	for _, note := range notes {
		why := ""
		if note.Class != store.RowNew {
			why = fileRow(note).Words()
		}
		rows = append(rows, []string{strconv.Itoa(note.Row), note.Class, note.Reason, plainCell(why), plainCell(note.Raw)})
	}
	if err := out.WriteAll(rows); err != nil {
		return fmt.Errorf("write rows: %w", err)
	}
	c.Response().Header().Set(echo.HeaderContentDisposition, `attachment; filename="`+name+`"`)
	return c.Blob(http.StatusOK, "text/csv; charset=utf-8", file.Bytes())
}

package web

import (
	"encoding/csv"
	"io"
	"net/http"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/labstack/echo/v4"
)

// csvFile is a file of comma-separated values that is sent as its rows come: nothing of it is gathered first.
type csvFile struct {
	c    echo.Context
	rows *csv.Writer
}

func newCSVFile(c echo.Context) csvFile { return csvFile{c: c, rows: csv.NewWriter(c.Response())} }

// begin names the file and its columns. What goes wrong before is still answered as a page.
func (f csvFile) begin(name string, head ...string) error {
	header := f.c.Response().Header()
	header.Set(echo.HeaderContentType, "text/csv; charset=utf-8; header=present")
	header.Set(echo.HeaderContentDisposition, `attachment; filename="`+name+`"`)
	f.c.Response().WriteHeader(http.StatusOK)
	if _, err := io.WriteString(f.c.Response(), "\ufeff"); err != nil { // a spreadsheet reads UTF-8 only where it is told so
		return err
	}
	return f.rows.Write(head)
}

// endCSV sends what is left. A file that cannot be sent to its end is broken off, so that nobody takes it for the whole.
func (s *server) endCSV(f csvFile, err error) error {
	if f.rows.Flush(); err == nil {
		err = f.rows.Error()
	}
	if err != nil && f.c.Response().Committed {
		s.Log.Warn("an export was broken off", "request", requestID(f.c), "path", f.c.Request().URL.Path, "error", err)
		panic(http.ErrAbortHandler)
	}
	return err
}

// plainCell keeps a text from being taken for a formula where the file is opened.
func plainCell(text string) string {
	if first, _ := utf8.DecodeRuneInString(text); text != "" && strings.ContainsRune("=+-@\t\r＝＋－＠", first) {
		return "'" + text
	}
	return text
}

// plainName is a text as part of the name of a file.
func plainName(text string) string { return strings.NewReplacer(":", "-", "/", "-").Replace(text) }

// numberOrNone writes the number of something, nothing where there is none.
func numberOrNone(n int64) string {
	if n == 0 {
		return ""
	}
	return strconv.FormatInt(n, 10)
}

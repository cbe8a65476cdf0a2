package api

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/labstack/echo/v4"
)

// The server removes the files of a form when it has answered, but only of the request that it made itself: a limit works on a copy.
func TestFilesOfALimitedRequestAreLeftToTheServer(t *testing.T) {
	t.Parallel()
	body := "--b\r\nContent-Disposition: form-data; name=\"file\"; filename=\"a.csv\"\r\n\r\ntext\r\n--b--\r\n"
	request := httptest.NewRequest(http.MethodPost, "/", strings.NewReader(body))
	request.Header.Set(echo.HeaderContentType, echo.MIMEMultipartForm+"; boundary=b")
	c := echo.New().NewContext(request, httptest.NewRecorder())
	read := func(c echo.Context) error { return c.Request().ParseMultipartForm(0) }
	if err := Within(time.Minute)(Within(time.Minute)(read))(c); err != nil {
		t.Fatal(err)
	}
	if request.MultipartForm == nil {
		t.Fatal("nobody can find the files again")
	}
	if err := request.MultipartForm.RemoveAll(); err != nil {
		t.Error(err)
	}
}

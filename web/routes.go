package web

import (
	"net/http"

	"github.com/labstack/echo/v4"

	"daybook/static"
	"daybook/web/api"
)

// routes lists every address. Those of the API are listed in api.Routes. The last argument of a command is what the
// audit log calls it.
func (s *server) routes(e *echo.Echo) {
	e.Match(reading, "/healthz", s.showHealth)
	e.Match(reading, "/readyz", s.showReadiness)
	e.Match(reading, "/static/*", echo.WrapHandler(static.Handler()))

	api.Routes(e, api.Config{Store: s.Store, WaitLimit: s.WaitLimit})
}

// reading are the methods of an address that only shows: Echo does not answer HEAD by itself.
var reading = []string{http.MethodGet, http.MethodHead}

// showHealth says that the process runs, whatever the state of the database.
func (s *server) showHealth(c echo.Context) error {
	return c.String(http.StatusOK, "ok\n")
}

// showReadiness says whether requests can be served: the database answers.
func (s *server) showReadiness(c echo.Context) error {
	if err := s.Store.Ping(c.Request().Context()); err != nil {
		s.Log.Warn("not ready", "error", err)
		return c.String(http.StatusServiceUnavailable, "the database does not answer\n")
	}
	return c.String(http.StatusOK, "ok\n")
}

package web

import (
	"net/http"

	"github.com/labstack/echo/v4"

	"daybook/templates"
)

// showStart leads to the overview of the person's first book.
func (s *server) showStart(c echo.Context) error {
	userID, ok, err := s.signedIn(c)
	if err != nil {
		return err
	}
	if !ok {
		return seeOther(c, "/login")
	}
	memberships, err := s.Store.Memberships(c.Request().Context(), userID)
	if err != nil {
		return err
	}
	if len(memberships) == 0 {
		return render(c, http.StatusForbidden, templates.NoBookPage(templates.NoBook{Theme: theme(c)}))
	}
	return seeOther(c, bookView(memberships[0].Book).URL())
}

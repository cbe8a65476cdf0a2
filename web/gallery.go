package web

import (
	"net/http"

	"github.com/labstack/echo/v4"

	"daybook/store/ledger"
	"daybook/templates/gallery"
)

// galleryRoutes show every screen with canned data, for developers. Nothing there is of a book, so nobody has to sign in.
func galleryRoutes(e *echo.Echo) {
	e.Match(reading, gallery.Path, showGallery)
	e.Match(reading, gallery.Path+"/:name", showScreen)
}

func showGallery(c echo.Context) error { return render(c, http.StatusOK, gallery.Index(theme(c))) }

// showScreen shows a screen as its golden file has it or, where the address asks for one, in the other theme.
func showScreen(c echo.Context) error {
	screen, found := gallery.Named(c.Param("name"))
	if !found {
		return ledger.Refuse(ledger.KindNotFound, "the gallery has no screen of this name")
	}
	page := screen.Page
	if theme := c.QueryParam("theme"); theme == "light" || theme == "dark" {
		page = screen.In(theme)
	}
	return render(c, http.StatusOK, page)
}

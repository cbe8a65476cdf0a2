package web

import "github.com/labstack/echo/v4"

// inSettings finds out who asks for a page of the settings. Those are about people, so their address names no book; the book
// around them is the one of ?book=, else the first that the person has.
func (s *server) inSettings(next actorHandler) echo.HandlerFunc {
	return func(c echo.Context) error {
		userID, ok, err := s.signedIn(c)
		if err != nil {
			return err
		}
		book := c.QueryParam("book")
		if ok && book == "" {
			memberships, err := s.Store.Memberships(c.Request().Context(), userID)
			if err != nil {
				return err
			}
			if len(memberships) == 0 {
				return seeOther(c, "/")
			}
			book = memberships[0].Book.Code
		}
		return s.act(c, userID, ok, book, next)
	}
}

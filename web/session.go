package web

import (
	"fmt"
	"net/http"
	"net/url"
	"time"

	"github.com/alexedwards/scs/v2"
	"github.com/labstack/echo/v4"

	"daybook/store"
	"daybook/store/ledger"
	"daybook/web/api"
)

const (
	// A session ends when nothing was done for idleLimit, and after sessionLimit in any case.
	idleLimit    = time.Hour
	sessionLimit = 12 * time.Hour

	sessionUser     = "user"
	sessionPassword = "password" // the mark of the password that it was begun with
)

// newSessions keeps sessions in the database: they are the same on every server, and ending one ends it everywhere.
func newSessions(config Config) (*scs.SessionManager, error) {
	kept, err := config.Store.Sessions()
	if err != nil {
		return nil, err
	}
	sessions := scs.New()
	sessions.Store = kept
	sessions.HashTokenInStore = true
	sessions.IdleTimeout, sessions.Lifetime = idleLimit, sessionLimit
	sessions.Cookie.Name = "daybook"
	sessions.Cookie.HttpOnly = true
	sessions.Cookie.SameSite = http.SameSiteLaxMode
	sessions.Cookie.Secure = config.Secure
	sessions.ErrorFunc = func(w http.ResponseWriter, r *http.Request, err error) {
		config.Log.Error("sessions cannot be read or written", "path", r.URL.Path, "error", err)
		http.Error(w, "Daybook cannot reach its sessions. Nothing was changed. Try again in a moment.", http.StatusServiceUnavailable)
	}
	return sessions, nil
}

// withSession loads the session of a page and saves it before the first byte of the answer. Errors are answered inside,
// while the session can still be saved.
func (s *server) withSession(next echo.HandlerFunc) echo.HandlerFunc {
	return echo.WrapMiddleware(s.sessions.LoadAndSave)(func(c echo.Context) error {
		if err := next(c); err != nil {
			c.Error(err)
		}
		return nil
	})
}

// signIn makes the session that of a user, under a new token: one that was planted before is worth nothing after.
func (s *server) signIn(c echo.Context, userID int64) error {
	ctx := c.Request().Context()
	if err := s.sessions.RenewToken(ctx); err != nil {
		return fmt.Errorf("renew the session: %w", err)
	}
	mark, err := s.Store.PasswordMark(ctx, userID)
	if err != nil {
		return err
	}
	s.sessions.Put(ctx, sessionUser, userID)
	s.sessions.Put(ctx, sessionPassword, mark)
	return nil
}

// signOut ends the session on the server: a copy of its cookie is worth nothing afterwards.
func (s *server) signOut(c echo.Context) error {
	if err := s.sessions.Destroy(c.Request().Context()); err != nil {
		return fmt.Errorf("end the session: %w", err)
	}
	return nil
}

// signedIn gives the user of the session; false when nobody is signed in, or the user has another password since.
func (s *server) signedIn(c echo.Context) (userID int64, ok bool, err error) {
	ctx := c.Request().Context()
	if userID = s.sessions.GetInt64(ctx, sessionUser); userID == 0 {
		return 0, false, nil
	}
	mark, err := s.Store.PasswordMark(ctx, userID)
	if err != nil || mark != s.sessions.GetString(ctx, sessionPassword) {
		return 0, false, err
	}
	return userID, true, nil
}

// actorHandler answers the request of a signed-in person who has a role in the book.
type actorHandler func(c echo.Context, actor store.Actor) error

// inBook finds out who asks and in which book, before anything else is looked at.
func (s *server) inBook(next actorHandler) echo.HandlerFunc {
	return func(c echo.Context) error {
		userID, ok, err := s.signedIn(c)
		if err != nil {
			return err
		}
		return s.act(c, userID, ok, c.Param("book"), next)
	}
}

// act answers as the person who is signed in. Who is not is sent to sign in and comes back to the page; a form that was sent
// without a session is refused, as nothing of it could be kept.
func (s *server) act(c echo.Context, userID int64, signedIn bool, book string, next actorHandler) error {
	if !signedIn && looking(c) {
		return seeOther(c, "/login?next="+url.QueryEscape(c.Request().URL.RequestURI()))
	}
	if !signedIn {
		return ledger.Refuse(ledger.KindUnauthenticated, "you are not signed in any more; nothing was changed")
	}
	actor, err := s.Store.Actor(c.Request().Context(), userID, book)
	if actor.UserID != 0 {
		actor.Request, actor.Address = requestID(c), c.RealIP()
		c.Set(api.ActorKey, actor)
	}
	if err != nil {
		return err
	}
	if err := s.Store.NoteSeen(c.Request().Context(), actor); err != nil {
		return err
	}
	return next(c, actor)
}

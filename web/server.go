package web

import (
	"log/slog"
	"net/http"
	"time"

	"github.com/alexedwards/scs/v2"
	"github.com/labstack/echo/v4"

	"daybook/store"
)

// Config is what the site is made of.
type Config struct {
	Store *store.Store
	Log   *slog.Logger
	Now   func() time.Time
	// WaitLimit bounds how long a request waits for others: for the book's turn, or for the first answer to its key.
	WaitLimit time.Duration
	// Secure says that browsers reach the site over TLS only: the session cookie then never travels in the clear.
	Secure bool
}

// New builds the site: every page, the API and the assets. It holds no connection and starts nothing.
func New(config Config) (http.Handler, error) {
	sessions, err := newSessions(config)
	if err != nil {
		return nil, err
	}
	s := &server{Config: config, sessions: sessions, actions: map[string]string{}}
	e := echo.New()
	e.HTTPErrorHandler = s.handleError
	// No header is believed about where a request comes from.
	e.IPExtractor = echo.ExtractIPDirect()
	s.surround(e)
	s.routes(e)
	s.nameActions(e)
	return e, nil
}

// server holds what the handlers share. Each page's handlers are in the file of its resource.
type server struct {
	Config
	sessions *scs.SessionManager
	actions  map[string]string // by method and route: what the audit log calls an attempt
}

// nameActions gives each route the name that it was registered with. A request looks its own up only when it is refused.
func (s *server) nameActions(e *echo.Echo) {
	for _, route := range e.Routes() {
		s.actions[route.Method+" "+route.Path] = route.Name
	}
}

package web

import (
	"context"
	"log/slog"
	"net"
	"net/http"
	"time"

	"github.com/alexedwards/scs/v2"
	"github.com/labstack/echo/v4"

	"daybook/store"
	"daybook/store/gateway/simulator"
	"daybook/store/inbox"
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
	// Proxies are the networks of proxies that are believed about where a request comes from (X-Forwarded-For). Without any, the
	// address of the connection counts.
	Proxies []*net.IPNet
	// Simulator is what stands in for the gateway, where something does: it can be made unreliable on a page. Nil for a gateway that moves money.
	Simulator Simulator
	// Gallery shows every screen with canned data at /dev/gallery, to whoever develops them.
	Gallery bool
	// Webhooks read what gateways send by themselves, by the name of the gateway in the address.
	Webhooks map[string]inbox.Webhook
	// Stopping is closed when the site is to stop: who sends a stream is told then. Without it, streams end by themselves.
	Stopping <-chan struct{}
}

// Simulator is a simulated gateway, as a page of the site switches it. Errors: KindInvalid, which names the fields; KindBusy when it does not answer.
type Simulator interface {
	Faults(ctx context.Context) (simulator.Faults, error)
	SetFaults(ctx context.Context, faults simulator.Faults) error
	PayOut(ctx context.Context, order simulator.PayoutOrder) (simulator.Payout, error)
}

// New builds the site: every page, the API and the assets. It holds no connection and starts nothing.
func New(config Config) (http.Handler, error) {
	sessions, err := newSessions(config)
	if err != nil {
		return nil, err
	}
	s := &server{Config: config, sessions: sessions, metrics: newMetrics(config.Store), actions: map[string]string{}}
	e := echo.New()
	e.HTTPErrorHandler = s.handleError
	e.IPExtractor = addressOf(config.Proxies)
	s.surround(e)
	s.routes(e)
	s.nameActions(e)
	return e, nil
}

// addressOf says where a request comes from: sign-in is throttled by it and the audit log names it. Only listed proxies are believed, since
// anyone can write the header.
func addressOf(proxies []*net.IPNet) echo.IPExtractor {
	if len(proxies) == 0 {
		return echo.ExtractIPDirect()
	}
	trusted := []echo.TrustOption{echo.TrustLoopback(false), echo.TrustLinkLocal(false), echo.TrustPrivateNet(false)}
	for _, network := range proxies {
		trusted = append(trusted, echo.TrustIPRange(network))
	}
	return echo.ExtractIPFromXFFHeader(trusted...)
}

// server holds what the handlers share. Each page's handlers are in the file of its resource.
type server struct {
	Config
	sessions *scs.SessionManager
	metrics  *metrics
	actions  map[string]string // by method and route: what the audit log calls an attempt
}

// nameActions gives each route the name that it was registered with. A request looks its own up only when it is refused.
func (s *server) nameActions(e *echo.Echo) {
	for _, route := range e.Routes() {
		s.actions[route.Method+" "+route.Path] = route.Name
	}
}

package web

import (
	"fmt"
	"net/http"
	"runtime/debug"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/google/uuid"
	"github.com/labstack/echo/v4"

	"daybook/recon/statement"
	"daybook/store"
	"daybook/store/inbox"
	"daybook/store/ledger"
	"daybook/web/api"
)

const (
	// requestLimit is what a request may take in all; it ends before the server gives up writing the answer.
	requestLimit = 50 * time.Second
	// bodyLimitBytes holds an entry of 5,000 postings and full metadata; fileLimitBytes a statement of some 100,000 lines.
	bodyLimitBytes = 2 << 20
	fileLimitBytes = statement.MaxFileBytes + 1<<20
	// attachmentLimitBytes has room above the largest attachment, so that one that is a little too large is refused beside its form.
	attachmentLimitBytes = 2 * store.MaxAttachmentBytes
)

// contentPolicy lets a page use what this site itself serves, and nothing inline.
const contentPolicy = "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self' data:; font-src 'self'; connect-src 'self'; " +
	"form-action 'self'; frame-ancestors 'none'; base-uri 'none'"

// surround puts around every request, outermost first, what it needs whatever its address.
func (s *server) surround(e *echo.Echo) {
	e.Use(s.identify, s.measure, s.logAccess, s.recoverPanics, secureHeaders, butStreams(api.Within(requestLimit)), butStreams(limitBody), releaseFile, refuseUnstorable,
		onPages(noStore), onPages(s.withSession), onPages(refuseForeignForms()), onPages(s.passwordFirst))
}

// onPages keeps a middleware to the pages: to what is neither API nor asset nor for the operator's machines.
func onPages(middleware echo.MiddlewareFunc) echo.MiddlewareFunc {
	return func(next echo.HandlerFunc) echo.HandlerFunc {
		onPage := middleware(next)
		return func(c echo.Context) error {
			path := c.Request().URL.Path
			if api.Owns(path) || strings.HasPrefix(path, "/static/") || path == "/healthz" || path == "/readyz" || path == "/metrics" {
				return next(c)
			}
			return onPage(c)
		}
	}
}

// butStreams spares the requests that are a stream, which bound themselves line by line.
func butStreams(middleware echo.MiddlewareFunc) echo.MiddlewareFunc {
	return func(next echo.HandlerFunc) echo.HandlerFunc {
		bounded := middleware(next)
		return func(c echo.Context) error {
			if api.Streams(c.Path()) {
				return next(c)
			}
			return bounded(c)
		}
	}
}

// identify gives the request the id under which log, audit log and error answers know it. An id sent along is not taken
// over: whoever sends one could pass for another request.
func (s *server) identify(next echo.HandlerFunc) echo.HandlerFunc {
	return func(c echo.Context) error {
		id, err := uuid.NewV7()
		if err != nil {
			return fmt.Errorf("name the request: %w", err)
		}
		c.Response().Header().Set(echo.HeaderXRequestID, id.String())
		return next(c)
	}
}

func requestID(c echo.Context) string { return c.Response().Header().Get(echo.HeaderXRequestID) }

// logAccess writes one line a request. It has errors answered first, so that it knows the status. Queries are left out:
// they hold what people search for.
func (s *server) logAccess(next echo.HandlerFunc) echo.HandlerFunc {
	return func(c echo.Context) error {
		start := s.Now()
		if err := next(c); err != nil {
			c.Error(err)
		}
		attributes := []any{"request", requestID(c), "method", c.Request().Method, "path", c.Request().URL.Path,
			"status", c.Response().Status, "bytes", c.Response().Size, "ms", s.Now().Sub(start).Milliseconds(), "address", c.RealIP()}
		if actor, known := actorOf(c); known {
			attributes = append(attributes, "user", actor.UserID)
		}
		s.Log.Info("answered", attributes...)
		return nil
	}
}

// recoverPanics turns a panic into an error like any other, with the stack for whoever reads the log.
func (s *server) recoverPanics(next echo.HandlerFunc) echo.HandlerFunc {
	return func(c echo.Context) (err error) {
		defer func() {
			switch cause := recover(); cause {
			case nil:
			case http.ErrAbortHandler:
				panic(cause)
			default:
				err = fmt.Errorf("panic: %v\n%s", cause, debug.Stack())
			}
		}()
		return next(c)
	}
}

func secureHeaders(next echo.HandlerFunc) echo.HandlerFunc {
	return func(c echo.Context) error {
		header := c.Response().Header()
		header.Set("Content-Security-Policy", contentPolicy)
		header.Set("X-Content-Type-Options", "nosniff")
		header.Set("Referrer-Policy", "same-origin")
		header.Set("Cross-Origin-Opener-Policy", "same-origin")
		return next(c)
	}
}

// limitBody bounds what is read of a body. It does not look at the announced length: who may not post at all is told so,
// not that it was too much.
func limitBody(next echo.HandlerFunc) echo.HandlerFunc {
	return func(c echo.Context) error {
		limit := int64(bodyLimitBytes)
		switch {
		case takesFile(c.Path()):
			limit = fileLimitBytes
		case strings.HasSuffix(c.Path(), "/attachments"):
			limit = attachmentLimitBytes
		case api.TakesMessage(c.Path()):
			limit = inbox.MaxBytes
		}
		c.Request().Body = http.MaxBytesReader(c.Response().Writer, c.Request().Body, limit)
		return next(c)
	}
}

func takesFile(path string) bool {
	return strings.HasSuffix(path, "/statements") || strings.HasSuffix(path, "/statements/new") || strings.HasSuffix(path, "/inbox/upload")
}

// releaseFile gives the memory of a bank's file back once it is dealt with. Otherwise what is left of one large file would stand beside the
// next.
func releaseFile(next echo.HandlerFunc) echo.HandlerFunc {
	return func(c echo.Context) error {
		if c.Request().Method == http.MethodPost && (takesFile(c.Path()) || strings.Contains(c.Path(), "/statements/drafts/")) {
			defer debug.FreeOSMemory()
		}
		return next(c)
	}
}

// refuseUnstorable keeps out of the store what no text of the database can hold, in the two places where every request
// has text. Bodies are checked where they are read.
func refuseUnstorable(next echo.HandlerFunc) echo.HandlerFunc {
	return func(c echo.Context) error {
		if !storable(c.Request().URL.Path) {
			return ledger.Refuse(ledger.KindNotFound, "there is nothing at this address")
		}
		for name, values := range c.QueryParams() {
			for _, value := range values {
				if !storable(value) || !storable(name) {
					return ledger.Refuse(ledger.KindInvalid, "the address has characters that are not text").At(name, "is not text")
				}
			}
		}
		return next(c)
	}
}

func storable(s string) bool { return utf8.ValidString(s) && !strings.ContainsRune(s, 0) }

// noStore keeps pages with figures out of caches, also after signing out.
func noStore(next echo.HandlerFunc) echo.HandlerFunc {
	return func(c echo.Context) error {
		c.Response().Header().Set(echo.HeaderCacheControl, "no-store")
		return next(c)
	}
}

// refuseForeignForms refuses what another site makes a browser send here. The API needs none of it: its tokens do not
// travel by themselves as cookies do.
func refuseForeignForms() echo.MiddlewareFunc {
	protection := http.NewCrossOriginProtection()
	return func(next echo.HandlerFunc) echo.HandlerFunc {
		return func(c echo.Context) error {
			if err := protection.Check(c.Request()); err != nil {
				refusal := ledger.Refuse(ledger.KindForbidden, "this was sent from another site; open the page here and send it again")
				refusal.Err = err
				return refusal
			}
			return next(c)
		}
	}
}

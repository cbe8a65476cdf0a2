package api

import (
	"cmp"
	"context"
	"net/url"
	"strconv"
	"strings"
	"time"

	"github.com/labstack/echo/v4"

	"daybook/store"
	"daybook/store/ledger"
)

// handler answers the request of an actor whose token is good and who has a role in the book.
type handler func(c echo.Context, actor store.Actor) error

// authenticated finds out who asks, by the token sent along, before anything else is looked at.
func (a *api) authenticated(next handler) echo.HandlerFunc {
	return a.actingAs(a.Store.ActorByToken, next)
}

func (a *api) actingAs(find func(ctx context.Context, token, book string) (store.Actor, error), next handler) echo.HandlerFunc {
	return func(c echo.Context) error {
		token, err := bearerToken(c)
		if err != nil {
			return err
		}
		actor, err := find(c.Request().Context(), token, PathText(c, "book"))
		if actor.UserID != 0 {
			actor.Request, actor.Address = c.Response().Header().Get(echo.HeaderXRequestID), c.RealIP()
			c.Set(ActorKey, actor)
		}
		if err != nil {
			return err
		}
		return next(c, actor)
	}
}

// reading is authenticated for a handler that only reads.
func (a *api) reading(next handler) echo.HandlerFunc {
	return a.actingAs(a.Store.ReaderByToken, next)
}

// posting is authenticated for a handler that posts, which makes sure by itself of who asks: that may be only remembered. What the handler
// refuses is told to nobody who may not ask.
func (a *api) posting(next handler) echo.HandlerFunc {
	return a.actingAs(a.Store.PosterByToken, func(c echo.Context, actor store.Actor) error {
		err := next(c, actor)
		if ctx := c.Request().Context(); err != nil && ctx.Err() == nil {
			err = cmp.Or(a.Store.Reconfirm(ctx, actor), err)
		}
		return err
	})
}

func bearerToken(c echo.Context) (string, error) {
	scheme, token, _ := strings.Cut(c.Request().Header.Get(echo.HeaderAuthorization), " ")
	token = strings.TrimSpace(token)
	if !strings.EqualFold(scheme, "Bearer") || token == "" {
		return "", ledger.Refuse(ledger.KindUnauthenticated, "send a token of yours in the header Authorization: Bearer <token>")
	}
	return token, nil
}

// Within bounds what a request may take, or wait for. Afterwards the request has its own context again: whoever answers an
// error must not find it ended.
func Within(limit time.Duration) echo.MiddlewareFunc {
	return func(next echo.HandlerFunc) echo.HandlerFunc {
		return func(c echo.Context) error {
			request := c.Request()
			ctx, cancel := context.WithTimeout(request.Context(), limit)
			defer cancel()
			c.SetRequest(request.WithContext(ctx))
			defer func() {
				// The server clears away the files of the request that it made, and knows nothing of copies.
				request.MultipartForm = c.Request().MultipartForm
				c.SetRequest(request)
			}()
			return next(c)
		}
	}
}

// requiredKey gives the idempotency key of a command that must have one. Errors: KindKeyMissing, KindKeyInvalid.
func requiredKey(c echo.Context) (string, error) {
	values := c.Request().Header.Values("Idempotency-Key")
	if len(values) > 1 {
		return "", ledger.Refuse(ledger.KindKeyInvalid, "send one Idempotency-Key, not %d", len(values))
	}
	return ledger.CheckKey(strings.Join(values, ""))
}

// optionalKey gives the idempotency key of a command, "" when none was sent. Error: KindKeyInvalid.
func optionalKey(c echo.Context) (string, error) {
	if len(c.Request().Header.Values("Idempotency-Key")) == 0 {
		return "", nil
	}
	return requiredKey(c)
}

// PathText gives a parameter of the path as it was meant. Echo leaves escapes such as %2F as they are where the path has any that matter, and else
// gives what is decoded already: decoded twice, %252F would name what %2F does.
func PathText(c echo.Context, name string) string {
	if c.Request().URL.RawPath == "" {
		return c.Param(name)
	}
	text, err := url.PathUnescape(c.Param(name))
	if err != nil {
		return c.Param(name)
	}
	return text
}

// PathNumber gives the number of a record in the path; what is no such number names nothing.
func PathNumber(c echo.Context, name, noun string) (int64, error) {
	text := c.Param(name)
	number, err := strconv.ParseInt(text, 10, 64)
	if err != nil || number < 1 || strconv.FormatInt(number, 10) != text {
		return 0, ledger.Refuse(ledger.KindNotFound, "there is no %s %q", noun, PathText(c, name))
	}
	return number, nil
}

// parameters reads the query of a list, and collects what is wrong with it.
type parameters struct {
	values url.Values
	fault  *ledger.Error
}

func queryOf(c echo.Context) *parameters {
	return &parameters{values: c.QueryParams(), fault: ledger.Refuse(ledger.KindInvalid, "the address has parameters that cannot be read")}
}

// err names all parameters at fault, or is nil.
func (p *parameters) err() error {
	if len(p.fault.Fields) == 0 {
		return nil
	}
	return p.fault
}

func (p *parameters) text(name string) string {
	if len(p.values[name]) > 1 {
		p.fault.At(name, "is given more than once")
	}
	return p.values.Get(name)
}

func (p *parameters) oneOf(name string, words ...string) string {
	text := p.text(name)
	for _, word := range words {
		if text == word || text == "" {
			return text
		}
	}
	p.fault.At(name, "must be one of %s", strings.Join(words, ", "))
	return ""
}

func (p *parameters) date(name string) ledger.Date {
	var date ledger.Date
	if err := date.UnmarshalText([]byte(p.text(name))); err != nil {
		p.fault.At(name, "%q is not a date: write it as YYYY-MM-DD", p.text(name))
	}
	return date
}

func (p *parameters) instant(name string) time.Time {
	text := p.text(name)
	if text == "" {
		return time.Time{}
	}
	// A + that was not escaped arrives as a space.
	instant, err := time.Parse(time.RFC3339Nano, strings.ReplaceAll(text, " ", "+"))
	if err != nil || instant.Year() < 1900 || instant.Year() > 9999 {
		p.fault.At(name, "%q is not an instant: write it as 2026-03-31T17:00:00Z", text)
	}
	return instant.UTC()
}

// after is the cursor of a list that is ordered by number; 0 is the beginning.
func (p *parameters) after() int64 {
	text := p.text("after")
	number, err := strconv.ParseInt(text, 10, 64)
	if text != "" && (err != nil || number < 0) {
		p.fault.At("after", "%q is not a cursor: send the next of the page before", text)
	}
	return number
}

// limit is how many items to give, 0 where that is left open.
func (p *parameters) limit() int {
	text := p.text("limit")
	if text == "" {
		return 0
	}
	number, err := strconv.Atoi(text)
	if err != nil || number < 1 || number > store.MaxPage {
		p.fault.At("limit", "must be a number from 1 to %d", store.MaxPage)
	}
	return number
}

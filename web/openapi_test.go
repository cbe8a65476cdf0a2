package web_test

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"maps"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/getkin/kin-openapi/openapi3filter"
	"github.com/getkin/kin-openapi/routers"
	"github.com/getkin/kin-openapi/routers/legacy"
	"github.com/labstack/echo/v4"

	"daybook/web/api"
)

// document is the OpenAPI document of the API, with what finds the operation of a request in it.
type document struct {
	*openapi3.T
	routers.Router
}

var openDocument = sync.OnceValues(func() (document, error) {
	loaded, err := openapi3.NewLoader().LoadFromData(api.Document)
	if err != nil {
		return document{}, err
	}
	router, err := legacy.NewRouter(loaded, openapi3.DisableExamplesValidation())
	return document{loaded, router}, err
})

// checkDocument holds a request to the API and its answer against the OpenAPI document: every answer has to be as it says, and so
// has every request that succeeded. What the document does not know may only be answered as not found.
func checkDocument(ctx context.Context, sent *http.Request, body string, got response) error {
	if !api.Owns(sent.URL.Path) {
		return nil
	}
	known, err := openDocument()
	if err != nil {
		return err
	}
	request := sent.Clone(ctx)
	request.URL.Scheme, request.URL.Host, request.Host = "", "", ""
	request.Body = io.NopCloser(strings.NewReader(body))
	route, params, err := known.FindRoute(request)
	if err != nil {
		if got.status == http.StatusNotFound || got.status == http.StatusMethodNotAllowed {
			return nil
		}
		return fmt.Errorf("%s %s is not in the document and was answered %d", sent.Method, sent.URL.Path, got.status)
	}
	options := &openapi3filter.Options{AuthenticationFunc: openapi3filter.NoopAuthenticationFunc, IncludeResponseStatus: true}
	input := &openapi3filter.RequestValidationInput{Request: request, PathParams: params, Route: route, Options: options}
	if got.status < 300 {
		if request.Header.Get("Content-Type") == "" && body != "" {
			request.Header.Set("Content-Type", "application/json")
		}
		if err := openapi3filter.ValidateRequest(ctx, input); err != nil {
			return fmt.Errorf("%s %s succeeded and is not as the document says: %w", sent.Method, sent.URL.Path, err)
		}
	}
	answer := &openapi3filter.ResponseValidationInput{RequestValidationInput: input, Status: got.status, Header: got.header, Options: options}
	if err := openapi3filter.ValidateResponse(ctx, answer.SetBodyBytes([]byte(got.body))); err != nil {
		return fmt.Errorf("the answer to %s %s is not as the document says: %w", sent.Method, sent.URL.Path, err)
	}
	return nil
}

func TestDocument(t *testing.T) {
	t.Parallel()
	known, err := openDocument()
	ok(t, err)
	t.Run("IsValid", func(t *testing.T) {
		t.Parallel()
		ok(t, known.Validate(t.Context()))
	})
	t.Run("HasEveryAddressAndNoOther", func(t *testing.T) {
		t.Parallel()
		e := echo.New()
		api.Routes(e, api.Config{})
		var routes, documented []string
		parameter := regexp.MustCompile(`:([a-z]+)`)
		for _, route := range e.Routes() {
			routes = append(routes, route.Method+" "+parameter.ReplaceAllString(strings.TrimPrefix(route.Path, "/api/v1"), "{$1}"))
		}
		for path, item := range known.Paths.Map() {
			for method := range maps.Keys(item.Operations()) {
				documented = append(documented, method+" "+path)
			}
		}
		slices.Sort(routes)
		slices.Sort(documented)
		if !slices.Equal(routes, documented) {
			t.Errorf("the routes are\n%s\nthe document has\n%s", strings.Join(routes, "\n"), strings.Join(documented, "\n"))
		}
	})
	t.Run("IsServedWithoutAToken", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		got := client{url: b.url + "/api/v1"}.get(t, "/openapi.yaml")
		if got.status != 200 || !bytes.Equal([]byte(got.body), api.Document) {
			t.Errorf("answered %d: %.80s", got.status, got.body)
		}
	})
	t.Run("CatchesAnAnswerThatIsOtherThanItSays", func(t *testing.T) {
		t.Parallel()
		request, err := http.NewRequestWithContext(t.Context(), http.MethodGet, "http://daybook/api/v1/books/main/seal", nil)
		ok(t, err)
		hash := strings.Repeat("0", 64)
		for body, right := range map[string]bool{
			`{"book":"main","seq":1,"hash":"` + hash + `","at":"2026-03-31T10:00:00Z"}`:          true,
			`{"book":"main","seq":"1","hash":"` + hash + `","at":"2026-03-31T10:00:00Z"}`:        false,
			`{"book":"main","seq":1,"hash":"` + hash + `"}`:                                      false,
			`{"book":"main","seq":1,"hash":"` + hash + `","at":"2026-03-31T10:00:00Z","more":1}`: false,
		} {
			answer := response{status: 200, header: http.Header{"Content-Type": {"application/json"}}, body: body}
			if err := checkDocument(t.Context(), request, "", answer); (err == nil) != right {
				t.Errorf("of %s it says %v", body, err)
			}
		}
	})
}

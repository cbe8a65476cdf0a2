package web

import (
	"errors"
	"math"
	"net/http"
	"net/url"
	"strconv"
	"strings"

	"github.com/a-h/templ"
	"github.com/google/uuid"
	"github.com/labstack/echo/v4"

	"daybook/store"
	"daybook/store/ledger"
	"daybook/templates/ui"
	"daybook/web/api"
)

// fileMemoryBytes is how much of an uploaded file is held in memory while the form is read; the rest waits on disk.
const fileMemoryBytes = 1 << 20

// keyed gives the address of a form its key: reload, back and a double click keep it, so that they post once.
func keyed(next actorHandler) actorHandler {
	return func(c echo.Context, actor store.Actor) error {
		if _, err := ledger.CheckKey(c.QueryParam("form")); err == nil {
			return next(c, actor)
		}
		query := c.QueryParams()
		query.Set("form", newKey())
		return seeOther(c, c.Request().URL.EscapedPath()+"?"+query.Encode())
	}
}

// newKey is a key that nobody has used.
func newKey() string { return uuid.NewString() }

// form is what was typed, and what is wrong with it so far.
type form struct {
	values url.Values
	faults []ledger.FieldError
}

// readForm reads the body of a form as strings. Errors: KindTooLarge, KindInvalid.
func readForm(c echo.Context) (*form, error) {
	r := c.Request()
	err := r.ParseForm()
	if strings.HasPrefix(r.Header.Get(echo.HeaderContentType), echo.MIMEMultipartForm) {
		err = r.ParseMultipartForm(fileMemoryBytes)
	}
	var tooLarge *http.MaxBytesError
	switch {
	case errors.As(err, &tooLarge):
		return nil, err
	case err != nil:
		return nil, &ledger.Error{Kind: ledger.KindInvalid, Message: "the form cannot be read: open it again and send it again", Err: err}
	}
	for name, values := range r.PostForm {
		for _, value := range values {
			if !storable(name) || !storable(value) {
				return nil, ledger.Refuse(ledger.KindInvalid, "the form has characters that are not text").At(name, "is not text")
			}
		}
	}
	return &form{values: r.PostForm}, nil
}

// readKeyedForm is readForm for a form that carries its key. Errors also: KindKeyMissing, KindKeyInvalid.
func readKeyedForm(c echo.Context) (*form, error) {
	f, err := readForm(c)
	if err != nil {
		return nil, err
	}
	if f.key() == "" {
		return nil, ledger.Refuse(ledger.KindKeyMissing, "the form carries no key, so it could post twice: open it again and send it from there")
	}
	_, err = ledger.CheckKey(f.key())
	return f, err
}

func (f *form) key() string { return f.values.Get("form") }

// raw is a value as typed, to be shown again; text is the same without space around it.
func (f *form) raw(name string) string { return f.values.Get(name) }

func (f *form) text(name string) string { return strings.TrimSpace(f.values.Get(name)) }

// pressed reports whether the form was sent by a button of this name, and with which value.
func (f *form) pressed(name string) (value string, ok bool) {
	values, ok := f.values[name]
	if !ok || len(values) == 0 {
		return "", false
	}
	return values[0], true
}

// date reads a day; one that is missing is for the rules to judge.
func (f *form) date(name string) ledger.Date {
	return readDate(f.text(name), name, &f.faults)
}

// readDate reads a day out of a form or an address, and notes one that cannot be read.
func readDate(text, name string, faults *[]ledger.FieldError) ledger.Date {
	var date ledger.Date
	if err := date.UnmarshalText([]byte(text)); err != nil {
		*faults = append(*faults, ledger.FieldError{Field: name, Detail: quoted(text) + " is not a date: write it as 2026-03-31"})
	}
	return date
}

// cursor reads where a page of a list begins: what is no number begins at the start, and a number beyond all that the database counts
// is beyond the last row.
func cursor(text string) int64 {
	row, _ := strconv.ParseInt(text, 10, 64)
	return min(max(row, 0), math.MaxInt32)
}

// quoted shows what was typed within a sentence, cut to a length that can be read.
func quoted(text string) string {
	if runes := []rune(text); len(runes) > 40 {
		text = string(runes[:40]) + "…"
	}
	return "“" + text + "”"
}

// number reads the number of a line that a button names.
func number(text string) (int, bool) {
	n, err := strconv.Atoi(text)
	return n, err == nil && n >= 0
}

// fault notes what is wrong with a field.
func (f *form) fault(field, detail string) {
	f.faults = append(f.faults, ledger.FieldError{Field: field, Detail: detail})
}

// amount reads what was typed in a currency, and notes what cannot be read.
func (f *form) amount(name string, format ui.Format, currency string) int64 {
	minor, err := format.ParseAmount(f.text(name), currency)
	if refusal, ok := typedWrong(err); ok {
		f.fault(name, refusal.Message)
	}
	return minor
}

// refusal is that of a form whose fields cannot be read, nil when all can.
func (f *form) refusal() *ledger.Error {
	if len(f.faults) == 0 {
		return nil
	}
	return &ledger.Error{Kind: ledger.KindInvalid, Message: "the form has fields that cannot be read", Fields: f.faults}
}

// err is refusal as an error.
func (f *form) err() error {
	if refusal := f.refusal(); refusal != nil {
		return refusal
	}
	return nil
}

// typedWrong gives a refusal for which the form is shown again: what was typed can be corrected there. Any other error has
// a page of its own.
func typedWrong(err error) (*ledger.Error, bool) {
	var refusal *ledger.Error
	if !errors.As(err, &refusal) {
		return nil, false
	}
	status := api.ProblemOf(refusal, "").Status
	return refusal, status == http.StatusUnprocessableEntity || refusal.Kind == ledger.KindTxIDExists
}

// showAgain answers a form that was refused with the same form, and records the attempt.
func (s *server) showAgain(c echo.Context, refusal error, page templ.Component) error {
	s.recordRefusal(c, refusal)
	return render(c, http.StatusUnprocessableEntity, page)
}

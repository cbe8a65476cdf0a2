package web

import (
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/labstack/echo/v4"

	"daybook/store"
	"daybook/store/ledger"
	"daybook/templates"
	"daybook/templates/ui"
	"daybook/web/api"
)

// tokenDays is how long a new token works where its form is sent as it stands.
const tokenDays = 90

func (s *server) showTokens(c echo.Context, actor store.Actor) error {
	tokens, err := s.Store.TokensSeen(c.Request().Context(), actor)
	if err != nil {
		return err
	}
	shell, err := s.shell(c, actor, heading{title: "API tokens", page: templates.PageSettings, crumbs: settingsCrumbs("API tokens")})
	if err != nil {
		return err
	}
	view := templates.Tokens{Shell: shell, Everyone: actor.Can(store.RightUsers)}
	for _, token := range slices.Backward(tokens) {
		view.Rows = append(view.Rows, s.tokenRow(actor, token))
	}
	slices.SortStableFunc(view.Rows, func(a, b templates.TokenRow) int { return ended(a) - ended(b) })
	return render(c, http.StatusOK, templates.TokensPage(view))
}

// ended sorts what does not work any more behind what does.
func ended(r templates.TokenRow) int {
	if r.Expired || !r.RevokedAt.IsZero() {
		return 1
	}
	return 0
}

func (s *server) tokenRow(actor store.Actor, t store.Token) templates.TokenRow {
	row := templates.TokenRow{
		ID: t.ID, Name: t.Name, Person: t.UserName, Mine: t.UserID == actor.UserID, CreatedAt: t.CreatedAt, LastUsed: t.LastUsedAt, RevokedAt: t.RevokedAt,
	}
	if t.Only != nil {
		row.Rights = []string{}
	}
	for _, right := range t.Only {
		if right != store.RightRead {
			row.Rights = append(row.Rights, string(right))
		}
	}
	if !t.ExpiresAt.IsZero() {
		row.LastDay, row.Expired = ledger.DateOf(t.ExpiresAt.Add(-time.Microsecond)), !t.ExpiresAt.After(s.Now())
	}
	return row
}

func (s *server) showNewToken(c echo.Context, actor store.Actor) error {
	return s.renderNewToken(c, actor, templates.NewToken{
		Form: c.QueryParam("form"), Expires: s.today().AddDays(tokenDays).String(), Rights: rightChoices(actor, nil),
	}, nil)
}

// rightChoices offers the rights that the actor has, besides reading.
func rightChoices(actor store.Actor, ticked []store.Right) []templates.RightChoice {
	var choices []templates.RightChoice
	for _, right := range store.Rights {
		if right != store.RightRead && actor.Can(right) {
			choices = append(choices, templates.RightChoice{Right: string(right), Words: sentence(right.Allows()), Ticked: slices.Contains(ticked, right)})
		}
	}
	return choices
}

func (s *server) renderNewToken(c echo.Context, actor store.Actor, view templates.NewToken, refusal *ledger.Error) error {
	crumbs := []ui.Link{{Text: "Settings"}, {Text: "API tokens", Href: bookView(actor.Book).SettingsURL(templates.SettingsTokens)}, {Text: "New token"}}
	shell, err := s.shell(c, actor, heading{title: "New token", page: templates.PageSettings, crumbs: crumbs})
	if err != nil {
		return err
	}
	view.Shell = shell
	if refusal == nil {
		return render(c, http.StatusOK, templates.NewTokenPage(view))
	}
	view.Message, view.Errors = messageOf(refusal), worded(refusal.Fields)
	return s.showAgain(c, refusal, templates.NewTokenPage(view))
}

// makeToken answers the text of the token itself: a page to be led to would have to get it from somewhere where it was kept meanwhile.
func (s *server) makeToken(c echo.Context, actor store.Actor) error {
	f, err := readKeyedForm(c)
	if err != nil {
		return err
	}
	request := store.TokenRequest{Name: f.text("name")}
	for _, right := range f.values["rights"] {
		request.Rights = append(request.Rights, store.Right(right))
	}
	if last := f.date("expires"); !last.IsZero() {
		request.ExpiresAt = last.AddDays(1).Time()
	}
	again := func(refusal *ledger.Error) error {
		return s.renderNewToken(c, actor, templates.NewToken{
			Form: freshIfReused(f, refusal), Name: f.raw("name"), Expires: f.raw("expires"), Rights: rightChoices(actor, request.Rights),
		}, refusal)
	}
	if refusal := f.refusal(); refusal != nil {
		return again(refusal)
	}
	token, text, duplicate, err := s.Store.MakeToken(c.Request().Context(), actor, f.key(), request)
	if refusal, ok := typedWrong(err); ok {
		return again(refusal)
	}
	if err != nil {
		return err
	}
	shell, err := s.shell(c, actor, heading{title: "New token", page: templates.PageSettings, crumbs: settingsCrumbs("API tokens")})
	if err != nil {
		return err
	}
	return render(c, http.StatusOK, templates.MadeTokenPage(templates.MadeToken{
		Shell: shell, Name: token.Name, Text: text, Again: duplicate, Address: s.apiAddress(c, actor.Book) + "/balances",
	}))
}

// apiAddress is where programs reach a book, as this browser reaches the site.
func (s *server) apiAddress(c echo.Context, book store.Book) string {
	scheme := "http"
	if s.Secure {
		scheme = "https"
	}
	return scheme + "://" + strings.ToLower(c.Request().Host) + "/api/v1/books/" + book.Code
}

func (s *server) revokeToken(c echo.Context, actor store.Actor) error {
	id, err := api.PathNumber(c, "id", "token")
	if err != nil {
		return err
	}
	token, err := s.Store.EndToken(c.Request().Context(), actor, id)
	if err != nil {
		return err
	}
	s.tell(c, "The token “"+token.Name+"” is revoked. Whatever uses it is refused from now on.")
	return seeOther(c, bookView(actor.Book).SettingsURL(templates.SettingsTokens))
}

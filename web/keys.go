package web

import (
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/labstack/echo/v4"

	"daybook/store"
	"daybook/store/ledger"
	"daybook/templates"
)

// keysShown is a page of keys, or of clashes.
const keysShown = 50

// showKeys shows the idempotency keys of the book, and one of them whole.
func (s *server) showKeys(c echo.Context, actor store.Actor) error {
	view, err := s.keysView(c, actor, c.QueryParams())
	if err != nil {
		return err
	}
	return render(c, http.StatusOK, templates.KeysPage(view))
}

// readKeysFilter reads the address of the page. A state or a cursor that is none narrows nothing.
func readKeysFilter(query url.Values) templates.KeysFilter {
	text := func(name string) string { return strings.TrimSpace(query.Get(name)) }
	f := templates.KeysFilter{
		Query: text("q"), Who: text("who"), State: text("state"), Before: query.Get("before"), After: query.Get("after"), Key: query.Get("key"),
	}
	if !slices.Contains([]string{templates.KeysRunning, templates.KeysStuck, templates.KeysSettled, templates.KeysRetried, templates.KeysClashed, templates.KeysExpired}, f.State) {
		f.State = ""
	}
	if f.Before != "" {
		f.After = ""
	}
	return f
}

func (s *server) keysView(c echo.Context, actor store.Actor, query url.Values) (templates.Keys, error) {
	shell, err := s.shell(c, actor, heading{title: "Keys", page: templates.PageKeys})
	if err != nil {
		return templates.Keys{}, err
	}
	days := actor.Book.KeyRetentionDays
	view := templates.Keys{
		Shell: shell, Filter: readKeysFilter(query), Form: newKey(), MayRelease: actor.Can(store.RightKeys),
		Retention: templates.KeyRetention{Days: days, Typed: strconv.Itoa(days)},
	}
	totals, err := s.Store.KeyTotals(c.Request().Context(), actor)
	if err != nil {
		return templates.Keys{}, err
	}
	view.Totals = templates.KeyFigures{
		Settled: min(totals.Settled, store.SettledCounted), SettledMore: totals.Settled > store.SettledCounted,
		Running: totals.Running, Stuck: totals.Stuck, Clashes: totals.Clashes, Retries: totals.Retries,
	}
	for _, list := range []func(echo.Context, store.Actor, *templates.Keys) error{s.listLiveKeys, s.listSettledKeys, s.listClashes} {
		if err := list(c, actor, &view); err != nil {
			return templates.Keys{}, err
		}
	}
	if view.Filter.Key != "" {
		view.Open, err = s.openKey(c, actor, view, query.Get("clash"))
	}
	return view, err
}

func keyFilter(f templates.KeysFilter) store.KeyFilter {
	filter := store.KeyFilter{Text: f.Query, Who: f.Who, State: store.KeyState(f.State), Limit: keysShown}
	filter.Before, filter.After = keyPlace(f.Before), keyPlace(f.After)
	return filter
}

// listLiveKeys stands on the first page only, and not among the settled.
func (s *server) listLiveKeys(c echo.Context, actor store.Actor, view *templates.Keys) error {
	f := view.Filter
	if !slices.Contains([]string{"", templates.KeysRunning, templates.KeysStuck}, f.State) || f.Before+f.After != "" {
		return nil
	}
	live, err := s.Store.LiveKeys(c.Request().Context(), actor, keyFilter(f))
	for _, k := range live {
		view.Live = append(view.Live, templates.LiveKey{
			Key: k.Key, Request: operationText(k.Operation), Who: nameOr(k.UsedByName, k.UsedBy), Owner: k.Owner, Attempt: k.Attempts,
			Age: s.since(k.ClaimedAt), LeaseUntil: k.LeaseUntil, Stuck: k.State == store.KeyStuck,
		})
	}
	return err
}

func (s *server) listSettledKeys(c echo.Context, actor store.Actor, view *templates.Keys) error {
	f := view.Filter
	if slices.Contains([]string{templates.KeysClashed, templates.KeysRunning, templates.KeysStuck}, f.State) {
		return nil
	}
	filter := keyFilter(f)
	page, err := s.Store.SettledKeys(c.Request().Context(), actor, filter)
	if err != nil || len(page.Keys) == 0 {
		return err
	}
	for _, k := range page.Keys {
		view.Rows = append(view.Rows, templates.KeyRow{
			Key: k.Key, Request: operationText(k.Operation), Who: nameOr(k.UsedByName, k.UsedBy), SettledAt: k.SettledAt, KeptUntil: k.ExpiresAt,
			Asked: k.Replays + 1, Seq: k.Seq, Expired: k.State == store.KeyExpired, Clashed: k.Clashes > 0,
		})
	}
	forward := filter.After == (store.KeyPlace{})
	if !forward && page.More || filter.Before != (store.KeyPlace{}) {
		view.Newer = keyCursor(page.Keys[0].Place())
	}
	if !forward || page.More {
		view.Older = keyCursor(page.Keys[len(page.Keys)-1].Place())
	}
	return nil
}

func (s *server) listClashes(c echo.Context, actor store.Actor, view *templates.Keys) error {
	f := view.Filter
	if f.State != templates.KeysClashed {
		return nil
	}
	filter := store.ClashFilter{Text: f.Query, Who: f.Who, Before: cursor(f.Before), After: cursor(f.After), Limit: keysShown}
	page, err := s.Store.Clashes(c.Request().Context(), actor, filter)
	if err != nil || len(page.Clashes) == 0 {
		return err
	}
	view.ClashesFound = page.Total
	for _, clash := range page.Clashes {
		row := templates.ClashRow{
			ID: clash.ID, Key: clash.Key, Request: operationText(clash.Operation), At: clash.At, Who: nameOr(clash.ByName, clash.By),
			FirstWho: clash.FirstBy, FirstAt: clash.FirstAt, FirstSeq: clash.FirstSeq, Private: clash.Private,
		}
		for _, field := range clash.Fields {
			if field.Differs() {
				row.Differing = append(row.Differing, field.Field)
			}
		}
		if clash.Operation != clash.FirstOperation {
			row.Differing = []string{"the request itself"}
		}
		view.Clashes = append(view.Clashes, row)
	}
	if filter.Before != 0 || filter.After != 0 && page.More {
		view.Newer = strconv.FormatInt(page.Clashes[0].ID, 10)
	}
	if filter.After != 0 || page.More {
		view.Older = strconv.FormatInt(page.Clashes[len(page.Clashes)-1].ID, 10)
	}
	return nil
}

// keyCursor is the place of a key in the list as an address holds it; keyPlace reads it, and what is none as the first page.
func keyCursor(place store.KeyPlace) string {
	return place.ExpiresAt.Format(time.RFC3339Nano) + " " + place.Key
}

func keyPlace(text string) store.KeyPlace {
	moment, key, _ := strings.Cut(text, " ")
	at, err := time.Parse(time.RFC3339Nano, moment)
	if err != nil || key == "" || !storable(key) || at.Year() < 1900 || at.Year() > 9999 {
		return store.KeyPlace{}
	}
	return store.KeyPlace{ExpiresAt: at, Key: key}
}

// operations are what a key does, where the audit log has no word for it.
var operations = map[string]string{
	ledger.OpEntry: "Post entry", "account": "Open account", "reversal-request": "Request reversal", "statement": "Upload statement",
	"statement.draft": "Upload statement", "statement.confirm": "Confirm statement", "approval-approved": "Approve", "approval-rejected": "Reject",
	"approval-recalled": "Recall",
}

func operationText(operation string) string {
	if text, known := operations[operation]; known {
		return text
	}
	if text := auditActionText(operation); text != operation {
		return text
	}
	return sentence(strings.NewReplacer(".", " ", "-", " ").Replace(operation))
}

func nameOr(name, email string) string {
	if name != "" {
		return name
	}
	return email
}

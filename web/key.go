package web

import (
	"net/url"
	"strconv"

	"github.com/labstack/echo/v4"

	"daybook/store"
	"daybook/store/ledger"
	"daybook/templates"
	"daybook/templates/ui"
	"daybook/web/api"
)

// openKey is one key whole. Of its clashes it shows the one that the address names, else the newest.
func (s *server) openKey(c echo.Context, actor store.Actor, page templates.Keys, clash string) (*templates.KeyView, error) {
	k, err := s.Store.IdempotencyKey(c.Request().Context(), actor, page.Filter.Key)
	if err != nil {
		return nil, err
	}
	view := &templates.KeyView{Key: k.Key, Chips: keyChips(k), Facts: s.keyFacts(page.Shell, k), Asked: k.Asked, Private: k.Private, Entry: k.Seq}
	switch k.State {
	case store.KeyStuck:
		view.Release = k.Attempts
	case store.KeyRunning:
		view.Running = true
	}
	shown := 0
	for i, clashed := range k.Newest {
		if strconv.FormatInt(clashed.ID, 10) == clash {
			shown = i
		}
	}
	for i, clashed := range k.Newest {
		if i == shown {
			view.Clash, view.Private, view.Entry = clashView(page.Shell, clashed), clashed.Private, clashed.FirstSeq
			continue
		}
		query := url.Values{"key": {k.Key}, "clash": {strconv.FormatInt(clashed.ID, 10)}, "state": {templates.KeysClashed}}
		view.Others = append(view.Others, ui.Link{
			Text: page.Format.Instant(clashed.At) + ", " + nameOr(clashed.ByName, clashed.By), Href: page.Book.URL("keys") + "?" + query.Encode() + "#key",
		})
	}
	return view, nil
}

func clashView(shell templates.Shell, c store.Clash) *templates.KeyClash {
	view := &templates.KeyClash{
		FirstAt: c.FirstAt, At: c.At, FirstWho: c.FirstBy, Who: c.By, FirstRequest: operationText(c.FirstOperation), Request: operationText(c.Operation),
		FirstOutcome: ui.Link{Text: "Done"}, Fields: c.Fields,
	}
	switch {
	case c.FirstSeq > 0:
		view.FirstOutcome = ui.Link{Text: "Entry " + shell.Format.Seq(c.FirstSeq), Href: shell.Book.EntryURL(c.FirstSeq)}
	case c.FirstAt.IsZero():
		view.FirstOutcome.Text = "Still in progress then"
	}
	return view
}

func keyChips(k store.KeyDetail) []ui.Chip {
	var chips []ui.Chip
	switch {
	case k.Gone, k.State == store.KeyExpired:
		chips = []ui.Chip{{Text: "Expired", Icon: "clock"}}
	case k.State == store.KeyStuck:
		chips = []ui.Chip{{Text: "Past its lease", Tone: ui.Warn}}
	case k.State == store.KeyRunning:
		chips = []ui.Chip{{Text: "In progress", Tone: ui.Info, Icon: "hourglass"}}
	default:
		chips = []ui.Chip{{Text: "Settled", Tone: ui.OK}}
	}
	if len(k.Newest) > 0 {
		chips = append(chips, ui.Chip{Text: "Clash, refused", Tone: ui.Bad})
	}
	return chips
}

// keyFacts are what stands beside a key. One that was swept has none left.
func (s *server) keyFacts(shell templates.Shell, k store.KeyDetail) ui.KeyValue {
	if k.Gone {
		return ui.KeyValue{{Name: "Kept", Text: "No longer: it has expired and is new to whoever sends it", Muted: true}}
	}
	f := shell.Format
	facts := ui.KeyValue{{Name: "Request", Text: operationText(k.Operation)}, {Name: "Sent by", Text: k.UsedBy}}
	if k.SettledAt.IsZero() {
		facts = append(facts, ui.Fact{Name: "Owner", Text: k.Owner}, ui.Fact{Name: "Claimed", Text: f.Instant(k.ClaimedAt) + " UTC"},
			ui.Fact{Name: "Age", Text: f.Age(s.since(k.ClaimedAt))}, ui.Fact{Name: "Lease until", Text: f.Instant(k.LeaseUntil) + " UTC"},
			ui.Fact{Name: "Last heard", Text: f.Instant(k.HeardAt) + " UTC"})
	} else {
		facts = append(facts, ui.Fact{Name: "Settled", Text: f.Instant(k.SettledAt) + " UTC"})
	}
	if k.Seq > 0 {
		facts = append(facts, ui.Fact{Name: "Entry", Text: f.Seq(k.Seq), Href: shell.Book.EntryURL(k.Seq)})
	}
	facts = append(facts, ui.Fact{Name: "Attempt", Text: f.Number(k.Attempts)}, ui.Fact{Name: "Retries absorbed", Text: f.Number(int(k.Replays))},
		ui.Fact{Name: "Fingerprint", Text: ui.Short(k.Fingerprint), Mono: true})
	if !k.SettledAt.IsZero() {
		facts = append(facts, ui.Fact{Name: "Kept until", Text: f.Day(ledger.DateOf(k.ExpiresAt))})
	}
	return facts
}

// releaseKey takes a stuck claim from its owner, for the reason that the form gives.
func (s *server) releaseKey(c echo.Context, actor store.Actor) error {
	return s.changeKeys(c, actor, func(f *form) (string, string, error) {
		attempt, _ := number(f.text("attempt"))
		release := store.KeyRelease{Key: f.raw("key"), Attempt: attempt, Reason: f.text("reason")}
		return "The claim is released. Its owner is refused should it come back; whoever sends the key next inherits it.", release.Key,
			s.Store.ReleaseKey(c.Request().Context(), actor, f.key(), release)
	})
}

func (s *server) setKeyRetention(c echo.Context, actor store.Actor) error {
	return s.changeKeys(c, actor, func(f *form) (string, string, error) {
		days, _ := number(f.text("days"))
		return "Keys that settle from now on are kept for " + formatOf(actor).Plural(days, "day", "days") + ".", "",
			s.Store.SetKeyRetention(c.Request().Context(), actor, f.key(), days)
	})
}

// changeKeys answers a form of the page: with the page as it is then or, where the change was refused, with why. A change says what it
// has done, and of which key.
func (s *server) changeKeys(c echo.Context, actor store.Actor, change func(f *form) (done, key string, err error)) error {
	if err := actor.Need(store.RightKeys); err != nil {
		return err
	}
	f, err := readKeyedForm(c)
	if err != nil {
		return err
	}
	done, key, err := change(f)
	query := url.Values{}
	if key != "" {
		query.Set("key", key)
	}
	refusal, wrong := typedWrong(err)
	switch {
	case wrong || ledger.KindOf(err) == ledger.KindIllegalTransition:
		return s.showRefusedKeys(c, actor, f, query, refusal)
	case err != nil:
		return err
	}
	s.tell(c, done)
	return seeOther(c, bookView(actor.Book).URL("keys")+"?"+query.Encode())
}

func (s *server) showRefusedKeys(c echo.Context, actor store.Actor, f *form, query url.Values, refusal *ledger.Error) error {
	view, err := s.keysView(c, actor, query)
	if err != nil {
		return err
	}
	view.Message, view.Errors = messageOf(refusal), worded(refusal.Fields)
	if days, typed := f.pressed("days"); typed {
		view.Retention.Typed = days
	}
	if view.Open != nil {
		view.Open.Reason = f.raw("reason")
	}
	s.recordRefusal(c, refusal)
	return render(c, api.ProblemOf(refusal, "").Status, templates.KeysPage(view))
}

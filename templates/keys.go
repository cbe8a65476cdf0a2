package templates

import (
	"net/url"
	"strconv"
	"time"

	"daybook/store/ledger"
	"daybook/templates/ui"
)

// Keys is a page of the idempotency keys of a book: the claims whose owners are at work, those that settled, or the clashes.
type Keys struct {
	Shell
	Filter KeysFilter
	// Live are the claims that have not settled, the oldest first; Rows those that have, the longest kept first.
	Live []LiveKey
	Rows []KeyRow
	// Clashes stand in the place of the keys where the filter asks for them; ClashesFound counts all that it finds.
	Clashes      []ClashRow
	ClashesFound int64
	Totals       KeyFigures
	// Newer and Older are the addresses' cursors of the pages before and after this one, empty at an end.
	Newer, Older string
	// Open is the key that is shown whole, nil for none.
	Open      *KeyView
	Retention KeyRetention
	// Form is the key of the forms on the page. Message and Errors say why one was refused, or which filter cannot be read.
	Form    string
	Message string
	Errors  []ledger.FieldError
	// MayRelease offers to release stuck claims, and to change how long keys are kept.
	MayRelease bool
}

// KeysFilter is what the controls hold, as typed. Before and After are the cursor this page was opened with; Key is the one shown whole.
type KeysFilter struct {
	Query, Who, State string
	Before, After     string
	Key               string
}

// The states a filter can ask for.
const (
	KeysRunning = "running"
	KeysStuck   = "stuck"
	KeysSettled = "settled"
	KeysRetried = "retried"
	KeysClashed = "clash"
	KeysExpired = "expired"
)

// KeyFigures are the numbers the page is about. SettledMore says that there are more than were counted.
type KeyFigures struct {
	Settled, Running, Stuck, Clashes, Retries int64
	SettledMore                               bool
}

// KeyRetention is for how many days the book keeps a key; Typed is what the form holds.
type KeyRetention struct {
	Days  int
	Typed string
}

// LiveKey is a claim whose owner is at work, or was: Stuck says that it was not heard from within its lease.
type LiveKey struct {
	Key, Request, Who, Owner string
	Attempt                  int
	Age                      time.Duration
	LeaseUntil               time.Time
	Stuck                    bool
}

// KeyRow is a key that settled. Asked counts the requests that came with it: the first and the retries.
type KeyRow struct {
	Key, Request, Who string
	SettledAt         time.Time
	KeptUntil         time.Time
	Asked             int64
	Seq               int64
	Expired, Clashed  bool
}

// ClashRow is a request that was refused because its key had been used for something else.
type ClashRow struct {
	ID            int64
	Key, Request  string
	At            time.Time
	Who, FirstWho string
	FirstAt       time.Time
	FirstSeq      int64
	Differing     []string
	Private       bool
}

// KeyView is one key, whole: facts, what was asked with it, and one of its clashes field by field.
type KeyView struct {
	Key   string
	Chips []ui.Chip
	Facts ui.KeyValue
	Asked []ledger.ClashField
	// Private says that what was asked is not for the reader.
	Private bool
	Clash   *KeyClash
	// Others are the other clashes of the key.
	Others []ui.Link
	// Release is the attempt that can be released, 0 where none can. Running says that its owner is at work until its lease ends.
	Release int
	Running bool
	Reason  string
	// Entry is the seq that it posted, 0 for none.
	Entry int64
}

// KeyClash is a clash field by field.
type KeyClash struct {
	FirstAt, At           time.Time
	FirstWho, Who         string
	FirstRequest, Request string
	FirstOutcome          ui.Link
	Fields                []ledger.ClashField
}

func (k Keys) base() string { return k.Book.URL("keys") }

func (f KeysFilter) values(without ...string) url.Values {
	return filled(map[string]string{"q": f.Query, "who": f.Who, "state": f.State}, without)
}

func (f KeysFilter) active() bool { return len(f.values()) > 0 }

func (k Keys) address(q url.Values) string {
	if len(q) == 0 {
		return k.base()
	}
	return k.base() + "?" + q.Encode()
}

func (k Keys) page(direction, cursor string) string {
	if cursor == "" {
		return ""
	}
	q := k.Filter.values()
	q.Set(direction, cursor)
	return k.address(q)
}

// open is this page with a key shown whole.
func (k Keys) open(key string) string {
	q := k.Filter.values()
	for name, cursor := range map[string]string{"before": k.Filter.Before, "after": k.Filter.After} {
		if cursor != "" {
			q.Set(name, cursor)
		}
	}
	q.Set("key", key)
	return k.address(q) + "#key"
}

func (k Keys) openClash(c ClashRow) string {
	q := k.Filter.values()
	q.Set("key", c.Key)
	q.Set("clash", strconv.FormatInt(c.ID, 10))
	return k.address(q) + "#key"
}

func (k Keys) withState(state string, count int64) string {
	if count == 0 {
		return ""
	}
	return k.address(url.Values{"state": {state}})
}

func (k Keys) figures() ui.Figures {
	t, number := k.Totals, func(n int64) string { return k.Format.Number(int(n)) }
	settled := number(t.Settled)
	if t.SettledMore {
		settled = "over " + settled
	}
	return ui.Figures{
		{Label: "Settled, " + k.Format.Plural(k.Retention.Days, "day", "days"), Text: settled, Href: k.withState(KeysSettled, t.Settled)},
		{Label: "In progress", Text: number(t.Running), Href: k.withState(KeysRunning, t.Running)},
		{Label: "Past their lease", Text: number(t.Stuck), Href: k.withState(KeysStuck, t.Stuck)},
		{Label: "Clashes refused", Text: number(t.Clashes), Href: k.withState(KeysClashed, t.Clashes)},
		{Label: "Retries answered without effect", Text: number(t.Retries), Href: k.withState(KeysRetried, t.Retries)},
	}
}

func keyStates() []ui.Option {
	return []ui.Option{
		{Text: "Any"}, {Value: KeysRunning, Text: "In progress"}, {Value: KeysStuck, Text: "Past its lease"}, {Value: KeysSettled, Text: "Settled"},
		{Value: KeysRetried, Text: "Retried"}, {Value: KeysClashed, Text: "Clash"}, {Value: KeysExpired, Text: "Expired"},
	}
}

func (k Keys) pills() ui.Pills {
	f, pills := k.Filter, ui.Pills{Clear: k.base()}
	add := func(text, name string) {
		pills.Items = append(pills.Items, ui.Pill{Text: text, Remove: k.address(f.values(name))})
	}
	if f.Query != "" {
		add("“"+f.Query+"”", "q")
	}
	if f.Who != "" {
		add("Sent by “"+f.Who+"”", "who")
	}
	if f.State != "" {
		add(optionText(keyStates(), f.State), "state")
	}
	return pills
}

// lists say which of the tables the filter leaves.
func (k Keys) listsClashes() bool { return k.Filter.State == KeysClashed }

func (k Keys) listsSettled() bool {
	return !k.listsClashes() && k.Filter.State != KeysRunning && k.Filter.State != KeysStuck
}

func (k Keys) nothing() bool { return len(k.Live)+len(k.Rows)+len(k.Clashes) == 0 }

func (k Keys) pager() ui.Pager {
	text := k.Format.Plural(len(k.Rows), "key", "keys")
	if !k.Filter.active() && !k.Totals.SettledMore {
		text = k.Format.Number(len(k.Rows)) + " of " + k.Format.Plural(int(k.Totals.Settled), "key", "keys")
	}
	if k.listsClashes() {
		text = k.Format.Number(len(k.Clashes)) + " of " + k.Format.Plural(int(k.ClashesFound), "clash", "clashes")
	}
	return ui.Pager{Label: "Pages of keys", Text: text, Newer: k.page("after", k.Newer), Older: k.page("before", k.Older)}
}

func (k Keys) empty() ui.Empty {
	clear := []ui.Button{{Text: "Clear all filters", Icon: "x", Href: k.base()}}
	switch {
	case k.Filter.State == KeysStuck && k.Filter.Query+k.Filter.Who == "":
		return ui.Empty{Icon: "circle-check", Title: "No claim is stuck", Text: "Every owner was heard from within its lease.", Actions: clear}
	case k.Filter.active():
		return ui.Empty{
			Icon: "search", Title: "No key is like that", Actions: clear,
			Text: "Take a filter away, or write it differently: the search looks within the key, or for the entry where you write #17.",
		}
	}
	return ui.Empty{Icon: "key", Title: "No key yet", Text: "Every request that changes the book carries one. What it did, and the retries it absorbed, stand here."}
}

func (l LiveKey) chip() ui.Chip {
	if l.Stuck {
		return ui.Chip{Text: "Past its lease", Tone: ui.Warn}
	}
	return ui.Chip{Text: "In progress", Tone: ui.Info, Icon: "hourglass"}
}

// age counts seconds, which is what most claims take.
func (l LiveKey) age(f ui.Format) string {
	if l.Age < time.Minute {
		return f.Number(int(l.Age/time.Second)) + " s"
	}
	return f.Age(l.Age)
}

func (r KeyRow) chip() ui.Chip {
	switch {
	case r.Clashed:
		return ui.Chip{Text: "Clash, refused", Tone: ui.Bad}
	case r.Expired:
		return ui.Chip{Text: "Expired", Icon: "clock"}
	}
	return ui.Chip{Text: "Settled", Tone: ui.OK}
}

// shownKey is a key as a table shows it: a long one is cut, its page has it whole.
func shownKey(key string) string {
	if len(key) <= 44 {
		return key
	}
	return key[:40] + "…"
}

func sameOrNot(f ledger.ClashField) ui.Chip {
	if f.Differs() {
		return ui.Chip{Text: "Differs", Tone: ui.Warn, Icon: "equal-not"}
	}
	return ui.Chip{Text: "Same", Tone: ui.OK}
}

func (c KeyClash) requestField() ledger.ClashField {
	return ledger.ClashField{Field: "Request", First: c.FirstRequest, Sent: c.Request, HadFirst: true, HasSent: true}
}

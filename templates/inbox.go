package templates

import (
	"net/url"
	"strings"
	"time"

	"daybook/store/ledger"
	"daybook/templates/ui"
)

// Inbox is a page of the messages that came in from other systems, and one of them beside it.
type Inbox struct {
	Shell
	Filter  InboxFilter
	Rows    []InboxRow // newest first
	Figures InboxFigures
	Sources []InboxSource // by name
	// Older is the cursor of the page after this one, empty at the end.
	Older string
	Open  *MessageView
	// MayPost offers to retry, to set aside and to upload. Retry is the key of the form that retries all.
	MayPost bool
	Retry   string
	Message string
	Errors  []ledger.FieldError
}

// InboxFilter is what the controls hold. Of and ID name the message that is shown beside the list.
type InboxFilter struct {
	Query, Source, State, Repeated string
	Before                         string
	Of, ID                         string
}

// InboxFigures count the deliveries of the last Days: Deliveries = Applied + Duplicates + Waiting + Failed + Parked + Dismissed.
type InboxFigures struct {
	Days                                                                int
	Deliveries, Applied, Duplicates, Waiting, Failed, Parked, Dismissed int64
	// Stuck are all messages that failed or are parked, however old.
	Stuck int64
}

// InboxSource counts the messages of one source, and what of them was delivered again without effect.
type InboxSource struct {
	Source                          string
	Messages, Duplicates, Unapplied int64
	LastAt                          time.Time
}

// InboxRow is a message in the list. Reason is why it was not applied.
type InboxRow struct {
	Source, ID, Type string
	ReceivedAt       time.Time
	Deliveries       int
	State            string
	Seq, Payment     int64
	PaymentKnown     bool // there is that payment
	Reason           string
	// Retry is the key of the form that has it tried again, empty where it cannot be.
	Retry string
}

func (v Inbox) base() string { return v.Book.URL("inbox") }

func (f InboxFilter) values(without ...string) url.Values {
	return filled(map[string]string{"q": f.Query, "source": f.Source, "state": f.State, "repeated": f.Repeated}, without)
}

func (f InboxFilter) active() bool { return len(f.values()) > 0 }

func (v Inbox) address(q url.Values) string { return withQuery(v.base(), q) }

// MessageURL is the inbox with one message beside it.
func (b Book) MessageURL(source, id string) string {
	return b.URL("inbox") + "?" + url.Values{"of": {source}, "id": {id}}.Encode() + "#message"
}

// open is this page with a message beside the list.
func (v Inbox) open(r InboxRow) string {
	q := v.Filter.values()
	if v.Filter.Before != "" {
		q.Set("before", v.Filter.Before)
	}
	q.Set("of", r.Source)
	q.Set("id", r.ID)
	return v.address(q) + "#message"
}

func (v Inbox) with(state string, count int64) string {
	if count == 0 {
		return ""
	}
	return v.address(url.Values{"state": {state}})
}

func (v Inbox) figures() ui.Figures {
	f := v.Figures
	number := func(n int64) string { return v.Format.Number(int(n)) }
	repeated := ""
	if f.Duplicates > 0 {
		repeated = v.address(url.Values{"repeated": {"yes"}})
	}
	figures := ui.Figures{
		{Label: "Deliveries, " + v.Format.Plural(f.Days, "day", "days"), Text: number(f.Deliveries), Href: v.base()},
		{Label: "Applied", Text: number(f.Applied), Href: v.with(InboxApplied, f.Applied)},
		{Label: "Duplicates, no effect", Text: number(f.Duplicates), Href: repeated},
		{Label: "Waiting", Text: number(f.Waiting), Href: v.with(InboxWaiting, f.Waiting)},
		{Label: "Failed", Text: number(f.Failed), Href: v.with(InboxFailed, f.Failed)},
		{Label: "Parked", Text: number(f.Parked), Href: v.with(InboxParked, f.Parked)},
	}
	if f.Dismissed > 0 {
		figures = append(figures, ui.Figure{Label: "Set aside", Text: number(f.Dismissed), Href: v.with(InboxDismissed, f.Dismissed)})
	}
	return append(figures, ui.Figure{Label: "Sum", Chip: f.sum(v.Format)})
}

// sum shows that every delivery is accounted for: 1,117 + 85 + 2 = 1,204.
func (f InboxFigures) sum(format ui.Format) ui.Chip {
	var parts []string
	var sum int64
	for _, n := range []int64{f.Applied, f.Duplicates, f.Waiting, f.Failed, f.Parked, f.Dismissed} {
		if sum += n; n != 0 {
			parts = append(parts, format.Number(int(n)))
		}
	}
	if len(parts) == 0 {
		parts = []string{format.Number(0)}
	}
	total := strings.Join(parts, " + ")
	if sum != f.Deliveries {
		return ui.Chip{Text: total + " is not " + format.Number(int(f.Deliveries)), Tone: ui.Bad}
	}
	return ui.Chip{Text: total + " = " + format.Number(int(f.Deliveries)), Tone: ui.OK}
}

func inboxStates() []ui.Option {
	options := []ui.Option{{Text: "Any"}}
	for _, state := range []string{InboxApplied, InboxWaiting, InboxFailed, InboxParked, InboxDismissed} {
		options = append(options, ui.Option{Value: state, Text: inboxWords[state].Text})
	}
	return options
}

// sourceOptions are the sources that something came from, and the one that the filter names.
func (v Inbox) sourceOptions() []ui.Option {
	options, named := []ui.Option{{Text: "Any"}}, v.Filter.Source == ""
	for _, s := range v.Sources {
		options, named = append(options, ui.Option{Value: s.Source, Text: s.Source}), named || s.Source == v.Filter.Source
	}
	if !named {
		options = append(options, ui.Option{Value: v.Filter.Source, Text: v.Filter.Source})
	}
	return options
}

func (v Inbox) pills() ui.Pills {
	f, pills := v.Filter, ui.Pills{Clear: v.base()}
	add := func(text, name string) {
		pills.Items = append(pills.Items, ui.Pill{Text: text, Remove: v.address(f.values(name))})
	}
	if f.Query != "" {
		add("“"+f.Query+"”", "q")
	}
	if f.Source != "" {
		add("From “"+f.Source+"”", "source")
	}
	if f.State != "" {
		add(optionText(inboxStates(), f.State), "state")
	}
	if f.Repeated != "" {
		add("Delivered more than once", "repeated")
	}
	return pills
}

func (v Inbox) pager() ui.Pager {
	p := ui.Pager{Label: "Pages of messages", Text: v.Format.Plural(len(v.Rows), "message", "messages")}
	if v.Filter.Before != "" {
		p.Newer = v.address(v.Filter.values())
	}
	if v.Older != "" {
		q := v.Filter.values()
		q.Set("before", v.Older)
		p.Older = v.address(q)
	}
	return p
}

func (v Inbox) empty() ui.Empty {
	switch {
	case (v.Filter.State == InboxFailed || v.Filter.State == InboxParked) && v.Filter.Query+v.Filter.Source+v.Filter.Repeated == "":
		return ui.Empty{Icon: "circle-check", Title: "Nothing is in the way", Text: "No message is like that: what came was applied, waits for another message, or was set aside.", Actions: clearFilters(v.base())}
	case v.Filter.active():
		return ui.Empty{Icon: "search", Title: "No message is like that", Text: "Take a filter away, or write it differently: the search looks within ids and types.", Actions: clearFilters(v.base())}
	}
	e := ui.Empty{Icon: "inbox", Title: "Nothing has come in yet", Text: "Messages of other systems come by the API, as webhooks, from a broker or in a file. Each is applied once, however often it is delivered."}
	if v.MayPost {
		e.Actions = []ui.Button{{Text: "Upload a file", Icon: "upload", Href: v.Book.URL("inbox", "upload")}}
	}
	return e
}

// retryAll says how many it has tried again.
func (v Inbox) retryAll() ui.Button {
	return ui.Button{Text: "Retry all " + v.Format.Number(int(v.Figures.Stuck)) + " not applied", Icon: "rotate"}
}

func (v Inbox) fromSource(source string) string {
	return v.address(url.Values{"source": {source}})
}

package templates

import (
	"net/url"
	"time"

	"daybook/store/ledger"
	"daybook/templates/ui"
)

// Audit is a page of the audit log of a book, newest first.
type Audit struct {
	Shell
	Filter AuditFilter
	// Actions are the choices of the control of that name.
	Actions []ui.Option
	Rows    []AuditRow
	// Open is the record whose facts are shown, "" for none.
	Open string
	// Total counts all that the filter finds, Refused and Failed those of it that were not done.
	Total, Refused, Failed int64
	// Newer and Older are the cursors of the pages before and after this one, empty at an end.
	Newer, Older string
	// Errors are those of the filter.
	Errors []ledger.FieldError
}

// AuditFilter is what the controls hold, as typed. Before and After are the cursor this page was opened with.
type AuditFilter struct {
	Query, Actor, Action, Outcome, From, To string
	Before, After                           string
}

// AuditRow is one attempt: who, what, on what, how it ended. Facts are what an opened row shows besides.
type AuditRow struct {
	ID      string
	At      time.Time
	Who     string
	Action  string
	Object  ui.Link
	Detail  string
	Outcome AuditOutcome
	Address string
	Facts   ui.KeyValue
}

// AuditOutcome is how an attempt ended.
type AuditOutcome string

// The outcomes.
const (
	AuditDone    AuditOutcome = "done"
	AuditRefused AuditOutcome = "refused"
	AuditFailed  AuditOutcome = "failed"
)

func (o AuditOutcome) chip() ui.Chip {
	switch o {
	case AuditRefused:
		return ui.Chip{Text: "Refused", Tone: ui.Bad}
	case AuditFailed:
		return ui.Chip{Text: "Failed", Tone: ui.Warn}
	default:
		return ui.Chip{Text: "Done", Tone: ui.OK}
	}
}

func (f AuditFilter) values(without ...string) url.Values {
	return filled(map[string]string{"q": f.Query, "actor": f.Actor, "action": f.Action, "outcome": f.Outcome, "from": f.From, "to": f.To}, without)
}

// filled are the values of a query that are not empty, but for some names.
func filled(values map[string]string, without []string) url.Values {
	q := url.Values{}
	for name, value := range values {
		if value != "" {
			q.Set(name, value)
		}
	}
	for _, name := range without {
		q.Del(name)
	}
	return q
}

func (f AuditFilter) active() bool { return len(f.values()) > 0 }

func (a Audit) address(q url.Values) string {
	if len(q) == 0 {
		return a.Book.URL("audit")
	}
	return a.Book.URL("audit") + "?" + q.Encode()
}

func (a Audit) page(direction, cursor string) string {
	if cursor == "" {
		return ""
	}
	q := a.Filter.values()
	q.Set(direction, cursor)
	return a.address(q)
}

// expand is this page with the facts of a record shown, or closed again.
func (a Audit) expand(id string) string {
	q := a.Filter.values()
	for name, cursor := range map[string]string{"before": a.Filter.Before, "after": a.Filter.After} {
		if cursor != "" {
			q.Set(name, cursor)
		}
	}
	if id == a.Open {
		return a.address(q)
	}
	q.Set("open", id)
	return a.address(q) + "#r" + id
}

// withOutcome is the same filter for one outcome.
func (a Audit) withOutcome(outcome AuditOutcome) string {
	q := a.Filter.values()
	q.Set("outcome", string(outcome))
	return a.address(q)
}

func (a Audit) figures() ui.Figures {
	figures := ui.Figures{{Label: "Records", Text: a.Format.Number(int(a.Total))}}
	for _, f := range []struct {
		label   string
		outcome AuditOutcome
		count   int64
	}{{"Refused", AuditRefused, a.Refused}, {"Failed", AuditFailed, a.Failed}} {
		figure := ui.Figure{Label: f.label, Text: a.Format.Number(int(f.count))}
		if f.count > 0 {
			figure.Href = a.withOutcome(f.outcome)
		}
		figures = append(figures, figure)
	}
	return figures
}

func (a Audit) outcomes() []ui.Option {
	return []ui.Option{{Text: "Any"}, {Value: "done", Text: "Done"}, {Value: "refused", Text: "Refused"}, {Value: "failed", Text: "Failed"}}
}

func (a Audit) pills() ui.Pills {
	f := a.Filter
	pills := ui.Pills{Clear: a.Book.URL("audit")}
	add := func(text string, names ...string) {
		pills.Items = append(pills.Items, ui.Pill{Text: text, Remove: a.address(f.values(names...))})
	}
	if f.Query != "" {
		add("“"+f.Query+"”", "q")
	}
	if f.Actor != "" {
		add("By “"+f.Actor+"”", "actor")
	}
	if f.Action != "" {
		add(optionText(a.Actions, f.Action), "action")
	}
	if f.Outcome != "" {
		add(optionText(a.outcomes(), f.Outcome), "outcome")
	}
	if f.From != "" || f.To != "" {
		add(between(a.Format, f.From, f.To), "from", "to")
	}
	return pills
}

// between says in words from which to which day; what is no day stands as it was typed.
func between(f ui.Format, from, to string) string {
	day := func(typed string) string {
		if d, err := ledger.ParseDate(typed); err == nil {
			return f.Day(d)
		}
		return typed
	}
	switch {
	case to == "":
		return "From " + day(from)
	case from == "":
		return "Up to " + day(to)
	}
	return day(from) + " to " + day(to)
}

func optionText(options []ui.Option, value string) string {
	for _, o := range options {
		if o.Value == value {
			return o.Text
		}
	}
	return value
}

func (a Audit) pager() ui.Pager {
	text := a.Format.Number(len(a.Rows)) + " of " + a.Format.Plural(int(a.Total), "record", "records")
	return ui.Pager{Label: "Pages of records", Text: text, Newer: a.page("after", a.Newer), Older: a.page("before", a.Older)}
}

func (a Audit) empty() ui.Empty {
	if a.Filter.active() {
		return ui.Empty{
			Icon: "search", Title: "No record is like that",
			Text:    "Take a filter away, or write it differently: the search looks at what was acted on, the reason of a refusal, the request id and the address.",
			Actions: []ui.Button{{Text: "Clear all filters", Icon: "x", Href: a.Book.URL("audit")}},
		}
	}
	return ui.Empty{Icon: "shield-check", Title: "Nothing yet", Text: "What people do in this book stands here, and what they were refused."}
}

// rowID is the id of the row with the facts.
func (r AuditRow) rowID() string { return "r" + r.ID }

package web

import (
	"net/http"
	"net/url"
	"slices"
	"strings"

	"github.com/google/uuid"
	"github.com/labstack/echo/v4"

	"daybook/store"
	"daybook/store/ledger"
	"daybook/templates"
	"daybook/templates/ui"
)

// recordsShown is a page of the audit log.
const recordsShown = 50

// auditFilter is which records are asked for: as typed, and as the store takes it.
type auditFilter struct {
	store.AuditFilter
	typed  templates.AuditFilter
	open   string
	faults []ledger.FieldError
}

// readAuditFilter reads the address of the audit log. A cursor that is none is the newest page.
func readAuditFilter(query url.Values) auditFilter {
	text := func(name string) string { return strings.TrimSpace(query.Get(name)) }
	record := func(name string) string {
		id, err := uuid.Parse(query.Get(name))
		if err != nil {
			return ""
		}
		return id.String()
	}
	f := auditFilter{open: record("open"), typed: templates.AuditFilter{
		Query: text("q"), Actor: text("actor"), Action: text("action"), Outcome: text("outcome"), From: text("from"), To: text("to"),
		Before: record("before"), After: record("after"),
	}}
	if f.typed.Before != "" {
		f.typed.After = ""
	}
	f.AuditFilter = store.AuditFilter{
		Actor: f.typed.Actor, Action: f.typed.Action, Outcome: store.Outcome(f.typed.Outcome), Text: numbersAsRecorded(f.typed.Query),
		From: readDate(f.typed.From, "from", &f.faults), To: readDate(f.typed.To, "to", &f.faults),
		Before: f.typed.Before, After: f.typed.After, Limit: recordsShown,
	}
	inOrderOfDays(f.From, f.To, &f.faults)
	if f.Action != "" && !slices.ContainsFunc(auditActions, func(a auditAction) bool { return a.name == f.Action }) {
		f.faults = append(f.faults, ledger.FieldError{Field: "action", Detail: quoted(f.Action) + " is no action of the audit log"})
	}
	if !slices.Contains([]store.Outcome{"", store.Done, store.Refused, store.Failed}, f.Outcome) {
		f.faults = append(f.faults, ledger.FieldError{Field: "outcome", Detail: quoted(f.typed.Outcome) + " is no result: choose done, refused or failed"})
	}
	return f
}

// numbersAsRecorded finds an entry that is typed as pages show it: #1,163 is recorded as 1163.
func numbersAsRecorded(text string) string {
	words := strings.Fields(text)
	for i, word := range words {
		if number, ok := strings.CutPrefix(word, "#"); ok {
			words[i] = strings.ReplaceAll(number, ",", "")
		}
	}
	return strings.Join(words, " ")
}

// inOrderOfDays notes a filter whose first day comes after its last: it cannot find anything.
func inOrderOfDays(from, to ledger.Date, faults *[]ledger.FieldError) {
	if !from.IsZero() && !to.IsZero() && from.After(to) {
		*faults = append(*faults, ledger.FieldError{Field: "from", Detail: "This day is after the last one, " + to.String()})
	}
}

func (s *server) showAudit(c echo.Context, actor store.Actor) error {
	if err := actor.Need(store.RightAudit); err != nil {
		return err
	}
	shell, err := s.shell(c, actor, heading{title: "Audit", page: templates.PageAudit})
	if err != nil {
		return err
	}
	f := readAuditFilter(c.QueryParams())
	view := templates.Audit{Shell: shell, Filter: f.typed, Actions: auditChoices(), Open: f.open, Errors: f.faults}
	if len(f.faults) > 0 {
		return render(c, http.StatusUnprocessableEntity, templates.AuditPage(view))
	}
	page, err := s.Store.AuditLog(c.Request().Context(), actor, f.AuditFilter)
	if err != nil {
		return err
	}
	view.Total, view.Refused, view.Failed = page.Total, page.Refused, page.Failed
	for _, record := range page.Records {
		view.Rows = append(view.Rows, auditRow(shell, record))
	}
	view.Newer, view.Older = f.around(page)
	return render(c, http.StatusOK, templates.AuditPage(view))
}

// around gives the cursors of the pages before and after a page.
func (f auditFilter) around(page store.AuditPage) (newer, older string) {
	if len(page.Records) == 0 {
		return "", ""
	}
	if f.Before != "" || f.After != "" && page.More {
		newer = page.Records[0].ID
	}
	if f.After != "" || page.More {
		older = page.Records[len(page.Records)-1].ID
	}
	return newer, older
}

func auditRow(shell templates.Shell, r store.AuditRecord) templates.AuditRow {
	row := templates.AuditRow{
		ID: r.ID, At: r.At, Who: auditWho(r), Action: auditActionText(r.Action), Object: auditObject(shell, r), Detail: auditDetail(shell.Format, r),
		Outcome: templates.AuditOutcome(r.Outcome), Address: r.Address,
	}
	add := func(name, text string, mono bool) {
		if text != "" {
			row.Facts = append(row.Facts, ui.Fact{Name: name, Text: text, Mono: mono, Copy: mono})
		}
	}
	add("E-mail", r.Email, false)
	add("Action", r.Action, false)
	add("Object", r.Object, false)
	for _, fact := range auditFacts(r) {
		add(fact.name, fact.text, false)
	}
	add("Request", r.Request, true)
	add("Record", r.ID, true)
	return row
}

func auditWho(r store.AuditRecord) string {
	switch {
	case r.Name != "":
		return r.Name
	case r.Email == store.Operator:
		return "Operator, by command"
	case r.Email == "":
		return "Nobody signed in"
	}
	return r.Email
}

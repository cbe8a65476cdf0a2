package web

import (
	"encoding/json"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"daybook/store"
	"daybook/store/ledger"
	"daybook/templates"
	"daybook/templates/ui"
)

// auditAction is what the audit log calls an action, and what people do.
type auditAction struct{ name, text string }

// auditActions are all that are recorded, in the order in which they are offered.
var auditActions = []auditAction{
	{"sign-in", "Sign in"},
	{"entry.post", "Post entry"}, {"reversal.request", "Request reversal"},
	{"reversal.approved", "Approve"}, {"reversal.rejected", "Reject"}, {"reversal.recalled", "Recall"},
	{"statement.upload", "Upload statement"}, {"statement.settings", "Settle how a file is read"}, {"statement.discard", "Discard file"}, {"statement.undo", "Undo import"}, {"job.add", "Store by a job"}, {"job.cancel", "Call a job off"}, {"profile.save", "Save profile"}, {"reconciliation.match", "Match again"},
	{"reconciliation.submitted", "Submit for sign-off"}, {"reconciliation.signed_off", "Sign off"}, {"reconciliation.reopened", "Reopen reconciliation"},
	{"break.work", "Work on breaks"}, {"break.resolved", "Resolve break"}, {"break.reopened", "Reopen break"}, {"break.assigned", "Assign break"}, {"break.commented", "Comment break"}, {"break.attached", "Attach file to break"},
	{"match.made", "Match by hand"}, {"match.unmatched", "Take match apart"}, {"match.reduced", "Take part of a match out"},
	{"adjustment.request", "Ask for adjusting entry"}, {"adjustment.approved", "Approve adjusting entry"}, {"adjustment.rejected", "Reject adjusting entry"},
	{"adjustment.recalled", "Recall adjusting entry"}, {"book.adjustment-limit", "Change limit of adjusting entries"},
	{"account.open", "Open account"}, {"account.rename", "Rename account"}, {"account.close", "Close account"}, {"account.reopen", "Reopen account"},
	{"account.no-negative", "Set never below zero"}, {"account.rules", "Change matching rules"},
	{"account.reconcile-from", "Change from when it is held against statements"}, {"reconciliation.booked", "Book what the rules allow"}, {"book.open", "Open book"},
	{"user.add", "Add person"}, {"user.password", "Change password"}, {"preferences.change", "Change preferences"}, {"user.disable", "Disable person"}, {"user.enable", "Enable person"},
	{"user.invite", "Invite person"}, {"role-change.request", "Request role change"}, {"role-change.made", "Change roles"},
	{"role-change.approved", "Approve role change"}, {"role-change.rejected", "Reject role change"}, {"role-change.recalled", "Recall role change"},
	{"period-close.request", "Ask to close period"}, {"period-close.approved", "Close period"}, {"period-close.rejected", "Reject closing of period"},
	{"period-close.recalled", "Recall closing of period"}, {"period-reopen.request", "Ask to reopen period"}, {"period-reopen.approved", "Reopen period"},
	{"period-reopen.rejected", "Reject reopening of period"}, {"period-reopen.recalled", "Recall reopening of period"},
	{"role.grant", "Grant role"}, {"role.revoke", "Revoke role"}, {"token.add", "Add token"}, {"token.revoke", "Revoke token"},
	{"payment.request", "Ask for payment"}, {"payment.authorize", "Authorize payment"}, {"payment.capture", "Capture payment"}, {"payment.refund", "Refund payment"},
	{"payment.void", "Void payment"}, {"payment.settle", "Say what the gateway did"},
	{"payment.settings", "Change accounts of payments"}, {"refund.request", "Ask for refund"}, {"refund.approved", "Approve refund"}, {"refund.rejected", "Reject refund"},
	{"refund.recalled", "Recall refund"},
	{"inbox.receive", "Deliver message"}, {"inbox.retry", "Retry message"}, {"inbox.dismiss", "Set message aside"},
	{"key.release", "Release key"}, {"drill.run", "Run drill"}, {"key.retention", "Change how long keys are kept"}, {"totals.rebuild", "Rebuild totals"},
}

// refusedActions are recorded only where they are refused: the filter does not offer them.
var refusedActions = []auditAction{
	{"payment.recover", "Ask the gateway again"}, {"simulator.set", "Set the simulator"}, {"simulator.payout", "Have the simulator pay out"}, {"inbox.upload", "Upload messages"},
}

func auditChoices() []ui.Option {
	choices := []ui.Option{{Text: "Any"}}
	for _, a := range auditActions {
		choices = append(choices, ui.Option{Value: a.name, Text: a.text})
	}
	return choices
}

func auditActionText(name string) string {
	for _, a := range slices.Concat(auditActions, refusedActions) {
		if a.name == name {
			return a.text
		}
	}
	if name == "" {
		return "Send a form"
	}
	return name
}

var (
	numberedObject = regexp.MustCompile(`^(entry|request|break|reconciliation|statement|payment) (\d+)$`)
	numberedPath   = regexp.MustCompile(`^(?:/api/v1/books|/b)/[^/]+/(journal|entries|approvals|breaks|reconciliations|statements|payments)/(\d+)(?:/|$)`)
	periodObject   = regexp.MustCompile(`^(?:period |(?:/api/v1/books|/b)/[^/]+/periods/)(\d{4}-\d{2})(?:/|$)`)
	accountPath    = regexp.MustCompile(`^(?:/api/v1/books|/b)/[^/]+/accounts/([^/]+)/`)
	newPath        = regexp.MustCompile(`^(?:/api/v1/books|/b)/[^/]+/(journal|entries|statements|accounts|payments|new-account)(?:/new)?$`)
)

// objectOfRoom names what is in a room of the book; newOf what is sent to the room itself.
var (
	objectOfRoom = map[string]string{
		"journal": "entry", "entries": "entry", "approvals": "request", "breaks": "break", "reconciliations": "reconciliation", "statements": "statement",
		"payments": "payment",
	}
	newOf = map[string]string{"journal": "New entry", "entries": "New entry", "statements": "New statement", "accounts": "New account", "payments": "New payment", "new-account": "New account"}
)

// auditObject names what was acted on and leads there. What was done has it in words, what was refused as the address that was sent to.
func auditObject(shell templates.Shell, r store.AuditRecord) ui.Link {
	if found := numberedObject.FindStringSubmatch(r.Object); found != nil {
		return numberedLink(shell, found[1], found[2], r.Reconciliation)
	}
	if found := numberedPath.FindStringSubmatch(r.Object); found != nil {
		return numberedLink(shell, objectOfRoom[found[1]], found[2], 0)
	}
	if found := newPath.FindStringSubmatch(r.Object); found != nil {
		return ui.Link{Text: newOf[found[1]]}
	}
	if found := accountPath.FindStringSubmatch(r.Object); found != nil {
		return ui.Link{Text: "Account " + found[1], Href: shell.Book.AccountURL(found[1])}
	}
	if found := periodObject.FindStringSubmatch(r.Object); found != nil {
		return ui.Link{Text: "Period " + found[1], Href: shell.Book.URL("periods", found[1])}
	}
	if code, ok := strings.CutPrefix(r.Object, "account "); ok {
		return ui.Link{Text: "Account " + code, Href: shell.Book.AccountURL(code)}
	}
	if r.ObjectName != "" {
		return ui.Link{Text: r.ObjectName}
	}
	if email, ok := strings.CutPrefix(r.Object, "user "); ok {
		return ui.Link{Text: email}
	}
	return ui.Link{Text: sentence(r.Object)}
}

func numberedLink(shell templates.Shell, kind, number string, reconciliation int64) ui.Link {
	n, err := strconv.ParseInt(number, 10, 64)
	if err != nil {
		return ui.Link{Text: sentence(kind) + " " + number}
	}
	link := ui.Link{Text: sentence(kind) + " " + shell.Format.Number(int(n))}
	switch {
	case kind == "entry":
		link = ui.Link{Text: "Entry " + shell.Format.Seq(n), Href: shell.Book.EntryURL(n)}
	case kind == "request":
		link.Href = shell.Book.RequestURL(n)
	case kind == "payment":
		link = ui.Link{Text: "Payment " + templates.NameOfPayment(n), Href: shell.Book.PaymentURL(n)}
	case kind == "break":
		link.Href = shell.Book.BreakURL(n)
	case kind == "reconciliation":
		link.Href = shell.Book.ReconciliationURL(n)
	case reconciliation > 0:
		link.Href = shell.Book.ReconciliationURL(reconciliation)
	}
	return link
}

// auditFact is one of the details of a record.
type auditFact struct{ name, text string }

// detailNames are the details as people call them, in the order in which they are told.
var detailNames = []auditFact{
	{"entry", "Entry"}, {"approval_id", "Request"}, {"match_id", "Match"}, {"account", "Account"}, {"file", "File"}, {"sha256", "SHA-256"}, {"resolution", "Resolution"},
	{"reason_code", "Reason code"}, {"role", "Role"}, {"user", "Acts as"}, {"name", "Name"}, {"person", "Person"}, {"before", "Before"}, {"after", "After"},
	{"reason", "Because"}, {"at_once", "At once"}, {"one_time", "One-time password"}, {"tokens_ended", "Tokens ended"}, {"chosen", "Chosen"}, {"kind", "Refused as"}, {"message", "Reason"},
}

// auditFacts are the details of a record. Why something broke on our side is for the operator's log, not for a page.
func auditFacts(r store.AuditRecord) []auditFact {
	left, facts := maps.Clone(r.Detail), []auditFact(nil)
	switch r.Outcome {
	case store.Failed:
		delete(left, "message")
	case store.Refused:
		left["message"] = auditReason(r)
	}
	for _, detail := range detailNames {
		if value, ok := left[detail.name]; ok {
			facts = append(facts, auditFact{detail.text, detailText(value)})
			delete(left, detail.name)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(left)) {
		facts = append(facts, auditFact{name, detailText(left[name])})
	}
	return facts
}

func detailText(value any) string {
	switch v := value.(type) {
	case string:
		return v
	case float64:
		return strconv.FormatFloat(v, 'f', -1, 64)
	}
	text, err := json.Marshal(value)
	if err != nil {
		return fmt.Sprint(value)
	}
	return string(text)
}

// auditReason is why something was refused, without the kind that stands before it on record.
func auditReason(r store.AuditRecord) string {
	message := detailText(r.Detail["message"])
	if _, reason, ok := strings.Cut(message, detailText(r.Detail["kind"])+": "); ok {
		message = reason
	}
	return sentence(message)
}

// auditDetail says in one line what was done, or why it was refused.
func auditDetail(f ui.Format, r store.AuditRecord) string {
	switch r.Outcome {
	case store.Refused:
		return auditReason(r)
	case store.Failed:
		return "Something broke on our side. The server's log has it under the request."
	}
	var parts []string
	for _, fact := range auditFacts(r) {
		if fact.text == "" || fact.name == "SHA-256" {
			continue
		}
		if fact.name == "Entry" {
			fact.text = "#" + ledger.GroupDigits(fact.text)
		}
		parts = append(parts, fact.name+" "+fact.text)
	}
	return strings.Join(parts, ", ")
}

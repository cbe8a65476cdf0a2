package api

import (
	"strings"
	"time"

	"github.com/labstack/echo/v4"

	"daybook/store"
	"daybook/store/gateway"
	"daybook/store/inbox"
)

// Config is what the API is made of. WaitLimit bounds how long a command waits for others. Refused is told of what is refused within a request
// that is answered in order all the same.
type Config struct {
	Store     *store.Store
	WaitLimit time.Duration
	// Webhooks read what gateways send by themselves, by the name in the address.
	Webhooks map[string]inbox.Webhook
	Refused  func(c echo.Context, err error)
	// Stopping is closed when the server is to stop; nil is never.
	Stopping <-chan struct{}
}

// batchPath is the end of the address that takes and gives a stream.
const batchPath = "/entries/batch"

// Streams reports whether a route takes as long, and as much, as its client has to say.
func Streams(path string) bool { return Owns(path) && strings.HasSuffix(path, batchPath) }

// inboxPath and webhookPath are the ends of the addresses that take messages.
const (
	inboxPath   = "/inbox"
	webhookPath = "/webhooks/:gateway"
)

// TakesMessage reports whether a route takes messages of other systems, which may be as large as inbox.MaxBytes.
func TakesMessage(path string) bool {
	return Owns(path) && (strings.HasSuffix(path, inboxPath) || strings.HasSuffix(path, webhookPath))
}

// Owns reports whether a path is the API's, so that its errors are for programs.
func Owns(path string) bool { return path == "/api" || strings.HasPrefix(path, "/api/") }

// ActorKey is where a request's echo.Context keeps the store.Actor that it acts as, once that is known.
const ActorKey = "actor"

// ActionKey is where a request keeps what the audit log calls it, where that is not the name of its route.
const ActionKey = "action"

// Routes adds the API. The name of a command is what the audit log calls it.
func Routes(e *echo.Echo, config Config) {
	a := &api{Config: config}
	book := "/api/v1/books/:book"
	e.GET("/api/v1/openapi.yaml", showDocument)
	show := func(path string, h handler) { e.GET(book+path, a.reading(h)) }
	command := func(path, name string, h handler) {
		e.POST(book+path, a.authenticated(h), Within(config.WaitLimit)).Name = name
	}

	show("/entries", a.listEntries)
	show("/entries/:seq", a.showEntry)
	e.POST(book+"/entries", a.posting(a.postEntry), Within(config.WaitLimit)).Name = "entry.post"
	e.POST(book+batchPath, a.authenticated(a.postBatch)).Name = "entry.post"
	command("/entries/:seq/reversal-requests", "reversal.request", a.requestReversal)

	show("/accounts", a.listAccounts)
	show("/accounts/:code", a.showAccount)
	show("/accounts/:code/postings", a.listAccountPostings)
	command("/accounts", "account.open", a.openAccount)

	show("/accounts/:code/rules", a.showAccountRules)
	set := func(path, name string, h handler) {
		e.PUT(book+path, a.authenticated(h), Within(config.WaitLimit)).Name = name
	}
	set("/accounts/:code/rules", "account.rules", a.setAccountRules)
	show("/adjustment-limit", a.showAdjustmentLimit)
	set("/adjustment-limit", "book.adjustment-limit", a.setAdjustmentLimit)

	show("/balances", a.showBalances)
	show("/periods", a.listPeriods)
	command("/periods/:period/close", "period-close.request", a.requestPeriodChange(a.Store.RequestPeriodClose))
	command("/periods/:period/reopen", "period-reopen.request", a.requestPeriodChange(a.Store.RequestPeriodReopen))
	show("/seal", a.showSeal)
	show("/export.ndjson", a.exportBook)

	show("/approvals", a.listApprovals)
	show("/approvals/:id", a.showApproval)
	command("/approvals/:id/approve", "reversal.approved", a.decide(store.Approved))
	command("/approvals/:id/reject", "reversal.rejected", a.decide(store.Rejected))
	command("/approvals/:id/recall", "reversal.recalled", a.decide(store.Recalled))

	show("/reconciliations/:id", a.showReconciliation)
	show("/reconciliations/:id/matches", a.listMatches)
	show("/reconciliations/:id/breaks", a.listBreaks)
	// All that was matched is read and hashed: with many lines that takes its time.
	step := func(path, name string, h handler) {
		e.POST(book+"/reconciliations/:id"+path, a.authenticated(h)).Name = name
	}
	step("/submit", "reconciliation.submitted", a.submitReconciliation())
	step("/sign-off", "reconciliation.signed_off", a.signOff())
	step("/reopen", "reconciliation.reopened", a.reopenReconciliation())
	show("/breaks/:id", a.showBreak)
	command("/breaks/:id/resolve", "break.resolved", a.resolveBreak)
	command("/breaks/:id/reopen", "break.reopened", a.reopenBreak)
	command("/breaks/:id/assign", "break.assigned", a.assignBreak)
	command("/breaks/:id/comment", "break.commented", a.commentBreak)
	show("/breaks/:id/attachments", a.listAttachments)
	command("/breaks/:id/attachments", "break.attached", a.attachToBreak)
	show("/breaks/:id/attachments/:attachment", a.showAttachment)
	command("/reconciliations/:id/matches", "match.made", a.makeMatch)
	command("/matches/:id/unmatch", "match.unmatched", a.unmatch)
	show("/payments", a.listPayments)
	show("/payments/:id", a.showPayment)
	show("/payment-settings", a.listPaymentSettings)
	set("/payment-settings", "payment.settings", a.setPaymentSettings)
	show("/payouts", a.listPayouts)
	show("/payouts/:id", a.showPayout)
	command("/payments", "payment.request", a.requestPayment)
	for _, asked := range gateway.Commands {
		command("/payments/:id/"+string(asked), "payment."+string(asked), a.commandPayment(asked))
	}
	command("/payments/:id/recover", "payment.recover", a.recoverPayment)
	command("/payments/:id/settle", "payment.settle", a.settlePayment)
	show(inboxPath, a.listMessages)
	show("/inbox/:source/:message", a.showMessage)
	command(inboxPath, "inbox.receive", a.receive)
	command("/inbox/:source/:message/retry", "inbox.retry", a.retryMessage)
	command("/inbox/:source/:message/dismiss", "inbox.dismiss", a.dismissMessage)
	e.POST(book+webhookPath, a.receiveWebhook, Within(config.WaitLimit)).Name = "inbox.receive"
	show("/jobs/:id", a.showJob)
	command("/jobs/:id/cancel", "job.cancel", a.cancelJob)
	// Reading and matching a large file takes longer than anyone should wait for others.
	e.POST(book+"/statements", a.authenticated(a.uploadStatement)).Name = "statement.upload"
	e.POST(book+"/statements/:id/undo", a.authenticated(a.undoStatement)).Name = "statement.undo"
}

type api struct{ Config }

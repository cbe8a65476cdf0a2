package web

import (
	"net/http"

	"github.com/labstack/echo/v4"

	"daybook/static"
	"daybook/store"
	"daybook/web/api"
)

// routes lists every address. Those of the API are listed in api.Routes. The last argument of a command is what the
// audit log calls it.
func (s *server) routes(e *echo.Echo) {
	e.Match(reading, "/healthz", s.showHealth)
	e.Match(reading, "/readyz", s.showReadiness)
	e.Match(reading, "/metrics", s.showMetrics)
	e.Match(reading, "/static/*", echo.WrapHandler(static.Handler()))

	e.Match(reading, "/", s.showStart)
	e.Match(reading, "/login", s.showLogin)
	e.POST("/login", s.logIn).Name = "sign-in"
	e.POST("/logout", s.logOut).Name = "sign-out"
	e.Match(reading, passwordPath, s.showChoosePassword)
	e.POST(passwordPath, s.choosePassword).Name = "user.password"

	book := "/b/:book"
	show := func(path string, h actorHandler) { e.Match(reading, book+path, s.inBook(h)) }
	command := func(path, name string, h actorHandler) {
		e.POST(book+path, s.inBook(h), api.Within(s.WaitLimit)).Name = name
	}
	// A file takes its time, to arrive and to be matched; only requestLimit bounds that.
	long := func(path, name string, h actorHandler) { e.POST(book+path, s.inBook(h)).Name = name }
	show("", s.showOverview)
	show("/balances", s.showBalances)
	show("/balances.csv", s.exportBalances)
	show("/accounts", s.showAccounts)
	// A code may be any word, so what is no account stands elsewhere.
	show("/new-account", keyed(s.showNewAccount))
	command("/new-account", "account.open", s.openAccount)
	show("/accounts/:code", s.showAccount)
	show("/accounts/:code/statement.csv", s.exportAccount)
	show("/accounts/:code/settings", keyed(s.showAccountSettings))
	command("/accounts/:code/rename", "account.rename", s.changeAccount(s.renameAccount))
	command("/accounts/:code/close", "account.close", s.changeAccount(s.closeAccount))
	command("/accounts/:code/reopen", "account.reopen", s.changeAccount(s.reopenAccount))
	command("/accounts/:code/no-negative", "account.no-negative", s.changeAccount(s.setNoNegative))
	long("/accounts/:code/reconcile-from", "account.reconcile-from", s.changeAccount(s.setReconcileFrom))
	show("/accounts/:code/rules", keyed(s.showAccountRules))
	long("/accounts/:code/rules", "account.rules", s.setAccountRules)
	show("/periods", s.showPeriods)
	show("/periods/:period", keyed(s.showPeriod))
	command("/periods/:period/close", "period-close.request", s.requestPeriodChange(store.KindPeriodClose))
	command("/periods/:period/reopen", "period-reopen.request", s.requestPeriodChange(store.KindPeriodReopen))
	show("/journal", s.showJournal)
	show("/journal.csv", s.exportJournal)
	show("/journal/new", keyed(s.showNewEntry))
	command("/journal/new", "entry.post", s.postEntry)
	show("/journal/:seq", s.showEntry)
	show("/journal/:seq/reverse", keyed(s.showReverse))
	command("/journal/:seq/reverse", "reversal.request", s.requestReversal)
	show("/approvals", s.showApprovals)
	command("/approvals/:id/approve", "reversal.approved", s.decide(store.Approved))
	command("/approvals/:id/reject", "reversal.rejected", s.decide(store.Rejected))
	command("/approvals/:id/recall", "reversal.recalled", s.decide(store.Recalled))
	show("/payments", s.showPayments)
	show("/payments.csv", s.exportPayments)
	show("/payments/new", keyed(s.showNewPayment))
	command("/payments/new", "payment.request", s.requestPayment)
	show("/payments/settings", s.showPaymentSettings)
	command("/payments/settings", "payment.settings", s.setPaymentSettings)
	show("/payments/simulator", s.showSimulator)
	command("/payments/simulator", "simulator.set", s.setFaults)
	command("/payments/simulator/payout", "simulator.payout", s.payOut)
	show("/payments/payouts", s.showPayouts)
	show("/payments/payouts/:id", s.showPayout)
	show("/payments/payouts/:id/items.csv", s.exportPayout)
	show("/payments/:id", s.showPayment)
	for _, work := range s.paymentWorks() {
		show("/payments/:id/"+work.do, keyed(s.showPaymentForm(work.do)))
		command("/payments/:id/"+work.do, "payment."+work.do, s.workOnPayment(work))
	}
	show("/inbox", s.showInbox)
	command("/inbox/retry", "inbox.retry", s.workOnMessage(s.retryMessage))
	long("/inbox/retry-all", "inbox.retry", s.retryMessages)
	command("/inbox/dismiss", "inbox.dismiss", s.workOnMessage(s.dismissMessage))
	show("/inbox/upload", keyed(s.showInboxUpload))
	long("/inbox/upload", "inbox.upload", s.uploadMessages)
	show("/keys", s.showKeys)
	show("/keys/drill", keyed(s.showDrill))
	long("/keys/drill", "drill.run", s.runDrill)
	command("/keys/release", "key.release", s.releaseKey)
	command("/keys/retention", "key.retention", s.setKeyRetention)
	show("/audit", s.showAudit)
	show("/statements", s.showStatements)
	show("/statements/new", keyed(s.showUpload))
	long("/statements/new", "statement.upload", s.uploadStatement)
	show("/statements/:id/rows.csv", s.downloadStatementRows)
	show("/statements/:id/undo", keyed(s.showStatementUndo))
	long("/statements/:id/undo", "statement.undo", s.undoStatement)
	show("/statements/drafts/:id", s.inDraft(s.showDraft))
	long("/statements/drafts/:id", "statement.settings", s.inDraft(s.changeDraft))
	show("/statements/drafts/:id/rows.csv", s.inDraft(s.downloadDraftRows))
	long("/statements/drafts/:id/confirm", "statement.upload", s.inDraft(s.confirmDraft))
	command("/statements/drafts/:id/discard", "statement.discard", s.inDraft(s.discardDraft))
	show("/jobs/:id", s.showJob)
	show("/jobs/:id/events", s.followJob)
	command("/jobs/:id/cancel", "job.cancel", s.cancelJob)
	show("/reconciliations/:id", s.showReconciliation)
	long("/reconciliations/:id/match", "reconciliation.match", s.runMatching)
	show("/reconciliations/:id/breaks.csv", s.exportBreaks)
	long("/reconciliations/:id/breaks", "break.work", s.workOnBreaks)
	command("/reconciliations/:id/unmatch", "match.unmatched", s.unmatch)
	long("/reconciliations/:id/undo", "break.reopened", s.undoWork)
	show("/reconciliations/:id/statement", keyed(s.showReconciliationStatement))
	show("/reconciliations/:id/statement.pdf", s.sendReconciliationStatement("pdf", "application/pdf"))
	show("/reconciliations/:id/statement.xlsx", s.sendReconciliationStatement("xlsx", "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"))
	long("/reconciliations/:id/submit", "reconciliation.submitted", s.submitReconciliation)
	long("/reconciliations/:id/sign-off", "reconciliation.signed_off", s.signOff)
	long("/reconciliations/:id/reopen", "reconciliation.reopened", s.reopenReconciliation)
	show("/breaks/:id", s.showBreak)
	command("/breaks/:id/resolve", "break.resolved", s.resolveBreak)
	command("/breaks/:id/reopen", "break.reopened", s.reopenBreak)
	command("/breaks/:id/match", "match.made", s.matchBreak)
	command("/breaks/:id/assign", "break.assigned", s.assignBreak)
	command("/breaks/:id/comment", "break.commented", s.commentBreak)
	command("/breaks/:id/attachments", "break.attached", s.attachToBreak)
	show("/breaks/:id/attachments/:attachment", s.sendAttachment)

	if s.Gallery {
		galleryRoutes(e)
	}
	setting := func(path, name string, h actorHandler) {
		e.POST("/settings"+path, s.inSettings(h), api.Within(s.WaitLimit)).Name = name
	}
	e.Match(reading, "/settings/users", s.inSettings(s.showUsers))
	e.Match(reading, "/settings/users/new", s.inSettings(keyed(s.showInvite)))
	setting("/users/new", "user.invite", s.inviteUser)
	e.Match(reading, "/settings/users/:id", s.inSettings(keyed(s.showUser)))
	setting("/users/:id/roles", "role-change.request", s.changeRoles)
	setting("/users/:id/disable", "user.disable", s.disableUser)
	setting("/users/:id/enable", "user.enable", s.enableUser)
	setting("/users/:id/password", "user.password", s.resetPassword)
	e.Match(reading, "/settings/tokens", s.inSettings(s.showTokens))
	e.Match(reading, "/settings/tokens/new", s.inSettings(keyed(s.showNewToken)))
	setting("/tokens/new", "token.add", s.makeToken)
	setting("/tokens/:id/revoke", "token.revoke", s.revokeToken)
	e.Match(reading, "/settings/books", s.inSettings(s.showBooks))
	setting("/books/adjustment-limit", "book.adjustment-limit", s.setAdjustmentLimit)
	e.Match(reading, "/settings/profile", s.inSettings(s.showProfile))
	e.POST("/settings/profile", s.inSettings(s.savePreferences), api.Within(s.WaitLimit)).Name = "preferences.change"
	e.POST("/settings/profile/theme", s.inSettings(s.saveTheme), api.Within(s.WaitLimit)).Name = "preferences.change"
	e.POST("/settings/profile/password", s.inSettings(s.changePassword), api.Within(s.WaitLimit)).Name = "user.password"

	api.Routes(e, api.Config{Store: s.Store, WaitLimit: s.WaitLimit, Webhooks: s.Webhooks, Refused: s.recordRefusal, Stopping: s.Stopping})
}

// reading are the methods of an address that only shows: Echo does not answer HEAD by itself.
var reading = []string{http.MethodGet, http.MethodHead}

// showHealth says that the process runs, whatever the state of the database.
func (s *server) showHealth(c echo.Context) error {
	return c.String(http.StatusOK, "ok\n")
}

// showReadiness says whether requests can be served: the database answers.
func (s *server) showReadiness(c echo.Context) error {
	if err := s.Store.Ping(c.Request().Context()); err != nil {
		s.Log.Warn("not ready", "error", err)
		return c.String(http.StatusServiceUnavailable, "the database does not answer\n")
	}
	return c.String(http.StatusOK, "ok\n")
}

package gallery

import (
	"slices"
	"strings"
	"testing"

	"github.com/a-h/templ"

	"daybook/templates"
)

func TestEveryFormThatPostsOnceCarriesItsKey(t *testing.T) {
	t.Parallel()
	for _, s := range slices.Concat(reverseScreens(), approvalsScreens(), statementsScreens(), uploadScreens(), reconciliationScreens(), reconciliationStatementScreens(), breakScreens(),
		paymentScreens(), paymentSettingsScreens(), inboxScreens()) {
		html := render(t, s.Page)
		// Signing out needs none, nor does matching again: done twice, each does once.
		posts := strings.Count(html, `method="post"`) - 1 - strings.Count(html, `/match" class`)
		if keys := strings.Count(html, `name="form" value="form-`); keys != posts {
			t.Errorf("%s has %d forms and %d keys", s.Name, posts, keys)
		}
	}
}

func TestTextFromOutsideIsShownAsText(t *testing.T) {
	t.Parallel()
	const hostile = `"><script>alert(1)</script>`
	j := journal()
	j.Filter.Query, j.Rows[0].Description, j.Rows[0].TxID = hostile, hostile, hostile
	e := refusedEntry()
	e.TxID, e.Lines[0].Debit, e.Message = hostile, hostile, hostile
	r := reconciliation()
	r.FileName, r.Groups[0].Rows[0].Bank[0].Description, r.Groups[0].Rows[0].Why = hostile, hostile, hostile
	u := uploadRefused()
	u.Refusal.FileName, u.Refusal.Detail, u.Refusal.Raw = hostile, hostile, hostile
	d := draftOf(templates.RowsRejected)
	d.File.Name, d.Rows.Others[0].Raw, d.Raw.Rows[0].Cells, d.Columns.Fields[0].Options[0].Text, d.Keep.Name = hostile, hostile, []string{hostile}, hostile, hostile
	b := breakPage()
	b.Bank[0].Raw, b.Events[1].Note = hostile, hostile
	v := reversalRefused()
	v.Reason, v.Replacement.TxID = hostile, hostile
	p := paymentPage(unknownPayment())
	p.Customer, p.Reference, p.Call.Why, p.Calls[0].Key, p.GatewayKey = hostile, hostile, hostile, hostile, hostile
	i := inbox()
	i.Rows[0].Source, i.Rows[0].ID, i.Rows[0].Reason, i.Open.ID, i.Open.Data, i.Filter.Query = hostile, hostile, hostile, hostile, hostile, hostile
	a := approvals()
	a.Queue[0].Reason, a.Detail.Reason = hostile, hostile
	for _, page := range []templ.Component{
		templates.JournalPage(j), templates.NewEntryPage(e), templates.LoginPage(templates.Login{Email: hostile, Next: hostile, Error: hostile}),
		templates.ReconciliationPage(r), templates.UploadPage(u), templates.DraftPage(d), templates.BreakPage(b), templates.ReversePage(v), templates.ApprovalsPage(a),
		templates.PaymentPage(p), templates.InboxPage(i),
	} {
		if strings.Contains(render(t, page), "<script>alert") {
			t.Error("markup from outside reached the page")
		}
	}
}

func TestLoginShowsNothingOfTheBooks(t *testing.T) {
	t.Parallel()
	html := render(t, templates.LoginPage(templates.Login{}))
	if strings.Contains(html, "/b/") || strings.Contains(html, "EUR") {
		t.Error("the sign-in page tells something of a book")
	}
}

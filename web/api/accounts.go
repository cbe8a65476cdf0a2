package api

import (
	"fmt"
	"net/http"

	"github.com/labstack/echo/v4"

	"daybook/store"
	"daybook/store/ledger"
)

type account struct {
	Code          string  `json:"code"`
	Name          string  `json:"name"`
	Type          string  `json:"type"`
	Currency      string  `json:"currency"`
	NoNegative    bool    `json:"no_negative"`
	ReconcileFrom *string `json:"reconcile_from"`
	Closed        bool    `json:"closed"`
}

func accountOf(a ledger.Account) account {
	return account{
		Code: a.Code, Name: a.Name, Type: string(a.Type), Currency: a.Currency, NoNegative: a.NoNegative,
		ReconcileFrom: textOrNull(a.ReconcileFrom.String()), Closed: a.Closed,
	}
}

func (a *api) openAccount(c echo.Context, actor store.Actor) error {
	if err := actor.Need(store.RightAccounts); err != nil {
		return err
	}
	key, err := optionalKey(c)
	if err != nil {
		return err
	}
	body, err := readObject(c)
	if err != nil {
		return err
	}
	wanted := ledger.Account{
		Code: body.Text("code"), Name: body.Text("name"), Type: ledger.AccountType(body.Text("type")), Currency: body.Text("currency"),
		NoNegative: body.Boolean("no_negative"), ReconcileFrom: body.Date("reconcile_from"),
	}
	if err := body.Err(); err != nil {
		return err
	}
	opened, duplicate, err := a.Store.OpenAccount(c.Request().Context(), actor, key, wanted)
	if err != nil {
		return err
	}
	return created(c, duplicate, struct {
		account
		Duplicate bool `json:"duplicate"`
	}{accountOf(opened), duplicate})
}

func (a *api) listAccounts(c echo.Context, actor store.Actor) error {
	query := queryOf(c)
	after, limit := query.text("after"), query.limit()
	if err := query.err(); err != nil {
		return err
	}
	accounts, more, err := a.Store.Accounts(c.Request().Context(), actor, after, limit)
	if err != nil {
		return err
	}
	return answer(c, http.StatusOK, listOf(accounts, more, accountOf, func(a ledger.Account) string { return a.Code }))
}

func (a *api) showAccount(c echo.Context, actor store.Actor) error {
	found, err := a.Store.Account(c.Request().Context(), actor, PathText(c, "code"))
	if err != nil {
		return err
	}
	return answer(c, http.StatusOK, accountOf(found))
}

type accountPosting struct {
	Seq         int64  `json:"seq"`
	Line        int    `json:"line"`
	TxID        string `json:"tx_id"`
	EffectiveOn string `json:"effective_on"`
	RecordedAt  string `json:"recorded_at"`
	Description string `json:"description"`
	Amount      int64  `json:"amount"`
	Currency    string `json:"currency"`
	Balance     int64  `json:"balance"`
}

func accountPostingOf(p store.AccountPosting) accountPosting {
	return accountPosting{
		Seq: p.Seq, Line: p.Line, TxID: p.TxID, EffectiveOn: p.EffectiveOn.String(), RecordedAt: ledger.FormatInstant(p.RecordedAt),
		Description: p.Description, Amount: p.AmountMinor, Currency: p.Currency, Balance: p.BalanceMinor,
	}
}

func (a *api) listAccountPostings(c echo.Context, actor store.Actor) error {
	query := queryOf(c)
	seq, line := query.afterPosting()
	limit := query.limit()
	if err := query.err(); err != nil {
		return err
	}
	postings, more, err := a.Store.AccountPostings(c.Request().Context(), actor, PathText(c, "code"), seq, line, limit)
	if err != nil {
		return err
	}
	return answer(c, http.StatusOK, listOf(postings, more, accountPostingOf, func(p store.AccountPosting) string { return fmt.Sprintf("%d-%d", p.Seq, p.Line) }))
}

// afterPosting is the cursor of a list of postings: "seq-line".
func (p *parameters) afterPosting() (seq int64, line int) {
	text := p.text("after")
	if text == "" {
		return 0, 0
	}
	if n, err := fmt.Sscanf(text, "%d-%d", &seq, &line); n != 2 || err != nil || fmt.Sprintf("%d-%d", seq, line) != text || seq < 0 || line > ledger.MaxPostings {
		p.fault.At("after", "%q is not a cursor: send the next of the page before", text)
	}
	return seq, line
}

package api

import (
	"math"
	"net/http"

	"github.com/labstack/echo/v4"

	"daybook/recon"
	"daybook/store"
)

type rulesVersion struct {
	Version          int      `json:"version"`
	WindowDays       int      `json:"window_days"`
	Prefixes         []string `json:"prefixes"`
	ToleranceMinor   int64    `json:"tolerance_minor"`
	ToleranceAccount *string  `json:"tolerance_account"`
	Fee              feeRule  `json:"fee"`
	StrictReferences bool     `json:"strict_references"`
	Note             string   `json:"note"`
	SetBy            *string  `json:"set_by"`
	SetAt            *string  `json:"set_at"`
}

type feeRule struct {
	Account    *string `json:"account"`
	FixedMinor int64   `json:"fixed_minor"`
	PerMille   int     `json:"per_mille"`
}

type accountRules struct {
	Account string `json:"account"`
	rulesVersion
	Versions []rulesVersion `json:"versions"`
}

func rulesVersionOf(v store.RulesVersion) rulesVersion {
	shown := rulesVersion{
		Version: v.Rules.Version, WindowDays: v.Rules.WindowDays, Prefixes: append([]string{}, v.Rules.Prefixes...), ToleranceMinor: v.Rules.ToleranceMinor,
		ToleranceAccount: textOrNull(v.Rules.ToleranceAccount), StrictReferences: v.Rules.StrictReferences, Note: v.Note, SetBy: textOrNull(v.By), SetAt: instantOrNull(v.At),
		Fee: feeRule{Account: textOrNull(v.Rules.Fee.Account), FixedMinor: v.Rules.Fee.FixedMinor, PerMille: v.Rules.Fee.PerMille},
	}
	return shown
}

func accountRulesOf(a store.AccountRules) accountRules {
	shown := accountRules{Account: a.Account.Code, rulesVersion: rulesVersionOf(a.Latest())}
	for _, v := range a.Versions {
		shown.Versions = append(shown.Versions, rulesVersionOf(v))
	}
	return shown
}

func (a *api) showAccountRules(c echo.Context, actor store.Actor) error {
	rules, err := a.Store.AccountRules(c.Request().Context(), actor, PathText(c, "code"))
	if err != nil {
		return err
	}
	return answer(c, http.StatusOK, accountRulesOf(rules))
}

func (a *api) setAccountRules(c echo.Context, actor store.Actor) error {
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
	seen := int(min(body.Number("version"), math.MaxInt32))
	rules, note := readRules(body), body.Text("note")
	if err := body.Err(); err != nil {
		return err
	}
	set, duplicate, err := a.Store.SetAccountRules(c.Request().Context(), actor, key, PathText(c, "code"), seen, rules, note)
	if err != nil {
		return err
	}
	return settled(c, http.StatusOK, duplicate, accountRulesOf(set))
}

func readRules(body *object) recon.Rules {
	rules := recon.Rules{
		WindowDays: int(min(body.Amount("window_days"), math.MaxInt32)), Prefixes: body.List("prefixes"), ToleranceMinor: body.AmountOrNone("tolerance_minor"),
		ToleranceAccount: body.Text("tolerance_account"), StrictReferences: body.Boolean("strict_references"),
	}
	if fee := body.Object("fee"); fee != nil {
		rules.Fee = recon.FeeRule{Account: fee.Text("account"), FixedMinor: fee.AmountOrNone("fixed_minor"), PerMille: int(min(fee.AmountOrNone("per_mille"), math.MaxInt32))}
	}
	return rules
}

type adjustmentLimit struct {
	LimitMinor int64  `json:"limit_minor"`
	Currency   string `json:"currency"`
}

func (a *api) showAdjustmentLimit(c echo.Context, actor store.Actor) error {
	limit, err := a.Store.AdjustmentLimit(c.Request().Context(), actor)
	if err != nil {
		return err
	}
	return answer(c, http.StatusOK, adjustmentLimit{limit, actor.Book.Currency})
}

func (a *api) setAdjustmentLimit(c echo.Context, actor store.Actor) error {
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
	limit := body.Amount("limit_minor")
	if err := body.Err(); err != nil {
		return err
	}
	if err := a.Store.SetAdjustmentLimit(c.Request().Context(), actor, key, limit); err != nil {
		return err
	}
	return a.showAdjustmentLimit(c, actor)
}

package web

import (
	"net/http"
	"strconv"
	"strings"

	"github.com/labstack/echo/v4"

	"daybook/recon"
	"daybook/store"
	"daybook/store/ledger"
	"daybook/templates"
	"daybook/templates/ui"
)

func (s *server) showAccountRules(c echo.Context, actor store.Actor) error {
	view, err := s.accountRulesView(c, actor, c.QueryParam("form"))
	if err != nil {
		return err
	}
	return render(c, http.StatusOK, templates.AccountRulesPage(view))
}

func (s *server) accountRulesView(c echo.Context, actor store.Actor, key string) (templates.AccountRulesView, error) {
	ctx := c.Request().Context()
	rules, err := s.Store.AccountRules(ctx, actor, accountCode(c))
	if err != nil {
		return templates.AccountRulesView{}, err
	}
	account := rules.Account
	shell, err := s.shell(c, actor, heading{title: "Rules of " + account.Code, page: templates.PageAccounts, crumbs: []ui.Link{
		{Text: "Accounts", Href: bookView(actor.Book).URL("accounts")},
		{Text: account.Code + " " + account.Name, Href: bookView(actor.Book).AccountURL(account.Code)}, {Text: "Rules"},
	}})
	if err != nil {
		return templates.AccountRulesView{}, err
	}
	view := templates.AccountRulesView{
		Shell: shell, Account: accountFacts(account), Rules: rules.Latest().Rules, Form: key, Foreign: account.Currency != actor.Book.Currency,
		MayChange: actor.Can(store.RightAccounts), Versions: rulesSteps(shell.Format, account.Currency, rules.Versions),
	}
	view.Typed = rulesTyped(shell.Format, account.Currency, view.Rules)
	if view.LimitMinor, err = s.Store.AdjustmentLimit(ctx, actor); err != nil || !view.MayChange {
		return view, err
	}
	choices, err := s.accountChoices(ctx, actor)
	for _, choice := range choices {
		if choice.Currency == account.Currency && choice.Code != account.Code {
			view.Accounts = append(view.Accounts, choice)
		}
	}
	return view, err
}

// setAccountRules saves rules as a new version or, where the button asks for that, says what they would change.
func (s *server) setAccountRules(c echo.Context, actor store.Actor) error {
	if err := actor.Need(store.RightAccounts); err != nil {
		return err
	}
	f, err := readKeyedForm(c)
	if err != nil {
		return err
	}
	view, err := s.accountRulesView(c, actor, f.key())
	if err != nil {
		return err
	}
	view.Typed = typedRules(f)
	typed := rulesForm{form: f, format: view.Format, currency: view.Account.Currency}
	rules := typed.rules()
	if refusal := f.refusal(); refusal != nil {
		return s.showRefusedRules(c, view, refusal)
	}
	ctx := c.Request().Context()
	if _, trying := f.pressed("try"); trying {
		trial, err := s.Store.TryAccountRules(ctx, actor, view.Account.Code, rules)
		if refusal, wrong := typedWrong(err); wrong {
			return s.showRefusedRules(c, view, refusal)
		}
		if err != nil {
			return err
		}
		view.Trial = trialView(trial)
		return render(c, http.StatusOK, templates.AccountRulesPage(view))
	}
	set, duplicate, err := s.Store.SetAccountRules(ctx, actor, f.key(), view.Account.Code, view.Typed.Seen, rules, f.text("note"))
	refusal, wrong := typedWrong(err)
	switch {
	case wrong || ledger.KindOf(err) == ledger.KindIllegalTransition:
		return s.showRefusedRules(c, view, refusal)
	case err != nil:
		return err
	}
	s.tell(c, rulesSaved(view, set, duplicate))
	return seeOther(c, bookView(actor.Book).RulesURL(view.Account.Code))
}

func rulesSaved(view templates.AccountRulesView, set store.AccountRules, duplicate bool) string {
	if !duplicate && set.Latest().Rules.Version == view.Rules.Version {
		return "These are the rules already: nothing was changed."
	}
	return "Version " + view.Format.Number(set.Latest().Rules.Version) + " of the rules is saved. The next matching goes by it."
}

func (s *server) showRefusedRules(c echo.Context, view templates.AccountRulesView, refusal *ledger.Error) error {
	view.Message, view.Errors = messageOf(refusal), rulesWords(refusal.Fields)
	switch refusal.Kind {
	case ledger.KindKeyReused:
		view.Form, view.Message, view.Errors = newKey(), "This form was sent before as something else. It has a new key now: check it and send it.", nil
	case ledger.KindIllegalTransition:
		// What came in between is in the history beside the form: who sends it again has seen it.
		view.Form, view.Typed.Seen = newKey(), view.Rules.Version
	}
	return s.showAgain(c, refusal, templates.AccountRulesPage(view))
}

// rulesLabels are the fields of rules as the form calls them.
var rulesLabels = map[string]string{
	"window_days": "The window", "prefixes": "The prefixes", "tolerance_minor": "The tolerance", "tolerance_account": "The tolerance's account",
	"fee.account": "The fee's account", "fee.fixed_minor": "The fee", "fee.per_mille": "The share of the amount", "note": "The note",
}

// rulesWords makes whole sentences of what is wrong with rules. A prefix is named by its place.
func rulesWords(fields []ledger.FieldError) []ledger.FieldError {
	sentences := make([]ledger.FieldError, len(fields))
	for i, f := range fields {
		field, place, _ := strings.Cut(f.Field, "[")
		label, detail := rulesLabels[field], f.Detail
		if n, err := strconv.Atoi(strings.TrimSuffix(place, "]")); err == nil {
			label = "Prefix " + strconv.Itoa(n+1)
		}
		if label == "" {
			label = labelOf(field)
		}
		sentences[i] = ledger.FieldError{Field: field, Detail: label + ": " + detail}
		for _, verb := range append([]string{"are "}, verbs...) {
			if strings.HasPrefix(detail, verb) {
				sentences[i].Detail = label + " " + detail
			}
		}
	}
	return sentences
}

// trialView lists the kinds and types that occur, before or after.
func trialView(trial store.RulesTrial) *templates.RulesTrialView {
	view := &templates.RulesTrialView{
		ReconciliationID: trial.ReconciliationID, Until: trial.ScopeTo, Booked: trial.Booked, BookedMinor: trial.BookedMinor,
		UnexplainedBefore: trial.Before.UnexplainedMinor, Unexplained: trial.After.UnexplainedMinor,
	}
	for _, kind := range recon.Kinds() {
		if row := (templates.TrialRow{Name: kind.Label(), Match: true, Before: trial.Before.Matches[kind], After: trial.After.Matches[kind]}); row.Before+row.After > 0 {
			view.Rows = append(view.Rows, row)
		}
	}
	for _, kind := range recon.BreakTypes() {
		if row := (templates.TrialRow{Name: kind.Label(), Before: trial.Before.Breaks[kind], After: trial.After.Breaks[kind]}); row.Before+row.After > 0 {
			view.Rows = append(view.Rows, row)
		}
	}
	return view
}

package web

import (
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/labstack/echo/v4"

	"daybook/store"
	"daybook/store/ledger"
	"daybook/templates"
	"daybook/templates/ui"
	"daybook/web/api"
)

// postingsOnAPage is a page of an account's statement.
const postingsOnAPage = 100

func (s *server) showAccount(c echo.Context, actor store.Actor) error {
	f := readStatementFilter(accountCode(c), c.QueryParams())
	if len(f.faults) > 0 {
		return s.showStatementFaults(c, actor, f)
	}
	statement, err := s.Store.AccountStatement(c.Request().Context(), actor, f.StatementQuery)
	if err != nil {
		return err
	}
	view, err := s.statementView(c, actor, f, statement.Account)
	if err != nil {
		return err
	}
	view.From, view.To = statement.From, statement.To
	view.Filter.From, view.Filter.To = statement.From.String(), statement.To.String()
	view.OpeningMinor, view.ClosingMinor, view.Proven = statement.OpeningMinor, statement.ClosingMinor, statement.Proves()
	view.Turnover, view.Found = templates.AccountTurnover(statement.Turnover), templates.AccountTurnover(statement.Found)
	view.ReconciliationID = statement.ReconciliationID
	view.Lines = accountLines(statement)
	if n := len(statement.Lines); n > 0 && statement.Earlier {
		view.Earlier = placeText(statement.Lines[0].Place)
	}
	if n := len(statement.Lines); n > 0 && statement.Later {
		view.Later = placeText(statement.Lines[n-1].Place)
	}
	return render(c, http.StatusOK, templates.AccountPage(view))
}

// showStatementFaults shows the statement of an account without its postings: what was asked for cannot be read.
func (s *server) showStatementFaults(c echo.Context, actor store.Actor, f statementFilter) error {
	account, err := s.Store.Account(c.Request().Context(), actor, f.Account)
	if err != nil {
		return err
	}
	view, err := s.statementView(c, actor, f, account)
	if err != nil {
		return err
	}
	return render(c, http.StatusUnprocessableEntity, templates.AccountPage(view))
}

func (s *server) statementView(c echo.Context, actor store.Actor, f statementFilter, account ledger.Account) (templates.AccountStatement, error) {
	balances := ui.Link{Text: "Balances", Href: bookView(actor.Book).URL("balances")}
	shell, err := s.shell(c, actor, below(templates.PageBalances, balances, account.Code+" "+account.Name))
	view := templates.AccountStatement{
		Shell: shell, Account: accountFacts(account), Filter: f.typed, Errors: f.faults, MayUpload: actor.Can(store.RightUpload), MayChange: actor.Can(store.RightAccounts),
	}
	for _, state := range store.BankStates() {
		view.Banks = append(view.Banks, templates.BankState(state))
	}
	return view, err
}

func accountFacts(a ledger.Account) templates.AccountFacts {
	return templates.AccountFacts{
		Code: a.Code, Name: a.Name, Type: a.Type, Currency: a.Currency, NoNegative: a.NoNegative, Closed: a.Closed, ReconcileFrom: a.ReconcileFrom,
	}
}

func accountLines(statement store.AccountStatement) []templates.AccountLine {
	lines := make([]templates.AccountLine, len(statement.Lines))
	for i, l := range statement.Lines {
		lines[i] = templates.AccountLine{
			Seq: l.Seq, EffectiveOn: l.EffectiveOn, Description: l.Description, Reference: l.Reference, Against: l.Against, AgainstMore: l.AgainstMore,
			Reverses: l.Reverses, Replaces: l.Replaces, ReversedBy: l.ReversedBy, Adjustment: l.Kind == ledger.Adjustment, Pending: l.Pending,
			AmountMinor: l.AmountMinor, BalanceMinor: l.BalanceMinor, DebitMinor: l.DebitMinor,
			Bank: templates.BankStanding{State: templates.BankState(l.Bank), ReconciliationID: l.ReconciliationID, BreakID: l.BreakID, Resolution: l.Resolution},
		}
		if subtotal, ok := statement.Subtotals[i]; ok {
			sums := templates.AccountTurnover(subtotal)
			lines[i].Subtotal = &sums
		}
	}
	return lines
}

// accountCode gives the code of the path.
func accountCode(c echo.Context) string { return api.PathText(c, "code") }

// statementFilter is what an address asks of a statement, as typed and as it was read.
type statementFilter struct {
	store.StatementQuery
	typed  templates.StatementFilter
	faults []ledger.FieldError
}

// readStatementFilter reads the query of a statement. One without a range asks for the latest month; a range that is given but empty is all days.
func readStatementFilter(code string, query url.Values) statementFilter {
	f := statementFilter{typed: templates.StatementFilter{
		From: query.Get("from"), To: query.Get("to"), Bank: query.Get("bank"), Amounts: templates.AmountView(query.Get("amounts")), Subtotals: query.Get("subtotals"),
	}}
	f.Account, f.Limit, f.Latest = code, postingsOnAPage, !query.Has("from") && !query.Has("to")
	f.From = readDate(f.typed.From, "from", &f.faults)
	f.To = readDate(f.typed.To, "to", &f.faults)
	if !f.From.IsZero() && !f.To.IsZero() && f.From.After(f.To) {
		f.fault("from", "This day is after the last one, "+f.To.String())
	}
	if f.Bank = store.BankState(f.typed.Bank); f.Bank != "" && !slices.Contains(store.BankStates(), f.Bank) {
		f.fault("bank", quoted(f.typed.Bank)+" is not a state at the bank: choose one of the list")
	}
	switch f.typed.Amounts {
	case "", templates.Signed:
	case templates.DebitsOnly, templates.CreditsOnly:
		f.Side = store.Side(f.typed.Amounts)
	default:
		f.fault("amounts", quoted(string(f.typed.Amounts))+" is no way to show amounts: choose one of the list")
	}
	switch f.Group = store.Grouping(f.typed.Subtotals); f.Group {
	case "", store.ByDay, store.ByMonth:
	default:
		f.fault("subtotals", quoted(f.typed.Subtotals)+" is not what subtotals are made for: choose day or month")
	}
	if f.After = readPlace(query.Get("after")); f.After == nil {
		f.Before = readPlace(query.Get("before"))
	}
	return f
}

func (f *statementFilter) fault(name, detail string) {
	f.faults = append(f.faults, ledger.FieldError{Field: name, Detail: detail})
}

// placeText is where a page begins, for an address: 2026-03-13.1360.1.
func placeText(p store.Place) string {
	return p.EffectiveOn.String() + "." + strconv.FormatInt(p.Seq, 10) + "." + strconv.Itoa(p.Line)
}

// readPlace reads what placeText wrote. What is no place begins at the start.
func readPlace(text string) *store.Place {
	parts := strings.Split(text, ".")
	if len(parts) != 3 {
		return nil
	}
	day, err := ledger.ParseDate(parts[0])
	seq, seqErr := strconv.ParseInt(parts[1], 10, 64)
	line, lineErr := strconv.ParseInt(parts[2], 10, 32)
	if err != nil || seqErr != nil || lineErr != nil {
		return nil
	}
	return &store.Place{EffectiveOn: day, Seq: seq, Line: int(line)}
}

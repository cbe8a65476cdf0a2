package web

import (
	"github.com/labstack/echo/v4"

	"daybook/store"
	"daybook/store/ledger"
	"daybook/templates"
)

// balancesHead names the columns of an exported trial balance. Amounts are plain decimals; opening and balance are debit − credit.
var balancesHead = []string{"type", "account", "name", "currency", "opening", "debit", "credit", "balance"}

// exportBalances sends the trial balance that the page with the same query shows.
func (s *server) exportBalances(c echo.Context, actor store.Actor) error {
	f := readBalanceFilter(c.QueryParams())
	if len(f.faults) > 0 { // the page says which
		return seeOther(c, bookView(actor.Book).URL("balances")+"?"+c.QueryString())
	}
	groups, _, err := s.readBalances(c.Request().Context(), actor, f)
	if err != nil {
		return err
	}
	file := newCSVFile(c)
	if err := file.begin(f.fileName(actor.Book), balancesHead...); err != nil {
		return s.endCSV(file, err)
	}
	for _, g := range groups {
		for _, row := range g.Rows {
			if err := file.rows.Write(balanceRecord(g.Name, row)); err != nil {
				return s.endCSV(file, err)
			}
		}
	}
	return s.endCSV(file, nil)
}

// fileName says of which book and of when: trial-balance-main-2026-03-31.csv.
func (f balanceFilter) fileName(book store.Book) string {
	name := "trial-balance-" + plainName(book.Code)
	if !f.asOf.IsZero() {
		name += "-" + f.asOf.String()
	}
	return name + ".csv"
}

func balanceRecord(group string, r templates.BalanceRow) []string {
	amount := func(minor int64) string { return ledger.FormatAmount(minor, r.Currency) }
	return []string{group, plainCell(r.Code), plainCell(r.Name), r.Currency, amount(r.OpeningMinor), amount(r.DebitMinor), amount(r.CreditMinor), amount(r.BalanceMinor)}
}

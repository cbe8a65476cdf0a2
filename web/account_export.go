package web

import (
	"strconv"
	"strings"

	"github.com/labstack/echo/v4"

	"daybook/store"
	"daybook/store/ledger"
)

// statementHead names the columns of an exported statement. Dates are ISO, amounts plain decimals, the balance is debit − credit.
var statementHead = []string{
	"date", "entry", "line", "kind", "tx_id", "reference", "description", "against", "against_more", "debit", "credit", "balance", "currency", "bank",
}

// exportAccount sends the whole statement that a page of it shows.
func (s *server) exportAccount(c echo.Context, actor store.Actor) error {
	f := readStatementFilter(accountCode(c), c.QueryParams())
	if len(f.faults) > 0 {
		return s.showStatementFaults(c, actor, f)
	}
	file := newCSVFile(c)
	var account ledger.Account
	err := s.Store.ExportStatement(c.Request().Context(), actor, f.StatementQuery, func(head store.AccountStatement) error {
		account = head.Account
		return file.begin(statementFileName(head), statementHead...)
	}, func(line store.AccountLine) error { return file.rows.Write(statementRecord(account, line)) })
	return s.endCSV(file, err)
}

// statementFileName says whose statement it is and of which days: account-1010-2026-03-01-to-2026-03-31.csv.
func statementFileName(head store.AccountStatement) string {
	parts := []string{"account", plainName(head.Account.Code)}
	if !head.From.IsZero() {
		parts = append(parts, head.From.String())
	}
	if !head.To.IsZero() {
		parts = append(parts, "to", head.To.String())
	}
	return strings.Join(parts, "-") + ".csv"
}

func statementRecord(account ledger.Account, l store.AccountLine) []string {
	debit, credit := "", ""
	if l.AmountMinor > 0 {
		debit = ledger.FormatAmount(l.AmountMinor, account.Currency)
	} else {
		credit = ledger.FormatAmount(-l.AmountMinor, account.Currency)
	}
	return []string{
		l.EffectiveOn.String(), strconv.FormatInt(l.Seq, 10), strconv.Itoa(l.Line), string(l.Kind), plainCell(l.TxID), plainCell(l.Reference), plainCell(l.Description),
		l.Against, strconv.Itoa(l.AgainstMore), debit, credit, ledger.FormatAmount(l.BalanceMinor, account.Currency), account.Currency, string(l.Bank),
	}
}

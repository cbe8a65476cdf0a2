package web

import (
	"encoding/csv"
	"io"
	"net/http"
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

// exportAccount sends the whole statement that a page of it shows, as fast as it is taken: nothing of it is gathered first. A file that cannot
// be sent to its end is broken off, so that nobody takes it for the whole.
func (s *server) exportAccount(c echo.Context, actor store.Actor) error {
	f := readStatementFilter(accountCode(c), c.QueryParams())
	if len(f.faults) > 0 {
		return s.showStatementFaults(c, actor, f)
	}
	rows := csv.NewWriter(c.Response())
	var account ledger.Account
	err := s.Store.ExportStatement(c.Request().Context(), actor, f.StatementQuery, func(head store.AccountStatement) error {
		account = head.Account
		header := c.Response().Header()
		header.Set(echo.HeaderContentType, "text/csv; charset=utf-8; header=present")
		header.Set(echo.HeaderContentDisposition, `attachment; filename="`+statementFileName(head)+`"`)
		c.Response().WriteHeader(http.StatusOK)
		if _, err := io.WriteString(c.Response(), "\ufeff"); err != nil { // a spreadsheet reads UTF-8 only where it is told so
			return err
		}
		return rows.Write(statementHead)
	}, func(line store.AccountLine) error { return rows.Write(statementRecord(account, line)) })
	if rows.Flush(); err == nil {
		err = rows.Error()
	}
	if err != nil && c.Response().Committed {
		s.Log.Warn("an export was broken off", "request", requestID(c), "path", c.Request().URL.Path, "error", err)
		panic(http.ErrAbortHandler)
	}
	return err
}

// statementFileName says whose statement it is and of which days: account-1010-2026-03-01-to-2026-03-31.csv.
func statementFileName(head store.AccountStatement) string {
	parts := []string{"account", strings.NewReplacer(":", "-", "/", "-").Replace(head.Account.Code)}
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

package web

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/labstack/echo/v4"

	"daybook/store"
	"daybook/store/ledger"
	"daybook/web/api"
)

// breaksHead names the columns of exported breaks. Days are ISO, amounts plain decimals; what a break has several of is parted by " | ".
var breaksHead = []string{
	"break", "type", "status", "resolution", "why", "day", "age_days", "first_seen", "owner", "difference", "currency",
	"bank_amount", "bank_days", "bank_rows", "bank_references", "bank_texts",
	"ledger_amount", "ledger_days", "entries", "tx_ids", "ledger_texts", "match", "request",
}

// exportBreaks sends every break that the filter of the page finds, as of one moment.
func (s *server) exportBreaks(c echo.Context, actor store.Actor) error {
	id, err := api.PathNumber(c, "id", "reconciliation")
	if err != nil {
		return err
	}
	r, err := s.Store.Reconciliation(c.Request().Context(), actor, id)
	if err != nil {
		return err
	}
	file := newCSVFile(c)
	begin := func() error {
		if c.Response().Committed {
			return nil
		}
		return file.begin(fmt.Sprintf("breaks-%s-%s-to-%s.csv", plainName(r.Account.Code), r.ScopeFrom, r.ScopeTo), breaksHead...)
	}
	q := readBreakQuery(r, c.QueryParams(), formatOf(actor), s.today())
	err = s.Store.ExportBreaks(c.Request().Context(), actor, q, func(b store.Break) error {
		if err := begin(); err != nil {
			return err
		}
		return file.rows.Write(s.breakRecord(r.Account, b))
	})
	if err == nil {
		err = begin()
	}
	return s.endCSV(file, err)
}

func (s *server) breakRecord(account ledger.Account, b store.Break) []string {
	var bankMinor, ledgerMinor int64
	var bank, books [4][]string
	for _, l := range b.Bank {
		bankMinor = sumOf(bankMinor, l.AmountMinor, l.Currency == account.Currency)
		for i, cell := range []string{l.BookedOn.String(), strconv.Itoa(l.Row), l.Reference, l.Description} {
			bank[i] = append(bank[i], cell)
		}
	}
	for _, p := range b.Ledger {
		ledgerMinor = sumOf(ledgerMinor, p.AmountMinor, p.Currency == account.Currency)
		for i, cell := range []string{p.EffectiveOn.String(), strconv.FormatInt(p.Seq, 10), p.TxID, p.Description} {
			books[i] = append(books[i], cell)
		}
	}
	amount := func(minor int64) string { return ledger.FormatAmount(minor, account.Currency) }
	cell := func(parts []string) string { return plainCell(strings.Join(parts, " | ")) }
	return []string{
		strconv.FormatInt(b.ID, 10), string(b.Type), string(b.Status), string(b.Resolution), plainCell(b.Why), b.EarliestDay().String(), strconv.Itoa(s.ageDays(b)),
		b.FirstSeenOn.String(), plainCell(b.AssigneeName), ledger.FormatAmount(b.DifferenceMinor, b.Currency), b.Currency,
		amount(bankMinor), cell(bank[0]), cell(bank[1]), cell(bank[2]), cell(bank[3]), amount(ledgerMinor), cell(books[0]), cell(books[1]), cell(books[2]), cell(books[3]),
		numberOrNone(b.MatchID), numberOrNone(b.ApprovalID),
	}
}

// sumOf adds what counts; a sum beyond what an amount can hold stays at what was reached.
func sumOf(sum, minor int64, counts bool) int64 {
	if more, ok := ledger.Add(sum, minor); ok && counts {
		return more
	}
	return sum
}

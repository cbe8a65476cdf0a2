package web

import (
	"strconv"
	"time"

	"github.com/labstack/echo/v4"

	"daybook/store"
	"daybook/store/ledger"
)

// journalHead names the columns of an exported journal, a posting a row. Dates are ISO, moments UTC, amounts plain decimals.
var journalHead = []string{
	"entry", "line", "date", "recorded_at", "kind", "tx_id", "reference", "description", "account", "debit", "credit", "currency", "recorded_by", "reverses", "reversed_by", "replaces",
}

// exportJournal sends the postings of all entries that the page with the same query finds, oldest first. Entries that are recorded meanwhile are
// left out: the file is of one moment.
func (s *server) exportJournal(c echo.Context, actor store.Actor) error {
	ctx := c.Request().Context()
	f, err := s.readJournalFilter(ctx, actor, c.QueryParams())
	if err != nil {
		return err
	}
	if len(f.faults) > 0 { // the page says which
		return seeOther(c, bookView(actor.Book).URL("journal")+"?"+c.QueryString())
	}
	filter := f.EntryFilter
	filter.After, filter.Before, filter.Newest, filter.Limit = 0, 0, true, 1
	last, _, err := s.Store.Entries(ctx, actor, filter)
	if err != nil {
		return err
	}
	file := newCSVFile(c)
	if err := file.begin("journal-"+plainName(actor.Book.Code)+".csv", journalHead...); err != nil || len(last) == 0 {
		return s.endCSV(file, err)
	}
	filter.Newest, filter.Limit, filter.Before = false, store.MaxPage, last[0].Seq+1
	for more := true; more; {
		var entries []store.Receipt
		if entries, more, err = s.Store.Entries(ctx, actor, filter); err != nil {
			return s.endCSV(file, err)
		}
		for _, e := range entries {
			filter.After = e.Seq
			if err := writeEntry(file, e); err != nil {
				return s.endCSV(file, err)
			}
		}
	}
	return s.endCSV(file, nil)
}

func writeEntry(file csvFile, e store.Receipt) error {
	for i, p := range e.Postings {
		debit, credit := "", ""
		if p.AmountMinor > 0 {
			debit = ledger.FormatAmount(p.AmountMinor, p.Currency)
		} else {
			credit = ledger.FormatAmount(-p.AmountMinor, p.Currency)
		}
		if err := file.rows.Write([]string{
			numberOrNone(e.Seq), strconv.Itoa(i + 1), e.EffectiveOn.String(), e.RecordedAt.UTC().Format(time.RFC3339Nano), string(e.Kind), plainCell(e.TxID),
			plainCell(e.Metadata["reference"]), plainCell(e.Description), plainCell(p.Account), debit, credit, p.Currency, plainCell(e.Recorder),
			numberOrNone(e.Reverses), numberOrNone(e.ReversedBy), numberOrNone(e.Replaces),
		}); err != nil {
			return err
		}
	}
	return nil
}

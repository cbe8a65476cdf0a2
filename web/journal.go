package web

import (
	"context"
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"github.com/labstack/echo/v4"

	"daybook/store"
	"daybook/store/ledger"
	"daybook/templates"
	"daybook/templates/ui"
)

const (
	// entriesShown is a page of the journal, postingsShown what an opened row shows of an entry.
	entriesShown  = 50
	postingsShown = 20
	// accountsOffered bounds the list that a browser completes codes from; a code that is not in it can be typed.
	accountsOffered = 1000
)

func (s *server) showJournal(c echo.Context, actor store.Actor) error {
	ctx := c.Request().Context()
	shell, err := s.shell(c, actor, heading{title: "Journal", page: templates.PageJournal})
	if err != nil {
		return err
	}
	f, err := s.readJournalFilter(ctx, actor, c.QueryParams())
	if err != nil {
		return err
	}
	view := templates.Journal{Shell: shell, Filter: f.typed, Errors: f.faults, Open: f.open, MayPost: actor.Can(store.RightPost)}
	if view.Accounts, err = s.accountChoices(ctx, actor); err != nil {
		return err
	}
	if len(f.faults) > 0 {
		return render(c, http.StatusUnprocessableEntity, templates.JournalPage(view))
	}
	entries, more, err := s.Store.Entries(ctx, actor, f.EntryFilter)
	if err != nil {
		return err
	}
	totals, err := s.Store.SumEntries(ctx, actor, f.EntryFilter)
	if err != nil {
		return err
	}
	if view.Totals, err = totalsView(actor.Book, totals); err != nil {
		return err
	}
	view.Account = accountView(f, totals.Account)
	if view.Rows, err = s.journalRows(ctx, actor, entries); err != nil {
		return err
	}
	if view.Account != nil {
		concern(view.Rows, entries, *view.Account)
	}
	view.Newer, view.Older = f.turn(&view.Rows, more)
	return render(c, http.StatusOK, templates.JournalPage(view))
}

// accountView is the account that the journal is filtered by, with what the entries found did to it; nil without one.
func accountView(f journalFilter, totals store.AccountTotals) *templates.JournalAccount {
	if f.Account == "" {
		return nil
	}
	return &templates.JournalAccount{
		Code: f.account.Code, Name: f.account.Name, Currency: totals.Currency, Side: templates.AccountSide(f.Side),
		DebitMinor: totals.DebitMinor, CreditMinor: totals.CreditMinor, BalanceMinor: totals.BalanceMinor,
	}
}

// concern tells of each entry what it did to one account. It fits, as the debits of an entry do.
func concern(rows []templates.JournalRow, entries []store.Receipt, account templates.JournalAccount) {
	for i, e := range entries {
		for _, p := range e.Postings {
			if p.Account == account.Code {
				rows[i].DebitMinor += max(p.AmountMinor, 0)
				rows[i].CreditMinor += max(-p.AmountMinor, 0)
			}
		}
	}
}

// turn puts the rows newest first and gives the cursors of the pages around them.
func (f journalFilter) turn(rows *[]templates.JournalRow, more bool) (newer, older string) {
	if !f.Newest {
		slices.Reverse(*rows)
	}
	if len(*rows) == 0 {
		return "", ""
	}
	first, last := strconv.FormatInt((*rows)[0].Seq, 10), strconv.FormatInt((*rows)[len(*rows)-1].Seq, 10)
	if f.Newest && f.Before > 0 || !f.Newest && more {
		newer = first
	}
	if !f.Newest || more {
		older = last
	}
	return newer, older
}

// journalRows tells what a page of the journal shows of entries: names for codes, and which reversals wait.
func (s *server) journalRows(ctx context.Context, actor store.Actor, entries []store.Receipt) ([]templates.JournalRow, error) {
	seqs := make([]int64, len(entries))
	for i, e := range entries {
		seqs[i] = e.Seq
	}
	pending, err := s.Store.PendingReversals(ctx, actor, seqs)
	if err != nil {
		return nil, err
	}
	names, err := s.accountsOf(ctx, actor, postingsOf(entries)...)
	if err != nil {
		return nil, err
	}
	rows := make([]templates.JournalRow, len(entries))
	for i, e := range entries {
		rows[i] = templates.JournalRow{
			Seq: e.Seq, EffectiveOn: e.EffectiveOn, RecordedAt: e.RecordedAt, TxID: e.TxID, Description: e.Description, By: e.RecorderName,
			ReversedBy: e.ReversedBy, Reverses: e.Reverses, Replaces: e.Replaces, Adjustment: e.Kind == ledger.Adjustment, Pending: pending[e.Seq] != 0,
			PostingCount: len(e.Postings), Postings: postingsView(actor.Book, names, shownOf(e)), Debits: debits(actor.Book, e.Postings),
		}
	}
	return rows, nil
}

func shownOf(e store.Receipt) []ledger.Posting {
	return e.Postings[:min(len(e.Postings), postingsShown)]
}

func postingsOf(entries []store.Receipt) [][]ledger.Posting {
	lists := make([][]ledger.Posting, len(entries))
	for i, e := range entries {
		lists[i] = shownOf(e)
	}
	return lists
}

// accountsOf looks the accounts of postings up, each once.
func (s *server) accountsOf(ctx context.Context, actor store.Actor, lists ...[]ledger.Posting) (map[string]ledger.Account, error) {
	var codes []string
	for _, list := range lists {
		for _, p := range list {
			codes = append(codes, p.Account)
		}
	}
	slices.Sort(codes)
	return s.Store.AccountsByCode(ctx, actor, slices.Compact(codes))
}

func postingsView(book store.Book, accounts map[string]ledger.Account, postings []ledger.Posting) []ui.Posting {
	view := make([]ui.Posting, len(postings))
	for i, p := range postings {
		view[i] = ui.Posting{Code: p.Account, Name: accounts[p.Account].Name, Href: bookView(book).AccountURL(p.Account), Minor: p.AmountMinor, Currency: p.Currency}
	}
	return view
}

// debits are the debit totals of postings, one a currency: that of the book first, then in order of their codes. An entry
// has none beyond the largest amount.
func debits(book store.Book, postings []ledger.Posting) []ui.Money {
	sums := map[string]int64{}
	for _, p := range postings {
		sums[p.Currency] += max(p.AmountMinor, 0)
	}
	return inOrder(book, sums)
}

func inOrder(book store.Book, sums map[string]int64) []ui.Money {
	amounts := make([]ui.Money, 0, len(sums))
	for currency, minor := range sums {
		amounts = append(amounts, ui.Money{Minor: minor, Currency: currency})
	}
	slices.SortFunc(amounts, func(a, b ui.Money) int {
		if (a.Currency == book.Currency) != (b.Currency == book.Currency) {
			if a.Currency == book.Currency {
				return -1
			}
			return 1
		}
		return strings.Compare(a.Currency, b.Currency)
	})
	return amounts
}

// totalsView reads the sums of a filter. They fit: the turnover of a book is bounded in every currency.
func totalsView(book store.Book, totals store.EntryTotals) (templates.JournalTotals, error) {
	sums := map[string]int64{}
	for currency, text := range totals.DebitMinor {
		minor, err := strconv.ParseInt(text, 10, 64)
		if err != nil {
			return templates.JournalTotals{}, fmt.Errorf("read the total in %s: %w", currency, err)
		}
		sums[currency] = minor
	}
	return templates.JournalTotals{Entries: totals.Entries, Postings: totals.Postings, Debits: inOrder(book, sums)}, nil
}

// accountChoices are the open accounts that a form or a filter offers.
func (s *server) accountChoices(ctx context.Context, actor store.Actor) ([]ui.AccountChoice, error) {
	accounts, _, err := s.Store.Accounts(ctx, actor, "", accountsOffered)
	if err != nil {
		return nil, err
	}
	choices := make([]ui.AccountChoice, 0, len(accounts))
	for _, a := range accounts {
		if !a.Closed {
			choices = append(choices, ui.AccountChoice{Code: a.Code, Name: a.Name, Currency: a.Currency})
		}
	}
	return choices, nil
}

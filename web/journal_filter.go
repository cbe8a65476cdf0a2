package web

import (
	"context"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"daybook/store"
	"daybook/store/ledger"
	"daybook/templates"
)

// journalFilter is which entries are asked for: as typed, and as the store takes it.
type journalFilter struct {
	store.EntryFilter
	typed  templates.JournalFilter
	open   int64
	faults []ledger.FieldError
}

// readJournalFilter reads the address of the journal. A search takes any text; only what must be a date, an account or an
// amount can be wrong.
func (s *server) readJournalFilter(ctx context.Context, actor store.Actor, query url.Values) (journalFilter, error) {
	text := func(name string) string { return strings.TrimSpace(query.Get(name)) }
	f := journalFilter{typed: templates.JournalFilter{
		Query: text("q"), Account: text("account"), From: text("from"), To: text("to"), Kind: text("kind"), Amount: text("amount"),
	}}
	f.EntryFilter = store.EntryFilter{Text: f.typed.Query, Account: f.typed.Account, Kind: ledger.EntryKind(f.typed.Kind), Limit: entriesShown, Newest: true}
	f.From, f.To = readDate(f.typed.From, "from", &f.faults), readDate(f.typed.To, "to", &f.faults)
	if f.Kind != "" && !slices.Contains([]ledger.EntryKind{ledger.PlainEntry, ledger.Reversal, ledger.Replacement, ledger.Adjustment}, f.Kind) {
		f.fault("kind", quoted(f.typed.Kind)+" is not a kind of entry")
	}
	f.readCursors(query)
	if f.typed.Account != "" {
		known, err := s.Store.AccountsByCode(ctx, actor, []string{f.typed.Account})
		if err != nil {
			return f, err
		}
		if account, ok := known[f.typed.Account]; ok {
			f.typed.AccountName = account.Name
		} else {
			f.fault("account", "There is no account "+quoted(f.typed.Account))
		}
	}
	return f, s.readAmounts(ctx, actor, &f)
}

func (f *journalFilter) fault(field, detail string) {
	f.faults = append(f.faults, ledger.FieldError{Field: field, Detail: detail})
}

// readCursors takes the place of the page; one that cannot be read is the newest page.
func (f *journalFilter) readCursors(query url.Values) {
	cursor := func(name string) int64 {
		seq, err := strconv.ParseInt(query.Get(name), 10, 64)
		if err != nil || seq < 1 {
			return 0
		}
		return seq
	}
	f.Before, f.After, f.open = cursor("before"), cursor("after"), cursor("open")
	switch {
	case f.Before > 0:
		f.typed.Before, f.After = query.Get("before"), 0
	case f.After > 0:
		f.typed.After, f.Newest = query.Get("after"), false
	}
	if seq, err := strconv.ParseInt(strings.ReplaceAll(strings.TrimPrefix(f.Text, "#"), ",", ""), 10, 64); err == nil && seq > 0 {
		f.OrSeq = seq
	}
}

// readAmounts reads what was typed as an amount in every currency of the book: 1200 is 1200.00 in EUR and 1200 in JPY.
func (s *server) readAmounts(ctx context.Context, actor store.Actor, f *journalFilter) error {
	if f.typed.Amount == "" && !strings.ContainsAny(f.Text, "0123456789") {
		return nil
	}
	currencies, err := s.Store.Currencies(ctx, actor)
	if err != nil {
		return err
	}
	currencies = append(currencies, actor.Book.Currency)
	f.OrAmounts, f.Amounts = amountsIn(f.Text, currencies), amountsIn(f.typed.Amount, currencies)
	if f.typed.Amount != "" && len(f.Amounts) == 0 {
		f.fault("amount", quoted(f.typed.Amount)+" is not an amount: write it as 1234.56")
	}
	return nil
}

func amountsIn(text string, currencies []string) map[string]int64 {
	amounts := map[string]int64{}
	for _, currency := range currencies {
		if minor, err := ledger.ParseAmount(text, currency); err == nil {
			amounts[currency] = max(minor, -minor)
		}
	}
	return amounts
}

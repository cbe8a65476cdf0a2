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
	typed   templates.JournalFilter
	account ledger.Account
	open    int64
	faults  []ledger.FieldError
}

// readJournalFilter reads the address of the journal. A search takes any text; only what must be a date, an account or an
// amount can be wrong.
func (s *server) readJournalFilter(ctx context.Context, actor store.Actor, query url.Values) (journalFilter, error) {
	text := func(name string) string { return strings.TrimSpace(query.Get(name)) }
	f := journalFilter{typed: templates.JournalFilter{
		Query: text("q"), Account: text("account"), Side: text("side"), From: text("from"), To: text("to"), Kind: text("kind"), Amount: text("amount"),
	}}
	f.EntryFilter = store.EntryFilter{Kind: ledger.EntryKind(f.typed.Kind), Limit: entriesShown, Newest: true}
	f.From, f.To = readDate(f.typed.From, "from", &f.faults), readDate(f.typed.To, "to", &f.faults)
	inOrderOfDays(f.From, f.To, &f.faults)
	if f.Kind != "" && !slices.Contains([]ledger.EntryKind{ledger.PlainEntry, ledger.Reversal, ledger.Replacement, ledger.Adjustment}, f.Kind) {
		f.fault("kind", quoted(f.typed.Kind)+" is not a kind of entry")
	}
	f.readCursors(query)
	if err := s.readAccount(ctx, actor, &f); err != nil {
		return f, err
	}
	f.readSide()
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
}

// accountsNamed is how many accounts are named where a beginning fits several.
const accountsNamed = 5

// readAccount finds the account that was typed: its code, or how the code or the name of just one begins.
func (s *server) readAccount(ctx context.Context, actor store.Actor, f *journalFilter) error {
	if f.typed.Account == "" {
		return nil
	}
	fitting, err := s.Store.AccountsFitting(ctx, actor, f.typed.Account, accountsNamed+1)
	if err != nil {
		return err
	}
	switch len(fitting) {
	case 0:
		f.fault("account", "There is no account "+quoted(f.typed.Account)+", and none whose code or name begins like that")
	case 1:
		f.Account, f.account = fitting[0].Code, fitting[0]
		f.typed.Account, f.typed.AccountName = fitting[0].Code, fitting[0].Name
	default:
		f.fault("account", quoted(f.typed.Account)+" fits "+namesOf(fitting)+": write more of the one you mean")
	}
	return nil
}

// namesOf lists accounts, the first few of them by code and name.
func namesOf(accounts []ledger.Account) string {
	var names []string
	for _, account := range accounts[:min(len(accounts), accountsNamed)] {
		names = append(names, account.Code+" "+account.Name)
	}
	if len(accounts) > accountsNamed {
		return strings.Join(names, ", ") + " and more"
	}
	return strings.Join(names[:len(names)-1], ", ") + " and " + names[len(names)-1]
}

// readSide takes the side of the account that is asked for; without an account there is none.
func (f *journalFilter) readSide() {
	switch side := store.Side(f.typed.Side); {
	case f.typed.Account == "" || side == "":
		f.typed.Side = ""
	case side != store.Debit && side != store.Credit:
		f.fault("side", quoted(f.typed.Side)+" is not a side: choose debit or credit")
	default:
		f.Side = side
	}
}

package store

import (
	"context"
	"maps"

	"gorm.io/gorm"

	"daybook/store/ledger"
)

// rememberedCodes bounds the memory of a writer, in accounts and currencies that are there or not; beyond it begins anew. Longer codes than
// rememberedCodeBytes name nothing that there could be.
const (
	rememberedCodes     = 50_000
	rememberedCodeBytes = 100
)

// memory is what a writer knows of its book as of a head and a version. append_entries says whether both are still so. What was looked
// up and is not there is remembered too.
type memory struct {
	valid   bool
	head    ledger.Head
	version int64
	facts   ledger.Facts
	// What was looked up, whether it is there or not.
	accounts, currencies map[string]bool
	periods              map[ledger.Period]bool
}

// knows reports whether all that commands mention is remembered.
func (m *memory) knows(commands []ledger.Command) bool {
	for _, c := range commands {
		if !m.periods[ledger.PeriodOf(c.Entry.EffectiveOn)] {
			return false
		}
		for _, p := range c.Entry.Postings {
			if !m.accounts[p.Account] || !m.currencies[p.Currency] {
				return false
			}
		}
	}
	return m.valid
}

// forget makes the writer look everything up again.
func (m *memory) forget() { *m = memory{} }

// adopt takes over what was read, and perhaps appended to, behind the entry before. What was known as of another is forgotten.
func (m *memory) adopt(before int64, head ledger.Head, version int64, facts ledger.Facts, commands []ledger.Command) {
	same := m.valid && m.head.Seq == before && m.version == version && len(m.accounts)+len(m.currencies) <= rememberedCodes
	if !same {
		*m = memory{
			valid: true, version: version, facts: emptyFacts(facts.Book),
			accounts: map[string]bool{}, currencies: map[string]bool{}, periods: map[ledger.Period]bool{},
		}
	}
	m.head = head
	maps.Copy(m.facts.Accounts, facts.Accounts)
	maps.Copy(m.facts.Totals, facts.Totals)
	maps.Copy(m.facts.Days, facts.Days)
	maps.Copy(m.facts.Currencies, facts.Currencies)
	maps.Copy(m.facts.Closed, facts.Closed)
	for _, c := range commands {
		m.periods[ledger.PeriodOf(c.Entry.EffectiveOn)] = true
		for _, p := range c.Entry.Postings {
			remember(m.accounts, p.Account)
			remember(m.currencies, p.Currency)
		}
	}
}

func remember(codes map[string]bool, code string) {
	if len(code) <= rememberedCodeBytes {
		codes[code] = true
	}
}

// forBatch gives the facts to judge a batch by. Its totals are the memory's own and change with what is appended; keys and tx ids
// begin empty: append_entries looks them up.
func (m *memory) forBatch() ledger.Facts {
	facts := m.facts
	facts.Keys, facts.TxIDs, facts.ReversedBy = map[string]ledger.KeyUse{}, map[string]ledger.TxIDUse{}, map[int64]int64{}
	return facts
}

// takeBack undoes what judging a batch did to the totals, when none of it was written.
func (m *memory) takeBack(records []ledger.Record) {
	for _, r := range records {
		for _, p := range r.Postings {
			total := m.facts.Totals[p.Account]
			if p.AmountMinor > 0 {
				total.DebitMinor -= p.AmountMinor
				m.facts.Currencies[p.Currency] -= p.AmountMinor
			} else {
				total.CreditMinor += p.AmountMinor
			}
			m.facts.Totals[p.Account] = total
			if m.facts.Accounts[p.Account].NoNegative {
				m.facts.Days[p.Account] = m.facts.Days[p.Account].Add(r.EffectiveOn, -p.AmountMinor)
			}
		}
	}
}

// recall reads what commands mention, all as of one moment.
func (w *writer) recall(ctx context.Context, book Book, commands []ledger.Command) error {
	return w.store.inSnapshot(ctx, func(tx *gorm.DB) error {
		head, err := readHead(tx, book.ID, "")
		if err != nil {
			return err
		}
		version, err := readVersion(tx, book)
		if err != nil {
			return err
		}
		facts := emptyFacts(book.Code)
		for _, read := range []func(*gorm.DB, Book, mentioned, *ledger.Facts) error{readAccounts, readDays, readCurrencies, readPeriods} {
			if err := read(tx, book, mentionedBy(commands), &facts); err != nil {
				return err
			}
		}
		w.memory.adopt(head.Seq, head, version, facts, commands)
		return nil
	})
}

func readVersion(tx *gorm.DB, book Book) (int64, error) {
	return queryOne[int64](tx, "the book has no version", `SELECT version FROM book_versions WHERE book_id = ?`, book.ID)
}

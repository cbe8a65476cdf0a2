package store

import (
	"fmt"
	"hash/maphash"
	"math/bits"

	"github.com/jackc/pgx/v5"
)

// sums are what the postings of a book add up to, to be held against the kept totals, in a few numbers however many totals there are. Each
// total counts times a weight that is random and its own: where two sets of totals differ in any, the sums of their products differ
// too, but for a chance of 1 in 2^63, and nobody can choose a difference that escapes.
type sums struct {
	seed                       maphash.Seed
	accounts, days, currencies weightedTurnover
}

func newSums() sums { return sums{seed: maphash.MakeSeed()} }

type dayKey struct {
	account               uint64
	effectiveOn, recorded int32
}

// weigh gives each account its weights.
func (s *sums) weigh(accounts map[int64]*scannedAccount) {
	for id, account := range accounts {
		account.weight, account.currencyWeight = s.accountWeight(id), s.currencyWeight(account.currency)
	}
}

// A weight is odd, so that it is not 0.
func (s *sums) accountWeight(id int64) uint64         { return maphash.Comparable(s.seed, id) | 1 }
func (s *sums) currencyWeight(currency string) uint64 { return maphash.String(s.seed, currency) | 1 }
func (s *sums) dayWeight(key dayKey) uint64           { return maphash.Comparable(s.seed, key) | 1 }

// add takes the postings of an entry, which are sound.
func (s *sums) add(e *storedEntry) {
	for i, p := range e.Postings {
		account := e.accounts[i]
		debit, credit := uint64(max(p.AmountMinor, 0)), uint64(max(-p.AmountMinor, 0))
		s.accounts.add(account.weight, debit, credit)
		s.days.add(s.dayWeight(dayKey{account.weight, e.effectiveDay, e.recordedDay}), debit, credit)
		s.currencies.add(account.currencyWeight, debit, 0)
	}
}

// weightedTurnover is the sum of debits and that of credits, each times its weight.
type weightedTurnover struct{ debit, credit wide }

func (t *weightedTurnover) add(weight, debit, credit uint64) {
	t.debit.addProduct(weight, debit)
	t.credit.addProduct(weight, credit)
}

// wide is a number of 128 bits. What goes beyond is dropped, of both sides alike.
type wide struct{ high, low uint64 }

func (w *wide) addProduct(a, b uint64) {
	high, low := bits.Mul64(a, b)
	var carry uint64
	w.low, carry = bits.Add64(w.low, low, 0)
	w.high, _ = bits.Add64(w.high, high, carry)
}

// readKept sums the kept totals with the weights of the postings.
func (v *verifier) readKept() (sums, error) {
	kept := sums{seed: v.sums.seed}
	err := v.journal.raw(func(conn *pgx.Conn) error {
		for _, table := range []struct {
			columns string
			add     func(columns [][]byte)
		}{
			{`account_id, debit_minor, credit_minor FROM account_totals`, func(c [][]byte) {
				kept.accounts.add(kept.accountWeight(integer(c[0])), uint64(integer(c[1])), uint64(integer(c[2])))
			}},
			{`account_id, effective_on, recorded_on, debit_minor, credit_minor FROM account_days`, func(c [][]byte) {
				key := dayKey{kept.accountWeight(integer(c[0])), int32(integer(c[1])), int32(integer(c[2]))}
				kept.days.add(kept.dayWeight(key), uint64(integer(c[3])), uint64(integer(c[4])))
			}},
			{`currency, debit_minor FROM currency_totals`, func(c [][]byte) {
				kept.currencies.add(kept.currencyWeight(string(c[0])), uint64(integer(c[1])), 0)
			}},
		} {
			if err := v.journal.readRows(conn, table.columns, table.add); err != nil {
				return fmt.Errorf("read the kept totals: %w", err)
			}
		}
		return nil
	})
	return kept, err
}

func (j *scan) readRows(conn *pgx.Conn, columns string, add func(columns [][]byte)) error {
	rows, err := conn.Query(j.ctx, `SELECT `+columns+` WHERE book_id = $1`, binaryColumns, j.book.ID)
	if err != nil {
		return err
	}
	defer rows.Close()
	for rows.Next() {
		add(rows.RawValues())
	}
	return rows.Err()
}

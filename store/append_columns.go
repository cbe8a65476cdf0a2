package store

import (
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"time"

	"daybook/store/ledger"
)

// columnsOf gives the arguments of append_entries that follow the version, a column each.
func columnsOf(batch ledger.Batch, keptDays int) ([]any, error) {
	var e entryColumns
	var p postingColumns
	k := keyColumns{replayed: map[int64]int64{}}
	for _, outcome := range batch.Outcomes {
		if outcome.Duplicate {
			k.replayed[outcome.Record.Seq]++
		}
	}
	for _, r := range batch.Records {
		if err := e.add(r); err != nil {
			return nil, err
		}
		p.add(r, batch.Facts.Accounts)
		if key, ok := batch.Keys[r.Seq]; ok {
			k.add(key, r, keptDays)
		}
	}
	return slices.Concat(e.arguments(), p.arguments(), k.arguments(), accountTotals(batch), accountDays(batch), currencyTotals(batch)), nil
}

type entryColumns struct {
	seqs, recordedBy, postingCounts               array[int64]
	approvals, reverses, replaces                 array[*int64]
	txIDs, kinds, descriptions, reasons, metadata array[string]
	effectiveOn, recordedAt                       array[time.Time]
	prevHashes, hashes                            array[[]byte]
}

func (c *entryColumns) add(r ledger.Record) error {
	metadata := []byte("{}")
	if len(r.Metadata) > 0 {
		var err error
		if metadata, err = json.Marshal(r.Metadata); err != nil {
			return fmt.Errorf("write the metadata of entry %d: %w", r.Seq, err)
		}
	}
	c.seqs, c.txIDs, c.kinds = append(c.seqs, r.Seq), append(c.txIDs, r.TxID), append(c.kinds, string(r.Kind))
	c.effectiveOn, c.recordedAt = append(c.effectiveOn, r.EffectiveOn.Time()), append(c.recordedAt, r.RecordedAt)
	c.descriptions, c.reasons = append(c.descriptions, r.Description), append(c.reasons, r.Reason)
	c.recordedBy, c.approvals = append(c.recordedBy, r.RecordedBy), append(c.approvals, nullable(r.ApprovalID))
	c.reverses, c.replaces = append(c.reverses, nullable(r.Reverses)), append(c.replaces, nullable(r.Replaces))
	c.postingCounts, c.metadata = append(c.postingCounts, int64(len(r.Postings))), append(c.metadata, string(metadata))
	c.prevHashes, c.hashes = append(c.prevHashes, r.PrevHash[:]), append(c.hashes, r.Hash[:])
	return nil
}

func (c *entryColumns) arguments() []any {
	return []any{
		c.seqs, c.txIDs, c.kinds, c.effectiveOn, c.recordedAt, c.descriptions, c.reasons, c.recordedBy,
		c.approvals, c.reverses, c.replaces, c.postingCounts, c.metadata, c.prevHashes, c.hashes,
	}
}

type postingColumns struct {
	seqs, lines, accounts, amounts array[int64]
	currencies                     array[string]
}

func (c *postingColumns) add(r ledger.Record, accounts map[string]ledger.Account) {
	for i, p := range r.Postings {
		c.seqs, c.lines = append(c.seqs, r.Seq), append(c.lines, int64(i+1))
		c.accounts, c.amounts = append(c.accounts, accounts[p.Account].ID), append(c.amounts, p.AmountMinor)
		c.currencies = append(c.currencies, p.Currency)
	}
}

func (c *postingColumns) arguments() []any {
	return []any{c.seqs, c.lines, c.accounts, c.amounts, c.currencies}
}

// keyColumns are the keys that settle with the batch. replayed counts, by entry, the retries that were in the batch already.
type keyColumns struct {
	keys          array[string]
	seqs, replays array[int64]
	fingerprints  array[[]byte]
	expiries      array[time.Time]
	replayed      map[int64]int64
}

func (c *keyColumns) add(key string, r ledger.Record, keptDays int) {
	fingerprint := r.Fingerprint()
	c.keys, c.seqs, c.replays = append(c.keys, key), append(c.seqs, r.Seq), append(c.replays, c.replayed[r.Seq])
	c.fingerprints, c.expiries = append(c.fingerprints, fingerprint[:]), append(c.expiries, r.RecordedAt.AddDate(0, 0, keptDays))
}

func (c *keyColumns) arguments() []any {
	return []any{c.keys, c.seqs, c.fingerprints, c.replays, c.expiries}
}

// accountTotals are the new totals of the accounts that the batch touches, in the order of their rows.
func accountTotals(batch ledger.Batch) []any {
	touched := map[int64]ledger.Turnover{}
	for _, r := range batch.Records {
		for _, p := range r.Postings {
			touched[batch.Facts.Accounts[p.Account].ID] = batch.Facts.Totals[p.Account]
		}
	}
	var ids, debits, credits array[int64]
	for _, id := range slices.Sorted(maps.Keys(touched)) {
		ids, debits, credits = append(ids, id), append(debits, touched[id].DebitMinor), append(credits, touched[id].CreditMinor)
	}
	return []any{ids, debits, credits}
}

// accountDay is an account on an effective day; all of a batch is recorded at one instant.
type accountDay struct {
	account   int64
	effective ledger.Date
}

// accountDays are what the batch adds per account, effective day and recorded day (UTC), in the order of their rows.
func accountDays(batch ledger.Batch) []any {
	added := map[accountDay]ledger.Turnover{}
	for _, r := range batch.Records {
		for _, p := range r.Postings {
			day := accountDay{batch.Facts.Accounts[p.Account].ID, r.EffectiveOn}
			added[day], _ = added[day].Add(p.AmountMinor) // a part of the account's turnover, which was checked
		}
	}
	recordedOn := ledger.DateOf(batch.Head.RecordedAt).Time()
	var ids, debits, credits array[int64]
	var effective, recorded array[time.Time]
	for _, day := range slices.SortedFunc(maps.Keys(added), func(a, b accountDay) int {
		return cmp.Or(cmp.Compare(a.account, b.account), a.effective.Compare(b.effective))
	}) {
		ids, effective, recorded = append(ids, day.account), append(effective, day.effective.Time()), append(recorded, recordedOn)
		debits, credits = append(debits, added[day].DebitMinor), append(credits, added[day].CreditMinor)
	}
	return []any{ids, effective, recorded, debits, credits}
}

// currencyTotals are the new totals of the book, for the currencies of the batch.
func currencyTotals(batch ledger.Batch) []any {
	touched := map[string]bool{}
	for _, r := range batch.Records {
		for _, p := range r.Postings {
			touched[p.Currency] = true
		}
	}
	var currencies array[string]
	var debits array[int64]
	for _, currency := range slices.Sorted(maps.Keys(touched)) {
		currencies, debits = append(currencies, currency), append(debits, batch.Facts.Currencies[currency])
	}
	return []any{currencies, debits}
}

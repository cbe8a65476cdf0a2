package store

import (
	"slices"

	"gorm.io/gorm"

	"daybook/recon"
	"daybook/store/ledger"
)

// BankAccount is an account that takes statements, as its newest reconciliation leaves it.
type BankAccount struct {
	Account          ledger.Account
	ReconciliationID int64 // 0 while there is no statement
	StatementTo      ledger.Date
	Status           string
	BalanceSource    recon.BalanceSource
	Proof            recon.Proof
	OpenBreaks       int         // of the account, whichever reconciliation holds them
	EarlierBreaks    int         // those of them that only earlier reconciliations hold
	EarliestOpen     int64       // the earliest reconciliation that found a break that is open, 0 for none
	OldestBreak      ledger.Date // the day of the account's oldest open break
	Unmatched        int         // postings since, that a new matching would look at
	// ReconciledTo is the end of the latest statement that is proven: nothing unexplained, no break open; but never past the day before
	// the period of EarliestOpen. It is zero where none of the last ones is, of which EarlierUnseen says whether there are more.
	ReconciledTo  ledger.Date
	EarlierUnseen bool
	openFrom      ledger.Date // the first day of the period of EarliestOpen
}

// Proven reports whether nothing is left to explain or to work on, now or from before.
func (b BankAccount) Proven() bool {
	return b.ReconciliationID != 0 && b.Proof.UnexplainedMinor == 0 && b.OpenBreaks == 0
}

// earlierLooked is how many reconciliations before the newest are looked at for one that is proven.
const earlierLooked = 12

const newestOfEach = `r.id IN (
	SELECT (SELECT n.id FROM reconciliations n WHERE n.book_id = a.book_id AND n.account_id = a.id AND n.status <> 'undone' ORDER BY n.scope_to DESC, n.id DESC LIMIT 1)
	  FROM accounts a WHERE a.book_id = ? AND a.reconcile_from IS NOT NULL)`

const earlierOfEach = `r.id IN (
	SELECT n.id FROM unnest(?::bigint[]) AS a (id)
	 CROSS JOIN LATERAL (SELECT n.id FROM reconciliations n WHERE n.book_id = ? AND n.account_id = a.id AND n.status <> 'undone' ORDER BY n.scope_to DESC, n.id DESC OFFSET 1 LIMIT ?) n)
	ORDER BY r.scope_to DESC, r.id DESC`

// readBanks reads the proofs of all accounts at once, by the same code as the page of a reconciliation.
func (o *Overview) readBanks(tx *gorm.DB, actor Actor) error {
	accounts, err := query[ledger.Account](tx, `SELECT `+accountColumns+` FROM accounts a
		WHERE a.book_id = ? AND a.reconcile_from IS NOT NULL ORDER BY a.code COLLATE "C"`, actor.Book.ID)
	if err != nil || len(accounts) == 0 {
		return err
	}
	newest, err := loadProofs(tx, actor.Book, newestOfEach, actor.Book.ID)
	if err != nil {
		return err
	}
	ids := make([]int64, len(newest))
	for i, r := range newest {
		ids[i] = r.ID
	}
	since, err := postingsSince(tx, actor.Book, ids...)
	if err != nil {
		return err
	}
	for _, account := range accounts {
		bank := BankAccount{Account: account}
		if i := slices.IndexFunc(newest, func(r Reconciliation) bool { return r.Account.ID == account.ID }); i >= 0 {
			bank = o.bankAccountOf(newest[i], since[newest[i].ID])
		}
		o.Banks = append(o.Banks, bank)
	}
	return o.readReconciledTo(tx, actor)
}

func (o *Overview) bankAccountOf(r Reconciliation, unmatched int) BankAccount {
	open, since, first := o.openOf(r.Account.ID)
	return BankAccount{
		Account: r.Account, ReconciliationID: r.ID, StatementTo: r.ScopeTo, Status: r.Status, BalanceSource: r.BalanceSource, Proof: r.Proof,
		OpenBreaks: open, EarlierBreaks: open - r.OpenBreaks, EarliestOpen: first.FoundBy, OldestBreak: since, Unmatched: unmatched,
		ReconciledTo: provenTo(r, first.ScopeFrom), openFrom: first.ScopeFrom,
	}
}

// provenTo is the last day up to which a reconciliation proves an account that has open breaks of periods from a day on; zero for none.
func provenTo(r Reconciliation, openFrom ledger.Date) ledger.Date {
	switch {
	case r.Proof.UnexplainedMinor != 0 || r.OpenBreaks > 0:
		return ledger.Date{}
	case openFrom.IsZero() || r.ScopeTo.Before(openFrom):
		return r.ScopeTo
	case r.ScopeFrom.Before(openFrom):
		return openFrom.AddDays(-1)
	}
	return ledger.Date{}
}

// readReconciledTo looks behind the newest reconciliation only where that one proves nothing.
func (o *Overview) readReconciledTo(tx *gorm.DB, actor Actor) error {
	var behind array[int64]
	for _, bank := range o.Banks {
		if bank.ReconciliationID != 0 && bank.ReconciledTo.IsZero() {
			behind = append(behind, bank.Account.ID)
		}
	}
	if len(behind) == 0 {
		return nil
	}
	earlier, err := loadProofs(tx, actor.Book, earlierOfEach, behind, actor.Book.ID, earlierLooked)
	if err != nil {
		return err
	}
	for i := range o.Banks {
		o.Banks[i].lookBehind(earlier)
	}
	return nil
}

// lookBehind takes the first of the reconciliations of the account that proves anything; the latest comes first.
func (b *BankAccount) lookBehind(earlier []Reconciliation) {
	looked := 0
	for _, r := range earlier {
		if r.Account.ID != b.Account.ID || !b.ReconciledTo.IsZero() {
			continue
		}
		looked++
		b.ReconciledTo = provenTo(r, b.openFrom)
	}
	b.EarlierUnseen = b.ReconciledTo.IsZero() && looked == earlierLooked
}

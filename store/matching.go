package store

import (
	"encoding/json"
	"fmt"
	"strconv"

	"gorm.io/gorm"

	"daybook/recon"
	"daybook/store/ledger"
)

// run is one matching of an account: everything on either side that is not matched or set aside, as of an entry of the journal.
type run struct {
	store       *Store
	tx          *gorm.DB
	actor       Actor
	account     ledger.Account
	id          int64        // the reconciliation
	ends        ledger.Date  // the end of what that reconciliation speaks for
	period      statedPeriod // the latest that the account's statements speak for
	latest      int64        // the reconciliation of that period, which holds what lies behind ends
	seq         int64        // the journal's head when the run began
	rules       recon.Rules
	lines       []lineItem
	entries     []postingItem
	result      recon.Result
	booked      []int64       // the entries that book differences which the rules allow, and
	bookedMinor int64         // by how much they move the account
	counted     []handPosting // what is in the matches that they are for
	// bookedBy is the entry that booked the difference of a match, by the place of the match's first line.
	bookedBy map[int]int64

	anyMatched, anyAside bool // whether the account has anything matched, or set aside

	progress *jobProgress
	fresh    []lineItem // lines that the statement being imported, of this number, brought: they need not be read
	brought  int64
}

type lineItem struct {
	ID          int64
	BookedOn    ledger.Date
	AmountMinor int64
	Currency    string
	Reference   string
	Description string
}

type postingItem struct {
	Seq         int64
	Line        int
	EffectiveOn ledger.Date
	AmountMinor int64
	Currency    string
	Reference   string
	Description string
	Correction  *int64
	Reverses    bool
}

// pairedDays is how far back matched lines are looked at, to recognise a duplicate of one of them.
const pairedDays = 31

func (r *run) match() error {
	var err error
	if r.seq, err = queryOne[int64](r.tx, "the book has no head", `SELECT seq FROM heads WHERE book_id = ?`, r.actor.Book.ID); err != nil {
		return err
	}
	if err := r.beginMatching(); err != nil {
		return err
	}
	if err := r.lookWhatIsTaken(); err != nil {
		return err
	}
	if r.lines, err = r.loadLines(false); err != nil {
		return fmt.Errorf("read the bank's side: %w", err)
	}
	r.lines = append(r.lines, r.fresh...)
	r.progress.add(len(r.fresh))
	if r.entries, err = r.loadPostings(false); err != nil {
		return fmt.Errorf("read the ledger's side: %w", err)
	}
	pairedLines, err := r.loadLines(true)
	if err != nil {
		return fmt.Errorf("read matched lines: %w", err)
	}
	pairedEntries, err := r.loadPostings(true)
	if err != nil {
		return fmt.Errorf("read matched postings: %w", err)
	}
	apart, err := loadApart(r.tx, r.actor.Book, r.account.ID)
	if err != nil {
		return err
	}
	in := recon.Input{
		Currency: r.account.Currency, Rules: r.rules, Period: recon.Period{From: r.period.From, To: r.period.To, Stated: r.period.Stated},
		Ledger: r.ledgerItems(r.entries), Bank: bankItems(r.lines), PairedLedger: r.ledgerItems(pairedEntries), PairedBank: bankItems(pairedLines),
	}
	if r.result, err = abandonable(r.tx.Statement.Context, func() recon.Result { return r.matchBut(apart, in) }); err != nil {
		return err
	}
	if err := r.bookDifferences(); err != nil {
		return err
	}
	r.progress.begin(PhaseKeeping, r.rowsToKeep())
	return r.keep()
}

// rowsToKeep is how many matches and breaks were found, and lines and postings in them.
func (r *run) rowsToKeep() int {
	n := len(r.result.Matches) + len(r.result.Breaks)
	for _, m := range r.result.Matches {
		n += len(m.Ledger) + len(m.Bank)
	}
	for _, b := range r.result.Breaks {
		n += len(b.Ledger) + len(b.Bank)
	}
	return n
}

// beginMatching says how many lines and postings are looked at, about, where somebody follows it.
func (r *run) beginMatching() error {
	if r.progress == nil {
		return nil
	}
	both, err := queryOne[int](r.tx, "no count", `
		SELECT (SELECT count(*) FROM statement_lines WHERE book_id = ? AND account_id = ? AND NOT undone) + (SELECT count(*) FROM postings WHERE book_id = ? AND account_id = ? AND seq <= ?)`,
		r.actor.Book.ID, r.account.ID, r.actor.Book.ID, r.account.ID, r.seq)
	r.progress.begin(PhaseMatching, both)
	return err
}

func bankItems(lines []lineItem) []recon.Item {
	items := make([]recon.Item, len(lines))
	for i, l := range lines {
		items[i] = recon.Item{ID: fmt.Sprintf("%018d", l.ID), Date: l.BookedOn, AmountMinor: l.AmountMinor, Currency: l.Currency,
			Reference: l.Reference, Text: l.Description}
	}
	return items
}

// ledgerItems makes postings outside the time that the statements speak for candidates: they may match, but never break.
func (r *run) ledgerItems(postings []postingItem) []recon.Item {
	items := make([]recon.Item, len(postings))
	for i, p := range postings {
		items[i] = recon.Item{ID: fmt.Sprintf("%018d.%06d", p.Seq, p.Line), Date: p.EffectiveOn, AmountMinor: p.AmountMinor, Currency: p.Currency,
			Reference: p.Reference, Text: p.Description, Reverses: p.Reverses, Candidate: p.EffectiveOn.Before(r.account.ReconcileFrom) || p.EffectiveOn.After(r.period.To)}
		if p.Correction != nil {
			items[i].Correction = strconv.FormatInt(*p.Correction, 10)
		}
	}
	return items
}

// startReconciliation opens the reconciliation of a new statement, runs the matching, and works out both balances.
func (s *Store) startReconciliation(tx *gorm.DB, actor Actor, account ledger.Account, statementID int64, period statedPeriod,
	closingMinor *int64, fresh []lineItem, progress *jobProgress) (int64, error) {
	id, err := nextNumber(tx, actor.Book.ID, "reconciliation", 1)
	if err != nil {
		return 0, err
	}
	rules, err := latestRules(tx, actor.Book, account.ID)
	if err != nil {
		return 0, err
	}
	text, err := json.Marshal(rules)
	if err != nil {
		return 0, err
	}
	if _, err := exec(tx, `
		INSERT INTO reconciliations (book_id, id, account_id, statement_id, status, version, rules, scope_from, scope_to, period_stated,
		                             ledger_seq, ledger_minor, statement_minor, balance_source, created_at)
		VALUES (?, ?, ?, ?, 'open', 1, CAST(? AS jsonb), ?, ?, ?, 0, 0, 0, 'assumed', ?)`,
		actor.Book.ID, id, account.ID, statementID, string(text), period.From, period.To, period.Stated, s.now()); err != nil {
		return 0, err
	}
	r := &run{store: s, tx: tx, actor: actor, account: account, id: id, ends: period.To, rules: rules, fresh: fresh, brought: statementID, progress: progress}
	if err := r.findLatest(); err != nil {
		return 0, err
	}
	if err := r.match(); err != nil {
		return 0, err
	}
	if err := r.setBalances(period, closingMinor); err != nil {
		return 0, err
	}
	if err := countPostings(tx, actor.Book, account.ID, r.counted); err != nil {
		return 0, err
	}
	return id, r.checkSums()
}

// findLatest finds the reconciliation of the account that reaches furthest: a statement that comes late does not shorten the time
// that the statements speak for.
func (r *run) findLatest() error {
	row, err := queryOne[struct {
		ID                 int64
		Status             string
		ScopeFrom, ScopeTo ledger.Date
		PeriodStated       bool
	}](r.tx, "the account has no reconciliation", `
		SELECT id, status, scope_from, scope_to, period_stated FROM reconciliations
		 WHERE book_id = ? AND account_id = ? AND status <> 'undone' ORDER BY scope_to DESC, id DESC LIMIT 1`,
		r.actor.Book.ID, r.account.ID)
	r.latest, r.period = row.ID, statedPeriod{From: row.ScopeFrom, To: row.ScopeTo, Stated: row.PeriodStated}
	if row.Status != ReconciliationOpen { // it takes nothing more
		r.latest = r.id
	}
	return err
}

// home is the reconciliation that holds what a run finds: its own, or the latest when all of it lies behind the end of its own.
func (r *run) home(postings, lines []int) int64 {
	for _, i := range lines {
		if !r.lines[i].BookedOn.After(r.ends) {
			return r.id
		}
	}
	for _, i := range postings {
		if !r.entries[i].EffectiveOn.After(r.ends) {
			return r.id
		}
	}
	return r.latest
}

// setBalances works out both balances of a new reconciliation, and those of others that its lines belong to as well.
func (r *run) setBalances(period statedPeriod, closingMinor *int64) error {
	ledgerMinor, err := r.ledgerBalance(period.To)
	if err != nil {
		return err
	}
	var statementMinor int64
	source := recon.AssumedOpening
	if closingMinor != nil {
		statementMinor, source = *closingMinor, recon.StatedClosing
	}
	if _, err := exec(r.tx, `UPDATE reconciliations SET ledger_seq = ?, ledger_minor = ?, statement_minor = ?, balance_source = ? WHERE book_id = ? AND id = ?`,
		r.seq, ledgerMinor, statementMinor, source, r.actor.Book.ID, r.id); err != nil {
		return err
	}
	return rebalance(r.tx, r.actor.Book, r.account.ID)
}

package store

import "daybook/recon"

// BankState says how a posting stands at the bank: in a match, in a break, or in neither. An open break is named by its type.
type BankState string

// The states besides the types of open breaks. BankOpen narrows to all of those; no posting has it.
const (
	BankMatched       BankState = "matched"
	BankReversedPair  BankState = "reversed_pair"
	BankCarried       BankState = "carried_forward" // in a break that was carried forward, as timing is
	BankResolved      BankState = "resolved"        // in a break that was resolved in another way
	BankNotReconciled BankState = "not_reconciled"  // no statement was held against it yet
	BankOutOfScope    BankState = "out_of_scope"    // before the day from which postings must be on a statement
	BankOpen          BankState = "open"
)

// BankStates are those that a statement can be narrowed to.
func BankStates() []BankState {
	states := []BankState{BankMatched, BankReversedPair, BankOpen}
	for _, t := range recon.BreakTypes() {
		switch t {
		case recon.MissingInLedger, recon.DuplicateInBank, recon.Balance: // are of the bank's side alone
		default:
			states = append(states, BankState(t))
		}
	}
	return append(states, BankCarried, BankResolved, BankNotReconciled, BankOutOfScope)
}

// bankState is the state of a posting p of an entry e that bankJoins have joined. A posting is in one live match and one live break at most;
// where it is in both, the break was resolved by the match.
const bankState = `CASE
	WHEN m.kind = 'reversed_pair' THEN 'reversed_pair'
	WHEN m.id IS NOT NULL THEN 'matched'
	WHEN b.status <> 'resolved' THEN b.type
	WHEN b.resolution = 'carried_forward' THEN 'carried_forward'
	WHEN b.id IS NOT NULL THEN 'resolved'
	WHEN e.effective_on < CAST(@reconcile_from AS date) THEN 'out_of_scope'
	ELSE 'not_reconciled' END`

// narrowed reports whether the bank's side decides which postings are listed.
func (l *statementList) narrowed() bool { return l.q.Bank != "" }

// bankJoins join the live match m and the live break b of a posting p, for accounts with statements.
func (l *statementList) bankJoins() string {
	if l.head.ReconciliationID == 0 && !l.narrowed() {
		return ""
	}
	return `
		LEFT JOIN match_postings mp ON mp.book_id = p.book_id AND mp.seq = p.seq AND mp.line = p.line AND mp.live
		LEFT JOIN matches m ON m.book_id = mp.book_id AND m.id = mp.match_id
		LEFT JOIN break_postings bp ON bp.book_id = p.book_id AND bp.seq = p.seq AND bp.line = p.line AND bp.live
		LEFT JOIN breaks b ON b.book_id = bp.book_id AND b.id = bp.break_id`
}

// bankColumns are those of what bankJoins join, bankNames the same of a row that has them already.
func (l *statementList) bankColumns() string {
	if l.bankJoins() == "" {
		return ""
	}
	return `, ` + bankState + ` AS bank, coalesce(m.reconciliation_id, 0) AS reconciliation_id, coalesce(b.id, 0) AS break_id, coalesce(b.resolution, '') AS resolution`
}

func (l *statementList) bankNames(row string) string {
	if l.bankJoins() == "" {
		return ""
	}
	return `, ` + row + `.bank, ` + row + `.reconciliation_id, ` + row + `.break_id, ` + row + `.resolution`
}

// found is the condition that a posting p is among those asked for.
func (l *statementList) found() string {
	condition := "true" + l.q.Side.of()
	switch l.q.Bank {
	case "":
	case BankOpen:
		condition += ` AND m.id IS NULL AND b.status <> 'resolved'`
	default:
		condition += ` AND ` + bankState + ` = @bank`
	}
	return condition
}

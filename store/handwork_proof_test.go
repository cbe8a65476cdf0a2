package store_test

import (
	"fmt"
	"testing"

	"github.com/jackc/pgx/v5"
)

// place is where a line or a posting stands: in live matches and breaks, of which it may have one in all.
type place struct {
	Name     string
	Day      string
	Minor    int64
	Matches  int64
	Breaks   int64
	MatchID  int64
	BreakID  int64
	Seq      int64
	File     int64 // the statement that brought it
	IsLedger bool
}

// scopeRow is a reconciliation as it is stored.
type scopeRow struct {
	ID        int64
	To        string
	LedgerSeq int64
	From      string
	File      int64
	Stated    bool
	Begins    string
	Minor     int64 // per statement
	Status    string
	// AccountFrom is the account's reconcile_from, Assumed the day before which the balance was assumed, "" where it was not.
	AccountFrom, Assumed string
}

// isProven asks for an account without faults.
func (b bundle) isProven(t *testing.T, code string) {
	t.Helper()
	for _, fault := range b.faultsOf(t, code) {
		t.Error(fault)
	}
}

// faultsOf recomputes an account from what the tables hold and compares: every line and posting in scope is in exactly one live match or
// break, matches add up, breaks differ by what they say, and each proof leaves unexplained what its open breaks differ by at its end.
func (b bundle) faultsOf(t *testing.T, code string) (faults []string) {
	t.Helper()
	conn := b.owner(t)
	defer conn.Close(t.Context())
	places := rowsOf[place](t, conn, `
		SELECT 'row ' || l.statement_id || '.' || l.row AS name, l.booked_on::text AS day, CASE WHEN l.currency = a.currency THEN l.amount_minor ELSE 0 END AS minor,
		       (SELECT count(*) FROM match_lines i WHERE i.book_id = l.book_id AND i.line_id = l.id AND i.live) AS matches,
		       (SELECT count(*) FROM break_lines i WHERE i.book_id = l.book_id AND i.line_id = l.id AND i.live) AS breaks,
		       (SELECT coalesce(max(i.match_id), 0) FROM match_lines i WHERE i.book_id = l.book_id AND i.line_id = l.id AND i.live) AS match_id,
		       (SELECT coalesce(max(i.break_id), 0) FROM break_lines i WHERE i.book_id = l.book_id AND i.line_id = l.id AND i.live) AS break_id,
		       0::bigint AS seq, l.statement_id AS file, false AS is_ledger
		  FROM statement_lines l JOIN accounts a ON a.book_id = l.book_id AND a.id = l.account_id WHERE a.code = $1 AND NOT l.undone
		UNION ALL
		SELECT 'entry ' || p.seq || '.' || p.line, e.effective_on::text, p.amount_minor,
		       (SELECT count(*) FROM match_postings i WHERE i.book_id = p.book_id AND i.seq = p.seq AND i.line = p.line AND i.live),
		       (SELECT count(*) FROM break_postings i WHERE i.book_id = p.book_id AND i.seq = p.seq AND i.line = p.line AND i.live),
		       (SELECT coalesce(max(i.match_id), 0) FROM match_postings i WHERE i.book_id = p.book_id AND i.seq = p.seq AND i.line = p.line AND i.live),
		       (SELECT coalesce(max(i.break_id), 0) FROM break_postings i WHERE i.book_id = p.book_id AND i.seq = p.seq AND i.line = p.line AND i.live), p.seq, 0, true
		  FROM postings p JOIN entries e ON e.book_id = p.book_id AND e.seq = p.seq JOIN accounts a ON a.book_id = p.book_id AND a.id = p.account_id WHERE a.code = $1`, code)
	scopes := rowsOf[scopeRow](t, conn, `
		SELECT r.id, r.scope_to::text AS to, r.ledger_seq, a.reconcile_from::text AS from, r.statement_id AS file, r.balance_source = 'stated' AS stated,
		       a.reconcile_from::text AS account_from, coalesce(r.assumed_from::text, '') AS assumed,
		       r.scope_from::text AS begins, r.statement_minor AS minor, r.status
		  FROM reconciliations r JOIN accounts a ON a.book_id = r.book_id AND a.id = r.account_id
		 WHERE a.code = $1 AND r.status <> 'undone' ORDER BY r.scope_to, r.id`, code)
	faults = append(misplaced(places, scopes[len(scopes)-1]), wrongSums(t, conn, code, places)...)
	for _, r := range scopes {
		faults = append(faults, b.wrongProof(t, conn, places, r, statedBefore(scopes, r))...)
	}
	return faults
}

// rowsOf reads rows by the names of their columns.
func rowsOf[T any](t *testing.T, conn *pgx.Conn, query string, args ...any) []T {
	t.Helper()
	rows, err := conn.Query(t.Context(), query, args...)
	if err != nil {
		t.Fatalf("%s: %v", query, err)
	}
	found, err := pgx.CollectRows(rows, pgx.RowToStructByNameLax[T])
	if err != nil {
		t.Fatalf("%s: %v", query, err)
	}
	return found
}

func misplaced(places []place, latest scopeRow) (faults []string) {
	for _, p := range places {
		outside := p.IsLedger && (p.Day < latest.From || p.Day > latest.To || p.Seq > latest.LedgerSeq)
		if n := p.Matches + p.Breaks; n > 1 || n == 0 && !outside {
			faults = append(faults, fmt.Sprintf("%s of %s is in %d live matches and %d live breaks", p.Name, p.Day, p.Matches, p.Breaks))
		}
	}
	return faults
}

func wrongSums(t *testing.T, conn *pgx.Conn, code string, places []place) (faults []string) {
	t.Helper()
	matches, breaks := map[int64]int64{}, map[int64]int64{}
	for _, p := range places {
		minor := p.Minor
		if !p.IsLedger {
			minor = -minor
		}
		if p.MatchID != 0 {
			matches[p.MatchID] += minor
		}
		if p.BreakID != 0 {
			breaks[p.BreakID] += minor
		}
	}
	for id, minor := range matches {
		if minor != 0 {
			faults = append(faults, fmt.Sprintf("the sides of match %d differ by %d", id, minor))
		}
	}
	for _, row := range rowsOf[struct{ ID, DifferenceMinor int64 }](t, conn, `
		SELECT b.id, b.difference_minor FROM breaks b JOIN accounts a ON a.book_id = b.book_id AND a.id = b.account_id WHERE b.live AND a.code = $1`, code) {
		if minor, held := breaks[row.ID]; held && minor != row.DifferenceMinor {
			faults = append(faults, fmt.Sprintf("break %d says that it differs by %d, and what it holds by %d", row.ID, row.DifferenceMinor, minor))
		}
	}
	for _, fault := range rowsOf[struct{ Fault string }](t, conn, `
		WITH a AS (SELECT id FROM accounts WHERE code = $1)
		SELECT 'match ' || m.id || ' is live as ' || m.live AS fault FROM matches m JOIN a ON a.id = m.account_id
		 WHERE m.live <> (EXISTS (SELECT FROM match_lines i WHERE i.book_id = m.book_id AND i.match_id = m.id AND i.live)
		                  OR EXISTS (SELECT FROM match_postings i WHERE i.book_id = m.book_id AND i.match_id = m.id AND i.live))
		UNION ALL
		SELECT 'break ' || b.id || ' is ' || b.status || ' ' || coalesce(b.resolution, '') || ' and holds something: ' || x.holds FROM breaks b JOIN a ON a.id = b.account_id
		 CROSS JOIN LATERAL (SELECT EXISTS (SELECT FROM break_lines i WHERE i.book_id = b.book_id AND i.break_id = b.id AND i.live)
		                         OR EXISTS (SELECT FROM break_postings i WHERE i.book_id = b.book_id AND i.break_id = b.id AND i.live) AS holds) x
		 WHERE b.type <> 'balance' AND x.holds = (b.resolution IS NOT NULL AND b.resolution IN ('matched', 'adjusted', 'written_off', 'reversed', 'superseded'))
		UNION ALL
		SELECT 'break ' || b.id || ' is resolved as ' || coalesce(b.resolution, 'nothing') || ', its history ends with ' || coalesce(e.resolution, 'nothing') FROM breaks b JOIN a ON a.id = b.account_id
		 CROSS JOIN LATERAL (SELECT e.resolution FROM break_events e WHERE e.book_id = b.book_id AND e.break_id = b.id
		                        AND e.event NOT IN ('commented', 'assigned') ORDER BY e.n DESC LIMIT 1) e
		 WHERE b.resolution IS DISTINCT FROM e.resolution`, code) {
		faults = append(faults, fault.Fault)
	}
	return faults
}

// statedBefore finds the last reconciliation up to the end of r whose file states a balance, of which its own goes on; nil where none does.
func statedBefore(scopes []scopeRow, r scopeRow) *scopeRow {
	var last *scopeRow
	for _, p := range scopes {
		if p.Stated && (p.ID == r.ID || !r.Stated && p.To <= r.To) {
			last = &p
		}
	}
	return last
}

// wrongProof holds a proof against what its open breaks differ by. Where a file states a balance, whatever this lacks of what is known by then is
// unexplained as well: no break stands for it.
func (b bundle) wrongProof(t *testing.T, conn *pgx.Conn, places []place, r scopeRow, stated *scopeRow) (faults []string) {
	t.Helper()
	taken := map[int64]bool{}
	for _, row := range rowsOf[struct{ Seq int64 }](t, conn, `SELECT seq FROM reconciliation_postings WHERE reconciliation_id = $1`, r.ID) {
		taken[row.Seq] = true
	}
	explained := map[int64]bool{}
	for _, row := range rowsOf[struct{ ID int64 }](t, conn, `SELECT id FROM breaks WHERE resolution IN ('carried_forward', 'external')`) {
		explained[row.ID] = true
	}
	var ledgerMinor, unexplained, earlyMinor, lacks int64
	first := rowsOf[struct{ Day string }](t, conn, `SELECT min(f.scope_from)::text AS day FROM reconciliations f JOIN reconciliations r ON r.account_id = f.account_id WHERE f.status <> 'undone' AND r.id = $1`, r.ID)[0].Day
	if stated != nil {
		lacks = -stated.Minor
	}
	for _, p := range places {
		late := p.File > r.File && !r.Stated && r.Status != "open" // a later file brought it: the balance stays as it was
		if p.Day > r.To || late || p.IsLedger && p.Seq > r.LedgerSeq && !taken[p.Seq] {
			continue
		}
		minor := p.Minor
		if p.IsLedger {
			ledgerMinor += minor
		} else {
			minor = -minor
		}
		early := p.IsLedger && p.MatchID == 0 && p.BreakID == 0 && p.Day < r.AccountFrom && p.Day >= first && (r.Assumed == "" || p.Day >= r.Assumed)
		if p.BreakID != 0 && !explained[p.BreakID] || early && stated == nil {
			unexplained += minor
		}
		if early {
			earlyMinor += minor
		}
		if stated != nil && (p.IsLedger && p.MatchID == 0 && p.BreakID == 0 || !p.IsLedger && p.Day <= stated.To && (p.File <= stated.File || p.Day < stated.Begins || stated.ID == r.ID)) {
			lacks += p.Minor
		}
	}
	found, err := b.Reconciliation(t.Context(), b.viewer, r.ID)
	if err != nil {
		t.Fatal(err)
	}
	if got := found.Early; stated == nil && (got == nil && earlyMinor != 0 || got != nil && got.AmountMinor != earlyMinor) {
		faults = append(faults, fmt.Sprintf("reconciliation %d says that %+v are dated before %s, they come to %d", r.ID, got, r.AccountFrom, earlyMinor))
	}
	if found.Proof.LedgerMinor != ledgerMinor {
		faults = append(faults, fmt.Sprintf("reconciliation %d says that the ledger has %d at %s, the postings add up to %d", r.ID, found.Proof.LedgerMinor, r.To, ledgerMinor))
	}
	if unexplained += lacks; found.Proof.UnexplainedMinor != unexplained {
		faults = append(faults, fmt.Sprintf("reconciliation %d to %s leaves %d unexplained, its open breaks differ by %d: %+v", r.ID, r.To, found.Proof.UnexplainedMinor, unexplained, found.Proof))
	}
	return faults
}

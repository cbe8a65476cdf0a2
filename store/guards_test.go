package store_test

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
)

// insertEntry is an entry as a forger with all rights would write it, chained to the head. The placeholders are seq, lines and tx id.
const insertEntry = `INSERT INTO entries (book_id, seq, tx_id, kind, effective_on, recorded_at, description, reason, recorded_by, part, posting_count, metadata, prev_hash, hash)
	SELECT 1, %seq%, '%tx%', 'entry', '2026-03-01', recorded_at, 'forged', '', 1, 0, %lines%, '{}', hash, sha256('forged') FROM heads WHERE book_id = 1`

func forged(seq, lines, txID string) string {
	return strings.NewReplacer("%seq%", seq, "%lines%", lines, "%tx%", txID).Replace(insertEntry)
}

func insertPair(seq, lines string, minor ...string) string {
	return `INSERT INTO postings (book_id, seq, line, account_id, amount_minor, currency) VALUES
		(1, ` + seq + `, ` + lines + `, 1, ` + minor[0] + `, 'EUR'), (1, ` + seq + `, ` + lines + ` + 1, 2, ` + minor[1] + `, 'EUR')`
}

func TestGuards_RefuseASuperuser(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.post(t, entry("t1"), entry("t2"))
	owner := b.owner(t)
	for name, test := range map[string]struct {
		statements []string
		want       string
	}{
		"UpdateOfAnEntry":          {[]string{`UPDATE entries SET description = 'x' WHERE seq = 1`}, "DB001"},
		"DeletionOfAnEntry":        {[]string{`DELETE FROM entries WHERE seq = 2`}, "DB001"},
		"TruncationOfEntries":      {[]string{`TRUNCATE entries CASCADE`}, "DB001"},
		"UpdateOfAPosting":         {[]string{`UPDATE postings SET amount_minor = 1`}, "DB001"},
		"DeletionOfAPosting":       {[]string{`DELETE FROM postings`}, "DB001"},
		"TruncationOfPostings":     {[]string{`TRUNCATE postings CASCADE`}, "DB001"},
		"TruncationInReplicaMode":  {[]string{`SET LOCAL session_replication_role = replica`, `TRUNCATE entries CASCADE`}, "DB001"},
		"UpdateInReplicaMode":      {[]string{`SET LOCAL session_replication_role = replica`, `UPDATE entries SET description = 'x'`}, "DB001"},
		"PostingsInReplicaMode":    {[]string{`SET LOCAL session_replication_role = replica`, insertPair("3", "1", "5", "-5")}, "DB012"},
		"EntryInReplicaMode":       {[]string{insertPair("3", "1", "5", "-5"), `SET LOCAL session_replication_role = replica`, forged("3", "2", "x")}, "DB012"},
		"EntryForEver":             {[]string{insertPair("3", "1", "5", "-5"), strings.Replace(forged("3", "2", "x"), "recorded_at, 'forged'", "'infinity', 'forged'", 1)}, "23514"},
		"EntryOfNoDay":             {[]string{insertPair("3", "1", "5", "-5"), strings.Replace(forged("3", "2", "x"), "2026-03-01", "-infinity", 1)}, "23514"},
		"UnbalancedEntry":          {[]string{insertPair("3", "1", "5", "-4"), forged("3", "2", "x")}, "DB004"},
		"EntryWithoutPostings":     {[]string{forged("3", "0", "x")}, "DB004"},
		"EntryWithOtherCount":      {[]string{insertPair("3", "1", "5", "-5"), forged("3", "3", "x")}, "DB004"},
		"BalancedPairInAnOldEntry": {[]string{insertPair("1", "3", "5", "-5")}, "DB002"},
		"PairSlippedIntoAnOpenOne": {[]string{insertPair("3", "1", "5", "-5"), forged("3", "2", "x"), insertPair("3", "3", "5", "-5")}, "DB002"},
		"GapInTheNumbers":          {[]string{insertPair("4", "1", "5", "-5"), forged("4", "2", "x")}, "DB003"},
		"BrokenChain":              {[]string{insertPair("3", "1", "5", "-5"), strings.Replace(forged("3", "2", "x"), "'{}', hash,", "'{}', sha256('x'),", 1)}, "DB007"},
		"TxIDAgain":                {[]string{insertPair("3", "1", "5", "-5"), forged("3", "2", "t1")}, "23505"},
		"PostingsWithoutAnEntry":   {[]string{insertPair("3", "1", "5", "-5"), `SET CONSTRAINTS ALL IMMEDIATE`}, "23503"},
		"PostingInAnotherCurrency": {[]string{strings.Replace(insertPair("3", "1", "5", "-5"), "'EUR'", "'USD'", 1)}, "23503"},
		"HeadMovedByHand":          {[]string{`UPDATE heads SET seq = 7`}, "DB005"},
		"HeadMovedBack":            {[]string{`UPDATE heads SET seq = 1`}, "DB005"},
		"DeletionOfTheHead":        {[]string{`DELETE FROM heads`}, "DB001"},
		"ChangeOfTheAuditLog":      {[]string{`UPDATE audit_log SET outcome = 'done'`}, "DB001"},
		"TruncationOfTheAuditLog":  {[]string{`TRUNCATE audit_log`}, "DB001"},
		"EntryInAClosedPeriod": {[]string{
			`INSERT INTO periods (book_id, period, closed_at, closed_by) VALUES (1, '2026-03', now(), 1)`, insertPair("3", "1", "5", "-5"), forged("3", "2", "x"),
		}, "DB013"},
		"ChangeOfAccountRules":     {[]string{`INSERT INTO account_rules VALUES (1, 3, 2, '{"Version": 2}', '', 1, now())`, `UPDATE account_rules SET note = 'x'`}, "DB001"},
		"TruncationOfAccountRules": {[]string{`TRUNCATE account_rules`}, "DB001"},
		"TruncationOfPeriods":      {[]string{`TRUNCATE periods`}, "DB001"},
		"OtherCurrencyOfAnAccount": {[]string{`UPDATE accounts SET currency = 'USD' WHERE id = 3`}, "DB010"},
		"SecondBookWithOurHistory": {[]string{`INSERT INTO books VALUES (2, 'two', 'Two', 'EUR', 30, now())`, `INSERT INTO heads VALUES (2, 5, sha256('genesis'), now())`}, "DB008"},
	} {
		t.Run(name, func(t *testing.T) {
			if got := attempt(t, owner, test.statements...); got != test.want {
				t.Errorf("gave %q, want %s", got, test.want)
			}
		})
	}
	b.post(t, entry("t3"))
}

// attempt runs statements in one transaction that is rolled back, and gives the SQLSTATE of the first that failed.
func attempt(t *testing.T, conn *pgx.Conn, statements ...string) string {
	t.Helper()
	tx, err := conn.Begin(t.Context())
	ok(t, err)
	defer func() { ok(t, tx.Rollback(t.Context())) }()
	for _, statement := range statements {
		_, err := tx.Exec(t.Context(), statement)
		var pg *pgconn.PgError
		if errors.As(err, &pg) {
			return pg.Code
		}
		ok(t, err)
	}
	return ""
}

func TestGuards_KeepWhatTheBankSent(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.post(t, entry("t1", on("2026-03-02"), amount(1000)))
	b.upload(t, csv("2026-03-02,10.00,t1", "2026-03-03,1.00,t2"))
	owner := b.owner(t)
	for _, statement := range []string{
		`UPDATE statement_lines SET amount_minor = 1`, `DELETE FROM statement_lines`, `TRUNCATE statement_lines CASCADE`,
		`UPDATE statements SET closing_minor = 1`, `UPDATE matches SET why = ''`, `UPDATE match_lines SET line_id = 2`, `UPDATE break_lines SET line_id = 1`,
	} {
		if got := attempt(t, owner, statement); got != "DB001" {
			t.Errorf("%s: %q, want a refusal", statement, got)
		}
	}
	if got := attempt(t, owner, `UPDATE match_lines SET live = false`); got != "" {
		t.Errorf("taking a match apart is refused as %s", got)
	}
}

func TestGuards_LetAWholeEntryIn(t *testing.T) {
	t.Parallel()
	b := setup(t)
	if got := attempt(t, b.owner(t), insertPair("1", "1", "5", "-5"), forged("1", "2", "x"), `SET CONSTRAINTS ALL IMMEDIATE`); got != "" {
		t.Fatalf("the guards refuse a whole entry as %s: what they refuse proves nothing", got)
	}
}

func TestAppRole_OnlyAddsToTheJournal(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.post(t, entry("t1"))
	// A cloned database has the tables' rights but not the database's own: give them as Prepare does.
	b.sql(t, `SELECT grant_app_rights(name::name) FROM app_role`)
	conn, err := pgx.Connect(t.Context(), b.appURL)
	ok(t, err)
	defer conn.Close(t.Context())
	for _, statement := range []string{
		`UPDATE entries SET description = 'x'`, `DELETE FROM entries`, `TRUNCATE entries`, `UPDATE postings SET amount_minor = 1`, `DELETE FROM postings`,
		`UPDATE heads SET hash = sha256('x')`, `DELETE FROM audit_log`, `UPDATE approval_decisions SET note = ''`, `DELETE FROM break_events`,
		`SELECT password FROM app_role`, `CREATE TABLE x (i int)`, `CREATE TEMP TABLE heads (i int)`, `ALTER TABLE entries DISABLE TRIGGER ALL`,
		`SET session_replication_role = replica`, `DELETE FROM users`, `UPDATE users SET email = 'x'`, `UPDATE books SET code = 'x'`,
		`UPDATE accounts SET code = 'x'`, `UPDATE breaks SET account_id = 1`, `UPDATE reconciliations SET scope_to = scope_from`,
		`UPDATE idempotency_keys SET fingerprint = ''`, `UPDATE tokens SET rights = NULL`, `UPDATE periods SET period = '2020-01'`,
	} {
		if got := attempt(t, conn, statement); got != "42501" {
			t.Errorf("%s: %q, want insufficient privilege", statement, got)
		}
	}
}

func TestGuardsOff(t *testing.T) {
	t.Parallel()
	b := setup(t)
	owner := b.owner(t)
	off, err := b.GuardsOff(t.Context())
	ok(t, err)
	if len(off) > 0 {
		t.Errorf("of a new database these are off: %v", off)
	}
	// Whatever guard a migration adds must be looked for: with all of them off, all are named.
	all := b.column(t, `SELECT c.relname || '.' || g.tgname FROM pg_trigger g JOIN pg_class c ON c.oid = g.tgrelid WHERE g.tgenabled = 'A' AND NOT g.tgisinternal
		ORDER BY (c.relname || '.' || g.tgname) COLLATE "C"`)
	for i, name := range all {
		table, trigger, _ := strings.Cut(name, ".")
		statement := `ALTER TABLE ` + table + ` ENABLE TRIGGER ` + trigger
		if i%2 == 0 {
			statement = `DROP TRIGGER ` + trigger + ` ON ` + table
		}
		_, err := owner.Exec(t.Context(), statement)
		ok(t, err)
	}
	off, err = b.GuardsOff(t.Context())
	ok(t, err)
	if !slices.Equal(off, all) {
		t.Errorf("off are %v, named are %v", all, off)
	}
}

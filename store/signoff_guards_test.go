package store_test

import (
	"strings"
	"testing"

	"daybook/store"
)

// keptTables are those that a sign-off writes.
var keptTables = []string{
	"reconciliation_events", "signoffs", "signoff_matches", "signoff_match_lines", "signoff_match_postings", "signoff_breaks", "signoff_break_lines",
	"signoff_break_postings", "signoff_explained", "signoff_adjustments",
}

func TestGuards_KeepWhatWasSignedOff(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.signedMarch(t)
	owner := b.owner(t)
	refuse := func(want string, statements ...string) {
		t.Helper()
		for _, replica := range []bool{false, true} {
			all := statements
			if replica {
				all = append([]string{`SET LOCAL session_replication_role = replica`}, statements...)
			}
			if got := attempt(t, owner, all...); got != want {
				t.Errorf("%s, as a replica %v: %q, want %s", strings.Join(statements, "; "), replica, got, want)
			}
		}
	}
	for _, table := range keptTables {
		refuse("DB001", `TRUNCATE `+table+` CASCADE`)
		if table == "signoff_adjustments" { // of which March has none
			continue
		}
		refuse("DB001", `UPDATE `+table+` SET reconciliation_id = reconciliation_id + 1`)
		refuse("DB001", `DELETE FROM `+table)
		if strings.HasPrefix(table, "signoff_") {
			refuse("DB021", `INSERT INTO `+table+` SELECT * FROM (SELECT (jsonb_populate_record(x, '{"match_id":99,"break_id":99,"n":99}')).* FROM `+table+` x LIMIT 1) y`)
		}
	}
	for _, statement := range []string{
		`UPDATE reconciliations SET ledger_minor = 1`, `UPDATE reconciliations SET scope_to = scope_to + 1`, `DELETE FROM reconciliations`, `TRUNCATE reconciliations CASCADE`,
		`UPDATE matches SET live = false`, `UPDATE match_lines SET live = false`, `UPDATE match_postings SET live = false`, `DELETE FROM matches`,
		`UPDATE statement_lines SET amount_minor = 1`, `TRUNCATE statements CASCADE`, `TRUNCATE books CASCADE`,
	} {
		refuse("DB001", statement)
	}
	for _, statement := range []string{`UPDATE reconciliations SET status = 'open'`, `UPDATE reconciliations SET status = 'open', version = 2`, `UPDATE reconciliations SET version = 2`} {
		refuse("DB022", statement)
	}
	refuse("DB020", `INSERT INTO signoffs SELECT (jsonb_populate_record(x, '{"version":2}')).* FROM signoffs x`)
}

func TestGuards_LetNobodyBeMarkedAsSigned(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.marchUpload(t)
	if got := attempt(t, b.owner(t), `UPDATE reconciliations SET status = 'signed_off'`); got != "DB022" {
		t.Errorf("it gave %q", got)
	}
}

func TestVerify_FindsWhatWasChangedAfterItWasSigned(t *testing.T) {
	t.Parallel()
	b := setup(t)
	march := b.signedMarch(t)
	if v := b.verify(t); v.Fault != nil {
		t.Fatalf("as it was signed: %v", v.Fault)
	}
	conn := b.owner(t)
	run := func(statement string) {
		t.Helper()
		if _, err := conn.Exec(t.Context(), statement); err != nil {
			t.Fatalf("%s: %v", statement, err)
		}
	}
	run(`SET session_replication_role = replica`)
	for _, table := range append([]string{"statement_lines", "reconciliations"}, keptTables...) {
		run(`ALTER TABLE ` + table + ` DISABLE TRIGGER USER`)
	}
	content, signature := "book: version 1 of reconciliation 1 is not what was signed off", "book: version 1 of reconciliation 1 was not signed off as it says"
	for _, test := range []struct{ change, back, want string }{
		{`UPDATE signoffs SET unexplained_minor = 5, expected_minor = expected_minor + 5`, `UPDATE signoffs SET unexplained_minor = 0, expected_minor = expected_minor - 5`, content},
		{`UPDATE signoffs SET file_hash = sha256('x')`, `UPDATE signoffs SET file_hash = (SELECT file_hash FROM statements)`, content},
		{`UPDATE signoffs SET signed_by_name = 'Ann'`, `UPDATE signoffs SET signed_by_name = 'approver'`, signature},
		{`UPDATE signoffs SET note = 'x'`, `UPDATE signoffs SET note = 'agreed with the bank'`, signature},
		{`UPDATE signoff_breaks SET note = 'x' WHERE note <> ''`, `UPDATE signoff_breaks b SET note = e.note FROM break_events e WHERE e.break_id = b.break_id AND e.event = 'resolved' AND b.note = 'x'`, content},
		{`UPDATE signoff_explained SET amount_minor = amount_minor + 1`, `UPDATE signoff_explained SET amount_minor = amount_minor - 1`, content},
		{`UPDATE signoff_match_postings SET line = 9`, `UPDATE signoff_match_postings SET line = 1`, content},
		{`UPDATE statement_lines SET amount_minor = amount_minor + 1`, `UPDATE statement_lines SET amount_minor = amount_minor - 1`, content},
	} {
		run(test.change)
		if v := b.verify(t); v.Fault == nil || !strings.HasPrefix(v.Fault.String(), test.want) {
			t.Errorf("after %s it finds %v", test.change, v.Fault)
		}
		run(test.back)
		if v := b.verify(t); v.Fault != nil {
			t.Errorf("after %s it finds %v", test.back, v.Fault)
		}
	}
	if march.Status != store.ReconciliationSignedOff {
		t.Errorf("March is %s", march.Status)
	}
	run(`UPDATE reconciliations SET version = 2`)
	if v := b.verify(t); v.Fault == nil || v.Fault.String() != "book: reconciliation 1 is marked as signed off, and nobody signed it" {
		t.Errorf("of a forged mark it finds %v", v.Fault)
	}
}

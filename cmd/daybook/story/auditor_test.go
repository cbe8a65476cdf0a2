package story_test

import (
	"fmt"
	"strings"
	"testing"
)

// TestAuditorWithPsql is a superuser of the database who tries to change what was recorded.
func TestAuditorWithPsql(t *testing.T) {
	t.Parallel()
	p := startDemo(t, "--empty")
	for _, id := range []string{"a1", "a2", "a3"} {
		p.as("preparer").key(id).post(t, "/entries", deposit(id, 3050)).want(t, 201)
	}
	if said := p.verifies(t); !strings.Contains(said, "3 entries") {
		t.Errorf("verify said %s", said)
	}
	const (
		appendOnly = "append-only"
		notWhole   = "is not whole or does not balance"
		tooLate    = "only together with their entry"
		asReplica  = `set session_replication_role = replica; `
	)
	for name, try := range map[string]struct{ statements, refusal string }{
		"AnEntryChanged":     {`update entries set description = 'other' where seq = 1`, appendOnly},
		"AnEntryDeleted":     {`delete from entries where seq = 3`, appendOnly},
		"AllEntriesGone":     {`truncate entries cascade`, appendOnly},
		"APostingChanged":    {`update postings set amount_minor = amount_minor + 1 where seq = 1`, appendOnly},
		"APostingDeleted":    {`delete from postings where seq = 1`, appendOnly},
		"AllPostingsGone":    {`truncate postings cascade`, appendOnly},
		"ATruncateAsReplica": {asReplica + `truncate entries cascade`, appendOnly},
		"AnUpdateAsReplica":  {asReplica + `update entries set description = 'other' where seq = 1`, appendOnly},

		"APairAddedToTheOld":   {copyOfPostings("p.seq", "p.line + 2", "p.amount_minor"), tooLate},
		"AnEntryOfNoPostings":  {nextEntry, notWhole},
		"AnUnbalancedEntry":    {copyOfPostings("4", "p.line", "p.amount_minor + 1") + nextEntry, notWhole},
		"APairTooMany":         {copyOfPostings("4", "p.line", "p.amount_minor") + copyOfPostings("4", "p.line + 2", "p.amount_minor") + nextEntry, notWhole},
		"APairSlippedInBehind": {copyOfPostings("4", "p.line", "p.amount_minor") + nextEntry + copyOfPostings("4", "p.line + 2", "p.amount_minor"), tooLate},
	} {
		t.Run(name, func(t *testing.T) {
			if err := p.trySQL(t, try.statements); err == nil || !strings.Contains(err.Error(), try.refusal) {
				t.Errorf("%s: answered %v, want a refusal that says %q", try.statements, err, try.refusal)
			}
		})
	}
	// What the refusals above are measured by: the same statements in order are taken.
	p.sql(t, "begin; "+copyOfPostings("4", "p.line", "p.amount_minor")+nextEntry+"rollback")
	p.verifies(t)

	p.sql(t, `alter table entries disable trigger all; update entries set description = 'Story a9' where seq = 2; alter table entries enable trigger all`)
	got := p.run(t, "verify")
	if got.code != 1 || !strings.HasPrefix(got.stdout, "entry 2: ") {
		t.Errorf("of a changed description verify said, exit %d: %s%s", got.code, got.stdout, got.stderr)
	}
	if got := p.as("viewer").get(t, "/seal").want(t, 200); got.text("book", "seq") != "main 3" {
		t.Errorf("the seal is %v", got)
	}
}

// copyOfPostings inserts those of entry 3 once more, with these expressions for their place and amount.
func copyOfPostings(seq, line, amountMinor string) string {
	return fmt.Sprintf(`insert into postings select (jsonb_populate_record(p, jsonb_build_object('seq', %s, 'line', %s, 'amount_minor', %s))).*
		from postings p where p.seq = 3; `, seq, line, amountMinor)
}

// nextEntry inserts an entry 4 that continues the chain.
const nextEntry = `insert into entries select (jsonb_populate_record(e,
	jsonb_build_object('seq', 4, 'tx_id', 'a4', 'prev_hash', e.hash, 'hash', sha256(e.hash)))).* from entries e where e.seq = 3; `

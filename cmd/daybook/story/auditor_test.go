package story_test

import (
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
	for name, statements := range map[string]string{
		"AnEntryChanged":      `update entries set description = 'other' where seq = 1`,
		"AnEntryDeleted":      `delete from entries where seq = 3`,
		"AllEntriesGone":      `truncate entries cascade`,
		"APostingChanged":     `update postings set amount_minor = amount_minor + 1 where seq = 1`,
		"APostingDeleted":     `delete from postings where seq = 1`,
		"AllPostingsGone":     `truncate postings`,
		"ATruncateAsReplica":  `set session_replication_role = replica; truncate entries cascade`,
		"AnUpdateAsReplica":   `set session_replication_role = replica; update entries set description = 'other' where seq = 1`,
		"APairAddedToTheOld":  `insert into postings select (jsonb_populate_record(p, jsonb_build_object('line', p.line + 2))).* from postings p where seq = 1`,
		"AnEntryOfNoPostings": copyOfEntry(3, 4),
		"AnUnbalancedEntry": copyOfEntry(3, 4) + `;
			insert into postings select (jsonb_populate_record(p, jsonb_build_object('seq', 4, 'amount_minor', p.amount_minor + 1))).* from postings p where seq = 3`,
	} {
		t.Run(name, func(t *testing.T) {
			if err := p.trySQL(t, statements); err == nil {
				t.Errorf("nobody refused %s", statements)
			} else if strings.Contains(err.Error(), "does not exist") || strings.Contains(err.Error(), "syntax error") {
				t.Errorf("refused for another reason: %v", err)
			}
		})
	}
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

// copyOfEntry inserts a copy of an entry under the next number.
func copyOfEntry(from, to int) string {
	return strings.NewReplacer("$from", string(rune('0'+from)), "$to", string(rune('0'+to))).Replace(
		`insert into entries select (jsonb_populate_record(e, '{"seq":$to,"tx_id":"a$to"}')).* from entries e where seq = $from`)
}

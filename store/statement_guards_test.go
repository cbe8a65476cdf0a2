package store_test

import (
	"fmt"
	"testing"
)

// TestGuards_WhatAnImportStoresRefersToWhatIs forges rows that refer to nothing, one by one and by the hundred, beside rows that may be.
func TestGuards_WhatAnImportStoresRefersToWhatIs(t *testing.T) {
	t.Parallel()
	b := setup(t)
	var rows []string
	for i := range 300 {
		b.post(t, entry(fmt.Sprintf("t%d", i), on("2026-03-10"), amount(1000+int64(i))))
		rows = append(rows, fmt.Sprintf("2026-03-10,%d.%02d,t%d", (1000+i)/100, i%100, i))
	}
	b.upload(t, csv(append(rows, "2026-03-11,7.00,x")...), period("2026-03-01", "2026-03-31"))
	owner := b.owner(t)
	defer owner.Close(t.Context())
	const (
		lines    = `INSERT INTO match_lines SELECT 1, m.id, %s, false FROM matches m WHERE m.id %s`
		postings = `INSERT INTO match_postings SELECT 1, m.id, %s, false FROM matches m WHERE m.id %s`
	)
	for statement, want := range map[string]string{
		fmt.Sprintf(lines, "301", "= 1"):                          "",
		fmt.Sprintf(lines, "302", "= 1"):                          "23503",
		fmt.Sprintf(lines, "1 + m.id % 300", "> 0"):               "",
		fmt.Sprintf(lines, "2 + m.id", "> 0"):                     "23503",
		fmt.Sprintf(lines, "m.id * 1000000", "> 1"):               "23503",
		fmt.Sprintf(postings, "300, 2", "= 1"):                    "",
		fmt.Sprintf(postings, "301, 2", "= 1"):                    "23503",
		fmt.Sprintf(postings, "m.id, 2", "> 0"):                   "",
		fmt.Sprintf(postings, "m.id + 1, 2", "> 0"):               "23503",
		fmt.Sprintf(postings, "m.id, 3", "> 0"):                   "23503",
		`INSERT INTO match_lines VALUES (1, 999, 1, false)`:       "23503",
		`INSERT INTO match_lines VALUES (2, 1, 1, false)`:         "23503",
		`INSERT INTO match_postings VALUES (1, 999, 1, 1, false)`: "23503",
		`INSERT INTO break_lines VALUES (1, 1, 1, false)`:         "",
		`INSERT INTO break_lines VALUES (1, 9, 1, false)`:         "23503",
		`INSERT INTO break_lines VALUES (1, 1, 999, false)`:       "23503",
		`INSERT INTO break_postings VALUES (1, 1, 300, 1, false)`: "",
		`INSERT INTO break_postings VALUES (1, 1, 301, 1, false)`: "23503",
		`INSERT INTO break_postings VALUES (1, 9, 300, 1, false)`: "23503",
		`INSERT INTO reconciliation_breaks VALUES (1, 9, 1)`:      "23503",
		`INSERT INTO reconciliation_breaks VALUES (1, 1, 9)`:      "23503",
		`INSERT INTO matches SELECT (jsonb_populate_record(m, '{"id": 999, "reconciliation_id": 9}')).* FROM matches m WHERE id = 1`:                             "23503",
		`INSERT INTO matches SELECT (jsonb_populate_record(m, '{"id": 999, "account_id": 2}')).* FROM matches m WHERE id = 1`:                                    "23503",
		`INSERT INTO matches SELECT (jsonb_populate_record(m, '{"id": 999}')).* FROM matches m WHERE id = 1`:                                                     "",
		`INSERT INTO statement_lines SELECT (jsonb_populate_record(l, '{"id": 999, "statement_id": 9, "occurrence": 9}')).* FROM statement_lines l WHERE id = 1`: "23503",
		`INSERT INTO statement_lines SELECT (jsonb_populate_record(l, '{"id": 999, "account_id": 2}')).* FROM statement_lines l WHERE id = 1`:                    "23503",
		`DELETE FROM breaks`:                               "DB001",
		`UPDATE breaks SET id = 9`:                         "DB001",
		`TRUNCATE breaks CASCADE`:                          "DB001",
		`DELETE FROM reconciliations`:                      "DB001",
		`UPDATE reconciliations SET id = 9`:                "DB001",
		`DELETE FROM matches WHERE id = 1`:                 "DB001",
		`UPDATE statement_lines SET id = 999 WHERE id = 1`: "DB001",
	} {
		if got := attempt(t, owner, statement); got != want {
			t.Errorf("%s gave %q, want %q", statement, got, want)
		}
	}
}

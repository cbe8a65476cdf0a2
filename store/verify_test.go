package store_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"

	"daybook/store"
	"daybook/store/ledger"
)

func (b bundle) verify(t *testing.T) store.Verification {
	t.Helper()
	v, err := b.Verify(t.Context(), b.book)
	ok(t, err)
	return v
}

// tampered is a book with six entries, the second reversed by the fourth and replaced by the fifth, whose guards are off.
type tampered struct {
	bundle
	conn *pgx.Conn
}

var tamperedTables = []string{"accounts", "entries", "postings", "heads", "account_totals", "account_days", "currency_totals", "approvals", "approval_decisions"}

func setupTampered(t *testing.T) tampered {
	t.Helper()
	b := tampered{bundle: setup(t)}
	b.post(t, entry("t1"), entry("t2", amount(100)), entry("t3", noting("channel", "card"), moves("customer:alice", "revenue:fees", 40)))
	fix := entry("", amount(90), described("Deposit of less"))
	b.reverse(t, 2, &fix)
	b.open(t, "1020", ledger.Asset, inCurrency("JPY"))
	b.open(t, "2020", ledger.Liability, inCurrency("JPY"))
	b.post(t, entry("t6", on("2026-03-02"), postings(
		ledger.Posting{Account: "1010", AmountMinor: 3050, Currency: "EUR"}, ledger.Posting{Account: "customer:alice", AmountMinor: -3050, Currency: "EUR"},
		ledger.Posting{Account: "1020", AmountMinor: 700, Currency: "JPY"}, ledger.Posting{Account: "2020", AmountMinor: -700, Currency: "JPY"})))
	b.conn = b.owner(t)
	b.run(t, `SET session_replication_role = replica`)
	for _, table := range tamperedTables {
		b.run(t, `ALTER TABLE `+table+` DISABLE TRIGGER USER`)
		b.run(t, `CREATE TABLE kept_`+table+` AS TABLE `+table)
	}
	return b
}

func (b tampered) run(t *testing.T, statement string) {
	t.Helper()
	if _, err := b.conn.Exec(t.Context(), statement); err != nil {
		t.Fatalf("%s: %v", statement, err)
	}
}

func (b tampered) restore(t *testing.T) {
	t.Helper()
	for _, table := range tamperedTables {
		b.run(t, `DELETE FROM `+table)
		b.run(t, `INSERT INTO `+table+` SELECT * FROM kept_`+table)
	}
}

// rehash gives an entry the hash that its stored content has, as a clever forger would.
func (b tampered) rehash(t *testing.T, seq int64) {
	t.Helper()
	receipt, err := b.Entry(t.Context(), b.viewer, seq)
	ok(t, err)
	if _, err := b.conn.Exec(t.Context(), `UPDATE entries SET hash = decode($1, 'hex') WHERE seq = $2`, receipt.ComputeHash().String(), seq); err != nil {
		t.Fatal(err)
	}
}

func TestVerify(t *testing.T) {
	t.Parallel()
	b := setupTampered(t)
	v := b.verify(t)
	seal, err := b.Seal(t.Context(), b.viewer)
	ok(t, err)
	if v.Fault != nil || v.Entries != 6 || v.Head != seal || seal.Seq != 6 {
		t.Fatalf("the book as it was recorded: %+v, sealed %+v", v, seal)
	}
	for _, forgery := range forgeries {
		t.Run(forgery.name, func(t *testing.T) {
			for statement := range strings.SplitSeq(forgery.sql, ";") {
				b.run(t, statement)
			}
			if forgery.rehash != 0 {
				b.rehash(t, forgery.rehash)
			}
			v := b.verify(t)
			if v.Fault == nil || !strings.HasPrefix(v.Fault.String(), forgery.want) {
				t.Errorf("found %v, want %q", v.Fault, forgery.want)
			}
			b.restore(t)
		})
	}
	if v := b.verify(t); v.Fault != nil {
		t.Errorf("the book restored: %v", v.Fault)
	}
}

var forgeries = []struct {
	name, sql string
	rehash    int64
	want      string
}{
	{"Description", `UPDATE entries SET description = 'x' WHERE seq = 2`, 0, "entry 2: is not what was recorded"},
	{"DayWithoutEnd", `ALTER TABLE entries DROP CONSTRAINT entries_finite; UPDATE entries SET effective_on = 'infinity' WHERE seq = 2`, 0, "entry 2: is not what was recorded"},
	{"TimeWithoutEnd", `UPDATE entries SET recorded_at = 'infinity' WHERE seq = 2`, 0, "entry 2: was recorded at 0001-01-01"},
	{"DescriptionWithItsHash", `UPDATE entries SET description = 'x' WHERE seq = 2`, 2, "entry 3: does not continue the chain: it was recorded after another entry than entry 2"},
	{"LastEntryWithItsHash", `UPDATE entries SET description = 'x' WHERE seq = 6`, 6, "entry 6: the head of the book has another hash"},
	{"Date", `UPDATE entries SET effective_on = '2026-03-09' WHERE seq = 1`, 0, "entry 1: is not what was recorded"},
	{"Recorder", `UPDATE entries SET recorded_by = 1 WHERE seq = 1`, 0, "entry 1: is not what was recorded"},
	{"RecorderWhoDoesNotExist", `UPDATE entries SET recorded_by = 4711 WHERE seq = 1`, 0, "entry 1: is not what was recorded"},
	{"TimeGoingBack", `UPDATE entries SET recorded_at = recorded_at - interval '1 s' WHERE seq = 3`, 0, "entry 3: was recorded at 2026-03-31T09:59:59.000000Z, before entry 2"},
	{"MetadataValue", `UPDATE entries SET metadata = '{"channel":"cash"}' WHERE seq = 3`, 0, "entry 3: is not what was recorded"},
	{"MetadataOfAnotherForm", `UPDATE entries SET metadata = '{"channel":1}' WHERE seq = 3`, 0, "entry 3: its metadata is not text by key"},
	{"OneAmount", `UPDATE postings SET amount_minor = 3051 WHERE seq = 1 AND line = 1`, 0, "entry 1: does not balance: EUR debits are 30.51 and credits 30.50"},
	{"BothAmounts", `UPDATE postings SET amount_minor = sign(amount_minor) * 3051 WHERE seq = 1`, 0, "entry 1: is not what was recorded"},
	{"AmountsThatCancelAcrossCurrencies", `UPDATE postings SET amount_minor = amount_minor + CASE line WHEN 1 THEN 1 ELSE -1 END WHERE seq = 6 AND line IN (1, 3)`, 0,
		"entry 6: does not balance: EUR debits are 30.51 and credits 30.50"},
	{"Account", `UPDATE postings SET account_id = 3 WHERE seq = 1 AND line = 2`, 0, "entry 1: is not what was recorded"},
	{"AccountThatDoesNotExist", `UPDATE postings SET account_id = 99 WHERE seq = 1 AND line = 2`, 0, "entry 1: line 2 names an account that does not exist"},
	{"CodeOfAnAccount", `UPDATE accounts SET code = 'customer:eva' WHERE id = 2`, 0, "entry 1: is not what was recorded"},
	{"CurrencyOfAnAccount", `UPDATE accounts SET currency = 'USD' WHERE id = 2`, 0, "entry 1: line 2 is in EUR, and account customer:alice in USD"},
	{"LineNumber", `UPDATE postings SET line = 3 WHERE seq = 1 AND line = 2`, 0, "entry 1: its postings are not numbered from 1 to 2"},
	{"PostingLess", `DELETE FROM postings WHERE seq = 3 AND line = 2`, 0, "entry 3: has 1 postings, and was recorded with 2"},
	{"PostingMore", `INSERT INTO postings VALUES (1, 3, 3, 1, 5, 'EUR')`, 0, "entry 3: has 3 postings, and was recorded with 2"},
	{"PostingsMore", `INSERT INTO postings VALUES (1, 3, 3, 1, 5, 'EUR'), (1, 3, 4, 2, -5, 'EUR'); UPDATE entries SET posting_count = 4 WHERE seq = 3`, 0, "entry 3: is not what was recorded"},
	{"EntryLess", `DELETE FROM entries WHERE seq = 3; DELETE FROM postings WHERE seq = 3`, 0, "entry 3: is missing: the next one is entry 4"},
	{"FirstEntryLess", `DELETE FROM entries WHERE seq = 1`, 0, "entry 1: is missing: the next one is entry 2"},
	{"LastEntryLess", `DELETE FROM entries WHERE seq = 6; DELETE FROM postings WHERE seq = 6`, 0, "entry 6: is missing: the head of the book is at entry 6"},
	{"LastEntryLessAndTheHeadBack", `DELETE FROM entries WHERE seq = 6; UPDATE heads SET (seq, hash) = (SELECT seq, hash FROM entries WHERE seq = 5)`, 0, "entry 6: has postings, and there is no such entry"},
	{"AllEntriesLess", `DELETE FROM entries; DELETE FROM postings`, 0, "entry 1: is missing: the head of the book is at entry 6"},
	{"EntryBelowTheFirst", `INSERT INTO entries SELECT book_id, 0, 'zero', kind, effective_on, recorded_at, description, reason, recorded_by, approval_id, reverses, part, replaces, posting_count, metadata, prev_hash, hash FROM entries WHERE seq = 1`, 0, "entry 1: is not the first entry: one is numbered 0"},
	{"OrphanPosting", `INSERT INTO postings VALUES (1, 9, 1, 1, 5, 'EUR')`, 0, "entry 9: has postings, and there is no such entry"},
	{"HeadBack", `UPDATE heads SET seq = 5`, 0, "entry 6: is beyond the head of the book, which is at entry 5"},
	{"HeadAhead", `UPDATE heads SET seq = 7`, 0, "entry 7: is missing: the head of the book is at entry 7"},
	{"HeadWithAnotherHash", `UPDATE heads SET hash = sha256('x')`, 0, "entry 6: the head of the book has another hash"},
	{"HeadAtAnotherTime", `UPDATE heads SET recorded_at = '2027-01-01'`, 0, "entry 6: the head of the book has another time"},
	{"NoHead", `DELETE FROM heads`, 0, "book: it has no head"},
	{"ReversalOfAnother", `UPDATE entries SET reverses = 3 WHERE seq = 4`, 0, "entry 4: is not what was recorded"},
	{"ReversalWithItsHash", `UPDATE entries SET reverses = 1 WHERE seq = 4`, 4, "entry 4: is not the opposite of entry 1, which it reverses"},
	{"ReversalOfAReversal", `UPDATE entries SET reverses = 4, replaces = NULL, kind = 'reversal' WHERE seq = 5`, 5, "entry 5: reverses entry 4, which is itself a reversal"},
	{"SecondReversal", `ALTER TABLE entries DROP CONSTRAINT entries_reverses_once; UPDATE entries SET reverses = 2, replaces = NULL, kind = 'reversal' WHERE seq = 5`, 5, "entry 5: reverses entry 2, which entry 4 had reversed already"},
	{"ReversalWithoutApproval", `UPDATE entries SET approval_id = NULL WHERE seq = 4`, 4, "entry 4: is a reversal that nobody approved"},
	{"DecisionLess", `DELETE FROM approval_decisions`, 0, "entry 2: request 1 to reverse entry 2 is marked"},
	{"RequestLess", `DELETE FROM approvals; DELETE FROM approval_decisions`, 0, "entry 4: is a reversal that nobody approved"},
	{"RequestChanged", `UPDATE approvals SET reason = 'x'`, 0, "entry 4: request 1 to reverse entry 2 is not what was requested"},
	{"DecisionOfTheRequester", `ALTER TABLE approval_decisions DROP CONSTRAINT approval_decisions_other_person; UPDATE approval_decisions SET decider_id = requester_id`, 0, "entry 4: request 1 to reverse entry 2 was not decided by who may"},
	{"DecisionOfAnother", `UPDATE approval_decisions SET decider_id = 6`, 0, "entry 4: is not what request 1 was approved for"},
	{"DecisionOnOtherEntries", `UPDATE approval_decisions SET reversal_seq = 3`, 0, "entry 3: is not what request 1 was approved for"},
	{"ReplacementNotNamed", `UPDATE approval_decisions SET replacement_seq = NULL`, 0, "entry 4: request 1 to reverse entry 2 asks for a replacement"},
	{"AccountTotal", `UPDATE account_totals SET debit_minor = debit_minor + 1 WHERE account_id = 1`, 0, "account 1010: its kept total is debits 62.91 and credits 1.00 EUR, and its postings sum to debits 62.90 and credits 1.00"},
	{"AccountTotalLess", `DELETE FROM account_totals WHERE account_id = 2`, 0, "account customer:alice: its kept total is debits 0.00"},
	{"AccountTotalMore", `INSERT INTO account_totals VALUES (1, 3, 5, 0)`, 0, "account customer:bob: its kept total is debits 0.05"},
	{"AccountDay", `UPDATE account_days SET credit_minor = 1 WHERE account_id = 4`, 0, "account revenue:fees: its kept total of 2026-03-01, recorded on 2026-03-31, is debits 0.00 and credits 0.01"},
	{"AccountDayMoved", `UPDATE account_days SET recorded_on = '2026-04-01' WHERE account_id = 4`, 0, "account revenue:fees: its kept total of 2026-03-01"},
	{"CurrencyTotal", `UPDATE currency_totals SET debit_minor = 1`, 0, "book: its kept debits in EUR are 0.01, and its postings sum to"},
	{"CurrencyTotalMore", `INSERT INTO currency_totals VALUES (1, 'USD', 7)`, 0, "book: its kept debits in USD are 0.07, and its postings sum to 0.00"},
	{"TheFirstOfTwo", `UPDATE entries SET description = 'x' WHERE seq IN (2, 5); UPDATE account_totals SET debit_minor = 0`, 0, "entry 2: "},
}

func TestVerifyReadsInPages(t *testing.T) {
	t.Parallel()
	b := setup(t)
	entries := make([]ledger.Entry, 1100)
	for i := range entries {
		entries[i] = entry(fmt.Sprintf("t%d", i+1), amount(int64(i+1)))
	}
	long := []ledger.Posting{}
	for range ledger.MaxPostings / 2 {
		long = append(long, ledger.Posting{Account: "1010", AmountMinor: 1, Currency: "EUR"}, ledger.Posting{Account: "customer:bob", AmountMinor: -1, Currency: "EUR"})
	}
	for i := range 3 {
		entries = append(entries, entry(fmt.Sprintf("long%d", i), postings(long...)))
	}
	ok(t, b.PostEntries(t.Context(), b.preparer, entries))
	if v := b.verify(t); v.Fault != nil || v.Entries != 1103 {
		t.Fatalf("verified %+v", v)
	}
	b.sql(t, `ALTER TABLE postings DISABLE TRIGGER USER`,
		`INSERT INTO postings SELECT 1, 1102, 5000 + n, 1, CASE WHEN n % 2 = 0 THEN 1 ELSE -1 END, 'EUR' FROM generate_series(1, 12000) n`)
	if v := b.verify(t); v.Fault == nil || v.Fault.Seq != 1102 || v.Entries != 1101 {
		t.Errorf("with 12000 postings too many in entry 1102: %+v", v)
	}
}

func TestVerifyAnEmptyBook(t *testing.T) {
	t.Parallel()
	b := setup(t)
	v := b.verify(t)
	if v.Fault != nil || v.Entries != 0 || v.Head.Hash != ledger.GenesisHash {
		t.Errorf("verified %+v", v)
	}
	seal, err := b.Seal(t.Context(), b.viewer)
	ok(t, err)
	if seal.Book != "main" || seal.Seq != 0 || seal.Hash != ledger.GenesisHash || !seal.At.Equal(b.clock.now()) {
		t.Errorf("sealed %+v", seal)
	}
}

package store

import (
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"hash"
	"io"
	"time"

	"gorm.io/gorm"

	"daybook/recon"
	"daybook/store/ledger"
)

// signedHead is a signed version of a reconciliation without its parts, or what would be signed now.
type signedHead struct {
	ReconciliationID                 int64
	Version                          int
	AccountID                        int64
	AccountCode, AccountName         string
	Currency                         string
	StatementID                      int64
	FileName                         string
	FileHash                         ledger.Hash
	ScopeFrom, ScopeTo               ledger.Date
	PeriodStated                     bool
	BalanceSource                    recon.BalanceSource
	Rules                            string
	RulesVersion                     int
	LedgerSeq                        int64
	Proof                            recon.Proof `gorm:"embedded"`
	LedgerTotalMinor, BankTotalMinor int64
	Postings, Lines, Matches         int
	AutoLines, AllLines              int // lines of the bank that a rule matched, and all of them

	SubmittedN      int
	SubmittedBy     int64
	SubmittedByName string
	SubmittedAt     time.Time
	AcceptedReason  string
	ContentHash     ledger.Hash
	SignedBy        int64
	SignedByName    string
	SignedAt        time.Time
	Note            string
	Hash            ledger.Hash
}

// signedHeadColumns are those of signoffs that signedHead has.
const signedHeadColumns = `reconciliation_id, version, account_id, account_code, account_name, currency, statement_id, file_name, file_hash, scope_from, scope_to,
	period_stated, balance_source, rules::text AS rules, rules_version, ledger_seq, ledger_minor, outstanding_minor, in_transit_minor, other_explained_minor,
	expected_minor, statement_minor, unexplained_minor, ledger_total_minor, bank_total_minor, postings, lines, matches, auto_lines, all_lines,
	submitted_n, submitted_by, submitted_by_name, submitted_at, accepted_reason, content_hash, signed_by, signed_by_name, signed_at, note, hash`

// headNow is what would be signed of a reconciliation as it is.
func headNow(tx *gorm.DB, book Book, r Reconciliation) (signedHead, error) {
	row, err := queryOne[struct{ Rules string }](tx, "the reconciliation has no rules",
		`SELECT rules::text AS rules FROM reconciliations WHERE book_id = ? AND id = ?`, book.ID, r.ID)
	if err != nil {
		return signedHead{}, err
	}
	var rules recon.Rules
	if err := json.Unmarshal([]byte(row.Rules), &rules); err != nil {
		return signedHead{}, fmt.Errorf("read the rules of reconciliation %d: %w", r.ID, err)
	}
	lines, err := queryOne[struct{ Auto, All int }](tx, "no lines", `
		WITH matched AS (SELECT i.line_id, m.kind FROM matches m JOIN match_lines i ON i.book_id = m.book_id AND i.match_id = m.id
		                  WHERE m.book_id = @book AND m.reconciliation_id = @id AND m.live)
		SELECT (SELECT count(*) FROM matched WHERE kind <> @manual) AS auto,
		       (SELECT count(*) FROM (SELECT line_id FROM matched UNION SELECT i.line_id FROM (`+signedBreakLines.live+`) i) x) AS "all"`,
		map[string]any{"book": book.ID, "id": r.ID, "manual": recon.KindManual})
	if err != nil {
		return signedHead{}, fmt.Errorf("count the lines of reconciliation %d: %w", r.ID, err)
	}
	return signedHead{
		ReconciliationID: r.ID, Version: r.Version, AccountID: r.Account.ID, AccountCode: r.Account.Code, AccountName: r.Account.Name, Currency: r.Account.Currency,
		StatementID: r.Statement.ID, FileName: r.Statement.FileName, FileHash: r.Statement.FileHash, ScopeFrom: r.ScopeFrom, ScopeTo: r.ScopeTo,
		PeriodStated: r.PeriodStated, BalanceSource: r.BalanceSource, Rules: row.Rules, RulesVersion: rules.Version, LedgerSeq: r.LedgerSeq, Proof: r.Proof,
		LedgerTotalMinor: r.Totals.LedgerMinor, BankTotalMinor: r.Totals.BankMinor, Postings: r.Postings, Lines: r.Lines, Matches: r.Matches,
		AutoLines: lines.Auto, AllLines: lines.All,
	}, nil
}

// said is what the content hash covers of the head.
func (h signedHead) said() []any {
	p := h.Proof
	return []any{
		"daybook-reconciliation", 1, h.ReconciliationID, h.Version, h.AccountCode, h.AccountName, h.Currency, h.StatementID, h.FileName, h.FileHash,
		h.ScopeFrom, h.ScopeTo, h.PeriodStated, h.BalanceSource, h.Rules, h.RulesVersion, h.LedgerSeq,
		p.LedgerMinor, p.OutstandingMinor, p.InTransitMinor, p.OtherExplainedMinor, p.ExpectedMinor, p.StatementMinor, p.UnexplainedMinor,
		h.LedgerTotalMinor, h.BankTotalMinor, h.Postings, h.Lines, h.Matches, h.AutoLines, h.AllLines,
	}
}

// contentHash is SHA-256 over the head and every part, a line each: as they were kept in a signed version, or as they are now where
// version is 0.
func (h signedHead) contentHash(tx *gorm.DB, book Book, version int) (ledger.Hash, error) {
	content := sha256.New()
	head, err := json.Marshal(h.said())
	if err != nil {
		return ledger.Hash{}, fmt.Errorf("write what reconciliation %d says: %w", h.ReconciliationID, err)
	}
	fmt.Fprintf(content, "%s\n", head)
	for _, part := range signedParts() {
		fmt.Fprintf(content, "%s\n", part.table)
		if err := part.say(tx, book, h.ReconciliationID, version, content); err != nil {
			return ledger.Hash{}, fmt.Errorf("read the %s of reconciliation %d: %w", part.table, h.ReconciliationID, err)
		}
	}
	return ledger.Hash(content.Sum(nil)), nil
}

// say writes the rows of a part, each as a JSON array in a line.
func (p signedPart) say(tx *gorm.DB, book Book, id int64, version int, into hash.Hash) error {
	rows, err := tx.Raw(`SELECT CAST(json_build_array(`+p.said+`) AS text) FROM `+p.from(version)+` x`+p.joins+` ORDER BY `+p.order,
		map[string]any{"book": book.ID, "id": id}).Rows()
	if err != nil {
		return err
	}
	defer rows.Close()
	for rows.Next() {
		var row string
		if err := rows.Scan(&row); err != nil {
			return err
		}
		io.WriteString(into, row)
		into.Write([]byte{'\n'})
	}
	return rows.Err()
}

// signature is the hash that both signatures are bound by: over the content, and over who submitted and signed it, when, and why.
func (h signedHead) signature(book Book) ledger.Hash {
	text, err := json.Marshal([]any{
		"daybook-sign-off", 1, book.Code, h.ReconciliationID, h.Version, h.ContentHash, h.SubmittedBy, h.SubmittedByName, ledger.FormatInstant(h.SubmittedAt),
		h.AcceptedReason, h.SignedBy, h.SignedByName, ledger.FormatInstant(h.SignedAt), h.Note,
	})
	if err != nil {
		panic(fmt.Sprintf("plain values did not become JSON: %v", err))
	}
	return sha256.Sum256(text)
}

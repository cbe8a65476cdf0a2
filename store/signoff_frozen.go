package store

import (
	"fmt"

	"gorm.io/gorm"

	"daybook/recon"
	"daybook/store/ledger"
)

// freeze copies what a reconciliation says into the tables that keep it, as it was submitted. Error: KindIllegalTransition where it has
// changed since.
func (s *Store) freeze(tx *gorm.DB, actor Actor, r Reconciliation, note string) error {
	head, err := headNow(tx, actor.Book, r)
	if err != nil {
		return err
	}
	submitted := r.Step(StepSubmitted)
	head.SubmittedN, head.SubmittedBy, head.SubmittedByName, head.SubmittedAt = submitted.N, submitted.UserID, submitted.User, submitted.At
	head.AcceptedReason, head.ContentHash = submitted.Reason, submitted.ContentHash
	head.SignedBy, head.SignedByName, head.SignedAt, head.Note = actor.UserID, actor.Name, s.now(), note
	head.Hash = head.signature(actor.Book)
	if err := insertSignoff(tx, actor.Book, head); err != nil {
		return err
	}
	for _, part := range signedParts() {
		if err := part.keep(tx, actor.Book, r.ID, r.Version); err != nil {
			return err
		}
	}
	content, err := head.contentHash(tx, actor.Book, r.Version)
	if err != nil {
		return err
	}
	if content != submitted.ContentHash {
		return ledger.Refuse(ledger.KindIllegalTransition,
			"reconciliation %d is not any more what %s submitted: a break was worked on, or something matched since. Return it, and have it submitted again", r.ID, submitted.User)
	}
	if err := s.insertStep(tx, actor, r, StepSignedOff, note, content); err != nil {
		return err
	}
	return setStatus(tx, actor.Book, r.ID, ReconciliationSignedOff, r.Version)
}

func insertSignoff(tx *gorm.DB, book Book, h signedHead) error {
	_, err := exec(tx, `
		INSERT INTO signoffs (book_id, reconciliation_id, version, account_id, account_code, account_name, currency, statement_id, file_name, file_hash, scope_from, scope_to,
		                      period_stated, balance_source, rules, rules_version, ledger_seq, ledger_minor, outstanding_minor, in_transit_minor, other_explained_minor,
		                      expected_minor, statement_minor, unexplained_minor, ledger_total_minor, bank_total_minor, postings, lines, matches, auto_lines, all_lines,
		                      submitted_n, submitted_by, submitted_by_name, submitted_at, accepted_reason, content_hash, signed_by, signed_by_name, signed_at, note, hash)
		VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, CAST(? AS jsonb), ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
		book.ID, h.ReconciliationID, h.Version, h.AccountID, h.AccountCode, h.AccountName, h.Currency, h.StatementID, h.FileName, h.FileHash, h.ScopeFrom, h.ScopeTo,
		h.PeriodStated, h.BalanceSource, h.Rules, h.RulesVersion, h.LedgerSeq, h.Proof.LedgerMinor, h.Proof.OutstandingMinor, h.Proof.InTransitMinor, h.Proof.OtherExplainedMinor,
		h.Proof.ExpectedMinor, h.Proof.StatementMinor, h.Proof.UnexplainedMinor, h.LedgerTotalMinor, h.BankTotalMinor, h.Postings, h.Lines, h.Matches, h.AutoLines, h.AllLines,
		h.SubmittedN, h.SubmittedBy, h.SubmittedByName, h.SubmittedAt, h.AcceptedReason, h.ContentHash, h.SignedBy, h.SignedByName, h.SignedAt, h.Note, h.Hash)
	if err != nil {
		return fmt.Errorf("sign off reconciliation %d: %w", h.ReconciliationID, err)
	}
	return nil
}

// loadSignoffs reads signed versions by a condition, which may end in an order and a limit.
func loadSignoffs(tx *gorm.DB, book Book, condition string, args ...any) ([]signedHead, error) {
	heads, err := query[signedHead](tx, `SELECT `+signedHeadColumns+` FROM signoffs s WHERE s.book_id = ? AND `+condition, append([]any{book.ID}, args...)...)
	if err != nil {
		return nil, fmt.Errorf("read what was signed off: %w", err)
	}
	for i := range heads {
		heads[i].SubmittedAt, heads[i].SignedAt = heads[i].SubmittedAt.UTC(), heads[i].SignedAt.UTC()
	}
	return heads, nil
}

// signed gives those that are signed off what was signed, in place of what their parts say now.
func (l reconciliationLoad) signed() error {
	var ids array[int64]
	for _, r := range l.byID {
		if r.Status == ReconciliationSignedOff {
			ids = append(ids, r.ID)
		}
	}
	if len(ids) == 0 {
		return nil
	}
	const current = `EXISTS (SELECT FROM reconciliations r WHERE r.book_id = s.book_id AND r.id = s.reconciliation_id AND r.version = s.version)`
	heads, err := loadSignoffs(l.tx, l.book, `s.reconciliation_id = ANY(?::bigint[]) AND `+current, ids)
	if err != nil {
		return err
	}
	for _, h := range heads {
		r := l.byID[h.ReconciliationID]
		r.Proof, r.Matches, r.Postings, r.Lines = h.Proof, h.Matches, h.Postings, h.Lines
		r.Totals = recon.Totals{LedgerMinor: h.LedgerTotalMinor, BankMinor: h.BankTotalMinor, DifferenceMinor: h.LedgerTotalMinor - h.BankTotalMinor}
		r.Breaks, r.Counts, r.OpenBreaks = nil, map[recon.BreakType]int{}, 0
	}
	sums, err := query[struct {
		ID int64
		BreakSum
	}](l.tx, `
		SELECT s.reconciliation_id AS id, s.type, s.status, coalesce(s.resolution, '') AS resolution, CAST(sum(s.difference_minor) AS bigint) AS difference_minor, count(*) AS breaks
		  FROM signoff_breaks s WHERE s.book_id = ? AND s.reconciliation_id = ANY(?::bigint[]) AND `+current+`
		 GROUP BY s.reconciliation_id, s.type, s.status, s.resolution, s.difference_minor < 0
		 ORDER BY s.reconciliation_id, s.type, s.status, s.resolution, s.difference_minor < 0`, l.book.ID, ids)
	for _, sum := range sums {
		r := l.byID[sum.ID]
		r.Breaks = append(r.Breaks, sum.BreakSum)
		r.Counts[sum.Type] += sum.Breaks
		if sum.Status != recon.Resolved {
			r.OpenBreaks += sum.Breaks
		}
	}
	return err
}

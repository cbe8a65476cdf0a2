package store

import (
	"time"

	"gorm.io/gorm"

	"daybook/store/ledger"
)

// statementLoad reads the parts of a statement: of a signed version, or as they are now where version is 0.
type statementLoad struct {
	tx      *gorm.DB
	book    Book
	id      int64
	version int
}

func (l statementLoad) named() map[string]any { return map[string]any{"book": l.book.ID, "id": l.id} }

func (l statementLoad) head(r Reconciliation) (signedHead, error) {
	if l.version != 0 {
		heads, err := loadSignoffs(l.tx, l.book, `s.reconciliation_id = ? AND s.version = ?`, l.id, l.version)
		if err == nil && len(heads) == 0 {
			err = ledger.Refuse(ledger.KindNotFound, "reconciliation %d has no signed version %d", l.id, l.version)
		}
		if err != nil {
			return signedHead{}, err
		}
		return heads[0], nil
	}
	head, err := headNow(l.tx, l.book, r)
	if step := r.Step(StepSubmitted); step != nil && r.Status == ReconciliationSubmitted {
		head.SubmittedN, head.SubmittedBy, head.SubmittedByName, head.SubmittedAt = step.N, step.UserID, step.User, step.At
		head.AcceptedReason, head.ContentHash = step.Reason, step.ContentHash
	}
	return head, err
}

func (l statementLoad) upload(s *ReconciliationStatement) error {
	row, err := queryOne[struct {
		Name string
		At   time.Time
	}](l.tx, "the statement is gone", `SELECT u.name, s.uploaded_at AS at FROM statements s JOIN users u ON u.id = s.uploaded_by WHERE s.book_id = ? AND s.id = ?`,
		l.book.ID, s.StatementID)
	s.UploadedBy, s.UploadedAt = row.Name, row.At.UTC()
	return err
}

func (l statementLoad) versions(s *ReconciliationStatement) (err error) {
	s.Signed, err = query[int](l.tx, `SELECT version FROM signoffs WHERE book_id = ? AND reconciliation_id = ? ORDER BY version`, l.book.ID, l.id)
	return err
}

func (l statementLoad) kinds(s *ReconciliationStatement) (err error) {
	s.Kinds, err = query[MatchCount](l.tx, `SELECT m.kind, count(*) AS matches FROM `+signedMatches.from(l.version)+` m GROUP BY m.kind ORDER BY count(*) DESC, m.kind`, l.named())
	return err
}

func (l statementLoad) breaks(s *ReconciliationStatement) error {
	named := l.named()
	named["types"] = typeOrder()
	rows, err := query[keptBreak](l.tx, `SELECT `+keptBreakColumns+` FROM `+signedBreaks.from(l.version)+` b
		 ORDER BY array_position(CAST(@types AS text[]), b.type), b.since, b.difference_minor, b.break_id`, named)
	if err != nil || len(rows) == 0 {
		return err
	}
	postings, lines := breakPostingsShown, breakLinesShown
	if l.version != 0 {
		postings, lines = signedBreakPostings.kept(l.id, l.version), signedBreakLines.kept(l.id, l.version)
	}
	items, err := keptBreaks(l.tx, l.book, s.AccountCode, rows, postings, lines)
	for i, item := range items {
		b := StatementBreak{Break: item, Since: rows[i].Since, ReasonCode: rows[i].ReasonCode, Note: rows[i].Note, ResolvedBy: rows[i].ResolvedBy}
		if at := rows[i].ResolvedAt; at != nil {
			b.ResolvedAt = at.UTC()
		}
		s.Breaks = append(s.Breaks, b)
	}
	return err
}

func (l statementLoad) explained(s *ReconciliationStatement) error {
	rows, err := query[struct {
		N           int
		Part        ExplainedPart
		AmountMinor int64
		BreakID     int64
		Since       ledger.Date
	}](l.tx, `
		SELECT x.n, x.part, x.amount_minor, coalesce(x.break_id, 0) AS break_id, coalesce(b.since, e.effective_on, t.booked_on) AS since
		  FROM `+signedExplained.from(l.version)+` x
		  LEFT JOIN `+signedBreaks.from(l.version)+` b ON b.break_id = x.break_id
		  LEFT JOIN entries e ON e.book_id = @book AND e.seq = x.seq
		  LEFT JOIN statement_lines t ON t.book_id = @book AND t.id = x.line_id
		 ORDER BY x.part DESC, since, x.n`, l.named())
	if err != nil || len(rows) == 0 {
		return err
	}
	postings, lines, err := l.explainedSides()
	if err != nil {
		return err
	}
	breaks := map[int64]Break{}
	for _, b := range s.Breaks {
		breaks[b.ID] = b.Break
	}
	for _, row := range rows {
		item := ExplainedItem{N: row.N, Part: row.Part, AmountMinor: row.AmountMinor, BreakID: row.BreakID, Since: row.Since, Ledger: postings[row.N], Bank: lines[row.N]}
		if b, found := breaks[row.BreakID]; found {
			item.Ledger, item.Bank = b.Ledger, b.Bank
		}
		s.Explained = append(s.Explained, item)
	}
	return nil
}

// explainedSides are the postings and lines that matched across the period's end, by the number of their item.
func (l statementLoad) explainedSides() (map[int][]PostingSide, map[int][]LineSide, error) {
	postings, lines := map[int][]PostingSide{}, map[int][]LineSide{}
	postingRows, err := query[struct {
		N int
		PostingSide
	}](l.tx, `SELECT x.n, `+postingSideColumns+` FROM `+signedExplained.from(l.version)+` x
		JOIN postings p ON p.book_id = @book AND p.seq = x.seq AND p.line = x.line JOIN entries e ON e.book_id = p.book_id AND e.seq = p.seq`, l.named())
	if err != nil {
		return nil, nil, err
	}
	lineRows, err := query[struct {
		N int
		LineSide
	}](l.tx, `SELECT x.n, l.statement_id, l.row, l.booked_on, l.reference, l.description, l.amount_minor, l.currency FROM `+signedExplained.from(l.version)+` x
		JOIN statement_lines l ON l.book_id = @book AND l.id = x.line_id`, l.named())
	for _, row := range postingRows {
		postings[row.N] = append(postings[row.N], row.PostingSide)
	}
	for _, row := range lineRows {
		lines[row.N] = append(lines[row.N], row.LineSide)
	}
	return postings, lines, err
}

const postingSideColumns = `p.seq, p.line, e.tx_id, e.effective_on, e.description, coalesce(nullif(e.metadata->>'reference', ''), e.tx_id) AS reference, p.amount_minor, p.currency`

func (l statementLoad) adjustments(s *ReconciliationStatement) error {
	named := l.named()
	named["account"] = s.AccountID
	rows, err := query[struct {
		PostingSide
		RecordedBy string
	}](l.tx, `SELECT `+postingSideColumns+`, u.name AS recorded_by
		  FROM (SELECT DISTINCT seq FROM `+signedAdjustments.from(l.version)+` x) x
		  JOIN postings p ON p.book_id = @book AND p.seq = x.seq AND p.account_id = @account
		  JOIN entries e ON e.book_id = p.book_id AND e.seq = p.seq JOIN users u ON u.id = e.recorded_by ORDER BY p.seq, p.line`, named)
	if err != nil || len(rows) == 0 {
		return err
	}
	settled, err := query[struct{ Seq, BreakID int64 }](l.tx, `
		SELECT DISTINCT x.seq, b.break_id FROM `+signedAdjustments.from(l.version)+` x
		  JOIN `+signedMatchLines.from(l.version)+` m ON m.match_id = x.match_id JOIN `+signedBreakLines.from(l.version)+` b ON b.line_id = m.line_id
		 UNION
		SELECT x.seq, b.break_id FROM `+signedAdjustments.from(l.version)+` x
		  JOIN `+signedMatchPostings.from(l.version)+` m ON m.match_id = x.match_id JOIN `+signedBreakPostings.from(l.version)+` b ON b.seq = m.seq AND b.line = m.line
		 ORDER BY 1, 2`, l.named())
	for _, row := range rows {
		adjustment := Adjustment{PostingSide: row.PostingSide, RecordedBy: row.RecordedBy}
		for _, pair := range settled {
			if pair.Seq == row.Seq {
				adjustment.Breaks = append(adjustment.Breaks, pair.BreakID)
			}
		}
		s.Adjustments = append(s.Adjustments, adjustment)
	}
	return err
}

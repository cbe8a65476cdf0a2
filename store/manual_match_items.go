package store

import (
	"fmt"
	"slices"

	"daybook/store/ledger"
)

// handPosting is a posting that a person works with, with the live match and break that it is in; 0 for none.
type handPosting struct {
	Seq         int64
	Line        int
	AccountID   int64
	EffectiveOn ledger.Date
	AmountMinor int64
	Currency    string
	MatchID     int64
	BreakID     int64
}

// handLine is handPosting for a line of a statement.
type handLine struct {
	ID          int64
	StatementID int64
	Row         int
	AccountID   int64
	BookedOn    ledger.Date
	AmountMinor int64
	Currency    string
	MatchID     int64
	BreakID     int64
}

// maxHandItems is more than anyone names by hand, and few enough to be shown.
const maxHandItems = 1000

const (
	handPostingColumns = `p.seq, p.line, p.account_id, e.effective_on, p.amount_minor, p.currency, coalesce(im.match_id, 0) AS match_id, coalesce(ib.break_id, 0) AS break_id`
	handPostingJoins   = `
		  JOIN entries e ON e.book_id = p.book_id AND e.seq = p.seq
		  LEFT JOIN match_postings im ON im.book_id = p.book_id AND im.seq = p.seq AND im.line = p.line AND im.live
		  LEFT JOIN break_postings ib ON ib.book_id = p.book_id AND ib.seq = p.seq AND ib.line = p.line AND ib.live`
	handLineColumns = `l.id, l.statement_id, l.row, l.account_id, l.booked_on, l.amount_minor, l.currency, coalesce(im.match_id, 0) AS match_id, coalesce(ib.break_id, 0) AS break_id`
	handLineJoins   = `
		  LEFT JOIN match_lines im ON im.book_id = l.book_id AND im.line_id = l.id AND im.live
		  LEFT JOIN break_lines ib ON ib.book_id = l.book_id AND ib.line_id = l.id AND ib.live`
)

// find reads what a person names. Errors: KindInvalid, with every name that is none.
func (w *handwork) find(items MatchItems) (handSet, error) {
	invalid := ledger.Refuse(ledger.KindInvalid, "not all of this can be found in the books")
	if items.count() > maxHandItems {
		return handSet{}, invalid.At("rows", "name at most %d postings and rows at once, not %d", maxHandItems, items.count())
	}
	postings, err := w.findPostings(items.Postings, invalid)
	if err != nil {
		return handSet{}, err
	}
	lines, err := w.findLines(items.Rows, invalid)
	if err != nil {
		return handSet{}, err
	}
	return handSet{postings, lines}.byDay(), invalid.OrNil()
}

func (w *handwork) findPostings(refs []PostingRef, invalid *ledger.Error) ([]handPosting, error) {
	if len(refs) == 0 {
		return nil, nil
	}
	var seqs, lines array[int64]
	for _, ref := range refs {
		seqs, lines = append(seqs, ref.Seq), append(lines, int64(ref.Line))
	}
	found, err := query[handPosting](w.tx, `
		SELECT `+handPostingColumns+`
		  FROM (SELECT DISTINCT u.seq, u.line FROM unnest(?::bigint[], ?::bigint[]) AS u (seq, line)) u
		  JOIN postings p ON p.book_id = ? AND p.seq = u.seq AND p.line = u.line`+handPostingJoins, seqs, lines, w.actor.Book.ID)
	if err != nil {
		return nil, fmt.Errorf("read postings: %w", err)
	}
	byRef := map[PostingRef]handPosting{}
	for _, p := range found {
		byRef[p.ref()] = p
	}
	seen := map[PostingRef]bool{}
	for i, ref := range refs {
		field := fmt.Sprintf("postings[%d]", i)
		switch p, known := byRef[ref]; {
		case !known:
			invalid.At(field, "entry %d has no line %d", ref.Seq, ref.Line)
		case p.AccountID != w.account.ID:
			invalid.At(field, "%s is not a posting of account %s", p, w.account.Code)
		case seen[ref]:
			invalid.At(field, "%s is named twice", p)
		}
		seen[ref] = true
	}
	return found, nil
}

func (w *handwork) findLines(refs []RowRef, invalid *ledger.Error) ([]handLine, error) {
	if len(refs) == 0 {
		return nil, nil
	}
	var statements, rows array[int64]
	for _, ref := range w.whole(refs) {
		statements, rows = append(statements, ref.StatementID), append(rows, int64(ref.Row))
	}
	found, err := query[handLine](w.tx, `
		SELECT `+handLineColumns+`
		  FROM (SELECT DISTINCT u.statement_id, u.row FROM unnest(?::bigint[], ?::bigint[]) AS u (statement_id, row)) u
		  JOIN statement_lines l ON l.book_id = ? AND l.statement_id = u.statement_id AND l.row = u.row AND NOT l.undone`+handLineJoins,
		statements, rows, w.actor.Book.ID)
	if err != nil {
		return nil, fmt.Errorf("read statement lines: %w", err)
	}
	byRef := map[RowRef]handLine{}
	for _, l := range found {
		byRef[l.ref()] = l
	}
	seen := map[RowRef]bool{}
	for i, ref := range w.whole(refs) {
		field := fmt.Sprintf("rows[%d]", i)
		switch l, known := byRef[ref]; {
		case !known:
			if err := w.explainNoLine(ref, invalid, field); err != nil {
				return nil, err
			}
		case l.AccountID != w.account.ID:
			invalid.At(field, "statement %d is not of account %s", ref.StatementID, w.account.Code)
		case seen[ref]:
			invalid.At(field, "%s is named twice", w.lineName(l))
		}
		seen[ref] = true
	}
	return found, nil
}

// whole gives rows the statement that they are of where they do not say.
func (w *handwork) whole(refs []RowRef) []RowRef {
	all := slices.Clone(refs)
	for i := range all {
		if all[i].StatementID == 0 {
			all[i].StatementID = w.home.StatementID
		}
	}
	return all
}

// explainNoLine says what became of a row that is no line.
func (w *handwork) explainNoLine(ref RowRef, invalid *ledger.Error, field string) error {
	notes, err := loadRowNotes(w.tx, w.actor.Book, ref.StatementID, `row = ?`, ref.Row)
	if err != nil {
		return err
	}
	if len(notes) == 0 {
		invalid.At(field, "statement %d has no row %d with an amount", ref.StatementID, ref.Row)
		return nil
	}
	detail := notes[0].Detail
	if detail == "" {
		detail = notes[0].Reason
	}
	invalid.At(field, "row %d of statement %d is no line of its own, but %s: %s", ref.Row, ref.StatementID, notes[0].Class, detail)
	return nil
}

func (p handPosting) ref() PostingRef { return PostingRef{p.Seq, p.Line} }
func (l handLine) ref() RowRef        { return RowRef{l.StatementID, l.Row} }

// String names the posting to people.
func (p handPosting) String() string { return fmt.Sprintf("entry %d, line %d", p.Seq, p.Line) }

// lineName names a line to people who look at the reconciliation.
func (w *handwork) lineName(l handLine) string {
	if l.StatementID == w.home.StatementID {
		return fmt.Sprintf("row %d", l.Row)
	}
	return fmt.Sprintf("row %d of statement %d", l.Row, l.StatementID)
}

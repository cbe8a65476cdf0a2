package templates

import (
	"daybook/recon"
	"daybook/templates/ui"
)

// MatchRow is a pair, or a group, that agrees, and why.
type MatchRow struct {
	ID     int64
	Kind   recon.Kind
	Score  int
	Why    string
	MadeBy string
	Bank   []BankSide
	Ledger []LedgerSide
}

// LineRow is one new line of the statement and what became of it: matched, or in a break.
type LineRow struct {
	BankSide
	MatchKind recon.Kind
	BreakID   int64
	BreakType recon.BreakType
}

// PostingRow is a posting of the account that the reconciliation is about, and what became of it: matched, or in a break.
type PostingRow struct {
	LedgerSide
	MatchKind recon.Kind
	BreakID   int64
	BreakType recon.BreakType
	Status    BreakStatus
}

// chip says what became of a posting.
func (p PostingRow) chip(book Book) ui.Chip {
	if p.BreakID == 0 {
		return ui.Chip{Text: p.MatchKind.Label(), Tone: ui.OK, Icon: "link"}
	}
	chip := TypeChip(p.BreakType)
	if p.Status.resolved() {
		chip = p.Status.Chip()
	}
	chip.Ref = ui.Link{Text: NameOfBreak(p.BreakID), Href: book.BreakURL(p.BreakID)}
	return chip
}

// chip says what became of a line.
func (l LineRow) chip(book Book) ui.Chip {
	if l.BreakID != 0 {
		chip := TypeChip(l.BreakType)
		chip.Ref = ui.Link{Text: NameOfBreak(l.BreakID), Href: book.BreakURL(l.BreakID)}
		return chip
	}
	return ui.Chip{Text: l.MatchKind.Label(), Tone: ui.OK, Icon: "link"}
}

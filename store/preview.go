package store

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"gorm.io/gorm"

	"daybook/recon/statement"
	"daybook/store/ledger"
)

// The classes of rows, in which each row of a file is once.
const (
	RowNew       = "new"
	RowKnown     = "known"
	RowDuplicate = "duplicate"
	RowRejected  = "rejected"
	RowSkipped   = "skipped"
)

// RowClasses lists the classes in the order in which they are shown.
var RowClasses = []string{RowNew, RowKnown, RowDuplicate, RowRejected, RowSkipped}

// Preview is a draft as it would be stored: read by the same code as ConfirmDraft, and nothing of it stored. Where it is refused, it tells as
// much as could be read.
type Preview struct {
	Draft
	Hints    statement.Hints // those of the profile with those told over them
	Settings statement.Settings
	Question *statement.Question // the one thing to ask, nil when nothing is or can be
	Preamble []statement.SampleRow
	Sample   []statement.SampleRow
	// SampleRows says what becomes of each row of the sample; the rows that are lines have one, whatever their class. None while nothing is readable.
	SampleRows []PreviewRow
	// Refusal is why the draft cannot be stored as it is; nil when it can. Its kind, its fields, error_class and row are those of ConfirmDraft.
	Refusal *ledger.Error
	// Unproven says that only balances which do not add up keep the draft from being stored: with a reason it can be.
	Unproven bool
	// RefusedRow is the row that the refusal is about as it stands in the file, "" where it is about none.
	RefusedRow string
	// Readable is false when no row could be read: then there are no rows, no period, no proof and no checks.
	Readable    bool
	Currency    string
	Rows        RowCounts
	InDoubt     int          // of the known rows, those that may be new
	Shown       []PreviewRow // the slice of one class that was asked for
	More        bool         // others of the class follow
	FirstLine   *statement.Line
	FirstCells  []string // of the first line, as they stand in the file
	Period      PreviewPeriod
	Proof       *BalanceProof // nil when it has no meaning: lines in several currencies, or sums beyond the largest amount
	Checks      Checks
	Profiles    []Profile     // of the account, in their latest versions
	ProfileName string        // under which the settings would be remembered, unless another is typed
	Stored      *UploadResult // the statement that the file is stored as for this account by now, nil for none
	Elsewhere   []string      // the codes of other accounts that the same file is stored for
}

// PreviewPeriod is the time that the statement would speak for. It is the zero period while it is refused.
type PreviewPeriod struct {
	From, To ledger.Date
	Stated   bool // by its uploader; else it is that of the lines
}

// PreviewRow is a row of a file and what would become of it. Line is set for rows that would be stored, and BalanceEqual where the running
// balance beside one could be recomputed from its neighbour.
type PreviewRow struct {
	RowNote
	Line         *statement.Line
	BalanceEqual *bool
	Included     bool // new because a person says so, though an equal line is stored
}

// PreviewWindow is which rows of a preview are asked for: those of a class, after a row of the file.
type PreviewWindow struct {
	Class    string // RowNew when empty
	AfterRow int
	Limit    int
}

// PreviewDraft shows a draft as it would be stored. Errors: KindForbidden, KindNotFound, KindInvalid for the class.
func (s *Store) PreviewDraft(ctx context.Context, actor Actor, id int64, window PreviewWindow) (preview Preview, err error) {
	if err := actor.Need(RightUpload); err != nil {
		return Preview{}, err
	}
	if window.Class == "" {
		window.Class = RowNew
	}
	if !slices.Contains(RowClasses, window.Class) {
		return Preview{}, ledger.Refuse(ledger.KindInvalid, "rows are %v, not %q", RowClasses, window.Class).At("rows", "is no class of rows")
	}
	if err := s.readDraftAhead(ctx, actor, id, 0); err != nil {
		return Preview{}, err
	}
	err = s.inSnapshot(ctx, func(tx *gorm.DB) error {
		draft, err := s.loadDraft(tx, actor, id, true)
		if err != nil {
			return err
		}
		read, refusal := s.readUpload(tx, actor.Book, draft.Account, draft.upload(), draft.Profile)
		preview, err = previewOf(tx, actor.Book, draft, read, refusal, window)
		return err
	})
	return preview, err
}

func previewOf(tx *gorm.DB, book Book, draft Draft, read reading, refusal error, window PreviewWindow) (Preview, error) {
	p := Preview{Draft: draft, Hints: read.hints, Settings: read.found.Settings, Question: read.asks(draft.Account), Preamble: read.found.Preamble, Sample: read.found.Sample}
	p.Draft.data, p.RefusedRow = nil, read.found.RefusedRow
	p.Unproven = read.balanceRefusal() != nil && read.fault == nil
	if refusal != nil && !errors.As(refusal, &p.Refusal) {
		return Preview{}, refusal
	}
	var err error
	if p.Profiles, err = latestProfiles(tx, book, draft.Account); err != nil {
		return Preview{}, err
	}
	p.ProfileName = profileNameFor(draft, read, p.Profiles)
	first, found, err := uploadedBefore(tx, book, draft.Account, draft.FileHash)
	if err != nil {
		return Preview{}, err
	}
	if found {
		p.Stored = &first
	}
	if p.Elsewhere, err = accountsWithFile(tx, book, draft.FileHash, draft.Account.ID); err != nil {
		return Preview{}, err
	}
	parsed := read.found.Statement
	if !read.sorted {
		return p, nil
	}
	p.Readable, p.Currency, p.Rows, p.InDoubt = true, parsed.Currency, read.counts, len(read.inDoubt())
	p.Period = PreviewPeriod(read.period)
	p.Shown, p.More = read.window(window)
	p.SampleRows = read.sampleRows()
	if len(parsed.Lines) > 0 {
		p.FirstLine, p.FirstCells = &parsed.Lines[0], parsed.Settings.Cells(parsed.Lines[0].Raw)
	}
	p.Proof = read.proof()
	p.Checks, err = checksOf(tx, book, draft.Account, read)
	return p, err
}

// profileNameFor is that of the profile which is applied, else one that the account does not have yet.
func profileNameFor(draft Draft, read reading, taken []Profile) string {
	if draft.Profile != nil {
		return draft.Profile.Name
	}
	base := read.found.Settings.Message
	if base == "" {
		base = fmt.Sprintf("CSV, %d columns", len(read.found.Settings.Columns))
	}
	for n, name := 2, base; ; n++ {
		if !slices.ContainsFunc(taken, func(p Profile) bool { return p.Name == name }) {
			return name
		}
		name = fmt.Sprintf("%s (%d)", base, n)
	}
}

// window gives the rows of a class after a row, in the order of the file.
func (r reading) window(w PreviewWindow) (rows []PreviewRow, more bool) {
	limit := pageSize(w.Limit)
	r.each(w.Class, func(row PreviewRow) bool {
		if row.Row <= w.AfterRow {
			return true
		}
		if more = len(rows) == limit; more {
			return false
		}
		rows = append(rows, row)
		return true
	})
	if w.Class == RowNew && r.found.Statement.BalancesCompared > 0 {
		balances := r.balances()
		for i := range rows {
			rows[i].BalanceEqual = balances.equal(rows[i].Line)
		}
	}
	return rows, more
}

// each goes through the rows of a class in the order of the file, until show has enough.
func (r reading) each(class string, show func(PreviewRow) bool) {
	if class == RowNew {
		for _, line := range r.fresh {
			if !show(PreviewRow{RowNote: RowNote{Row: line.Row, Class: RowNew, Raw: line.Raw}, Line: line.Line, Included: line.included}) {
				return
			}
		}
		return
	}
	for _, note := range r.notes {
		if note.Class == class && !show(PreviewRow{RowNote: note}) {
			return
		}
	}
}

// DraftRows gives all rows of a class of a draft, in the order of the file, to be downloaded. Errors: those of PreviewDraft.
func (s *Store) DraftRows(ctx context.Context, actor Actor, id int64, class string) (rows []RowNote, err error) {
	if err := actor.Need(RightUpload); err != nil {
		return nil, err
	}
	if !slices.Contains(RowClasses, class) {
		return nil, ledger.Refuse(ledger.KindInvalid, "rows are %v, not %q", RowClasses, class).At("rows", "is no class of rows")
	}
	if err := s.readDraftAhead(ctx, actor, id, 0); err != nil {
		return nil, err
	}
	err = s.inSnapshot(ctx, func(tx *gorm.DB) error {
		draft, err := s.loadDraft(tx, actor, id, true)
		if err != nil {
			return err
		}
		read, refusal := s.readUpload(tx, actor.Book, draft.Account, draft.upload(), draft.Profile)
		if ledger.KindOf(refusal) == ledger.KindInternal && refusal != nil {
			return refusal
		}
		read.each(class, func(row PreviewRow) bool {
			rows = append(rows, row.RowNote)
			return true
		})
		return nil
	})
	return rows, err
}

func accountsWithFile(tx *gorm.DB, book Book, hash ledger.Hash, besides int64) ([]string, error) {
	codes, err := query[string](tx, `
		SELECT DISTINCT a.code FROM statements o JOIN accounts a ON a.book_id = o.book_id AND a.id = o.account_id
		 WHERE o.book_id = ? AND o.file_hash = ? AND o.account_id <> ? AND o.undone_at IS NULL ORDER BY a.code`, book.ID, hash, besides)
	if err != nil {
		return nil, fmt.Errorf("look for a file under other accounts: %w", err)
	}
	return codes, nil
}

package store

import (
	"context"
	"fmt"
	"time"

	"gorm.io/gorm"

	"daybook/recon"
	"daybook/store/ledger"
)

// Break is a difference between an account's statements and the journal, with the lines and postings that it is about.
type Break struct {
	ID               int64
	Account          string
	ReconciliationID int64 // the one that found it
	Type             recon.BreakType
	Status           recon.Status
	Resolution       recon.Resolution // "" while it is not resolved
	DifferenceMinor  int64
	Currency         string
	Why              string
	FirstSeenOn      ledger.Date
	Version          int    // the number of the last event that changed it: who only said or attached something did not
	Assignee         string // the address of who it is assigned to, "" for nobody
	AssigneeName     string
	MatchID          int64 // the match that settled it, 0 for none
	ApprovalID       int64 // the request that it waits for, 0 for none
	Ledger           []PostingSide
	Bank             []LineSide
}

// PostingSide is a posting as a break or a match shows it.
type PostingSide struct {
	Seq         int64
	Line        int
	TxID        string
	EffectiveOn ledger.Date
	Description string
	Reference   string
	AmountMinor int64
	Currency    string
}

// LineSide is a statement line as a break or a match shows it.
type LineSide struct {
	StatementID int64
	Row         int
	BookedOn    ledger.Date
	Reference   string
	Description string
	AmountMinor int64
	Currency    string
}

// BreakEvent is one step in the history of a break. User is "" where Daybook itself acted. Assignee is who it was assigned to; MatchID,
// ApprovalID, Seq and AttachmentID are the match, the request, the adjusting entry and the attachment that it has to do with, 0 for none.
type BreakEvent struct {
	N            int
	Event        string
	Type         recon.BreakType // what the break is from here on, of a step that says so; "" of one that does not, or that is from before they did
	Resolution   recon.Resolution
	ReasonCode   recon.Reason
	Note         string
	User         string
	At           time.Time
	Assignee     string
	MatchID      int64
	ApprovalID   int64
	Seq          int64
	AttachmentID int64
}

// BreakFilter narrows the breaks of a reconciliation; zero fields do not. After is the place in the list that bounds the page: the number
// of breaks before it.
type BreakFilter struct {
	ReconciliationID int64
	Type             recon.BreakType
	Status           recon.Status
	Standing         Standing
	After            int
	Limit            int
}

// Breaks lists the breaks of a reconciliation by type, then by day, amount and id; more reports whether others follow. Error: KindNotFound.
func (s *Store) Breaks(ctx context.Context, actor Actor, f BreakFilter) (items []Break, more bool, err error) {
	if err := actor.Need(RightRead); err != nil {
		return nil, false, err
	}
	db := s.db.WithContext(ctx)
	if err := needReconciliation(db, actor.Book, f.ReconciliationID); err != nil {
		return nil, false, err
	}
	if version, err := signedVersion(db, actor.Book, f.ReconciliationID); err != nil || version != 0 {
		if err != nil {
			return nil, false, err
		}
		return breaksKept(db, actor.Book, f, version)
	}
	limit := pageSize(f.Limit)
	items, err = loadBreaks(db, actor.Book, `
		EXISTS (SELECT FROM reconciliation_breaks l JOIN reconciliations r ON r.book_id = l.book_id AND r.id = l.reconciliation_id AND r.status <> 'undone'
		         WHERE l.book_id = b.book_id AND l.break_id = b.id AND l.reconciliation_id = ?)
		AND b.superseded_by IS DISTINCT FROM ?`+notUndoneSQL+` AND (? = '' OR b.type = ?) AND (? = '' OR b.status = ?) AND (? = '' OR `+standingSQL+` = ?)
		ORDER BY array_position(CAST(? AS text[]), b.type), b.since, b.difference_minor, b.id OFFSET ? LIMIT ?`,
		f.ReconciliationID, f.ReconciliationID, f.Type, f.Type, f.Status, f.Status, f.Standing, f.Standing, typeOrder(), f.After, limit+1)
	if more = len(items) > limit; more {
		items = items[:limit]
	}
	return items, more, err
}

func typeOrder() array[string] {
	var order array[string]
	for _, t := range recon.BreakTypes() {
		order = append(order, string(t))
	}
	return order
}

func needReconciliation(db *gorm.DB, book Book, id int64) error {
	ids, err := query[int64](db, `SELECT id FROM reconciliations WHERE book_id = ? AND id = ?`, book.ID, id)
	if err == nil && len(ids) == 0 {
		err = noReconciliation(book, id)
	}
	return err
}

// Break gives one break with its history, oldest first. Error: KindNotFound.
func (s *Store) Break(ctx context.Context, actor Actor, id int64) (Break, []BreakEvent, error) {
	if err := actor.Need(RightRead); err != nil {
		return Break{}, nil, err
	}
	db := s.db.WithContext(ctx)
	b, err := loadBreak(db, actor.Book, id)
	if err != nil {
		return Break{}, nil, err
	}
	events, err := query[BreakEvent](db, `
		SELECT e.n, e.event, coalesce(e.type, '') AS type, coalesce(e.resolution, '') AS resolution, e.reason_code, e.note, coalesce(u.name, '') AS user, e.at,
		       coalesce(a.name, '') AS assignee, coalesce(e.match_id, 0) AS match_id, coalesce(e.approval_id, 0) AS approval_id, coalesce(e.seq, 0) AS seq,
		       coalesce(e.attachment_id, 0) AS attachment_id
		  FROM break_events e LEFT JOIN users u ON u.id = e.user_id LEFT JOIN users a ON a.id = e.assignee_id WHERE e.book_id = ? AND e.break_id = ? ORDER BY e.n`, actor.Book.ID, id)
	if err != nil {
		return Break{}, nil, fmt.Errorf("read the history of break %d: %w", id, err)
	}
	return b, events, nil
}

// Standing says what a break still asks of people: nothing is left to do for what is explained or resolved.
type Standing string

// The standings of a break. Explained is what the proof takes into account without an entry: carried forward, with the bank, or
// settled by a later statement.
const (
	StandsOpen      Standing = "open"
	StandsExplained Standing = "explained"
	StandsResolved  Standing = "resolved"
)

// StandingOf gives the standing of a break by its status and its resolution.
func StandingOf(status recon.Status, resolution recon.Resolution) Standing {
	switch {
	case status != recon.Resolved:
		return StandsOpen
	case resolution == recon.CarriedForward || resolution == recon.External || resolution == recon.Superseded:
		return StandsExplained
	}
	return StandsResolved
}

// standingSQL is StandingOf for a row b of breaks.
const standingSQL = `CASE WHEN b.status <> 'resolved' THEN 'open'
	WHEN b.resolution IN ('carried_forward', 'external', 'superseded') THEN 'explained' ELSE 'resolved' END`

// Foreign reports whether a line or posting of the break is in another currency than its account.
func (b Break) Foreign() bool {
	for _, side := range b.Ledger {
		if side.Currency != b.Currency {
			return true
		}
	}
	for _, side := range b.Bank {
		if side.Currency != b.Currency {
			return true
		}
	}
	return false
}

// EarliestDay is the day of the earliest line or posting of the break, or the day on which it was found when it has none.
func (b Break) EarliestDay() ledger.Date {
	day := b.FirstSeenOn
	for _, side := range b.Ledger {
		if side.EffectiveOn.Before(day) {
			day = side.EffectiveOn
		}
	}
	for _, side := range b.Bank {
		if side.BookedOn.Before(day) {
			day = side.BookedOn
		}
	}
	return day
}

// BreakNote is a break as the page of another record names it.
type BreakNote struct {
	ID   int64
	Type recon.BreakType
	Why  string
}

// BreakSettledBy gives the break that an entry was posted to settle, 0 where it was for none.
func (s *Store) BreakSettledBy(ctx context.Context, actor Actor, seq int64) (int64, error) {
	if err := actor.Need(RightRead); err != nil {
		return 0, err
	}
	id, err := queryOne[int64](s.db.WithContext(ctx), "nothing", `
		SELECT coalesce(min(break_id), 0) FROM break_events WHERE book_id = ? AND seq = ? AND event = 'resolved'`, actor.Book.ID, seq)
	if err != nil {
		return 0, fmt.Errorf("look what entry %d settled: %w", seq, err)
	}
	return id, nil
}

// OpenBreaksOf lists the breaks, not resolved yet, that hold a posting of an entry.
func (s *Store) OpenBreaksOf(ctx context.Context, actor Actor, seq int64) ([]BreakNote, error) {
	if err := actor.Need(RightRead); err != nil {
		return nil, err
	}
	notes, err := query[BreakNote](s.db.WithContext(ctx), `
		SELECT DISTINCT b.id, b.type, b.why FROM breaks b JOIN break_postings p ON p.book_id = b.book_id AND p.break_id = b.id
		 WHERE b.book_id = ? AND p.seq = ? AND p.live AND b.live AND b.status <> 'resolved' ORDER BY b.id LIMIT 100`, actor.Book.ID, seq)
	if err != nil {
		return nil, fmt.Errorf("look for breaks of entry %d: %w", seq, err)
	}
	return notes, nil
}

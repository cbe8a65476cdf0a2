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

// BreakEvent is one step in the history of a break. User is "" where Daybook itself acted.
type BreakEvent struct {
	N          int
	Event      string
	Resolution recon.Resolution
	ReasonCode recon.Reason
	Note       string
	User       string
	At         time.Time
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
	if err := actor.need(RightRead); err != nil {
		return nil, false, err
	}
	db := s.db.WithContext(ctx)
	if err := needReconciliation(db, actor.Book, f.ReconciliationID); err != nil {
		return nil, false, err
	}
	limit := pageSize(f.Limit)
	items, err = loadBreaks(db, actor.Book, `
		EXISTS (SELECT FROM reconciliation_breaks l WHERE l.book_id = b.book_id AND l.break_id = b.id AND l.reconciliation_id = ?)
		AND b.superseded_by IS DISTINCT FROM ? AND (? = '' OR b.type = ?) AND (? = '' OR b.status = ?) AND (? = '' OR `+standingSQL+` = ?)
		ORDER BY array_position(CAST(? AS text[]), b.type), sides.day, b.difference_minor, b.id OFFSET ? LIMIT ?`,
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
	_, err := queryOne[int64](db, fmt.Sprintf("book %s has no reconciliation %d", book.Code, id),
		`SELECT id FROM reconciliations WHERE book_id = ? AND id = ?`, book.ID, id)
	return err
}

// Break gives one break with its history, oldest first. Error: KindNotFound.
func (s *Store) Break(ctx context.Context, actor Actor, id int64) (Break, []BreakEvent, error) {
	if err := actor.need(RightRead); err != nil {
		return Break{}, nil, err
	}
	db := s.db.WithContext(ctx)
	b, err := loadBreak(db, actor.Book, id)
	if err != nil {
		return Break{}, nil, err
	}
	events, err := query[BreakEvent](db, `
		SELECT e.n, e.event, coalesce(e.resolution, '') AS resolution, e.reason_code, e.note, coalesce(u.name, '') AS user, e.at
		  FROM break_events e LEFT JOIN users u ON u.id = e.user_id WHERE e.book_id = ? AND e.break_id = ? ORDER BY e.n`, actor.Book.ID, id)
	return b, events, err
}

// BreakResolution is what a person decides about a break.
type BreakResolution struct {
	Resolution recon.Resolution
	ReasonCode recon.Reason
	Note       string
}

// ResolveBreak settles a break in a way that needs neither an entry nor a match. Errors: KindForbidden, KindNotFound and those of
// recon.CanResolve, KindKeyReused.
func (s *Store) ResolveBreak(ctx context.Context, actor Actor, key string, id int64, decision BreakResolution) (Break, bool, error) {
	content := map[string]any{"break_id": id, "resolution": decision.Resolution, "reason_code": decision.ReasonCode, "note": decision.Note}
	return s.workOnBreak(ctx, actor, key, "break-resolve", content, id, func(tx *gorm.DB, b Break) error {
		facts := recon.BreakFacts{Type: b.Type, Status: b.Status, DifferenceMinor: b.DifferenceMinor, Foreign: b.Foreign()}
		if refusal := recon.CanResolve(facts, decision.Resolution, decision.ReasonCode, decision.Note); refusal != nil {
			return refusal
		}
		if err := ledger.CheckText("note", decision.Note, false); err != nil {
			return err
		}
		return s.setBreak(tx, actor, id, "resolved", recon.Resolved, decision)
	})
}

// ReopenBreak opens a resolved break again; the note says why. Errors: KindForbidden, KindNotFound, KindInvalid,
// KindIllegalTransition, KindKeyReused.
func (s *Store) ReopenBreak(ctx context.Context, actor Actor, key string, id int64, note string) (Break, bool, error) {
	content := map[string]any{"break_id": id, "note": note}
	return s.workOnBreak(ctx, actor, key, "break-reopen", content, id, func(tx *gorm.DB, b Break) error {
		if refusal := recon.CanReopen(recon.BreakFacts{Type: b.Type, Status: b.Status}, b.Resolution); refusal != nil {
			return refusal
		}
		if err := ledger.CheckText("note", note, true); err != nil {
			return err
		}
		return s.setBreak(tx, actor, id, "reopened", recon.Open, BreakResolution{Note: note})
	})
}

// workOnBreak holds the break's row while a person's action on it is judged and stored.
func (s *Store) workOnBreak(ctx context.Context, actor Actor, key, operation string, content any, id int64,
	act func(tx *gorm.DB, b Break) error) (result Break, duplicate bool, err error) {
	if err := actor.need(RightResolve); err != nil {
		return Break{}, false, err
	}
	err = s.inTx(ctx, func(tx *gorm.DB) error {
		result, duplicate, err = once(s, tx, actor, key, operation, content, func() (Break, error) {
			if _, err := query[int64](tx, `SELECT id FROM breaks WHERE book_id = ? AND id = ? FOR UPDATE`, actor.Book.ID, id); err != nil {
				return Break{}, err
			}
			b, err := loadBreak(tx, actor.Book, id)
			if err != nil {
				return Break{}, err
			}
			if err := act(tx, b); err != nil {
				return Break{}, err
			}
			return loadBreak(tx, actor.Book, id)
		})
		return err
	})
	return result, duplicate, err
}

func (s *Store) setBreak(tx *gorm.DB, actor Actor, id int64, event string, status recon.Status, decision BreakResolution) error {
	var resolution *string
	if decision.Resolution != "" {
		text := string(decision.Resolution)
		resolution = &text
	}
	if _, err := exec(tx, `UPDATE breaks SET status = ?, resolution = ? WHERE book_id = ? AND id = ?`, status, resolution, actor.Book.ID, id); err != nil {
		return fmt.Errorf("change break %d: %w", id, err)
	}
	if _, err := exec(tx, `
		INSERT INTO break_events (book_id, break_id, n, event, resolution, reason_code, note, user_id, at)
		SELECT ?, ?, 1 + coalesce(max(n), 0), ?, CAST(? AS text), ?, ?, ?, ? FROM break_events WHERE book_id = ? AND break_id = ?`,
		actor.Book.ID, id, event, resolution, decision.ReasonCode, decision.Note, actor.UserID, s.now(), actor.Book.ID, id); err != nil {
		return fmt.Errorf("note what was done with break %d: %w", id, err)
	}
	return s.audit(tx, actor, "break."+event, fmt.Sprintf("break %d", id), map[string]any{"resolution": decision.Resolution, "reason_code": decision.ReasonCode})
}

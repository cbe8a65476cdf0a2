package store

import (
	"context"
	"fmt"
	"time"

	"daybook/store/ledger"
)

// WaitingSignOff is a reconciliation that another person submitted.
type WaitingSignOff struct {
	ReconciliationID int64
	Account          string
	Currency         string
	ScopeFrom        ledger.Date
	ScopeTo          ledger.Date
	StatementMinor   int64
	UnexplainedMinor int64 // when it was submitted
	SubmittedBy      string
	SubmittedAt      time.Time
}

// waitingSQL finds what others than @user have submitted.
const waitingSQL = ` FROM reconciliations r
	CROSS JOIN LATERAL (SELECT e.user_id, e.at, e.unexplained_minor FROM reconciliation_events e
	                     WHERE e.book_id = r.book_id AND e.reconciliation_id = r.id AND e.event = 'submitted' ORDER BY e.n DESC LIMIT 1) e
	WHERE r.book_id = @book AND r.status = 'submitted' AND e.user_id <> @user`

// WaitingSignOffs lists what waits for the actor to sign it off, the oldest first: nothing for who may not.
func (s *Store) WaitingSignOffs(ctx context.Context, actor Actor, limit int) ([]WaitingSignOff, error) {
	if !actor.Can(RightDecide) {
		return nil, actor.Need(RightRead)
	}
	items, err := query[WaitingSignOff](s.db.WithContext(ctx), `
		SELECT w.id AS reconciliation_id, a.code AS account, a.currency, w.scope_from, w.scope_to, w.statement_minor, w.unexplained_minor, u.name AS submitted_by, w.at AS submitted_at
		  FROM (SELECT r.book_id, r.id, r.account_id, r.scope_from, r.scope_to, r.statement_minor, e.unexplained_minor, e.user_id, e.at`+waitingSQL+`) w
		  JOIN accounts a ON a.book_id = w.book_id AND a.id = w.account_id JOIN users u ON u.id = w.user_id ORDER BY w.at, w.id LIMIT @limit`,
		map[string]any{"book": actor.Book.ID, "user": actor.UserID, "limit": pageSize(limit)})
	if err != nil {
		return nil, fmt.Errorf("look what waits to be signed off: %w", err)
	}
	return items, nil
}

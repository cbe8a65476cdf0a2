package store

import (
	"context"
	"fmt"
	"time"

	"gorm.io/gorm"
)

// InboxFigures counts the messages of the actor's book that first came since an instant, and how often they were delivered. Error: KindForbidden.
func (s *Store) InboxFigures(ctx context.Context, actor Actor, since time.Time) (figures InboxFigures, err error) {
	if err := actor.Need(RightRead); err != nil {
		return InboxFigures{}, err
	}
	err = s.inSnapshot(ctx, func(tx *gorm.DB) error {
		figures, err = queryOne[InboxFigures](tx, "no count", `
			SELECT coalesce(sum(deliveries), 0) AS deliveries, coalesce(sum(deliveries - 1), 0) AS duplicates, `+inboxCounts+`
			  FROM inbox_messages WHERE book_id = ? AND received_at >= ?`, actor.Book.ID, since)
		if err != nil {
			return fmt.Errorf("count messages: %w", err)
		}
		figures.BySource, err = query[InboxSource](tx, `
			SELECT source, count(*) AS messages, sum(deliveries - 1) AS duplicates,
			       count(*) FILTER (WHERE state IN ('waiting', 'failed', 'parked')) AS unapplied, max(received_at) AS last_at
			  FROM inbox_messages WHERE book_id = ? AND received_at >= ? GROUP BY source ORDER BY source LIMIT 200`, actor.Book.ID, since)
		return err
	})
	for i := range figures.BySource {
		figures.BySource[i].LastAt = figures.BySource[i].LastAt.UTC()
	}
	return figures, err
}

// inboxCounts count messages by state.
const inboxCounts = `
	count(*) FILTER (WHERE state = 'applied') AS applied, count(*) FILTER (WHERE state = 'waiting') AS waiting, count(*) FILTER (WHERE state = 'failed') AS failed,
	count(*) FILTER (WHERE state = 'parked') AS parked, count(*) FILTER (WHERE state = 'dismissed') AS dismissed`

// InboxToDo counts the messages of the actor's book that a person should look at: those that failed or are parked. Error: KindForbidden.
func (s *Store) InboxToDo(ctx context.Context, actor Actor) (int64, error) {
	if err := actor.Need(RightRead); err != nil {
		return 0, err
	}
	return queryOne[int64](s.db.WithContext(ctx), "no count",
		`SELECT count(*) FROM inbox_messages WHERE book_id = ? AND state IN ('failed', 'parked') AND state <> 'applied'`, actor.Book.ID)
}

// InboxUnapplied counts the messages of all books that are not applied, by state, for whoever watches the servers.
func (s *Store) InboxUnapplied(ctx context.Context) (map[InboxState]int64, error) {
	rows, err := query[struct {
		State InboxState
		N     int64
	}](s.db.WithContext(ctx), `SELECT state, count(*) AS n FROM inbox_messages WHERE state <> 'applied' GROUP BY state`)
	if err != nil {
		return nil, fmt.Errorf("count messages by state: %w", err)
	}
	counts := map[InboxState]int64{}
	for _, r := range rows {
		counts[r.State] = r.N
	}
	return counts, nil
}

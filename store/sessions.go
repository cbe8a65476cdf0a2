package store

import (
	"database/sql"
	"fmt"
	"time"

	"github.com/alexedwards/scs/postgresstore"
	"github.com/alexedwards/scs/v2"
)

// Sessions keeps the sessions of signed-in people in the database, so that every server knows them. Ended ones are swept when
// someone signs in, not by a process in the background.
func (s *Store) Sessions() (scs.Store, error) {
	pool, err := s.db.DB()
	if err != nil {
		return nil, fmt.Errorf("reach the sessions: %w", err)
	}
	return sessions{PostgresStore: postgresstore.NewWithCleanupInterval(pool, 0), pool: pool}, nil
}

// sweptAfter is how long an ended session is remembered: longer than a request that began before its end can take.
const sweptAfter = time.Hour

// sessions never revives a session that has ended: a request that was under way meanwhile keeps the session it began with and
// stores it when it answers.
type sessions struct {
	*postgresstore.PostgresStore
	pool *sql.DB
}

// Delete ends a session, and leaves the mark that it did.
func (s sessions) Delete(token string) error {
	_, err := s.pool.Exec(`UPDATE sessions SET data = '', expiry = current_timestamp WHERE token = $1 AND expiry > current_timestamp`, token)
	return err
}

// Commit stores a session that is new or has not ended.
func (s sessions) Commit(token string, data []byte, expiry time.Time) error {
	_, err := s.pool.Exec(`
		INSERT INTO sessions (token, data, expiry) VALUES ($1, $2, $3)
		ON CONFLICT (token) DO UPDATE SET data = EXCLUDED.data, expiry = EXCLUDED.expiry WHERE sessions.expiry > current_timestamp`,
		token, data, expiry)
	return err
}

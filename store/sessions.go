package store

import (
	"fmt"

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
	return postgresstore.NewWithCleanupInterval(pool, 0), nil
}

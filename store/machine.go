package store

import (
	"context"
	"errors"
	"fmt"
)

// WithMachine names the user, by e-mail address, in whose name is taken in what comes without a token: from gateways and brokers.
func WithMachine(email string) Option {
	return func(s *Store) { s.machine = email }
}

// MachineActor gives the user that WithMachine names as who acts in a book. Errors: those of Actor, KindForbidden where it may not
// post, and others where no user is named or there is none of that address.
func (s *Store) MachineActor(ctx context.Context, bookCode string) (Actor, error) {
	if s.machine == "" {
		return Actor{}, errors.New("no user is named in whose name messages without a token are taken in")
	}
	ids, err := query[int64](s.db.WithContext(ctx), `SELECT id FROM users WHERE email = lower(?)`, s.machine)
	if err != nil {
		return Actor{}, err
	}
	if len(ids) == 0 {
		return Actor{}, fmt.Errorf("there is no user %s, in whose name messages without a token would be taken in", s.machine)
	}
	actor, err := s.Actor(ctx, ids[0], bookCode)
	if err != nil {
		return actor, err
	}
	return actor, actor.Need(RightPost)
}

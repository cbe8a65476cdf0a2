package store

import (
	"context"
	"sync"
	"time"

	"gorm.io/gorm"
)

// rememberedActors bounds the memory of who acts by which token; beyond it begins anew.
const rememberedActors = 10_000

// remembrance says by which token an actor acts, and as of which version of the book that was so.
type remembrance struct {
	token   tokenInBook
	version int64
}

// rememberedActor is who acts by a token, and until when at the latest that is worth remembering.
type rememberedActor struct {
	actor Actor
	until time.Time
}

// actorMemory remembers who acts by which token. It is safe for concurrent use.
type actorMemory struct {
	mu      sync.Mutex
	byToken map[tokenInBook]rememberedActor
}

func (m *actorMemory) find(token tokenInBook, now time.Time) (Actor, bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	known, ok := m.byToken[token]
	if !ok || !now.Before(known.until) {
		return Actor{}, false
	}
	return known.actor, true
}

func (m *actorMemory) keep(token tokenInBook, known rememberedActor) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.byToken == nil || len(m.byToken) >= rememberedActors {
		m.byToken = map[tokenInBook]rememberedActor{}
	}
	m.byToken[token] = known
}

func (m *actorMemory) forget(token tokenInBook) {
	m.mu.Lock()
	defer m.mu.Unlock()
	delete(m.byToken, token)
}

// PosterByToken is ActorByToken for one who posts: who may is remembered. PostEntry makes sure of such an actor; who refuses one for
// another reason calls Reconfirm first.
func (s *Store) PosterByToken(ctx context.Context, plain, bookCode string) (Actor, error) {
	token := tokenOf(plain, bookCode)
	if actor, ok := s.actors.find(token, s.now()); ok && actor.Can(RightPost) {
		return actor, nil
	}
	return s.actorByToken(s.db.WithContext(ctx), token)
}

// ReaderByToken is ActorByToken for one who only reads. Who is remembered is looked up again where the book's version is another; of who
// made their password it may know minutes late.
func (s *Store) ReaderByToken(ctx context.Context, plain, bookCode string) (Actor, error) {
	token, db := tokenOf(plain, bookCode), s.db.WithContext(ctx)
	if actor, ok := s.actors.find(token, s.now()); ok {
		if version, err := readVersion(db, actor.Book); err == nil && version == actor.remembered.version {
			return actor, nil
		}
	}
	return s.actorByToken(db, token)
}

// Reconfirm looks an actor up again that was only remembered. Errors are those of ActorByToken.
func (s *Store) Reconfirm(ctx context.Context, actor Actor) error {
	if actor.remembered == nil {
		return nil
	}
	_, err := s.actorByToken(s.db.WithContext(ctx), actor.remembered.token)
	return err
}

// confirm makes sure of an actor as of a version of the book, and gives it as it is then. Errors are those of ActorByToken, and KindForbidden
// for one who may not post.
func (s *Store) confirm(db *gorm.DB, actor Actor, version int64) (Actor, error) {
	if actor.remembered == nil || actor.remembered.version == version {
		return actor, nil
	}
	again, err := s.actorByToken(db, actor.remembered.token)
	if err != nil {
		return Actor{}, err
	}
	again.Request, again.Address = actor.Request, actor.Address
	return again, again.Need(RightPost)
}

// confirmNow is confirm as of the version that the book has.
func (s *Store) confirmNow(db *gorm.DB, actor Actor) (Actor, error) {
	if actor.remembered == nil {
		return actor, nil
	}
	version, err := readVersion(db, actor.Book)
	if err != nil {
		return Actor{}, err
	}
	return s.confirm(db, actor, version)
}

// latest gives an actor as it was last looked up, which for one who goes on acting for long may be later than when that began.
func (s *Store) latest(actor Actor) Actor {
	if actor.remembered == nil {
		return actor
	}
	known, ok := s.actors.find(actor.remembered.token, s.now())
	if !ok || known.remembered.version < actor.remembered.version {
		return actor
	}
	known.Request, known.Address = actor.Request, actor.Address
	return known
}

package store

import (
	"context"

	"gorm.io/gorm"
)

// nextLooked is how far a list is looked along for the break to go on with: the page and what can be decided at once.
const nextLooked = MaxPage + maxBreaksAtOnce

// NextInList is the break to go on with in a list once those chosen are done: the first one behind the last of them, else the nearest
// before; 0 where none is left. Error: KindForbidden.
func (s *Store) NextInList(ctx context.Context, actor Actor, q BreakQuery, chosen []int64) (next int64, err error) {
	if err := actor.Need(RightRead); err != nil {
		return 0, err
	}
	err = s.inSnapshot(ctx, func(tx *gorm.DB) error {
		ids, err := q.ids(tx, actor, nextLooked)
		next = nextOf(ids, chosen)
		return err
	})
	return next, err
}

func nextOf(ids, chosen []int64) (next int64) {
	gone, last := map[int64]bool{}, -1
	for _, id := range chosen {
		gone[id] = true
	}
	for i, id := range ids {
		if gone[id] {
			last = i
		}
	}
	for _, id := range ids[last+1:] {
		if !gone[id] {
			return id
		}
	}
	for _, id := range ids[:last+1] {
		if !gone[id] {
			next = id
		}
	}
	return next
}

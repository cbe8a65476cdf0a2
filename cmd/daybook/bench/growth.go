package bench

import (
	"context"
	"fmt"
	"slices"
	"time"

	"daybook/store/ledger"
)

// young is how many entries a book has where its rate is the measure for a grown one.
const young = 100_000

// growth measures the rate of a book with few entries, and again when it has grown.
func (s *suite) growth(ctx context.Context) error {
	for _, size := range slices.Compact([]int64{min(young, s.Preload), s.Preload}) {
		for _, writer := range s.Writers {
			st := s.stages[writer]
			if err := s.preload(ctx, st, size); err != nil {
				return fmt.Errorf("preload %d entries: %w", size, err)
			}
			for _, clients := range s.Clients {
				if err := s.posts(ctx, writer, clients, s.Hot); err != nil {
					return err
				}
			}
		}
		if size < s.Preload {
			s.young, s.found = s.found, map[string]measurement{}
		}
	}
	return nil
}

// preload brings a book up to a number of entries, in batches.
func (s *suite) preload(ctx context.Context, st *stage, size int64) error {
	missing := size - st.posted
	load, way := s.streamUpTo, "batch"
	there, err := st.takesBatches()
	if err != nil {
		return err
	}
	if !there || st.book.Code != Daybook {
		load, way = s.fill, "in the process of the bench"
	}
	posted, took, err := load(ctx, st, missing)
	st.preloaded = st.posted
	if err != nil || posted == 0 {
		return err
	}
	m := once(st.book.Code, posted, took)
	m.Way, m.Accounts, m.Preloaded, m.ServerMiB = way, s.Accounts, st.preloaded, residentMiB(st.server.Process)
	return s.note(fmt.Sprint("preload ", st.book.Code), m)
}

func (s *suite) streamUpTo(ctx context.Context, st *stage, missing int64) (int64, time.Duration, error) {
	return st.stream(ctx, func(sent int64) int64 { return max(min(batchEntries, missing-sent), 0) })
}

// fillAtOnce is how many entries are posted in one transaction where there are no batches.
const fillAtOnce = 1000

// fill posts without a server and without keys.
func (s *suite) fill(ctx context.Context, st *stage, missing int64) (posted int64, took time.Duration, err error) {
	entries, start := st.scene(false).entries(0), time.Now()
	for posted < missing {
		batch := make([]ledger.Entry, min(fillAtOnce, missing-posted))
		for i := range batch {
			batch[i] = entries.entry()
		}
		if err := s.Books.PostEntries(ctx, st.actor, batch); err != nil {
			return posted, time.Since(start), err
		}
		posted += int64(len(batch))
		st.posted += int64(len(batch))
		st.keyless += int64(len(batch))
	}
	return posted, time.Since(start), nil
}

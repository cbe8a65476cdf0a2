package bench

import (
	"context"
	"errors"
	"fmt"
)

// copyLimit bounds the entries that are copied: enough to outlast what is particular to the first ones.
const copyLimit = 100_000

// copy measures COPY of what was posted into the tables of a fresh book.
func (s *suite) copy(ctx context.Context) error {
	st := s.stages[Daybook]
	if st == nil {
		return nil
	}
	entries, took, err := s.Yardstick.Copy(ctx, st.book.ID, s.fresh.ID, copyLimit)
	if err != nil {
		return fmt.Errorf("measure COPY: %w", err)
	}
	return s.note("copy", once("copy", entries, took))
}

// ratios says what the measurements are to each other.
func (s *suite) ratios() error {
	rate := func(name string) float64 { return s.found[name].PerSecond }
	fast := func(clients int) float64 { return rate(postsOf(Daybook, clients, false)) }
	plain := func(clients int) float64 { return rate(postsOf(GORM, clients, false)) }
	single := s.found[postsOf(Daybook, 1, false)].P50
	grown := fmt.Sprint(Daybook, " at ", s.Preload, " entries/at ", young, ", 64 clients")
	return errors.Join(
		s.atLeast(0.12, "gorm/bare commit, 1 client", plain(1), rate("commit 1")),
		s.atLeast(12, "daybook/gorm, 64 clients", fast(crowd), plain(crowd)),
		s.atLeast(15, "daybook/gorm, 256 clients", fast(256), plain(256)),
		s.atLeast(0.9, "daybook hot/spread, 64 clients", rate(postsOf(Daybook, crowd, true)), fast(crowd)),
		s.atMost(2, "daybook/(bare commit + empty round trip), 1 client, p50", single, s.found["commit 1"].P50+s.found["round-trip"].P50),
		s.atLeast(0.25, "daybook/copy, single posts, 64 clients", fast(crowd), rate("copy")),
		s.atLeast(0.5, "daybook/copy, batches", rate("batch"), rate("copy")),
		s.atMost(5, "slowest of 40 callers with one key/single post, p50", s.found["one-key"].P50, single),
		s.atMost(3, "verify/copy to nowhere, seconds", s.found["verify"].Seconds, s.found["copy-out"].Seconds),
		s.atLeast(0.7, grown, fast(crowd), s.young[postsOf(Daybook, crowd, false)].PerSecond),
	)
}

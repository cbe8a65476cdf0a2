package bench

import (
	"context"
	"fmt"
	"io"
	"slices"
	"time"

	"daybook/store"
	"daybook/store/yardstick"
)

// The writers that are measured.
const (
	Daybook = "daybook"
	GORM    = "gorm"
)

// crowd is how many clients post where nothing else is said.
const crowd = 64

// Plan says what is measured, and for how long each time.
type Plan struct {
	Writers  []string
	Clients  []int
	Accounts int
	Hot      bool  // every measurement of posts on one hot account, and no other
	Preload  int64 // measure how the rate holds, or pages, until a book has so many entries, and nothing else
	Window   time.Duration
}

// Ground is where it is measured: a database of the bench's own, as the app and by its superuser, and what starts a server over it.
type Ground struct {
	Books     *store.Store
	Yardstick yardstick.Yardstick
	Serve     func(ctx context.Context, writer string) (Server, error)
}

// Server is a running server, a process of its own.
type Server struct {
	Address string // host and port
	Process int
	Stop    func() error
}

// Post measures posting and prints a line of JSON for each measurement. The error is the first thing that could not be measured, or
// that the journal does not hold what was answered.
func Post(ctx context.Context, ground Ground, plan Plan, out io.Writer) (err error) {
	s := &suite{bench: "post", Ground: ground, Plan: plan, out: out, found: map[string]measurement{}, stages: map[string]*stage{}}
	defer func() { err = s.leave(err) }()
	// A journal never goes back in time: the book that takes the copies is older than what is copied.
	if s.fresh, err = ground.Books.AddBook(ctx, "copy", "Bench of COPY", "EUR"); err != nil {
		return err
	}
	for _, writer := range plan.Writers {
		if err := s.enter(ctx, writer); err != nil {
			return fmt.Errorf("set up the writer %s: %w", writer, err)
		}
	}
	steps := []func(context.Context) error{s.bare, s.rates, s.oneKey, s.batch, s.copy, s.settle}
	if plan.Preload > 0 {
		steps = []func(context.Context) error{s.growth, s.settle}
	}
	for _, step := range steps {
		if err := step(ctx); err != nil {
			return err
		}
	}
	return s.ratios()
}

type suite struct {
	bench string // what is measured, as in the name of the command
	Ground
	Plan
	out    io.Writer
	found  map[string]measurement
	young  map[string]measurement // of a book with few entries, where it is preloaded
	stages map[string]*stage      // by writer
	fresh  store.Book             // that nobody posts into
}

// bare measures what the machine allows: durable commits, and empty round trips.
func (s *suite) bare(ctx context.Context) error {
	if err := s.Yardstick.Prepare(ctx); err != nil {
		return err
	}
	for _, clients := range []int{1, crowd} {
		workers, err := hire(clients, func(i int) (*yardstick.Committer, error) { return s.Yardstick.Committer(ctx, i) })
		if err != nil {
			return err
		}
		if err := s.measure(ctx, fmt.Sprint("commit ", clients), measurement{Writer: "commit", Clients: clients}, workers); err != nil {
			return err
		}
	}
	workers, err := hire(1, s.stages[s.Writers[0]].visitor)
	if err != nil {
		return err
	}
	return s.measure(ctx, "round-trip", measurement{Writer: "round-trip", Clients: 1}, workers)
}

// measure drives workers for a window and lets them go.
func (s *suite) measure(ctx context.Context, name string, m measurement, workers []worker) error {
	found, err := drive(ctx, workers, s.Window)
	if err := dismiss(workers); err != nil {
		return err
	}
	if err != nil {
		return fmt.Errorf("measure %s: %w", name, err)
	}
	return s.note(name, m.of(found))
}

// rates measures single posts, by each number of clients and each writer in turn, then on one hot account.
func (s *suite) rates(ctx context.Context) error {
	for _, clients := range s.Clients {
		for _, writer := range s.Writers {
			if err := s.posts(ctx, writer, clients, s.Hot); err != nil {
				return err
			}
		}
	}
	if s.Hot || !slices.Contains(s.Clients, crowd) {
		return nil
	}
	for _, writer := range s.Writers {
		if err := s.posts(ctx, writer, crowd, true); err != nil {
			return err
		}
	}
	return nil
}

// posts measures single posts of many clients at once.
func (s *suite) posts(ctx context.Context, writer string, clients int, hot bool) error {
	stage := s.stages[writer]
	scene := stage.scene(hot)
	workers, err := hire(clients, scene.poster)
	if err != nil {
		return err
	}
	found, err := drive(ctx, workers, s.Window)
	m := measurement{Writer: writer, Clients: clients, Accounts: s.Accounts, Hot: hot, Preloaded: stage.preloaded, ServerMiB: residentMiB(stage.server.Process)}
	for _, w := range workers {
		stage.posted += int64(w.(*poster).posted)
		m.Busy += w.(*poster).busy
	}
	if err := dismiss(workers); err != nil {
		return err
	}
	if err != nil {
		return fmt.Errorf("measure %s with %d clients: %w", writer, clients, err)
	}
	return s.note(postsOf(writer, clients, hot), m.of(found))
}

func postsOf(writer string, clients int, hot bool) string {
	if hot {
		return fmt.Sprint(writer, " hot ", clients)
	}
	return fmt.Sprint(writer, " ", clients)
}

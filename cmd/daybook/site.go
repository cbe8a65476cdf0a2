package main

import (
	"context"
	"errors"
	"log/slog"
	"net"
	"net/http"
	"sync"
	"time"

	"daybook/store"
	"daybook/store/postgres"
	"daybook/web"
)

// site is what serve and demo show: a handler, and what is to be closed after its last request.
type site struct {
	handler http.Handler
	close   func() error
}

// siteConfig is what a site is made of: the database as the app role, the wait limit of a repeated request, whether browsers
// come over TLS only, the proxies that are believed, whether the gallery is shown, the broker that messages come from, if any, the log, where money is
// moved, and how the store differs from the usual one.
type siteConfig struct {
	databaseURL string
	waitLimit   time.Duration
	secure      bool
	proxies     []*net.IPNet
	gallery     bool
	natsURL     string
	log         *slog.Logger
	processor   processor
	options     []store.Option
}

// openSite opens what is served until ctx ends.
func openSite(ctx context.Context, config siteConfig) (site, error) {
	db, err := postgres.Open(ctx, config.databaseURL)
	if err != nil {
		return site{}, err
	}
	books := store.New(db, clock, append(config.processor.options(), config.options...)...)
	handler, err := web.New(web.Config{
		Store: books, Log: config.log, Now: clock, WaitLimit: config.waitLimit, Secure: config.secure, Proxies: config.proxies, Gallery: config.gallery,
		Stopping: ctx.Done(), Webhooks: config.processor.webhooks, Simulator: config.processor.simulator,
	})
	if err != nil {
		return site{}, errors.Join(err, books.Close())
	}
	working, stop := context.WithCancel(ctx)
	var group sync.WaitGroup
	group.Go(func() { books.KeepVerified(working, verifyInterval, config.log) })
	group.Go(func() { books.KeepSwept(working, sweepInterval, config.log) })
	group.Go(func() {
		if err := books.WorkJobs(working, config.log); err != nil {
			config.log.Error("this server works no jobs", "error", err)
		}
	})
	if config.natsURL != "" {
		group.Go(func() { takeMessages(working, books, config.natsURL, config.log) })
	}
	return site{handler: handler, close: func() error {
		stop()
		group.Wait()
		return books.Close()
	}}, nil
}

// verifyInterval is how often the books are verified while they are served, for those who look at them.
const verifyInterval = 10 * time.Minute

// sweepInterval is how often expired keys are swept; posts sweep some as well.
const sweepInterval = time.Minute

// clock is the one clock of the program. It shows the time as the database keeps it: UTC, in microseconds.
func clock() time.Time { return time.Now().UTC().Truncate(time.Microsecond) }

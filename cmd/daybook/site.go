package main

import (
	"context"
	"errors"
	"log/slog"
	"net/http"
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

// siteConfig is what a site is made of: the database as the app role, the wait limit of a repeated request, the log.
type siteConfig struct {
	databaseURL string
	waitLimit   time.Duration
	log         *slog.Logger
}

// siteOpener makes a site; a test may put a smaller one in its place.
type siteOpener func(ctx context.Context, config siteConfig) (site, error)

func openSite(ctx context.Context, config siteConfig) (site, error) {
	db, err := postgres.Open(ctx, config.databaseURL)
	if err != nil {
		return site{}, err
	}
	books := store.New(db, clock)
	handler, err := web.New(web.Config{Store: books, Log: config.log, Now: clock, WaitLimit: config.waitLimit})
	if err != nil {
		return site{}, errors.Join(err, books.Close())
	}
	return site{handler: handler, close: books.Close}, nil
}

// clock is the time as the database keeps it: UTC, in microseconds.
func clock() time.Time { return time.Now().UTC().Truncate(time.Microsecond) }

package main

import (
	"context"
	"io"
	"log/slog"
	"net/http"
	"time"

	"daybook/store/postgres"
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
	pool, err := db.DB()
	if err != nil {
		return site{}, err
	}
	mux := http.NewServeMux()
	mux.HandleFunc("GET /healthz", func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, "ok\n") })
	return site{handler: mux, close: pool.Close}, nil
}

package main

import (
	"context"
	"fmt"

	"github.com/urfave/cli/v3"
)

func serveCommand(p *program) *cli.Command {
	flags := append(p.databaseFlags(), p.addrFlag(), p.waitLimitFlag(),
		&cli.BoolFlag{Name: "secure", Sources: p.from("DAYBOOK_SECURE"),
			Usage: "browsers come over TLS only, by a proxy: the session cookie never travels in the clear"},
		&cli.BoolFlag{Name: "no-migrate", Usage: "refuse to start on an older schema instead of migrating it"})
	return &cli.Command{
		Name:   "serve",
		Usage:  "run the web server",
		Flags:  flags,
		Action: p.serve,
	}
}

// serve listens before it migrates: an address in use is told at once, and nothing has been changed by then.
func (p *program) serve(ctx context.Context, c *cli.Command) error {
	listener, err := listen(ctx, c.String(settingAddr))
	if err != nil {
		return err
	}
	defer listener.Close()
	config := p.databaseOf(c, false)
	config.migrate = !c.Bool("no-migrate")
	database, err := p.openDatabase(ctx, config)
	if err != nil {
		return err
	}
	defer database.close()
	site, err := openSite(ctx, siteConfig{databaseURL: database.appURL, waitLimit: c.Duration(settingWaitLimit), secure: c.Bool("secure"), log: p.log})
	if err != nil {
		return err
	}
	defer p.closeSite(site)
	fmt.Fprintf(p.stdout, "ready: %s\n", siteURL(listener.Addr()))
	return serveUntil(ctx, listener, site.handler, database.lost())
}

func (p *program) closeSite(s site) {
	if err := s.close(); err != nil {
		p.log.Warn("the database connections did not close cleanly", "error", err)
	}
}

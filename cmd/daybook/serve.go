package main

import (
	"context"
	"fmt"
	"net"

	"github.com/urfave/cli/v3"

	"daybook/store"
)

func serveCommand(p *program) *cli.Command {
	flags := append(append(p.databaseFlags(), p.gatewayFlags()...), p.addrFlag(), p.waitLimitFlag(), p.devFlag(),
		&cli.BoolFlag{Name: "secure", Sources: p.from("DAYBOOK_SECURE"),
			Usage: "browsers come over TLS only, by a proxy: the session cookie never travels in the clear"},
		&cli.StringSliceFlag{Name: "trusted-proxy", Sources: p.from("DAYBOOK_TRUSTED_PROXY"),
			Usage: "believe X-Forwarded-For of proxies in this network, such as 10.0.0.0/8; may be repeated"},
		&cli.BoolFlag{Name: "no-migrate", Usage: "refuse to start on an older schema instead of migrating it"})
	flags = append(flags, p.inboxFlags()...)
	return &cli.Command{
		Name:   "serve",
		Usage:  "run the web server",
		Flags:  flags,
		Action: p.serve,
	}
}

// serve listens before it migrates: an address in use is told at once, and nothing has been changed by then.
func (p *program) serve(ctx context.Context, c *cli.Command) error {
	proxies, err := networks(c.StringSlice("trusted-proxy"))
	if err != nil {
		return err
	}
	processor, err := processorOf(c)
	if err != nil {
		return err
	}
	if err := checkInboxFlags(c); err != nil {
		return err
	}
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
	site, err := openSite(ctx, siteConfig{
		databaseURL: database.appURL, waitLimit: c.Duration(settingWaitLimit), secure: c.Bool("secure"), proxies: proxies, gallery: c.Bool(settingDev), log: p.log,
		processor: processor, natsURL: c.String(settingNatsURL), options: []store.Option{store.WithMachine(c.String(settingInboxUser))},
	})
	if err != nil {
		return err
	}
	defer p.closeSite(site)
	fmt.Fprintf(p.stdout, "ready: %s\n", siteURL(listener.Addr()))
	return serveUntil(ctx, listener, site.handler, database.lost())
}

// networks reads networks such as 10.0.0.0/8, or single addresses.
func networks(texts []string) ([]*net.IPNet, error) {
	var read []*net.IPNet
	for _, text := range texts {
		if address := net.ParseIP(text); address != nil {
			bits := 8 * len(address.To16())
			read = append(read, &net.IPNet{IP: address.To16(), Mask: net.CIDRMask(bits, bits)})
			continue
		}
		_, network, err := net.ParseCIDR(text)
		if err != nil {
			return nil, badInput("--trusted-proxy: %q is no network: write it as 10.0.0.0/8", text)
		}
		read = append(read, network)
	}
	return read, nil
}

func (p *program) closeSite(s site) {
	if err := s.close(); err != nil {
		p.log.Warn("the database connections did not close cleanly", "error", err)
	}
}

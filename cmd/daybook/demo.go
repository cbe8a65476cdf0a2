package main

import (
	"context"
	"errors"
	"fmt"
	"net"
	"path/filepath"
	"time"

	"github.com/urfave/cli/v3"

	"daybook/store"
	"daybook/store/gateway/simulator/server"
	"daybook/store/inbox/broker/local"
	"daybook/store/postgres"
)

// demoPassword is the password of every login of the demo, which for that reason serves this machine only.
const demoPassword = "daybook-demo"

// demoPeople are the logins of the demo, each <name>@demo.test with the token daybook-demo-<name>.
var demoPeople = []string{"viewer", "preparer", "approver", "auditor", "admin", "controller"}

func demoCommand(p *program) *cli.Command {
	return &cli.Command{
		Name:  "demo",
		Usage: "show Daybook with the book of a small company, on this machine only",
		Flags: []cli.Flag{p.addrFlag(), p.dataDirFlag(), p.waitLimitFlag(), p.devFlag(), p.gatewayTimeoutFlag(),
			&cli.BoolFlag{Name: "empty", Usage: "no sample book: the logins and four accounts only"}},
		Action: p.demo,
	}
}

func (p *program) demo(ctx context.Context, c *cli.Command) error {
	addr, empty := c.String(settingAddr), c.Bool("empty")
	if !isLoopback(addr) {
		return badInput("the demo has passwords that everybody knows, so it listens on this machine only: %s is not a loopback address", addr)
	}
	listener, err := listen(ctx, addr)
	if err != nil {
		return err
	}
	defer listener.Close()
	dir, err := p.demoDir(c.String(settingDataDir), empty)
	if err != nil {
		return err
	}
	database, err := p.openDatabase(ctx, databaseConfig{dir: dir, migrate: true})
	if err != nil {
		return err
	}
	defer database.close()
	samples := filepath.Join(dir, "samples")
	if err := fillDemo(ctx, database.appURL, samples, empty); err != nil {
		return fmt.Errorf("fill the demo: %w", err)
	}
	return p.serveDemo(ctx, c, dir, samples, listener, database)
}

// serveDemo serves what was filled, with a payment simulator and a broker of its own.
func (p *program) serveDemo(ctx context.Context, c *cli.Command, dir, samples string, listener net.Listener, database *database) error {
	processor, stop, err := p.demoProcessor(ctx, dir, siteURL(listener.Addr()), c.Duration(settingGatewayTimeout))
	if err != nil {
		return err
	}
	defer stop()
	nats, err := local.Start(filepath.Join(dir, "nats"), 0)
	if err != nil {
		return err
	}
	defer nats.Stop()
	site, err := openSite(ctx, siteConfig{
		databaseURL: database.appURL, waitLimit: c.Duration(settingWaitLimit), gallery: c.Bool(settingDev), log: p.log, processor: processor, natsURL: nats.URL(),
		options: []store.Option{store.WithPaymentAccounts(), store.WithMachine(demoInboxUser(c.Bool("empty")))},
	})
	if err != nil {
		return err
	}
	defer p.closeSite(site)
	fmt.Fprintf(p.stdout, "nats: %s\n", nats.URL())
	p.announceDemo(database.cluster, samples, listener.Addr())
	return serveUntil(ctx, listener, site.handler, database.lost())
}

// demoDir keeps the two demos apart, from each other and from the books that serve keeps.
func (p *program) demoDir(dir string, empty bool) (string, error) {
	name := "demo"
	if empty {
		name = "demo-empty"
	}
	if dir == "" {
		return postgres.DefaultDir(p.env, name)
	}
	absolute, err := filepath.Abs(dir)
	if err != nil {
		return "", errors.New("the data directory cannot be named: give it as an absolute path with --data-dir")
	}
	return absolute, nil
}

// demoProcessor starts the simulator that the demo, at a URL, makes its payments at. It outlives the site, which may be waiting for its answer, but
// sends no webhooks any more once ctx has ended.
func (p *program) demoProcessor(ctx context.Context, dir, site string, timeout time.Duration) (_ processor, stop func(), err error) {
	secret, err := keptSecret(filepath.Join(dir, "simulator.secret"))
	if err != nil {
		return processor{}, nil, err
	}
	simulation, err := p.startSimulator(ctx, "127.0.0.1:0", server.Config{
		Journal: filepath.Join(dir, "simulator.journal"), WebhookURL: site + "/api/v1/books/{book}/webhooks/simulator", WebhookSecret: secret, Now: clock,
	})
	if err != nil {
		return processor{}, nil, err
	}
	return simulatorAt(simulation.url, secret, timeout), simulation.stop, nil
}

// announceDemo ends with the line "ready:": who waits for it has read all that is needed.
func (p *program) announceDemo(cluster *postgres.Cluster, samples string, addr net.Addr) {
	fmt.Fprintf(p.stdout, "database: %s\n", cluster.URL())
	fmt.Fprintf(p.stdout, "samples: %s\n", samples)
	for _, name := range demoPeople {
		fmt.Fprintf(p.stdout, "login: %s@demo.test password: %s token: daybook-demo-%s\n", name, demoPassword, name)
	}
	fmt.Fprintf(p.stdout, "ready: %s\n", siteURL(addr))
}

package main

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io/fs"
	"net/http"
	"os"
	"strings"
	"sync"
	"time"

	"github.com/urfave/cli/v3"

	"daybook/store/gateway/simulator/server"
)

func simulatorCommand(p *program) *cli.Command {
	return &cli.Command{
		Name:  "simulator",
		Usage: "run a payment processor that is as unreliable as it is told, and moves no real money",
		Flags: []cli.Flag{
			&cli.StringFlag{Name: settingAddr, Sources: p.from("DAYBOOK_SIMULATOR_ADDR"), Value: "127.0.0.1:0", Usage: "listen on this host and port"},
			&cli.StringFlag{Name: "journal", Sources: p.from("DAYBOOK_SIMULATOR_JOURNAL"),
				Usage: "keep what was charged in this file; without it, it is forgotten at the end"},
			&cli.StringFlag{Name: "webhook-url", Sources: p.from("DAYBOOK_SIMULATOR_WEBHOOK_URL"),
				Usage: "send webhooks to this URL, in which {book} stands for the book of the payment; without it, none are sent"},
			&cli.StringFlag{Name: "webhook-secret", Sources: p.from("DAYBOOK_SIMULATOR_SECRET"), Usage: "sign webhooks with this secret"},
			&cli.Int64Flag{Name: "seed", Usage: "begin the random choices with this number"},
		},
		Action: p.simulator,
	}
}

// simulator serves until ctx ends, and then at once no more: a processor owes nobody an answer.
func (p *program) simulator(ctx context.Context, c *cli.Command) error {
	config := server.Config{
		Journal: c.String("journal"), WebhookURL: c.String("webhook-url"), WebhookSecret: c.String("webhook-secret"), Now: clock, Seed: c.Int64("seed"),
	}
	if config.WebhookURL != "" && config.WebhookSecret == "" {
		return badInput("--webhook-url needs --webhook-secret: nobody takes webhooks that are not signed")
	}
	simulation, err := p.startSimulator(ctx, c.String(settingAddr), config)
	if err != nil {
		return err
	}
	defer simulation.stop()
	select {
	case <-ctx.Done():
		return nil
	case err := <-simulation.failed:
		return err
	}
}

// simulation is a simulator that serves. It is to be stopped, and tells when it failed before.
type simulation struct {
	url    string
	failed <-chan error
	stop   func()
}

// startSimulator has a simulator serve, says where, and sends its webhooks until ctx ends.
func (p *program) startSimulator(ctx context.Context, addr string, config server.Config) (*simulation, error) {
	listener, err := listen(ctx, addr)
	if err != nil {
		return nil, err
	}
	simulator, err := server.New(config)
	if err != nil {
		return nil, errors.Join(err, listener.Close())
	}
	web := &http.Server{Handler: simulator, ReadHeaderTimeout: 5 * time.Second, ReadTimeout: time.Minute, IdleTimeout: 2 * time.Minute}
	sending, end := context.WithCancel(ctx)
	failed := make(chan error, 1)
	var group sync.WaitGroup
	group.Go(func() { simulator.SendWebhooks(sending) })
	group.Go(func() { failed <- web.Serve(listener) })
	s := &simulation{url: siteURL(listener.Addr()), failed: failed, stop: func() {
		end()
		if err := errors.Join(simulator.Close(), web.Close()); err != nil {
			p.log.Warn("the simulator did not stop cleanly", "error", err)
		}
		group.Wait()
	}}
	fmt.Fprintf(p.stdout, "simulator: %s\n", s.url)
	return s, nil
}

// keptSecret is the secret in a file, which is made when it is not there.
func keptSecret(path string) (string, error) {
	kept, err := os.ReadFile(path)
	if secret := strings.TrimSpace(string(kept)); secret != "" {
		return secret, nil
	}
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return "", fmt.Errorf("read a secret: %w", err)
	}
	secret := rand.Text()
	if err := os.WriteFile(path, []byte(secret+"\n"), 0o600); err != nil {
		return "", fmt.Errorf("keep a secret: %w", err)
	}
	return secret, nil
}

package main

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"os"
	"time"

	"github.com/urfave/cli/v3"

	"daybook/store"
	"daybook/store/claim"
	"daybook/store/drill"
	"daybook/store/postgres"
)

func drillCommand(p *program) *cli.Command {
	return &cli.Command{
		Name:  "drill",
		Usage: "make the race visible: many callers charge at once under one key, in memory and on a Postgres of its own with two processes",
		Flags: []cli.Flag{
			&cli.IntFlag{Name: "callers", Value: 40, Usage: "let so many callers charge at once"},
			&cli.IntFlag{Name: "rounds", Value: 15, Usage: "in so many rounds, each with a new key"},
			&cli.DurationFlag{Name: "gateway-delay", Value: 15 * time.Millisecond, Usage: "the gateway takes so long to answer"}},
		Action: p.drill,
	}
}

// The limits of a drill, which runs on one machine and beside nothing.
const (
	maxDrillCallers = 1000
	maxDrillRounds  = 10_000
	maxGatewayDelay = 10 * time.Second
)

func (p *program) drill(ctx context.Context, c *cli.Command) error {
	callers, rounds, delay := c.Int("callers"), c.Int("rounds"), c.Duration("gateway-delay")
	switch {
	case callers < 2 || callers > maxDrillCallers:
		return badInput("--callers must be 2 to %d", maxDrillCallers)
	case rounds < 1 || rounds > maxDrillRounds:
		return badInput("--rounds must be 1 to %d", maxDrillRounds)
	case delay < 0 || delay > maxGatewayDelay:
		return badInput("--gateway-delay must be 0s to %s", maxGatewayDelay)
	}
	held := true
	err := p.withDrillBook(ctx, func(book drillBook) (err error) {
		places, end, err := drillPlaces(ctx, book, callers, delay)
		if err != nil {
			return err
		}
		err = drill.Run(ctx, places, rounds, func(r drill.Result) error {
			held = held && (r.Way == drill.CheckThenAct || r.Held())
			_, err := fmt.Fprintln(p.stdout, r)
			return err
		})
		return errors.Join(err, end())
	})
	if err == nil && !held {
		return answerNo("the claim did not hold")
	}
	return err
}

// drillTerms are those of a drill's claims. Nobody outwaits its rounds, however slow the machine is.
var drillTerms = claim.Terms{Lease: 10 * time.Second, Wait: time.Minute, Poll: 100 * time.Millisecond}

// drillProcesses are the processes whose callers share a database.
const drillProcesses = 2

// drillPlaces sets up the callers in memory and those in processes of their own; end ends these.
func drillPlaces(ctx context.Context, book drillBook, callers int, delay time.Duration) (places []drill.Place, end func() error, err error) {
	inMemory, err := claim.New(claim.NewMemory(clock), "drill", drillTerms)
	if err != nil {
		return nil, nil, err
	}
	gateways := []*drill.Counter{drill.NewCounter(delay), drill.NewCounter(delay)}
	url, closeGateway, err := serveGateway(ctx, gateways[1])
	if err != nil {
		return nil, nil, err
	}
	crowds, stop, err := startDrillCallers(ctx, drillOrder{Book: book, Gateway: url, Terms: drillTerms}, callers)
	if err != nil {
		return nil, nil, errors.Join(err, closeGateway())
	}
	return []drill.Place{
		{Name: "in memory", Crowd: drill.Here{Callers: callers, Ledger: inMemory, Gateway: gateways[0]}, Gateway: gateways[0]},
		{Name: fmt.Sprintf("on Postgres with %d processes", drillProcesses), Crowd: crowds, Gateway: gateways[1]},
	}, func() error { return errors.Join(stop(), closeGateway()) }, nil
}

// serveGateway serves a gateway on this machine.
func serveGateway(ctx context.Context, gateway drill.Gateway) (url string, end func() error, err error) {
	listener, err := (&net.ListenConfig{}).Listen(ctx, "tcp", "127.0.0.1:0")
	if err != nil {
		return "", nil, fmt.Errorf("serve a gateway: %w", err)
	}
	server := &http.Server{Handler: gatewayHandler(gateway), ReadHeaderTimeout: time.Minute}
	go func() { _ = server.Serve(listener) }()
	return "http://" + listener.Addr().String(), server.Close, nil
}

// drillBook is where the callers of a drill keep their keys, and who they are.
type drillBook struct {
	DatabaseURL string `json:"database_url"`
	Code        string `json:"code"`
	UserID      int64  `json:"user_id"`
}

// withDrillBook runs do over a book on a Postgres that is made for it and gone afterwards.
func (p *program) withDrillBook(ctx context.Context, do func(drillBook) error) (err error) {
	dir, err := os.MkdirTemp("", "daybook-drill-")
	if err != nil {
		return badInput("there is no room for a database: %v", err)
	}
	defer os.RemoveAll(dir)
	database, err := p.openDatabase(ctx, databaseConfig{dir: dir, migrate: true})
	if err != nil {
		return err
	}
	defer database.close()
	book, err := openDrillBook(ctx, database.appURL)
	if err != nil {
		return err
	}
	return do(book)
}

func openDrillBook(ctx context.Context, appURL string) (drillBook, error) {
	db, err := postgres.Open(ctx, appURL)
	if err != nil {
		return drillBook{}, err
	}
	books := store.New(db, clock)
	book, err := books.AddBook(ctx, "drill", "The book of the drill", "EUR")
	if err != nil {
		return drillBook{}, errors.Join(err, books.Close())
	}
	user, err := books.AddUser(ctx, "caller@drill.test", "Caller", "nobody signs in as a caller")
	if err == nil {
		err = books.GrantRole(ctx, book, user.ID, store.Preparer)
	}
	return drillBook{DatabaseURL: appURL, Code: book.Code, UserID: user.ID}, errors.Join(err, books.Close())
}

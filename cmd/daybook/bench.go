package main

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/urfave/cli/v3"

	"daybook/cmd/daybook/bench"
	"daybook/store"
	"daybook/store/postgres"
	"daybook/store/yardstick"
)

func benchCommand(p *program) *cli.Command {
	return &cli.Command{
		Name:     "bench",
		Usage:    "measure Daybook on this machine, in lines of JSON",
		Commands: []*cli.Command{benchPostCommand(p), benchReconcileCommand(p), benchImportCommand(p), benchPagesCommand(p)},
	}
}

func benchPostCommand(p *program) *cli.Command {
	return &cli.Command{
		Name:  "post",
		Usage: "measure posting over HTTP, beside what the disk allows and a writer of one transaction a post",
		Flags: []cli.Flag{p.dataDirFlag(),
			&cli.FloatFlag{Name: "seconds", Value: 10, Usage: "measure for so long each time"},
			&cli.IntSliceFlag{Name: "clients", Value: []int{1, 64, 256}, Usage: "let so many clients post at once; may be repeated"},
			&cli.IntFlag{Name: "accounts", Value: 1000, Usage: "post between so many accounts"},
			&cli.BoolFlag{Name: "hot", Usage: "one of them is in every entry"},
			&cli.StringFlag{Name: "writer", Value: "all", Usage: "daybook, gorm or all"},
			&cli.Int64Flag{Name: "preload", Usage: "measure how the rate holds until the book has so many entries, and nothing else"}},
		Action: p.benchPost,
	}
}

func (p *program) benchPost(ctx context.Context, c *cli.Command) error {
	plan, err := benchPlan(c)
	if err != nil {
		return err
	}
	return p.onBenchGround(ctx, c, func(ground bench.Ground) error { return bench.Post(ctx, ground, plan, p.stdout) })
}

// onBenchGround measures on a cluster that is gone afterwards.
func (p *program) onBenchGround(ctx context.Context, c *cli.Command, measure func(bench.Ground) error) error {
	dir, err := p.benchDir(c.String(settingDataDir))
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	database, err := p.openDatabase(ctx, databaseConfig{dir: dir, migrate: true})
	if err != nil {
		return err
	}
	defer database.close()
	db, err := postgres.Open(ctx, database.appURL)
	if err != nil {
		return err
	}
	ground := bench.Ground{
		Books: store.New(db, clock), Yardstick: yardstick.New(database.cluster.URL()),
		Serve: func(ctx context.Context, writer string) (bench.Server, error) {
			return startBenchServer(ctx, benchServer{DatabaseURL: database.appURL, Writer: writer})
		},
	}
	return errors.Join(measure(ground), ground.Books.Close())
}

func benchPlan(c *cli.Command) (bench.Plan, error) {
	plan := bench.Plan{
		Clients: c.IntSlice("clients"), Accounts: c.Int("accounts"), Hot: c.Bool("hot"), Preload: c.Int64("preload"),
		Window: time.Duration(c.Float("seconds") * float64(time.Second)),
	}
	switch writer := c.String("writer"); writer {
	case "all":
		plan.Writers = []string{bench.Daybook, bench.GORM}
	case bench.Daybook, bench.GORM:
		plan.Writers = []string{writer}
	default:
		return plan, badInput("--writer: %q is none: name daybook, gorm or all", writer)
	}
	if plan.Preload < 0 {
		return plan, badInput("--preload must be a number of entries")
	}
	return plan, checkBenchPlan(plan)
}

// checkBenchPlan refuses what nothing can be measured with.
func checkBenchPlan(plan bench.Plan) error {
	switch {
	case plan.Window <= 0:
		return badInput("--seconds must be more than 0")
	case plan.Accounts < 2:
		return badInput("--accounts must be at least 2: an entry moves money from one to another")
	case slices.Min(plan.Clients) < 1:
		return badInput("--clients must be at least 1")
	}
	return nil
}

// benchDir is a new directory for a cluster that is gone afterwards, inside the given one or where the books of this user are.
func (p *program) benchDir(parent string) (string, error) {
	if parent == "" {
		home, err := postgres.DefaultDir(p.env, "bench")
		if err != nil {
			return "", err
		}
		parent = filepath.Dir(home)
	}
	if err := os.MkdirAll(parent, 0o755); err != nil {
		return "", badInput("data directory %s cannot be made: %v", parent, err)
	}
	dir, err := os.MkdirTemp(parent, "bench-")
	if err != nil {
		return "", badInput("there can be no cluster in data directory %s: %v", parent, err)
	}
	return filepath.Abs(dir)
}

package main

import (
	"context"
	"time"

	"github.com/urfave/cli/v3"

	"daybook/cmd/daybook/bench"
)

func benchPagesCommand(p *program) *cli.Command {
	return &cli.Command{
		Name:  "pages",
		Usage: "measure the pages of a book over HTTP when it is small and when it has grown",
		Flags: []cli.Flag{p.dataDirFlag(),
			&cli.Int64Flag{Name: "entries", Value: 100_000, Usage: "let it grow to so many entries"},
			&cli.IntFlag{Name: "accounts", Value: 1000, Usage: "between so many accounts"},
			&cli.IntSliceFlag{Name: "clients", Value: []int{1, 16}, Usage: "let so many people look at once; may be repeated"},
			&cli.FloatFlag{Name: "seconds", Value: 3, Usage: "measure each page for so long"}},
		Action: p.benchPages,
	}
}

func (p *program) benchPages(ctx context.Context, c *cli.Command) error {
	plan := bench.Plan{
		Clients: c.IntSlice("clients"), Accounts: c.Int("accounts"), Preload: c.Int64("entries"), Window: time.Duration(c.Float("seconds") * float64(time.Second)),
	}
	if plan.Preload < 1 {
		return badInput("--entries must be at least 1")
	}
	if err := checkBenchPlan(plan); err != nil {
		return err
	}
	return p.onBenchGround(ctx, c, func(ground bench.Ground) error { return bench.Pages(ctx, ground, plan, p.stdout) })
}

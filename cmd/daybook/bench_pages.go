package main

import (
	"context"
	"slices"
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
	plan := bench.PagesPlan{Entries: c.Int64("entries")}
	plan.Clients, plan.Accounts, plan.Window = c.IntSlice("clients"), c.Int("accounts"), time.Duration(c.Float("seconds")*float64(time.Second))
	switch {
	case plan.Entries < 1:
		return badInput("--entries must be at least 1")
	case plan.Accounts < 2:
		return badInput("--accounts must be at least 2: an entry moves money from one to another")
	case slices.Min(plan.Clients) < 1:
		return badInput("--clients must be at least 1")
	case plan.Window <= 0:
		return badInput("--seconds must be more than 0")
	}
	return p.onBenchGround(ctx, c, func(ground bench.Ground) error { return bench.Pages(ctx, ground, plan, p.stdout) })
}

package main

import (
	"context"

	"github.com/urfave/cli/v3"

	"daybook/cmd/daybook/bench"
)

func benchImportCommand(p *program) *cli.Command {
	return &cli.Command{
		Name:  "import",
		Usage: "measure the upload of a long statement over HTTP, matched and stored, beside COPY of the rows that it stored",
		Flags: []cli.Flag{p.dataDirFlag(),
			&cli.IntFlag{Name: "lines", Value: 200_000, Usage: "of so many lines, against as many postings"},
			&cli.IntFlag{Name: "runs", Value: 1, Usage: "so often, each in a book of its own"}},
		Action: p.benchImport,
	}
}

func (p *program) benchImport(ctx context.Context, c *cli.Command) error {
	plan := bench.ImportPlan{Lines: c.Int("lines"), Runs: c.Int("runs")}
	if plan.Lines < 1 || plan.Lines > 1_000_000 || plan.Runs < 1 {
		return badInput("--lines must be from 1 to 1000000, and --runs at least 1")
	}
	return p.onBenchGround(ctx, c, func(ground bench.Ground) error { return bench.Import(ctx, ground, plan, p.stdout) })
}

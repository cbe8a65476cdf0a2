package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strings"

	"github.com/urfave/cli/v3"

	"daybook/cmd/daybook/reconbench"
)

func benchReconcileCommand(p *program) *cli.Command {
	return &cli.Command{
		Name:  "reconcile",
		Usage: "measure the matching against books whose truth is known, or beside a plain program",
		Flags: []cli.Flag{
			&cli.Uint64Flag{Name: "seed", Value: 1, Usage: "make the books from this number; the same number makes the same books"},
			&cli.IntFlag{Name: "seeds", Value: 1, Usage: "so many books, from the seed on"},
			&cli.IntFlag{Name: "lines", Value: 100_000, Usage: "about so many bank lines; with --speed a million unless said otherwise"},
			&cli.IntFlag{Name: "days", Value: 31, Usage: "in a period of so many days"},
			&cli.StringSliceFlag{Name: "mix", Usage: "another share of trouble, as name=per cent; may be repeated: " + strings.Join(reconbench.MixNames(), ", ")},
			&cli.BoolFlag{Name: "speed", Usage: "time and peak memory beside a plain program, each in a process of its own"},
			&cli.IntFlag{Name: "runs", Value: 1, Usage: "with --speed: run each so often, and compare the fastest"},
		},
		Action: p.benchReconcile,
	}
}

func (p *program) benchReconcile(ctx context.Context, c *cli.Command) error {
	plan, err := benchWorld(c)
	if err != nil {
		return err
	}
	if c.Bool("speed") {
		return p.benchReconcileSpeed(ctx, plan, c.Int("runs"))
	}
	for range c.Int("seeds") {
		if err := errors.Join(ctx.Err(), reconbench.Quality(plan, p.stdout)); err != nil {
			return err
		}
		plan.Seed++
	}
	return nil
}

func benchWorld(c *cli.Command) (reconbench.Plan, error) {
	plan := reconbench.Plan{Seed: c.Uint64("seed"), Lines: c.Int("lines"), Days: c.Int("days"), Mix: reconbench.DefaultMix()}
	if c.Bool("speed") && !c.IsSet("lines") {
		plan.Lines = 1_000_000
	}
	switch {
	case plan.Lines < 1 || plan.Lines > 10_000_000:
		return plan, badInput("--lines must be from 1 to 10000000")
	case plan.Days < 7 || plan.Days > 3660:
		return plan, badInput("--days must be from 7 to 3660")
	case c.Int("seeds") < 1 || c.Int("runs") < 1:
		return plan, badInput("--seeds and --runs must be at least 1")
	}
	for _, text := range c.StringSlice("mix") {
		if err := plan.Mix.Set(text); err != nil {
			return plan, badInput("--mix: %w", err)
		}
	}
	if err := plan.Mix.Check(); err != nil {
		return plan, badInput("--mix: %w", err)
	}
	return plan, nil
}

func (p *program) benchReconcileSpeed(ctx context.Context, plan reconbench.Plan, runs int) error {
	dir, err := os.MkdirTemp("", "daybook-bench-")
	if err != nil {
		return badInput("there is no room for the files that are to be matched: %w", err)
	}
	defer os.RemoveAll(dir)
	start := func(ctx context.Context, program string) (reconbench.Run, error) {
		return startReconcileRun(ctx, reconcileRun{Program: program, Folder: dir})
	}
	return reconbench.Speed(ctx, plan, dir, runs, start, p.stdout)
}

// reconcileRunCommandName is the first argument with which the bench runs the program beside itself, to match two files.
const reconcileRunCommandName = "reconcile-bench"

// reconcileRun is what the bench tells the process that matches, on standard input.
type reconcileRun struct {
	Program string `json:"program"`
	Folder  string `json:"folder"`
}

// reconcileRunCommand is how the bench runs the program beside itself; nobody else calls it.
func reconcileRunCommand(p *program) *cli.Command {
	return &cli.Command{Name: reconcileRunCommandName, Hidden: true, Action: p.runReconcileBench}
}

func (p *program) runReconcileBench(context.Context, *cli.Command) error {
	var order reconcileRun
	if err := json.NewDecoder(p.stdin).Decode(&order); err != nil || order.Folder == "" {
		return badInput("%s is for daybook bench: use daybook reconcile", reconcileRunCommandName)
	}
	run, err := reconbench.Measure(order.Program, order.Folder)
	if err != nil {
		return err
	}
	return json.NewEncoder(p.stdout).Encode(run)
}

func startReconcileRun(ctx context.Context, order reconcileRun) (run reconbench.Run, err error) {
	executable, err := os.Executable()
	if err != nil {
		return run, fmt.Errorf("find this program to run it beside itself: %w", err)
	}
	text, err := json.Marshal(order)
	if err != nil {
		return run, err
	}
	process := exec.CommandContext(ctx, executable, reconcileRunCommandName)
	process.Stdin, process.Stderr = strings.NewReader(string(text)), os.Stderr
	output, err := process.Output()
	if err != nil {
		return run, err
	}
	return run, json.Unmarshal(output, &run)
}

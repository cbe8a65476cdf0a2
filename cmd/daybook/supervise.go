package main

import (
	"context"

	"github.com/urfave/cli/v3"

	"daybook/store/postgres"
)

// superviseCommand is how the program runs itself beside a private cluster; nobody else calls it.
func superviseCommand(p *program) *cli.Command {
	return &cli.Command{
		Name:            postgres.SuperviseCommand,
		Hidden:          true,
		SkipFlagParsing: true,
		Action: func(ctx context.Context, c *cli.Command) error {
			if postgres.Supervise(ctx, c.Args().Slice(), p.stdin, p.stdout) != 0 {
				return badInput("")
			}
			return nil
		},
	}
}

package main

import (
	"context"
	"fmt"

	"github.com/urfave/cli/v3"
)

func migrateCommand(p *program) *cli.Command {
	return &cli.Command{
		Name:  "migrate",
		Usage: "bring the schema of the database up to this Daybook, and give the app role its rights",
		Flags: p.databaseFlags(),
		Action: func(ctx context.Context, c *cli.Command) error {
			database, err := p.openDatabase(ctx, p.databaseOf(c, true))
			if err != nil {
				return err
			}
			defer database.close()
			fmt.Fprintln(p.stdout, "the schema is up to date")
			return nil
		},
	}
}

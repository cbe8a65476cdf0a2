package main

import (
	"context"
	"time"

	"github.com/urfave/cli/v3"

	"daybook/migrations"
	"daybook/store/postgres"
)

// databaseConfig says which database a command works on: the Postgres at url or, where that is empty, the private
// cluster in dir. With join, a cluster that another Daybook has running there is used and left alone. With existing, none is made.
type databaseConfig struct {
	url, ownerURL string
	dir           string
	migrate       bool
	join          bool
	existing      bool
}

// database is a prepared database, and the private cluster it lives in, if it does.
type database struct {
	appURL  string
	cluster *postgres.Cluster
	program *program
}

// databaseOf reads the flags of databaseFlags. Commands of administration set join: they work beside a running server.
func (p *program) databaseOf(c *cli.Command, join bool) databaseConfig {
	return databaseConfig{
		url:      c.String(settingDatabaseURL),
		ownerURL: c.String(settingOwnerURL),
		dir:      c.String(settingDataDir),
		migrate:  true,
		join:     join,
	}
}

// openDatabase finds or starts the database and prepares it. The caller closes it after its last use.
func (p *program) openDatabase(ctx context.Context, config databaseConfig) (*database, error) {
	d := &database{program: p}
	prepare := postgres.Config{URL: config.url, OwnerURL: config.ownerURL, Migrate: config.migrate}
	if config.url == "" {
		if config.ownerURL != "" {
			return nil, badInput("DAYBOOK_OWNER_URL is set but DAYBOOK_DATABASE_URL is not: set both, or neither")
		}
		url, err := d.findCluster(ctx, config)
		if err != nil {
			return nil, err
		}
		prepare.URL = url
	}
	appURL, err := postgres.Prepare(ctx, prepare, migrations.FS)
	if err != nil {
		d.close()
		return nil, err
	}
	d.appURL = appURL
	return d, nil
}

func (d *database) findCluster(ctx context.Context, config databaseConfig) (string, error) {
	dir := config.dir
	if dir == "" {
		home, err := postgres.DefaultDir(d.program.env, "main")
		if err != nil {
			return "", err
		}
		dir = home
	}
	if config.join {
		if url, running := postgres.RunningCluster(ctx, dir); running {
			return url, nil
		}
	}
	if config.existing && !postgres.HasCluster(dir) {
		return "", badInput("there are no books in data directory %s: name the right one with --data-dir, or a Postgres with --database-url", dir)
	}
	cluster, err := postgres.StartCluster(ctx, dir, d.program.log)
	if err != nil {
		return "", err
	}
	d.cluster = cluster
	return cluster.URL(), nil
}

// lost is closed when the private cluster has ended by itself; it is nil for a Postgres of the user's own.
func (d *database) lost() <-chan struct{} {
	if d.cluster == nil {
		return nil
	}
	return d.cluster.Done()
}

// close stops the private cluster, if there is one.
func (d *database) close() {
	if d.cluster == nil {
		return
	}
	ctx, cancel := context.WithTimeout(context.Background(), 20*time.Second)
	defer cancel()
	if err := d.cluster.Stop(ctx); err != nil {
		d.program.log.Warn("the private Postgres did not stop cleanly", "error", err)
	}
}

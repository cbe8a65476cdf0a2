package postgres

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io/fs"

	"github.com/pressly/goose/v3"
	"github.com/pressly/goose/v3/lock"
)

// Config says how to come to a database. URL is the database; with OwnerURL set, URL names the user that the app runs
// as and OwnerURL the one that owns the tables. Without Migrate an older schema is an error.
type Config struct {
	URL, OwnerURL string
	Migrate       bool
}

// Prepare brings the schema up to the migrations, forward only, and sees to the role that the app runs as: the user
// of URL, or one made and recorded in the table app_role when URL is the owner's own. It returns the URL of that role.
// Several servers may call it at once: all of it is done under one lock of the database.
func Prepare(ctx context.Context, config Config, migrations fs.FS) (appURL string, err error) {
	ownerURL := config.OwnerURL
	if ownerURL == "" || sameUser(ownerURL, config.URL) {
		ownerURL, config.OwnerURL = config.URL, ""
	}
	owner, err := openPool(ctx, ownerURL)
	if err != nil {
		return "", err
	}
	defer owner.Close()
	err = underLock(ctx, owner, func(conn *sql.Conn) error {
		if err := bringUp(ctx, owner, migrations, config.Migrate); err != nil {
			return err
		}
		appURL, err = appRole(ctx, conn, config)
		return err
	})
	return appURL, err
}

// underLock runs do while no other server prepares the same database. The lock is tried again and again instead of
// being waited for inside Postgres: a waiting statement would hold up an index that a migration builds concurrently.
func underLock(ctx context.Context, db *sql.DB, do func(*sql.Conn) error) (err error) {
	locker, err := lock.NewPostgresSessionLocker(lock.WithLockTimeout(1, 600), lock.WithUnlockTimeout(1, 5))
	if err != nil {
		return err
	}
	conn, err := db.Conn(ctx)
	if err != nil {
		return err
	}
	defer conn.Close()
	if err := locker.SessionLock(ctx, conn); err != nil {
		return fmt.Errorf("wait for another Daybook that prepares this database: %w", err)
	}
	defer func() { err = errors.Join(err, locker.SessionUnlock(context.WithoutCancel(ctx), conn)) }()
	return do(conn)
}

func bringUp(ctx context.Context, db *sql.DB, migrations fs.FS, migrate bool) error {
	provider, err := goose.NewProvider(goose.DialectPostgres, db, migrations, goose.WithDisableGlobalRegistry(true))
	if err != nil {
		return fmt.Errorf("read the migrations: %w", err)
	}
	sources := provider.ListSources()
	want := sources[len(sources)-1].Version
	have, err := schemaVersion(ctx, db)
	switch {
	case err != nil:
		return err
	case have > want:
		return fmt.Errorf("the schema of the database is version %d and this Daybook knows versions up to %d: run the newer Daybook", have, want)
	case have < want && !migrate:
		return fmt.Errorf("the schema of the database is version %d and this Daybook needs %d: run daybook migrate", have, want)
	case have == want:
		return nil
	}
	if _, err := provider.Up(ctx); err != nil {
		if hasCode(err, codeNoPrivilege) {
			return fmt.Errorf("%w; if the user of DAYBOOK_DATABASE_URL does not own the tables, name the owner with DAYBOOK_OWNER_URL", err)
		}
		return fmt.Errorf("migrate the database: %w", err)
	}
	return nil
}

// schemaVersion is the last migration the database has, and 0 for one that has none.
func schemaVersion(ctx context.Context, db *sql.DB) (int64, error) {
	var exists bool
	const table = "select to_regclass('goose_db_version') is not null"
	if err := db.QueryRowContext(ctx, table).Scan(&exists); err != nil || !exists {
		return 0, err
	}
	var version int64
	const last = "select coalesce(max(version_id), 0) from goose_db_version where is_applied"
	if err := db.QueryRowContext(ctx, last).Scan(&version); err != nil {
		return 0, fmt.Errorf("read the version of the schema: %w", err)
	}
	return version, nil
}

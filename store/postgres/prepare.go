package postgres

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"time"

	"github.com/pressly/goose/v3"
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

// prepareLock is the advisory lock of those who prepare a database: "daybook" in ASCII.
const prepareLock = 0x64_61_79_62_6f_6f_6b

// prepareLimit is how long one server waits for another's migrations.
const prepareLimit = 10 * time.Minute

// underLock runs do while no other server prepares the same database. The lock is tried again and again instead of
// being waited for inside Postgres: a waiting statement would hold up an index that a migration builds concurrently.
func underLock(ctx context.Context, db *sql.DB, do func(*sql.Conn) error) error {
	conn, err := db.Conn(ctx)
	if err != nil {
		return err
	}
	defer conn.Close()
	if err := takeLock(ctx, conn); err != nil {
		return err
	}
	err = do(conn)
	_, unlockErr := conn.ExecContext(context.WithoutCancel(ctx), "select pg_advisory_unlock($1)", prepareLock)
	return errors.Join(err, unlockErr)
}

func takeLock(ctx context.Context, conn *sql.Conn) error {
	ctx, cancel := context.WithTimeoutCause(ctx, prepareLimit, errors.New("another Daybook is still preparing this database"))
	defer cancel()
	again := time.NewTicker(100 * time.Millisecond)
	defer again.Stop()
	for {
		var taken bool
		err := conn.QueryRowContext(ctx, "select pg_try_advisory_lock($1)", prepareLock).Scan(&taken)
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		if err != nil {
			return fmt.Errorf("take the lock of those who prepare the database: %w", err)
		}
		if taken {
			return nil
		}
		select {
		case <-again.C:
		case <-ctx.Done():
			return context.Cause(ctx)
		}
	}
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

package postgres

import (
	"context"
	"database/sql"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/stdlib"
	driver "gorm.io/driver/postgres"
	"gorm.io/gorm"
	"gorm.io/gorm/logger"
)

// The limits of one process: two servers, the administrator and psql fit into a Postgres with 100 connections. What is open stays open for a
// while: a connection is dear to make, and knows the plans of its statements.
const (
	maxConns        = 40
	maxConnIdle     = 5 * time.Minute
	maxConnLifetime = time.Hour
	connectTimeout  = 5 * time.Second
)

// Open connects to the database at url and returns GORM over it. A server that cannot be reached is an error within
// seconds that names host, port and database but never the password. Close it through its DB().
func Open(ctx context.Context, url string) (*gorm.DB, error) {
	pool, err := openPool(ctx, url)
	if err != nil {
		return nil, err
	}
	db, err := gorm.Open(driver.New(driver.Config{Conn: pool}), &gorm.Config{
		TranslateError:         true,
		SkipDefaultTransaction: true,
		NowFunc:                now,
		Logger:                 logger.Discard,
	})
	if err != nil {
		pool.Close()
		return nil, err
	}
	return db, nil
}

// now is UTC in microseconds, as Postgres keeps it: what is read back equals what was written.
func now() time.Time { return time.Now().UTC().Truncate(time.Microsecond) }

func openPool(ctx context.Context, url string) (*sql.DB, error) {
	config, err := parse(url)
	if err != nil {
		return nil, err
	}
	pool := stdlib.OpenDB(*config, stdlib.OptionResetSession(renewPlans))
	pool.SetMaxOpenConns(maxConns)
	pool.SetMaxIdleConns(maxConns)
	pool.SetConnMaxIdleTime(maxConnIdle)
	pool.SetConnMaxLifetime(maxConnLifetime)
	// The timeout of the config is per address tried; this one is for all of them together.
	pingCtx, cancel := context.WithTimeout(ctx, connectTimeout)
	defer cancel()
	if err := pool.PingContext(pingCtx); err != nil {
		pool.Close()
		return nil, unreachable(config, err)
	}
	return pool, nil
}

func parse(url string) (*pgx.ConnConfig, error) {
	config, err := pgx.ParseConfig(url)
	if err != nil {
		// The error of the parser repeats the text it could not read, which may hold a password.
		return nil, errNotURL
	}
	config.ConnectTimeout = connectTimeout
	config.RuntimeParams["timezone"] = "UTC"
	if config.RuntimeParams["application_name"] == "" {
		config.RuntimeParams["application_name"] = "daybook"
	}
	return config, nil
}

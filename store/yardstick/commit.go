package yardstick

import (
	"context"
	"fmt"

	"github.com/jackc/pgx/v5"
)

// Yardstick measures one database, as its superuser. Each of its methods uses a connection of its own.
type Yardstick struct{ url string }

// New is a yardstick for the database at a superuser's URL.
func New(url string) Yardstick { return Yardstick{url: url} }

// Prepare makes the table that is committed to.
func (y Yardstick) Prepare(ctx context.Context) error {
	return y.connected(ctx, func(conn *pgx.Conn) error {
		_, err := conn.Exec(ctx, `CREATE TABLE IF NOT EXISTS bench_commits (client bigint NOT NULL, n bigint NOT NULL)`)
		return err
	})
}

func (y Yardstick) connected(ctx context.Context, do func(*pgx.Conn) error) error {
	conn, err := pgx.Connect(ctx, y.url)
	if err != nil {
		return fmt.Errorf("connect to be measured: %w", err)
	}
	defer conn.Close(context.WithoutCancel(ctx))
	return do(conn)
}

// Committer commits one row after the other. It is for one goroutine.
type Committer struct {
	conn   *pgx.Conn
	client int
	n      int
}

// Committer opens a connection that commits. Close it.
func (y Yardstick) Committer(ctx context.Context, client int) (*Committer, error) {
	conn, err := pgx.Connect(ctx, y.url)
	if err != nil {
		return nil, fmt.Errorf("connect to commit: %w", err)
	}
	return &Committer{conn: conn, client: client}, nil
}

// Do inserts one row and returns when it is durable: one statement, one round trip.
func (c *Committer) Do(ctx context.Context) error {
	c.n++
	_, err := c.conn.Exec(ctx, `INSERT INTO bench_commits (client, n) VALUES ($1, $2)`, c.client, c.n)
	return err
}

// Close gives the connection back.
func (c *Committer) Close() error { return c.conn.Close(context.Background()) }

package postgres

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/stdlib"
)

// reconnectAfter is how long Listen waits when its connection broke, or could not be had.
const reconnectAfter = time.Second

// Listen hears what is notified on a channel until ctx is over, over one connection of the pool, which it keeps. Each payload goes to
// heard. What is notified while there is no connection is missed: whenever it listens again, it calls listening, for whoever must look
// for themselves. Both calls must be quick.
func Listen(ctx context.Context, pool *sql.DB, channel string, heard func(payload string), listening func()) {
	for ctx.Err() == nil {
		listenOnce(ctx, pool, channel, heard, listening)
		select {
		case <-ctx.Done():
		case <-time.After(reconnectAfter):
		}
	}
}

// listenOnce returns when the connection is gone. What broke it is not told: others meet it too, and waiting goes on by polling.
func listenOnce(ctx context.Context, pool *sql.DB, channel string, heard func(payload string), listening func()) {
	conn, err := pool.Conn(ctx)
	if err != nil {
		return
	}
	defer conn.Close()
	_ = conn.Raw(func(driverConn any) error {
		listener := driverConn.(*stdlib.Conn).Conn()
		if _, err := listener.Exec(ctx, "listen "+pgx.Identifier{channel}.Sanitize()); err == nil {
			listening()
			hear(ctx, listener, heard)
		}
		// It would still listen: nobody else may get it.
		return driver.ErrBadConn
	})
}

func hear(ctx context.Context, listener *pgx.Conn, heard func(payload string)) {
	for {
		notification, err := listener.WaitForNotification(ctx)
		if err != nil {
			return
		}
		heard(notification.Payload)
	}
}

package store

import (
	"context"
	"database/sql/driver"
	"errors"
	"io"
	"net"
	"slices"
	"strings"

	"github.com/jackc/pgx/v5/pgconn"

	"daybook/store/ledger"
)

// orOutage tells an error of a database that is away, starting or going down from all others: the request may be sent again, with
// the same key, once it is back.
func orOutage(err error) error {
	if err == nil || !isOutage(err) {
		return err
	}
	return &ledger.Error{Kind: ledger.KindBusy, Message: "the database does not answer: try again in a moment", Err: err}
}

func isOutage(err error) bool {
	var known *ledger.Error
	if errors.As(err, &known) || errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded) {
		return false
	}
	var connect *pgconn.ConnectError
	var refused *pgconn.PgError
	var network *net.OpError
	switch {
	case errors.As(err, &connect):
		return true
	case errors.As(err, &refused):
		return isOutageCode(refused.Code)
	}
	// Of a connection that was cut while it was prepared for use, the driver only says in words that it is closed.
	return errors.As(err, &network) || errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) || errors.Is(err, driver.ErrBadConn) ||
		pgconn.SafeToRetry(err) || strings.HasSuffix(err.Error(), "conn closed")
}

// isOutageCode knows connections that broke (class 08), resources that are used up (53), a server that goes down, is not up yet or calls
// statements off (57), and one that only reads, as a standby does.
func isOutageCode(code string) bool {
	switch {
	case code == "25006":
		return true
	case len(code) != 5:
		return false
	}
	return slices.Contains([]string{"08", "53", "57"}, code[:2])
}

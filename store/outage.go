package store

import (
	"context"
	"errors"
	"io"
	"net"
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
	return errors.As(err, &network) || errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) || pgconn.SafeToRetry(err)
}

// isOutageCode knows connections that broke (class 08), that are too many, and a server that goes down or is not up yet.
func isOutageCode(code string) bool {
	switch code {
	case "53300", "57P01", "57P02", "57P03":
		return true
	}
	return strings.HasPrefix(code, "08")
}

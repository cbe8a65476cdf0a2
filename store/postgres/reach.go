package postgres

import (
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"strings"
	"syscall"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
)

var errNotURL = errors.New("the database URL cannot be read: it looks like postgres://user:password@host:5432/database")

// unreachable says in words why a database could not be connected to. The cause is not wrapped: its text may repeat
// the connection string.
func unreachable(config *pgx.ConnConfig, err error) error {
	return fmt.Errorf("cannot reach Postgres at %s database %s: %s", place(config), config.Database, reason(config, err))
}

func place(config *pgx.ConnConfig) string {
	if strings.HasPrefix(config.Host, "/") {
		return config.Host
	}
	return net.JoinHostPort(config.Host, fmt.Sprint(config.Port))
}

func reason(config *pgx.ConnConfig, err error) string {
	var refused *pgconn.PgError
	var unknownHost *net.DNSError
	var errno syscall.Errno
	switch {
	case errors.As(err, &refused) && refused.Code == codeNoDatabase:
		return refused.Message + "; create it first, for example with createdb"
	case errors.As(err, &refused):
		return refused.Message
	case errors.As(err, &unknownHost):
		return "no host of this name is known"
	case errors.As(err, &errno):
		return errno.Error()
	case errors.Is(err, context.DeadlineExceeded), errors.Is(err, os.ErrDeadlineExceeded):
		return fmt.Sprintf("no answer within %s", connectTimeout)
	case errors.Is(err, context.Canceled):
		return "interrupted"
	}
	text := innermost(err).Error()
	if config.Password != "" {
		text = strings.ReplaceAll(text, config.Password, "***")
	}
	return text
}

func innermost(err error) error {
	for {
		next := errors.Unwrap(err)
		if next == nil {
			return err
		}
		err = next
	}
}

// The conditions that the server names by code.
const (
	codeNoDatabase  = "3D000"
	codeBadPassword = "28P01"
	codeNoPrivilege = "42501"
)

func hasCode(err error, code string) bool {
	var refused *pgconn.PgError
	return errors.As(err, &refused) && refused.Code == code
}

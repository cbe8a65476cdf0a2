package store

import (
	"context"
	"database/sql/driver"
	"errors"
	"fmt"
	"io"
	"testing"

	"github.com/jackc/pgx/v5/pgconn"

	"daybook/store/ledger"
)

func TestOutage_IsWhatMayBeSentAgain(t *testing.T) {
	t.Parallel()
	for _, code := range []string{"08006", "25006", "53100", "53300", "57014", "57P01"} {
		if err := orOutage(fmt.Errorf("append: %w", &pgconn.PgError{Code: code})); ledger.KindOf(err) != ledger.KindBusy {
			t.Errorf("%s is told as %v", code, err)
		}
	}
	for _, err := range []error{driver.ErrBadConn, errors.New("failed to deallocate cached statement(s): conn closed"), io.ErrUnexpectedEOF} {
		if ledger.KindOf(orOutage(err)) != ledger.KindBusy {
			t.Errorf("%q is told as an answer", err)
		}
	}
	for _, err := range []error{&pgconn.PgError{Code: "23505"}, context.Canceled, errors.New("something else")} {
		if ledger.KindOf(orOutage(err)) == ledger.KindBusy {
			t.Errorf("%v is told as an outage", err)
		}
	}
}

package postgres

import (
	"context"
	"crypto/rand"
	"database/sql"
	"encoding/hex"
	"errors"
	"fmt"
	"net/url"
	"strings"

	"github.com/jackc/pgx/v5"
)

// appRole sees to the role that the app runs as and returns its URL. Nothing here is done twice by two servers: the
// caller holds the lock.
func appRole(ctx context.Context, conn *sql.Conn, config Config) (string, error) {
	if config.OwnerURL != "" {
		app, err := parse(config.URL)
		if err != nil {
			return "", err
		}
		if err := refuseOwner(ctx, conn, app.User); err != nil {
			return "", err
		}
		return config.URL, grant(ctx, conn, app.User)
	}
	owns, err := ownsSchema(ctx, conn)
	if err != nil {
		return "", err
	}
	if !owns {
		// Someone else migrates, and has granted this user its rights.
		return config.URL, nil
	}
	role, err := ownRole(ctx, conn, config.URL)
	if err != nil {
		return "", err
	}
	if err := grant(ctx, conn, role.name); err != nil {
		return "", err
	}
	return withUser(config.URL, role)
}

type role struct{ name, password string }

// ownRole is the role recorded in the database, so that all servers agree on it, or a new one that is recorded. The
// record may have come from another server with a dump: a role that is missing here is made, and one that has the
// name but another password is somebody else's, so that a new name is taken.
func ownRole(ctx context.Context, conn *sql.Conn, databaseURL string) (role, error) {
	var r role
	err := conn.QueryRowContext(ctx, "select name, password from app_role").Scan(&r.name, &r.password)
	if errors.Is(err, sql.ErrNoRows) {
		return newRole(ctx, conn)
	}
	if err != nil {
		return role{}, fmt.Errorf("read the role that the app runs as: %w", err)
	}
	exists, err := roleExists(ctx, conn, r.name)
	if err != nil {
		return role{}, err
	}
	if !exists {
		return r, createRole(ctx, conn, r)
	}
	if opens, err := roleOpens(ctx, databaseURL, r); err != nil || opens {
		return r, err
	}
	return newRole(ctx, conn)
}

// newRole makes a role named after the database and records it. A role of that name that is there already has a
// password nobody here knows: it is left alone.
func newRole(ctx context.Context, conn *sql.Conn) (role, error) {
	var database string
	if err := conn.QueryRowContext(ctx, "select current_database()").Scan(&database); err != nil {
		return role{}, err
	}
	// Postgres cuts names off at 63 bytes.
	base := strings.ToValidUTF8(database[:min(len(database), 40)], "") + "_app"
	r := role{name: base, password: randomHex(32)}
	for {
		taken, err := roleExists(ctx, conn, r.name)
		if err != nil {
			return role{}, err
		}
		if !taken {
			break
		}
		r.name = base + "_" + randomHex(4)
	}
	return r, recordRole(ctx, conn, r)
}

// recordRole makes the role and records it, both or neither.
func recordRole(ctx context.Context, conn *sql.Conn, r role) error {
	tx, err := conn.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer tx.Rollback()
	if err := createRole(ctx, tx, r); err != nil {
		return err
	}
	const record = "insert into app_role (name, password) values ($1, $2) " +
		"on conflict (only_row) do update set name = excluded.name, password = excluded.password"
	if _, err := tx.ExecContext(ctx, record, r.name, r.password); err != nil {
		return fmt.Errorf("record the role that the app runs as: %w", err)
	}
	return tx.Commit()
}

type execer interface {
	ExecContext(ctx context.Context, query string, args ...any) (sql.Result, error)
}

func createRole(ctx context.Context, db execer, r role) error {
	// The password is hexadecimal: it needs no quoting inside the quotes.
	create := fmt.Sprintf("create role %s login password '%s'", pgx.Identifier{r.name}.Sanitize(), r.password)
	_, err := db.ExecContext(ctx, create)
	if hasCode(err, codeNoPrivilege) {
		return errors.New("the user of DAYBOOK_DATABASE_URL owns the tables but may not create the role that the app runs as: " +
			"give it CREATEROLE, or create a login role yourself, name it in DAYBOOK_DATABASE_URL and the owner in DAYBOOK_OWNER_URL")
	}
	if err != nil {
		return fmt.Errorf("create the role that the app runs as: %w", err)
	}
	return nil
}

func roleExists(ctx context.Context, conn *sql.Conn, name string) (exists bool, err error) {
	err = conn.QueryRowContext(ctx, "select exists (select from pg_roles where rolname = $1)", name).Scan(&exists)
	return exists, err
}

// roleOpens tells whether the role's password is the one on record.
func roleOpens(ctx context.Context, databaseURL string, r role) (bool, error) {
	appURL, err := withUser(databaseURL, r)
	if err != nil {
		return false, err
	}
	config, err := parse(appURL)
	if err != nil {
		return false, err
	}
	conn, err := pgx.ConnectConfig(ctx, config)
	if hasCode(err, codeBadPassword) {
		return false, nil
	}
	if err != nil {
		return false, unreachable(config, err)
	}
	return true, conn.Close(ctx)
}

// ownsSchema tells whether the connected user may read what only the owner may.
func ownsSchema(ctx context.Context, conn *sql.Conn) (owns bool, err error) {
	const query = "select has_table_privilege('app_role', 'insert')"
	if err := conn.QueryRowContext(ctx, query).Scan(&owns); err != nil {
		return false, fmt.Errorf("look for the role that the app runs as: %w", err)
	}
	return owns, nil
}

// refuseOwner refuses to run the app as a user that could do what the owner can: the journal would be append-only in
// name only.
func refuseOwner(ctx context.Context, conn *sql.Conn, name string) error {
	exists, err := roleExists(ctx, conn, name)
	if err != nil {
		return err
	}
	if !exists {
		return fmt.Errorf("the user %s of DAYBOOK_DATABASE_URL does not exist: create it with CREATE ROLE … LOGIN", name)
	}
	var may bool
	if err := conn.QueryRowContext(ctx, "select pg_has_role($1, current_user, 'member')", name).Scan(&may); err != nil {
		return err
	}
	if may {
		return fmt.Errorf("the user %s of DAYBOOK_DATABASE_URL can act as the owner of the tables: name a user without such rights", name)
	}
	return nil
}

func grant(ctx context.Context, conn *sql.Conn, name string) error {
	if _, err := conn.ExecContext(ctx, "select grant_app_rights($1)", name); err != nil {
		return fmt.Errorf("give %s the rights of the app: %w", name, err)
	}
	return nil
}

// withUser is a database URL with another user in it, in either of the two forms that Postgres knows.
func withUser(databaseURL string, r role) (string, error) {
	if !strings.HasPrefix(databaseURL, "postgres://") && !strings.HasPrefix(databaseURL, "postgresql://") {
		return fmt.Sprintf("%s user='%s' password='%s'", databaseURL, quoteValue(r.name), quoteValue(r.password)), nil
	}
	u, err := url.Parse(databaseURL)
	if err != nil {
		return "", errNotURL
	}
	query := u.Query()
	query.Del("user")
	query.Del("password")
	u.RawQuery = query.Encode()
	u.User = url.UserPassword(r.name, r.password)
	return u.String(), nil
}

func quoteValue(s string) string {
	return strings.NewReplacer(`\`, `\\`, `'`, `\'`).Replace(s)
}

func sameUser(a, b string) bool {
	first, err := parse(a)
	if err != nil {
		return false
	}
	second, err := parse(b)
	return err == nil && first.User == second.User
}

func randomHex(bytes int) string {
	b := make([]byte, bytes)
	rand.Read(b)
	return hex.EncodeToString(b)
}

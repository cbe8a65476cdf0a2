package pgtest_test

import (
	"context"
	"testing"

	"github.com/jackc/pgx/v5"

	"daybook/store/postgres/pgtest"
)

func TestMain(m *testing.M) { pgtest.Main(m) }

func TestNew(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"GivesADatabaseOfItsOwn", "GivesASecondOneBesideIt"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			ownerURL, appURL := pgtest.New(t)
			owner, app := connect(t, ownerURL), connect(t, appURL)
			var ownersDatabase, appsDatabase string
			var people int
			scan(t, owner, "select current_database()", &ownersDatabase)
			scan(t, app, "select current_database()", &appsDatabase)
			scan(t, app, "select count(*) from users", &people)
			if ownersDatabase != appsDatabase || people != 0 {
				t.Errorf("owner in %s, app in %s, %d users: want the same empty database", ownersDatabase, appsDatabase, people)
			}
			if _, err := owner.Exec(t.Context(), "create table mine ()"); err != nil {
				t.Errorf("the owner makes a table: %v", err)
			}
			if _, err := app.Exec(t.Context(), "create table ours ()"); err == nil {
				t.Error("the app made a table")
			}
		})
	}
}

func connect(t *testing.T, url string) *pgx.Conn {
	t.Helper()
	conn, err := pgx.Connect(t.Context(), url)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { conn.Close(context.Background()) })
	return conn
}

func scan(t *testing.T, conn *pgx.Conn, query string, value any) {
	t.Helper()
	if err := conn.QueryRow(t.Context(), query).Scan(value); err != nil {
		t.Fatalf("%s: %v", query, err)
	}
}

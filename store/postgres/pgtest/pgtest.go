package pgtest

import (
	"cmp"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"log/slog"
	"net/url"
	"os"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"daybook/migrations"
	"daybook/store/postgres"
)

// Main runs the tests of a package and ends the process. It also recognises the process that is not a test run but
// the supervisor of one's private Postgres.
func Main(m *testing.M) {
	if len(os.Args) > 1 && os.Args[1] == postgres.SuperviseCommand {
		os.Exit(postgres.Supervise(context.Background(), os.Args[2:], os.Stdin, os.Stdout))
	}
	shared.ready = true
	code := m.Run()
	if err := shared.stop(); err != nil {
		fmt.Fprintln(os.Stderr, "pgtest:", err)
		code = cmp.Or(code, 1)
	}
	os.Exit(code)
}

// New makes a migrated database for one test. ownerURL is for what only the owner of the tables may do, appURL for
// what the app does.
func New(t testing.TB) (ownerURL, appURL string) {
	t.Helper()
	name := makeDatabase(t, func() string { return " template " + shared.template + " strategy file_copy" })
	return inDatabase(shared.adminURL, name), inDatabase(shared.appURL, name)
}

// Empty makes a database without any table, for a test of what makes them.
func Empty(t testing.TB) (ownerURL string) {
	t.Helper()
	return inDatabase(shared.adminURL, makeDatabase(t, func() string { return "" }))
}

func makeDatabase(t testing.TB, from func() string) (name string) {
	t.Helper()
	if !shared.ready {
		t.Fatal("this package needs func TestMain(m *testing.M) { pgtest.Main(m) }")
	}
	shared.start.Do(func() { shared.err = shared.open(context.Background()) })
	if shared.err != nil {
		t.Fatalf("start the Postgres of the tests: %v", shared.err)
	}
	name = randomName()
	if err := shared.exec(context.Background(), "create database "+name+from()); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := shared.exec(context.Background(), "drop database "+name+" with (force)"); err != nil {
			t.Error(err)
		}
	})
	return name
}

// server is the Postgres of this test binary, with the migrated database that each test's is a copy of. It is the one
// global of the package, as the process of the tests is.
type server struct {
	ready    bool
	start    sync.Once
	err      error
	cluster  *postgres.Cluster
	adminURL string
	template string
	appURL   string
}

var shared server

func (s *server) open(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, 2*time.Minute)
	defer cancel()
	s.adminURL = os.Getenv("DAYBOOK_TEST_DATABASE_URL")
	if s.adminURL == "" {
		cluster, err := postgres.StartScratchCluster(ctx, slog.New(slog.DiscardHandler))
		if err != nil {
			return err
		}
		s.cluster, s.adminURL = cluster, cluster.URL()
	}
	s.template = randomName()
	if err := s.exec(ctx, "create database "+s.template); err != nil {
		return err
	}
	var err error
	config := postgres.Config{URL: inDatabase(s.adminURL, s.template), Migrate: true}
	s.appURL, err = postgres.Prepare(ctx, config, migrations.FS)
	return err
}

// stop leaves nothing behind: the private Postgres with its directory, or the template and its role in another's.
func (s *server) stop() error {
	ctx, cancel := context.WithTimeout(context.Background(), 30*time.Second)
	defer cancel()
	if s.cluster != nil {
		return s.cluster.Stop(ctx)
	}
	if s.template == "" {
		return nil
	}
	err := s.exec(ctx, "drop database if exists "+s.template+" with (force)")
	if app, parseErr := url.Parse(s.appURL); parseErr == nil && app.User != nil {
		err = errors.Join(err, s.exec(ctx, "drop role if exists "+app.User.Username()))
	}
	return err
}

// exec runs one statement on a connection of its own: the template must have none when it is copied.
func (s *server) exec(ctx context.Context, statement string) error {
	conn, err := pgx.Connect(ctx, s.adminURL)
	if err != nil {
		return fmt.Errorf("connect to the Postgres of the tests: %w", err)
	}
	defer conn.Close(ctx)
	if _, err := conn.Exec(ctx, statement); err != nil {
		return fmt.Errorf("%s: %w", statement, err)
	}
	return nil
}

func inDatabase(databaseURL, name string) string {
	u, err := url.Parse(databaseURL)
	if err != nil {
		return databaseURL
	}
	u.Path = "/" + name
	return u.String()
}

func randomName() string { return "daybook_test_" + strings.ToLower(rand.Text()[:12]) }

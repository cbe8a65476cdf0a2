package postgres_test

import (
	"context"
	"fmt"
	"net/url"
	"path"
	"strconv"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/jackc/pgx/v5"
	"golang.org/x/sync/errgroup"

	"daybook/store/postgres"
	"daybook/store/postgres/pgtest"
)

const firstMigration = `-- +goose Up
create table app_role (only_row boolean primary key default true, name text not null, password text not null);
create table notes (text text not null);
-- +goose StatementBegin
create function grant_app_rights(app name) returns void language plpgsql as $$ begin
    execute format('grant select on goose_db_version to %I', app);
    execute format('grant select, insert on notes to %I', app);
end $$;
-- +goose StatementEnd
`

// schema is the migrations of a small database, up to a version.
func schema(version int) fstest.MapFS {
	files := fstest.MapFS{"0001_first.sql": {Data: []byte(firstMigration)}}
	if version > 1 {
		files["0002_second.sql"] = &fstest.MapFile{Data: []byte("-- +goose Up\nalter table notes add author text;\n")}
	}
	return files
}

// emptyDatabase is a database whose roles go with it.
func emptyDatabase(t *testing.T) string {
	t.Helper()
	beside, ownerURL := pgtest.Empty(t), ""
	t.Cleanup(func() { dropRoles(t, beside, ownerURL) })
	ownerURL = pgtest.Empty(t)
	return ownerURL
}

func TestPrepare(t *testing.T) {
	t.Parallel()
	t.Run("FourServersAtOnceAgree", fourServersAgree)
	t.Run("GivesTheAppItsRightsAndNoMore", appHasItsRights)
	t.Run("RefusesAnOlderSchemaWhenToldNotToMigrate", refusesOlderSchema)
	t.Run("RefusesANewerSchema", refusesNewerSchema)
	t.Run("MakesARecordedRoleThatIsMissing", makesMissingRole)
	t.Run("LeavesARoleAloneThatHasAnotherPassword", leavesForeignRole)
	t.Run("NamesTheOwnerSettingWhenItMayNotMakeARole", namesOwnerSetting)
	t.Run("TakesTheUserThatItIsGiven", takesGivenUser)
	t.Run("TakesSettingsInWords", takesSettingsInWords)
}

func fourServersAgree(t *testing.T) {
	t.Parallel()
	ownerURL := emptyDatabase(t)
	urls := make([]string, 4)
	group, ctx := errgroup.WithContext(t.Context())
	for i := range urls {
		group.Go(func() (err error) {
			urls[i], err = postgres.Prepare(ctx, postgres.Config{URL: ownerURL, Migrate: true}, schema(2))
			return err
		})
	}
	if err := group.Wait(); err != nil {
		t.Fatal(err)
	}
	for _, u := range urls {
		if u != urls[0] || u == ownerURL {
			t.Errorf("the servers run as %v", urls)
		}
	}
	if n := query[int](t, connect(t, ownerURL), "select count(*) from app_role"); n != 1 {
		t.Errorf("%d roles on record", n)
	}
}

func appHasItsRights(t *testing.T) {
	t.Parallel()
	app := connect(t, prepare(t, postgres.Config{URL: emptyDatabase(t), Migrate: true}, 1))
	execute(t, app, "insert into notes values ('hello')")
	for _, forbidden := range []string{"create table mine ()", "delete from notes", "select name from app_role", "drop table notes"} {
		if _, err := app.Exec(t.Context(), forbidden); err == nil {
			t.Errorf("the app may: %s", forbidden)
		}
	}
}

func refusesOlderSchema(t *testing.T) {
	t.Parallel()
	config := postgres.Config{URL: emptyDatabase(t)}
	refuse(t, config, 2, "version 0 and this Daybook needs 2: run daybook migrate")
	config.Migrate = true
	appURL := prepare(t, config, 1)
	config.Migrate = false
	refuse(t, config, 2, "version 1 and this Daybook needs 2")
	if again := prepare(t, config, 1); again != appURL {
		t.Errorf("without migrating the app runs as another user: %s", again)
	}
	if asApp := prepare(t, postgres.Config{URL: appURL}, 1); asApp != appURL {
		t.Errorf("the app's own URL became %s", asApp)
	}
}

func refusesNewerSchema(t *testing.T) {
	t.Parallel()
	config := postgres.Config{URL: emptyDatabase(t), Migrate: true}
	prepare(t, config, 2)
	refuse(t, config, 1, "run the newer Daybook")
}

func makesMissingRole(t *testing.T) {
	t.Parallel()
	config := postgres.Config{URL: emptyDatabase(t), Migrate: true}
	appURL := prepare(t, config, 1)
	owner := connect(t, config.URL)
	name := query[string](t, owner, "select name from app_role")
	execute(t, owner, "drop owned by "+name)
	execute(t, owner, "drop role "+name)
	if again := prepare(t, config, 1); again != appURL {
		t.Errorf("the role on record was not made again: %s", again)
	}
	connect(t, appURL)
}

func leavesForeignRole(t *testing.T) {
	t.Parallel()
	config := postgres.Config{URL: emptyDatabase(t), Migrate: true}
	before := prepare(t, config, 1)
	execute(t, connect(t, config.URL), "update app_role set password = 'of another server'")
	after := prepare(t, config, 1)
	connect(t, before)
	connect(t, after)
	if user(t, before) == user(t, after) {
		t.Error("the role of somebody else was taken over")
	}
}

func namesOwnerSetting(t *testing.T) {
	t.Parallel()
	admin := connect(t, emptyDatabase(t))
	owner := query[string](t, admin, "select current_database()") + "_owner"
	execute(t, admin, "create role "+owner+" login password 'own'")
	execute(t, admin, "alter database "+strings.TrimSuffix(owner, "_owner")+" owner to "+owner)
	ownerURL := as(t, admin.Config().ConnString(), owner, "own")
	refuse(t, postgres.Config{URL: ownerURL, Migrate: true}, 1, "DAYBOOK_OWNER_URL")

	app := strings.TrimSuffix(owner, "_owner") + "_web"
	appURL := as(t, ownerURL, app, "web")
	both := postgres.Config{URL: appURL, OwnerURL: ownerURL, Migrate: true}
	refuse(t, both, 1, "does not exist")
	execute(t, admin, "create role "+app+" login password 'web'")
	if got := prepare(t, both, 1); got != appURL {
		t.Errorf("the app runs as %s", got)
	}
	refuse(t, postgres.Config{URL: appURL, Migrate: true}, 2, "DAYBOOK_OWNER_URL")
}

func takesGivenUser(t *testing.T) {
	t.Parallel()
	ownerURL := emptyDatabase(t)
	admin := connect(t, ownerURL)
	name := query[string](t, admin, "select current_database()") + "_boss"
	execute(t, admin, "create role "+name+" superuser login password 'boss'")
	refuse(t, postgres.Config{URL: as(t, ownerURL, name, "boss"), OwnerURL: ownerURL, Migrate: true}, 1, "can act as the owner")
}

func takesSettingsInWords(t *testing.T) {
	t.Parallel()
	c := connect(t, emptyDatabase(t)).Config()
	words := "host=" + c.Host + " port=" + strconv.Itoa(int(c.Port)) + " dbname=" + c.Database + " user=" + c.User + " password=" + c.Password
	connect(t, prepare(t, postgres.Config{URL: words, Migrate: true}, 1))
}

func prepare(t *testing.T, config postgres.Config, version int) (appURL string) {
	t.Helper()
	appURL, err := postgres.Prepare(t.Context(), config, schema(version))
	if err != nil {
		t.Fatal(err)
	}
	return appURL
}

func refuse(t *testing.T, config postgres.Config, version int, want string) {
	t.Helper()
	_, err := postgres.Prepare(t.Context(), config, schema(version))
	if err == nil || !strings.Contains(err.Error(), want) {
		t.Errorf("got %v, want %q in it", err, want)
	}
}

func user(t *testing.T, databaseURL string) string {
	t.Helper()
	u, err := url.Parse(databaseURL)
	if err != nil {
		t.Fatal(err)
	}
	return u.User.Username()
}

func as(t *testing.T, databaseURL, name, password string) string {
	t.Helper()
	u, err := url.Parse(databaseURL)
	if err != nil {
		t.Fatal(err)
	}
	u.User = url.UserPassword(name, password)
	return u.String()
}

// dropRoles drops the roles that are named after a database, which is gone by now.
func dropRoles(t *testing.T, besideURL, databaseURL string) {
	t.Helper()
	ctx := context.Background()
	conn, err := pgx.Connect(ctx, besideURL)
	if err != nil {
		t.Error(err)
		return
	}
	defer conn.Close(ctx)
	const drop = "do $$ declare r name; begin for r in select rolname from pg_roles where starts_with(rolname, '%s_') loop " +
		"execute format('drop role %%I', r); end loop; end $$"
	if _, err := conn.Exec(ctx, fmt.Sprintf(drop, path.Base(strings.Split(databaseURL, "?")[0]))); err != nil {
		t.Error(err)
	}
}

package postgres_test

import (
	"errors"
	"net"
	"net/url"
	"strings"
	"testing"
	"time"

	"gorm.io/gorm"

	"daybook/store/postgres"
	"daybook/store/postgres/pgtest"
)

func TestOpen(t *testing.T) {
	t.Parallel()
	ownerURL := pgtest.Empty(t)
	db, err := postgres.Open(t.Context(), ownerURL)
	if err != nil {
		t.Fatal(err)
	}
	pool, err := db.DB()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { pool.Close() })

	t.Run("ReadsTimesInUTC", func(t *testing.T) {
		var zone string
		if err := db.WithContext(t.Context()).Raw("show timezone").Scan(&zone).Error; err != nil || zone != "UTC" {
			t.Errorf("time zone %q, %v", zone, err)
		}
		if at := db.NowFunc(); at.Location() != time.UTC || at.Nanosecond()%1000 != 0 {
			t.Errorf("now is %v: want UTC in whole microseconds", at)
		}
	})
	t.Run("TranslatesWhatAConstraintRefuses", func(t *testing.T) {
		db := db.WithContext(t.Context())
		if err := db.Exec("create table once (id int primary key)").Error; err != nil {
			t.Fatal(err)
		}
		if err := db.Exec("insert into once values (1)").Error; err != nil {
			t.Fatal(err)
		}
		if err := db.Exec("insert into once values (1)").Error; !errors.Is(err, gorm.ErrDuplicatedKey) {
			t.Errorf("a second row with the same key: %v", err)
		}
	})
}

func TestOpenSaysWhyItCannot(t *testing.T) {
	t.Parallel()
	deaf := listener(t)
	closed := listener(t)
	closed.Close()
	ownerURL := pgtest.Empty(t)
	cases := []struct {
		name, url, want string
	}{
		{"NobodyListens", "postgres://me:hush@" + closed.Addr().String() + "/books",
			"cannot reach Postgres at " + closed.Addr().String() + " database books: connection refused"},
		{"NobodyAnswers", "postgres://me:hush@" + deaf.Addr().String() + "/books", "no answer within 5s"},
		{"UnknownHost", "postgres://me:hush@nowhere.invalid:5432/books", "nowhere.invalid:5432 database books: no host"},
		{"NotAURL", "postgres://me:hush@host:port/books", "looks like postgres://"},
		{"WrongPassword", withPassword(t, ownerURL, "hush"), "password authentication failed"},
		{"NoSuchDatabase", strings.Replace(ownerURL, "/daybook_test_", "/absent_", 1), "createdb"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			_, err := postgres.Open(t.Context(), c.url)
			if err == nil || !strings.Contains(err.Error(), c.want) {
				t.Fatalf("got %v, want %q in it", err, c.want)
			}
			if strings.Contains(err.Error(), "hush") || strings.Contains(err.Error(), "\n") {
				t.Errorf("the error tells the password or takes more than a line: %v", err)
			}
		})
	}
}

// listener takes connections into its queue and never says a word.
func listener(t *testing.T) net.Listener {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { l.Close() })
	return l
}

func withPassword(t *testing.T, databaseURL, password string) string {
	t.Helper()
	u, err := url.Parse(databaseURL)
	if err != nil {
		t.Fatal(err)
	}
	u.User = url.UserPassword(u.User.Username(), password)
	return u.String()
}

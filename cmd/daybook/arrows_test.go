package main

import (
	"encoding/json"
	"errors"
	"io"
	"os/exec"
	"slices"
	"strings"
	"testing"
)

// arrows says which rooms of the project a room may import; itself and what lies below it are understood. A room is the
// longest prefix that is listed.
var arrows = map[string][]string{
	"cmd":                      {"migrations", "recon", "recon/statement", "static", "store", "store/claim", "store/drill", "store/gateway", "store/gateway/simulator", "store/gateway/simulator/server", "store/inbox", "store/inbox/broker", "store/inbox/broker/local", "store/ledger", "store/payment", "store/postgres", "store/postgres/pgtest", "templates", "web"},
	"web":                      {"recon", "recon/statement", "static", "store", "store/gateway", "store/gateway/simulator", "store/inbox", "store/ledger", "store/payment", "store/strictjson", "templates", "templates/ui"},
	"templates":                {"recon", "static", "store/ledger", "store/payment"},
	"store":                    {"recon", "recon/statement", "store/claim", "store/drill", "store/gateway", "store/inbox", "store/ledger", "store/payment", "store/postgres", "store/strictjson"},
	"store/claim":              {"store/ledger"},
	"store/drill":              {"store/claim", "store/ledger"},
	"store/ledger":             {},
	"store/gateway":            {"store/inbox", "store/ledger", "store/payment"},
	"store/inbox":              {"store/gateway", "store/ledger", "store/payment", "store/strictjson"},
	"store/inbox/broker":       {"store/inbox", "store/ledger"},
	"store/inbox/broker/local": {},
	"store/payment":            {"store/ledger"},
	"store/postgres":           {"migrations"},
	"store/strictjson":         {"store/ledger"},
	"recon":                    {"store/ledger"},
	"static":                   {},
	"migrations":               {},

	"store/gateway/gatewaytest":      {"store/gateway", "store/payment"},
	"store/gateway/simulator":        {"store/gateway", "store/inbox", "store/ledger", "store/payment"},
	"store/gateway/simulator/server": {"store/gateway", "store/gateway/simulator", "store/inbox", "store/ledger", "store/payment"},
}

// only names the rooms that may import a library; the pure rooms are in none of them.
var only = map[string][]string{
	"github.com/labstack/echo":       {"web"},
	"gorm.io/":                       {"store", "store/postgres"},
	"github.com/jackc/pgx":           {"store", "store/postgres"},
	"database/sql":                   {"store", "store/postgres"},
	"github.com/a-h/templ":           {"templates", "web"},
	"github.com/urfave/cli":          {"cmd"},
	"github.com/nats-io/nats.go":     {"store/inbox/broker"},
	"github.com/nats-io/nats-server": {"store/inbox/broker/local"},
	"github.com/alexedwards/":        {"store", "web"},
	"github.com/stripe/":             {"store/gateway"},
	"net/http":                       {"cmd", "web", "static", "store", "store/gateway", "store/gateway/simulator", "store/gateway/simulator/server", "store/inbox", "templates"}, // store: what a file looks like; templates: the names of statuses
}

func TestArrowsBetweenRooms(t *testing.T) {
	t.Parallel()
	list := exec.CommandContext(t.Context(), "go", "list", "-json=ImportPath,Imports", "daybook/...")
	out, err := list.Output()
	if err != nil {
		t.Fatalf("list the packages: %v", err)
	}
	decoder := json.NewDecoder(strings.NewReader(string(out)))
	for {
		var pkg struct {
			ImportPath string
			Imports    []string
		}
		if err := decoder.Decode(&pkg); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			t.Fatal(err)
		}
		from := roomOf(strings.TrimPrefix(pkg.ImportPath, "daybook/"))
		for _, path := range pkg.Imports {
			if fault := faultOf(from, path); fault != "" {
				t.Errorf("%s imports %s: %s", pkg.ImportPath, path, fault)
			}
		}
	}
}

// roomOf gives the room that a package lies in. The helper of tests lies below store/postgres, which it serves.
func roomOf(path string) string {
	for path != "" {
		if _, listed := arrows[path]; listed {
			return path
		}
		path = path[:max(strings.LastIndex(path, "/"), 0)]
	}
	return ""
}

func faultOf(from, path string) string {
	if inside, ours := strings.CutPrefix(path, "daybook/"); ours {
		to := roomOf(inside)
		if to == from || slices.Contains(arrows[from], to) {
			return ""
		}
		return "no arrow leads from " + from + " to " + to
	}
	for library, rooms := range only {
		if strings.HasPrefix(path, library) && !slices.Contains(rooms, from) && path != "database/sql/driver" {
			return "only " + strings.Join(rooms, " and ") + " may"
		}
	}
	return ""
}

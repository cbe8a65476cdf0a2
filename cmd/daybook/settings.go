package main

import (
	"fmt"
	"time"

	"github.com/urfave/cli/v3"
)

// environment looks up one variable, as os.LookupEnv does.
type environment func(name string) (value string, found bool)

// The names of the settings that several commands share.
const (
	settingDatabaseURL = "database-url"
	settingOwnerURL    = "owner-url"
	settingDataDir     = "data-dir"
	settingAddr        = "addr"
	settingWaitLimit   = "wait-limit"
	settingDev         = "dev"
)

// from is the source of a flag that is not given: the variable of that name, unless it is empty.
func (p *program) from(name string) cli.ValueSourceChain {
	return cli.NewValueSourceChain(&variable{name: name, env: p.env})
}

// databaseFlags say which database a command works on.
func (p *program) databaseFlags() []cli.Flag {
	return []cli.Flag{
		&cli.StringFlag{Name: settingDatabaseURL, Sources: p.from("DAYBOOK_DATABASE_URL"),
			Usage: "use this Postgres; without it, a private one in the data directory"},
		&cli.StringFlag{Name: settingOwnerURL, Sources: p.from("DAYBOOK_OWNER_URL"),
			Usage: "migrate as this user, who owns the tables; the database URL then names the user that the app runs as"},
		p.dataDirFlag(),
	}
}

func (p *program) dataDirFlag() cli.Flag {
	return &cli.StringFlag{Name: settingDataDir, Sources: p.from("DAYBOOK_DATA_DIR"),
		Usage: "keep the private Postgres in this directory"}
}

func (p *program) addrFlag() cli.Flag {
	return &cli.StringFlag{Name: settingAddr, Sources: p.from("DAYBOOK_ADDR"), Value: "127.0.0.1:8080",
		Usage: "listen on this host and port"}
}

func (p *program) waitLimitFlag() cli.Flag {
	return &cli.DurationFlag{Name: settingWaitLimit, Sources: p.from("DAYBOOK_WAIT_LIMIT"), Value: 10 * time.Second,
		Usage: "let a repeated request wait this long for the first one's answer"}
}

func (p *program) devFlag() cli.Flag {
	return &cli.BoolFlag{Name: settingDev, Sources: p.from("DAYBOOK_DEV"),
		Usage: "for developers: show every screen with canned data at /dev/gallery"}
}

// variable is a setting taken from the environment that run was given, and not from that of the process.
type variable struct {
	name string
	env  environment
}

func (v *variable) Lookup() (string, bool) {
	value, found := v.env(v.name)
	return value, found && value != ""
}

func (v *variable) String() string   { return fmt.Sprintf("environment variable %q", v.name) }
func (v *variable) GoString() string { return fmt.Sprintf("&variable{name: %q}", v.name) }

// IsFromEnv and Key let the help text name the variable.
func (v *variable) IsFromEnv() bool { return true }

// Key is the name of the variable.
func (v *variable) Key() string { return v.name }

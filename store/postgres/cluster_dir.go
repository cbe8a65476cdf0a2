package postgres

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/user"
	"path/filepath"
	"strconv"
	"syscall"
	"time"

	"github.com/jackc/pgx/v5"
)

// The names inside a data directory. Everything else there is not ours.
const (
	lockName     = "lock"     // held with flock by the supervisor and every process of its Postgres
	dataName     = "data"     // what initdb makes
	unfinished   = "data.new" // what initdb has not finished making
	passwordName = "password" // of the superuser
	urlName      = "url"      // where the running Postgres answers
	logName      = "postgres.log"
	binariesName = "binaries" // downloaded, when no Postgres is installed
)

// lockWait is how long a start waits for the Postgres of a killed Daybook: longer than the supervisor takes to stop it.
const lockWait = 10 * time.Second

// DefaultDir is where the private Postgres called name lives when no directory is given. For root it is outside its
// home, which the unprivileged user that runs Postgres cannot enter.
func DefaultDir(env func(string) (string, bool), name string) (string, error) {
	if os.Geteuid() == 0 {
		for _, base := range []string{"/var/lib/daybook", filepath.Join(os.TempDir(), "daybook")} {
			if os.MkdirAll(base, 0o755) == nil {
				return filepath.Join(base, name), nil
			}
		}
		return "", errors.New("neither /var/lib nor the temporary directory can be written: choose a data directory with --data-dir")
	}
	if base, _ := env("XDG_DATA_HOME"); filepath.IsAbs(base) {
		return filepath.Join(base, "daybook", name), nil
	}
	if home, _ := env("HOME"); filepath.IsAbs(home) {
		return filepath.Join(home, ".local", "share", "daybook", name), nil
	}
	return "", errors.New("there is no home directory to keep the private Postgres in: choose a data directory with --data-dir")
}

// RunningCluster gives the superuser's URL of the private Postgres that another Daybook has running in dir.
func RunningCluster(ctx context.Context, dir string) (url string, running bool) {
	content, err := os.ReadFile(filepath.Join(dir, urlName))
	if err != nil {
		return "", false
	}
	ctx, cancel := context.WithTimeout(ctx, 2*time.Second)
	defer cancel()
	conn, err := pgx.Connect(ctx, string(content))
	if err != nil {
		return "", false
	}
	return string(content), conn.Close(ctx) == nil
}

// HasCluster tells whether dir holds the data of a private Postgres, running or not.
func HasCluster(dir string) bool {
	_, err := os.Stat(filepath.Join(dir, dataName, "PG_VERSION"))
	return !errors.Is(err, fs.ErrNotExist)
}

// account is the user that Postgres runs as: nobody else for an ordinary user, an unprivileged one for root.
type account struct {
	name       string
	credential *syscall.Credential
}

// accountFor picks the user for Postgres: when we are root, the one that owns dir already, else postgres, else nobody.
func accountFor(dir string) (account, error) {
	if os.Geteuid() != 0 {
		return account{}, nil
	}
	candidates := []string{"postgres", "nobody"}
	var stat syscall.Stat_t
	if syscall.Stat(dir, &stat) == nil && stat.Uid != 0 {
		id := strconv.FormatUint(uint64(stat.Uid), 10)
		owner, err := user.LookupId(id)
		if err != nil {
			return account{"user " + id, &syscall.Credential{Uid: stat.Uid, Gid: stat.Gid}}, nil
		}
		candidates = []string{owner.Username}
	}
	for _, name := range candidates {
		u, err := user.Lookup(name)
		if err != nil {
			continue
		}
		uid, uidErr := strconv.ParseUint(u.Uid, 10, 32)
		gid, gidErr := strconv.ParseUint(u.Gid, 10, 32)
		if uidErr == nil && gidErr == nil {
			return account{"user " + name, &syscall.Credential{Uid: uint32(uid), Gid: uint32(gid)}}, nil
		}
	}
	return account{}, errors.New("the private Postgres cannot run as root, and there is neither a user postgres nor a user nobody to run it as")
}

// own gives what root has made to the account.
func (a account) own(path string) error {
	if a.credential == nil {
		return nil
	}
	return os.Lchown(path, int(a.credential.Uid), int(a.credential.Gid))
}

// claimDir makes dir, or accepts one that is empty or has been ours, and gives it to the account.
func claimDir(dir string, a account) error {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return fmt.Errorf("data directory %s cannot be made: %w; choose another with --data-dir", dir, err)
	}
	entries, err := os.ReadDir(dir)
	if err != nil {
		return fmt.Errorf("data directory %s cannot be read: %w; choose another with --data-dir", dir, err)
	}
	ours := false
	others := 0
	for _, e := range entries {
		ours = ours || e.Name() == lockName
		if e.Name() != "lost+found" {
			others++
		}
	}
	if others > 0 && !ours {
		return fmt.Errorf("data directory %s holds other files: choose an empty or a new one with --data-dir", dir)
	}
	if err := a.own(dir); err != nil {
		return fmt.Errorf("data directory %s cannot be given to %s: %w", dir, a.name, err)
	}
	return nil
}

// lockDir takes the lock of dir, and waits for one that is about to be released.
func lockDir(ctx context.Context, dir string, a account) (*os.File, error) {
	path := filepath.Join(dir, lockName)
	lock, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o600)
	if errors.Is(err, fs.ErrPermission) {
		return nil, fmt.Errorf("data directory %s cannot be written by this user: run Daybook as its owner, or choose another with --data-dir", dir)
	}
	if err != nil {
		return nil, fmt.Errorf("lock data directory %s: %w", dir, err)
	}
	if err := a.own(path); err != nil {
		return nil, err
	}
	deadline := time.After(lockWait)
	again := time.NewTicker(50 * time.Millisecond)
	defer again.Stop()
	for {
		err := syscall.Flock(int(lock.Fd()), syscall.LOCK_EX|syscall.LOCK_NB)
		if err == nil {
			return lock, nil
		}
		if !errors.Is(err, syscall.EWOULDBLOCK) {
			return nil, fmt.Errorf("lock data directory %s: %w", dir, err)
		}
		select {
		case <-again.C:
		case <-ctx.Done():
			return nil, ctx.Err()
		case <-deadline:
			return nil, fmt.Errorf("data directory %s is in use by another Daybook: stop that one, or choose another with --data-dir", dir)
		}
	}
}

package postgres

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"

	embedded "github.com/fergusstrange/embedded-postgres"
)

// oldestMajor is the oldest Postgres that Daybook is tested with.
const oldestMajor = 15

// downloads are the versions that can be fetched, by major version; newMajor is the one for a new cluster.
var downloads = map[int]embedded.PostgresVersion{
	15: embedded.V15, 16: embedded.V16, 17: embedded.V17, 18: embedded.V18,
}

const newMajor = 17

// binaries is a directory with initdb and postgres, and their major version.
type binaries struct {
	dir   string
	major int
}

func (b binaries) path(name string) string { return filepath.Join(b.dir, name) }

// findBinaries looks on PATH, then where packages put Postgres, newest first, then at what was downloaded before, and
// downloads in the end. An existing cluster needs its own major version.
func (s *supervisor) findBinaries(ctx context.Context) (binaries, error) {
	need := s.dataMajor()
	var unfit []string
	var denied bool
	for _, dir := range candidateDirs(s.dir) {
		b := binaries{dir: dir}
		var err error
		if b.major, err = s.majorOf(ctx, b); err != nil {
			denied = denied || errors.Is(err, syscall.EACCES)
			continue
		}
		if b.major >= oldestMajor && (need == 0 || need == b.major) {
			return b, nil
		}
		unfit = append(unfit, strconv.Itoa(b.major))
	}
	if denied {
		if s.behind != "" {
			return binaries{}, fmt.Errorf("data directory %s: %s, who runs Postgres for root, cannot enter %s; "+
				"choose another with --data-dir, or open it with chmod a+x %s", s.dir, s.account.name, s.behind, s.behind)
		}
	}
	want := cmp.Or(need, newMajor)
	b, err := s.download(ctx, want)
	if err != nil {
		found := ""
		if len(unfit) > 0 {
			found = fmt.Sprintf(" (found only version %s)", strings.Join(unfit, ", "))
		}
		return binaries{}, fmt.Errorf("PostgreSQL %s is not installed%s and cannot be downloaded (%w): install it "+
			"(Debian: apt-get install postgresql), or set DAYBOOK_DATABASE_URL to a Postgres of your own", wanted(need), found, err)
	}
	return b, nil
}

func wanted(major int) string {
	if major == 0 {
		return strconv.Itoa(oldestMajor) + " or newer"
	}
	return strconv.Itoa(major) + ", which this data directory needs,"
}

func candidateDirs(dataDir string) []string {
	var dirs []string
	if onPath, err := exec.LookPath("initdb"); err == nil {
		// initdb finds its own files from where it really is.
		if real, err := filepath.EvalSymlinks(onPath); err == nil {
			dirs = append(dirs, filepath.Dir(real))
		}
	}
	for _, pattern := range []string{"/usr/lib/postgresql/*/bin", "/usr/pgsql-*/bin", filepath.Join(dataDir, binariesName, "*", "bin")} {
		found, _ := filepath.Glob(pattern)
		slices.SortFunc(found, func(a, b string) int { return cmp.Compare(numberIn(b), numberIn(a)) })
		dirs = append(dirs, found...)
	}
	return dirs
}

// numberIn is the version in a path such as /usr/lib/postgresql/15/bin or /usr/pgsql-15/bin.
func numberIn(path string) int {
	name := filepath.Base(filepath.Dir(path))
	n, _ := strconv.Atoi(name[strings.LastIndexByte(name, '-')+1:])
	return n
}

// majorOf runs the binary as the user and in the directory it will be run in, so that what cannot work is found here.
func (s *supervisor) majorOf(ctx context.Context, b binaries) (int, error) {
	if _, err := os.Stat(b.path("initdb")); err != nil {
		return 0, err
	}
	output, err := s.command(ctx, b.path("postgres"), "--version").Output()
	if err != nil {
		return 0, err
	}
	// postgres (PostgreSQL) 15.14 (Debian 15.14-0+deb12u1)
	_, version, _ := strings.Cut(string(output), "(PostgreSQL) ")
	digits := strings.IndexFunc(version, func(r rune) bool { return r < '0' || r > '9' })
	if digits <= 0 {
		return 0, fmt.Errorf("no version in %q", output)
	}
	return strconv.Atoi(version[:digits])
}

// download fetches and unpacks one version into the data directory. The library can only do that as the first part of
// a start: it is given a cluster that holds nothing but a version, so that it stops after unpacking.
func (s *supervisor) download(ctx context.Context, major int) (binaries, error) {
	version, known := downloads[major]
	if !known {
		return binaries{}, fmt.Errorf("there is no download of version %d", major)
	}
	s.note("no PostgreSQL found on this machine: downloading version " + string(version) + " once")
	work, err := os.MkdirTemp(s.dir, "download-")
	if err != nil {
		return binaries{}, err
	}
	defer os.RemoveAll(work)
	hollow, unpacked := filepath.Join(work, "hollow"), filepath.Join(work, "unpacked")
	if err := errors.Join(os.Mkdir(hollow, 0o700),
		os.WriteFile(filepath.Join(hollow, "PG_VERSION"), []byte(strconv.Itoa(major)), 0o600)); err != nil {
		return binaries{}, err
	}
	library := embedded.NewDatabase(embedded.DefaultConfig().Version(version).CachePath(work).
		RuntimePath(filepath.Join(work, "run")).BinariesPath(unpacked).DataPath(hollow).Port(uint32(freePort())).Logger(nil))
	ended := make(chan error, 1)
	go func() { ended <- library.Start() }()
	select {
	case <-ctx.Done():
		return binaries{}, ctx.Err()
	case err = <-ended:
	}
	if _, statErr := os.Stat(filepath.Join(unpacked, "bin", "postgres")); statErr != nil {
		return binaries{}, cmp.Or(err, statErr)
	}
	home := filepath.Join(s.dir, binariesName, strconv.Itoa(major))
	if err := errors.Join(os.MkdirAll(filepath.Dir(home), 0o755), os.RemoveAll(home), os.Rename(unpacked, home)); err != nil {
		return binaries{}, err
	}
	b := binaries{dir: filepath.Join(home, "bin"), major: major}
	_, err = s.majorOf(ctx, b)
	return b, err
}

// closedParent is the first directory on the way to dir that the account cannot enter, as far as the modes tell.
func closedParent(dir string, a account) string {
	if a.credential == nil {
		return ""
	}
	closed := ""
	for at := dir; ; at = filepath.Dir(at) {
		var stat syscall.Stat_t
		if syscall.Stat(at, &stat) == nil && !mayEnter(stat, a.credential) {
			closed = at
		}
		if at == filepath.Dir(at) {
			return closed
		}
	}
}

func mayEnter(stat syscall.Stat_t, c *syscall.Credential) bool {
	switch {
	case stat.Uid == c.Uid:
		return stat.Mode&0o100 != 0
	case stat.Gid == c.Gid:
		return stat.Mode&0o010 != 0
	}
	return stat.Mode&0o001 != 0
}

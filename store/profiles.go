package store

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"reflect"
	"strconv"
	"strings"
	"time"

	"gorm.io/gorm"

	"daybook/recon/statement"
	"daybook/store/ledger"
)

// NoProfile is the name by which an upload asks for no profile at all, not even one that is found by the header.
const NoProfile = "none"

// maxProfileNameRunes is the length of a name that the database takes.
const maxProfileNameRunes = 100

// profilesLookedAt bounds how many versions are compared with a file, newest first.
const profilesLookedAt = 200

// Profile is one version of how the files of a bank are read for an account: what a person told, and what a file settled that the next may
// leave open.
type Profile struct {
	ID                int64
	Version           int
	Name              string
	HeaderFingerprint string
	Hints             statement.Hints
	CreatedBy         string
	CreatedAt         time.Time
}

// ProfileVersion names a version of a profile.
type ProfileVersion struct {
	Name    string
	Version int
}

func (p *Profile) named() *ProfileVersion {
	if p == nil {
		return nil
	}
	return &ProfileVersion{Name: p.Name, Version: p.Version}
}

// Profiles lists the profiles of an account, each in its latest version, by name. Error: KindNotFound.
func (s *Store) Profiles(ctx context.Context, actor Actor, account string) ([]Profile, error) {
	if err := actor.Need(RightRead); err != nil {
		return nil, err
	}
	db := s.db.WithContext(ctx)
	held, err := loadAccount(db, actor.Book, account, "")
	if err != nil {
		return nil, err
	}
	return latestProfiles(db, actor.Book, held)
}

func latestProfiles(db *gorm.DB, book Book, account ledger.Account) ([]Profile, error) {
	return loadProfiles(db, book, `p.account_id = ?
		   AND p.version = (SELECT max(l.version) FROM statement_profiles l WHERE l.book_id = p.book_id AND l.id = p.id)
		 ORDER BY lower(p.name), p.id LIMIT ?`, account.ID, profilesLookedAt)
}

// loadProfiles reads versions p of profiles by a condition, which may end in an order and a limit.
func loadProfiles(db *gorm.DB, book Book, condition string, args ...any) ([]Profile, error) {
	rows, err := query[struct {
		ID                                        int64
		Version                                   int
		Name, HeaderFingerprint, Hints, CreatedBy string
		CreatedAt                                 time.Time
	}](db, `
		SELECT p.id, p.version, p.name, p.header_fingerprint, p.hints::text AS hints, u.name AS created_by, p.created_at
		  FROM statement_profiles p JOIN users u ON u.id = p.created_by
		 WHERE p.book_id = ? AND `+condition, append([]any{book.ID}, args...)...)
	if err != nil {
		return nil, fmt.Errorf("read profiles: %w", err)
	}
	profiles := make([]Profile, len(rows))
	for i, r := range rows {
		profiles[i] = Profile{ID: r.ID, Version: r.Version, Name: r.Name, HeaderFingerprint: r.HeaderFingerprint, CreatedBy: r.CreatedBy, CreatedAt: r.CreatedAt.UTC()}
		if err := json.Unmarshal([]byte(r.Hints), &profiles[i].Hints); err != nil {
			return nil, fmt.Errorf("read the hints of profile %d: %w", r.ID, err)
		}
	}
	return profiles, nil
}

// chooseProfile gives the profile that an upload names, in its latest version, and without a name the one that is known by the header of the
// file. nil is none. Error: KindInvalid for a name that the account does not have.
func chooseProfile(tx *gorm.DB, book Book, account ledger.Account, name string, data []byte) (*Profile, error) {
	switch {
	case name == "":
		return findProfile(tx, book, account, data)
	case strings.EqualFold(name, NoProfile):
		return nil, nil
	}
	found, err := profileNamed(tx, book, account, name)
	if err != nil {
		return nil, err
	}
	if found == nil {
		return nil, ledger.Refuse(ledger.KindInvalid, "account %s has no profile named %q", account.Code, name).
			At("profile", "names no profile of account %s; leave it out, or say %s", account.Code, NoProfile)
	}
	return found, nil
}

func profileNamed(tx *gorm.DB, book Book, account ledger.Account, name string) (*Profile, error) {
	profiles, err := loadProfiles(tx, book, `p.account_id = ? AND lower(p.name) = lower(?) ORDER BY p.version DESC LIMIT 1`, account.ID, name)
	if err != nil || len(profiles) == 0 {
		return nil, err
	}
	return &profiles[0], nil
}

// findProfile gives the newest profile that was saved with a file of the same layout.
func findProfile(tx *gorm.DB, book Book, account ledger.Account, data []byte) (*Profile, error) {
	profiles, err := loadProfiles(tx, book, `p.account_id = ? ORDER BY p.created_at DESC, p.id DESC, p.version DESC LIMIT ?`, account.ID, profilesLookedAt)
	if err != nil {
		return nil, err
	}
	seen := map[string]map[string]int{}
	for i := range profiles {
		dialect := profiles[i].dialect()
		key := fmt.Sprint(dialect)
		if _, looked := seen[key]; !looked {
			if seen[key], err = statement.Headers(data, dialect); err != nil {
				return nil, fmt.Errorf("look for the header of a file: %w", err)
			}
		}
		if _, same := seen[key][profiles[i].HeaderFingerprint]; same {
			return &profiles[i], nil
		}
	}
	return nil, nil
}

// dialect is what of a profile has to be known before the header of a file can be.
func (p *Profile) dialect() statement.Hints {
	hints := statement.Hints{}
	for _, hint := range []string{"encoding", "delimiter", "has_header"} {
		if value := p.Hints[hint]; value != "" {
			hints[hint] = value
		}
	}
	return hints
}

// under gives the hints of a profile with those that were told over them. One that was told as empty takes that of the profile away.
func (p *Profile) under(told statement.Hints) statement.Hints {
	hints := statement.Hints{}
	if p != nil {
		maps.Copy(hints, p.Hints)
	}
	for hint, value := range told {
		if hints[hint] = value; value == "" {
			delete(hints, hint)
		}
	}
	return hints
}

// located gives hints with the header in the row where it stands in a file: a profile knows it by its columns, since banks write now more
// and now less above it. What was told beside the profile is held to.
func (p *Profile) located(hints, told statement.Hints, data []byte) (statement.Hints, error) {
	located := maps.Clone(hints)
	if _, own := told["header_row"]; own || p == nil || p.Hints["header_row"] == "" || p.Hints["header_row"] == "0" {
		return located, nil
	}
	headers, err := statement.Headers(data, p.dialect())
	if err != nil {
		return nil, fmt.Errorf("look for the header of a file: %w", err)
	}
	if row := headers[p.HeaderFingerprint]; row > 0 {
		located["header_row"] = strconv.Itoa(row)
	}
	return located, nil
}

// kept are the hints of a person that say something: an empty one only where it takes one of the profile away.
func (p *Profile) kept(told statement.Hints) statement.Hints {
	kept := statement.Hints{}
	for hint, value := range told {
		if value != "" || p != nil && p.Hints[hint] != "" {
			kept[hint] = value
		}
	}
	return kept
}

// reference is the profile as other records name it, NULL for none.
func (p *Profile) reference() (id, version *int64) {
	if p == nil {
		return nil, nil
	}
	number := int64(p.Version)
	return &p.ID, &number
}

// misfit says why the hints of a profile would misread a file, "" when they do not. What was told beside the profile is the person's word.
func (p *Profile) misfit(told statement.Hints, found *statement.Inspection) (class statement.Class, row int, why string) {
	if p == nil {
		return "", 0, ""
	}
	for _, c := range found.Settings.Contradictions {
		if _, own := told[c.Hint]; own {
			continue
		}
		if class = statement.ClassInconsistentDate; c.Hint == "decimal" {
			class = statement.ClassAmbiguousDecimal
		}
		return class, c.Row, c.Detail
	}
	if found.Settings.HeaderFingerprint == p.HeaderFingerprint {
		return "", 0, ""
	}
	for hint, value := range p.Hints {
		if _, own := told[hint]; own || !strings.HasSuffix(hint, "_column") {
			continue
		}
		switch {
		case found.Settings.Message != "":
			return statement.ClassMalformed, 0, "It names columns, and this file is no table."
		case strings.HasPrefix(value, "#"):
			return statement.ClassMalformed, 0, "It names columns by their place, and the columns of this file are others."
		}
	}
	return "", 0, ""
}

// saveProfile keeps how a file was read under a name: as the first version of a new profile, or as the next one of the profile that has
// the name. Equal settings are no new version. The account's row is held. Error: KindInvalid for the name.
func (s *Store) saveProfile(tx *gorm.DB, actor Actor, account ledger.Account, name, fingerprint string, hints statement.Hints) (*Profile, error) {
	name = strings.TrimSpace(name)
	if err := checkProfileName(name); err != nil {
		return nil, err
	}
	latest, err := profileNamed(tx, actor.Book, account, name)
	if err != nil {
		return nil, err
	}
	profile := Profile{Version: 1, Name: name, HeaderFingerprint: fingerprint, Hints: hints, CreatedBy: actor.Name, CreatedAt: s.now()}
	switch {
	case latest == nil:
		if profile.ID, err = nextNumber(tx, actor.Book.ID, "statement_profile", 1); err != nil {
			return nil, err
		}
	case latest.Name == name && latest.HeaderFingerprint == fingerprint && reflect.DeepEqual(latest.Hints, hints):
		return latest, nil
	default:
		profile.ID, profile.Version = latest.ID, latest.Version+1
	}
	text, err := json.Marshal(hints)
	if err != nil {
		return nil, fmt.Errorf("write the hints of profile %q: %w", name, err)
	}
	if _, err := exec(tx, `
		INSERT INTO statement_profiles (book_id, id, version, account_id, name, header_fingerprint, hints, created_by, created_at)
		VALUES (?, ?, ?, ?, ?, ?, CAST(? AS jsonb), ?, ?)`,
		actor.Book.ID, profile.ID, profile.Version, account.ID, name, fingerprint, string(text), actor.UserID, profile.CreatedAt); err != nil {
		return nil, fmt.Errorf("save profile %q: %w", name, err)
	}
	return &profile, s.audit(tx, actor, "profile.save", fmt.Sprintf("profile %d", profile.ID),
		map[string]any{"account": account.Code, "name": name, "version": profile.Version, "hints": hints})
}

func checkProfileName(name string) error {
	fault := ""
	switch {
	case name == "":
		fault = "give the profile a name, by which the next file of this bank is read"
	case len([]rune(name)) > maxProfileNameRunes:
		fault = fmt.Sprintf("has more than %d characters", maxProfileNameRunes)
	case strings.EqualFold(name, NoProfile):
		fault = "is the word for no profile: choose another name"
	case !ledger.IsName(name):
		fault = "has characters that are not text"
	default:
		return nil
	}
	return ledger.Refuse(ledger.KindInvalid, "the profile cannot be saved under this name").At("profile_name", "%s", fault)
}

package store

import (
	"context"
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"time"

	"gorm.io/gorm"

	"daybook/recon"
	"daybook/store/ledger"
)

// RulesVersion is one version of the rules that an account is matched by. The first are the default rules: nobody set them, By is "" and
// At is zero.
type RulesVersion struct {
	Rules recon.Rules
	Note  string
	By    string
	At    time.Time
}

// AccountRules are the rules of an account in all versions, the latest first, of which there is one at least.
type AccountRules struct {
	Account  ledger.Account
	Versions []RulesVersion
}

// Latest is the version that the next matching goes by.
func (a AccountRules) Latest() RulesVersion { return a.Versions[0] }

// rulesShown bounds how many versions are given, the latest ones.
const rulesShown = 200

// AccountRules gives the rules of an account. Error: KindNotFound.
func (s *Store) AccountRules(ctx context.Context, actor Actor, code string) (rules AccountRules, err error) {
	if err := actor.Need(RightRead); err != nil {
		return AccountRules{}, err
	}
	err = s.inSnapshot(ctx, func(tx *gorm.DB) error {
		if rules.Account, err = loadAccount(tx, actor.Book, storable(code), ""); err != nil {
			return err
		}
		rules.Versions, err = loadRules(tx, actor.Book, rules.Account.ID, rulesShown)
		return err
	})
	return rules, err
}

// loadRules reads the latest versions of an account's rules, the first of all included where it is among them.
func loadRules(tx *gorm.DB, book Book, accountID int64, limit int) ([]RulesVersion, error) {
	rows, err := query[struct {
		Rules, Note, By string
		At              time.Time
	}](tx, `
		SELECT v.rules::text AS rules, v.note, u.name AS by, v.at
		  FROM account_rules v JOIN users u ON u.id = v.user_id WHERE v.book_id = ? AND v.account_id = ? ORDER BY v.version DESC LIMIT ?`, book.ID, accountID, limit)
	if err != nil {
		return nil, fmt.Errorf("read the rules of an account: %w", err)
	}
	versions := make([]RulesVersion, len(rows), len(rows)+1)
	for i, row := range rows {
		versions[i] = RulesVersion{Note: row.Note, By: row.By, At: row.At.UTC()}
		if err := json.Unmarshal([]byte(row.Rules), &versions[i].Rules); err != nil {
			return nil, fmt.Errorf("read the rules of an account: %w", err)
		}
	}
	if len(rows) < limit {
		versions = append(versions, RulesVersion{Rules: recon.DefaultRules()})
	}
	return versions, nil
}

// latestRules are those that a matching of the account goes by now.
func latestRules(tx *gorm.DB, book Book, accountID int64) (recon.Rules, error) {
	versions, err := loadRules(tx, book, accountID, 1)
	if err != nil {
		return recon.Rules{}, err
	}
	return versions[0].Rules, nil
}

// SetAccountRules makes a new version of the rules of an account, for matchings from then on, and gives all of them; what is matched stays
// so. Seen is the version that the person saw, 0 where that is not said. Rules that are the same as before make no version. Errors:
// KindForbidden, KindUnknownAccount, KindInvalid with the fields of recon.Rules.Check and tolerance_account, KindIllegalTransition where
// another version came since, KindKeyReused.
func (s *Store) SetAccountRules(ctx context.Context, actor Actor, key, code string, seen int, rules recon.Rules, note string) (set AccountRules, duplicate bool, err error) {
	if err := actor.Need(RightAccounts); err != nil {
		return AccountRules{}, false, err
	}
	code, rules.Version, rules.Prefixes = storable(code), 0, tidyPrefixes(rules.Prefixes)
	content := map[string]any{"account": code, "version": seen, "rules": rules, "note": note}
	err = s.inTx(ctx, func(tx *gorm.DB) error {
		_, duplicate, err = once(s, tx, actor, key, "account.rules", content, func() (int, error) {
			account, err := holdAccount(tx, actor.Book, code)
			if err != nil {
				return 0, err
			}
			return s.setRules(tx, actor, account, seen, rules, note)
		})
		if err != nil {
			return err
		}
		if set.Account, err = loadAccount(tx, actor.Book, code, ""); err != nil {
			return err
		}
		set.Versions, err = loadRules(tx, actor.Book, set.Account.ID, rulesShown)
		return err
	})
	return set, duplicate, err
}

// tidyPrefixes leaves out what is empty or there before; there is always a list.
func tidyPrefixes(prefixes []string) []string {
	tidy := []string{}
	for _, p := range prefixes {
		if p = strings.TrimSpace(storable(p)); p != "" && !slices.Contains(tidy, p) {
			tidy = append(tidy, p)
		}
	}
	return tidy
}

// setRules gives the version that the rules have now.
func (s *Store) setRules(tx *gorm.DB, actor Actor, account ledger.Account, seen int, rules recon.Rules, note string) (int, error) {
	versions, err := loadRules(tx, actor.Book, account.ID, 1)
	if err != nil {
		return 0, err
	}
	latest := versions[0]
	if seen != 0 && seen != latest.Rules.Version {
		return 0, staleRules(account, latest)
	}
	if err := checkRules(tx, actor.Book, account, rules); err != nil {
		return 0, err
	}
	if err := ledger.CheckText("note", note, false); err != nil {
		return 0, err
	}
	if rules.Version = latest.Rules.Version; reflect.DeepEqual(rules, latest.Rules) {
		return rules.Version, nil
	}
	rules.Version++
	text, err := json.Marshal(rules)
	if err != nil {
		return 0, err
	}
	if _, err := exec(tx, `INSERT INTO account_rules (book_id, account_id, version, rules, note, user_id, at) VALUES (?, ?, ?, CAST(? AS jsonb), ?, ?, ?)`,
		actor.Book.ID, account.ID, rules.Version, string(text), note, actor.UserID, s.now()); err != nil {
		return 0, fmt.Errorf("set the rules of account %s: %w", account.Code, err)
	}
	return rules.Version, s.audit(tx, actor, "account.rules", "account "+account.Code,
		map[string]any{"version": rules.Version, "before": latest.Rules, "after": rules, "note": note})
}

// staleRules tells who was faster.
func staleRules(account ledger.Account, latest RulesVersion) error {
	by := ""
	if latest.By != "" {
		by = fmt.Sprintf(", set by %s on %s", latest.By, atMinute(latest.At))
	}
	return ledger.Refuse(ledger.KindIllegalTransition, "the rules of account %s are at version %d by now%s: look at them, and change them again", account.Code, latest.Rules.Version, by).
		With("version", latest.Rules.Version)
}

// checkRules refuses rules that no matching could go by, or whose differences could not be booked. Error: KindInvalid.
func checkRules(tx *gorm.DB, book Book, account ledger.Account, rules recon.Rules) error {
	refusal := ledger.Refuse(ledger.KindInvalid, "the account cannot be matched by these rules")
	if known, err := asRefusal(rules.Check()); err != nil {
		return err
	} else if known != nil {
		refusal = known
	}
	if rules.ToleranceMinor > 0 && rules.ToleranceAccount == "" && rules.Fee.Account == "" {
		refusal.At("tolerance_account", "name the account that differences within the tolerance are booked to")
	}
	for _, contra := range []struct{ field, code string }{{"tolerance_account", rules.ToleranceAccount}, {"fee.account", rules.Fee.Account}} {
		if contra.code == "" {
			continue
		}
		other, err := loadAccount(tx, book, contra.code, "")
		switch {
		case ledger.KindOf(err) == ledger.KindNotFound:
			refusal.At(contra.field, "there is no account %q in this book", contra.code)
		case err != nil:
			return err
		case other.ID == account.ID:
			refusal.At(contra.field, "is the account itself: name the one that carries the difference")
		case other.Closed:
			refusal.At(contra.field, "account %s is closed", other.Code)
		case other.Currency != account.Currency:
			refusal.At(contra.field, "account %s is in %s, not %s", other.Code, other.Currency, account.Currency)
		}
	}
	return refusal.OrNil()
}

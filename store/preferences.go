package store

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"gorm.io/gorm"

	"daybook/store/ledger"
)

// Preferences are how a person wants pages to look. One that is empty was never chosen. What is stored, exported or answered
// by the API follows none of them.
type Preferences struct {
	Numbers, Negatives, Dates string
	Density, Theme            string
}

// preference is one of them: as it is called, the values it may have, the house's first, and the one it has.
type preference struct {
	name   string
	values []string
	value  *string
}

func (p *Preferences) all() []preference {
	return []preference{
		{"numbers", []string{"comma-point", "point-comma", "space-comma", "apostrophe-point"}, &p.Numbers},
		{"negatives", []string{"parentheses", "minus"}, &p.Negatives},
		{"dates", []string{"yyyy-mm-dd", "dd-mm-yyyy", "dd/mm/yyyy", "mm/dd/yyyy", "dd.mm.yyyy"}, &p.Dates},
		{"density", []string{"normal", "compact", "relaxed"}, &p.Density},
		{"theme", []string{"light", "dark", "system"}, &p.Theme},
	}
}

// Whole fills what was never chosen with the house's way.
func (p Preferences) Whole() Preferences {
	for _, one := range p.all() {
		if *one.value == "" {
			*one.value = one.values[0]
		}
	}
	return p
}

func (p Preferences) check() error {
	refusal := ledger.Refuse(ledger.KindInvalid, "the preferences cannot be saved as they stand")
	for _, one := range p.all() {
		if !slices.Contains(one.values, *one.value) {
			refusal.At(one.name, "must be %s", strings.Join(one.values, ", "))
		}
	}
	return refusal.OrNil()
}

// changes are the new values of what differs from before, by name.
func (p Preferences) changes(before Preferences) map[string]any {
	changes, old := map[string]any{}, before.all()
	for i, one := range p.all() {
		if *one.value != *old[i].value {
			changes[one.name] = *one.value
		}
	}
	return changes
}

const preferenceColumns = `p.numbers, p.negatives, p.dates, p.density, p.theme`

// Preferences gives those of a person; who never chose any has empty ones.
func (s *Store) Preferences(ctx context.Context, userID int64) (Preferences, error) {
	return preferencesOf(s.db.WithContext(ctx), userID)
}

func preferencesOf(tx *gorm.DB, userID int64) (Preferences, error) {
	rows, err := query[Preferences](tx, `SELECT `+preferenceColumns+` FROM preferences p WHERE p.user_id = ?`, userID)
	if err != nil {
		return Preferences{}, fmt.Errorf("read preferences: %w", err)
	}
	return append(rows, Preferences{})[0], nil
}

// SavePreferences keeps the actor's own. Error: KindInvalid, with the fields that have no such value.
func (s *Store) SavePreferences(ctx context.Context, actor Actor, p Preferences) error {
	if err := p.check(); err != nil {
		return err
	}
	return s.inTx(ctx, func(tx *gorm.DB) error {
		before, err := preferencesOf(tx, actor.UserID)
		if err != nil || p == before {
			return err
		}
		if _, err := exec(tx, `
			INSERT INTO preferences (user_id, numbers, negatives, dates, density, theme, changed_at) VALUES (?, ?, ?, ?, ?, ?, ?)
			ON CONFLICT (user_id) DO UPDATE SET numbers = excluded.numbers, negatives = excluded.negatives, dates = excluded.dates,
			       density = excluded.density, theme = excluded.theme, changed_at = excluded.changed_at`,
			actor.UserID, p.Numbers, p.Negatives, p.Dates, p.Density, p.Theme, s.now()); err != nil {
			return fmt.Errorf("save preferences: %w", err)
		}
		return s.audit(tx, actor, "preferences.change", "user "+actor.Email, p.changes(before))
	})
}

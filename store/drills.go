package store

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"gorm.io/gorm"

	"daybook/store/claim"
	"daybook/store/drill"
	"daybook/store/ledger"
)

// Drill is the race made visible, and that the claim holds: what a counting gateway saw of each way, in memory and over the book's keys.
type Drill struct {
	RanAt   time.Time      `json:"ran_at"`
	RanBy   string         `json:"ran_by"`
	Callers int            `json:"callers"`
	Delay   time.Duration  `json:"delay"`
	Results []drill.Result `json:"results"`
}

// The size of a drill beside running work: that of the command.
const (
	drillCallers      = 40
	drillRounds       = 15
	drillGatewayDelay = 15 * time.Millisecond
)

var (
	drillRun   = claim.Fingerprint{Operation: "drill.run", Content: "{}"}
	drillTerms = claim.Terms{Lease: 10 * time.Second, Wait: 30 * time.Second, Poll: 100 * time.Millisecond}
)

// RunDrill runs the drill beside whatever goes on, and is itself run once under its key. It posts nothing, and the keys of its callers
// are gone afterwards. Errors: KindForbidden, KindKeyReused, KindKeyInProgress.
func (s *Store) RunDrill(ctx context.Context, actor Actor, key string) (Drill, error) {
	claims, err := s.Claims(actor, RightKeys, drillTerms)
	if err != nil {
		return Drill{}, err
	}
	receipt, err := claims.Do(ctx, key, drillRun, func(ctx context.Context, _ int) ([]byte, error) {
		d, err := s.drill(ctx, actor, claims, key)
		if err != nil {
			return nil, err
		}
		return json.Marshal(d)
	})
	if err != nil {
		return Drill{}, err
	}
	return readDrill(receipt)
}

// DrillOf gives the drill that was run under a key. Errors: KindForbidden, KindNotFound when none was, KindKeyInProgress.
func (s *Store) DrillOf(ctx context.Context, actor Actor, key string) (Drill, error) {
	claims, err := s.Claims(actor, RightKeys, drillTerms)
	if err != nil {
		return Drill{}, err
	}
	receipt, err := claims.Find(ctx, key)
	if err != nil {
		return Drill{}, err
	}
	return readDrill(receipt)
}

func readDrill(receipt claim.Receipt) (d Drill, err error) {
	if err := json.Unmarshal(receipt.Body, &d); err != nil || len(d.Results) == 0 {
		return Drill{}, ledger.Refuse(ledger.KindNotFound, "the key was used for something else than a drill")
	}
	return d, nil
}

func (s *Store) drill(ctx context.Context, actor Actor, onDatabase *claim.Ledger, key string) (d Drill, err error) {
	inMemory, err := claim.New(claim.NewMemory(s.now), "drill", drillTerms)
	if err != nil {
		return d, err
	}
	gateway, prefix := drill.NewCounter(drillGatewayDelay), "drill "+key+" "
	place := func(name string, l *claim.Ledger) drill.Place {
		return drill.Place{Name: name, Prefix: prefix, Crowd: drill.Here{Callers: drillCallers, Ledger: l, Gateway: gateway}, Gateway: gateway}
	}
	d = Drill{RanAt: s.now(), RanBy: actor.Name, Callers: drillCallers, Delay: drillGatewayDelay}
	err = drill.Run(ctx, []drill.Place{place("in memory", inMemory), place("on the database", onDatabase)}, drillRounds, func(r drill.Result) error {
		d.Results = append(d.Results, r)
		return nil
	})
	if err != nil {
		return d, err
	}
	return d, s.inTx(ctx, func(tx *gorm.DB) error {
		if _, err := exec(tx, `DELETE FROM idempotency_keys WHERE book_id = ? AND key LIKE ?`, actor.Book.ID, beginning(prefix)); err != nil {
			return fmt.Errorf("clear up after a drill: %w", err)
		}
		return s.audit(tx, actor, drillRun.Operation, "", map[string]any{"results": d.Results})
	})
}

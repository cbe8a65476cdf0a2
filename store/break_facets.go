package store

import (
	"context"
	"fmt"

	"daybook/recon"
	"daybook/store/ledger"
)

// BreakFacet counts breaks of a reconciliation that are alike in type, standing, and in whether the reader has them, nobody has them, and
// they are of a day before the one asked about. Since is the earliest day of what they are about.
type BreakFacet struct {
	Type               recon.BreakType
	Standing           Standing
	Mine, Nobodys, Old bool
	Breaks             int
	Since              ledger.Date
}

// BreakFacets counts the breaks of a reconciliation that is not signed off by what the list can be narrowed by. Error: KindForbidden.
func (s *Store) BreakFacets(ctx context.Context, actor Actor, reconciliationID int64, before ledger.Date) ([]BreakFacet, error) {
	if err := actor.Need(RightRead); err != nil {
		return nil, err
	}
	where, args := BreakQuery{ReconciliationID: reconciliationID}.where(actor)
	args["user"], args["before"] = actor.UserID, before
	facets, err := query[BreakFacet](s.db.WithContext(ctx), `
		SELECT f.type, f.standing, f.mine, f.nobodys, f.old, count(*) AS breaks, min(f.since) AS since
		  FROM (SELECT b.type, `+standingSQL+` AS standing, b.status <> 'resolved' AND b.assignee_id IS NOT DISTINCT FROM @user AS mine,
		               b.status <> 'resolved' AND b.assignee_id IS NULL AS nobodys,
		               b.status <> 'resolved' AND coalesce(b.since, b.first_seen_on) < @before AS old, coalesce(b.since, b.first_seen_on) AS since`+where+`) f
		 GROUP BY f.type, f.standing, f.mine, f.nobodys, f.old`, args)
	if err != nil {
		return nil, fmt.Errorf("count breaks of reconciliation %d: %w", reconciliationID, err)
	}
	return facets, nil
}

package store_test

import (
	"testing"

	"daybook/store/gateway"
	"daybook/store/ledger"
)

func TestPeriod_CountsWhatMayStillBePosted(t *testing.T) {
	t.Parallel()
	c := setupPayments(t, losesTheAnswer)
	c.must(t, c.asks(t, 1_000, "alice"), gateway.Authorize, "k")
	c.toldBy(t, "shop", "m1", "nothing.known", `{}`)
	for period, want := range map[string]int{"2026-02": 0, "2026-03": 1} {
		found, err := c.Period(t.Context(), c.viewer, ledger.Period(period))
		ok(t, err)
		if found.Unanswered != want || found.Unapplied != want {
			t.Errorf("of %s %d payments and %d messages are open, want %d", period, found.Unanswered, found.Unapplied, want)
		}
	}
}

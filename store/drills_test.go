package store_test

import (
	"reflect"
	"testing"

	"daybook/store/drill"
	"daybook/store/ledger"
)

func TestRunDrill_ShowsThatTheClaimHoldsAndLeavesNoKeysBehind(t *testing.T) {
	t.Parallel()
	b := setup(t)
	_, err := b.RunDrill(t.Context(), b.preparer, "form")
	refused(t, err, ledger.KindForbidden)
	_, err = b.DrillOf(t.Context(), b.admin, "form")
	refused(t, err, ledger.KindNotFound)
	ran, err := b.RunDrill(t.Context(), b.admin, "form")
	ok(t, err)
	for _, r := range ran.Results {
		if r.Way == drill.Claim && !r.Held() {
			t.Errorf("the claim did not hold %s: %s", r.Place, r)
		}
	}
	if len(ran.Results) != 4 {
		t.Errorf("the drill has %d results", len(ran.Results))
	}
	again, err := b.RunDrill(t.Context(), b.admin, "form")
	ok(t, err)
	found, err := b.another(t).DrillOf(t.Context(), b.admin, "form")
	ok(t, err)
	if !reflect.DeepEqual(again, ran) || !reflect.DeepEqual(found, ran) {
		t.Errorf("ran %+v, again %+v, found %+v", ran, again, found)
	}
	if left := b.column(t, `SELECT key FROM idempotency_keys`); !reflect.DeepEqual(left, []string{"form"}) {
		t.Errorf("the drill left the keys %v", left)
	}
	if noted := b.column(t, `SELECT email FROM audit_log WHERE action = 'drill.run'`); !reflect.DeepEqual(noted, []string{"admin@demo.test"}) {
		t.Errorf("the audit log has %v", noted)
	}
	b.post(t, entry("t1"))
	_, err = b.DrillOf(t.Context(), b.admin, "key-t1")
	refused(t, err, ledger.KindNotFound)
}

package store_test

import (
	"strings"
	"testing"

	"daybook/store"
	"daybook/store/ledger"
)

// camtOf is a camt.053 with one entry of 10.00 on 2 March, of the days that it states.
func camtOf(from, to string) []byte {
	return []byte(strings.NewReplacer("FROM", from, "TO", to).Replace(`<Document><BkToCstmrStmt><Stmt><Id>S</Id><FrToDt><FrDtTm>FROMT00:00:00</FrDtTm><ToDtTm>TOT23:59:59</ToDtTm></FrToDt>
<Acct><Id><IBAN>DE00500105170000000777</IBAN></Id><Ccy>EUR</Ccy></Acct>
<Ntry><Amt Ccy="EUR">10.00</Amt><CdtDbtInd>CRDT</CdtDbtInd><Sts>BOOK</Sts><BookgDt><Dt>2026-03-02</Dt></BookgDt><AcctSvcrRef>t1</AcctSvcrRef></Ntry></Stmt></BkToCstmrStmt></Document>`))
}

// What was posted at the end of the period that the bank's file itself states may still be on its way.
func TestUploadStatement_TakesThePeriodThatTheFileStates(t *testing.T) {
	t.Parallel()
	const onItsWay, notYetAskedFor = "timing resolved carried_forward 2500", ""
	for name, c := range map[string]struct {
		data     []byte
		options  []func(*store.Upload)
		from, to string
		stated   bool
		want     string
	}{
		"by the file":              {camtOf("2026-03-01", "2026-03-31"), nil, "2026-03-01", "2026-03-31", true, onItsWay},
		"by a person all the same": {camtOf("2026-03-01", "2026-03-31"), []func(*store.Upload){period("2026-03-02", "2026-03-30")}, "2026-03-02", "2026-03-30", true, onItsWay},
		"that is not over":         {camtOf("2026-03-01", "2026-04-30"), nil, "2026-03-02", "2026-03-02", false, notYetAskedFor},
		"by nobody":                {csv("2026-03-02,10.00,t1"), nil, "2026-03-02", "2026-03-02", false, notYetAskedFor},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := setup(t)
			b.post(t, entry("t1", on("2026-03-02"), amount(1000)))
			b.post(t, entry("t2", on("2026-03-30"), amount(2500)))
			r := b.reconciliation(t, b.upload(t, c.data, c.options...).ReconciliationID)
			if r.PeriodStated != c.stated || r.ScopeFrom != ledger.MustDate(c.from) || r.ScopeTo != ledger.MustDate(c.to) {
				t.Errorf("from %s to %s, stated %t", r.ScopeFrom, r.ScopeTo, r.PeriodStated)
			}
			if got := strings.Join(b.breaksOf(t, r.ID), ", "); got != c.want {
				t.Errorf("breaks %s, want %s", got, c.want)
			}
		})
	}
}

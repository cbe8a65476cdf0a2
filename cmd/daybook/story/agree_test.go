package story_test

import (
	"fmt"
	"net/http"
	"testing"
	"time"

	"daybook/store/gateway"
	"daybook/store/gateway/simulator"
)

// quietLimit is how long the last messages may take on a machine that has much else to do.
const quietLimit = 3 * time.Minute

// settles waits until the processor answers what it was asked, all of its messages are taken, and none waits for another.
func (s *shop) settles(t *testing.T) {
	t.Helper()
	s.setFaults(t, calmFaults)
	limit := time.Now().Add(quietLimit)
	for wait := firstPause; ; wait = min(2*wait, longestPause) {
		unknown := s.list(t, "gateway=unknown")
		for _, p := range unknown {
			a, err := s.as("controller").try(t, http.MethodPost, "/payments/"+p.text("id")+"/recover", "")
			if err != nil || a.status < 500 && a.status != http.StatusOK && a.status != http.StatusConflict && a.status != http.StatusUnprocessableEntity {
				t.Fatalf("payment %v is asked about: %v, %d %s", p, err, a.status, a.body)
			}
		}
		told := s.told(t)
		if len(unknown) == 0 && told.Waiting == 0 && s.count(t, `select count(*) from inbox_messages where state not in ('applied')`) == 0 {
			return
		}
		if time.Now().After(limit) {
			t.Fatalf("it is not quiet: %d payments are unknown, %+v", len(unknown), told)
		}
		pause(t, wait)
	}
}

// count asks the database for a number.
func (s *shop) count(t *testing.T, query string) (n int64) {
	t.Helper()
	conn := s.connect(t)
	defer conn.Close(t.Context())
	ok(t, conn.QueryRow(t.Context(), query).Scan(&n))
	return n
}

// deliveries is how many are counted.
func (s *shop) deliveries(t *testing.T) int64 {
	t.Helper()
	return s.count(t, `select coalesce(sum(deliveries), 0) from inbox_messages`)
}

// agrees holds payments, journal and inbox against what the simulator did.
func (s *shop) agrees(t *testing.T) {
	t.Helper()
	charges := s.charges(t)
	var captured, refunded, fees int64
	for _, p := range s.list(t, "") {
		id := p.text("id")
		if len(charges[id]) > 1 {
			t.Errorf("payment %s is charged %d times: %+v", id, len(charges[id]), charges[id])
		}
		want := simulator.Charge{}
		if len(charges[id]) > 0 {
			want = charges[id][0]
			chargedOnce(t, want)
		}
		captured, refunded, fees = captured+want.Captured, refunded+want.Refunded, fees+want.Fee
		if got := p.text("state", "captured", "refunded", "fee", "gateway"); got != fmt.Sprint(stateOf(want), " ", want.Captured, " ", want.Refunded, " ", want.Fee, " known") {
			t.Errorf("payment %s is %s, and its charge %+v", id, got, want)
		}
		delete(charges, id)
	}
	if len(charges) > 0 {
		t.Errorf("there are charges of no payment: %+v", charges)
	}
	s.keepsWhatItTold(t)
	s.journalAgrees(t, captured, refunded, fees)
	s.inboxAgrees(t)
	s.verifies(t)
}

// chargedOnce looks for anything that was done twice.
func chargedOnce(t *testing.T, charge simulator.Charge) {
	t.Helper()
	done := map[gateway.Command]int{}
	for _, r := range charge.Requests {
		if isDone(r) {
			done[r.Command]++
		}
	}
	if done[gateway.Authorize] > 1 || done[gateway.Capture]+done[gateway.Void] > 1 || charge.Captured-charge.Refunded < 0 {
		t.Errorf("charge %s was done more than once: %+v", charge.ID, charge.Requests)
	}
}

// stateOf is the state of a payment that has such a charge, or none.
func stateOf(c simulator.Charge) string {
	switch c.Status {
	case "":
		return "created"
	case simulator.DeclinedCharge:
		return "failed"
	}
	return string(c.Status)
}

// keepsWhatItTold looks whether each payment is as its client was told last, and was made once. Of one whose client left, more may have been done.
func (s *shop) keepsWhatItTold(t *testing.T) {
	t.Helper()
	made, outcome := map[string]object{}, []string{"state", "captured", "refunded", "fee"}
	for _, p := range s.list(t, "") {
		made[p.text("reference")] = p
	}
	if n := s.count(t, `select count(*) from payments where reference <> ''`); n != int64(len(s.deals)) || len(made) != len(s.deals)+1 {
		t.Errorf("%d deals made %d payments", len(s.deals), n)
	}
	for _, d := range s.deals {
		p := made[fmt.Sprint("order ", d.n)]
		if p.text("id") != d.id {
			t.Errorf("deal %d is payment %s, and its client was told %s", d.n, p.text("id"), d.id)
		}
		if !d.leaves && p.text(outcome...) != d.told.text(outcome...) {
			t.Errorf("deal %d is %v, and its client was told %v", d.n, p, d.told)
		}
	}
}

// journalAgrees holds the balances against the sums of the simulator.
func (s *shop) journalAgrees(t *testing.T, captured, refunded, fees int64) {
	t.Helper()
	balances := map[string]string{}
	for _, b := range s.as("viewer").get(t, "/balances?limit=1000").want(t, 200).list(t, "accounts") {
		balances[b.text("code")] = b.text("balance")
	}
	received := s.count(t, `select coalesce(sum(p.amount_minor), 0) from postings p join accounts a on a.book_id = p.book_id and a.id = p.account_id where a.code in ('2410', 'customer:alice')`)
	if balances["1210"] != fmt.Sprint(captured-refunded-fees) || balances["6200"] != fmt.Sprint(fees) || received != refunded-captured {
		t.Errorf("the simulator took %d, gave back %d and kept %d; the balances are %v, of what was received %d", captured, refunded, fees, balances, received)
	}
	if unbalanced := s.count(t, `select count(*) from (select seq from postings group by seq, currency having sum(amount_minor) <> 0) x`); unbalanced != 0 {
		t.Errorf("%d entries do not balance", unbalanced)
	}
}

// inboxAgrees looks whether each message of the simulator was applied once, and all else counted.
func (s *shop) inboxAgrees(t *testing.T) {
	t.Helper()
	told := s.told(t)
	if kept := s.count(t, `select count(*) from inbox_messages where source = 'simulator' and state = 'applied'`); kept != told.Messages || told.Waiting != 0 {
		t.Errorf("the simulator told %+v, and %d are applied", told, kept)
	}
	if odd := s.count(t, `select count(*) from inbox_messages m where (select count(*) from inbox_events e where e.book_id = m.book_id
			and e.source = m.source and e.message_id = m.message_id and e.result = 'applied') <> 1`); odd != 0 {
		t.Errorf("%d messages are not applied once", odd)
	}
}

// report says how much there was to it.
func (s *shop) report(t *testing.T) {
	t.Helper()
	told := s.told(t)
	took := s.took.Seconds()
	t.Logf("%d payments in %.1f s, %.0f a second; %d answers of the processor did not come, %d payments unknown at the peak; clients met %d unknown, %d lost, %d in progress; "+
		"%d messages, %d deliveries, %d duplicates", len(s.deals), took, float64(len(s.deals))/took, s.count(t, `select count(*) from payment_tries where outcome = 'unknown'`),
		s.peak.Load(), s.unknown.Load(), s.lost.Load(), s.waited.Load(), told.Messages, s.deliveries(t), s.deliveries(t)-told.Messages)
}

package web_test

import (
	"context"
	"log/slog"
	"net/http/httptest"
	"testing"
	"time"

	"daybook/store/gateway/simulator"
	"daybook/store/ledger"
	"daybook/web"
)

// switches stand in for a simulator: what the page sets, it shows. Whether a real one takes it is for its own tests.
type switches struct {
	faults simulator.Faults
	silent bool
}

func (s *switches) Faults(context.Context) (simulator.Faults, error) {
	if s.silent {
		return simulator.Faults{}, ledger.Refuse(ledger.KindBusy, "the simulator does not answer")
	}
	return s.faults, nil
}

func (s *switches) SetFaults(_ context.Context, faults simulator.Faults) error {
	if err := faults.Check(); err != nil {
		return err
	}
	s.faults = faults
	return nil
}

func (s *switches) PayOut(_ context.Context, order simulator.PayoutOrder) (simulator.Payout, error) {
	if order.Book != "main" {
		return simulator.Payout{}, ledger.Refuse(ledger.KindInvalid, "nothing waits to be paid out")
	}
	return simulator.Payout{ID: "po_1", Currency: "EUR", Amount: 9825, BankText: "SIMULATOR PO_1"}, nil
}

// simulating is the bundle with a site that has a simulator.
func (b *bundle) simulating(t *testing.T, s web.Simulator) *bundle {
	t.Helper()
	handler, err := web.New(web.Config{Store: b.Store, Log: slog.New(slog.NewTextHandler(b.log, nil)), Now: now, WaitLimit: 10 * time.Second, Simulator: s})
	ok(t, err)
	site := httptest.NewServer(handler)
	t.Cleanup(site.Close)
	other := *b
	other.url = site.URL
	return &other
}

func TestSimulatorPage_SwitchesFaults(t *testing.T) {
	t.Parallel()
	const address = "/b/main/payments/simulator"
	plain := setup(t)
	plain.browser(t, "preparer").get(t, address).want(t, 404)
	simulator := &switches{faults: simulator.NoFaults()}
	b := plain.simulating(t, simulator)
	preparer := b.browser(t, "preparer")
	form := preparer.get(t, address).want(t, 200).says(t, "moves no real money", "Make a payout")
	preparer.submit(t, form, address, typed("decline", "12.5", "timeout_after", "30", "hang", "2s", "webhook_repeat_max", "4", "webhook_reorder", "yes")).want(t, 303)
	if f := simulator.faults; f.Decline != 0.125 || f.TimeoutAfter != 0.3 || time.Duration(f.Hang) != 2*time.Second || f.WebhookRepeatMax != 4 || !f.WebhookReorder || !f.Webhooks {
		t.Errorf("the simulator is set to %+v", f)
	}
	form = preparer.get(t, address).says(t, "The simulator is set.")
	preparer.submit(t, form, address, typed("decline", "110", "hang", "soon", "webhook_repeat_min", "-1")).want(t, 422).says(t, "“110” is not a share", "“soon” is not a time", "“-1” is not a whole number")
	preparer.submit(t, form, address, typed("timeout_before", "80")).want(t, 422).says(t, "together with")
	preparer.submit(t, form, address, typed("preset", "bad")).want(t, 303)
	if f := simulator.faults; f.TimeoutBefore != 0.15 || f.TimeoutAfter != 0.15 || f.Decline != 0.10 || f.WebhookRepeatMax != 4 {
		t.Errorf("a bad day is %+v", f)
	}
	preparer.submit(t, form, address, typed("preset", "none")).want(t, 303)
	if f := simulator.faults; f.TimeoutAfter != 0 || f.Decline != 0 {
		t.Errorf("no faults are %+v", f)
	}
	preparer.get(t, preparer.submit(t, form, address+"/payout", nil).want(t, 303).location()).says(t, "Payout po_1 of 98.25 EUR is on its way to the bank.", "SIMULATOR PO_1")
	viewer := b.browser(t, "viewer")
	viewer.get(t, address).says(t, "You cannot change the simulator.")
	viewer.post(t, address, form.form(t, address)).want(t, 403)
	simulator.silent = true
	preparer.get(t, address).want(t, 200).says(t, "The simulator does not answer.")
}

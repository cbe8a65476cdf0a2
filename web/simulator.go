package web

import (
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/labstack/echo/v4"

	"daybook/store"
	"daybook/store/gateway/simulator"
	"daybook/store/ledger"
	"daybook/templates"
	"daybook/templates/ui"
)

// showSimulator shows how unreliable the simulated gateway is just now.
func (s *server) showSimulator(c echo.Context, actor store.Actor) error {
	view, err := s.simulatorView(c, actor)
	if err != nil {
		return err
	}
	faults, err := s.Simulator.Faults(c.Request().Context())
	if view.Silent = ledger.KindOf(err) == ledger.KindBusy && err != nil; err != nil && !view.Silent {
		return err
	}
	view.Faults = faultsView(faults)
	return render(c, http.StatusOK, templates.SimulatorPage(view))
}

// simulatorView is the page without its switches.
func (s *server) simulatorView(c echo.Context, actor store.Actor) (templates.Simulator, error) {
	if s.Simulator == nil {
		return templates.Simulator{}, ledger.Refuse(ledger.KindNotFound, "the gateway of this server is no simulator")
	}
	payments := ui.Link{Text: "Payments", Href: bookView(actor.Book).URL("payments")}
	shell, err := s.shell(c, actor, below(templates.PagePayments, payments, "Simulator"))
	if err != nil {
		return templates.Simulator{}, err
	}
	view := templates.Simulator{Shell: shell, Form: newKey(), PayoutForm: newKey(), MissingRight: missing(actor, store.RightPost), Administrators: s.whoGives(c, actor, store.RightPost)}
	settings, err := s.Store.PaymentSettings(c.Request().Context(), actor)
	for _, of := range settings {
		view.Currencies = append(view.Currencies, of.Currency)
	}
	return view, err
}

// faultsView writes the switches as they are typed.
func faultsView(f simulator.Faults) templates.SimulatorFaults {
	span := func(s simulator.Span) string { return time.Duration(s).String() }
	share := func(rate float64) string { return strconv.FormatFloat(rate*100, 'g', 6, 64) }
	return templates.SimulatorFaults{
		Latency: span(f.Latency), LatencySpread: span(f.LatencySpread), Hang: span(f.Hang), Decline: share(f.Decline), TimeoutBefore: share(f.TimeoutBefore),
		TimeoutAfter: share(f.TimeoutAfter), TimeoutRecover: share(f.TimeoutRecover), RepeatMin: strconv.Itoa(f.WebhookRepeatMin), RepeatMax: strconv.Itoa(f.WebhookRepeatMax),
		Hold: span(f.WebhookHold), Webhooks: f.Webhooks, Reorder: f.WebhookReorder,
	}
}

// setFaults makes the simulator as unreliable as the form says, or as one of its presets.
func (s *server) setFaults(c echo.Context, actor store.Actor) error {
	view, err := s.simulatorView(c, actor)
	if err != nil {
		return err
	}
	if err := actor.Need(store.RightPost); err != nil {
		return err
	}
	f, err := readKeyedForm(c)
	if err != nil {
		return err
	}
	before, err := s.Simulator.Faults(c.Request().Context())
	if err != nil {
		return err
	}
	faults, done := f.readFaults(before), "The simulator is set."
	switch preset, _ := f.pressed("preset"); preset {
	case "none":
		faults, done, f.faults = simulator.NoFaults(), "The simulator does what it should.", nil
	case "bad":
		faults, done, f.faults = badDay(), "The simulator has a bad day.\nEvery payment is charged once all the same.", nil
	}
	if err = f.err(); err == nil {
		err = s.Simulator.SetFaults(c.Request().Context(), faults)
	}
	if refusal, ok := typedWrong(err); ok {
		view.Faults, view.Message, view.Errors = f.typedFaults(), messageOf(refusal), worded(refusal.Fields)
		return s.showAgain(c, refusal, templates.SimulatorPage(view))
	}
	if err != nil {
		return err
	}
	s.tell(c, done)
	return seeOther(c, view.Book.URL("payments", "simulator"))
}

// badDay is what the simulator does on a bad day: 30 % time-outs, half of them after the charge, 10 % declines, every message 1 to 4 times in any order.
func badDay() simulator.Faults {
	faults := simulator.NoFaults()
	faults.TimeoutBefore, faults.TimeoutAfter, faults.Decline = 0.15, 0.15, 0.10
	faults.WebhookRepeatMax, faults.WebhookReorder = 4, true
	return faults
}

// readFaults reads the switches over those that are set.
func (f *form) readFaults(faults simulator.Faults) simulator.Faults {
	for name, into := range map[string]*float64{
		"decline": &faults.Decline, "timeout_before": &faults.TimeoutBefore, "timeout_after": &faults.TimeoutAfter, "timeout_recover": &faults.TimeoutRecover,
	} {
		share, err := strconv.ParseFloat(strings.Replace(f.text(name), ",", ".", 1), 64)
		if !(share >= 0 && share <= 100) || err != nil {
			f.fault(name, quoted(f.text(name))+" is not a share: write a number from 0 to 100")
		}
		*into = share / 100
	}
	for name, into := range map[string]*simulator.Span{
		"latency": &faults.Latency, "latency_spread": &faults.LatencySpread, "hang": &faults.Hang, "webhook_hold": &faults.WebhookHold,
	} {
		span, err := time.ParseDuration(f.text(name))
		if err != nil {
			f.fault(name, quoted(f.text(name))+" is not a time: write it as 300ms or 5s")
		}
		*into = simulator.Span(span)
	}
	for name, into := range map[string]*int{"webhook_repeat_min": &faults.WebhookRepeatMin, "webhook_repeat_max": &faults.WebhookRepeatMax} {
		times, ok := number(f.text(name))
		if !ok {
			f.fault(name, quoted(f.text(name))+" is not a whole number")
		}
		*into = times
	}
	faults.WebhookReorder, faults.Webhooks = f.text("webhook_reorder") == "yes", f.text("webhooks") == "yes"
	return faults
}

// typedFaults are the switches as they were typed.
func (f *form) typedFaults() templates.SimulatorFaults {
	return templates.SimulatorFaults{
		Latency: f.raw("latency"), LatencySpread: f.raw("latency_spread"), Hang: f.raw("hang"), Decline: f.raw("decline"), TimeoutBefore: f.raw("timeout_before"),
		TimeoutAfter: f.raw("timeout_after"), TimeoutRecover: f.raw("timeout_recover"), RepeatMin: f.raw("webhook_repeat_min"), RepeatMax: f.raw("webhook_repeat_max"),
		Hold: f.raw("webhook_hold"), Webhooks: f.text("webhooks") == "yes", Reorder: f.text("webhook_reorder") == "yes",
	}
}

// payOut has the simulator pay out what it has captured for the book.
func (s *server) payOut(c echo.Context, actor store.Actor) error {
	view, err := s.simulatorView(c, actor)
	if err != nil {
		return err
	}
	if err := actor.Need(store.RightPost); err != nil {
		return err
	}
	f, err := readKeyedForm(c)
	if err != nil {
		return err
	}
	payout, err := s.Simulator.PayOut(c.Request().Context(), simulator.PayoutOrder{Book: actor.Book.Code, Currency: f.text("payout_currency")})
	if refusal, ok := typedWrong(err); ok {
		faults, err := s.Simulator.Faults(c.Request().Context())
		if err != nil {
			return err
		}
		view.Faults, view.Message = faultsView(faults), sentence(refusal.Message)
		return s.showAgain(c, refusal, templates.SimulatorPage(view))
	}
	if err != nil {
		return err
	}
	s.tell(c, "Payout "+payout.ID+" of "+view.Format.Amount(payout.Amount, payout.Currency)+" "+payout.Currency+" is on its way to the bank.\nIts message comes to the inbox; the bank statement will say “"+payout.BankText+"”.")
	return seeOther(c, view.Book.URL("payments", "simulator"))
}

package payment_test

import (
	"errors"
	"flag"
	"fmt"
	"os"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"daybook/store/ledger"
	"daybook/store/payment"
)

var update = flag.Bool("update", false, "write the table of docs/payments.md")

// TestTable_DecidesEveryPair holds the rules against the documentation, which a person reads, and fails for a pair that nobody decided.
func TestTable_DecidesEveryPair(t *testing.T) {
	t.Parallel()
	var table strings.Builder
	table.WriteString("| in state | event | leads to |\n|---|---|---|\n")
	for _, s := range payment.States() {
		for _, k := range payment.Kinds() {
			rule := payment.Rule(s, k)
			if rule == "undecided" {
				t.Errorf("%v in state %v is undecided", k, s)
			}
			fmt.Fprintf(&table, "| %v | %v | %s |\n", s, k, rule)
		}
	}
	const path = "../../docs/payments.md"
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	words, old, found := strings.Cut(string(data), "<!-- table -->\n")
	if !found {
		t.Fatalf("%s has no table", path)
	}
	if *update {
		if err := os.WriteFile(path, []byte(words+"<!-- table -->\n"+table.String()), 0o644); err != nil {
			t.Fatal(err)
		}
	} else if old != table.String() {
		t.Errorf("%s does not say what the rules are: run with -update and read the change", path)
	}
}

func asked(t interface{ Fatal(...any) }, amountMinor int64, events ...payment.Event) payment.Payment {
	p, err := payment.New(amountMinor)
	if err == nil {
		p, err = p.Replay(events...)
	}
	if err != nil {
		t.Fatal(err)
	}
	return p
}

var (
	authorized = payment.Authorization{Ref: "ch_1", AmountMinor: 1000}
	captured   = payment.Capture{Ref: "ch_1", AmountMinor: 1000, FeeMinor: 30}
)

func TestApply_FollowsThePathsOfALife(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		events []payment.Event
		state  payment.State
		left   int64
	}{
		"refunded in parts":     {[]payment.Event{authorized, captured, payment.Refund{Ref: "re_1", AmountMinor: 400}, payment.Refund{Ref: "re_2", AmountMinor: 600}}, payment.Refunded, 0},
		"partly refunded":       {[]payment.Event{authorized, captured, payment.Refund{Ref: "re_1", AmountMinor: 400}}, payment.PartlyRefunded, 600},
		"captured in part":      {[]payment.Event{authorized, payment.Capture{Ref: "ch_1", AmountMinor: 700}}, payment.Captured, 700},
		"a refund that failed":  {[]payment.Event{authorized, captured, payment.Refund{Ref: "re_1", AmountMinor: 400}, payment.RefundFailure{Ref: "re_1"}}, payment.Captured, 1000},
		"declined":              {[]payment.Event{payment.Decline{Ref: "ch_1", Reason: "insufficient_funds"}}, payment.Failed, 0},
		"declined at capture":   {[]payment.Event{authorized, payment.Decline{Ref: "ch_1"}}, payment.Failed, 0},
		"let go":                {[]payment.Event{authorized, payment.Void{Ref: "ch_1"}}, payment.Voided, 0},
		"disputed":              {[]payment.Event{authorized, captured, payment.Dispute{Ref: "dp_1", AmountMinor: 1000, FeeMinor: 15}}, payment.Disputed, 0},
		"a dispute that is won": {[]payment.Event{authorized, captured, payment.Dispute{Ref: "dp_1", AmountMinor: 1000, FeeMinor: 15}, payment.DisputeWon{Ref: "dp_1", FeeMinor: 15}}, payment.Captured, 1000},
		"a dispute that is lost": {[]payment.Event{authorized, captured, payment.Refund{Ref: "re_1", AmountMinor: 100}, payment.Dispute{Ref: "dp_1", AmountMinor: 500}, payment.DisputeLost{Ref: "dp_1"}},
			payment.ChargedBack, 400},
		"lost, and given back after all": {[]payment.Event{authorized, captured, payment.Dispute{Ref: "dp_1", AmountMinor: 1000}, payment.DisputeLost{Ref: "dp_1"}, payment.DisputeWon{Ref: "dp_1"}},
			payment.Captured, 1000},
	} {
		if p := asked(t, 1000, test.events...); p.State != test.state || p.LeftMinor() != test.left {
			t.Errorf("%s: %v with %d left, want %v with %d", name, p.State, p.LeftMinor(), test.state, test.left)
		}
	}
}

func TestApply_NamesStateAndEventOfAnIllegalMove(t *testing.T) {
	t.Parallel()
	refunded := asked(t, 1000, authorized, captured, payment.Refund{Ref: "re_1", AmountMinor: 1000})
	failed := asked(t, 1000, payment.Decline{Ref: "ch_1"})
	for want, move := range map[string]struct {
		of    payment.Payment
		event payment.Event
		waits bool
	}{
		"a capture of a payment that is refunded is not possible: all of it was given back":             {refunded, payment.Capture{Ref: "ch_2", AmountMinor: 1}, false},
		"a decline of a payment that is failed is not possible: it was declined":                        {failed, payment.Decline{Ref: "ch_2"}, false},
		"a refund of a payment that is created waits for its capture":                                   {asked(t, 1000), payment.Refund{Ref: "re_1", AmountMinor: 1}, true},
		"a capture of a payment that is created waits for its authorization":                            {asked(t, 1000), captured, true},
		"the winning of a dispute of a payment that is captured waits for the dispute that it is about": {asked(t, 1000, authorized, captured), payment.DisputeWon{Ref: "dp_1"}, true},
		"the failure of a refund of a payment that is refunded waits for the refund that it is about":   {refunded, payment.RefundFailure{Ref: "re_9"}, true},
	} {
		after, effect, again, err := move.of.Apply(move.event)
		var illegal payment.Illegal
		if !errors.As(err, &illegal) || ledger.KindOf(err) != ledger.KindIllegalTransition || illegal.Error() != want {
			t.Errorf("it gave %v, want %s", err, want)
		}
		if illegal.From != move.of.State || illegal.Event != payment.KindOf(move.event) || payment.Waits(err) != move.waits {
			t.Errorf("the error names %v and %v, waits %v", illegal.From, illegal.Event, payment.Waits(err))
		}
		if again || effect.Moves() || fmt.Sprint(after) != fmt.Sprint(move.of) {
			t.Errorf("a refused event left its mark: %v, %v", after, effect)
		}
	}
}

func TestApply_RefusesAmountsThatDoNotFit(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		before []payment.Event
		event  payment.Event
	}{
		"more than asked for":             {nil, payment.Authorization{Ref: "a", AmountMinor: 1001}},
		"nothing":                         {nil, payment.Authorization{Ref: "a"}},
		"more than authorized":            {[]payment.Event{payment.Authorization{Ref: "a", AmountMinor: 900}}, payment.Capture{Ref: "c", AmountMinor: 901}},
		"a fee below nothing":             {[]payment.Event{authorized}, payment.Capture{Ref: "c", AmountMinor: 10, FeeMinor: -1}},
		"more than captured":              {[]payment.Event{authorized, payment.Capture{Ref: "c", AmountMinor: 500}}, payment.Refund{Ref: "r", AmountMinor: 501}},
		"more than is left":               {[]payment.Event{authorized, captured, payment.Refund{Ref: "r", AmountMinor: 600}}, payment.Refund{Ref: "s", AmountMinor: 401}},
		"a dispute of more than captured": {[]payment.Event{authorized, captured, payment.Refund{Ref: "r", AmountMinor: 600}}, payment.Dispute{Ref: "d", AmountMinor: 1001}},
		"a fee beyond the amount":         {[]payment.Event{authorized}, payment.Capture{Ref: "c", AmountMinor: 10, FeeMinor: 10_001}},
		"more fee than was taken":         {[]payment.Event{authorized, captured, payment.Dispute{Ref: "d", AmountMinor: 1000, FeeMinor: 10}}, payment.DisputeWon{Ref: "d", FeeMinor: 11}},
		"no name":                         {nil, payment.Authorization{AmountMinor: 1}},
		"the name of another":             {[]payment.Event{authorized}, payment.Authorization{Ref: "ch_1", AmountMinor: 999}},
	} {
		if _, _, _, err := asked(t, 1000, test.before...).Apply(test.event); ledger.KindOf(err) != ledger.KindInvalid {
			t.Errorf("%s: %v", name, err)
		}
	}
	if _, err := payment.New(0); ledger.KindOf(err) != ledger.KindInvalid {
		t.Errorf("a payment of nothing: %v", err)
	}
}

func TestApply_ADisputeIsNotLostAfterItIsWon(t *testing.T) {
	t.Parallel()
	p := asked(t, 1000, authorized, captured, payment.Dispute{Ref: "d1", AmountMinor: 300}, payment.DisputeWon{Ref: "d1"}, payment.Dispute{Ref: "d2", AmountMinor: 200})
	if _, _, _, err := p.Apply(payment.DisputeLost{Ref: "d1"}); ledger.KindOf(err) != ledger.KindIllegalTransition {
		t.Errorf("it gave %v", err)
	}
}

// anyEvent draws from few names, so that events meet again.
func anyEvent(t *rapid.T) payment.Event {
	ref := rapid.SampledFrom([]string{"a", "b", "c"}).Draw(t, "ref")
	amount, fee := rapid.Int64Range(-1, 60).Draw(t, "amount"), rapid.Int64Range(-1, 3).Draw(t, "fee")
	switch rapid.SampledFrom(payment.Kinds()).Draw(t, "kind") {
	case payment.KindAuthorization:
		return payment.Authorization{Ref: ref, AmountMinor: amount}
	case payment.KindDecline:
		return payment.Decline{Ref: ref}
	case payment.KindCapture:
		return payment.Capture{Ref: ref, AmountMinor: amount, FeeMinor: fee}
	case payment.KindVoid:
		return payment.Void{Ref: ref}
	case payment.KindRefund:
		return payment.Refund{Ref: ref, AmountMinor: amount, FeeMinor: fee}
	case payment.KindRefundFailure:
		return payment.RefundFailure{Ref: ref}
	case payment.KindDispute:
		return payment.Dispute{Ref: ref, AmountMinor: amount, FeeMinor: fee}
	case payment.KindDisputeWon:
		return payment.DisputeWon{Ref: ref, FeeMinor: fee}
	}
	return payment.DisputeLost{Ref: ref}
}

// TestApply_KeepsTheMoneyTogether: whatever comes in whatever order, what the effects moved is what the payment says, nothing is below nothing or more
// than was asked for, telling something again changes nothing, and only what was applied is kept.
func TestApply_KeepsTheMoneyTogether(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		p, oursMinor := asked(t, 50), int64(0)
		for _, e := range rapid.SliceOfN(rapid.Custom(anyEvent), 1, 40).Draw(t, "events") {
			after, effect, again, err := p.Apply(e)
			if err != nil || again {
				if fmt.Sprint(after) != fmt.Sprint(p) || effect.Moves() {
					t.Fatalf("%v changed %v although %v", e, p, err)
				}
				continue
			}
			switch effect.Kind {
			case payment.KindCapture, payment.KindRefundFailure, payment.KindDisputeWon:
				oursMinor += effect.AmountMinor
			case payment.KindRefund, payment.KindDispute:
				oursMinor -= effect.AmountMinor
			default:
				if effect.Moves() {
					t.Fatalf("%v moves %v", e, effect)
				}
			}
			if oursMinor != after.LeftMinor() || len(after.Events) != len(p.Events)+1 {
				t.Fatalf("after %v the effects leave %d, the payment %d", e, oursMinor, after.LeftMinor())
			}
			for _, minor := range []int64{after.RefundedMinor, after.DisputedMinor, after.LostMinor} {
				if minor < 0 || minor > after.CapturedMinor || after.CapturedMinor > 50 {
					t.Fatalf("after %v: %+v", e, after)
				}
			}
			if told, _, again, err := after.Apply(e); !again || err != nil || fmt.Sprint(told) != fmt.Sprint(after) {
				t.Fatalf("%v told again: %v, %v", e, again, err)
			}
			if replayed := asked(t, 50, after.Events...); fmt.Sprint(replayed) != fmt.Sprint(after) {
				t.Fatalf("replayed %+v, was %+v", replayed, after)
			}
			p = after
		}
	})
}

func TestNames_AreReadAsTheyAreWritten(t *testing.T) {
	t.Parallel()
	for _, s := range payment.States() {
		if got, err := payment.ParseState(s.String()); got != s || err != nil || s.String() == "" {
			t.Errorf("state %q is read as %v, %v", s, got, err)
		}
	}
	for _, k := range payment.Kinds() {
		if got, err := payment.ParseKind(k.String()); got != k || err != nil || k.String() == "" {
			t.Errorf("event %q is read as %v, %v", k, got, err)
		}
	}
	if _, err := payment.ParseState("paid"); ledger.KindOf(err) != ledger.KindInvalid {
		t.Errorf("state paid: %v", err)
	}
	if _, err := payment.ParseKind("paid"); ledger.KindOf(err) != ledger.KindInvalid {
		t.Errorf("event paid: %v", err)
	}
}

// A gateway may give money back that the bank takes as well: less than nothing is left then, and the books say so.
func TestApply_ARefundBesideADisputeIsTakenAsItIs(t *testing.T) {
	t.Parallel()
	p := asked(t, 1000, authorized, captured, payment.Dispute{Ref: "d", AmountMinor: 1000}, payment.Refund{Ref: "r", AmountMinor: 400}, payment.DisputeLost{Ref: "d"})
	if p.State != payment.ChargedBack || p.LeftMinor() != -400 {
		t.Errorf("it is %s with %d left", p.State, p.LeftMinor())
	}
}

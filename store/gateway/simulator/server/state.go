package server

import (
	"cmp"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"daybook/store/gateway"
	"daybook/store/gateway/simulator"
	"daybook/store/inbox"
)

// record is a line of the journal: one thing that happened. The state is what the records lead to, and nothing else.
type record struct {
	N         int64             `json:"n"`
	At        time.Time         `json:"at"`
	Tag       string            `json:"tag,omitempty"`
	Request   *request          `json:"request,omitempty"`
	Payout    *payout           `json:"payout,omitempty"`
	Delivered string            `json:"delivered,omitempty"`
	Faults    *simulator.Faults `json:"faults,omitempty"`
}

// request is what was asked for with a key, and what it came to for ever.
type request struct {
	Command gateway.Command  `json:"command"`
	Charge  string           `json:"charge,omitempty"` // as it was named by whoever asked
	Order   simulator.Order  `json:"order"`
	Status  int              `json:"status"`
	Answer  simulator.Answer `json:"answer"`
	Book    string           `json:"book,omitempty"` // of the charge
}

// same reports whether two requests ask for the same.
func (r request) same(first request) bool {
	return r.Command == first.Command && r.Charge == first.Charge && r.Order == first.Order
}

type payout struct {
	simulator.Payout
	Message inbox.Message `json:"message"`
}

// message is something to be sent, about a book.
type message struct {
	inbox.Message
	book string
	n    int64 // of its record
}

// state is all that a simulator knows.
type state struct {
	n        int64 // of the last record
	tag      string
	faults   simulator.Faults
	charges  map[string]*simulator.Charge
	order    []*simulator.Charge
	requests map[string]request // by key
	unpaid   []unpaid
	payouts  []simulator.Payout
	unsent   map[string]message
	messages int64
}

func newState(seed int64) *state {
	faults := simulator.NoFaults()
	faults.Seed = seed
	return &state{faults: faults, charges: map[string]*simulator.Charge{}, requests: map[string]request{}, unsent: map[string]message{}}
}

// newTag is part of all names that a journal gives, so that those of another journal differ.
func newTag() string { return strings.ToLower(rand.Text()[:5]) }

// name names something that the next record says.
func (s *state) name(prefix string) string { return fmt.Sprintf("%s_%s_%d", prefix, s.tag, s.n+1) }

// apply lets a record take effect. Error: a record that does not follow the last one.
func (s *state) apply(r record) error {
	if r.N != s.n+1 {
		return fmt.Errorf("line %d of the journal is missing: record %d follows %d", s.n+1, r.N, s.n)
	}
	s.n = r.N
	if m, made := r.message(); made {
		s.unsent[m.ID] = m
		s.messages++
	}
	switch {
	case r.Tag != "":
		s.tag = r.Tag
	case r.Request != nil:
		s.requests[r.Request.Answer.Key] = *r.Request
		return s.applyRequest(*r.Request, r.At)
	case r.Payout != nil:
		s.payouts = append(s.payouts, r.Payout.Payout)
		s.unpaid = without(s.unpaid, r.Payout.Payout)
	case r.Delivered != "":
		delete(s.unsent, r.Delivered)
	case r.Faults != nil:
		s.faults = *r.Faults
	default:
		return errors.New("a line of the journal says nothing")
	}
	return nil
}

// message is what a record has to be told, if it has.
func (r record) message() (m message, made bool) {
	switch {
	case r.Request != nil && r.Request.Answer.Event != nil:
		return message{*r.Request.Answer.Event, r.Request.Book, r.N}, true
	case r.Payout != nil:
		return message{r.Payout.Message, r.Payout.Book, r.N}, true
	}
	return message{}, false
}

// applyRequest changes the charge that a request was about.
func (s *state) applyRequest(r request, at time.Time) error {
	if r.Command == gateway.Authorize {
		s.addCharge(r, at)
	}
	charge := s.charges[r.Answer.Charge]
	if charge == nil {
		return nil
	}
	note := simulator.ChargeRequest{Key: r.Answer.Key, Command: r.Command, Amount: r.Order.Amount, Result: r.Answer.Result, At: at}
	var happened simulator.Happening
	if r.Answer.Event != nil {
		if err := json.Unmarshal(r.Answer.Event.Data, &happened); err != nil {
			return fmt.Errorf("read what happened to charge %s: %w", charge.ID, err)
		}
		note.Ref = happened.Ref
	}
	charge.Requests = append(charge.Requests, note)
	if r.Answer.Result == simulator.Done {
		s.move(charge, r.Command, happened)
	}
	return nil
}

func (s *state) addCharge(r request, at time.Time) {
	charge := &simulator.Charge{
		ID: r.Answer.Charge, Key: r.Answer.Key, Book: r.Order.Book, PaymentID: r.Order.PaymentID, Reference: r.Order.Reference, Customer: r.Order.Customer,
		Currency: r.Order.Currency, Amount: r.Order.Amount, Status: simulator.DeclinedCharge, Reason: r.Answer.Reason, CreatedAt: at,
	}
	s.charges[charge.ID] = charge
	s.order = append(s.order, charge)
}

// move changes the amounts of a charge.
func (s *state) move(charge *simulator.Charge, command gateway.Command, h simulator.Happening) {
	switch command {
	case gateway.Authorize:
		charge.Authorized, charge.Status = h.Amount, simulator.Authorized
	case gateway.Capture:
		charge.Captured, charge.Fee, charge.Status = h.Amount, h.Fee, simulator.Captured
		s.unpaid = append(s.unpaid, unpaid{charge, simulator.PayoutItem{
			PaymentID: charge.PaymentID, Charge: charge.ID, Kind: kindCaptured, Ref: h.Ref, Gross: h.Amount, Fee: h.Fee, Net: h.Amount - h.Fee,
		}})
	case gateway.Void:
		charge.Status = simulator.Voided
	case gateway.Refund:
		charge.Refunded += h.Amount
		charge.Status = simulator.PartlyRefunded
		if charge.Refunded == charge.Captured {
			charge.Status = simulator.Refunded
		}
		s.unpaid = append(s.unpaid, unpaid{charge, simulator.PayoutItem{
			PaymentID: charge.PaymentID, Charge: charge.ID, Kind: kindRefunded, Ref: h.Ref, Gross: h.Amount, Net: -h.Amount,
		}})
	}
}

// undelivered are the messages to be sent, the oldest first.
func (s *state) undelivered() []message {
	return slices.SortedFunc(maps.Values(s.unsent), func(a, b message) int { return cmp.Compare(a.n, b.n) })
}

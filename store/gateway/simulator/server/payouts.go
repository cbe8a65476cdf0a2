package server

import (
	"encoding/json"
	"math"
	"net/http"
	"slices"

	"daybook/store/gateway/simulator"
	"daybook/store/inbox"
	"daybook/store/ledger"
)

// The kinds of what is paid out.
const (
	kindCaptured = "captured"
	kindRefunded = "refunded"
)

// payoutFeeMinor is the fee of a payout.
const payoutFeeMinor = 25

// maxPayoutItems bounds a payout, so that its message is one that can be taken. The rest is for the next one.
const maxPayoutItems = 5000

// unpaid is an item that no payout has yet.
type unpaid struct {
	of   *simulator.Charge
	item simulator.PayoutItem
}

// without gives the items that a payout has not.
func without(all []unpaid, p simulator.Payout) []unpaid {
	paid := map[string]bool{}
	for _, item := range p.Items {
		paid[item.Ref] = true
	}
	return slices.DeleteFunc(all, func(u unpaid) bool { return paid[u.item.Ref] })
}

// createPayout pays out what was not paid out yet.
func (s *Server) createPayout(w http.ResponseWriter, r *http.Request) {
	var order simulator.PayoutOrder
	if err := readJSON(r, &order); err != nil {
		refuse(w, http.StatusUnprocessableEntity, err)
		return
	}
	made, err := s.payOut(order)
	if err != nil {
		refuse(w, http.StatusConflict, err)
		return
	}
	answer(w, http.StatusCreated, made)
}

func (s *Server) payOut(order simulator.PayoutOrder) (simulator.Payout, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	made, err := s.state.payOut(order, ledger.DateOf(s.now()))
	if err != nil {
		return simulator.Payout{}, err
	}
	return made.Payout, s.keep(record{Payout: &made})
}

// due finds the items of one payout, and completes the order where there is only one book and currency. Error: KindInvalid.
func (s *state) due(order *simulator.PayoutOrder) (items []simulator.PayoutItem, err error) {
	asked := *order
	for _, u := range s.unpaid {
		if asked.Book != "" && asked.Book != u.of.Book || asked.Currency != "" && asked.Currency != u.of.Currency {
			continue
		}
		found := simulator.PayoutOrder{Book: u.of.Book, Currency: u.of.Currency}
		switch {
		case len(items) == 0:
			*order = found
		case order.Book != found.Book:
			return nil, ledger.Refuse(ledger.KindInvalid, "there is money of several books: say which is paid out").At("book", "must be named: one of them is %s", found.Book)
		case order.Currency != found.Currency:
			return nil, ledger.Refuse(ledger.KindInvalid, "there is money in several currencies: say which is paid out").At("currency", "must be named: one of them is %s", found.Currency)
		}
		items = append(items, u.item)
	}
	if len(items) == 0 {
		return nil, ledger.Refuse(ledger.KindInvalid, "there is nothing to pay out: all that was captured is paid out already")
	}
	return items[:min(len(items), maxPayoutItems)], nil
}

// payOut makes a payout of what is due, and changes nothing. Error: KindInvalid, also for one that nothing would be left of.
func (s *state) payOut(order simulator.PayoutOrder, on ledger.Date) (payout, error) {
	items, err := s.due(&order)
	if err != nil {
		return payout{}, err
	}
	p := simulator.Payout{ID: s.name("po"), Book: order.Book, Currency: order.Currency, Fee: payoutFeeMinor, PaidOn: on, MessageID: s.name("evt"), Items: items}
	paid := simulator.PayoutPaid{Payout: p.ID, Currency: p.Currency, Fee: p.Fee, PaidOn: on}
	for _, item := range items {
		if item.Net > 0 && p.Gross > math.MaxInt64-item.Gross {
			return payout{}, ledger.Refuse(ledger.KindInvalid, "the payout would be larger than any amount")
		}
		p.Gross += item.Net + item.Fee
		p.Fees += item.Fee
		p.Amount += item.Net
		paid.Items = append(paid.Items, simulator.PayoutPaidItem{PaymentID: item.PaymentID, Kind: item.Kind, Ref: item.Ref, Amount: item.Gross})
	}
	p.Amount -= p.Fee
	if p.Amount <= 0 {
		return payout{}, ledger.Refuse(ledger.KindInvalid, "nothing is left to pay out after refunds and fees: pay out when more is captured")
	}
	p.BankText = "PAYOUT " + p.ID
	paid.Amount = p.Amount
	data, err := json.Marshal(paid)
	return payout{p, inbox.Message{Source: simulator.Name, ID: p.MessageID, Type: "payout.paid", Data: data}}, err
}

func (s *Server) listPayouts(w http.ResponseWriter, _ *http.Request) {
	s.mu.Lock()
	list := simulator.Payouts{Items: slices.Clone(s.state.payouts)}
	s.mu.Unlock()
	answer(w, http.StatusOK, list)
}

package server

import (
	"bytes"
	"encoding/json"
	"io"
	"net/http"
	"net/url"

	"daybook/store/gateway"
	"daybook/store/gateway/simulator"
	"daybook/store/ledger"
)

// maxBodyBytes bounds what is sent to the simulator.
const maxBodyBytes = 64 << 10

// maxKeyBytes bounds a key.
const maxKeyBytes = 255

// moveMoney serves one command. Time-outs come before and after what is done, whether it is done now or was done before by the same key.
func (s *Server) moveMoney(command gateway.Command) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		request, err := readRequest(r, command)
		if err != nil {
			problem := simulator.Problem(err)
			problem.Key = request.Answer.Key
			answer(w, http.StatusUnprocessableEntity, problem)
			return
		}
		fate := s.fate(luckOfMoney)
		s.pause(fate.latency)
		if fate.cutBefore {
			s.cut(r, fate.hang)
		}
		status, body := s.perform(request)
		if fate.cutAfter {
			s.cut(r, fate.hang)
		}
		answer(w, status, body)
	}
}

// readRequest reads what is asked for, without looking whether it is possible. Errors: KindInvalid.
func readRequest(r *http.Request, command gateway.Command) (request, error) {
	asked := request{Command: command, Charge: r.PathValue("id")}
	asked.Answer.Key = r.Header.Get(simulator.KeyHeader)
	if key := asked.Answer.Key; key == "" || len(key) > maxKeyBytes {
		return asked, ledger.Refuse(ledger.KindInvalid, "a request that moves money needs a key").At(simulator.KeyHeader, "must have 1 to %d characters", maxKeyBytes)
	}
	if err := readJSON(r, &asked.Order); err != nil {
		return asked, err
	}
	if asked.Order.Book == "" && command == gateway.Authorize {
		asked.Order.Book = firstBook
	}
	return asked, asked.check()
}

// firstBook is the book of who names none.
const firstBook = "main"

// check refuses what can never be done. Error: KindInvalid.
func (r request) check() error {
	refusal := ledger.Refuse(ledger.KindInvalid, "the request cannot be understood")
	if r.Order.Amount <= 0 && r.Command != gateway.Void {
		refusal.At("amount", "must be more than 0, in minor units")
	}
	if r.Command != gateway.Authorize {
		return refusal.OrNil()
	}
	if _, known := ledger.Exponent(r.Order.Currency); !known {
		refusal.At("currency", "must be a currency such as EUR")
	}
	if r.Order.PaymentID <= 0 {
		refusal.At("payment_id", "must be the number of the payment, from 1 on")
	}
	if r.Order.Book != url.PathEscape(r.Order.Book) {
		refusal.At("book", "must be the code of a book")
	}
	return refusal.OrNil()
}

// readJSON reads a JSON object; nothing at all is an empty one. Error: KindInvalid.
func readJSON(r *http.Request, into any) error {
	refusal := ledger.Refuse(ledger.KindInvalid, "send a JSON object")
	body, err := io.ReadAll(io.LimitReader(r.Body, maxBodyBytes+1))
	if err != nil || len(body) > maxBodyBytes {
		return refusal.At("body", "has more than %d bytes, or did not come whole", maxBodyBytes)
	}
	decoder := json.NewDecoder(bytes.NewReader(body))
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(into); err != nil && len(bytes.TrimSpace(body)) > 0 {
		return refusal.At("body", "cannot be read: %v", err)
	}
	return nil
}

// perform does what is asked for, unless its key was seen before: then the answer is that of the first time.
func (s *Server) perform(asked request) (status int, body simulator.Answer) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if first, seen := s.state.requests[asked.Answer.Key]; seen {
		if !asked.same(first) {
			return http.StatusConflict, simulator.Answer{
				Result: simulator.KeyReused, Key: asked.Answer.Key, Reason: "it was used to " + string(first.Command) + ", with other content",
			}
		}
		return first.Status, first.Answer
	}
	decided := s.state.decide(asked, s.luck.declines(s.state.faults))
	if err := s.keep(record{Request: &decided}); err != nil {
		return http.StatusInternalServerError, simulator.Problem(err)
	}
	return decided.Status, decided.Answer
}

// showRequest tells what became of a key.
func (s *Server) showRequest(w http.ResponseWriter, r *http.Request) {
	fate := s.fate(luckOfRecovery)
	s.pause(fate.latency)
	if fate.cutBefore {
		s.cut(r, fate.hang)
	}
	key := r.PathValue("key")
	s.mu.Lock()
	first, seen := s.state.requests[key]
	s.mu.Unlock()
	if !seen {
		answer(w, http.StatusNotFound, simulator.Answer{Result: simulator.KeyUnknown, Key: key, Reason: "no request came with this key"})
		return
	}
	answer(w, http.StatusOK, first.Answer)
}

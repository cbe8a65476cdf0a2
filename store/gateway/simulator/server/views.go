package server

import (
	"encoding/json"
	"io"
	"net/http"

	"daybook/store/gateway/simulator"
)

// listCharges shows all charges, so that one who was charged twice is seen.
func (s *Server) listCharges(w http.ResponseWriter, _ *http.Request) {
	s.mu.Lock()
	list := simulator.Charges{Items: make([]simulator.Charge, 0, len(s.state.order))}
	for _, charge := range s.state.order {
		list.Items = append(list.Items, *charge)
	}
	s.mu.Unlock()
	answer(w, http.StatusOK, list)
}

func (s *Server) showCharge(w http.ResponseWriter, r *http.Request) {
	s.mu.Lock()
	found, known := s.state.charges[r.PathValue("id")]
	var charge simulator.Charge
	if known {
		charge = *found
	}
	s.mu.Unlock()
	if !known {
		answer(w, http.StatusNotFound, simulator.Answer{Result: simulator.Refused, Reason: "there is no such charge"})
		return
	}
	answer(w, http.StatusOK, charge)
}

func (s *Server) showFaults(w http.ResponseWriter, _ *http.Request) {
	s.mu.Lock()
	faults := s.state.faults
	s.mu.Unlock()
	answer(w, http.StatusOK, faults)
}

// setFaults changes what the body names, and answers all.
func (s *Server) setFaults(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(io.LimitReader(r.Body, maxBodyBytes))
	if err != nil {
		return
	}
	faults, err := s.changeFaults(body)
	if err != nil {
		refuse(w, http.StatusUnprocessableEntity, err)
		return
	}
	answer(w, http.StatusOK, faults)
}

// changeFaults begins the random choices anew where the seed is named, be it the same.
func (s *Server) changeFaults(body []byte) (simulator.Faults, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	faults, err := s.state.faults.Changed(body)
	if err != nil {
		return faults, err
	}
	if err := s.keep(record{Faults: &faults}); err != nil {
		return faults, err
	}
	var named struct {
		Seed *int64 `json:"seed"`
	}
	if _ = json.Unmarshal(body, &named); named.Seed != nil {
		s.luck = newLuck(faults.Seed)
	}
	s.outbox.hold(!faults.Webhooks)
	return faults, nil
}

func (s *Server) showWebhooks(w http.ResponseWriter, _ *http.Request) {
	s.mu.Lock()
	messages, waiting := s.state.messages, int64(len(s.state.unsent))
	s.mu.Unlock()
	answer(w, http.StatusOK, simulator.Deliveries{
		Messages: messages, Delivered: messages - waiting, Waiting: waiting, Attempts: s.outbox.attempts.Load(), Problem: s.outbox.problem(),
	})
}

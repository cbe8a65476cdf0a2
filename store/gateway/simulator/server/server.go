package server

import (
	"context"
	"encoding/json"
	"net/http"
	"sync"
	"time"

	"daybook/store/gateway"
	"daybook/store/gateway/simulator"
)

// Config is what a simulator is made of. Journal is the file that it keeps what it did in; empty, it forgets with its process. WebhookURL is where
// its messages go, with {book} for the code of the book; empty, they wait. They are signed with WebhookSecret. Seed begins its random choices.
type Config struct {
	Journal       string
	WebhookURL    string
	WebhookSecret string
	Now           func() time.Time
	Seed          int64
}

// Server is a simulator.
type Server struct {
	mux    *http.ServeMux
	now    func() time.Time
	outbox *outbox
	ending context.Context // ends with the simulator, and with it whatever hangs
	end    context.CancelFunc

	mu      sync.Mutex // of all below: one thing is decided at a time
	state   *state
	journal *journal
	luck    *luck
}

// New returns a simulator that knows what its journal says. Errors: a journal that cannot be opened or read, or that another simulator writes.
func New(config Config) (*Server, error) {
	s := &Server{mux: http.NewServeMux(), now: config.Now, state: newState(config.Seed)}
	journal, err := openJournal(config.Journal, s.state.apply)
	if err != nil {
		return nil, err
	}
	s.journal = journal
	s.ending, s.end = context.WithCancel(context.Background())
	s.luck = newLuck(s.state.faults.Seed)
	s.outbox = newOutbox(config, s.delivered)
	s.outbox.hold(!s.state.faults.Webhooks)
	for _, m := range s.state.undelivered() {
		s.send(m)
	}
	if s.state.tag == "" {
		if err := s.keep(record{Tag: newTag()}); err != nil {
			return nil, err
		}
	}
	s.routes()
	return s, nil
}

func (s *Server) routes() {
	for pattern, command := range map[string]gateway.Command{
		"POST /charges":              gateway.Authorize,
		"POST /charges/{id}/capture": gateway.Capture,
		"POST /charges/{id}/void":    gateway.Void,
		"POST /charges/{id}/refunds": gateway.Refund,
	} {
		s.mux.HandleFunc(pattern, s.moveMoney(command))
	}
	s.mux.HandleFunc("GET /requests/{key}", s.showRequest)
	s.mux.HandleFunc("GET /charges", s.listCharges)
	s.mux.HandleFunc("GET /charges/{id}", s.showCharge)
	s.mux.HandleFunc("GET /faults", s.showFaults)
	s.mux.HandleFunc("PUT /faults", s.setFaults)
	s.mux.HandleFunc("POST /payouts", s.createPayout)
	s.mux.HandleFunc("GET /payouts", s.listPayouts)
	s.mux.HandleFunc("GET /webhooks", s.showWebhooks)
}

// ServeHTTP serves one request.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) { s.mux.ServeHTTP(w, r) }

// SendWebhooks sends messages until ctx ends. What was not delivered by then is sent when it is called again, in this process or another one.
func (s *Server) SendWebhooks(ctx context.Context) { s.outbox.send(ctx) }

// Close breaks off what hangs, and gives the journal up. Nothing is done after it.
func (s *Server) Close() error {
	s.end()
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.journal.close()
}

// keep lets a record take effect, once the journal has it.
func (s *Server) keep(r record) error {
	r.N, r.At = s.state.n+1, s.now()
	if err := s.journal.append(r); err != nil {
		return err
	}
	if err := s.state.apply(r); err != nil {
		return err
	}
	if m, made := r.message(); made {
		s.send(m)
	}
	return nil
}

// send has a message delivered as often, and as late, as luck has it.
func (s *Server) send(m message) {
	for _, late := range s.luck.deliveries(s.state.faults) {
		s.outbox.add(m, late)
	}
}

// delivered notes that a message needs no sending any more. One that cannot be noted is sent again after a restart.
func (s *Server) delivered(id string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	_ = s.keep(record{Delivered: id})
}

// pause waits, unless the simulator ends: then nothing is done, and nothing answered.
func (s *Server) pause(d time.Duration) {
	if d <= 0 {
		return
	}
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
	case <-s.ending.Done():
		panic(http.ErrAbortHandler)
	}
}

// cut holds a connection until hang is over, or the client is gone, and cuts it without an answer.
func (s *Server) cut(r *http.Request, hang time.Duration) {
	timer := time.NewTimer(hang)
	defer timer.Stop()
	select {
	case <-timer.C:
	case <-r.Context().Done():
	case <-s.ending.Done():
	}
	panic(http.ErrAbortHandler)
}

func answer(w http.ResponseWriter, status int, body any) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_ = json.NewEncoder(w).Encode(body)
}

// refuse answers with why something was not done: with the status given, unless it is the simulator that failed.
func refuse(w http.ResponseWriter, status int, err error) {
	problem := simulator.Problem(err)
	if problem.Result == simulator.Failed {
		status = http.StatusInternalServerError
	}
	answer(w, status, problem)
}

package story_test

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"net"
	"net/http"
	"os/exec"
	"path/filepath"
	"sync/atomic"
	"testing"
	"time"

	"daybook/store/gateway/simulator"
)

// shop is a server that makes payments at a simulator. Both are processes of their own, and so is their Postgres: each can end without the others.
type shop struct {
	program
	simulator string // its URL
	server    running
	args      []string
	deals     []deal
	answered  chan struct{} // holds one for each answer that counts
	sold      chan struct{} // closed when all deals are made

	lost, unknown, waited, peak atomic.Int64
	took                        time.Duration
}

// webhookSecret is what the simulator signs with.
const webhookSecret = "a secret of the story"

// openShop has an empty book in which payments in EUR are set up. The server has some more flags.
func openShop(t *testing.T, flags ...string) *shop {
	t.Helper()
	dir := emptyDemo.copied(t)
	demo := startDemoIn(t, dir, "--empty")
	setUp := program{url: demo.lines["ready"]}
	setUp.as("preparer").key("set up").post(t, "/payments", `{"amount":1,"currency":"EUR","customer":"nobody"}`).want(t, 201)
	ok(t, demo.terminate())
	<-demo.ended

	site := freeAddress(t)
	s := &shop{answered: make(chan struct{}, 1<<20), sold: make(chan struct{})}
	s.url, s.database = "http://"+site, startPostgres(t, dir)
	secret := "DAYBOOK_SIMULATOR_SECRET=" + webhookSecret
	s.simulator = start(t, []string{secret}, "simulator", "--journal", filepath.Join(dir, "charges"), "--webhook-url", s.url+"/api/v1/books/{book}/webhooks/simulator").
		lines["simulator"]
	s.args = append([]string{"serve", "--addr", site, "--gateway", "simulator", "--simulator-url", s.simulator, "--simulator-secret", webhookSecret, "--gateway-timeout", "400ms", "--inbox-user", "preparer@demo.test"},
		flags...)
	s.startServer(t)
	return s
}

func (s *shop) startServer(t *testing.T) {
	t.Helper()
	s.server = start(t, []string{"DAYBOOK_DATABASE_URL=" + s.database}, s.args...)
}

// killServer kills the server, which is started again at the same address.
func (s *shop) killServer(t *testing.T) {
	t.Helper()
	ok(t, s.server.process.Kill())
	<-s.server.ended
}

// startPostgres runs the private Postgres of a directory until the test is over, whatever becomes of the servers that use it.
func startPostgres(t *testing.T, dir string) (url string) {
	t.Helper()
	command := exec.Command(daybook, "supervise-postgres", "--dir", dir)
	command.Env = environment(nil)
	stay, err := command.StdinPipe()
	ok(t, err)
	said, err := command.StdoutPipe()
	ok(t, err)
	ok(t, command.Start())
	t.Cleanup(func() {
		stay.Close()
		_ = command.Wait()
	})
	for lines := bufio.NewScanner(said); lines.Scan(); {
		var line struct{ URL, Error string }
		if ok(t, json.Unmarshal(lines.Bytes(), &line)); line.URL != "" {
			return line.URL
		}
		if line.Error != "" {
			t.Fatal(line.Error)
		}
	}
	t.Fatal("Postgres did not start")
	return ""
}

// freeAddress is one of this machine that nobody listens on, for who has to be found there again.
func freeAddress(t *testing.T) string {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	ok(t, err)
	defer listener.Close()
	return listener.Addr().String()
}

// setFaults changes how unreliable the simulator is.
func (s *shop) setFaults(t *testing.T, faults string) {
	t.Helper()
	client{url: s.simulator}.send(t, http.MethodPut, "/faults", faults).want(t, 200)
}

// charges are all charges of the simulator, by the number of their payment.
func (s *shop) charges(t *testing.T) map[string][]simulator.Charge {
	t.Helper()
	byPayment := map[string][]simulator.Charge{}
	for _, charge := range read[simulator.Charges](t, client{url: s.simulator}.get(t, "/charges")).Items {
		id := fmt.Sprint(charge.PaymentID)
		byPayment[id] = append(byPayment[id], charge)
	}
	return byPayment
}

// told says what the simulator has told by itself.
func (s *shop) told(t *testing.T) simulator.Deliveries {
	t.Helper()
	return read[simulator.Deliveries](t, client{url: s.simulator}.get(t, "/webhooks"))
}

// read is an answer of the simulator.
func read[T any](t *testing.T, a answer) (value T) {
	t.Helper()
	if a.status != http.StatusOK {
		t.Fatalf("the simulator answers %d %s", a.status, a.body)
	}
	ok(t, json.NewDecoder(bytes.NewReader([]byte(a.body))).Decode(&value))
	return value
}

// list reads all payments that a query finds.
func (s *shop) list(t *testing.T, query string) (found []object) {
	t.Helper()
	for after := ""; ; {
		page := s.as("viewer").get(t, "/payments?limit=1000&"+query+after).want(t, 200)
		found = append(found, page.list(t, "items")...)
		if page["next"] == nil {
			return found
		}
		after = "&after=" + page.text("next")
	}
}

// pause rests, unless the test is over.
func pause(t *testing.T, d time.Duration) {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
	case <-t.Context().Done():
	}
}

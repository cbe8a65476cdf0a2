// Package local is a broker of this process, for the demo and for tests.
package local

import (
	"errors"
	"fmt"
	"net"
	"time"

	"github.com/nats-io/nats-server/v2/server"
)

// maxPayloadBytes is more than is taken of a message: one that is larger than that is to be told, and not only cut off.
const maxPayloadBytes = 16 << 20

// startLimit is what the server is given to answer.
const startLimit = 10 * time.Second

// Server is a NATS server with JetStream on a port of the loopback interface.
type Server struct {
	server *server.Server
	port   int
}

// Start starts a server that keeps its streams in a directory, on a port, or on a free one for 0. What it acknowledged outlives the process; only a
// crash of the machine may lose the last of it.
func Start(dir string, port int) (*Server, error) {
	if port == 0 {
		port = server.RANDOM_PORT
	}
	s, err := server.NewServer(&server.Options{
		ServerName: "daybook", Host: "127.0.0.1", Port: port, JetStream: true, StoreDir: dir, MaxPayload: maxPayloadBytes,
		NoSigs: true, NoLog: true,
	})
	if err != nil {
		return nil, fmt.Errorf("start the broker in %s: %w", dir, err)
	}
	s.Start()
	if !s.ReadyForConnections(startLimit) || !s.JetStreamEnabled() {
		s.Shutdown()
		return nil, errors.New("the broker did not start: its directory may not be writable, or be in use by another")
	}
	return &Server{server: s, port: s.Addr().(*net.TCPAddr).Port}, nil
}

// URL is its address.
func (s *Server) URL() string { return s.server.ClientURL() }

// Port is the port it listens on, or listened on.
func (s *Server) Port() int { return s.port }

// Stop ends it and waits for that.
func (s *Server) Stop() {
	s.server.Shutdown()
	s.server.WaitForShutdown()
}

package main

import (
	"context"
	"errors"
	"net"
	"net/http"
	"runtime"
	"runtime/debug"
	"syscall"
	"time"
)

// portWait is how long an address in use is tried again.
const portWait = time.Second

// serverCollectPercent has garbage collected earlier than is usual: the copies of an uploaded file, of which few live at once, are most of the
// memory of a server.
const serverCollectPercent = 50

// heapFloorBytes are never touched, and so take no memory; they count as heap, so that a server whose requests are small does not collect
// garbage a hundred times a second.
const heapFloorBytes = 64 << 20

// listen takes the address, or says in one line why it cannot be had.
func listen(ctx context.Context, addr string) (net.Listener, error) {
	var config net.ListenConfig
	listener, err := config.Listen(ctx, "tcp", addr)
	// A Daybook that was killed a moment ago may still hold the address.
	again := time.NewTicker(50 * time.Millisecond)
	defer again.Stop()
	for range int(portWait / (50 * time.Millisecond)) {
		if !errors.Is(err, syscall.EADDRINUSE) || ctx.Err() != nil {
			break
		}
		<-again.C
		listener, err = config.Listen(ctx, "tcp", addr)
	}
	switch {
	case err == nil:
		return listener, nil
	case errors.Is(err, syscall.EADDRINUSE):
		return nil, badInput("address %s is in use: choose another with --addr", addr)
	case errors.Is(err, syscall.EACCES):
		return nil, badInput("address %s is not allowed to this user: choose a port above 1023 with --addr", addr)
	}
	var op *net.OpError
	if errors.As(err, &op) {
		err = op.Err
	}
	return nil, badInput("cannot listen on %q: %v; give a host and a port such as 127.0.0.1:8080 with --addr", addr, err)
}

// serveUntil serves until ctx ends, the database is lost or the listener fails. What was accepted by then is answered first, unless
// there is no database to answer from.
func serveUntil(ctx context.Context, listener net.Listener, handler http.Handler, lost <-chan struct{}) error {
	debug.SetGCPercent(serverCollectPercent)
	defer runtime.KeepAlive(make([]byte, heapFloorBytes))
	drain := newDrain()
	server := &http.Server{
		Handler:           drain.handler(handler),
		ConnState:         drain.connection,
		ReadHeaderTimeout: 5 * time.Second,
		ReadTimeout:       time.Minute,
		WriteTimeout:      time.Minute,
		IdleTimeout:       2 * time.Minute,
		MaxHeaderBytes:    64 << 10,
	}
	failed := make(chan error, 1)
	go func() { failed <- server.Serve(listener) }()
	select {
	case <-ctx.Done():
		drain.stop(server, listener)
		return nil
	case <-lost:
		server.Close()
		return errors.New("the private Postgres has stopped: its log is postgres.log in the data directory")
	case err := <-failed:
		return err
	}
}

// siteURL is where a browser on this machine finds a server that listens on addr.
func siteURL(addr net.Addr) string {
	host, port, err := net.SplitHostPort(addr.String())
	if err != nil {
		return "http://" + addr.String()
	}
	if ip := net.ParseIP(host); ip != nil && ip.IsUnspecified() {
		host = "localhost"
	}
	return "http://" + net.JoinHostPort(host, port)
}

// isLoopback tells whether an address to listen on can be reached from this machine only.
func isLoopback(addr string) bool {
	host, _, err := net.SplitHostPort(addr)
	if err != nil {
		return false
	}
	ip := net.ParseIP(host)
	return host == "localhost" || ip != nil && ip.IsLoopback()
}

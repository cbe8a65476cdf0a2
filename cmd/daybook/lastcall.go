package main

import (
	"errors"
	"net"
	"os"
	"syscall"
)

// lastCall gives the address up, and gives the connections that the kernel had taken on for us by then and that the server had not
// fetched yet. Closing alone would reset them, although their clients may have sent a request.
func lastCall(listener net.Listener) *fetched {
	last := &fetched{addr: listener.Addr()}
	if socket, ok := listener.(syscall.Conn); ok {
		if raw, err := socket.SyscallConn(); err == nil {
			_ = raw.Control(func(fd uintptr) { last.fetch(int(fd)) })
		}
	}
	listener.Close()
	return last
}

// fetched is a listener that gives connections which are there already, and then no more.
type fetched struct {
	conns []net.Conn
	addr  net.Addr
}

// fetch takes what waits at a listening socket, which does not block, and has the kernel take on no more: until the socket is really
// closed, which waits for its other users, some time can pass.
func (f *fetched) fetch(socket int) {
	turnAway(socket)
	for {
		fd, _, err := syscall.Accept(socket)
		if errors.Is(err, syscall.EINTR) || errors.Is(err, syscall.ECONNABORTED) {
			continue
		}
		if err != nil {
			_ = syscall.Shutdown(socket, syscall.SHUT_RD)
			return
		}
		syscall.CloseOnExec(fd)
		file := os.NewFile(uintptr(fd), "connection")
		if conn, err := net.FileConn(file); err == nil {
			f.conns = append(f.conns, conn)
		}
		file.Close()
	}
}

func (f *fetched) Accept() (net.Conn, error) {
	if len(f.conns) == 0 {
		return nil, net.ErrClosed
	}
	conn := f.conns[0]
	f.conns = f.conns[1:]
	return conn, nil
}

func (f *fetched) Close() error { return nil }

func (f *fetched) Addr() net.Addr { return f.addr }

package main

import "golang.org/x/sys/unix"

// turnAway lets no packet through to a listening socket any more. What the kernel took on between our last look at those who wait and the end of
// the socket would be reset, though its client was told that it is connected; who is not heard asks again, and is refused.
func turnAway(socket int) {
	nothing := []unix.SockFilter{{Code: unix.BPF_RET | unix.BPF_K, K: 0}}
	_ = unix.SetsockoptSockFprog(socket, unix.SOL_SOCKET, unix.SO_ATTACH_FILTER, &unix.SockFprog{Len: uint16(len(nothing)), Filter: &nothing[0]})
}

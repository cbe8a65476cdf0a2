//go:build !linux

package postgres

import "syscall"

// dieWithParent does nothing: this system does not tell a child of its parent's death.
func dieWithParent(*syscall.SysProcAttr) {}

// passThrough does nothing: this system has no such right to give.
func passThrough(*syscall.SysProcAttr) {}

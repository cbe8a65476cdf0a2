//go:build !linux

package main

// turnAway does nothing where the kernel offers no way.
func turnAway(int) {}

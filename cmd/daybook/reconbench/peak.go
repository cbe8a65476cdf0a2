package reconbench

import (
	"os"
	"strconv"
	"strings"
	"syscall"
)

// peakKiB is the most memory that this process had, 0 where the system does not tell. It is read from the process itself: to the rusage of
// a child, Linux adds the peak of the parent that it was forked from.
func peakKiB() int64 {
	status, err := os.ReadFile("/proc/self/status")
	if err != nil {
		return 0
	}
	_, rest, _ := strings.Cut(string(status), "VmHWM:")
	fields := strings.Fields(rest)
	if len(fields) == 0 {
		return 0
	}
	kib, _ := strconv.ParseInt(fields[0], 10, 64)
	return kib
}

// cpuSeconds is how long processors have worked for this process, collecting its garbage included.
func cpuSeconds() float64 {
	var used syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &used); err != nil {
		return 0
	}
	return float64(used.Utime.Nano()+used.Stime.Nano()) / 1e9
}

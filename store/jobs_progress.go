package store

import (
	"sync/atomic"
)

// JobPhase is what a job does just now.
type JobPhase string

// The phases of a statement that is stored.
const (
	PhaseReading  JobPhase = "reading"  // the file
	PhaseStoring  JobPhase = "storing"  // its lines
	PhaseMatching JobPhase = "matching" // both sides
	PhaseKeeping  JobPhase = "keeping"  // matches and breaks
)

// jobProgress is how far some work has come. One goroutine works and others look; nil is work that nobody looks at.
type jobProgress struct {
	phase       atomic.Pointer[JobPhase]
	done, total atomic.Int64
}

// begin says what is done now, and how much of it there is.
func (p *jobProgress) begin(phase JobPhase, total int) {
	if p == nil {
		return
	}
	p.done.Store(0)
	p.total.Store(int64(total))
	p.phase.Store(&phase)
}

func (p *jobProgress) now() (phase JobPhase, done, total int64) {
	if phase := p.phase.Load(); phase != nil {
		return *phase, p.done.Load(), p.total.Load()
	}
	return "", 0, 0
}

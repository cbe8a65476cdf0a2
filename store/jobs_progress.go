package store

import (
	"context"
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

// add says that some more of it is done.
func (p *jobProgress) add(n int) {
	if p != nil {
		p.done.Add(int64(n))
	}
}

func (p *jobProgress) now() (phase JobPhase, done, total int64) {
	if phase := p.phase.Load(); phase != nil {
		return *phase, p.done.Load(), p.total.Load()
	}
	return "", 0, 0
}

// pieceRows is how many rows are written by one statement: so many that their number does not matter, so few that a job is seen to move.
const pieceRows = 20_000

// inPieces has n rows written piece by piece.
func (p *jobProgress) inPieces(n int, write func(from, to int) error) error {
	return inPieces(n, pieceRows, p, write)
}

func inPieces(n, piece int, p *jobProgress, write func(from, to int) error) error {
	for from := 0; from < n; from += piece {
		to := min(from+piece, n)
		if err := write(from, to); err != nil {
			return err
		}
		p.add(to - from)
	}
	return nil
}

// abandonable runs what cannot be interrupted and touches nothing else, and stops to wait for it when ctx is over. What it gives is lost then.
func abandonable[T any](ctx context.Context, work func() T) (T, error) {
	result := make(chan T, 1)
	go func() { result <- work() }()
	select {
	case done := <-result:
		return done, nil
	case <-ctx.Done():
		return *new(T), context.Cause(ctx)
	}
}

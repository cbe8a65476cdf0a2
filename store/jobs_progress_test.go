package store

import (
	"context"
	"errors"
	"reflect"
	"testing"
)

func TestJobProgress_MovesWithinAPhase(t *testing.T) {
	t.Parallel()
	p := &jobProgress{}
	if phase, done, total := p.now(); phase != "" || done != 0 || total != 0 {
		t.Errorf("before it begins it is %s, %d of %d", phase, done, total)
	}
	p.begin(PhaseStoring, 45_000)
	var seen []int64
	look := func(from, to int) error {
		phase, done, total := p.now()
		if phase != PhaseStoring || total != 45_000 || int64(from) != done {
			t.Errorf("at %d to %d it is %s, %d of %d", from, to, phase, done, total)
		}
		seen = append(seen, int64(to-from))
		return nil
	}
	if err := p.inPieces(45_000, look); err != nil {
		t.Fatal(err)
	}
	if _, done, _ := p.now(); done != 45_000 || !reflect.DeepEqual(seen, []int64{pieceRows, pieceRows, 5_000}) {
		t.Errorf("%d are done, in pieces of %v", done, seen)
	}
	p.begin(PhaseMatching, 7)
	if phase, done, total := p.now(); phase != PhaseMatching || done != 0 || total != 7 {
		t.Errorf("the next phase begins as %s, %d of %d", phase, done, total)
	}
	failed := errors.New("no room")
	if err := p.inPieces(3*pieceRows, func(from, _ int) error {
		if from > 0 {
			return failed
		}
		return nil
	}); !errors.Is(err, failed) {
		t.Errorf("a piece that fails gives %v", err)
	}
	if _, done, _ := p.now(); done != pieceRows {
		t.Errorf("%d are done when the second piece fails", done)
	}
	var nobody *jobProgress
	nobody.begin(PhaseReading, 1)
	nobody.add(1)
}

func TestAbandonable_IsNotWaitedForWhenItWasCalledOff(t *testing.T) {
	t.Parallel()
	done, err := abandonable(t.Context(), func() int { return 7 })
	if done != 7 || err != nil {
		t.Errorf("work that ends gives %d, %v", done, err)
	}
	ctx, stop := context.WithCancelCause(t.Context())
	begun, release := make(chan struct{}), make(chan struct{})
	defer close(release)
	go func() { <-begun; stop(errCalledOff) }()
	if _, err := abandonable(ctx, func() int { close(begun); <-release; return 0 }); !errors.Is(err, errCalledOff) {
		t.Errorf("work that was called off gives %v", err)
	}
}

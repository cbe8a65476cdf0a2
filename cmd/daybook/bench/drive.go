package bench

import (
	"context"
	"errors"
	"slices"
	"sync"
	"time"
)

// worker does one thing again and again, for one goroutine.
type worker interface {
	Do(ctx context.Context) error
	Close() error
}

// sample is what workers did in a window of time: how long each thing took that ended in it, shortest first.
type sample struct {
	window time.Duration
	took   []time.Duration
}

func (s sample) perSecond() float64 { return float64(len(s.took)) / s.window.Seconds() }

// percentile gives the duration that this share of all was not longer than, in milliseconds.
func (s sample) percentile(share float64) float64 {
	if len(s.took) == 0 {
		return 0
	}
	return milliseconds(s.took[min(int(share*float64(len(s.took))), len(s.took)-1)])
}

func milliseconds(d time.Duration) float64 { return float64(d) / float64(time.Millisecond) }

// drive lets workers run for a window, after half as long to warm up: connections are opened, statements prepared.
func drive(ctx context.Context, workers []worker, window time.Duration) (sample, error) {
	begin := time.Now().Add(window / 2)
	end := begin.Add(window)
	took, faults := make([][]time.Duration, len(workers)), make([]error, len(workers))
	var group sync.WaitGroup
	for i, w := range workers {
		group.Go(func() { took[i], faults[i] = work(ctx, w, begin, end) })
	}
	group.Wait()
	all := slices.Concat(took...)
	slices.Sort(all)
	return sample{window: window, took: all}, errors.Join(faults...)
}

func work(ctx context.Context, w worker, begin, end time.Time) (took []time.Duration, err error) {
	for {
		start := time.Now()
		if !start.Before(end) || ctx.Err() != nil {
			return took, ctx.Err()
		}
		if err := w.Do(ctx); err != nil {
			return took, err
		}
		done := time.Now()
		if done.After(begin) && !done.After(end) {
			took = append(took, done.Sub(start))
		}
	}
}

// hire makes so many workers, or none.
func hire[W worker](count int, one func(i int) (W, error)) ([]worker, error) {
	workers := make([]worker, 0, count)
	for i := range count {
		w, err := one(i)
		if err != nil {
			return nil, errors.Join(err, dismiss(workers))
		}
		workers = append(workers, w)
	}
	return workers, nil
}

func dismiss(workers []worker) (err error) {
	for _, w := range workers {
		err = errors.Join(err, w.Close())
	}
	return err
}

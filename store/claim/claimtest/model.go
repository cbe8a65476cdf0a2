package claimtest

import (
	"fmt"

	"github.com/anishathalye/porcupine"

	"daybook/store/claim"
)

// step is what a client does in a history.
type step string

const (
	take    step = "claim"
	settle  step = "settle"
	abandon step = "abandon"
	find    step = "find"
	expire  step = "expire" // of every lease
)

// input is a step; mark tells the claims apart, and is what their owners settle with.
type input struct {
	do   step
	mark int
}

type output struct {
	answer  claim.Answer // of claim and find; none for a key that find finds free
	attempt int
	body    string
	fenced  bool
}

// keyState is the whole of a key: nobody's when holder is 0.
type keyState struct {
	holder, attempt int
	over, settled   bool
}

// modelOfOneKey says what each step may answer when it is the only one.
func modelOfOneKey() porcupine.Model {
	return porcupine.Model{
		Init: func() any { return keyState{} },
		Step: func(state, in, out any) (bool, any) { return stepOf(state.(keyState), in.(input), out.(output)) },
	}
}

func stepOf(s keyState, in input, out output) (legal bool, next keyState) {
	switch in.do {
	case take:
		return s.take(in.mark, out)
	case settle:
		if s.holder != in.mark {
			return out.fenced, s
		}
		return !out.fenced, keyState{holder: s.holder, attempt: s.attempt, settled: true}
	case abandon:
		if s.holder != in.mark {
			return out.fenced, s
		}
		return !out.fenced, keyState{}
	case find:
		return s.shows(out), s
	}
	s.over = s.holder != 0
	return true, s
}

func (s keyState) take(mark int, out output) (bool, keyState) {
	if s.holder == 0 || s.over && !s.settled {
		next := keyState{holder: mark, attempt: s.attempt + 1}
		return out.answer == claim.Own && out.attempt == next.attempt, next
	}
	return s.shows(out) && out.attempt == s.attempt, s
}

// shows tells whether an answer is how the key stands.
func (s keyState) shows(out output) bool {
	switch {
	case s.settled:
		return out.answer == claim.Read && out.attempt == s.attempt && out.body == fmt.Sprint(s.holder)
	case s.holder != 0:
		return out.answer == claim.Wait
	}
	return out.answer == 0
}

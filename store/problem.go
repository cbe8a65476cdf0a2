package store

import (
	"encoding/json"

	"daybook/store/ledger"
)

// keptProblem is a refusal as it is kept: without what only operators see.
type keptProblem struct {
	Kind    ledger.Kind
	Message string
	Fields  []ledger.FieldError
	Extra   map[string]any
}

// writeProblem gives a refusal as it is kept, nil for none.
func writeProblem(problem *ledger.Error) (*string, error) {
	if problem == nil {
		return nil, nil
	}
	written, err := json.Marshal(keptProblem{problem.Kind, problem.Message, problem.Fields, problem.Extra})
	text := storable(string(written))
	return &text, err
}

// readProblem reads what writeProblem wrote.
func readProblem(text *string) (*ledger.Error, error) {
	if text == nil {
		return nil, nil
	}
	var kept keptProblem
	if err := json.Unmarshal([]byte(*text), &kept); err != nil {
		return nil, err
	}
	return &ledger.Error{Kind: kept.Kind, Message: kept.Message, Fields: kept.Fields, Extra: kept.Extra}, nil
}

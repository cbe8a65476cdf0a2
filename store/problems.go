package store

import (
	"encoding/json"
	"fmt"

	"daybook/store/ledger"
)

// storedProblem is a refusal without what only operators see.
type storedProblem struct {
	Kind    ledger.Kind
	Message string
	Fields  []ledger.FieldError
	Extra   map[string]any
}

// problemText writes a refusal without what only operators see; nil for none.
func problemText(problem *ledger.Error) (*string, error) {
	if problem == nil {
		return nil, nil
	}
	written, err := json.Marshal(storedProblem{problem.Kind, problem.Message, problem.Fields, problem.Extra})
	if err != nil {
		return nil, fmt.Errorf("write a refusal: %w", err)
	}
	text := storable(string(written))
	return &text, nil
}

// problemOf reads what problemText wrote.
func problemOf(text string) (*ledger.Error, error) {
	if text == "" {
		return nil, nil
	}
	var problem storedProblem
	if err := json.Unmarshal([]byte(text), &problem); err != nil {
		return nil, fmt.Errorf("read a refusal: %w", err)
	}
	return &ledger.Error{Kind: problem.Kind, Message: problem.Message, Fields: problem.Fields, Extra: problem.Extra}, nil
}

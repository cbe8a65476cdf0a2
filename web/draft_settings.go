package web

import (
	"encoding/json"
	"maps"
	"slices"
	"strings"

	"daybook/recon/statement"
	"daybook/store/ledger"
)

// fileAccount is the control of the hint account: on a page, account is the one of the journal.
const fileAccount = "file_account"

// draftControls are the controls of a draft that stand for a hint each. One that is left empty tells nothing.
var draftControls = slices.Concat(columnControls(lineColumns), columnControls(furtherColumns), []string{
	"encoding", "delimiter", "header_row", "date_format", "decimal", "sign", "unmarked_sign", "direction_debit", "currency", fileAccount,
	"timezone", "timestamp_timezone",
})

// rowControls are the pairs of controls that choose rows, by the hint that they make together.
var rowControls = map[string]struct{ column, value string }{
	"include_rows": {"only_column", "only_value"}, "exclude_rows": {"except_column", "except_value"},
}

// draftSettings is how a person wants a file to be read, as typed into the controls.
type draftSettings map[string]string

// settingsOf writes hints into the controls.
func settingsOf(hints statement.Hints) draftSettings {
	typed := draftSettings{}
	for _, control := range draftControls {
		typed[control] = hints[hintOf(control)]
	}
	if hints["has_header"] == "false" {
		typed["header_row"] = "0"
	}
	for hint, controls := range rowControls {
		typed[controls.column], typed[controls.value] = rowChoice(hints[hint])
	}
	return typed
}

// settings are those of the draft with what was typed into the controls that were sent.
func (f *form) settings(hints statement.Hints) (draftSettings, statement.Hints) {
	typed, told := settingsOf(hints), maps.Clone(hints)
	if told == nil {
		told = statement.Hints{}
	}
	for _, control := range draftControls {
		if _, sent := f.pressed(control); !sent {
			continue
		}
		typed[control] = f.raw(control)
		tell(told, hintOf(control), f.text(control))
	}
	if _, sent := f.pressed("header_row"); sent {
		delete(told, "has_header") // header_row says the same, and more
	}
	for hint, controls := range rowControls {
		if value, sent := f.pressed(hint); sent {
			tell(told, hint, value) // the answer to a question
			typed[controls.column], typed[controls.value] = rowChoice(value)
		} else if _, sent := f.pressed(controls.column); sent {
			typed[controls.column], typed[controls.value] = f.raw(controls.column), f.raw(controls.value)
			tell(told, hint, f.rowHint(controls.column, controls.value))
		}
	}
	return typed, told
}

func tell(hints statement.Hints, hint, value string) {
	if value == "" {
		delete(hints, hint)
		return
	}
	hints[hint] = value
}

// rowHint writes a column and its values, one a line, as the hint takes them.
func (f *form) rowHint(column, value string) string {
	var values []string
	for line := range strings.Lines(f.raw(value)) {
		if line = strings.TrimSpace(line); line != "" {
			values = append(values, line)
		}
	}
	switch {
	case f.text(column) == "" && len(values) == 0:
		return ""
	case f.text(column) == "" || len(values) == 0:
		f.faults = append(f.faults, ledger.FieldError{Field: column, Detail: "Choose a column and write what stands in it, or neither"})
		return ""
	}
	written, err := json.Marshal(rowsWhere{Column: f.text(column), Value: values})
	if err != nil {
		return ""
	}
	return string(written)
}

type rowsWhere struct {
	Column string   `json:"column"`
	Value  []string `json:"value"`
}

// rowChoice reads the hint that chooses rows; a single value may stand without a list.
func rowChoice(hint string) (column, values string) {
	var choice rowsWhere
	if json.Unmarshal([]byte(hint), &choice) == nil {
		return choice.Column, strings.Join(choice.Value, "\n")
	}
	var one struct{ Column, Value string }
	if json.Unmarshal([]byte(hint), &one) == nil {
		return one.Column, one.Value
	}
	return "", ""
}

func hintOf(control string) string {
	if control == fileAccount {
		return "account"
	}
	return control
}

// controlOf names the control that a fault of the rules is about.
func controlOf(field string) string {
	hint, isHint := strings.CutPrefix(field, "hint.")
	switch {
	case !isHint:
		return field
	case hint == "account":
		return fileAccount
	case hint == "has_header":
		return "header_row"
	case hint == "period_start":
		return "period_from"
	case hint == "period_end":
		return "period_to"
	}
	if controls, ok := rowControls[hint]; ok {
		return controls.column
	}
	return hint
}

// onControls moves faults to the controls that they are about.
func onControls(faults []ledger.FieldError) []ledger.FieldError {
	moved := slices.Clone(faults)
	for i := range moved {
		moved[i].Field = controlOf(moved[i].Field)
	}
	return moved
}

package web

import (
	"strconv"
	"strings"

	"daybook/recon"
	"daybook/store"
	"daybook/store/ledger"
)

// workForm is the form over the breaks of a reconciliation as it was sent.
type workForm struct {
	*form
	id    int64
	query store.BreakQuery
	// breaks are those chosen as a whole, held besides those of which only a part is: of them items are named.
	breaks, held []store.SeenBreak
	items        store.MatchItems
	all          *store.SeenFilter
}

// readWork reads what is chosen. Error: KindInvalid for what no page sends.
func readWork(f *form, q store.BreakQuery) (workForm, error) {
	w := workForm{form: f, id: q.ReconciliationID, query: q}
	for _, value := range f.values["break"] {
		seen, rest := readSeen(value)
		if seen.ID == 0 || len(rest) > 0 {
			return w, notAsSent("break")
		}
		w.breaks = append(w.breaks, seen)
	}
	named := map[int64]bool{}
	for _, seen := range w.breaks {
		named[seen.ID] = true
	}
	for _, value := range f.values["part"] {
		seen, rest := readSeen(value)
		if seen.ID == 0 || !addItem(&w.items, rest) {
			return w, notAsSent("part")
		}
		if !named[seen.ID] {
			named[seen.ID] = true
			w.held = append(w.held, seen)
		}
	}
	if digest := f.text("all"); digest != "" {
		found, err := strconv.Atoi(f.text("found"))
		if err != nil {
			return w, notAsSent("all")
		}
		w.all = &store.SeenFilter{BreakQuery: q, Found: found, Digest: digest}
	}
	return w, nil
}

func notAsSent(field string) error {
	return ledger.Refuse(ledger.KindInvalid, "the form has something that this page does not send: open it again").At(field, "is not what this page sends")
}

// readSeen reads 315.4 as break 315 in version 4, and gives what follows.
func readSeen(value string) (seen store.SeenBreak, rest []string) {
	parts := strings.Split(value, ".")
	if len(parts) < 2 {
		return store.SeenBreak{}, nil
	}
	id, errID := strconv.ParseInt(parts[0], 10, 64)
	version, errVersion := strconv.Atoi(parts[1])
	if errID != nil || errVersion != nil || id < 1 || version < 1 {
		return store.SeenBreak{}, nil
	}
	return store.SeenBreak{ID: id, Version: version}, parts[2:]
}

// addItem reads p.17.1 as line 1 of entry 17, and l.3.9 as row 9 of statement 3.
func addItem(items *store.MatchItems, parts []string) bool {
	if len(parts) != 3 {
		return false
	}
	first, errFirst := strconv.ParseInt(parts[1], 10, 64)
	second, errSecond := strconv.ParseInt(parts[2], 10, 32)
	if errFirst != nil || errSecond != nil {
		return false
	}
	switch parts[0] {
	case "p":
		items.Postings = append(items.Postings, store.PostingRef{Seq: first, Line: int(second)})
	case "l":
		items.Rows = append(items.Rows, store.RowRef{StatementID: first, Row: int(second)})
	default:
		return false
	}
	return true
}

// choice is what a decision about whole breaks is about.
func (w workForm) choice() (store.BreakChoice, error) {
	switch {
	case w.all != nil:
		return store.BreakChoice{All: w.all}, nil
	case len(w.breaks) == 0 && len(w.held) > 0:
		return store.BreakChoice{}, ledger.Refuse(ledger.KindInvalid, "only lines and postings are selected: parts of a break can be matched, all else is decided about the whole break. Select the break itself")
	case len(w.breaks) == 0:
		return store.BreakChoice{}, ledger.Refuse(ledger.KindInvalid, "nothing is selected: select one break or more, then press the button again")
	}
	return store.BreakChoice{Breaks: w.breaks}, nil
}

// chosenIDs are the breaks of which anything is chosen by itself.
func (w workForm) chosenIDs() []int64 {
	var ids []int64
	for _, seen := range append(w.breaks[:len(w.breaks):len(w.breaks)], w.held...) {
		ids = append(ids, seen.ID)
	}
	return ids
}

// at is the row that the person was at.
func (w workForm) at() int64 {
	if at := cursor(w.text("at")); at != 0 {
		return at
	}
	if ids := w.chosenIDs(); len(ids) > 0 {
		return ids[0]
	}
	return 0
}

// decision reads the panel; what is missing is told field by field.
func (w workForm) decision() (store.BulkResolution, error) {
	decision := store.BulkResolution{Resolution: recon.Resolution(w.text("resolution")), ReasonCode: recon.Reason(w.text("reason_code")), Note: w.text("note")}
	refusal := &ledger.Error{Kind: ledger.KindInvalid}
	if decision.Resolution == "" {
		refusal.At("resolution", "Choose how it is resolved")
	}
	if decision.ReasonCode == "" && decision.Resolution != recon.Reversed {
		refusal.At("reason_code", "Choose a reason")
	}
	if decision.ReasonCode == recon.ReasonOther && decision.Note == "" {
		refusal.At("note", "Say in a note what the other reason is")
	}
	if decision.Resolution == recon.Adjusted || decision.Resolution == recon.WrittenOff {
		if decision.Contra = w.text("contra"); decision.Contra == "" {
			refusal.At("contra", "Give the account that takes the other side of the entry")
		}
	}
	if err := ledger.CheckText("note", decision.Note, false); err != nil {
		refusal.At("note", "Note is too long, or has control characters")
	}
	if len(refusal.Fields) > 0 {
		return decision, refusal
	}
	return decision, nil
}

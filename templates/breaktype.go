package templates

import (
	"strconv"

	"daybook/recon"
	"daybook/templates/ui"
)

// typeWords are the shape and the meaning of each type of break. A type is neutral: only a status has colour.
var typeWords = map[recon.BreakType]struct{ icon, meaning string }{
	recon.AmountMismatch:    {"equal-not", "The same payment on both sides, with different amounts"},
	recon.MissingInLedger:   {"notebook-off", "On the statement, not in the ledger"},
	recon.MissingInBank:     {"file-off", "In the ledger, not on the statement"},
	recon.DuplicateInBank:   {"copy", "On the statement more often than in the ledger"},
	recon.DuplicateInLedger: {"versions", "In the ledger more often than on the statement"},
	recon.CurrencyMismatch:  {"exchange", "The same payment on both sides, in different currencies"},
	recon.Ambiguous:         {"user-question", "More than one pairing fits, so no rule decides. A person does"},
	recon.Timing:            {"hourglass", "In the ledger at the end of the period, expected on a later statement"},
	recon.Balance:           {"scale", "The balances of the file do not add up"},
}

// resolutionWords are the shape of each resolution, and what choosing it means.
var resolutionWords = map[recon.Resolution]struct{ icon, meaning string }{
	recon.MatchedByHand:  {"link", "The lines belong together after all"},
	recon.Adjusted:       {"plus", "An adjusting entry took the difference away"},
	recon.Reversed:       {"arrow-back-up", "The entry was reversed"},
	recon.CarriedForward: {"calendar", "Right as it is. Expect it on a later statement, which then clears it"},
	recon.WrittenOff:     {"circle-minus", "Too small to pursue"},
	recon.External:       {"flag", "The ledger is right and the bank will correct it. Give their ticket in the note"},
	recon.NotABreak:      {"x", "There is no difference in money, so nothing needs to be done"},
	recon.Superseded:     {"refresh", "A later matching no longer found it: its lines were matched or regrouped"},
}

func typeIcon(t recon.BreakType) string {
	if words, ok := typeWords[t]; ok {
		return words.icon
	}
	return "circle-dashed"
}

// TypeChip is a type of break in its words, with its shape.
func TypeChip(t recon.BreakType) ui.Chip { return ui.Chip{Text: t.Label(), Icon: typeIcon(t)} }

// BreakStatus is where a break stands, and when it is resolved, how.
type BreakStatus struct {
	Status     recon.Status
	Resolution recon.Resolution
}

func (s BreakStatus) resolved() bool { return s.Status == recon.Resolved }

// Standing is the group a break is listed in: BreaksOpen, BreaksExplained or BreaksResolved. Explained is what the proof
// takes off, as in recon.Prove.
func (s BreakStatus) Standing() string {
	switch {
	case !s.resolved():
		return BreaksOpen
	case s.Resolution == recon.CarriedForward || s.Resolution == recon.External:
		return BreaksExplained
	}
	return BreaksResolved
}

// Chip is where a break stands in words, with the shape and the colour of the status.
func (s BreakStatus) Chip() ui.Chip {
	switch s.Status {
	case recon.InReview:
		return ui.Chip{Text: s.Status.Label(), Tone: ui.Info, Icon: "eye"}
	case recon.WaitingForApproval:
		return ui.Chip{Text: s.Status.Label(), Tone: ui.Warn, Icon: "clock"}
	case recon.Resolved:
		return ui.Chip{Text: s.Resolution.Label(), Tone: ui.OK, Icon: resolutionWords[s.Resolution].icon}
	}
	return ui.Chip{Text: s.Status.Label(), Icon: "circle-dashed"}
}

// BreakName is a break as another screen names it.
type BreakName struct {
	ID   int64
	Type recon.BreakType
	Why  string
}

// NameOfBreak is what people call a break: B-12.
func NameOfBreak(id int64) string { return "B-" + strconv.FormatInt(id, 10) }

// reasonOptions begin with none, so that a reason is chosen and not merely left standing.
func reasonOptions() []ui.Option {
	options := []ui.Option{{Value: "", Text: "Choose a reason"}}
	for _, r := range recon.Reasons() {
		options = append(options, ui.Option{Value: string(r), Text: r.Label()})
	}
	return options
}

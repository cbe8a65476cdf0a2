package templates

import (
	"strings"

	"daybook/recon"
	"daybook/store/ledger"
	"daybook/templates/ui"
)

// AdjustmentView is an entry that somebody asks to settle a break with.
type AdjustmentView struct {
	BreakID     int64
	Resolution  recon.Resolution
	TxID        string
	EffectiveOn ledger.Date
	Description string
	Postings    []ui.Posting
}

func (a AdjustmentView) outcome() string { return strings.ToLower(a.Resolution.Label()) }

package templates

import (
	"strings"
	"time"

	"daybook/store/ledger"
	"daybook/templates/ui"
)

// Entry is one entry in full: postings, how it was corrected, the proof that it was not changed, what happened to it.
type Entry struct {
	Shell
	Seq               int64
	TxID, Description string
	EffectiveOn       ledger.Date
	RecordedAt        time.Time
	By                string
	// Kind is entry, reversal, replacement or adjustment. Key is the idempotency key while it lives.
	Kind, Key string
	// Reason is why it was posted, where a person gave one.
	Reason             string
	Reverses, Replaces int64
	ReversedBy         int64
	// Request is the request to reverse it that waits for approval, 0 for none.
	Request int64
	// Settles is the break that it was posted to settle, Approved the request that had it posted, AskedBy who asked; 0 and empty for none.
	Settles, Approved int64
	AskedBy           string
	// Payment and Payout are what it was posted for, 0 for none, PayoutName the gateway's name of that; MessageSource and MessageID name the message, empty for none.
	Payment, Payout          int64
	PayoutName               string
	MessageSource, MessageID string
	Postings                 []ui.Posting
	// Chain has at least two steps, or is left out.
	Chain ui.Chain
	// ChainNote says why and with what effect.
	ChainNote          string
	Hash, PreviousHash string
	Integrity          Integrity
	Metadata           []Metadatum
	Timeline           ui.Timeline
	// WhyNoReversal is the reason no reversal can be requested here, in words; empty, it can.
	WhyNoReversal string
}

// Metadatum is one pair of what an entry carries along.
type Metadatum struct{ Name, Value string }

// Integrity is what came of computing the hash again.
type Integrity string

// What came of it. The zero value says that it was not computed.
const (
	IntegrityHolds  Integrity = "holds"
	IntegrityBroken Integrity = "broken"
)

func (e Entry) tags() ui.Tags {
	tags := entryTags(e.Format, e.Book, e.Reverses, e.Replaces, e.ReversedBy, e.Kind == "adjustment", false)
	if e.Settles != 0 {
		tags = append(tags, ui.Chip{Text: "Settles break", Ref: ui.Link{Text: NameOfBreak(e.Settles), Href: e.Book.BreakURL(e.Settles)}})
	}
	if e.Request != 0 {
		tags = append(tags, waitingChip(e.Book, "Reversal waits for approval", e.Request))
	}
	return tags
}

func (e Entry) lead() string {
	return strings.TrimSuffix(e.Description, ".") + ". Effective " + e.Format.Day(e.EffectiveOn) +
		", recorded " + e.Format.Instant(e.RecordedAt) + " UTC by " + e.By
}

func (e Entry) reverse() ui.Button {
	return ui.Button{
		Text: "Request reversal", Icon: "arrow-back-up", Href: e.Book.EntryURL(e.Seq) + "/reverse", Why: e.WhyNoReversal, Hotkey: "r",
	}
}

func (e Entry) currencies() string {
	var codes []string
	for _, t := range (ui.Postings{Rows: e.Postings}).Totals() {
		codes = append(codes, t.Currency)
	}
	return "Debit and credit, " + strings.Join(codes, ", ")
}

func (e Entry) table() ui.Postings {
	return ui.Postings{Caption: "Postings of entry " + e.Format.Seq(e.Seq), Rows: e.Postings, ShowTotals: true}
}

func (e Entry) facts() ui.KeyValue {
	facts := ui.KeyValue{
		{Name: "Tx id", Text: e.TxID},
		{Name: "Kind", Text: e.Kind},
		{Name: "Effective", Text: e.Format.Day(e.EffectiveOn)},
		{Name: "Recorded", Text: e.Format.Instant(e.RecordedAt)},
		{Name: "By", Text: e.By},
	}
	if e.Settles != 0 {
		facts = append(facts, ui.Fact{Name: "Settles", Text: "break " + NameOfBreak(e.Settles), Href: e.Book.BreakURL(e.Settles)})
	}
	if e.Approved != 0 {
		facts = append(facts, ui.Fact{Name: "Approved", Text: "as " + NameOfApproval(e.Approved) + ", asked by " + e.AskedBy, Href: e.Book.RequestURL(e.Approved)})
	}
	if e.Payment != 0 {
		facts = append(facts, ui.Fact{Name: "Payment", Text: NameOfPayment(e.Payment), Href: e.Book.PaymentURL(e.Payment)})
	}
	if e.Payout != 0 {
		facts = append(facts, ui.Fact{Name: "Payout", Text: e.PayoutName, Href: e.Book.PayoutURL(e.Payout)})
	}
	if e.MessageID != "" {
		facts = append(facts, ui.Fact{Name: "Message", Text: e.MessageID + " of " + e.MessageSource, Href: e.Book.MessageURL(e.MessageSource, e.MessageID)})
	}
	if e.Key != "" {
		facts = append(facts, ui.Fact{Name: "Key", Text: e.Key, Mono: true, Copy: true})
	}
	if e.Reason != "" {
		facts = append(facts, ui.Fact{Name: "Reason", Text: e.Reason})
	}
	return facts
}

func (e Entry) hashes() ui.KeyValue {
	before := ui.Fact{Name: "Hash before", Text: e.PreviousHash, Mono: true, Copy: true}
	if e.Seq > 1 {
		before.Name += ", " + e.Format.Seq(e.Seq-1)
	}
	return ui.KeyValue{before, {Name: "This entry, " + e.Format.Seq(e.Seq), Text: e.Hash, Mono: true, Copy: true}}
}

func (e Entry) integrity() ui.Chip {
	switch e.Integrity {
	case IntegrityHolds:
		return ui.Chip{Text: "Computed again just now, equal", Tone: ui.OK}
	case IntegrityBroken:
		return ui.Chip{Text: "Computed again just now: it differs", Tone: ui.Bad}
	}
	return ui.Chip{}
}

func (e Entry) metadata() ui.KeyValue {
	var facts ui.KeyValue
	for _, m := range e.Metadata {
		facts = append(facts, ui.Fact{Name: m.Name, Text: m.Value})
	}
	return facts
}

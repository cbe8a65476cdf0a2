package api

import (
	"daybook/store"
	"daybook/store/ledger"
)

// entry is an entry as it is sent and shown.
type entry struct {
	TxID        string            `json:"tx_id"`
	EffectiveOn string            `json:"effective_on"`
	Description string            `json:"description"`
	Postings    []posting         `json:"postings"`
	Metadata    map[string]string `json:"metadata"`
}

type posting struct {
	Account  string `json:"account"`
	Amount   int64  `json:"amount"`
	Currency string `json:"currency"`
}

func entryOf(e ledger.Entry) entry {
	shown := entry{
		TxID: e.TxID, EffectiveOn: e.EffectiveOn.String(), Description: e.Description,
		Postings: make([]posting, len(e.Postings)), Metadata: e.Metadata,
	}
	if shown.Metadata == nil {
		shown.Metadata = map[string]string{}
	}
	for i, p := range e.Postings {
		shown.Postings[i] = posting{Account: p.Account, Amount: p.AmountMinor, Currency: p.Currency}
	}
	return shown
}

// receipt is an entry as it stands in the journal.
type receipt struct {
	entry
	Seq        int64  `json:"seq"`
	Kind       string `json:"kind"`
	RecordedAt string `json:"recorded_at"`
	RecordedBy string `json:"recorded_by"`
	RecorderID int64  `json:"recorded_by_id"`
	Reason     string `json:"reason"`
	ApprovalID *int64 `json:"approval_id"`
	Reverses   *int64 `json:"reverses"`
	Part       int    `json:"part"`
	ReversedBy *int64 `json:"reversed_by"`
	Replaces   *int64 `json:"replaces"`
	ReplacedBy *int64 `json:"replaced_by"`
	PrevHash   string `json:"prev_hash"`
	Hash       string `json:"hash"`
	Duplicate  bool   `json:"duplicate"`
	Attempts   int    `json:"attempts"`
}

func receiptOf(r store.Receipt) receipt {
	return receipt{
		entry: entryOf(r.Entry), Seq: r.Seq, Kind: string(r.Kind), RecordedAt: ledger.FormatInstant(r.RecordedAt), RecordedBy: r.Recorder, RecorderID: r.RecordedBy,
		Reason: r.Reason, ApprovalID: numberOrNull(r.ApprovalID), Reverses: numberOrNull(r.Reverses), Part: r.Part, ReversedBy: numberOrNull(r.ReversedBy),
		Replaces: numberOrNull(r.Replaces), ReplacedBy: numberOrNull(r.ReplacedBy), PrevHash: r.PrevHash.String(), Hash: r.Hash.String(),
		Duplicate: r.Duplicate, Attempts: r.Attempts,
	}
}

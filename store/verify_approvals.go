package store

import (
	"fmt"
	"strings"

	"daybook/store/ledger"
)

// verifyApprovalPage is how many requests are read at once; the entries of each are read with it.
const verifyApprovalPage = 100

type decidedRow struct {
	Approval    approvalRow `gorm:"embedded"`
	Pending     bool
	DecidedHash ledger.Hash
}

// checkApprovals looks whether each request is what was requested, was decided by whom it may be, and was carried out as it says.
func (v *verifier) checkApprovals() (*Fault, error) {
	var first *Fault
	for after := int64(0); ; {
		rows, err := query[decidedRow](v.tx, `
			SELECT a.id, a.kind, a.subject_seq, coalesce(d.decision, 'pending') AS status, a.requester_id, a.requested_at, a.reason, a.effective_on,
			       a.reversal_tx_id, a.replacement_tx_id, a.replacement::text AS replacement, a.content::text AS content, a.content_hash, a.pending,
			       d.decider_id, '' AS decider, '' AS decider_name, d.note, d.decided_at, d.reversal_seq, d.replacement_seq, d.entry_seq, d.content_hash AS decided_hash
			  FROM approvals a LEFT JOIN approval_decisions d ON d.book_id = a.book_id AND d.approval_id = a.id
			 WHERE a.book_id = ? AND a.id > ? ORDER BY a.id LIMIT ?`, v.book.ID, after, verifyApprovalPage)
		if err != nil {
			return nil, fmt.Errorf("read requests: %w", err)
		}
		records, err := v.executed(rows)
		if err != nil {
			return nil, err
		}
		for _, row := range rows {
			fault := v.approvalFault(row, records)
			if fault != nil && (first == nil || fault.Seq < first.Seq) {
				first = fault
			}
			after = row.Approval.ID
		}
		if len(rows) < verifyApprovalPage {
			return first, nil
		}
	}
}

// approvalFault is of the reversal that the request led to, or of the entry to be reversed where there is none; of the book where the
// request is about no entry.
func (v *verifier) approvalFault(row decidedRow, records map[int64]ledger.Record) *Fault {
	seq := row.Approval.SubjectSeq
	if row.Approval.ReversalSeq != nil {
		seq = *row.Approval.ReversalSeq
	}
	fault := func(what string) *Fault {
		if row.Approval.Kind != KindReversal {
			return &Fault{What: fmt.Sprintf("request %d, a %s, %s", row.Approval.ID, strings.ReplaceAll(string(row.Approval.Kind), "_", " "), what)}
		}
		return &Fault{Seq: seq, What: fmt.Sprintf("request %d to reverse entry %d %s", row.Approval.ID, row.Approval.SubjectSeq, what)}
	}
	approval, err := row.Approval.approval()
	decided := approval.Status != Pending
	switch {
	case err != nil:
		return fault("has a content that cannot be read")
	case !approval.Intact():
		return fault("is not what was requested: its content does not have its hash")
	case row.Pending == decided:
		return fault("is marked as if it had no decision, or had one, and it is not so")
	case decided && row.DecidedHash != approval.ContentHash:
		return fault("is not what was decided on: the hashes differ")
	case decided && (approval.DeciderID == approval.RequesterID) != (approval.Status == Recalled):
		return fault("was not decided by who may decide it")
	case approval.Status == Approved && approval.Adjustment != nil:
		return carriedOutBy(approval.EntrySeq, records, approval.adjusting(approval.DeciderID), approval.ID)
	case approval.Status != Approved || approval.Kind != KindReversal:
		return nil
	case (approval.Replacement != nil) != (approval.ReplacementSeq != 0):
		return fault("asks for a replacement that was not posted, or the other way round")
	}
	return executionFault(approval, records)
}

// executionFault compares what was approved with the entries that the decision names.
func executionFault(approval Approval, records map[int64]ledger.Record) *Fault {
	commands := approval.commands(records[approval.SubjectSeq], approval.DeciderID)
	for i, seq := range []int64{approval.ReversalSeq, approval.ReplacementSeq}[:len(commands)] {
		if fault := carriedOutBy(seq, records, commands[i], approval.ID); fault != nil {
			return fault
		}
	}
	return nil
}

func carriedOutBy(seq int64, records map[int64]ledger.Record, command ledger.Command, approvalID int64) *Fault {
	if carriesOut(records[seq], command) {
		return nil
	}
	return &Fault{Seq: seq, What: fmt.Sprintf("is not what request %d was approved for", approvalID)}
}

// executed reads the entries that requests were about and led to.
func (v *verifier) executed(rows []decidedRow) (map[int64]ledger.Record, error) {
	var seqs []int64
	for _, row := range rows {
		if row.Approval.ReversalSeq != nil {
			seqs = append(seqs, row.Approval.SubjectSeq, *row.Approval.ReversalSeq, valueOf(row.Approval.ReplacementSeq))
		}
		if row.Approval.EntrySeq != nil {
			seqs = append(seqs, *row.Approval.EntrySeq)
		}
	}
	records := map[int64]ledger.Record{}
	if len(seqs) == 0 {
		return records, nil
	}
	entries, err := v.journal.some(seqs)
	for _, e := range entries {
		records[e.Seq] = e.Record
	}
	return records, err
}

func carriesOut(r ledger.Record, c ledger.Command) bool {
	return r.Kind == c.Kind && r.Reverses == c.Reverses && r.Replaces == c.Replaces && r.Reason == c.Reason && r.ApprovalID == c.ApprovalID &&
		r.RecordedBy == c.RecordedBy && r.Fingerprint() == c.Entry.Fingerprint()
}

package store

import (
	"fmt"
	"time"
)

// checkSignoffs looks whether what was signed off is what was signed: each version has the hashes that it was kept with, and each
// reconciliation that says so was signed. Versions that an earlier verification has seen are not read again.
func (v *verifier) checkSignoffs() (*Fault, error) {
	unsigned, err := query[int64](v.tx, `
		SELECT r.id FROM reconciliations r WHERE r.book_id = ? AND r.status = ? AND NOT EXISTS (
		       SELECT FROM signoffs s WHERE s.book_id = r.book_id AND s.reconciliation_id = r.id AND s.version = r.version) ORDER BY r.id LIMIT 1`,
		v.book.ID, ReconciliationSignedOff)
	if err != nil {
		return nil, fmt.Errorf("look for what nobody signed off: %w", err)
	}
	if len(unsigned) > 0 {
		return &Fault{What: fmt.Sprintf("reconciliation %d is marked as signed off, and nobody signed it", unsigned[0])}, nil
	}
	heads, err := loadSignoffs(v.tx, v.book, `s.signed_at >= ? ORDER BY s.signed_at, s.reconciliation_id, s.version`, v.signedAt)
	if err != nil {
		return nil, err
	}
	for _, head := range heads {
		if fault, err := v.signoffFault(head); fault != nil || err != nil {
			return fault, err
		}
		v.signedAt = head.SignedAt
	}
	return nil, nil
}

func (v *verifier) signoffFault(head signedHead) (*Fault, error) {
	content, err := head.contentHash(v.tx, v.book, head.Version)
	switch {
	case err != nil:
		return nil, err
	case content != head.ContentHash:
		return &Fault{What: fmt.Sprintf("version %d of reconciliation %d is not what was signed off: its content does not have its hash", head.Version, head.ReconciliationID)}, nil
	case head.signature(v.book) != head.Hash:
		return &Fault{What: fmt.Sprintf("version %d of reconciliation %d was not signed off as it says: who, when and why do not have their hash", head.Version, head.ReconciliationID)}, nil
	}
	return nil, nil
}

// signedFrom is the beginning of time, for a verification that reads all that was signed off.
func signedFrom() time.Time { return time.Date(1900, 1, 1, 0, 0, 0, 0, time.UTC) }

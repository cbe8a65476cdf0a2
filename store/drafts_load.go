package store

import (
	"encoding/json"
	"fmt"
	"time"

	"gorm.io/gorm"

	"daybook/store/ledger"
)

// shownAs refuses what was decided over another version than the one that is stored: in another tab something was changed meanwhile.
func (d Draft) shownAs(version int) error {
	if d.Version == version {
		return nil
	}
	return ledger.Refuse(ledger.KindInvalid, "the settings of this file were changed meanwhile, in another window: look at it as it is now").
		At("version", "is %d by now, not %d", d.Version, version)
}

// holdDraft reads a draft of the actor, for a transaction that changes or ends it. The row is held before it is read with its account: what
// waits for the row while another changes the account would not find both any more. Error: KindNotFound.
func (s *Store) holdDraft(tx *gorm.DB, actor Actor, id int64, withFile bool) (Draft, error) {
	return s.holdDraftFor(tx, actor, id, 0, withFile)
}

func (s *Store) holdDraftFor(tx *gorm.DB, actor Actor, id, jobID int64, withFile bool) (Draft, error) {
	if _, err := query[int64](tx, `SELECT id FROM statement_drafts WHERE book_id = ? AND id = ? AND user_id = ? FOR UPDATE`, actor.Book.ID, id, actor.UserID); err != nil {
		return Draft{}, fmt.Errorf("hold draft %d: %w", id, err)
	}
	return s.loadDraftFor(tx, actor, id, jobID, withFile)
}

// loadDraft reads a draft of the actor. A draft that was confirmed is told by the reconciliation_id of the refusal, one that a job stores by its
// job_id. Error: KindNotFound.
func (s *Store) loadDraft(tx *gorm.DB, actor Actor, id int64, withFile bool) (Draft, error) {
	return s.loadDraftFor(tx, actor, id, 0, withFile)
}

// loadDraftFor is loadDraft for the job that stores the draft, 0 for none.
func (s *Store) loadDraftFor(tx *gorm.DB, actor Actor, id, jobID int64, withFile bool) (Draft, error) {
	rows, err := query[struct {
		ID                           int64
		AccountCode, FileName, Hints string
		Included                     string
		FileHash                     ledger.Hash
		SizeBytes, Version           int
		JobID                        int64
		PeriodFrom, PeriodTo         ledger.Date
		ProfileID, ProfileVersion    *int64
		CreatedAt                    time.Time
	}](tx, `
		SELECT d.id, a.code AS account_code, d.file_name, d.hints::text AS hints, d.file_hash, octet_length(d.file) AS size_bytes, d.version,
		       to_json(d.included)::text AS included, d.period_from, d.period_to, d.profile_id, d.profile_version, d.created_at, coalesce(d.job_id, 0) AS job_id
		  FROM statement_drafts d JOIN accounts a ON a.book_id = d.book_id AND a.id = d.account_id
		 WHERE d.book_id = ? AND d.id = ? AND d.user_id = ? AND (d.created_at > ? OR d.job_id IS NOT NULL)`, actor.Book.ID, id, actor.UserID, s.now().Add(-DraftLife))
	if err != nil {
		return Draft{}, fmt.Errorf("read draft %d: %w", id, err)
	}
	if len(rows) == 0 {
		return Draft{}, noDraft(tx, actor, id)
	}
	r := rows[0]
	if r.JobID != jobID {
		return Draft{}, ledger.Refuse(ledger.KindNotFound, "file %d is being stored by job %d", id, r.JobID).With("job_id", r.JobID)
	}
	draft := Draft{ID: r.ID, FileName: r.FileName, FileHash: r.FileHash, SizeBytes: r.SizeBytes, PeriodFrom: r.PeriodFrom, PeriodTo: r.PeriodTo,
		Version: r.Version, CreatedAt: r.CreatedAt.UTC()}
	if withFile {
		if err := s.loadFile(tx, actor.Book, &draft); err != nil {
			return Draft{}, err
		}
	}
	if err := json.Unmarshal([]byte(r.Hints), &draft.Told); err != nil {
		return Draft{}, fmt.Errorf("read the hints of draft %d: %w", id, err)
	}
	if err := json.Unmarshal([]byte(r.Included), &draft.Included); err != nil {
		return Draft{}, fmt.Errorf("read the included rows of draft %d: %w", id, err)
	}
	if draft.Account, err = loadAccount(tx, actor.Book, r.AccountCode, ""); err != nil || r.ProfileID == nil {
		return draft, err
	}
	profiles, err := loadProfiles(tx, actor.Book, `p.id = ? AND p.version = ?`, *r.ProfileID, *r.ProfileVersion)
	if err != nil {
		return Draft{}, err
	}
	draft.Profile = &profiles[0]
	return draft, nil
}

// loadFile reads the file of a draft, unless it is kept.
func (s *Store) loadFile(tx *gorm.DB, book Book, draft *Draft) error {
	if draft.data = s.readings.file(draft.FileHash); draft.data != nil {
		return nil
	}
	stored, err := queryOne[struct{ File []byte }](tx, "the file is gone", `SELECT file FROM statement_drafts WHERE book_id = ? AND id = ?`, book.ID, draft.ID)
	if err != nil {
		return fmt.Errorf("read the file of draft %d: %w", draft.ID, err)
	}
	draft.data = stored.File
	return nil
}

func noDraft(tx *gorm.DB, actor Actor, id int64) error {
	refusal := ledger.Refuse(ledger.KindNotFound, "there is no file %d waiting for you: it was stored or discarded, or waited for more than a day", id)
	confirmed, err := query[int64](tx, `
		SELECT r.id FROM statements s JOIN reconciliations r ON r.book_id = s.book_id AND r.statement_id = s.id
		 WHERE s.book_id = ? AND s.draft_id = ? AND s.uploaded_by = ? ORDER BY r.id LIMIT 1`, actor.Book.ID, id, actor.UserID)
	if err != nil {
		return fmt.Errorf("look for what became of draft %d: %w", id, err)
	}
	if len(confirmed) > 0 {
		refusal.With("reconciliation_id", confirmed[0])
	}
	return refusal
}

package store

import (
	"context"
	"database/sql"
	"encoding/json"
	"fmt"
	"time"

	"gorm.io/gorm"

	"daybook/store/jobs"
	"daybook/store/ledger"
)

// jobParams are what a job needs to know besides its draft: what was decided over it, and in which request, for the audit log.
type jobParams struct {
	Confirm          DraftConfirm
	Request, Address string
}

// addJob puts the storing of a draft down as a job, in the transaction that decides on it. The draft is not changed from then on.
func (s *Store) addJob(ctx context.Context, tx *gorm.DB, actor Actor, draft Draft, confirm DraftConfirm, lines int) (UploadResult, error) {
	id, err := nextNumber(tx, actor.Book.ID, "job", 1)
	if err != nil {
		return UploadResult{}, err
	}
	params, err := json.Marshal(jobParams{confirm, actor.Request, actor.Address})
	if err != nil {
		return UploadResult{}, fmt.Errorf("write down job %d: %w", id, err)
	}
	if _, err := exec(tx, `
		INSERT INTO jobs (book_id, id, kind, user_id, account_id, draft_id, file_name, file_hash, params, state, phase, done, total, attempts, created_at)
		VALUES (?, ?, 'statement', ?, ?, ?, ?, ?, CAST(? AS jsonb), ?, '', 0, ?, 0, ?)`,
		actor.Book.ID, id, actor.UserID, draft.Account.ID, draft.ID, draft.FileName, draft.FileHash, storable(string(params)), JobWaiting, lines, s.now()); err != nil {
		return UploadResult{}, fmt.Errorf("write down job %d: %w", id, err)
	}
	if _, err := exec(tx, `UPDATE statement_drafts SET job_id = ? WHERE book_id = ? AND id = ?`, id, actor.Book.ID, draft.ID); err != nil {
		return UploadResult{}, fmt.Errorf("hold draft %d for job %d: %w", draft.ID, id, err)
	}
	if err := addTask(tx, jobs.Job{BookID: actor.Book.ID, JobID: id}, time.Time{}); err != nil {
		return UploadResult{}, err
	}
	return UploadResult{JobID: id}, s.audit(tx, actor, "job.add", fmt.Sprintf("job %d", id),
		map[string]any{"account": draft.Account.Code, "file": draft.FileName, "sha256": draft.FileHash.String()})
}

// addTask puts a task down in the transaction that asks for it.
func addTask(tx *gorm.DB, task jobs.Task, at time.Time) error {
	plain, ok := tx.Statement.ConnPool.(*sql.Tx)
	if !ok {
		return fmt.Errorf("%s %+v is put down outside a transaction", task.Kind(), task)
	}
	return jobs.Add(tx.Statement.Context, plain, task, at)
}

// jobOf finds the job that stores a file for an account just now, 0 for none.
func jobOf(tx *gorm.DB, book Book, account ledger.Account, file ledger.Hash) (int64, error) {
	ids, err := query[int64](tx, `SELECT id FROM jobs WHERE book_id = ? AND account_id = ? AND file_hash = ? AND state IN ('waiting', 'running')`,
		book.ID, account.ID, file)
	if err != nil || len(ids) == 0 {
		return 0, err
	}
	return ids[0], nil
}

// uploadByJob has a long file stored by a job: nothing of it is stored yet, but all that can be refused is refused now.
func (s *Store) uploadByJob(ctx context.Context, tx *gorm.DB, actor Actor, upload Upload) (result UploadResult, again bool, err error) {
	account, err := accountOfBook(tx, actor.Book, upload.Account, "")
	if err != nil {
		return UploadResult{}, false, err
	}
	if first, found, err := uploadedBefore(tx, actor.Book, account, upload.hash()); found || err != nil {
		return first, found, err
	}
	if job, err := jobOf(tx, actor.Book, account, upload.hash()); job != 0 || err != nil {
		return UploadResult{JobID: job}, true, err
	}
	profile, err := chooseProfile(tx, actor.Book, account, upload.Profile, upload.Data)
	if err != nil {
		return UploadResult{}, false, err
	}
	read, err := s.readUpload(tx, actor.Book, account, upload, profile)
	if err != nil {
		return UploadResult{}, false, err
	}
	if err := read.tookAll(upload.Include); err != nil {
		return UploadResult{}, false, err
	}
	id, err := s.insertDraft(tx, actor, account, upload, profile, true)
	if err != nil {
		return UploadResult{}, false, err
	}
	draft := Draft{ID: id, Account: account, FileName: upload.FileName, FileHash: upload.hash()}
	result, err = s.addJob(ctx, tx, actor, draft, DraftConfirm{Version: 1}, len(read.found.Statement.Lines))
	return result, false, err
}

package store

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"gorm.io/gorm"

	"daybook/store/ledger"
)

// DraftConfirm is the decision to store a draft as it was shown. Remember saves how it was read as a profile of the account, under
// ProfileName. BalanceReason is why a file is stored whose balances do not add up.
type DraftConfirm struct {
	Version       int
	Remember      bool
	ProfileName   string
	BalanceReason string
}

// ConfirmDraft stores a draft as a statement and holds it against the journal, all or nothing, as UploadStatement does; with the profile that is to
// be remembered. Who confirms again gets the first result as a duplicate, and so does who confirms a file that was stored for the account
// meanwhile. One of more than JobLines lines is stored by a job, which the result names. A file whose balances do not add up is stored for a reason only, and opens a break of its difference. Errors: KindForbidden, KindNotFound, KindInvalid (version, profile_name, account, period), KindClosedAccount,
// KindCurrencyMismatch, KindStatementRefused, KindKeyReused.
func (s *Store) ConfirmDraft(ctx context.Context, actor Actor, key string, id int64, confirm DraftConfirm) (result UploadResult, duplicate bool, err error) {
	if err := actor.Need(RightUpload); err != nil {
		return UploadResult{}, false, err
	}
	content := map[string]any{"draft": id, "version": confirm.Version, "remember": confirm.Remember, "profile_name": confirm.ProfileName}
	if confirm.BalanceReason != "" {
		content["balance_reason"] = confirm.BalanceReason
	}
	if err := s.readDraftAhead(ctx, actor, id, 0); err != nil {
		return UploadResult{}, false, err
	}
	err = s.inTx(ctx, func(tx *gorm.DB) error {
		result, duplicate, err = once(s, tx, actor, key, "statement.confirm", content, func() (result UploadResult, err error) {
			result, result.StoredBefore, err = s.confirmDraft(ctx, tx, actor, id, confirm)
			return result, err
		})
		return err
	})
	return result, duplicate || result.StoredBefore, err
}

// confirmDraft stores a draft, or puts that down as a job where it is long. It gives the first result as stored when the draft, or its file,
// has one.
func (s *Store) confirmDraft(ctx context.Context, tx *gorm.DB, actor Actor, id int64, confirm DraftConfirm) (result UploadResult, stored bool, err error) {
	draft, err := s.holdDraft(tx, actor, id, false)
	var refusal *ledger.Error
	if errors.As(err, &refusal) && refusal.Kind == ledger.KindNotFound {
		if job, held := refusal.Extra["job_id"].(int64); held {
			return UploadResult{JobID: job}, true, nil
		}
		first, found, lookErr := confirmedBefore(tx, actor, id)
		if lookErr != nil || found {
			return first, found, lookErr
		}
	}
	if err != nil {
		return UploadResult{}, false, err
	}
	if draft.data = s.readings.file(draft.FileHash); draft.data != nil {
		if lines := s.linesOf(draft.Account, draft.upload(), draft.Profile); lines > s.jobLines {
			return s.confirmByJob(ctx, tx, actor, id, confirm, lines)
		}
	}
	return s.storeDraft(tx, actor, id, 0, confirm, nil)
}

// confirmByJob refuses what storing the draft would refuse, and leaves the rest to a job.
func (s *Store) confirmByJob(ctx context.Context, tx *gorm.DB, actor Actor, id int64, confirm DraftConfirm, lines int) (result UploadResult, stored bool, err error) {
	draft, err := s.holdDraft(tx, actor, id, true)
	if err != nil {
		return UploadResult{}, false, err
	}
	if first, found, err := uploadedBefore(tx, actor.Book, draft.Account, draft.FileHash); found || err != nil {
		return first, found, err
	}
	if job, err := jobOf(tx, actor.Book, draft.Account, draft.FileHash); job != 0 || err != nil {
		return UploadResult{JobID: job}, job != 0, err
	}
	if err := draft.shownAs(confirm.Version); err != nil {
		return UploadResult{}, false, err
	}
	read, err := s.readUpload(tx, actor.Book, draft.Account, draft.upload(), draft.Profile)
	if _, err = read.accepted(confirm.BalanceReason, err); err != nil {
		return UploadResult{}, false, err
	}
	if confirm.Remember {
		if err := checkProfileName(strings.TrimSpace(confirm.ProfileName)); err != nil {
			return UploadResult{}, false, err
		}
	}
	result, err = s.addJob(ctx, tx, actor, draft, confirm, lines)
	return result, false, err
}

// storeDraft stores a draft, for the job that holds it or for its owner (0).
func (s *Store) storeDraft(tx *gorm.DB, actor Actor, id, jobID int64, confirm DraftConfirm, p *jobProgress) (result UploadResult, stored bool, err error) {
	draft, err := s.holdDraftFor(tx, actor, id, jobID, true)
	if err != nil {
		return UploadResult{}, false, err
	}
	account, err := holdAccount(tx, actor.Book, draft.Account.Code)
	if err != nil {
		return UploadResult{}, false, err
	}
	if first, found, err := uploadedBefore(tx, actor.Book, account, draft.FileHash); found || err != nil {
		if err == nil {
			err = deleteDraft(tx, actor.Book, id)
		}
		return first, found, err
	}
	if err := draft.shownAs(confirm.Version); err != nil {
		return UploadResult{}, false, err
	}
	read, err := s.readUpload(tx, actor.Book, account, draft.upload(), draft.Profile)
	if read, err = read.accepted(confirm.BalanceReason, err); err != nil {
		return UploadResult{}, false, err
	}
	read.progress = p
	if confirm.Remember {
		if read.profile, err = s.rememberReading(tx, actor, account, confirm.ProfileName, draft.data, read); err != nil {
			return UploadResult{}, false, err
		}
	}
	if result, err = s.importStatement(tx, actor, account, draft.upload(), read, id); err != nil {
		return UploadResult{}, false, err
	}
	s.readings.drop(draft.FileHash)
	return result, false, deleteDraft(tx, actor.Book, id)
}

// rememberReading saves how a file was read as a profile.
func (s *Store) rememberReading(tx *gorm.DB, actor Actor, account ledger.Account, name string, data []byte, read reading) (*Profile, error) {
	hints := read.found.Lasting(data, read.hints, read.given)
	return s.saveProfile(tx, actor, account, name, read.found.Settings.HeaderFingerprint, hints)
}

// confirmedBefore gives what the draft of the actor was stored as.
func confirmedBefore(tx *gorm.DB, actor Actor, id int64) (UploadResult, bool, error) {
	ids, err := query[int64](tx, `SELECT id FROM statements WHERE book_id = ? AND draft_id = ? AND uploaded_by = ? AND undone_at IS NULL`, actor.Book.ID, id, actor.UserID)
	if err != nil {
		return UploadResult{}, false, fmt.Errorf("look for what became of draft %d: %w", id, err)
	}
	if len(ids) == 0 {
		return UploadResult{}, false, nil
	}
	first, err := loadUploadResult(tx, actor.Book, ids[0])
	return first, err == nil, err
}

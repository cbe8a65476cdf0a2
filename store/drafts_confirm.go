package store

import (
	"context"
	"fmt"

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
// meanwhile. A file whose balances do not add up is stored for a reason only, and opens a break of its difference. Errors: KindForbidden, KindNotFound, KindInvalid (version, profile_name, account, period), KindClosedAccount,
// KindCurrencyMismatch, KindStatementRefused, KindKeyReused.
func (s *Store) ConfirmDraft(ctx context.Context, actor Actor, key string, id int64, confirm DraftConfirm) (result UploadResult, duplicate bool, err error) {
	if err := actor.Need(RightUpload); err != nil {
		return UploadResult{}, false, err
	}
	content := map[string]any{"draft": id, "version": confirm.Version, "remember": confirm.Remember, "profile_name": confirm.ProfileName}
	if confirm.BalanceReason != "" {
		content["balance_reason"] = confirm.BalanceReason
	}
	if err := s.readDraftAhead(ctx, actor, id); err != nil {
		return UploadResult{}, false, err
	}
	err = s.inTx(ctx, func(tx *gorm.DB) error {
		result, duplicate, err = once(s, tx, actor, key, "statement.confirm", content, func() (result UploadResult, err error) {
			result, result.StoredBefore, err = s.confirmDraft(tx, actor, id, confirm)
			return result, err
		})
		return err
	})
	return result, duplicate || result.StoredBefore, err
}

// confirmDraft gives the first result as stored when the draft, or its file, has one.
func (s *Store) confirmDraft(tx *gorm.DB, actor Actor, id int64, confirm DraftConfirm) (result UploadResult, stored bool, err error) {
	draft, err := s.holdDraft(tx, actor, id, true)
	if ledger.KindOf(err) == ledger.KindNotFound {
		first, found, lookErr := confirmedBefore(tx, actor, id)
		if lookErr != nil || found {
			return first, found, lookErr
		}
	}
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

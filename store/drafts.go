package store

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"gorm.io/gorm"

	"daybook/recon/statement"
	"daybook/store/ledger"
)

// A draft is a file that waits for its uploader, and for nobody else.
const (
	DraftLife     = 24 * time.Hour
	DraftsAPerson = 20  // in a book; a further one takes the place of the oldest
	sweptAtOnce   = 100 // drafts that one start clears away
)

// Draft is a file that waits to be confirmed. Told is what its uploader said about it, over the hints of the profile; a hint that is told
// as empty takes that of the profile away. Version counts the changes.
type Draft struct {
	ID         int64
	Account    ledger.Account
	FileName   string
	FileHash   ledger.Hash
	SizeBytes  int
	Told       statement.Hints
	PeriodFrom ledger.Date
	PeriodTo   ledger.Date
	Included   []int    // rows that may be new and that its uploader says are
	Profile    *Profile // nil when none is applied
	Version    int
	CreatedAt  time.Time
	data       []byte
}

// upload is the draft as the file that is stored.
func (d Draft) upload() Upload {
	return Upload{Account: d.Account.Code, FileName: d.FileName, Data: d.data, Hints: d.Told, PeriodFrom: d.PeriodFrom, PeriodTo: d.PeriodTo, Include: d.Included, fileHash: d.FileHash}
}

// Started is what came of a file: a draft, or the statement that it is already stored as.
type Started struct {
	DraftID int64         // 0 when it is stored
	Stored  *UploadResult // nil when it is not
	JobID   int64         // of the job that stores it just now, 0 for none
}

// StartDraft keeps a file for its uploader until it is confirmed; nothing of it is stored as a statement. A file that is no statement whatever
// is told about it is refused. Errors: KindForbidden, KindUnknownAccount, KindClosedAccount, KindInvalid, KindStatementRefused with error_class
// and row, KindKeyReused.
func (s *Store) StartDraft(ctx context.Context, actor Actor, key string, upload Upload) (started Started, err error) {
	if err := actor.Need(RightUpload); err != nil {
		return Started{}, err
	}
	hash := upload.hash()
	content := map[string]any{"account": upload.Account, "file": hash.String()}
	if _, err := s.readAhead(ctx, actor, upload); err != nil {
		return Started{}, err
	}
	err = s.inTx(ctx, func(tx *gorm.DB) error {
		started, _, err = once(s, tx, actor, key, "statement.draft", content, func() (Started, error) {
			account, err := accountOfBook(tx, actor.Book, upload.Account, "")
			if err != nil {
				return Started{}, err
			}
			first, found, err := uploadedBefore(tx, actor.Book, account, hash)
			if err != nil {
				return Started{}, err
			}
			if found {
				return Started{Stored: &first}, nil
			}
			if job, err := jobOf(tx, actor.Book, account, hash); job != 0 || err != nil {
				return Started{JobID: job}, err
			}
			id, err := s.startDraft(tx, actor, account, upload)
			return Started{DraftID: id}, err
		})
		return err
	})
	return started, err
}

func (s *Store) startDraft(tx *gorm.DB, actor Actor, account ledger.Account, upload Upload) (int64, error) {
	if err := s.sweepDrafts(tx, actor); err != nil {
		return 0, err
	}
	profile, err := chooseProfile(tx, actor.Book, account, upload.Profile, upload.Data)
	if err != nil {
		return 0, err
	}
	if err := s.acceptable(account, upload, profile); err != nil {
		return 0, err
	}
	return s.insertDraft(tx, actor, account, upload, profile, false)
}

// insertDraft keeps a file; byAPI is that of a whole request, which waits for nobody.
func (s *Store) insertDraft(tx *gorm.DB, actor Actor, account ledger.Account, upload Upload, profile *Profile, byAPI bool) (int64, error) {
	id, err := nextNumber(tx, actor.Book.ID, "statement_draft", 1)
	if err != nil {
		return 0, err
	}
	told, err := json.Marshal(profile.kept(upload.Hints))
	if err != nil {
		return 0, fmt.Errorf("write the hints of draft %d: %w", id, err)
	}
	profileID, profileVersion := profile.reference()
	_, err = exec(tx, `
		INSERT INTO statement_drafts (book_id, id, user_id, account_id, file_name, file_hash, file, hints, period_from, period_to, profile_id, profile_version, included,
		                              by_api, version, created_at)
		VALUES (?, ?, ?, ?, ?, ?, ?, CAST(? AS jsonb), ?, ?, ?, ?, ?::integer[], ?, 1, ?)`,
		actor.Book.ID, id, actor.UserID, account.ID, upload.FileName, upload.hash(), upload.Data, string(told), upload.PeriodFrom, upload.PeriodTo, profileID, profileVersion,
		eachOnce(upload.Include), byAPI, s.now())
	if err != nil {
		return 0, fmt.Errorf("keep draft %d: %w", id, err)
	}
	return id, nil
}

// sweepDrafts clears away what has waited too long, and of the actor's own the oldest beyond the limit.
func (s *Store) sweepDrafts(tx *gorm.DB, actor Actor) error {
	for _, old := range []struct {
		which string
		args  []any
	}{
		{`job_id IS NULL AND created_at <= ? ORDER BY created_at`, []any{s.now().Add(-DraftLife)}},
		{`job_id IS NULL AND user_id = ? ORDER BY id DESC OFFSET ?`, []any{actor.UserID, DraftsAPerson - 1}},
	} {
		args := append(append([]any{actor.Book.ID, actor.Book.ID}, old.args...), sweptAtOnce)
		if _, err := exec(tx, `
			DELETE FROM statement_drafts WHERE book_id = ? AND id IN (
				SELECT id FROM statement_drafts WHERE book_id = ? AND `+old.which+` LIMIT ? FOR UPDATE SKIP LOCKED)`, args...); err != nil {
			return fmt.Errorf("clear old drafts away: %w", err)
		}
	}
	return nil
}

// DraftChange is all that the uploader of a draft says about it, in place of what was said before.
type DraftChange struct {
	Version    int // of the draft that was shown
	Account    string
	Profile    string // the name of one of the account, NoProfile, or "" for the one that the header of the file is known by
	Told       statement.Hints
	PeriodFrom ledger.Date
	PeriodTo   ledger.Date
	Include    []int // rows that may be new, and are
}

// ChangeDraft takes what is said about a draft, and gives its new version. The draft stays as it was when something of it cannot be used.
// Errors: KindForbidden, KindNotFound, KindUnknownAccount, KindClosedAccount, KindInvalid with the field at fault (hint.<name>, account,
// profile, period_from, version).
func (s *Store) ChangeDraft(ctx context.Context, actor Actor, id int64, change DraftChange) (version int, err error) {
	if err := actor.Need(RightUpload); err != nil {
		return 0, err
	}
	if err := s.readDraftAhead(ctx, actor, id, 0); err != nil {
		return 0, err
	}
	err = s.inTx(ctx, func(tx *gorm.DB) error {
		draft, err := s.holdDraft(tx, actor, id, true)
		if err != nil {
			return err
		}
		if err := draft.shownAs(change.Version); err != nil {
			if draft.says(change) { // a double click
				version = draft.Version
				return nil
			}
			return err
		}
		account, err := accountOfBook(tx, actor.Book, change.Account, "")
		if err != nil {
			return err
		}
		profile, err := s.checkChange(tx, actor.Book, account, draft, change)
		if err != nil {
			return err
		}
		told, err := json.Marshal(profile.kept(change.Told))
		if err != nil {
			return fmt.Errorf("write the hints of draft %d: %w", id, err)
		}
		profileID, profileVersion := profile.reference()
		version = draft.Version + 1
		_, err = exec(tx, `
			UPDATE statement_drafts SET account_id = ?, hints = CAST(? AS jsonb), period_from = ?, period_to = ?, profile_id = ?, profile_version = ?, included = ?::integer[],
			       version = ? WHERE book_id = ? AND id = ?`,
			account.ID, string(told), change.PeriodFrom, change.PeriodTo, profileID, profileVersion, eachOnce(change.Include), version, actor.Book.ID, id)
		return err
	})
	if err != nil {
		return 0, err
	}
	return version, nil
}

// says reports whether a draft is as a change would make it.
func (d Draft) says(change DraftChange) bool {
	profile := NoProfile
	if d.Profile != nil {
		profile = d.Profile.Name
	}
	return d.Account.Code == change.Account && strings.EqualFold(profile, change.Profile) && maps.Equal(d.Told, d.Profile.kept(change.Told)) &&
		d.PeriodFrom == change.PeriodFrom && d.PeriodTo == change.PeriodTo && slices.Equal(d.Included, eachOnce(change.Include))
}

// eachOnce gives rows in order, each once.
func eachOnce(rows []int) array[int] {
	return append(array[int]{}, slices.Compact(slices.Sorted(slices.Values(rows)))...)
}

// checkChange refuses what cannot be used, and gives the profile that is chosen.
func (s *Store) checkChange(tx *gorm.DB, book Book, account ledger.Account, draft Draft, change DraftChange) (*Profile, error) {
	if err := takesStatements(account); err != nil {
		return nil, err
	}
	if err := checkPeriod(change.PeriodFrom, change.PeriodTo); err != nil {
		return nil, err
	}
	if err := (*Profile)(nil).kept(change.Told).Check(); err != nil {
		return nil, err
	}
	profile, err := chooseProfile(tx, book, account, change.Profile, draft.data)
	if err != nil {
		return nil, err
	}
	hints, err := profile.located(profile.under(change.Told), change.Told, draft.data)
	if err != nil {
		return nil, err
	}
	if err := statement.CheckColumns(draft.data, hints); err != nil && namesAny(err, change.Told) {
		return nil, err
	}
	return profile, nil
}

// DiscardDraft removes a draft. Errors: KindForbidden, KindNotFound.
func (s *Store) DiscardDraft(ctx context.Context, actor Actor, id int64) error {
	if err := actor.Need(RightUpload); err != nil {
		return err
	}
	return s.inTx(ctx, func(tx *gorm.DB) error {
		draft, err := s.holdDraft(tx, actor, id, false)
		if err != nil {
			return err
		}
		s.readings.drop(draft.FileHash)
		return deleteDraft(tx, actor.Book, id)
	})
}

func deleteDraft(tx *gorm.DB, book Book, id int64) error {
	if _, err := exec(tx, `DELETE FROM statement_drafts WHERE book_id = ? AND id = ?`, book.ID, id); err != nil {
		return fmt.Errorf("remove draft %d: %w", id, err)
	}
	return nil
}

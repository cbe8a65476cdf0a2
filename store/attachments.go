package store

import (
	"context"
	"crypto/sha256"
	"fmt"
	"net/http"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"gorm.io/gorm"

	"daybook/store/ledger"
)

// The limits of attachments: of one file, of its name, and of how many a break has.
const (
	MaxAttachmentBytes  = 5 << 20
	maxAttachmentName   = 200
	MaxAttachments      = 20
	attachmentOperation = "break-attach"
)

// Attachment is a file that a person attached to a break. ContentType is what its first bytes look like, whatever it is called. It stays for
// ever: there is no way to take one back.
type Attachment struct {
	ID          int64
	BreakID     int64
	Name        string
	ContentType string
	SizeBytes   int
	Hash        ledger.Hash
	User        string
	At          time.Time
}

// attachmentColumns are those of an Attachment a of a user u.
const attachmentColumns = `a.id, a.break_id, a.name, a.content_type, a.size_bytes, a.hash, u.name AS user, a.at`

// AttachToBreak keeps a file with a break, whatever its status, as a step of its history. Errors: KindForbidden for who neither resolves breaks
// nor decides requests, KindNotFound, KindInvalid for an empty or too large file, a name that misleads, or one more than MaxAttachments,
// KindIllegalTransition where all reconciliations that hold the break are signed off, KindKeyReused.
func (s *Store) AttachToBreak(ctx context.Context, actor Actor, key string, breakID int64, name string, content []byte) (attached Attachment, duplicate bool, err error) {
	if err := actor.MayComment(); err != nil {
		return Attachment{}, false, err
	}
	name = baseName(name)
	if err := checkAttachment(name, len(content)); err != nil {
		return Attachment{}, false, err
	}
	hash := ledger.Hash(sha256.Sum256(content))
	sent := map[string]any{"break_id": breakID, "name": name, "size_bytes": len(content), "hash": hash}
	err = s.inTx(ctx, func(tx *gorm.DB) error {
		attached, duplicate, err = once(s, tx, actor, key, attachmentOperation, sent, func() (Attachment, error) {
			if _, err := s.beginBreakwork(tx, actor, breakID); err != nil {
				return Attachment{}, err
			}
			return s.attach(tx, actor, Attachment{BreakID: breakID, Name: name, ContentType: http.DetectContentType(content), SizeBytes: len(content), Hash: hash, At: s.now()}, content)
		})
		return err
	})
	return attached, duplicate, err
}

// attach stores a file while the account of the break is held, so that nobody signs off or attaches beside it.
func (s *Store) attach(tx *gorm.DB, actor Actor, a Attachment, content []byte) (Attachment, error) {
	there, err := queryOne[int](tx, "no number", `SELECT count(*) FROM break_attachments WHERE book_id = ? AND break_id = ?`, actor.Book.ID, a.BreakID)
	if err != nil {
		return Attachment{}, fmt.Errorf("count the attachments of break %d: %w", a.BreakID, err)
	}
	if there >= MaxAttachments {
		return Attachment{}, ledger.Refuse(ledger.KindInvalid, "break %d has %d attachments already, and takes no more", a.BreakID, there).At("file", "is one too many: a break takes %d files", MaxAttachments)
	}
	if a.ID, err = nextNumber(tx, actor.Book.ID, "attachment", 1); err != nil {
		return Attachment{}, err
	}
	if _, err := exec(tx, `
		INSERT INTO break_attachments (book_id, id, break_id, name, content_type, size_bytes, hash, content, user_id, at) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
		actor.Book.ID, a.ID, a.BreakID, a.Name, a.ContentType, a.SizeBytes, a.Hash, content, actor.UserID, a.At); err != nil {
		return Attachment{}, fmt.Errorf("attach a file to break %d: %w", a.BreakID, err)
	}
	a.User = actor.Name
	return a, s.addBreakEvent(tx, actor, a.BreakID, breakEvent{Event: "attached", Note: a.Name, AttachmentID: a.ID, SHA256: a.Hash.String()})
}

// Attachments lists what is attached to a break, oldest first.
func (s *Store) Attachments(ctx context.Context, actor Actor, breakID int64) ([]Attachment, error) {
	if err := actor.Need(RightRead); err != nil {
		return nil, err
	}
	all, err := query[Attachment](s.db.WithContext(ctx), `
		SELECT `+attachmentColumns+` FROM break_attachments a JOIN users u ON u.id = a.user_id WHERE a.book_id = ? AND a.break_id = ? ORDER BY a.id LIMIT ?`,
		actor.Book.ID, breakID, MaxAttachments)
	if err != nil {
		return nil, fmt.Errorf("list the attachments of break %d: %w", breakID, err)
	}
	return all, nil
}

// Attachment gives one attachment of a break with its content, which is held against its hash. Error: KindNotFound.
func (s *Store) Attachment(ctx context.Context, actor Actor, breakID, id int64) (Attachment, []byte, error) {
	if err := actor.Need(RightRead); err != nil {
		return Attachment{}, nil, err
	}
	found, err := queryOne[struct {
		Attachment
		Content []byte
	}](s.db.WithContext(ctx), fmt.Sprintf("break %d has no attachment %d", breakID, id), `
		SELECT `+attachmentColumns+`, a.content FROM break_attachments a JOIN users u ON u.id = a.user_id WHERE a.book_id = ? AND a.break_id = ? AND a.id = ?`,
		actor.Book.ID, breakID, id)
	if err != nil {
		return Attachment{}, nil, err
	}
	if ledger.Hash(sha256.Sum256(found.Content)) != found.Hash {
		return Attachment{}, nil, fmt.Errorf("attachment %d of break %d is not any more what was attached", id, breakID)
	}
	return found.Attachment, found.Content, nil
}

// baseName is what a file is called, without the folders that some browsers send along.
func baseName(name string) string {
	return strings.TrimSpace(name[strings.LastIndexAny(name, `/\`)+1:])
}

func checkAttachment(name string, sizeBytes int) error {
	refusal := ledger.Refuse(ledger.KindInvalid, "the file cannot be attached")
	switch {
	case !utf8.ValidString(name) || strings.ContainsFunc(name, misleads):
		refusal.At("file", "has a name with characters that do not show: give it another name")
	case strings.Trim(name, ". ") == "":
		refusal.At("file", "has no name: choose a file with one")
	case utf8.RuneCountInString(name) > maxAttachmentName:
		refusal.At("file", "has a name of more than %d characters: give it a shorter one", maxAttachmentName)
	}
	switch {
	case sizeBytes == 0:
		refusal.At("file", "is empty")
	case sizeBytes > MaxAttachmentBytes:
		refusal.At("file", "is larger than %d MiB", MaxAttachmentBytes>>20)
	}
	return refusal.OrNil()
}

// misleads reports whether a character could hide what a file is called: one that controls, or that turns the direction of reading.
func misleads(r rune) bool {
	return unicode.IsControl(r) || unicode.Is(unicode.Bidi_Control, r) || r == '\u2028' || r == '\u2029'
}

package templates

import (
	"strconv"
	"time"

	"daybook/store/ledger"
	"daybook/templates/ui"
)

// NoteForm is a small form of the page: a comment, an assignment, an attachment. Allowed says that the reader may send it.
type NoteForm struct {
	Form    string
	Allowed bool
	Text    string
	Message string
	Errors  []ledger.FieldError
}

// Attachment is a file that belongs to the break.
type Attachment struct {
	ID        int64
	Name      string
	SizeBytes int
	Hash      string
	By        string
	At        time.Time
}

// size writes a number of bytes as people read it.
func (a Attachment) size(f ui.Format) string {
	switch {
	case a.SizeBytes < 1<<10:
		return f.Plural(a.SizeBytes, "byte", "bytes")
	case a.SizeBytes < 1<<20:
		return f.Number((a.SizeBytes+1<<9)>>10) + " KiB"
	}
	tenths := (int64(a.SizeBytes)*10 + 1<<19) >> 20
	return f.Typed(tenths*10, "EUR") + " MiB"
}

// AttachmentURL is the address of a file of the break.
func (v Break) attachmentURL(a Attachment) string {
	return v.Book.BreakURL(v.ID, "attachments") + "/" + strconv.FormatInt(a.ID, 10)
}

func (v Break) attachmentsNote() string {
	if len(v.Attachments) == 0 {
		return ""
	}
	return "They stay as they are: none is ever changed or taken back"
}

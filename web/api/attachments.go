package api

import (
	"mime"
	"net/http"
	"net/url"
	"strconv"

	"github.com/labstack/echo/v4"

	"daybook/store"
	"daybook/store/ledger"
)

// attachment is a file of a break as it is listed; its content is at Content.
type attachment struct {
	ID          int64  `json:"id"`
	BreakID     int64  `json:"break_id"`
	Name        string `json:"name"`
	ContentType string `json:"content_type"`
	SizeBytes   int    `json:"size_bytes"`
	SHA256      string `json:"sha256"`
	By          string `json:"by"`
	At          string `json:"at"`
	Content     string `json:"content"`
}

func attachmentOf(book store.Book) func(store.Attachment) attachment {
	return func(a store.Attachment) attachment {
		return attachment{
			ID: a.ID, BreakID: a.BreakID, Name: a.Name, ContentType: a.ContentType, SizeBytes: a.SizeBytes, SHA256: a.Hash.String(), By: a.User, At: ledger.FormatInstant(a.At),
			Content: "/api/v1/books/" + url.PathEscape(book.Code) + "/breaks/" + strconv.FormatInt(a.BreakID, 10) + "/attachments/" + strconv.FormatInt(a.ID, 10),
		}
	}
}

func (a *api) listAttachments(c echo.Context, actor store.Actor) error {
	id, err := PathNumber(c, "id", "break")
	if err != nil {
		return err
	}
	if _, _, err := a.Store.Break(c.Request().Context(), actor, id); err != nil {
		return err
	}
	all, err := a.Store.Attachments(c.Request().Context(), actor, id)
	if err != nil {
		return err
	}
	return answer(c, http.StatusOK, listOf(all, false, attachmentOf(actor.Book), nil))
}

func (a *api) showAttachment(c echo.Context, actor store.Actor) error {
	id, err := PathNumber(c, "id", "break")
	if err != nil {
		return err
	}
	file, err := PathNumber(c, "attachment", "attachment")
	if err != nil {
		return err
	}
	found, content, err := a.Store.Attachment(c.Request().Context(), actor, id, file)
	if err != nil {
		return err
	}
	return SendAttachment(c, found, content)
}

// SendAttachment sends a file that somebody attached, to be stored and not shown: whatever it is, a browser runs nothing of it.
func SendAttachment(c echo.Context, a store.Attachment, content []byte) error {
	header := c.Response().Header()
	disposition := mime.FormatMediaType("attachment", map[string]string{"filename": a.Name})
	if disposition == "" {
		disposition = "attachment"
	}
	header.Set(echo.HeaderContentDisposition, disposition)
	header.Set("Content-Security-Policy", "sandbox; default-src 'none'")
	header.Set("X-Content-Type-Options", "nosniff")
	header.Set(echo.HeaderCacheControl, "no-store")
	return c.Blob(http.StatusOK, a.ContentType, content)
}

func (a *api) attachToBreak(c echo.Context, actor store.Actor) error {
	if err := actor.MayComment(); err != nil {
		return err
	}
	key, err := optionalKey(c)
	if err != nil {
		return err
	}
	id, err := PathNumber(c, "id", "break")
	if err != nil {
		return err
	}
	if err := c.Request().ParseMultipartForm(formMemoryBytes); err != nil {
		return unreadableForm(err, "send the file as multipart/form-data with the field file")
	}
	sent := c.Request().MultipartForm
	done, err := a.Store.AdmitFile(c.Request().Context(), FileBytes(sent))
	if err != nil {
		return err
	}
	defer done()
	form := &form{values: sent.Value, fault: ledger.Refuse(ledger.KindInvalid, "the form has fields that cannot be read")}
	form.refuseUnknown()
	file := form.file(sent, "file")
	if len(form.fault.Fields) > 0 {
		return form.fault
	}
	content, err := readFile(file)
	if err != nil {
		return err
	}
	attached, duplicate, err := a.Store.AttachToBreak(c.Request().Context(), actor, key, id, file.Filename, content)
	if err != nil {
		return err
	}
	return created(c, duplicate, struct {
		attachment
		Duplicate bool `json:"duplicate"`
	}{attachmentOf(actor.Book)(attached), duplicate})
}

package web

import (
	"encoding/json"
	"net/http"

	"github.com/labstack/echo/v4"

	"daybook/recon/statement"
	"daybook/store"
	"daybook/store/ledger"
	"daybook/templates"
	"daybook/templates/ui"
)

const (
	// linesShown is how many of the lines that were not applied a page names.
	linesShown = 100
	// sessionFile is what came of the file of messages that was uploaded last, kept so that its page can be loaded again.
	sessionFile = "inbox-file"
)

// uploadedFile is what the session keeps: the key of the form that sent the file, and what came of it.
type uploadedFile struct {
	Key    string
	Result templates.InboxFileResult
}

// showInboxUpload is the form for a file. With the key of one that was uploaded, the page says what came of it, and the form has another key.
func (s *server) showInboxUpload(c echo.Context, actor store.Actor) error {
	if err := actor.Need(store.RightPost); err != nil {
		return err
	}
	view, err := s.inboxUploadView(c, actor, c.QueryParam("form"))
	if err != nil {
		return err
	}
	var last uploadedFile
	if json.Unmarshal([]byte(s.sessions.GetString(c.Request().Context(), sessionFile)), &last) == nil && last.Key == view.Form {
		view.Result, view.Form = &last.Result, newKey()
	}
	return render(c, http.StatusOK, templates.InboxUploadPage(view))
}

func (s *server) inboxUploadView(c echo.Context, actor store.Actor, key string) (templates.InboxUpload, error) {
	inbox := ui.Link{Text: "Inbox", Href: bookView(actor.Book).URL("inbox")}
	shell, err := s.shell(c, actor, below(templates.PageInbox, inbox, "Upload messages"))
	return templates.InboxUpload{Shell: shell, Form: key, LimitMB: statement.MaxFileBytes >> 20}, err
}

// uploadMessages delivers each line of a file. What was delivered before has no second effect, so that a file can be sent again whole.
func (s *server) uploadMessages(c echo.Context, actor store.Actor) error {
	if err := actor.Need(store.RightPost); err != nil {
		return err
	}
	f, err := readKeyedForm(c)
	if err != nil {
		return err
	}
	name, content, err := s.sentFile(c, statement.MaxFileBytes)
	if refusal, ok := typedWrong(err); ok {
		view, err := s.inboxUploadView(c, actor, f.key())
		if err != nil {
			return err
		}
		view.Message, view.Errors = messageOf(refusal), worded(refusal.Fields)
		return s.showAgain(c, refusal, templates.InboxUploadPage(view))
	}
	if err != nil {
		return err
	}
	result, err := s.Store.ReceiveFile(c.Request().Context(), actor, content)
	if err != nil {
		return err
	}
	text, err := json.Marshal(uploadedFile{Key: f.key(), Result: inboxFileResult(name, result)})
	if err != nil {
		return err
	}
	s.sessions.Put(c.Request().Context(), sessionFile, string(text))
	return seeOther(c, bookView(actor.Book).URL("inbox", "upload")+"?form="+f.key())
}

func inboxFileResult(name string, r store.InboxFileResult) templates.InboxFileResult {
	view := templates.InboxFileResult{
		FileName: name, Delivered: r.Delivered, Applied: r.Applied, Duplicates: r.Duplicates, Waiting: r.Waiting, Failed: r.Failed,
		More: max(r.Waiting+r.Failed-linesShown, 0),
	}
	for _, line := range r.Lines[:min(len(r.Lines), linesShown)] {
		shown := templates.InboxFileLine{Line: line.Line, Source: line.Source, ID: line.ID, Result: string(line.Result)}
		if line.Problem != nil {
			shown.Reason = problemText(line.Problem)
		}
		if line.Result == store.InboxRefused && ledger.KindOf(line.Problem) != ledger.KindMessageReused {
			shown.Source, shown.ID = "", "" // nothing was kept under them
		}
		view.Lines = append(view.Lines, shown)
	}
	return view
}

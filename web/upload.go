package web

import (
	"io"
	"mime/multipart"
	"net/http"
	"strings"

	"github.com/labstack/echo/v4"

	"daybook/recon/statement"
	"daybook/store"
	"daybook/store/ledger"
	"daybook/templates"
	"daybook/templates/ui"
	"daybook/web/api"
)

func (s *server) showUpload(c echo.Context, actor store.Actor) error {
	if err := actor.Need(store.RightUpload); err != nil {
		return err
	}
	view, err := s.uploadView(c, actor, c.QueryParam("form"), c.QueryParam("account"))
	if err != nil {
		return err
	}
	return render(c, http.StatusOK, templates.UploadPage(view))
}

// uploadView is the form for an account, "" before one was chosen.
func (s *server) uploadView(c echo.Context, actor store.Actor, key, account string) (templates.Upload, error) {
	statements := ui.Link{Text: "Statements", Href: bookView(actor.Book).URL("statements")}
	shell, err := s.shell(c, actor, below(templates.PageUpload, statements, "Upload"))
	if err != nil {
		return templates.Upload{}, err
	}
	accounts, more, err := s.statementAccounts(c, actor, account)
	if err != nil {
		return templates.Upload{}, err
	}
	view := templates.Upload{Shell: shell, Form: key, LimitMB: statement.MaxFileBytes >> 20, Account: account, Accounts: accounts, MoreAccounts: more}
	waiting, err := s.Store.WaitingDrafts(c.Request().Context(), actor)
	for _, d := range waiting {
		view.Waiting = append(view.Waiting, templates.WaitingDraft{ID: d.ID, Account: d.Account, FileName: d.FileName, Since: d.CreatedAt})
	}
	return view, err
}

// statementAccounts offers the accounts that take statements, the chosen one among them.
func (s *server) statementAccounts(c echo.Context, actor store.Actor, chosen string) (options []ui.Option, more bool, err error) {
	accounts, more, err := s.Store.StatementAccounts(c.Request().Context(), actor, chosen)
	for _, a := range accounts {
		options = append(options, ui.Option{Value: a.Code, Text: a.Code + " " + a.Name})
	}
	return options, more, err
}

func (s *server) uploadStatement(c echo.Context, actor store.Actor) error {
	if err := actor.Need(store.RightUpload); err != nil {
		return err
	}
	f, err := readKeyedForm(c)
	if err != nil {
		return err
	}
	done, err := s.Store.AdmitFile(c.Request().Context(), api.FileBytes(c.Request().MultipartForm))
	if err != nil {
		return err
	}
	defer done()
	upload, err := readUpload(c.Request().MultipartForm, f)
	if err != nil {
		return err
	}
	if refusal := f.refusal(); refusal != nil {
		return s.showTypedUpload(c, actor, f, upload.FileName, refusal)
	}
	started, err := s.Store.StartDraft(c.Request().Context(), actor, f.key(), upload)
	if refusal, ok := typedWrong(err); ok {
		return s.showTypedUpload(c, actor, f, upload.FileName, refusal)
	}
	if err != nil {
		return err
	}
	if started.Stored != nil {
		return seeOther(c, bookView(actor.Book).ReconciliationURL(started.Stored.ReconciliationID)+"?again=1")
	}
	if started.JobID != 0 {
		return seeOther(c, bookView(actor.Book).JobURL(started.JobID))
	}
	return seeOther(c, bookView(actor.Book).DraftURL(started.DraftID))
}

// tellOfUpload has the next page say what came of a file, as a warning where a person should look again.
func (s *server) tellOfUpload(c echo.Context, actor store.Actor, result store.UploadResult) error {
	elsewhere, err := s.Store.FileElsewhere(c.Request().Context(), actor, result.StatementID)
	if err != nil {
		return err
	}
	rows := templates.RowCounts(result.Rows)
	text := "The statement is stored and held against the journal.\n" + rows.Sentence(formatOf(actor))
	noLine := rows.New+rows.Known+rows.Duplicate == 0
	if noLine {
		text += " The file has no line that could be read: is it the right one?"
	}
	if len(elsewhere) > 0 {
		text += " The same file is stored for " + strings.Join(elsewhere, " and ") + " too: is the account right?"
	}
	if noLine || rows.Rejected > 0 || len(elsewhere) > 0 {
		s.warn(c, text)
		return nil
	}
	s.tell(c, text)
	return nil
}

// outsideThePeriod completes what the rules say of a line: the form has told which days were given.
func outsideThePeriod(refusal *ledger.Error) *ledger.Error {
	for i, fault := range refusal.Fields {
		if fault.Field == "period_to" {
			refusal.Fields[i].Detail += ", outside the period you gave"
		}
	}
	return refusal
}

// readUpload takes the file and what goes with it out of the form.
func readUpload(sent *multipart.Form, f *form) (store.Upload, error) {
	upload := store.Upload{Account: f.text("account")}
	upload.PeriodFrom, upload.PeriodTo = f.period()
	if upload.Account == "" {
		f.faults = append(f.faults, ledger.FieldError{Field: "account", Detail: "Choose the account that the statement is of"})
	}
	if sent == nil || len(sent.File["file"]) == 0 {
		f.faults = append(f.faults, ledger.FieldError{Field: "file", Detail: "Choose the file of the bank"})
		return upload, nil
	}
	if len(sent.File["file"]) > 1 {
		f.faults = append(f.faults, ledger.FieldError{Field: "file", Detail: "Send one file at a time"})
		return upload, nil
	}
	header := sent.File["file"][0]
	if upload.FileName = header.Filename; ledger.CheckText("file", header.Filename, true) != nil || !storable(header.Filename) {
		f.faults = append(f.faults, ledger.FieldError{Field: "file", Detail: "Give the file a name of ordinary characters"})
		return upload, nil
	}
	file, err := header.Open()
	if err != nil {
		return upload, err
	}
	defer file.Close()
	upload.Data = make([]byte, header.Size) // the body is bounded
	_, err = io.ReadFull(file, upload.Data)
	return upload, err
}

// period reads the days that a statement is said to speak for, both or neither.
func (f *form) period() (from, to ledger.Date) {
	from, to = f.date("period_from"), f.date("period_to")
	switch {
	case (f.text("period_from") == "") != (f.text("period_to") == ""):
		f.faults = append(f.faults, ledger.FieldError{Field: "period_from", Detail: "Give both days or neither"})
	case !to.IsZero() && to.Before(from):
		f.faults = append(f.faults, ledger.FieldError{Field: "period_from", Detail: "The first day is after the last"})
	}
	return from, to
}

// showTypedUpload shows the form with what was typed and why the file was refused. The file itself has to be chosen
// again: no browser keeps it.
func (s *server) showTypedUpload(c echo.Context, actor store.Actor, f *form, fileName string, refusal *ledger.Error) error {
	view, err := s.uploadView(c, actor, f.key(), f.text("account"))
	if err != nil {
		return err
	}
	view.PeriodFrom, view.PeriodTo = f.raw("period_from"), f.raw("period_to")
	if refusal.Kind == ledger.KindStatementRefused {
		class, _ := refusal.Extra["error_class"].(string)
		row, _ := refusal.Extra["row"].(int)
		view.Refusal = &templates.StatementRefusal{FileName: fileName, ErrorClass: class, Row: row, Detail: sentence(refusal.Message)}
		return s.showAgain(c, refusal, templates.UploadPage(view))
	}
	view.Message, view.Errors = messageOf(refusal), worded(refusal.Fields)
	if refusal.Kind == ledger.KindKeyReused {
		view.Form = newKey()
		view.Message, view.Errors = "This form has uploaded another file before. Choose the file again: the form has a new key now.", nil
	}
	return s.showAgain(c, refusal, templates.UploadPage(view))
}

package api

import (
	"errors"
	"io"
	"maps"
	"math"
	"mime/multipart"
	"net/http"
	"net/url"
	"slices"
	"strconv"

	"github.com/labstack/echo/v4"

	"daybook/recon/statement"
	"daybook/store"
	"daybook/store/ledger"
)

// formMemoryBytes is what of an uploaded form is held in memory; the rest goes to a file that the server removes.
const formMemoryBytes = 1 << 20

type upload struct {
	StatementID      int64     `json:"statement_id"`
	ReconciliationID int64     `json:"reconciliation_id"`
	Duplicate        bool      `json:"duplicate"`
	Profile          *profile  `json:"profile"`
	Rows             rowCounts `json:"rows"`
	Rejects          []reject  `json:"rejects"`
	InDoubt          []inDoubt `json:"in_doubt"`
	Follows          *follows  `json:"follows"`
}

// profile is the version of a profile that a file was read under.
type profile struct {
	Name    string `json:"name"`
	Version int    `json:"version"`
}

type rowCounts struct {
	New       int `json:"new"`
	Known     int `json:"known"`
	Duplicate int `json:"duplicate"`
	Rejected  int `json:"rejected"`
	Skipped   int `json:"skipped"`
}

type reject struct {
	Row    int    `json:"row"`
	Reason string `json:"reason"`
	Detail string `json:"detail"`
}

// inDoubt is a known row that may be one more, equal to a stored line.
type inDoubt struct {
	Row         int    `json:"row"`
	StatementID int64  `json:"statement_id"`
	Detail      string `json:"detail"`
}

// follows is how a statement follows the one before it. OpeningDiffers is null where one of the balances is not known.
type follows struct {
	StatementID    int64  `json:"statement_id"`
	PeriodTo       string `json:"period_to"`
	GapDays        int    `json:"gap_days"`
	OverlapDays    int    `json:"overlap_days"`
	OpeningDiffers *int64 `json:"opening_differs_minor"`
}

func followsOf(c *store.Continuity) *follows {
	if c == nil {
		return nil
	}
	shown := &follows{StatementID: c.Dates.StatementID, PeriodTo: c.Dates.PreviousTo.String(), GapDays: c.Dates.GapDays, OverlapDays: c.Dates.OverlapDays}
	if differs, known := c.OpeningDiffers(); known {
		shown.OpeningDiffers = &differs
	}
	return shown
}

func (a *api) uploadStatement(c echo.Context, actor store.Actor) error {
	if err := actor.Need(store.RightUpload); err != nil {
		return err
	}
	key, err := optionalKey(c)
	if err != nil {
		return err
	}
	if err := c.Request().ParseMultipartForm(formMemoryBytes); err != nil {
		return unreadableForm(err, "send the statement as multipart/form-data with the fields file and account")
	}
	done, err := a.Store.AdmitFile(c.Request().Context(), FileBytes(c.Request().MultipartForm))
	if err != nil {
		return err
	}
	defer done()
	wanted, err := readUpload(c.Request().MultipartForm)
	if err != nil {
		return err
	}
	result, duplicate, err := a.Store.UploadStatement(c.Request().Context(), actor, key, wanted)
	if err != nil {
		return err
	}
	if result.JobID != 0 {
		c.Response().Header().Set(echo.HeaderLocation, "/api/v1/books/"+url.PathEscape(actor.Book.Code)+"/jobs/"+strconv.FormatInt(result.JobID, 10))
		return settled(c, http.StatusAccepted, duplicate, jobStarted{result.JobID, duplicate})
	}
	return created(c, duplicate, uploadOf(result, duplicate))
}

func uploadOf(result store.UploadResult, duplicate bool) upload {
	shown := upload{
		StatementID: result.StatementID, ReconciliationID: result.ReconciliationID, Duplicate: duplicate,
		Rows: rowCounts(result.Rows), Rejects: make([]reject, len(result.Rejects)), InDoubt: make([]inDoubt, len(result.InDoubt)), Follows: followsOf(result.Continuity),
	}
	if result.Profile != nil {
		shown.Profile = &profile{Name: result.Profile.Name, Version: result.Profile.Version}
	}
	for i, r := range result.Rejects {
		shown.Rejects[i] = reject{Row: r.Row, Reason: r.Reason, Detail: r.Detail}
	}
	for i, r := range result.InDoubt {
		shown.InDoubt[i] = inDoubt{Row: r.Row, StatementID: r.KnownBy, Detail: r.Detail}
	}
	return shown
}

// readUpload reads a form, as strictly as the bodies of other commands. Error: KindInvalid.
func readUpload(sent *multipart.Form) (store.Upload, error) {
	form := &form{values: sent.Value, fault: ledger.Refuse(ledger.KindInvalid, "the form has fields that cannot be read")}
	wanted := store.Upload{
		Account: form.required("account"), Profile: form.text("profile"), PeriodFrom: form.date("period_from"), PeriodTo: form.date("period_to"), Hints: form.hints("hint"), Include: form.rows("include"),
	}
	form.refuseUnknown("account", "period_from", "period_to", "hint", "profile", "include")
	file := form.file(sent, "file")
	if len(form.fault.Fields) > 0 {
		return store.Upload{}, form.fault
	}
	var err error
	wanted.FileName = file.Filename
	wanted.Data, err = readFile(file)
	return wanted, err
}

// FileBytes is the size of all files of a form.
func FileBytes(sent *multipart.Form) (size int64) {
	if sent == nil {
		return 0
	}
	for _, files := range sent.File {
		for _, file := range files {
			size += file.Size
		}
	}
	return size
}

func unreadableForm(err error, instead string) error {
	var tooLarge *http.MaxBytesError
	if errors.As(err, &tooLarge) {
		return err
	}
	refusal := ledger.Refuse(ledger.KindInvalid, "%s", instead)
	refusal.Err = err
	return refusal
}

func readFile(header *multipart.FileHeader) ([]byte, error) {
	file, err := header.Open()
	if err != nil {
		return nil, err
	}
	defer file.Close()
	data := make([]byte, header.Size) // the body is bounded
	_, err = io.ReadFull(file, data)
	return data, err
}

// form reads the fields of a multipart form, and collects what is wrong with them.
type form struct {
	values map[string][]string
	fault  *ledger.Error
}

func (f *form) text(name string) string {
	values := f.values[name]
	if len(values) == 0 {
		return ""
	}
	if len(values) > 1 {
		f.fault.At(name, "is given more than once")
	}
	if err := ledger.CheckText(name, values[0], false); err != nil {
		f.fault.At(name, "is too long or has characters that are not text")
	}
	return values[0]
}

func (f *form) required(name string) string {
	text := f.text(name)
	if text == "" {
		f.fault.At(name, "is missing")
	}
	return text
}

func (f *form) date(name string) ledger.Date {
	text := f.text(name)
	date, err := ledger.ParseDate(text)
	if text != "" && err != nil {
		f.fault.At(name, "%q is not a date: write it as YYYY-MM-DD", text)
	}
	return date
}

// hints reads the field that may come several times, each a hint as key=value.
func (f *form) hints(name string) statement.Hints {
	hints, err := statement.ParseHints(f.values[name])
	var refusal *ledger.Error
	if errors.As(err, &refusal) {
		f.fault.Fields = append(f.fault.Fields, refusal.Fields...)
	}
	return hints
}

// rows reads the field that may come several times, each the number of a row of the file.
func (f *form) rows(name string) []int {
	var rows []int
	for _, text := range f.values[name] {
		row, err := strconv.Atoi(text)
		if err != nil || row < 1 || row > math.MaxInt32 {
			f.fault.At(name, "%q is no row of a file", text)
			continue
		}
		rows = append(rows, row)
	}
	return rows
}

func (f *form) file(sent *multipart.Form, name string) *multipart.FileHeader {
	for _, other := range slices.Sorted(maps.Keys(sent.File)) {
		if other != name {
			f.fault.At(other, "is not a field of this request")
		}
	}
	files := sent.File[name]
	if len(files) != 1 {
		f.fault.At(name, "give one file, not %d", len(files))
		return nil
	}
	if err := ledger.CheckText(name, files[0].Filename, true); err != nil {
		f.fault.At(name, "needs a file name of ordinary characters")
	}
	return files[0]
}

func (f *form) refuseUnknown(known ...string) {
	for _, name := range slices.Sorted(maps.Keys(f.values)) {
		if !slices.Contains(known, name) {
			f.fault.At(name, "is not a field of this request")
		}
	}
}

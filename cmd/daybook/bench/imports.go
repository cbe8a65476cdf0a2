package bench

import (
	"bytes"
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"mime/multipart"
	"net/http"
	"time"

	"daybook/store"
	"daybook/store/ledger"
)

// ImportPlan says how long a statement is that is imported, against as many postings, and how often.
type ImportPlan struct{ Lines, Runs int }

// imported is a line of the output of Import: rows stored a second, by Daybook from the request until the last is committed, or by COPY of the same.
type imported struct {
	Bench     string  `json:"bench"`
	Writer    string  `json:"writer"`
	Lines     int     `json:"lines"`
	Rows      int64   `json:"rows"`
	Seconds   float64 `json:"seconds"`
	PerSecond float64 `json:"per_second"`
	ServerMiB int64   `json:"server_mib,omitempty"`
}

// Import uploads a statement over HTTP, has it matched with the journal, and stores the rows that came of that once more by COPY; each run is in a
// book of its own. It prints a line of JSON for each, and their ratio. The error is the first thing that could not be measured.
func Import(ctx context.Context, ground Ground, plan ImportPlan, out io.Writer) (err error) {
	s := &suite{Ground: ground, Plan: Plan{Accounts: 2}, out: out, found: map[string]measurement{}, stages: map[string]*stage{}}
	server, err := ground.Serve(ctx, Daybook)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, server.Stop()) }()
	for run := range plan.Runs {
		if err := s.runImport(ctx, server, fmt.Sprint("import-", run+1), plan.Lines); err != nil {
			return err
		}
	}
	return nil
}

func (s *suite) runImport(ctx context.Context, server Server, name string, lines int) error {
	book, token, err := s.importBook(ctx, name, lines)
	if err != nil {
		return err
	}
	start := time.Now()
	if err := upload(ctx, "http://"+server.Address+"/api/v1/books/"+name, token, importFile(lines)); err != nil {
		return err
	}
	took := time.Since(start)
	memory := residentMiB(server.Process)
	rows, copied, err := s.Yardstick.CopyImport(ctx, book.ID)
	if err != nil {
		return fmt.Errorf("measure COPY: %w", err)
	}
	of := func(writer string, took time.Duration) imported {
		return imported{Bench: "import", Writer: writer, Lines: lines, Rows: rows, Seconds: rounded(took.Seconds()), PerSecond: rounded(float64(rows) / took.Seconds())}
	}
	ours, theirs := of(Daybook, took), of("copy", copied)
	ours.ServerMiB = memory
	return errors.Join(s.say(ours), s.say(theirs), s.atLeast(0.4, "import/copy of the rows that it stored", ours.PerSecond, theirs.PerSecond))
}

// importBook is a book with as many postings of its bank account as the statement will have lines.
func (s *suite) importBook(ctx context.Context, name string, lines int) (store.Book, string, error) {
	book, err := s.Books.AddBook(ctx, name, "Bench of imports", "EUR")
	if err != nil {
		return book, "", err
	}
	user, err := s.Books.AddUser(ctx, name+"@bench.test", name, rand.Text())
	if err != nil {
		return book, "", err
	}
	if err := s.Books.GrantRole(ctx, book, user.ID, store.Preparer); err != nil {
		return book, "", err
	}
	actor, err := s.Books.Actor(ctx, user.ID, name)
	if err != nil {
		return book, "", err
	}
	for _, account := range []ledger.Account{{Code: "bank", Name: "Bank", Type: ledger.Asset, Currency: "EUR"}, {Code: "customers", Name: "Customers", Type: ledger.Liability, Currency: "EUR"}} {
		if _, err := s.Books.AddAccount(ctx, book, account); err != nil {
			return book, "", err
		}
	}
	const atOnce = 5000
	for from := 0; from < lines; from += atOnce {
		var entries []ledger.Entry
		for i := from; i < min(from+atOnce, lines); i++ {
			entries = append(entries, importEntry(i))
		}
		if err := s.Books.PostEntries(ctx, actor, entries); err != nil {
			return book, "", fmt.Errorf("fill the book: %w", err)
		}
	}
	_, token, err := s.Books.AddToken(ctx, book, user.ID, "bench", nil, time.Time{}, "")
	return book, token, err
}

func importDay(i int) string  { return fmt.Sprintf("2026-%02d-%02d", 1+i%3, 1+i/3%28) }
func importMinor(i int) int64 { return int64(100 + i*7919%100_000) }

func importEntry(i int) ledger.Entry {
	minor := importMinor(i)
	return ledger.Entry{
		TxID: fmt.Sprint("payment-", i), EffectiveOn: ledger.MustDate(importDay(i)), Description: fmt.Sprint("Payment of customer ", i%500),
		Metadata: map[string]string{"reference": fmt.Sprint("INV-", i)},
		Postings: []ledger.Posting{{Account: "bank", AmountMinor: minor, Currency: "EUR"}, {Account: "customers", AmountMinor: -minor, Currency: "EUR"}},
	}
}

// importFile is the bank's side: of a hundred lines 96 agree, two have no reference, one differs by a fee and one is known by another name.
func importFile(lines int) []byte {
	var file bytes.Buffer
	file.WriteString("Date,Amount,Reference,Description\n")
	for i := range lines {
		minor, reference := importMinor(i), fmt.Sprint("INV-", i)
		switch i % 100 {
		case 7, 57:
			reference = ""
		case 11:
			minor += 35
		case 23:
			reference = fmt.Sprint("other-", i)
		}
		fmt.Fprintf(&file, "%s,%d.%02d,%s,Incoming payment of customer %d\n", importDay(i), minor/100, minor%100, reference, i%500)
	}
	return file.Bytes()
}

// upload sends a statement and returns when it is stored, by a job where it is long.
func upload(ctx context.Context, book, token string, file []byte) error {
	var body bytes.Buffer
	form := multipart.NewWriter(&body)
	part, err := form.CreateFormFile("file", "bench.csv")
	if err == nil {
		_, err = part.Write(file)
	}
	if err = errors.Join(err, form.WriteField("account", "bank"), form.WriteField("period_from", "2026-01-01"), form.WriteField("period_to", "2026-03-31"), form.Close()); err != nil {
		return err
	}
	answer, err := ask(ctx, http.MethodPost, book+"/statements", token, form.FormDataContentType(), &body)
	for err == nil && answer.StatementID == 0 {
		if answer.State != "" && answer.State != "waiting" && answer.State != "running" {
			if answer.State == "done" {
				return nil
			}
			return fmt.Errorf("the job that stores the statement is %s", answer.State)
		}
		job := answer.JobID
		select {
		case <-time.After(20 * time.Millisecond):
		case <-ctx.Done():
			return ctx.Err()
		}
		answer, err = ask(ctx, http.MethodGet, fmt.Sprint(book, "/jobs/", job), token, "", nil)
		answer.JobID = job
	}
	return err
}

// importAnswer is what is told of an upload, or of the job that stores it.
type importAnswer struct {
	StatementID int64  `json:"statement_id"`
	JobID       int64  `json:"job_id"`
	State       string `json:"state"`
}

func ask(ctx context.Context, method, address, token, contentType string, body io.Reader) (answer importAnswer, err error) {
	request, err := http.NewRequestWithContext(ctx, method, address, body)
	if err != nil {
		return answer, err
	}
	request.Header.Set("Authorization", "Bearer "+token)
	if contentType != "" {
		request.Header.Set("Content-Type", contentType)
	}
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		return answer, err
	}
	defer response.Body.Close()
	text, err := io.ReadAll(response.Body)
	if err != nil {
		return answer, err
	}
	if response.StatusCode >= http.StatusMultipleChoices {
		return answer, fmt.Errorf("%s %s answered %d: %s", method, address, response.StatusCode, text)
	}
	return answer, json.Unmarshal(text, &answer)
}

package store_test

import (
	"errors"
	"fmt"
	"reflect"
	"strings"
	"testing"
	"time"

	"daybook/recon/statement"
	"daybook/store"
	"daybook/store/ledger"
)

// unknown is a file of a bank that nobody knows: its header says nothing, and its dates may be of either order.
func unknown(rows ...string) []byte {
	return []byte("Huhr;Zzam;Qwer\n" + strings.Join(rows, "\n") + "\n")
}

// start starts a draft of the preparer for 1010 and gives its number.
func (b bundle) start(t *testing.T, data []byte, options ...func(*store.Upload)) int64 {
	t.Helper()
	upload := store.Upload{Account: "1010", FileName: "statement.csv", Data: data}
	for _, option := range options {
		option(&upload)
	}
	started, err := b.StartDraft(t.Context(), b.preparer, "", upload)
	ok(t, err)
	if started.DraftID == 0 || started.Stored != nil {
		t.Fatalf("no draft was started: %+v", started)
	}
	return started.DraftID
}

func (b bundle) preview(t *testing.T, id int64) store.Preview {
	t.Helper()
	p, err := b.PreviewDraft(t.Context(), b.preparer, id, store.PreviewWindow{})
	ok(t, err)
	return p
}

// tell changes a draft as its page does: with all that is said about it.
func (b bundle) tell(t *testing.T, id int64, told statement.Hints, options ...func(*store.DraftChange)) store.Preview {
	t.Helper()
	shown := b.preview(t, id)
	change := store.DraftChange{Version: shown.Version, Account: shown.Account.Code, Told: told, Profile: store.NoProfile}
	if shown.Profile != nil {
		change.Profile = shown.Profile.Name
	}
	for _, option := range options {
		option(&change)
	}
	_, err := b.ChangeDraft(t.Context(), b.preparer, id, change)
	ok(t, err)
	return b.preview(t, id)
}

// confirm stores a draft as it is, and remembers how it was read under a name unless that is empty.
func (b bundle) confirm(t *testing.T, id int64, name string) store.UploadResult {
	t.Helper()
	result, duplicate, err := b.ConfirmDraft(t.Context(), b.preparer, "", id, store.DraftConfirm{Version: b.preview(t, id).Version, Remember: name != "", ProfileName: name})
	ok(t, err)
	if duplicate {
		t.Fatal("a new file is taken for one that came before")
	}
	return result
}

func (b bundle) counts(t *testing.T, tables ...string) string {
	t.Helper()
	var counts []string
	for _, table := range tables {
		counts = append(counts, table+" "+b.column(t, "SELECT count(*)::text FROM "+table)[0])
	}
	return strings.Join(counts, ", ")
}

func TestDraft_SecondMonthOfABankNeedsNoQuestion(t *testing.T) {
	t.Parallel()
	b := setup(t)
	march := b.start(t, unknown("03/02/2026;1.250;rent", "03/04/2026;2.500;food"))
	if p := b.preview(t, march); p.Question == nil || p.Question.Hint != "date_format" || p.Refusal == nil || p.Readable {
		t.Fatalf("asked %+v, refused %v", p.Question, p.Refusal)
	}
	p := b.tell(t, march, statement.Hints{"date_format": "mm/dd/yyyy", "amount_column": "#2", "description_column": "#3", "decimal": ","})
	if p.Refusal != nil || p.Rows != (store.RowCounts{New: 2}) || p.FirstLine.AmountMinor != 125000 || !reflect.DeepEqual(p.FirstCells, []string{"03/02/2026", "1.250", "rent"}) {
		t.Fatalf("refused %v, rows %+v, line %+v, cells %q", p.Refusal, p.Rows, p.FirstLine, p.FirstCells)
	}
	if got := b.counts(t, "statements", "statement_lines", "statement_profiles", "matches", "reconciliations"); got != "statements 0, statement_lines 0, statement_profiles 0, matches 0, reconciliations 0" {
		t.Errorf("before it is confirmed: %s", got)
	}
	b.confirm(t, march, "Bank of Nowhere")

	april := b.start(t, unknown("04/02/2026;3.750;rent", "04/05/2026;1.000;food"))
	p = b.preview(t, april)
	if p.Question != nil || p.Refusal != nil || p.Profile == nil || p.Profile.Name != "Bank of Nowhere" || p.Rows.New != 2 ||
		p.FirstLine.Date != ledger.MustDate("2026-04-02") || p.FirstLine.AmountMinor != 375000 || p.FirstLine.Description != "rent" {
		t.Errorf("asked %+v, refused %v, profile %+v, line %+v", p.Question, p.Refusal, p.Profile, p.FirstLine)
	}
	b.confirm(t, april, "")
	recorded := b.column(t, `SELECT concat(id, ' ', profile_id, ' ', profile_version) FROM statements ORDER BY id`)
	if !reflect.DeepEqual(recorded, []string{"1 1 1", "2 1 1"}) {
		t.Errorf("statements and their profiles are %q", recorded)
	}
}

func TestDraft_PreviewIsWhatConfirmingStores(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.upload(t, csv("2026-03-02,10.00,t1", "2026-03-03,-2.80,", "2026-03-03,-2.80,"))
	for i, data := range [][]byte{
		csv("2026-03-03,-2.80,", "2026-03-03,-2.80,", "2026-03-03,-2.80,", "2026-03-04,5.00,t2", "2026-03-05,x,t3", "2026-03-06,1.234,t4"),
		[]byte("Date,Amount,Transaction ID,Description\n2026-03-07,1.00,bank-1,a\n2026-03-07,1.00,bank-1,a\nTotal,2.00,,\n2026-03-08,1.00,bank-2,b\n,,,more of b\n"),
		csv("2026-03-02,10.00,t1"),
	} {
		id := b.start(t, data)
		shown := b.preview(t, id)
		result := b.confirm(t, id, "")
		if shown.Rows != result.Rows || shown.Refusal != nil {
			t.Errorf("file %d: shown %+v, stored %+v", i, shown.Rows, result.Rows)
		}
		lines, _, err := b.StatementLines(t.Context(), b.viewer, result.StatementID, 0, 0)
		ok(t, err)
		var seen, stored []string
		for _, row := range shown.Shown {
			seen = append(seen, fmt.Sprint(row.Row, row.Line.Date, row.Line.AmountMinor, row.Line.Description, row.Raw))
		}
		for _, line := range lines {
			stored = append(stored, fmt.Sprint(line.Row, line.BookedOn, line.AmountMinor, line.Description, line.Raw))
		}
		if !reflect.DeepEqual(seen, stored) {
			t.Errorf("file %d: shown\n%q, stored\n%q", i, seen, stored)
		}
	}
}

func TestDraft_IsItsUploadersAlone(t *testing.T) {
	t.Parallel()
	b := setup(t)
	id := b.start(t, csv("2026-03-02,10.00,t1"))
	_, err := b.StartDraft(t.Context(), b.approver, "", store.Upload{Account: "1010", Data: csv("2026-03-02,10.00,t1")})
	refused(t, err, ledger.KindForbidden)
	_, err = b.PreviewDraft(t.Context(), b.controller, id, store.PreviewWindow{})
	refused(t, err, ledger.KindNotFound)
	_, err = b.ChangeDraft(t.Context(), b.controller, id, store.DraftChange{Version: 1, Account: "1010"})
	refused(t, err, ledger.KindNotFound)
	_, _, err = b.ConfirmDraft(t.Context(), b.controller, "", id, store.DraftConfirm{Version: 1})
	refused(t, err, ledger.KindNotFound)
	_, err = b.DraftRows(t.Context(), b.controller, id, store.RowNew)
	refused(t, err, ledger.KindNotFound)
	refused(t, b.DiscardDraft(t.Context(), b.controller, id), ledger.KindNotFound)
	b.preview(t, id)
	ok(t, b.DiscardDraft(t.Context(), b.preparer, id))
	_, err = b.PreviewDraft(t.Context(), b.preparer, id, store.PreviewWindow{})
	refused(t, err, ledger.KindNotFound)
}

func TestStartDraft_RefusesWhatNothingCanBeToldAbout(t *testing.T) {
	t.Parallel()
	b := setup(t)
	for name, test := range map[string]struct {
		upload store.Upload
		want   ledger.Kind
	}{
		"Empty":          {store.Upload{Account: "1010"}, ledger.KindStatementRefused},
		"Zip":            {store.Upload{Account: "1010", Data: []byte("PK\x03\x04 Date,Amount\n")}, ledger.KindStatementRefused},
		"NULs":           {store.Upload{Account: "1010", Data: []byte("Date,Amount\n2026-03-02,\x001\n")}, ledger.KindStatementRefused},
		"Prose":          {store.Upload{Account: "1010", Data: []byte("Dear customer\nplease find nothing enclosed\n")}, ledger.KindStatementRefused},
		"OpenQuote":      {store.Upload{Account: "1010", Data: []byte("Date,Amount\n2026-03-02,\"1\n2026-03-03,2\n")}, ledger.KindStatementRefused},
		"UnknownAccount": {store.Upload{Account: "x", Data: csv("2026-03-04,10.00,a")}, ledger.KindUnknownAccount},
		"IncomeAccount":  {store.Upload{Account: "revenue:fees", Data: csv("2026-03-04,10.00,a")}, ledger.KindInvalid},
		"HalfAPeriod":    {store.Upload{Account: "1010", Data: csv("2026-03-04,10.00,a"), PeriodFrom: ledger.MustDate("2026-03-01")}, ledger.KindInvalid},
		"UnknownHint":    {store.Upload{Account: "1010", Data: csv("2026-03-04,10.00,a"), Hints: statement.Hints{"colour": "red"}}, ledger.KindInvalid},
		"NoSuchColumn":   {store.Upload{Account: "1010", Data: csv("2026-03-04,10.00,a"), Hints: statement.Hints{"date_column": "x"}}, ledger.KindInvalid},
		"UnknownProfile": {store.Upload{Account: "1010", Data: csv("2026-03-04,10.00,a"), Profile: "Nordbank"}, ledger.KindInvalid},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := b.StartDraft(t.Context(), b.preparer, "key", test.upload)
			refused(t, err, test.want)
		})
	}
	if got := b.counts(t, "statement_drafts"); got != "statement_drafts 0" {
		t.Errorf("after refusals there are %s", got)
	}
}

func TestStartDraft_OfAStoredFileLeadsToItsStatement(t *testing.T) {
	t.Parallel()
	b := setup(t)
	data := csv("2026-03-02,10.00,t1")
	stored := b.upload(t, data)
	started, err := b.StartDraft(t.Context(), b.preparer, "key", store.Upload{Account: "1010", FileName: "again.csv", Data: data})
	ok(t, err)
	if started.DraftID != 0 || started.Stored == nil || started.Stored.ReconciliationID != stored.ReconciliationID {
		t.Errorf("started %+v", started)
	}
	id := b.start(t, data, func(u *store.Upload) { u.Account = "customer:bob" })
	if p := b.preview(t, id); !reflect.DeepEqual(p.Elsewhere, []string{"1010"}) || p.Stored != nil {
		t.Errorf("the file is elsewhere in %q, stored as %+v", p.Elsewhere, p.Stored)
	}
}

func TestStartDraft_UnderItsFormsKeyStartsOne(t *testing.T) {
	t.Parallel()
	b := setup(t)
	upload := store.Upload{Account: "1010", FileName: "a.csv", Data: csv("2026-03-02,10.00,t1")}
	first, err := b.StartDraft(t.Context(), b.preparer, "form", upload)
	ok(t, err)
	again, err := b.StartDraft(t.Context(), b.preparer, "form", upload)
	ok(t, err)
	if first.DraftID != again.DraftID || b.counts(t, "statement_drafts") != "statement_drafts 1" {
		t.Errorf("started %d, then %d", first.DraftID, again.DraftID)
	}
}

func TestStartDraft_ClearsAwayOldDrafts(t *testing.T) {
	t.Parallel()
	b := setup(t)
	old := b.start(t, csv("2026-03-02,10.00,old"))
	b.clock.advance(store.DraftLife)
	_, err := b.PreviewDraft(t.Context(), b.preparer, old, store.PreviewWindow{})
	refused(t, err, ledger.KindNotFound)
	_, _, err = b.ConfirmDraft(t.Context(), b.preparer, "", old, store.DraftConfirm{Version: 1})
	refused(t, err, ledger.KindNotFound)
	started, err := b.StartDraft(t.Context(), b.controller, "", store.Upload{Account: "1010", FileName: "a.csv", Data: csv("2026-03-02,10.00,other")})
	ok(t, err)
	if got := b.column(t, `SELECT id::text FROM statement_drafts`); !reflect.DeepEqual(got, []string{fmt.Sprint(started.DraftID)}) {
		t.Errorf("after a day there are drafts %q", got)
	}
	var ids []string
	for i := range store.DraftsAPerson + 3 {
		ids = append(ids, fmt.Sprint(b.start(t, csv(fmt.Sprintf("2026-03-02,10.00,t%d", i)))))
		b.clock.advance(time.Minute)
	}
	if got := b.column(t, `SELECT id::text FROM statement_drafts WHERE user_id <> `+fmt.Sprint(b.controller.UserID)+` ORDER BY statement_drafts.id`); !reflect.DeepEqual(got, ids[3:]) {
		t.Errorf("of %d there are drafts %q", len(ids), got)
	}
	_, err = b.PreviewDraft(t.Context(), b.controller, started.DraftID, store.PreviewWindow{})
	ok(t, err)
}

func TestChangeDraft_KeepsTheDraftWhenSomethingCannotBeUsed(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.open(t, "1030", ledger.Asset)
	_, err := b.CloseAccount(t.Context(), b.admin, "", "1030")
	ok(t, err)
	id := b.start(t, csv("2026-03-02,10.00,t1"))
	good := store.DraftChange{Version: 1, Account: "1010", Told: statement.Hints{"decimal": "."}}
	for field, spoil := range map[string]func(*store.DraftChange){
		"version":          func(c *store.DraftChange) { c.Version = 7 },
		"profile":          func(c *store.DraftChange) { c.Profile = "Nordbank" },
		"period_from":      func(c *store.DraftChange) { c.PeriodTo = ledger.MustDate("2026-03-31") },
		"hint.decimal":     func(c *store.DraftChange) { c.Told = statement.Hints{"decimal": ";"} },
		"hint.date_column": func(c *store.DraftChange) { c.Told = statement.Hints{"date_column": "#12"} },
		"hint.header_row":  func(c *store.DraftChange) { c.Told = statement.Hints{"header_row": "12"} },
		"account":          func(c *store.DraftChange) { c.Account = "revenue:fees" },
	} {
		change := good
		spoil(&change)
		_, err := b.ChangeDraft(t.Context(), b.preparer, id, change)
		refused(t, err, ledger.KindInvalid)
		var refusal *ledger.Error
		if errors.As(err, &refusal); len(refusal.Fields) != 1 || refusal.Fields[0].Field != field {
			t.Errorf("for %s, at fault are %v", field, refusal.Fields)
		}
	}
	closed := good
	closed.Account = "1030"
	_, err = b.ChangeDraft(t.Context(), b.preparer, id, closed)
	refused(t, err, ledger.KindClosedAccount)
	if p := b.preview(t, id); p.Version != 1 || len(p.Told) != 0 {
		t.Errorf("the draft is now %+v", p.Draft)
	}
	version, err := b.ChangeDraft(t.Context(), b.preparer, id, good)
	ok(t, err)
	if p := b.preview(t, id); version != 2 || p.Version != 2 || p.Settings.By["decimal"] != statement.ByHint {
		t.Errorf("the draft is version %d: %+v", version, p.Draft)
	}
}

package store_test

import (
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"

	"daybook/store"
	"daybook/store/ledger"
)

// lined is a statement of 1010 with running balances: rows of "date,amount,reference,balance".
func lined(rows ...string) []byte {
	return []byte("Date,Amount,Reference,Balance\n" + strings.Join(rows, "\n") + "\n")
}

// newestFirst turns the rows of a file around.
func newestFirst(rows ...string) []string {
	slices.Reverse(rows)
	return rows
}

func including(rows ...int) func(*store.Upload) {
	return func(u *store.Upload) { u.Include = rows }
}

// stored gives the lines of the account, each as "date amount reference occurrence", in order.
func (b bundle) stored(t *testing.T) []string {
	t.Helper()
	return b.column(t, `SELECT concat_ws(' ', booked_on, amount_minor, nullif(reference, ''), '#' || occurrence) FROM statement_lines WHERE NOT undone ORDER BY booked_on, amount_minor, reference, occurrence`)
}

func TestUploadStatement_OverlapsInEveryOrderAndBounds(t *testing.T) {
	t.Parallel()
	coffee := "2026-03-03,-2.80,"
	for name, test := range map[string]struct {
		files [][]byte
		want  []store.RowCounts
	}{
		"ALaterFileThatBeginsBeforeTheLastDay": {[][]byte{
			csv("2026-03-02,10.00,a", coffee, coffee), csv("2026-03-02,10.00,a", coffee, coffee, coffee, "2026-03-04,5.00,b"),
		}, []store.RowCounts{{New: 3}, {New: 2, Known: 3}}},
		"AnEarlierFileAfterTheLater": {[][]byte{
			csv(coffee, coffee, "2026-03-04,5.00,b"), csv("2026-03-01,1.00,c", "2026-03-02,10.00,a", coffee, coffee),
		}, []store.RowCounts{{New: 3}, {New: 2, Known: 2}}},
		"AWiderFileNewestFirst": {[][]byte{
			csv("2026-03-02,10.00,a", coffee), csv(newestFirst("2026-03-01,1.00,c", "2026-03-02,10.00,a", coffee, coffee, "2026-03-04,5.00,b")...),
		}, []store.RowCounts{{New: 2}, {New: 3, Known: 2}}},
		"APartOfWhatIsStored": {[][]byte{
			csv("2026-03-02,10.00,a", coffee, coffee, "2026-03-04,5.00,b"), csv(coffee),
		}, []store.RowCounts{{New: 4}, {Known: 1}}},
		"GoesOnWithinTheDayByBalance": {[][]byte{
			lined("2026-03-02,10.00,a,110.00", "2026-03-03,-2.80,,107.20", "2026-03-03,-2.80,,104.40"),
			lined("2026-03-03,-2.80,,101.60", "2026-03-04,5.00,b,106.60"),
		}, []store.RowCounts{{New: 3}, {New: 2}}},
		"OverlapsWithinTheDayByBalance": {[][]byte{
			lined("2026-03-02,10.00,a,110.00", "2026-03-03,-2.80,,107.20", "2026-03-03,-2.80,,104.40"),
			lined(newestFirst("2026-03-03,-2.80,,104.40", "2026-03-03,-2.80,,101.60", "2026-03-04,5.00,b,106.60")...),
		}, []store.RowCounts{{New: 3}, {New: 2, Known: 1}}},
		"ABankThatPutALateLineBetween": {[][]byte{
			lined("2026-03-02,10.00,a,110.00", "2026-03-03,-2.80,,107.20"),
			lined("2026-03-02,10.00,a,110.00", "2026-03-02,50.00,late,160.00", "2026-03-03,-2.80,,157.20"),
		}, []store.RowCounts{{New: 2}, {New: 1, Known: 2}}},
		"GoesOnByTheOrderOfItsLines": {[][]byte{
			csv("2026-03-02,10.00,a", coffee, "2026-03-03,-9.00,lunch", coffee, "2026-03-03,-7.00,taxi"),
			csv(coffee, "2026-03-03,-7.00,taxi", coffee, "2026-03-04,5.00,b"),
		}, []store.RowCounts{{New: 5}, {New: 2, Known: 2}}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := setup(t)
			for i, data := range test.files {
				if got := b.upload(t, data); got.Rows != test.want[i] {
					t.Errorf("file %d: rows %+v, want %+v", i+1, got.Rows, test.want[i])
				}
			}
			before := b.stored(t)
			for i, data := range test.files {
				again := b.upload(t, append([]byte(nil), append(data, '\n')...))
				if again.Rows.New != 0 || again.Rows.Known != test.want[i].New+test.want[i].Known {
					t.Errorf("file %d again, with other bytes: rows %+v", i+1, again.Rows)
				}
			}
			if after := b.stored(t); !reflect.DeepEqual(after, before) {
				t.Errorf("what is stored went from %q to %q", before, after)
			}
		})
	}
}

func TestUploadStatement_WhatIsInDoubtCanBeIncluded(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.upload(t, csv("2026-03-02,10.00,a", "2026-03-03,-2.80,"))
	doubtful := csv("2026-03-03,-2.80,", "2026-03-04,5.00,b")
	_, _, err := b.UploadStatement(t.Context(), b.preparer, "", store.Upload{Account: "1010", Data: doubtful, Include: []int{3}})
	refused(t, err, ledger.KindInvalid)
	var refusal *ledger.Error
	if errors.As(err, &refusal); refusal.Fields[0].Field != "include" {
		t.Errorf("at fault are %v", refusal.Fields)
	}
	result := b.upload(t, doubtful, including(2))
	if result.Rows != (store.RowCounts{New: 2}) {
		t.Errorf("rows %+v", result.Rows)
	}
	if got, want := b.stored(t), []string{"2026-03-02 1000 a #1", "2026-03-03 -280 #1", "2026-03-03 -280 #2", "2026-03-04 500 b #1"}; !reflect.DeepEqual(got, want) {
		t.Errorf("stored are %q, want %q", got, want)
	}
	whole := b.upload(t, csv("2026-03-02,10.00,a", "2026-03-03,-2.80,", "2026-03-03,-2.80,", "2026-03-04,5.00,b", "2026-03-05,1.00,c"))
	if whole.Rows != (store.RowCounts{New: 1, Known: 4}) {
		t.Errorf("a file of all days has rows %+v", whole.Rows)
	}
	if got := b.column(t, `SELECT detail->>'included_rows' FROM audit_log WHERE action = 'statement.upload' AND detail ? 'included_rows'`); !reflect.DeepEqual(got, []string{"[2]"}) {
		t.Errorf("the audit log has %q", got)
	}
}

func TestDraft_WhatIsInDoubtIsShownAsKnownAndIncluded(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.upload(t, csv("2026-03-02,10.00,a", "2026-03-03,-2.80,"))
	id := b.start(t, csv("2026-03-03,-2.80,", "2026-03-04,5.00,b"))
	p, err := b.PreviewDraft(t.Context(), b.preparer, id, store.PreviewWindow{Class: store.RowKnown})
	ok(t, err)
	if p.Rows != (store.RowCounts{New: 1, Known: 1}) || len(p.Shown) != 1 || !p.Shown[0].MayBeNew || p.Shown[0].KnownBy != 1 || p.InDoubt != 1 {
		t.Errorf("rows %+v, known %+v, in doubt %d", p.Rows, p.Shown, p.InDoubt)
	}
	p = b.tell(t, id, nil, func(c *store.DraftChange) { c.Include = []int{2, 2} })
	if p.Rows != (store.RowCounts{New: 2}) || !reflect.DeepEqual(p.Included, []int{2}) || !p.Shown[0].Included || p.Shown[1].Included {
		t.Errorf("after one is included: rows %+v, included %v, shown %+v", p.Rows, p.Included, p.Shown)
	}
	result := b.confirm(t, id, "")
	if result.Rows != (store.RowCounts{New: 2}) {
		t.Errorf("stored %+v", result.Rows)
	}
}

func TestUploadStatement_KnowsLinesByAnOlderFormOfTheFingerprint(t *testing.T) {
	t.Parallel()
	b := setup(t)
	data := csv("2026-03-02,10.00,a", "2026-03-03,-2.80,", "2026-03-03,-2.80,")
	b.upload(t, data)
	b.sql(t, `ALTER TABLE statement_lines DISABLE TRIGGER statement_lines_kept`,
		`UPDATE statement_lines SET fingerprint_version = 0, fingerprint = sha256(fingerprint)`)
	wider := b.upload(t, csv("2026-03-02,10.00,a", "2026-03-03,-2.80,", "2026-03-03,-2.80,", "2026-03-03,-2.80,", "2026-03-04,5.00,b"))
	if wider.Rows != (store.RowCounts{New: 2, Known: 3}) {
		t.Errorf("rows %+v", wider.Rows)
	}
}

func TestUploadStatement_OverlappingFilesAtOnceStoreEachLineOnce(t *testing.T) {
	t.Parallel()
	b := setup(t)
	servers := []*store.Store{b.Store, b.another(t)}
	var rows []string
	for day := range 12 {
		for n := range 3 {
			rows = append(rows, fmt.Sprintf("2026-03-%02d,-2.80,%s", day+1, []string{"", "", "x"}[n]))
		}
	}
	errs := make([]error, 10)
	together(10, func(i int) {
		part := rows[3*i : 3*i+9]
		_, _, errs[i] = servers[i%2].UploadStatement(t.Context(), b.preparer, "", store.Upload{Account: "1010", Data: csv(part...)})
	})
	for _, err := range errs {
		ok(t, err)
	}
	if got := b.stored(t); len(got) != len(rows) {
		t.Errorf("of %d movements %d are stored: %q", len(rows), len(got), got)
	}
}

package store_test

import (
	"errors"
	"fmt"
	"reflect"
	"strings"
	"testing"

	"daybook/recon/statement"
	"daybook/store"
	"daybook/store/ledger"
)

// profiles gives "name version hints" of the profiles of 1010.
func (b bundle) profiles(t *testing.T) []string {
	t.Helper()
	items, err := b.Profiles(t.Context(), b.viewer, "1010")
	ok(t, err)
	var all []string
	for _, p := range items {
		all = append(all, fmt.Sprint(p.Name, " ", p.Version, " ", p.Hints))
	}
	return all
}

func TestProfile_ChangesAreVersions(t *testing.T) {
	t.Parallel()
	b := setup(t)
	dotted := func(day string) []byte { return csv(day+".03.2026,10.00,a", day+".03.2026,1.00,b") }
	b.confirm(t, b.start(t, dotted("01")), "Nordbank")
	b.confirm(t, b.start(t, dotted("02")), "Nordbank")
	if got := b.profiles(t); !reflect.DeepEqual(got, []string{"Nordbank 1 map[date_format:dd.mm.yyyy decimal:.]"}) {
		t.Errorf("saved twice alike: %q", got)
	}
	id := b.start(t, dotted("03"))
	b.tell(t, id, statement.Hints{"sign": "invert"})
	b.confirm(t, id, "NORDBANK")
	if got := b.profiles(t); !reflect.DeepEqual(got, []string{"NORDBANK 2 map[date_format:dd.mm.yyyy decimal:. sign:invert]"}) {
		t.Errorf("after a change: %q", got)
	}
	next := b.start(t, dotted("04"))
	if p := b.preview(t, next); p.Profile == nil || p.Profile.Version != 2 || p.FirstLine.AmountMinor != -1000 || p.ProfileName != "NORDBANK" {
		t.Errorf("the next file is read by %+v: %+v", p.Profile, p.FirstLine)
	}
	if p := b.tell(t, next, statement.Hints{"sign": ""}); p.FirstLine.AmountMinor != 1000 || p.Told["sign"] != "" || len(p.Told) != 1 {
		t.Errorf("with its sign taken away: %+v, told %v", p.FirstLine, p.Told)
	}
	if p := b.tell(t, next, nil, func(c *store.DraftChange) { c.Profile = store.NoProfile }); p.Profile != nil || p.FirstLine.AmountMinor != 1000 {
		t.Errorf("without a profile: %+v, %+v", p.Profile, p.FirstLine)
	}
	if p := b.tell(t, next, nil, func(c *store.DraftChange) { c.Profile = "nordbank" }); p.Profile == nil || p.FirstLine.AmountMinor != -1000 {
		t.Errorf("with it again: %+v, %+v", p.Profile, p.FirstLine)
	}
	b.confirm(t, next, "")
	if got := b.column(t, `SELECT concat(id, ' ', profile_version) FROM statements ORDER BY id`); !reflect.DeepEqual(got, []string{"1 1", "2 1", "3 2", "4 2"}) {
		t.Errorf("statements and the versions they were read by: %q", got)
	}
}

func TestProfile_IsOfItsAccount(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.confirm(t, b.start(t, unknown("03/14/2026;1,25;rent")), "Bank")
	id := b.start(t, unknown("03/04/2026;1,25;rent"), func(u *store.Upload) { u.Account = "customer:bob" })
	if p := b.preview(t, id); p.Profile != nil || p.Question == nil {
		t.Errorf("another account reads it by %+v", p.Profile)
	}
	found := func(c *store.DraftChange) { c.Account, c.Profile = "1010", "" }
	if p := b.tell(t, id, nil, found); p.Profile == nil || p.Question != nil {
		t.Errorf("its own account reads it by %+v", p.Profile)
	}
}

func TestProfile_IsKnownByItsHeaderWhereverItStands(t *testing.T) {
	t.Parallel()
	b := setup(t)
	march := b.start(t, []byte("When~What~Much\nx~y~z\n13/03/2026~rent~1,25\n"))
	b.tell(t, march, statement.Hints{"delimiter": "~", "header_row": "1", "date_column": "#1", "amount_column": "#3", "description_column": "#2"})
	b.confirm(t, march, "Tilde")
	april := b.start(t, []byte("A line above\n\nWhen~What~Much\n03/04/2026~rent~1,25\n"))
	if p := b.preview(t, april); p.Profile == nil || p.Settings.HeaderRow != 3 || p.Rows.New != 1 || p.FirstLine.Description != "rent" || p.Refusal != nil {
		t.Errorf("read by %+v, header in row %d, rows %+v, refused %v", p.Profile, p.Settings.HeaderRow, p.Rows, p.Refusal)
	}
	b.confirm(t, april, "Tilde")
	if got := b.column(t, `SELECT count(*)::text FROM statement_profiles`); got[0] != "1" {
		t.Errorf("a header in another row is another version: %s", got[0])
	}
}

func TestProfile_NeverMisreadsAFileInSilence(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.confirm(t, b.start(t, unknown("13/03/2026;1,25;rent", "03/03/2026;1,25;food")), "Bank")
	bare := b.start(t, []byte("13/03/2026;1,25;rent\n03/03/2026;9,25;food\n"))
	b.tell(t, bare, statement.Hints{"header_row": "0", "date_column": "#1", "amount_column": "#2"})
	b.confirm(t, bare, "Bare")
	for name, test := range map[string]struct {
		data           []byte
		profile        string
		class, because string
	}{
		"DatesOfTheOtherOrder": {unknown("04/13/2026;1,25;rent", "04/03/2026;1,25;food"), "", "inconsistent_date", "mm/dd/yyyy"},
		"OtherDecimalMark":     {unknown("13/04/2026;1.25;rent"), "", "ambiguous_decimal", "decimal sign"},
		"ColumnGone":           {[]byte("Huhr;Blah;Qwer\n13/04/2026;1,25;x\n"), "Bank", "malformed_csv", `no column named "Zzam"`},
		"ColumnsByTheirPlace":  {[]byte("Date;Valuta;Amount\n13/04/2026;14/04/2026;1,25\n"), "Bare", "malformed_csv", "by their place"},
	} {
		t.Run(name, func(t *testing.T) {
			started, err := b.StartDraft(t.Context(), b.preparer, "", store.Upload{Account: "1010", FileName: "a.csv", Data: test.data, Profile: test.profile})
			ok(t, err)
			p := b.preview(t, started.DraftID)
			if p.Refusal == nil || p.Refusal.Extra["error_class"] != test.class || !strings.Contains(p.Refusal.Message, test.because) || !strings.Contains(p.Refusal.Message, "does not fit") || p.Readable {
				t.Errorf("the page says %v", p.Refusal)
			}
			if len(p.Sample) == 0 {
				t.Error("the file is not shown")
			}
			_, _, err = b.ConfirmDraft(t.Context(), b.preparer, "", started.DraftID, store.DraftConfirm{Version: 1})
			refused(t, err, ledger.KindStatementRefused)
			_, _, err = b.UploadStatement(t.Context(), b.preparer, "", store.Upload{Account: "1010", Data: test.data, Profile: test.profile})
			refused(t, err, ledger.KindStatementRefused)
			none := b.tell(t, started.DraftID, nil, func(c *store.DraftChange) { c.Profile = store.NoProfile })
			if none.Profile != nil || none.Refusal != nil && strings.Contains(none.Refusal.Message, "profile") {
				t.Errorf("without a profile: %v", none.Refusal)
			}
		})
	}
}

func TestUploadStatement_TakesAProfile(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.confirm(t, b.start(t, unknown("03/14/2026;1,25;rent")), "Bank")
	upload := func(day string, options ...func(*store.Upload)) (string, error) {
		wanted := store.Upload{Account: "1010", FileName: "a.csv", Data: unknown("04/0" + day + "/2026;1,25;rent")}
		for _, option := range options {
			option(&wanted)
		}
		result, _, err := b.UploadStatement(t.Context(), b.preparer, "", wanted)
		if err != nil {
			return "", err
		}
		lines, _, err := b.StatementLines(t.Context(), b.viewer, result.StatementID, 0, 0)
		ok(t, err)
		return lines[0].BookedOn.String(), nil
	}
	profile := func(name string) func(*store.Upload) { return func(u *store.Upload) { u.Profile = name } }
	for name, test := range map[string]struct {
		day     string
		options []func(*store.Upload)
		want    string
		refused ledger.Kind
	}{
		"ByItsHeader":   {"1", nil, "2026-04-01", ""},
		"ByItsName":     {"2", []func(*store.Upload){profile("BANK")}, "2026-04-02", ""},
		"HintsWin":      {"3", []func(*store.Upload){func(u *store.Upload) { u.Hints = statement.Hints{"date_format": "dd/mm/yyyy"} }}, "2026-03-04", ""},
		"None":          {"6", []func(*store.Upload){profile("none")}, "", ledger.KindStatementRefused},
		"NoSuchProfile": {"5", []func(*store.Upload){profile("Other")}, "", ledger.KindInvalid},
	} {
		t.Run(name, func(t *testing.T) {
			got, err := upload(test.day, test.options...)
			if test.refused != "" {
				refused(t, err, test.refused)
			} else if ok(t, err); got != test.want {
				t.Errorf("read as %s, want %s", got, test.want)
			}
		})
	}
}

func TestProfile_NamesAreChecked(t *testing.T) {
	t.Parallel()
	b := setup(t)
	id := b.start(t, csv("2026-03-02,10.00,t1"))
	for _, name := range []string{"", "None", strings.Repeat("é", 101), "a\x00b"} {
		_, _, err := b.ConfirmDraft(t.Context(), b.preparer, "", id, store.DraftConfirm{Version: 1, Remember: true, ProfileName: name})
		var refusal *ledger.Error
		if !errors.As(err, &refusal) || refusal.Kind != ledger.KindInvalid || refusal.Fields[0].Field != "profile_name" {
			t.Errorf("%q: %v", name, err)
		}
	}
	b.confirm(t, id, strings.Repeat("é", 100))
}

package store_test

import (
	"bytes"
	"errors"
	"io"
	"strings"
	"testing"

	"daybook/store"
	"daybook/store/ledger"
)

// exportFault verifies an export, and gives the fault in words.
func exportFault(t *testing.T, export string, seal store.Seal) string {
	t.Helper()
	v, err := store.VerifyExport(strings.NewReader(export), seal)
	ok(t, err)
	if v.Fault == nil {
		return ""
	}
	return v.Fault.String()
}

func TestExport(t *testing.T) {
	t.Parallel()
	b := setupTampered(t)
	export := func(t *testing.T) (string, store.Seal, error) {
		t.Helper()
		var text bytes.Buffer
		seal, err := b.ExportBook(t.Context(), b.book, &text)
		return text.String(), seal, err
	}
	whole, seal, err := export(t)
	ok(t, err)
	if kept, err := b.SealBook(t.Context(), b.book); err != nil || kept != seal || strings.Count(whole, "\n") != 6 {
		t.Fatalf("exported with seal %+v, sealed %+v, %v:\n%s", seal, kept, err, whole)
	}
	if fault := exportFault(t, whole, seal); fault != "" {
		t.Fatalf("the book as it was recorded: %s", fault)
	}
	for _, c := range []struct {
		name, sql string
		rehash    int64
		want      string
	}{
		{"Amounts", `UPDATE postings SET amount_minor = sign(amount_minor) * 3051 WHERE seq = 1`, 0, "entry 1: is not what was recorded"},
		{"LastEntryWithItsHash", `UPDATE entries SET description = 'x' WHERE seq = 6`, 6, "entry 6: the seal has another hash"},
		{"EntryLess", `DELETE FROM entries WHERE seq = 3`, 0, "entry 3: is missing: the next one is entry 4"},
		{"Reversal", `UPDATE entries SET reverses = 1 WHERE seq = 4`, 4, "entry 4: is not the opposite of entry 1, which it reverses"},
	} {
		t.Run("ShowsWhatWasChangedSince"+c.name, func(t *testing.T) {
			b.run(t, c.sql)
			if c.rehash != 0 {
				b.rehash(t, c.rehash)
			}
			text, _, err := export(t)
			ok(t, err)
			if fault := exportFault(t, text, seal); !strings.HasPrefix(fault, c.want) {
				t.Errorf("found %q, want %q", fault, c.want)
			}
			b.restore(t)
		})
	}
	t.Run("RefusesWhatNoRecordCanBe", func(t *testing.T) {
		b.run(t, `DELETE FROM postings WHERE seq = 3 AND line = 2`)
		if _, _, err := export(t); err == nil || !strings.Contains(err.Error(), "entry 3 has 1 postings, and was recorded with 2") {
			t.Errorf("exported an entry without a posting: %v", err)
		}
		b.restore(t)
	})
	t.Run("LeavesTheBookUsableWhenNobodyTakesIt", func(t *testing.T) {
		away := errors.New("nobody is there")
		for _, begin := range []func(store.Seal) (io.Writer, error){
			func(store.Seal) (io.Writer, error) { return nil, away }, func(store.Seal) (io.Writer, error) { return failing{away}, nil },
		} {
			if err := b.Export(t.Context(), b.auditor, begin); !errors.Is(err, away) {
				t.Errorf("exported to nobody: %v", err)
			}
		}
		if v := b.verify(t); v.Fault != nil {
			t.Errorf("afterwards: %v", v.Fault)
		}
	})
	t.Run("IsForAuditors", func(t *testing.T) {
		for _, actor := range []store.Actor{b.viewer, b.controller, b.admin} {
			refused(t, b.Export(t.Context(), actor, nil), ledger.KindForbidden)
		}
	})
}

func TestExport_IsOfOneMoment(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.post(t, entry("t1"), entry("t2"))
	var text bytes.Buffer
	var seal store.Seal
	ok(t, b.Export(t.Context(), b.auditor, func(at store.Seal) (io.Writer, error) {
		seal = at
		b.post(t, entry("t3"))
		return &text, nil
	}))
	if fault := exportFault(t, text.String(), seal); fault != "" || seal.Seq != 2 || strings.Count(text.String(), "\n") != 2 {
		t.Errorf("sealed %+v, %s:\n%s", seal, fault, text.String())
	}
}

type failing struct{ err error }

func (f failing) Write([]byte) (int, error) { return 0, f.err }

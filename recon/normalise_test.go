package recon_test

import (
	"strings"
	"testing"

	"daybook/recon"
)

func TestNormaliseReference(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		raw, ref, part string
		batch          bool
	}{
		{raw: "Ref: inv 2026 0017 ", ref: "20260017"},
		{raw: "INV-2026-0017", ref: "20260017"},
		{raw: "EREF+INV20260018", ref: "20260018"},
		{raw: "inv/2026/0018", ref: "20260018"},
		{raw: "Invoice No. 0042", ref: "42"},
		{raw: "REFNR 0042", ref: "42"},
		{raw: "REFINV42", ref: "42"},
		{raw: "CHQ-1041", ref: "1041"},
		{raw: "1041", ref: "1041"},
		{raw: "RF18 5390 0754 7034", ref: "RF18539007547034"},
		{raw: "REFUND-12", ref: "REFUND12"},
		{raw: "INVESTMENT 7", ref: "INVESTMENT7"},
		{raw: "NOVA-1", ref: "NOVA1"},
		{raw: "exp 88", ref: "EXP88"},
		{raw: "000123", ref: "123"},
		{raw: "ＩＮＶ－００４２", ref: "42"},
		{raw: "Straße 5", ref: "STRASSE5"},
		{raw: "NONREF"}, {raw: "EREF+NOTPROVIDED"}, {raw: "Not provided"}, {raw: "n/a"}, {raw: "0000"}, {raw: " - "}, {raw: ""}, {raw: "REF"},
		{raw: "INV-300 1/2", ref: "300", part: "1/2"},
		{raw: "INV-300 (02/03)", ref: "300", part: "2/3"},
		{raw: "INV-300-2 / 2", ref: "300", part: "2/2"},
		{raw: "A/1/2", ref: "A12"},
		{raw: "A 3/2", ref: "A32"},
		{raw: "A 1/1", ref: "A11"},
		{raw: "A1/2", ref: "A12"},
		{raw: "1/2", ref: "12"},
		{raw: "INV-1/2", ref: "12"},
		{raw: "BATCH-7", ref: "BATCH7", batch: true},
		{raw: "eref+Sammler 0012", ref: "SAMMLER0012", batch: true},
		{raw: "PAYOUT/2026/03 1/2", ref: "PAYOUT202603", part: "1/2", batch: true},
		{raw: "Lot 5", ref: "LOT5", batch: true},
		{raw: "Lotus 5", ref: "LOTUS5"},
	} {
		ref, part, batch := recon.NormaliseReference(c.raw, recon.DefaultPrefixes())
		if ref != c.ref || part != c.part || batch != c.batch {
			t.Errorf("%q: got %q, %q, %v, want %q, %q, %v", c.raw, ref, part, batch, c.ref, c.part, c.batch)
		}
	}
}

func TestNormaliseReferenceTakesTheAccountsOwnPrefixes(t *testing.T) {
	t.Parallel()
	if ref, _, _ := recon.NormaliseReference("Kd-Nr 0077", []string{"kd-nr."}); ref != "77" {
		t.Errorf("got %q", ref)
	}
	if ref, _, _ := recon.NormaliseReference("INV-77", nil); ref != "INV77" {
		t.Errorf("got %q", ref)
	}
}

func FuzzNormaliseReference(f *testing.F) {
	for _, seed := range []string{"Ref: inv 2026 0017 ", "EREF+NOTPROVIDED", "INV-300 (1/2)", "ＩＮＶ０1", "ß/1/2", "BATCH 1", "REFREFREF0NO 1", "\xff\x00"} {
		f.Add(seed)
	}
	prefixes := recon.DefaultPrefixes()
	f.Fuzz(func(t *testing.T, raw string) {
		ref, part, batch := recon.NormaliseReference(raw, prefixes)
		if ref == "" && (part != "" || batch) {
			t.Fatalf("%q: a part or a batch of no reference", raw)
		}
		if strings.ContainsAny(ref, " -/+.:,()\t\n") {
			t.Fatalf("%q: %q has signs left", raw, ref)
		}
		if again, _, _ := recon.NormaliseReference(ref, prefixes); again != ref {
			t.Fatalf("%q: %q is not in its own form, which is %q", raw, ref, again)
		}
		if framed, _, _ := recon.NormaliseReference("  "+raw+" ", prefixes); framed != ref {
			t.Fatalf("%q: blanks around it give %q instead of %q", raw, framed, ref)
		}
	})
}

package ledger_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"testing"
	"time"

	"daybook/store/ledger"
)

// journal is a book of six entries: the second is reversed by the fourth and replaced by the fifth.
func journal(t testing.TB) []ledger.Record {
	t.Helper()
	entry := func(txID string, amount int64, metadata map[string]string) ledger.Entry {
		return ledger.Entry{TxID: txID, EffectiveOn: ledger.MustDate("2026-03-01"), Description: "Deposit “" + txID + "”", Metadata: metadata, Postings: []ledger.Posting{
			{Account: "1010", AmountMinor: amount, Currency: "EUR"}, {Account: "customer:alice", AmountMinor: -amount, Currency: "EUR"}}}
	}
	facts := ledger.Facts{
		Book: "main", Keys: map[string]ledger.KeyUse{}, TxIDs: map[string]ledger.TxIDUse{}, Closed: map[ledger.Period]bool{}, ReversedBy: map[int64]int64{},
		Totals: map[string]ledger.Turnover{}, Currencies: map[string]int64{},
		Accounts: map[string]ledger.Account{"1010": {ID: 1, Code: "1010", Currency: "EUR"}, "customer:alice": {ID: 2, Code: "customer:alice", Currency: "EUR"}},
	}
	commands := []ledger.Command{
		{Entry: entry("t1", 3050, nil), RecordedBy: 2},
		{Entry: entry("t2", 100, map[string]string{"channel": "card", "Quelle": "Käse \"x\" \\ \t<&>"}), RecordedBy: 2},
		{Entry: entry("t3", 7, nil), RecordedBy: 3},
		{Entry: entry("t2-rev", -100, nil), Kind: ledger.Reversal, Reverses: 2, ApprovalID: 1, Reason: "wrong", RecordedBy: 3},
		{Entry: entry("t2-fix", 90, nil), Kind: ledger.Replacement, Replaces: 2, ApprovalID: 1, Reason: "wrong", RecordedBy: 3},
		{Entry: entry("t6", 1, nil), RecordedBy: 2},
	}
	batch := ledger.Append(ledger.Head{Hash: ledger.GenesisHash}, facts, commands, time.Date(2026, 3, 31, 10, 0, 0, 123456000, time.UTC))
	for _, outcome := range batch.Outcomes {
		ok(t, outcome.Err)
	}
	return batch.Records
}

func ok(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func exportOf(records []ledger.Record) string {
	var b []byte
	for i := range records {
		b = records[i].AppendLine(b)
	}
	return string(b)
}

func sealOf(r ledger.Record) ledger.Head {
	return ledger.Head{Seq: r.Seq, Hash: r.Hash, RecordedAt: r.RecordedAt}
}

// chained gives changed records hashes that go with them, as a forger would who has the program.
func chained(records []ledger.Record) []ledger.Record {
	previous := ledger.GenesisHash
	for i := range records {
		records[i].PrevHash = previous
		records[i].Hash = records[i].ComputeHash()
		previous = records[i].Hash
	}
	return records
}

func verifyExport(t *testing.T, export string, seal ledger.Head) (int64, string) {
	t.Helper()
	end, fault, err := ledger.VerifyExport(strings.NewReader(export), "main", seal)
	ok(t, err)
	if fault == nil {
		return end.Seq, ""
	}
	return end.Seq, fmt.Sprintf("%d %s", fault.Seq, fault.What)
}

func TestVerifyExport_HoldsWhateverTheFormOfItsLines(t *testing.T) {
	t.Parallel()
	records := journal(t)
	whole := exportOf(records)
	var reordered strings.Builder
	for line := range strings.Lines(whole) {
		var members map[string]any
		decoder := json.NewDecoder(strings.NewReader(line))
		decoder.UseNumber()
		ok(t, decoder.Decode(&members))
		text, err := json.MarshalIndent(members, "", " ")
		ok(t, err)
		reordered.WriteString(strings.ReplaceAll(string(text), "\n", " ") + "\n")
	}
	for name, export := range map[string]string{
		"as it is": whole, "with CRLF": strings.ReplaceAll(whole, "\n", "\r\n"), "without its last line break": strings.TrimSuffix(whole, "\n"),
		"with a byte order mark": "\ufeff" + whole, "with empty lines": "\n" + strings.ReplaceAll(whole, "\n", "\n\n"), "written by another program": reordered.String(),
	} {
		if entries, fault := verifyExport(t, export, sealOf(records[5])); entries != 6 || fault != "" {
			t.Errorf("%s: %d entries, %s", name, entries, fault)
		}
	}
	if entries, fault := verifyExport(t, whole, sealOf(records[2])); entries != 6 || fault != "" {
		t.Errorf("held against an earlier seal: %d entries, %s", entries, fault)
	}
	if entries, fault := verifyExport(t, "", ledger.Head{Hash: ledger.GenesisHash}); entries != 0 || fault != "" {
		t.Errorf("an empty book: %d entries, %s", entries, fault)
	}
}

// TestVerifyExport_SeesEachByte changes every byte of an export, in several ways.
func TestVerifyExport_SeesEachByte(t *testing.T) {
	t.Parallel()
	records := journal(t)
	whole, seal := exportOf(records), sealOf(records[5])
	for at := range len(whole) {
		for _, flip := range []byte{0x01, 0x20} {
			changed := []byte(whole)
			changed[at] ^= flip
			if _, fault := verifyExport(t, string(changed), seal); fault == "" {
				t.Fatalf("byte %d changed from %q to %q is not seen: %.120s", at, whole[at], changed[at], whole[max(at-60, 0):])
			}
		}
		if at%7 == 0 && at < len(whole)-1 {
			if _, fault := verifyExport(t, whole[:at], seal); fault == "" {
				t.Fatalf("cut off after %d bytes it holds", at)
			}
		}
	}
}

func TestVerifyExport_NamesTheFirstFault(t *testing.T) {
	t.Parallel()
	lines := func(which ...int) string {
		var text string
		for _, n := range which {
			text += exportOf(journal(t)[n-1 : n])
		}
		return text
	}
	changed := func(change func(records []ledger.Record)) string {
		records := journal(t)
		change(records)
		return exportOf(chained(records))
	}
	whole := exportOf(journal(t))
	longer := sealOf(journal(t)[5])
	longer.Seq = 7
	other := sealOf(journal(t)[5])
	other.Hash[0]++
	earlier := sealOf(journal(t)[1])
	earlier.Hash[0]++
	later := sealOf(journal(t)[5])
	later.RecordedAt = later.RecordedAt.Add(time.Microsecond)
	for _, c := range []struct {
		name, export string
		seal         ledger.Head
		want         string
	}{
		{"an entry is missing", lines(1, 2, 4, 5, 6), ledger.Head{}, "3 is missing: the next one is entry 4"},
		{"the first is missing", lines(2, 3), ledger.Head{}, "1 is missing: the next one is entry 2"},
		{"the last is missing", lines(1, 2, 3, 4, 5), ledger.Head{}, "6 is missing: the seal is of entry 6"},
		{"nothing is there", "", ledger.Head{}, "1 is missing: the seal is of entry 6"},
		{"two are swapped", lines(1, 3, 2, 4, 5, 6), ledger.Head{}, "2 is missing: the next one is entry 3"},
		{"one is there twice", lines(1, 2, 2, 3, 4, 5, 6), ledger.Head{}, "3 is not the next entry: one is numbered 2"},
		{"the seal is of a longer book", whole, longer, "7 is missing: the seal is of entry 7"},
		{"the seal has another hash", whole, other, "6 the seal has another hash"},
		{"an earlier seal has another hash", whole, earlier, "2 the seal has another hash"},
		{"the seal has another time", whole, later, "6 the seal has another time"},
		{"the seal of an empty book has a hash", whole, ledger.Head{Hash: other.Hash}, "0 the seal is of no entry"},
		{"the book is another", strings.ReplaceAll(whole, `"main"`, `"other"`), ledger.Head{}, `1 is of book "other", and the seal of "main"`},
		{"an amount is another", strings.Replace(whole, "3050", "3051", 1), ledger.Head{}, "1 does not balance: EUR debits are 30.51 and credits 30.50"},
		{"both amounts are others", strings.ReplaceAll(whole, "3050", "3051"), ledger.Head{}, "1 is not what was recorded"},
		{"a member is given twice", strings.Replace(whole, `"seq":3,`, `"seq":9,"seq":3,`, 1), ledger.Head{}, `3 line 3 cannot be read: "seq" is given twice`},
		{"a member is unknown", strings.Replace(whole, `"seq":3,`, `"seq":3,"note":"x",`, 1), ledger.Head{}, `3 line 3 cannot be read: "note" is not a member`},
		{"a member is missing", strings.Replace(whole, `"replaces":null,`, ``, 1), ledger.Head{}, `1 line 1 cannot be read: "replaces" is missing`},
		{"a hash is in capitals", upperHash(whole), ledger.Head{}, `1 line 1 cannot be read: it has a hash that is not in lower-case`},
		{"it is no export", "<html>\n", ledger.Head{}, "1 line 1 cannot be read: it is not a record"},
		{"a line has no end", lines(1) + strings.Repeat("x", 9<<20), ledger.Head{}, "2 line 2 is longer than any record"},
		{"forged with all hashes", changed(func(r []ledger.Record) { r[0].Description = "x" }), ledger.Head{}, "6 the seal has another hash"},
		{"a reversal of another", changed(func(r []ledger.Record) { r[3].Reverses = 1 }), ledger.Head{}, "4 is not the opposite of entry 1, which it reverses"},
		{"a reversal of what comes later", changed(func(r []ledger.Record) { r[3].Reverses = 6 }), ledger.Head{}, "4 reverses entry 6, which does not come before it"},
		{"a reversal of a reversal", changed(func(r []ledger.Record) { r[4].Kind, r[4].Replaces, r[4].Reverses = ledger.Reversal, 0, 4 }), ledger.Head{}, "5 reverses entry 4, which is itself a reversal"},
		{"a second reversal", changed(func(r []ledger.Record) { r[4].Kind, r[4].Replaces, r[4].Reverses = ledger.Reversal, 0, 2 }), ledger.Head{}, "5 reverses entry 2, which entry 4 had reversed already"},
		{"a second replacement", changed(func(r []ledger.Record) { r[5].Kind, r[5].Replaces, r[5].ApprovalID = ledger.Replacement, 2, 1 }), ledger.Head{}, "6 replaces entry 2, which entry 5 had replaced already"},
		{"a kind that does not link", changed(func(r []ledger.Record) { r[5].Kind = ledger.Reversal }), ledger.Head{}, "6 is called reversal, which does not go with what it links to"},
		{"a reversal without approval", changed(func(r []ledger.Record) { r[3].ApprovalID = 0 }), ledger.Head{}, "4 is a reversal that nobody approved"},
		{"a time that goes back", changed(func(r []ledger.Record) { r[2].RecordedAt = r[2].RecordedAt.Add(-time.Second) }), ledger.Head{}, "3 was recorded at 2026-03-31T09:59:59.123456Z, before entry 2"},
		{"one posting", changed(func(r []ledger.Record) { r[2].Postings = r[2].Postings[:1] }), ledger.Head{}, "3 has fewer than two postings"},
		{"a posting of zero", changed(func(r []ledger.Record) { r[2].Postings[1].AmountMinor = 0 }), ledger.Head{}, "3 line 2 is of zero"},
	} {
		if c.seal == (ledger.Head{}) {
			c.seal = sealOf(journal(t)[5])
		}
		if _, fault := verifyExport(t, c.export, c.seal); !strings.HasPrefix(fault, c.want) {
			t.Errorf("%s: found %q, want %q", c.name, fault, c.want)
		}
	}
}

func upperHash(export string) string {
	before, after, _ := strings.Cut(export, `"hash":"`)
	return before + `"hash":"` + strings.ToUpper(after[:64]) + after[64:]
}

// TestEncode compares the encoding with docs/hash-chain.md, written once more.
func TestEncode(t *testing.T) {
	t.Parallel()
	for _, r := range journal(t) {
		var b bytes.Buffer
		line := func(name string, value any) {
			text := fmt.Sprint(value)
			fmt.Fprintf(&b, "%s:%d:%s\n", name, len(text), text)
		}
		line("daybook-entry", 1)
		line("book", "main")
		line("seq", r.Seq)
		line("tx_id", r.TxID)
		line("kind", r.Kind)
		line("effective_on", "2026-03-01")
		line("recorded_at", "2026-03-31T10:00:00.123456Z")
		line("recorded_by", r.RecordedBy)
		line("description", r.Description)
		line("reason", r.Reason)
		line("approval", r.ApprovalID)
		line("reverses", r.Reverses)
		line("part", 0)
		line("replaces", r.Replaces)
		line("postings", 2)
		for _, p := range r.Postings {
			line("account", p.Account)
			line("amount_minor", p.AmountMinor)
			line("currency", p.Currency)
		}
		line("metadata", len(r.Metadata))
		if len(r.Metadata) > 0 {
			line("key", "Quelle")
			line("value", r.Metadata["Quelle"])
			line("key", "channel")
			line("value", "card")
		}
		if got := r.Encode(); !bytes.Equal(got, b.Bytes()) {
			t.Errorf("entry %d is encoded as\n%s, want\n%s", r.Seq, got, b.Bytes())
		}
		if hash, _ := r.HashIn([]byte("what was here before")); hash != r.Hash {
			t.Errorf("entry %d in a used buffer has another hash", r.Seq)
		}
		parsed, err := ledger.ParseLine(bytes.TrimSpace(r.AppendLine(nil)))
		ok(t, err)
		if parsed.ComputeHash() != r.Hash {
			t.Errorf("entry %d, written and read, is %+v", r.Seq, parsed)
		}
	}
}

// BenchmarkVerifyExport follows an export of a million bytes or so again and again.
func BenchmarkVerifyExport(b *testing.B) {
	records := journal(b)[:1]
	for len(records) < 2000 {
		next := records[0]
		next.Seq = int64(len(records) + 1)
		records = append(records, next)
	}
	records = chained(records)
	export := exportOf(records)
	b.SetBytes(int64(len(export)))
	for b.Loop() {
		if _, fault, err := ledger.VerifyExport(io.NewSectionReader(strings.NewReader(export), 0, int64(len(export))), "main", sealOf(records[1999])); fault != nil || err != nil {
			b.Fatal(fault, err)
		}
	}
}

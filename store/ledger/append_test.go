package ledger

import (
	"maps"
	"math"
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"
)

var noon = time.Date(2026, 3, 31, 12, 0, 0, 0, time.UTC)

func book(accounts ...Account) Facts {
	facts := Facts{
		Book: "main", Accounts: map[string]Account{}, Keys: map[string]KeyUse{}, TxIDs: map[string]TxIDUse{}, Closed: map[Period]bool{},
		ReversedBy: map[int64]int64{}, Totals: map[string]Turnover{}, Days: map[string]DayBalances{}, Currencies: map[string]int64{},
	}
	for i, a := range accounts {
		a.ID = int64(i + 1)
		facts.Accounts[a.Code] = a
	}
	return facts
}

func demoBook() Facts {
	return book(
		Account{Code: "1010", Type: Asset, Currency: "EUR"},
		Account{Code: "customer:alice", Type: Liability, Currency: "EUR"},
		Account{Code: "till", Type: Asset, Currency: "EUR", NoNegative: true},
		Account{Code: "yen", Type: Asset, Currency: "JPY"},
		Account{Code: "old", Type: Asset, Currency: "EUR", Closed: true},
	)
}

func command(key, txID string, postings ...Posting) Command {
	return Command{Key: key, RecordedBy: 7, Entry: Entry{TxID: txID, EffectiveOn: MustDate("2026-03-01"), Description: "d", Postings: postings}}
}

func pair(debit, credit string, minor int64) []Posting {
	return []Posting{{debit, minor, "EUR"}, {credit, -minor, "EUR"}}
}

func TestAppend(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		command Command
		want    Kind
		field   string
	}{
		"RefusesUnbalanced":       {command("", "t1", Posting{"1010", 5, "EUR"}, Posting{"customer:alice", -4, "EUR"}), KindUnbalanced, "postings"},
		"RefusesOnePosting":       {command("", "t1", Posting{"1010", 5, "EUR"}), KindTooFewPostings, "postings"},
		"RefusesZero":             {command("", "t1", append(pair("1010", "customer:alice", 5), Posting{"till", 0, "EUR"})...), KindZeroAmount, "postings[2].amount"},
		"RefusesUnknownAccount":   {command("", "t1", pair("1010", "nobody", 5)...), KindUnknownAccount, "postings[1].account"},
		"RefusesClosedAccount":    {command("", "t1", pair("old", "1010", 5)...), KindClosedAccount, "postings[0].account"},
		"RefusesOtherCurrency":    {command("", "t1", Posting{"yen", 5, "EUR"}, Posting{"1010", -5, "EUR"}), KindCurrencyMismatch, "postings[0].currency"},
		"RefusesOverflowingEntry": {command("", "t1", Posting{"1010", math.MaxInt64, "EUR"}, Posting{"till", 1, "EUR"}, Posting{"customer:alice", -math.MaxInt64, "EUR"}, Posting{"customer:alice", -1, "EUR"}), KindAmountOverflow, "postings[1].amount"},
		"RefusesNoFunds":          {command("", "t1", pair("1010", "till", 5)...), KindInsufficientFunds, "postings"},
		"RefusesNoTxID":           {command("", " ", pair("1010", "till", 5)...), KindInvalid, "tx_id"},
		"RefusesTxIDWithSpace":    {command("", "t1 ", pair("1010", "till", 5)...), KindInvalid, "tx_id"},
		"RefusesTxIDOfTwoLines":   {command("", "t\n1", pair("1010", "till", 5)...), KindInvalid, "tx_id"},
		"RefusesControlCharacter": {command("", "t\x00", pair("1010", "till", 5)...), KindInvalid, "tx_id"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			head := Head{Seq: 4, Hash: GenesisHash, RecordedAt: noon}
			batch := Append(head, demoBook(), []Command{test.command}, noon)
			err := batch.Outcomes[0].Err
			if KindOf(err) != test.want {
				t.Fatalf("got %v, want %s", err, test.want)
			}
			if fields := err.(*Error).Fields; len(fields) == 0 || fields[0].Field != test.field {
				t.Fatalf("names %v, want %s first", fields, test.field)
			}
			if batch.Head != head || len(batch.Records) != 0 {
				t.Fatalf("a refused command moved the head to %+v", batch.Head)
			}
		})
	}
}

func TestAppendKeepsBadCommandsApart(t *testing.T) {
	t.Parallel()
	batch := Append(Head{Hash: GenesisHash}, demoBook(), []Command{
		command("k1", "t1", pair("till", "1010", 100)...),
		command("k2", "t2", pair("1010", "nobody", 5)...),
		command("k1", "t1", pair("till", "1010", 100)...),
		command("k1", "t1", pair("till", "1010", 101)...),
		command("k3", "t1", pair("till", "1010", 100)...),
		command("k4", "t4", pair("1010", "till", 60)...),
		command("k5", "t5", pair("1010", "till", 60)...),
	}, noon)
	var kinds []Kind
	for _, o := range batch.Outcomes {
		kind := Kind("")
		if o.Err != nil {
			kind = KindOf(o.Err)
		}
		kinds = append(kinds, kind)
	}
	want := []Kind{"", KindUnknownAccount, "", KindKeyReused, KindTxIDExists, "", KindInsufficientFunds}
	if !slices.Equal(kinds, want) {
		t.Fatalf("got %q, want %q", kinds, want)
	}
	if !batch.Outcomes[2].Duplicate || batch.Outcomes[2].Record.Hash != batch.Outcomes[0].Record.Hash {
		t.Error("the same command again did not give the first record as a duplicate")
	}
	if batch.Head.Seq != 2 || len(batch.Records) != 2 {
		t.Errorf("head %d and %d records, want 2 and 2", batch.Head.Seq, len(batch.Records))
	}
	clash := batch.Outcomes[3].Err.(*Error)
	if len(clash.Fields) != 2 || clash.Fields[0].Field != "postings[0].amount" || clash.Extra["first"] == nil {
		t.Errorf("a clash says %v and %v, want both amounts and who was first", clash.Fields, clash.Extra)
	}
}

func TestAppendFundsCountOnEveryDate(t *testing.T) {
	t.Parallel()
	deposit := command("", "in", pair("till", "1010", 100)...)
	deposit.Entry.EffectiveOn = MustDate("2026-03-10")
	early := command("", "early", pair("1010", "till", 50)...)
	early.Entry.EffectiveOn = MustDate("2026-03-09")
	late := command("", "late", pair("1010", "till", 100)...)
	late.Entry.EffectiveOn = MustDate("2026-03-20")
	between := command("", "between", pair("1010", "till", 1)...)
	between.Entry.EffectiveOn = MustDate("2026-03-15")
	outcomes := Append(Head{Hash: GenesisHash}, demoBook(), []Command{deposit, early, late, between}, noon).Outcomes
	for i, want := range []Kind{"", KindInsufficientFunds, "", KindInsufficientFunds} {
		if got := outcomes[i].Err; (got == nil) != (want == "") || got != nil && KindOf(got) != want {
			t.Errorf("command %d: got %v, want %q", i, got, want)
		}
	}
}

func TestAppendTurnoverOfTheBookIsBounded(t *testing.T) {
	t.Parallel()
	most := command("", "t1", pair("1010", "customer:alice", math.MaxInt64)...)
	more := command("", "t2", pair("till", "customer:alice", 1)...)
	facts := demoBook()
	facts.Accounts["customer:bob"] = Account{ID: 9, Code: "customer:bob", Type: Liability, Currency: "EUR"}
	another := command("", "t3", pair("till", "customer:bob", 1)...)
	outcomes := Append(Head{Hash: GenesisHash}, facts, []Command{most, more, another}, noon).Outcomes
	if outcomes[0].Err != nil {
		t.Fatal(outcomes[0].Err)
	}
	for _, o := range outcomes[1:] {
		if KindOf(o.Err) != KindAmountOverflow {
			t.Errorf("got %v, want %s", o.Err, KindAmountOverflow)
		}
	}
}

func TestAppendAnyHistory(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		commands := rapid.SliceOfN(rapid.Custom(drawCommand), 1, 30).Draw(t, "commands")
		cut := rapid.IntRange(0, len(commands)).Draw(t, "cut")
		whole := Append(Head{Hash: GenesisHash}, demoBook(), commands, noon)
		first := Append(Head{Hash: GenesisHash}, demoBook(), commands[:cut], noon)
		second := Append(first.Head, first.Facts, commands[cut:], noon)
		if second.Head != whole.Head {
			t.Fatalf("in two batches the head is %+v, in one %+v", second.Head, whole.Head)
		}
		checkHistory(t, whole)
	})
}

func drawCommand(t *rapid.T) Command {
	accounts := []string{"1010", "customer:alice", "till", "old", "nobody"}
	amount := rapid.OneOf(rapid.Int64Range(-1000, 1000), rapid.Int64Range(math.MaxInt64-5, math.MaxInt64)).Draw(t, "amount")
	key := rapid.SampledFrom([]string{"", "a", "b", "c", "d"}).Draw(t, "key")
	txID := rapid.SampledFrom([]string{"t1", "t2", "t3", "t4", "t5", "t6"}).Draw(t, "tx id")
	return command(key, txID, pair(rapid.SampledFrom(accounts).Draw(t, "debit"), rapid.SampledFrom(accounts).Draw(t, "credit"), amount)...)
}

// checkHistory holds a batch from an empty book against the invariants: gapless, chained, balanced, totals equal to the postings.
func checkHistory(t *rapid.T, batch Batch) {
	previous, totals := GenesisHash, map[string]Turnover{}
	ids := map[string]bool{}
	for i, r := range batch.Records {
		if r.Seq != int64(i+1) || r.PrevHash != previous || r.Hash != r.ComputeHash() {
			t.Fatalf("record %d is number %d and does not follow in the chain", i, r.Seq)
		}
		if ids[r.TxID] {
			t.Fatalf("tx id %s is there twice", r.TxID)
		}
		previous, ids[r.TxID] = r.Hash, true
		var sum int64
		for _, p := range r.Postings {
			sum += p.AmountMinor
			total, ok := totals[p.Account].Add(p.AmountMinor)
			if !ok {
				t.Fatalf("the turnover of %s overflowed", p.Account)
			}
			totals[p.Account] = total
		}
		if sum != 0 {
			t.Fatalf("record %d does not balance", i)
		}
	}
	if !maps.Equal(totals, batch.Facts.Totals) {
		t.Fatalf("totals %v, postings sum to %v", batch.Facts.Totals, totals)
	}
	if till := totals["till"]; till.BalanceMinor() < 0 {
		t.Fatalf("till is at %d", till.BalanceMinor())
	}
}

func TestMirrorRestoresEveryBalance(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		amount := rapid.Int64Range(1, math.MaxInt64).Draw(t, "amount")
		postings := pair("1010", "customer:alice", amount)
		for i, p := range Mirror(postings) {
			if p.AmountMinor+postings[i].AmountMinor != 0 || p.Account != postings[i].Account {
				t.Fatalf("%v mirrors %v", p, postings[i])
			}
		}
	})
}

func TestHashCoversEveryField(t *testing.T) {
	t.Parallel()
	record := Append(Head{Hash: GenesisHash}, demoBook(), []Command{command("", "t1", pair("1010", "customer:alice", 5)...)}, noon).Records[0]
	record.Metadata = map[string]string{"a": "b"}
	whole := record.ComputeHash()
	for name, change := range map[string]func(*Record){
		"book": func(r *Record) { r.Book = "x" }, "seq": func(r *Record) { r.Seq++ }, "tx id": func(r *Record) { r.TxID = "x" },
		"kind": func(r *Record) { r.Kind = Adjustment }, "effective date": func(r *Record) { r.EffectiveOn = r.EffectiveOn.AddDays(1) },
		"recorded at": func(r *Record) { r.RecordedAt = r.RecordedAt.Add(time.Microsecond) }, "actor": func(r *Record) { r.RecordedBy++ },
		"description": func(r *Record) { r.Description = "x" }, "reason": func(r *Record) { r.Reason = "x" },
		"approval": func(r *Record) { r.ApprovalID++ }, "reverses": func(r *Record) { r.Reverses++ }, "part": func(r *Record) { r.Part++ },
		"replaces": func(r *Record) { r.Replaces++ }, "previous hash": func(r *Record) { r.PrevHash[0]++ },
		"account": func(r *Record) { r.Postings[0].Account = "x" }, "amount": func(r *Record) { r.Postings[0].AmountMinor++ },
		"currency": func(r *Record) { r.Postings[0].Currency = "USD" }, "order": func(r *Record) { slices.Reverse(r.Postings) },
		"metadata": func(r *Record) { r.Metadata = map[string]string{"a": "c"} }, "metadata key": func(r *Record) { r.Metadata = map[string]string{"ab": ""} },
	} {
		changed := record
		changed.Postings = slices.Clone(record.Postings)
		change(&changed)
		if changed.ComputeHash() == whole {
			t.Errorf("a changed %s has the same hash", name)
		}
	}
}

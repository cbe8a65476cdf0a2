package web_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"
)

func TestPostEntry(t *testing.T) {
	t.Parallel()
	b := setup(t)
	preparer := b.as("preparer")

	t.Run("GivesAWholeReceiptThatARetryRepeats", func(t *testing.T) {
		t.Parallel()
		first := preparer.key("k-whole").post(t, "/entries", deposit("t-whole"))
		receipt := first.want(t, 201)
		for name, want := range map[string]any{
			"tx_id": "t-whole", "effective_on": "2026-03-01", "kind": "entry", "reverses": nil, "reversed_by": nil, "duplicate": false,
			"attempts": json.Number("1"), "recorded_at": "2026-03-31T10:00:00.000000Z", "recorded_by": "preparer@demo.test",
		} {
			if receipt[name] != want {
				t.Errorf("%s is %v, want %v", name, receipt[name], want)
			}
		}
		if len(receipt["hash"].(string)) != 64 || first.header.Get("Idempotency-Replayed") != "" {
			t.Errorf("hash %v, header %v", receipt["hash"], first.header)
		}
		retry := preparer.key(`"k-whole"`).post(t, "/entries", deposit("t-whole"))
		retry.want(t, 201)
		if want := strings.Replace(first.body, `"duplicate":false`, `"duplicate":true`, 1); retry.body != want {
			t.Errorf("the retry got\n%s, want\n%s", retry.body, want)
		}
		if retry.header.Get("Idempotency-Replayed") != "true" {
			t.Errorf("no header says that this is a replay: %v", retry.header)
		}
	})
	t.Run("ExplainsAKeyThatComesAgainWithOtherContent", func(t *testing.T) {
		t.Parallel()
		receipt := preparer.key("k-clash").post(t, "/entries", deposit("t-clash")).want(t, 201)
		problem := preparer.key("k-clash").post(t, "/entries", deposits("t-clash", 3051)).
			refused(t, "idempotency-key-reused", 422, "postings[0].amount", "postings[1].amount")
		if len(problem["errors"].([]any)) != 2 {
			t.Errorf("want two fields that differ: %v", problem["errors"])
		}
		first := problem["first"].(map[string]any)
		if first["by"] != "preparer@demo.test" || first["seq"] != receipt["seq"] || first["at"] != "2026-03-31T10:00:00.000000Z" {
			t.Errorf("first is %v", first)
		}
	})
	t.Run("KeepsTheKeyOfARefusedEntryFree", func(t *testing.T) {
		t.Parallel()
		preparer.key("k-free").post(t, "/entries", entryOf("t-free", posting("1010", 1, "EUR"), posting("customer:bob", -2, "EUR"))).refused(t, "unbalanced", 422, "postings")
		preparer.key("k-free").post(t, "/entries", deposit("t-free")).want(t, 201)
	})
	t.Run("NamesTheEntryThatHasTheTxID", func(t *testing.T) {
		t.Parallel()
		receipt := preparer.key("k-tx-1").post(t, "/entries", deposit("t-tx")).want(t, 201)
		if problem := preparer.key("k-tx-2").post(t, "/entries", deposit("t-tx")).refused(t, "tx-id-exists", 409, "tx_id"); problem["seq"] != receipt["seq"] {
			t.Errorf("seq is %v, want %v", problem["seq"], receipt["seq"])
		}
	})
	t.Run("TakesTwoHundredPostingsInTheirOrder", func(t *testing.T) {
		t.Parallel()
		var postings []string
		for i := range int64(100) {
			postings = append(postings, posting("1010", i+1, "EUR"), posting("customer:bob", -i-1, "EUR"))
		}
		receipt := preparer.key("k-200").post(t, "/entries", entryOf("t-200", postings...)).want(t, 201)
		lines := preparer.get(t, fmt.Sprintf("/entries/%v", receipt["seq"])).want(t, 200)["postings"].([]any)
		if len(lines) != 200 || lines[199].(map[string]any)["amount"] != json.Number("-100") {
			t.Errorf("got %d lines, the last %v", len(lines), lines[len(lines)-1])
		}
	})
	t.Run("TakesTheLargestEntry", func(t *testing.T) {
		t.Parallel()
		code := "customer:" + strings.Repeat("x", 91)
		b.open(t, code, "liability", "EUR")
		postings := make([]string, 0, 5000)
		for range 2500 {
			postings = append(postings, posting(code, 3689348814741, "EUR"), posting(code, -3689348814741, "EUR"))
		}
		preparer.key("k-5000").post(t, "/entries", entryOf("t-5000", postings...)).want(t, 201)
		preparer.key("k-5001").post(t, "/entries", entryOf("t-5001", append(postings, posting(code, 1, "EUR"))...)).refused(t, "invalid", 422, "postings")
	})
	t.Run("KeepsCurrenciesWithTheirOwnDecimalsApart", func(t *testing.T) {
		t.Parallel()
		for _, currency := range []string{"JPY", "KWD"} {
			b.open(t, "bank:"+currency, "asset", currency)
			b.open(t, "sales:"+currency, "income", currency)
			preparer.key("k-"+currency).post(t, "/entries", entryOf("t-"+currency, posting("bank:"+currency, 1234, currency), posting("sales:"+currency, -1234, currency))).want(t, 201)
		}
		mixed := entryOf("t-mixed", posting("bank:JPY", 5, "JPY"), posting("sales:KWD", -5, "KWD"))
		preparer.key("k-mixed").post(t, "/entries", mixed).refused(t, "unbalanced", 422)
		totals := preparer.get(t, "/balances").want(t, 200)["totals"].(map[string]any)
		if jpy := totals["JPY"].(map[string]any); jpy["debit"] != json.Number("1234") || jpy["credit"] != json.Number("1234") {
			t.Errorf("JPY totals are %v", jpy)
		}
	})
	t.Run("TakesMetadataLeftOutOrGiven", func(t *testing.T) {
		t.Parallel()
		without := strings.Replace(deposit("t-meta-1"), `,"metadata":{}`, ``, 1)
		if receipt := preparer.key("k-meta-1").post(t, "/entries", without).want(t, 201); len(receipt["metadata"].(map[string]any)) != 0 {
			t.Errorf("metadata is %v", receipt["metadata"])
		}
		with := strings.Replace(deposit("t-meta-2"), `"metadata":{}`, `"metadata":{"reference":"A&B <ü>"}`, 1)
		preparer.key("k-meta-2").post(t, "/entries", with).want(t, 201)
		retry := preparer.key("k-meta-2").post(t, "/entries", with)
		if retry.want(t, 201)["metadata"].(map[string]any)["reference"] != "A&B <ü>" {
			t.Errorf("metadata came back as %s", retry.body)
		}
	})
}

func TestPostEntryRefuses(t *testing.T) {
	t.Parallel()
	b := setup(t)
	euro := func(debit, credit string) string {
		return fmt.Sprintf(`{"tx_id":"t","effective_on":"2026-03-01","description":"d","postings":[{"account":"1010","amount":%s,"currency":"EUR"},{"account":"customer:alice","amount":%s,"currency":"EUR"}]}`, debit, credit)
	}
	for name, test := range map[string]struct {
		body   string
		slug   string
		fields []string
	}{
		"AFraction":               {euro("1", "-1.5"), "invalid", []string{"postings[1].amount"}},
		"AnExponent":              {euro("1", "-1e2"), "invalid", []string{"postings[1].amount"}},
		"AWholeFraction":          {euro("1.0", "-1"), "invalid", []string{"postings[0].amount"}},
		"ATextAsAmount":           {euro("1", `"-1"`), "invalid", []string{"postings[1].amount"}},
		"AnAmountLeftOut":         {`{"tx_id":"t","effective_on":"2026-03-01","description":"d","postings":[{"account":"1010","currency":"EUR"}]}`, "invalid", []string{"postings[0].amount"}},
		"AnAmountBeyondTheLimit":  {euro("9223372036854775808", "-9223372036854775808"), "amount-overflow", []string{"postings[0].amount", "postings[1].amount"}},
		"AnAmountOfMinInt64":      {euro("1", "-9223372036854775808"), "amount-overflow", []string{"postings[1].amount"}},
		"AHugeAmount":             {euro("1", strings.Repeat("9", 400)), "amount-overflow", []string{"postings[1].amount"}},
		"AnUnknownField":          {`{"tx_id":"t","efective_on":"2026-03-01"}`, "invalid", []string{"efective_on"}},
		"AnUnknownFieldOfALine":   {strings.Replace(euro("1", "-1"), `"amount":1,`, `"amount":1,"note":"x",`, 1), "invalid", []string{"postings[0].note"}},
		"AFieldGivenTwice":        {strings.Replace(euro("1", "-1"), `"amount":1,`, `"amount":1,"amount":2,`, 1), "invalid", []string{"postings[0].amount"}},
		"AWrongType":              {`{"tx_id":7,"effective_on":"2026-03-01","description":["d"],"postings":{},"metadata":[]}`, "invalid", []string{"tx_id", "description", "postings", "metadata"}},
		"APostingThatIsNoObject":  {`{"postings":[1,null]}`, "invalid", []string{"postings[0]", "postings[1]"}},
		"AMetadataNumber":         {`{"metadata":{"a":1}}`, "invalid", []string{"metadata.a"}},
		"ADateThatIsNone":         {strings.Replace(euro("1", "-1"), "2026-03-01", "2026-02-30", 1), "invalid", []string{"effective_on"}},
		"NoFieldsAtAll":           {`{}`, "invalid", []string{"tx_id", "effective_on", "description"}},
		"AnEmptyBody":             {``, "invalid", []string{"tx_id"}},
		"AList":                   {`[]`, "invalid", nil},
		"ATextThatIsNoJSON":       {"{\n  \"tx_id\": x}", "invalid", nil},
		"JSONThatEndsEarly":       {`{"tx_id":"t"`, "invalid", nil},
		"SomethingBehindTheEntry": {euro("1", "-1") + "{}", "invalid", nil},
		"ABodyNestedTooDeeply":    {`{"metadata":` + strings.Repeat("[", 5000) + strings.Repeat("]", 5000) + `}`, "invalid", nil},
		"BytesThatAreNotText":     {"{\"tx_id\":\"\xff\"}", "invalid", nil},
		"ANullCharacter":          {strings.Replace(euro("1", "-1"), `"d"`, `"a\u0000b"`, 1), "invalid", []string{"description"}},
		"ANullInAnAccount":        {strings.Replace(euro("1", "-1"), "1010", `10\u0000`, 1), "invalid", []string{"postings[0].account"}},
		"AnUnknownCurrency":       {strings.ReplaceAll(euro("1", "-1"), "EUR", "EUX"), "invalid", []string{"postings[0].currency"}},
		"OnePosting":              {entryOf("t", posting("1010", 1, "EUR")), "too-few-postings", []string{"postings"}},
		"AZero":                   {euro("0", "0"), "zero-amount", []string{"postings[0].amount"}},
		"WhatDoesNotBalance":      {euro("2", "-1"), "unbalanced", []string{"postings"}},
		"AnUnknownAccount":        {strings.Replace(euro("1", "-1"), "1010", "nowhere", 1), "unknown-account", []string{"postings[0].account"}},
		"AnAccountsOtherCurrency": {strings.ReplaceAll(euro("1", "-1"), "EUR", "USD"), "currency-mismatch", []string{"postings[0].currency"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b.as("preparer").key("k").post(t, "/entries", test.body).refused(t, test.slug, 422, test.fields...)
		})
	}
}

func TestPostEntrySaysWhereABodyStopsBeingJSON(t *testing.T) {
	t.Parallel()
	b := setup(t)
	for body, want := range map[string]string{
		"{\n  \"tx_id\": x}": "line 2, column 12", `{"tx_id":"ü",}`: "line 1, column 14", "{} {}": "line 1, column 4", `{"tx_id":"t"`: "ends too early", "x": "line 1, column 1",
	} {
		problem := b.as("preparer").key("k").post(t, "/entries", body).refused(t, "invalid", 422)
		if !strings.Contains(problem["detail"].(string), want) {
			t.Errorf("%s gave %v, want %s", body, problem["detail"], want)
		}
	}
}

func TestPostEntryRefusesATotalBeyondTheLargestAmount(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.as("preparer").key("k1").post(t, "/entries", deposits("t1", 9223372036854775807)).want(t, 201)
	b.as("preparer").key("k2").post(t, "/entries", deposits("t2", 1)).refused(t, "amount-overflow", 422, "postings[0].amount")
	balances := b.as("viewer").get(t, "/balances").want(t, 200)
	if total := balances["totals"].(map[string]any)["EUR"].(map[string]any); total["debit"] != json.Number("9223372036854775807") {
		t.Errorf("the total is %v", total)
	}
}

func TestPostEntryRefusesToTakeAnAccountBelowZero(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.as("admin").post(t, "/accounts", `{"code":"till","name":"Till","type":"asset","currency":"EUR","no_negative":true}`).want(t, 201)
	b.as("preparer").key("k").post(t, "/entries", entryOf("t", posting("1010", 5, "EUR"), posting("till", -5, "EUR"))).refused(t, "insufficient-funds", 422)
}

func TestPostEntryRefusesWhatIsClosed(t *testing.T) {
	t.Parallel()
	b := setup(t)
	conn, err := pgx.Connect(t.Context(), b.ownerURL)
	ok(t, err)
	defer conn.Close(t.Context())
	_, err = conn.Exec(t.Context(), `
		UPDATE accounts SET closed_at = '2026-03-30' WHERE code = 'customer:bob';
		INSERT INTO periods (book_id, period, closed_at, closed_by) SELECT b.id, '2026-02', '2026-03-30', u.id FROM books b, users u LIMIT 1`)
	ok(t, err)
	b.as("preparer").key("k").post(t, "/entries", entryOf("t", posting("1010", 5, "EUR"), posting("customer:bob", -5, "EUR"))).
		refused(t, "closed-account", 422, "postings[1].account")
	b.as("preparer").key("k").post(t, "/entries", strings.Replace(deposit("t"), "2026-03-01", "2026-02-28", 1)).refused(t, "period-closed", 422, "effective_on")
}

func TestEntriesArePagedAndFiltered(t *testing.T) {
	t.Parallel()
	b := setup(t)
	for i := range 5 {
		id := fmt.Sprintf("t%d", i+1)
		b.as("preparer").key(id).post(t, "/entries", deposit(id)).want(t, 201)
	}
	bob := entryOf("t6", posting("1010", 7, "EUR"), posting("customer:bob", -7, "EUR"))
	b.as("preparer").key("t6").post(t, "/entries", strings.Replace(bob, "2026-03-01", "2026-03-09", 1)).want(t, 201)
	for query, want := range map[string]string{
		"":                                "t1 t2 t3 t4 t5 t6",
		"?limit=2":                        "t1 t2 next 2",
		"?limit=2&after=4":                "t5 t6",
		"?account=customer:bob":           "t6",
		"?account=customer%3Abob&limit=1": "t6",
		"?from=2026-03-02&to=2026-03-31":  "t6",
		"?to=2026-03-01&after=3":          "t4 t5",
		"?q=deposit+t3":                   "t3",
		"?account=customer:alice&limit=1": "t1 next 1",
		"?account=nobody":                 "",
	} {
		page := b.as("viewer").get(t, "/entries"+query).want(t, 200)
		var got []string
		for _, item := range page["items"].([]any) {
			got = append(got, item.(map[string]any)["tx_id"].(string))
		}
		if page["next"] != nil {
			got = append(got, "next", page["next"].(string))
		}
		if strings.Join(got, " ") != want {
			t.Errorf("%q gave %v, want %s", query, got, want)
		}
	}
	for query, field := range map[string]string{
		"?limit=0": "limit", "?limit=1001": "limit", "?limit=x": "limit", "?after=x": "after", "?from=2026-3-1": "from", "?to=soon": "to", "?q=%00": "q", "?q=a&q=b": "q",
	} {
		b.as("viewer").get(t, "/entries"+query).refused(t, "invalid", 422, field)
	}
	b.as("viewer").get(t, "/entries/7").refused(t, "not-found", 404)
	b.as("viewer").get(t, "/entries/x").refused(t, "not-found", 404)
	b.as("viewer").get(t, "/entries/99999999999999999999").refused(t, "not-found", 404)
}

package story_test

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"math"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
)

// TestAPI is the journal as another program sees it. All stories share one server, each with accounts of its own.
func TestAPI(t *testing.T) {
	t.Parallel()
	p := startDemo(t, "--empty")
	t.Run("book", func(t *testing.T) {
		for name, story := range map[string]func(*testing.T, program){
			"AnEmptyDemoHasItsAccounts":      emptyDemoHasItsAccounts,
			"APostIsRetriedAndClashes":       postIsRetriedAndClashes,
			"EveryRuleOfAnEntryIsTold":       everyRuleOfAnEntryIsTold,
			"TwoHundredPostings":             twoHundredPostings,
			"CurrenciesKeepTheirDecimals":    currenciesKeepTheirDecimals,
			"ReversalsNeedAnotherPerson":     reversalsNeedAnotherPerson,
			"AccessIsCheckedBeforeAllElse":   accessIsCheckedBeforeAllElse,
			"TheExampleGivesItsThreeBreaks":  exampleGivesItsThreeBreaks,
			"AWaitThatRunsOutSaysSo":         waitThatRunsOutSaysSo,
			"ACallerInProgressIsNotRepeated": callerInProgressIsNotRepeated,
		} {
			t.Run(name, func(t *testing.T) {
				t.Parallel()
				story(t, p)
			})
		}
	})
	p.verifies(t)
}

func emptyDemoHasItsAccounts(t *testing.T, p program) {
	got := map[string]string{}
	for _, account := range p.as("viewer").get(t, "/accounts?limit=1000").want(t, 200).list(t, "items") {
		got[account.text("code")] = account.text("type", "currency", "no_negative")
	}
	for code, want := range map[string]string{
		"1010": "asset EUR false", "customer:alice": "liability EUR false", "customer:bob": "liability EUR false", "revenue:fees": "income EUR false",
	} {
		if got[code] != want {
			t.Errorf("account %s is %q, want %q", code, got[code], want)
		}
	}
	for _, person := range []string{"viewer", "preparer", "approver", "auditor", "admin", "controller"} {
		p.as(person).get(t, "/entries").want(t, 200)
	}
}

func postIsRetriedAndClashes(t *testing.T, p program) {
	p.openAccount(t, "retry:bank", "asset", "EUR")
	p.openAccount(t, "retry:alice", "liability", "EUR")
	body := entry("retry-1", posting("retry:bank", 3050), posting("retry:alice", -3050))
	first := p.as("preparer").key("retry").post(t, "/entries", body)
	receipt := first.want(t, 201)
	want := "retry-1 2026-03-01 entry <nil> <nil> false 1 map[]"
	if got := receipt.text("tx_id", "effective_on", "kind", "reverses", "reversed_by", "duplicate", "attempts", "metadata"); got != want {
		t.Errorf("the receipt says %s, want %s", got, want)
	}
	if at, err := time.Parse(time.RFC3339, receipt.text("recorded_at")); err != nil || at.Location() != time.UTC || len(receipt.text("hash")) != 64 {
		t.Errorf("recorded at %v (%v), hash %v", receipt["recorded_at"], err, receipt["hash"])
	}
	for _, key := range []string{"retry", `"retry"`} {
		again := p.as("preparer").key(key).post(t, "/entries", body)
		again.want(t, 201)
		if again.header.Get("Idempotency-Replayed") != "true" || again.body != strings.Replace(first.body, `"duplicate":false`, `"duplicate":true`, 1) {
			t.Errorf("a retry gave %s, not %s", again.body, first.body)
		}
	}
	other := strings.NewReplacer("3050", "3060", "2026-03-01", "2026-03-02").Replace(body)
	clash := p.as("preparer").key("retry").post(t, "/entries", other).
		refused(t, 422, "idempotency-key-reused", "effective_on", "postings[0].amount", "postings[1].amount")
	if got := clash.inner("first"); got.text("by", "at", "seq") != fmt.Sprintf("preparer@demo.test %v %v", receipt["recorded_at"], receipt["seq"]) {
		t.Errorf("the first use is told as %v", got)
	}
	known := p.as("preparer").key("retry-other").post(t, "/entries", body).refused(t, 409, "tx-id-exists")
	if known["seq"] != receipt["seq"] {
		t.Errorf("the tx id is said to be that of entry %v, want %v", known["seq"], receipt["seq"])
	}
	shown := p.as("viewer").get(t, fmt.Sprint("/entries/", receipt["seq"])).want(t, 200)
	if shown["hash"] != receipt["hash"] {
		t.Errorf("the entry is shown as %v", shown)
	}
	if got := p.balance(t, "retry:bank", ""); got != "3050 0 3050" {
		t.Errorf("the balance is %s", got)
	}
	if got := p.balance(t, "retry:bank", "?as_of=2026-02-28"); got != "0 0 0" && got != "" {
		t.Errorf("the balance of the day before is %s", got)
	}
}

// balance gives debit, credit and balance of an account, empty when it is not in the list.
func (p program) balance(t *testing.T, code, query string) string {
	t.Helper()
	for _, account := range p.as("viewer").get(t, "/balances"+query).want(t, 200).list(t, "accounts") {
		if account["code"] == code {
			return account.text("debit", "credit", "balance")
		}
	}
	return ""
}

func everyRuleOfAnEntryIsTold(t *testing.T, p program) {
	for code, kind := range map[string]string{"rule:bank": "asset", "rule:alice": "liability", "rule:closed": "asset"} {
		p.openAccount(t, code, kind, "EUR")
	}
	p.as("admin").post(t, "/accounts", `{"code":"rule:till","name":"Till","type":"asset","currency":"EUR","no_negative":true}`).want(t, 201)
	p.as("admin").post(t, "/accounts", `{"code":"rule:till","name":"Other","type":"asset","currency":"EUR"}`).refused(t, 409, "account-exists")
	// Closing an account or a period has no address yet.
	p.sql(t, `update accounts set closed_at = now() where code = 'rule:closed';
		insert into periods (book_id, period, closed_at, closed_by) select id, '2020-01', now(), 1 from books where code = 'main'`)
	bank, alice := posting("rule:bank", 5), posting("rule:alice", -5)
	for _, c := range []struct{ slug, body, field string }{
		{"unbalanced", entry("r", bank, posting("rule:alice", -4)), "postings"},
		{"too-few-postings", entry("r", bank), "postings"},
		{"too-few-postings", entry("r"), "postings"},
		{"zero-amount", entry("r", posting("rule:bank", 0), posting("rule:alice", 0)), "postings[0].amount"},
		{"amount-overflow", strings.ReplaceAll(entry("r", bank, alice), "5", "9223372036854775808"), "postings[0].amount"},
		{"amount-overflow", entry("r", posting("rule:bank", math.MaxInt64), posting("rule:bank", math.MaxInt64), posting("rule:alice", -math.MaxInt64),
			posting("rule:alice", -math.MaxInt64)), ""},
		{"unknown-account", entry("r", bank, posting("rule:nobody", -5)), "postings[1].account"},
		{"closed-account", entry("r", posting("rule:closed", 5), alice), "postings[0].account"},
		{"period-closed", strings.Replace(entry("r", bank, alice), "2026-03-01", "2020-01-31", 1), "effective_on"},
		{"currency-mismatch", entry("r", postingIn("rule:bank", 5, "USD"), postingIn("rule:alice", -5, "USD")), "postings[0].currency"},
		{"insufficient-funds", entry("r", posting("rule:till", -5), posting("rule:alice", 5)), ""},
		{"invalid", strings.Replace(entry("r", bank, alice), `"amount":5`, `"amount":5.0`, 1), "postings[0].amount"},
		{"invalid", strings.Replace(entry("r", bank, alice), `"amount":5`, `"amount":"5"`, 1), "postings[0].amount"},
		{"invalid", strings.Replace(entry("r", bank, alice), "2026-03-01", "2026-02-30", 1), "effective_on"},
		{"invalid", entry("", bank, alice), "tx_id"},
		{"invalid", `{"tx_id":`, ""},
	} {
		problem := p.as("preparer").key("rule").post(t, "/entries", c.body).refused(t, 422, c.slug)
		if c.field != "" && !strings.Contains(fmt.Sprint(problem["errors"]), c.field) {
			t.Errorf("%s does not name %s: %v", c.slug, c.field, problem)
		}
	}
	receipt := p.as("preparer").key("rule").post(t, "/entries", entry("rule-1", bank, alice)).want(t, 201)
	if receipt["duplicate"] != false {
		t.Error("a refusal has consumed the key")
	}
	p.as("preparer").key("rule-max").post(t, "/entries", entry("rule-max", posting("rule:bank", math.MaxInt64), posting("rule:alice", -math.MaxInt64))).
		refused(t, 422, "amount-overflow")
}

func twoHundredPostings(t *testing.T, p program) {
	p.openAccount(t, "long:bank", "asset", "EUR")
	p.openAccount(t, "long:fees", "income", "EUR")
	var postings []string
	for i := range int64(199) {
		postings = append(postings, posting("long:fees", -(i+1)))
	}
	postings = append(postings, posting("long:bank", 199*200/2))
	receipt := p.as("preparer").key("long").post(t, "/entries", entry("long", postings...)).want(t, 201)
	shown := p.as("viewer").get(t, fmt.Sprint("/entries/", receipt["seq"])).want(t, 200).list(t, "postings")
	if len(shown) != 200 || shown[198].text("account", "amount") != "long:fees -199" {
		t.Errorf("%d postings, the last but one %v", len(shown), shown[len(shown)-2])
	}
	running := p.as("viewer").get(t, "/accounts/long:fees/postings?limit=1000").want(t, 200).list(t, "items")
	if len(running) != 199 || running[198].text("balance") != "-19900" {
		t.Errorf("%d postings on the account, the last %v", len(running), running[len(running)-1])
	}
}

// Amounts of the API are minor units, those of a bank's file are decimals: here the two meet.
func currenciesKeepTheirDecimals(t *testing.T, p program) {
	for _, c := range []struct {
		currency, decimal string
		minor             int64
	}{{"JPY", "1500", 1500}, {"KWD", "1.234", 1234}, {"EUR", "12.34", 1234}} {
		bank, eva := "decimals:"+c.currency, "decimals:eva:"+c.currency
		p.openAccount(t, bank, "asset", c.currency)
		p.openAccount(t, eva, "liability", c.currency)
		txID := "decimals-" + c.currency
		p.as("preparer").key(txID).post(t, "/entries", entry(txID, postingIn(bank, c.minor, c.currency), postingIn(eva, -c.minor, c.currency))).want(t, 201)
		file := "Date,Reference,Description,Amount\n2026-03-01," + txID + ",Deposit," + c.decimal + "\n"
		uploaded := p.as("preparer").upload(t, file, "account="+bank).want(t, 201)
		totals := p.as("viewer").get(t, fmt.Sprint("/reconciliations/", uploaded["reconciliation_id"])).want(t, 200).inner("totals")
		if got := totals.text("bank_minor", "difference_minor"); got != fmt.Sprint(c.minor, " 0") {
			t.Errorf("%s of %s became %s minor units and difference", c.decimal, c.currency, got)
		}
	}
	if totals := p.as("viewer").get(t, "/balances").want(t, 200).inner("totals"); totals.inner("JPY").text("debit", "credit") != "1500 1500" {
		t.Errorf("the totals are %v", totals)
	}
	half := p.as("preparer").upload(t, "Date,Reference,Description,Amount\n2026-03-02,x,Half a yen,0.5\n", "account=decimals:JPY").want(t, 201)
	if rejects := half.list(t, "rejects"); half.inner("rows").text("new", "rejected") != "0 1" || rejects[0].text("row", "reason") != "2 amount_precision" {
		t.Errorf("half a yen was taken as %v", half)
	}
}

func accessIsCheckedBeforeAllElse(t *testing.T, p program) {
	nobody := client{url: p.url + "/api/v1/books/main"}
	nobody.post(t, "/entries", "{").refused(t, 401, "unauthenticated")
	nobody.with("Authorization", "Bearer guess").get(t, "/balances").refused(t, 401, "unauthenticated")
	missing := p.as("viewer").key("ü").post(t, "/entries", "{").refused(t, 403, "forbidden")
	if !strings.Contains(missing.text("detail"), "post") {
		t.Errorf("the missing right is not told: %v", missing)
	}
	preparer := p.as("preparer")
	preparer.post(t, "/entries", "{").refused(t, 400, "idempotency-key-missing")
	preparer.key(strings.Repeat("k", 256)).post(t, "/entries", "{").refused(t, 400, "idempotency-key-invalid")
	preparer.key("a\tb").post(t, "/entries", "{").refused(t, 400, "idempotency-key-invalid")
	preparer.get(t, "/entries/99999").refused(t, 404, "not-found")
	preparer.get(t, "/accounts/nobody").refused(t, 404, "not-found")
	client{url: p.url + "/api/v1/books/other", headers: preparer.headers}.get(t, "/entries").refused(t, 404, "not-found")
	preparer.key("large").post(t, "/entries", `{"description":"`+strings.Repeat("x", 64<<20)+`"}`).refused(t, 413, "too-large")
	for _, path := range []string{"/healthz", "/readyz"} {
		if a := (client{url: p.url}).get(t, path); a.status != 200 {
			t.Errorf("%s: %d %s", path, a.status, a.body)
		}
	}
}

func waitThatRunsOutSaysSo(t *testing.T, p program) {
	impatient := p.serveBeside(t, "DAYBOOK_WAIT_LIMIT=1s")
	release := p.hold(t, `select from heads for update`)
	busy := impatient.as("preparer").key("busy").post(t, "/entries", deposit("busy", 1))
	release()
	busy.refused(t, 503, "busy")
	if busy.header.Get("Retry-After") == "" {
		t.Error("nothing says when to try again")
	}
	if later := p.as("preparer").key("busy").post(t, "/entries", deposit("busy", 1)).want(t, 201); later["duplicate"] != false {
		t.Error("what was refused as busy has happened all the same")
	}
}

func callerInProgressIsNotRepeated(t *testing.T, p program) {
	impatient := p.serveBeside(t, "DAYBOOK_WAIT_LIMIT=1s")
	account := `{"code":"progress:till","name":"Till","type":"asset","currency":"EUR"}`
	p.as("admin").key("settled").post(t, "/accounts", strings.Replace(account, "till", "other", 1)).want(t, 201)
	release := p.hold(t, `insert into idempotency_keys select (jsonb_populate_record(k, '{"key":"held"}')).* from idempotency_keys k where key = 'settled'`)
	waited := impatient.as("admin").key("held").post(t, "/accounts", account)
	release()
	waited.refused(t, 409, "idempotency-key-in-progress")
	if waited.header.Get("Retry-After") == "" {
		t.Error("nothing says when to try again")
	}
	p.as("admin").key("held").post(t, "/accounts", account).want(t, 201)
}

// sql runs a statement as superuser.
func (p program) sql(t *testing.T, statement string) {
	t.Helper()
	if err := p.trySQL(t, statement); err != nil {
		t.Fatalf("%s: %v", statement, err)
	}
}

// trySQL runs statements as superuser, in one transaction.
func (p program) trySQL(t *testing.T, statements string) error {
	t.Helper()
	conn := p.connect(t)
	_, err := conn.Exec(t.Context(), statements)
	return cmp.Or(err, conn.Close(context.Background()))
}

func (p program) connect(t *testing.T) *pgx.Conn {
	t.Helper()
	conn, err := p.tryConnect(t)
	ok(t, err)
	return conn
}

func (p program) tryConnect(t *testing.T) (*pgx.Conn, error) {
	return pgx.Connect(t.Context(), p.database)
}

// hold leaves a transaction open after a statement, until it is released and rolled back.
func (p program) hold(t *testing.T, statement string) (release func()) {
	t.Helper()
	conn := p.connect(t)
	if _, err := conn.Exec(t.Context(), "begin; "+statement); err != nil {
		t.Fatalf("%s: %v", statement, err)
	}
	return func() { ok(t, conn.Close(context.Background())) }
}

// number gives a member that is a whole number.
func (o object) number(t *testing.T, name string) int64 {
	t.Helper()
	written, isNumber := o[name].(json.Number)
	n, err := written.Int64()
	if !isNumber || err != nil {
		t.Fatalf("%s is no whole number: %v", name, o)
	}
	return n
}

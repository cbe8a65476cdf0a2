package web_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
)

func TestAccounts(t *testing.T) {
	t.Parallel()
	b := setup(t)
	eva := `{"code":"customer:eva","name":"Eva","type":"liability","currency":"JPY","no_negative":false,"reconcile_from":null}`

	first := b.as("admin").key("eva").post(t, "/accounts", eva)
	opened := first.want(t, 201)
	for name, want := range map[string]any{"code": "customer:eva", "name": "Eva", "type": "liability", "currency": "JPY", "no_negative": false, "reconcile_from": nil, "duplicate": false} {
		if opened[name] != want {
			t.Errorf("%s is %v, want %v", name, opened[name], want)
		}
	}
	again := b.as("admin").key("eva").post(t, "/accounts", eva)
	if again.want(t, 201); again.body != strings.Replace(first.body, `"duplicate":false`, `"duplicate":true`, 1) {
		t.Errorf("again gave %s", again.body)
	}
	b.as("admin").key("eva").post(t, "/accounts", strings.Replace(eva, "Eva", "Evi", 1)).refused(t, "idempotency-key-reused", 422)
	b.as("admin").post(t, "/accounts", eva).refused(t, "account-exists", 409, "code")
	b.as("admin").post(t, "/accounts", `{"code":"a b","type":"bank","currency":"XYZ","no_negative":"no"}`).refused(t, "invalid", 422, "no_negative")
	b.as("admin").post(t, "/accounts", `{"code":"a b","type":"bank","currency":"XYZ"}`).refused(t, "invalid", 422, "code", "name", "type", "currency")
	for _, path := range []string{"/accounts/customer:eva", "/accounts/customer%3Aeva"} {
		if shown := b.as("viewer").get(t, path).want(t, 200); shown["name"] != "Eva" {
			t.Errorf("%s shows %v", path, shown)
		}
	}
	b.as("admin").post(t, "/accounts", strings.Replace(eva, "customer:eva", "a/b", 1)).want(t, 201)
	b.as("viewer").get(t, "/accounts/a%2Fb").want(t, 200)
	b.as("viewer").get(t, "/accounts/nobody").refused(t, "not-found", 404)
	b.as("viewer").get(t, "/accounts/nobody/postings").refused(t, "not-found", 404)
	page := b.as("viewer").get(t, "/accounts?limit=2").want(t, 200)
	if page["next"] != "a/b" {
		t.Errorf("the first page is %v", page)
	}
	if rest := b.as("viewer").get(t, "/accounts?after=a/b").want(t, 200); len(rest["items"].([]any)) != 4 || rest["next"] != nil {
		t.Errorf("the second page is %v", rest)
	}
}

func TestAccountPostingsCarryARunningBalance(t *testing.T) {
	t.Parallel()
	b := setup(t)
	for i, amount := range []int64{100, -30, 7} {
		id := fmt.Sprint("t", i)
		b.as("preparer").key(id).post(t, "/entries", deposits(id, amount)).want(t, 201)
	}
	got, after := "", ""
	for range 3 {
		page := b.as("viewer").get(t, "/accounts/customer%3Aalice/postings?limit=1"+after).want(t, 200)
		line := page["items"].([]any)[0].(map[string]any)
		got += fmt.Sprint(line["tx_id"], " ", line["amount"], " ", line["balance"], "; ")
		after = fmt.Sprint("&after=", page["next"])
	}
	if got != "t0 -100 -100; t1 30 -70; t2 -7 -77; " {
		t.Errorf("got %s", got)
	}
	b.as("viewer").get(t, "/accounts/1010/postings?after=7").refused(t, "invalid", 422, "after")
}

func TestBalances(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.as("preparer").key("k1").post(t, "/entries", deposits("t1", 1000)).want(t, 201)
	b.as("preparer").key("k2").post(t, "/entries", strings.Replace(deposits("t2", -300), "2026-03-01", "2026-03-15", 1)).want(t, 201)
	for query, want := range map[string]string{
		"":                               "1000 300 700",
		"?as_of=2026-03-14":              "1000 0 1000",
		"?as_of=2026-02-28":              "0 0 0",
		"?known_at=2026-03-31T10:00:00Z": "1000 300 700",
		"?known_at=2026-03-31T09:59:59Z": "0 0 0",
		"?known_at=2026-03-31T12:00:00%2B02:00&as_of=2026-03-01": "1000 0 1000",
	} {
		balances := b.as("viewer").get(t, "/balances"+query).want(t, 200)
		got := ""
		for _, item := range balances["accounts"].([]any) {
			if account := item.(map[string]any); account["code"] == "1010" {
				got = fmt.Sprint(account["debit"], " ", account["credit"], " ", account["balance"])
			}
		}
		if got != want {
			t.Errorf("%q gave %s, want %s", query, got, want)
		}
		total := balances["totals"].(map[string]any)["EUR"].(map[string]any)
		if total["debit"] != total["credit"] || len(balances["accounts"].([]any)) != 4 {
			t.Errorf("%q gave %v", query, balances)
		}
	}
	if shown := b.as("viewer").get(t, "/balances?as_of=2026-03-14").want(t, 200); shown["as_of"] != "2026-03-14" || shown["totals"].(map[string]any)["EUR"].(map[string]any)["debit"] != json.Number("1000") {
		t.Errorf("got %v", shown)
	}
	b.as("viewer").get(t, "/balances?as_of=today&known_at=2026-03-31").refused(t, "invalid", 422, "as_of", "known_at")
}

func TestSealIsTheLastEntry(t *testing.T) {
	t.Parallel()
	b := setup(t)
	if empty := b.as("viewer").get(t, "/seal").want(t, 200); empty["seq"] != json.Number("0") || empty["book"] != "main" {
		t.Errorf("of an empty book it is %v", empty)
	}
	receipt := b.as("preparer").key("k").post(t, "/entries", deposit("t")).want(t, 201)
	if seal := b.as("viewer").get(t, "/seal").want(t, 200); seal["seq"] != receipt["seq"] || seal["hash"] != receipt["hash"] || seal["at"] != receipt["recorded_at"] {
		t.Errorf("the seal is %v, the last entry %v", seal, receipt)
	}
}

package web_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"mime/multipart"
	"strings"
	"testing"

	"daybook/store"
)

// upload sends a file and fields, as name=value, to POST /statements.
func (c client) upload(t *testing.T, file string, fields ...string) response {
	t.Helper()
	var body bytes.Buffer
	form := multipart.NewWriter(&body)
	for _, field := range fields {
		name, value, _ := strings.Cut(field, "=")
		ok(t, form.WriteField(name, value))
	}
	if file != "" {
		part, err := form.CreateFormFile("file", "march.csv")
		ok(t, err)
		_, err = part.Write([]byte(file))
		ok(t, err)
	}
	ok(t, form.Close())
	return c.with("Content-Type", form.FormDataContentType()).post(t, "/statements", body.String())
}

const marchCSV = `Date,Reference,Description,Amount
2026-03-01,t1,Deposit,10.00
2026-03-01,t2,Deposit,24.50
2026-03-01,t4,Deposit,3.00
2026-03-01,t5,Deposit,0.90
`

// march posts the ledger side of the example and uploads the bank's.
func (b *bundle) march(t *testing.T) (uploaded map[string]any) {
	t.Helper()
	for id, amount := range map[string]int64{"t1": 1000, "t2": 2500, "t3": 700, "t5": 90} {
		b.as("preparer").key(id).post(t, "/entries", deposits(id, amount)).want(t, 201)
	}
	return b.as("preparer").upload(t, marchCSV, "account=1010").want(t, 201)
}

func TestStatementsGiveBreaksByType(t *testing.T) {
	t.Parallel()
	b := setup(t)
	uploaded := b.march(t)
	if rows := fmt.Sprint(uploaded["rows"]); rows != "map[duplicate:0 known:0 new:4 rejected:0 skipped:0]" || uploaded["duplicate"] != false || len(uploaded["rejects"].([]any)) != 0 {
		t.Errorf("uploaded %v", uploaded)
	}
	path := fmt.Sprintf("/reconciliations/%v", uploaded["reconciliation_id"])
	found := b.as("viewer").get(t, path).want(t, 200)
	if got := fmt.Sprint(found["matches"], found["counts"], found["totals"]); got !=
		"2map[amount_mismatch:1 missing_in_bank:1 missing_in_ledger:1] map[bank_minor:3840 difference_minor:450 ledger_minor:4290]" {
		t.Errorf("got %s", got)
	}
	breaks := b.as("viewer").get(t, path+"/breaks").want(t, 200)["items"].([]any)
	var got []string
	for _, item := range breaks {
		found := item.(map[string]any)
		for _, side := range []string{"ledger", "bank"} {
			if found[side] == nil {
				t.Fatalf("side %s is null in %v", side, found)
			}
		}
		got = append(got, fmt.Sprintf("%v %v", found["type"], found["difference_minor"]))
	}
	if want := "amount_mismatch 50, missing_in_ledger -300, missing_in_bank 700"; strings.Join(got, ", ") != want {
		t.Errorf("breaks are %v, want %s", got, want)
	}
	one := b.as("viewer").get(t, path+"/breaks?type=missing_in_ledger&status=open").want(t, 200)["items"].([]any)
	if len(one) != 1 || one[0].(map[string]any)["bank"].([]any)[0].(map[string]any)["row"] != json.Number("4") {
		t.Errorf("of one type there are %v", one)
	}
	paged, after := []string{}, ""
	for range 3 {
		page := b.as("viewer").get(t, path+"/breaks?limit=1"+after).want(t, 200)
		paged = append(paged, fmt.Sprint(page["items"].([]any)[0].(map[string]any)["id"]))
		after = fmt.Sprint("&after=", page["next"])
	}
	if after != "&after=<nil>" || paged[0] == paged[1] || paged[1] == paged[2] {
		t.Errorf("pages hold %v, the last leads to %s", paged, after)
	}
	matches := b.as("viewer").get(t, path+"/matches").want(t, 200)["items"].([]any)
	if len(matches) != 2 || matches[0].(map[string]any)["kind"] != "reference" {
		t.Errorf("matches are %v", matches)
	}
	b.as("viewer").get(t, path+"/breaks?type=odd&status=closed").refused(t, "invalid", 422, "type", "status")
	for _, missing := range []string{"/reconciliations/9", "/reconciliations/9/breaks", "/reconciliations/9/matches", "/reconciliations/x"} {
		b.as("viewer").get(t, missing).refused(t, "not-found", 404)
	}
}

func TestUploadsAreStoredOnce(t *testing.T) {
	t.Parallel()
	b := setup(t)
	first := b.as("preparer").key("march").upload(t, marchCSV, "account=1010")
	id := first.want(t, 201)["statement_id"]
	for _, sender := range []client{b.as("preparer").key("march"), b.as("preparer"), b.as("controller").key("other")} {
		again := sender.upload(t, marchCSV, "account=1010")
		if again.want(t, 201)["duplicate"] != true || again.want(t, 201)["statement_id"] != id || again.header.Get("Idempotency-Replayed") != "true" {
			t.Errorf("again gave %s", again.body)
		}
	}
	longer := b.as("preparer").upload(t, marchCSV+"2026-03-02,t6,Deposit,1.00\n", "account=1010").want(t, 201)
	if rows := fmt.Sprint(longer["rows"]); rows != "map[duplicate:0 known:4 new:1 rejected:0 skipped:0]" {
		t.Errorf("of the longer file, rows are %s", rows)
	}
	b.as("preparer").key("march").upload(t, marchCSV, "account=customer:bob").refused(t, "idempotency-key-reused", 422, "account")
}

func TestUploadsAreRefused(t *testing.T) {
	t.Parallel()
	b := setup(t)
	preparer := b.as("preparer")
	b.as("viewer").key(`"`).upload(t, "", "nothing=right").refused(t, "forbidden", 403)
	preparer.key(`"`).upload(t, "", "nothing=right").refused(t, "idempotency-key-invalid", 400)
	preparer.post(t, "/statements", `{"account":"1010"}`).refused(t, "invalid", 422)
	preparer.upload(t, "", "account=1010").refused(t, "invalid", 422, "file")
	preparer.upload(t, marchCSV).refused(t, "invalid", 422, "account")
	preparer.upload(t, marchCSV, "account=1010", "period_from=1.3.2026", "colour=red", "hint=colour=red").
		refused(t, "invalid", 422, "period_from", "colour", "hint.colour")
	preparer.upload(t, marchCSV, "account=1010", "profile=x").refused(t, "invalid", 422, "profile")
	preparer.upload(t, marchCSV, "account=1010", "period_from=2026-03-01").refused(t, "invalid", 422, "period_from")
	preparer.upload(t, marchCSV, "account=nowhere").refused(t, "unknown-account", 422)
	preparer.upload(t, marchCSV, "account=revenue:fees").refused(t, "invalid", 422, "account")
	problem := preparer.upload(t, "Date,Description,Amount\n01/02/2026,Fee,1.00\n", "account=1010").refused(t, "statement-refused", 422)
	if problem["error_class"] != "ambiguous_date" {
		t.Errorf("refused as %v", problem)
	}
	preparer.upload(t, "Date,Description,Amount\n01/02/2026,Fee,1.00\n", "account=1010", "hint=date_format=dd/mm/yyyy").want(t, 201)
}

func TestUploadsAreReadUnderAProfile(t *testing.T) {
	t.Parallel()
	b := setup(t)
	user, err := b.UserByEmail(t.Context(), "preparer@demo.test")
	ok(t, err)
	actor, err := b.Actor(t.Context(), user.ID, b.book.Code)
	ok(t, err)
	started, err := b.StartDraft(t.Context(), actor, "", store.Upload{Account: "1010", FileName: "march.csv", Data: []byte("Huhr;Zzam;Qwer\n03/14/2026;1,25;rent\n")})
	ok(t, err)
	_, _, err = b.ConfirmDraft(t.Context(), actor, "", started.DraftID, store.DraftConfirm{Version: 1, Remember: true, ProfileName: "Nordbank"})
	ok(t, err)

	preparer := b.as("preparer")
	for file, fields := range map[string][]string{
		"Huhr;Zzam;Qwer\n04/01/2026;1,25;rent\n": {"account=1010"},
		"Huhr;Zzam;Qwer\n04/02/2026;1,25;rent\n": {"account=1010", "profile=NORDBANK"},
	} {
		for range 2 { // the answer is the same for the same file again
			if got := fmt.Sprint(preparer.upload(t, file, fields...).want(t, 201)["profile"]); got != "map[name:Nordbank version:1]" {
				t.Errorf("%q with %q was read under %s", file, fields, got)
			}
		}
	}
	told := preparer.upload(t, "Huhr;Zzam;Qwer\n04/03/2026;1,25;rent\n", "account=1010", "profile=none", "hint=date_format=dd/mm/yyyy").want(t, 201)
	if told["profile"] != nil {
		t.Errorf("without one it was read under %v", told["profile"])
	}
	preparer.upload(t, "Huhr;Zzam;Qwer\n04/05/2026;1,25;rent\n", "account=1010", "profile=none").refused(t, "statement-refused", 422)
	problem := preparer.upload(t, "Huhr;Zzam;Qwer\n14/04/2026;1,25;rent\n", "account=1010").refused(t, "statement-refused", 422)
	if problem["error_class"] != "inconsistent_date" || problem["row"] != json.Number("2") || !strings.Contains(fmt.Sprint(problem["detail"]), "Nordbank") {
		t.Errorf("a file that the profile would misread: %v", problem)
	}
}

func TestUploadsThatAreTooLargeAreRefused(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.as("preparer").upload(t, strings.Repeat("x", 34<<20), "account=1010").refused(t, "too-large", 413)
}

func TestBreaksAreResolvedAndReopened(t *testing.T) {
	t.Parallel()
	b := setup(t)
	path := fmt.Sprintf("/reconciliations/%v/breaks?type=missing_in_bank", b.march(t)["reconciliation_id"])
	id := b.as("viewer").get(t, path).want(t, 200)["items"].([]any)[0].(map[string]any)["id"]
	work := fmt.Sprintf("/breaks/%v", id)
	carried := `{"resolution":"carried_forward","reason_code":"TIMING_CUTOFF","note":"paid on the first"}`

	b.as("approver").key(`"`).post(t, work+"/resolve", "[]").refused(t, "forbidden", 403)
	b.as("preparer").post(t, work+"/resolve", `{"resolution":"carried_forward","reason_code":"TIMING_CUTOFF","note":"n","why":1}`).refused(t, "invalid", 422, "why")
	b.as("preparer").post(t, work+"/resolve", `{"resolution":"carried_forward","reason_code":"TIMING_CUTOFF","note":"n","entry":{}}`).refused(t, "invalid", 422, "entry")
	b.as("preparer").post(t, work+"/resolve", `{"resolution":"forgotten","reason_code":"TIMING_CUTOFF"}`).refused(t, "invalid", 422)
	b.as("preparer").post(t, "/breaks/99/resolve", carried).refused(t, "not-found", 404)
	resolved := b.as("preparer").key("resolve").post(t, work+"/resolve", carried).want(t, 200)
	if resolved["status"] != "resolved" || resolved["resolution"] != "carried_forward" || resolved["id"] != id || resolved["type"] != "missing_in_bank" {
		t.Errorf("resolved as %v", resolved)
	}
	again := b.as("preparer").key("resolve").post(t, work+"/resolve", carried)
	if again.want(t, 200)["duplicate"] != true || again.header.Get("Idempotency-Replayed") != "true" {
		t.Errorf("again gave %s", again.body)
	}
	b.as("preparer").post(t, work+"/resolve", carried).refused(t, "illegal-transition", 409)
	if reopened := b.as("preparer").post(t, work+"/reopen", `{"note":"the bank says no"}`).want(t, 200); reopened["status"] != "open" || reopened["resolution"] != nil {
		t.Errorf("reopened as %v", reopened)
	}
	b.as("preparer").post(t, work+"/reopen", `{"note":"again"}`).refused(t, "illegal-transition", 409)
}

func TestAnUploadTellsHowItFollowsAndWhatIsInDoubt(t *testing.T) {
	t.Parallel()
	b := setup(t)
	preparer := b.as("preparer")
	const header = "Date,Reference,Amount,Balance\n"
	first := preparer.upload(t, header+"2026-03-02,a,10.00,110.00\n2026-03-03,b,-2.80,107.20\n", "account=1010").want(t, 201)
	if first["follows"] != nil || fmt.Sprint(first["in_doubt"]) != "[]" {
		t.Errorf("the first file tells %v", first)
	}
	gap := preparer.upload(t, header+"2026-03-06,c,1.00,109.20\n2026-03-09,d,1.00,110.20\n", "account=1010").want(t, 201)
	if got := fmt.Sprint(gap["follows"]); got != "map[gap_days:2 opening_differs_minor:100 overlap_days:0 period_to:2026-03-03 statement_id:1]" {
		t.Errorf("after a gap it tells %s", got)
	}
	doubtful := "Date,Reference,Amount\n2026-03-09,d,1.00\n2026-03-10,e,2.00\n"
	preparer.upload(t, doubtful, "account=1010", "include=3").refused(t, "invalid", 422, "include")
	preparer.upload(t, doubtful, "account=1010", "include=x").refused(t, "invalid", 422, "include")
	told := preparer.upload(t, doubtful, "account=1010").want(t, 201)
	doubt := told["in_doubt"].([]any)
	if len(doubt) != 1 || doubt[0].(map[string]any)["row"] != json.Number("2") || doubt[0].(map[string]any)["statement_id"] != json.Number("2") {
		t.Errorf("in doubt are %v", doubt)
	}
	if got := fmt.Sprint(told["follows"]); got != "map[gap_days:0 opening_differs_minor:<nil> overlap_days:1 period_to:2026-03-09 statement_id:2]" {
		t.Errorf("an overlap tells %s", got)
	}
	again := preparer.upload(t, doubtful, "account=1010").want(t, 201)
	if fmt.Sprint(again["in_doubt"], again["follows"]) != fmt.Sprint(told["in_doubt"], told["follows"]) {
		t.Errorf("sent again it tells %v", again)
	}
	other := preparer.upload(t, doubtful+"2026-03-11,f,1.00\n", "account=1010", "include=2").want(t, 201)
	if rows := fmt.Sprint(other["rows"]); rows != "map[duplicate:0 known:1 new:2 rejected:0 skipped:0]" {
		t.Errorf("with the row included, rows are %s", rows)
	}
}

package web_test

import (
	"fmt"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
)

// liveKey leaves a claim whose owner is at work until the lease ends, so many seconds from now.
func (b *bundle) liveKey(t *testing.T, key string, leaseSeconds int) {
	t.Helper()
	b.owned(t, fmt.Sprintf(`
		INSERT INTO idempotency_keys (book_id, key, operation, fingerprint, content, attempts, replays, used_by, claimed_at, owner, lease_until, heartbeat_at, expires_at)
		SELECT b.id, '%s', 'payment.capture', sha256('x'), '{"payment":"pay_1"}', 1, 2, u.id, '%s'::timestamptz - interval '2 min', 'till-1:4711',
		       '%[2]s'::timestamptz + interval '%d s', '%[2]s'::timestamptz - interval '2 min', '%[2]s'::timestamptz + interval '30 days'
		  FROM books b, users u WHERE u.email = 'preparer@demo.test'`, key, now().Format("2006-01-02T15:04:05Z"), leaseSeconds))
}

// owned runs a statement as the owner of the database, and gives the first column as text.
func (b *bundle) owned(t *testing.T, statement string) []string {
	t.Helper()
	conn, err := pgx.Connect(t.Context(), b.ownerURL)
	ok(t, err)
	defer conn.Close(t.Context())
	rows, err := conn.Query(t.Context(), statement)
	ok(t, err)
	values, err := pgx.CollectRows(rows, pgx.RowTo[string])
	ok(t, err)
	return values
}

func TestKeysPage_ShowsWhatAKeyDidAndTheRetriesItAbsorbed(t *testing.T) {
	t.Parallel()
	b := setup(t)
	preparer := b.as("preparer").key("ord-1")
	for range 3 {
		preparer.post(t, "/entries", deposit("t1")).want(t, 201)
	}
	b.as("preparer").key("other-2").post(t, "/entries", deposit("t2")).want(t, 201)
	viewer := b.browser(t, "viewer")
	viewer.get(t, "/b/main/keys").want(t, 200).says(t, "Retries answered without effect 2", "ord-1", "Post entry The preparer 2026-03-31 10:00:00 3 Settled", "other-2", "#2")
	found := viewer.get(t, "/b/main/keys?q=%231").want(t, 200).says(t, "ord-1")
	if strings.Contains(found.text(t), "other-2") {
		t.Error("a search for the entry finds the key of another one")
	}
	viewer.get(t, "/b/main/keys?state=retried").want(t, 200).says(t, "1 key", "ord-1")
	viewer.get(t, "/b/main/keys?who=nobody").want(t, 200).says(t, "No key is like that")
	viewer.get(t, "/b/main/keys?key=ord-1").want(t, 200).says(t, "Retries absorbed 2", "Entry #1", "postings[0].amount 3050", "Kept until 2026-04-30")
	viewer.get(t, "/b/main/keys?key=never").want(t, 404)
	b.browser(t, "stranger").get(t, "/b/main/keys").want(t, 403)
}

func TestKeysPage_IsPaged(t *testing.T) {
	t.Parallel()
	b := setup(t)
	for i := range 60 {
		b.as("preparer").key(fmt.Sprintf("k-%02d", i)).post(t, "/entries", deposit(fmt.Sprintf("t%d", i))).want(t, 201)
	}
	viewer, seen := b.browser(t, "viewer"), map[string]bool{}
	at := viewer.get(t, "/b/main/keys?state=settled")
	for range 2 {
		for i := range 60 {
			if strings.Contains(at.body, fmt.Sprintf(">k-%02d<", i)) {
				if seen[fmt.Sprint(i)] {
					t.Errorf("key %d stands on two pages", i)
				}
				seen[fmt.Sprint(i)] = true
			}
		}
		if older := at.link(t, "Older"); older != "" {
			at = viewer.get(t, older)
		}
	}
	if len(seen) != 60 {
		t.Errorf("two pages show %d of 60 keys", len(seen))
	}
	back := viewer.get(t, at.link(t, "Newer"))
	if !strings.Contains(back.body, ">k-59<") || back.link(t, "Newer") != "" {
		t.Error("the way back does not lead to the first page")
	}
}

func TestClashes_AreKeptFieldByFieldWhateverDoorTheyComeThrough(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.as("preparer").key("k1").post(t, "/entries", deposits("t1", 3050)).want(t, 201)
	b.as("controller").key("k1").post(t, "/entries", deposits("t1", 3051)).refused(t, "idempotency-key-reused", 422, "postings[0].amount")

	preparer := b.browser(t, "preparer")
	form := preparer.get(t, "/b/main/journal/new?form=k1")
	typed := form.filled(t, "/b/main/journal/new", url.Values{
		"form": {"k1"}, "tx_id": {"t9"}, "effective_on": {"2026-03-01"}, "description": {"By hand"},
		"postings[0].account": {"1010"}, "postings[0].debit": {"1.00"}, "postings[1].account": {"customer:alice"}, "postings[1].credit": {"1.00"},
	})
	preparer.post(t, "/b/main/journal/new", typed).want(t, 422)

	viewer := b.browser(t, "viewer")
	viewer.get(t, "/b/main/keys?state=clash").want(t, 200).says(t, "2 of 2 clashes", "The controller", "preparer@demo.test", "postings[0].amount, postings[1].amount", "description")
	viewer.get(t, "/b/main/keys").want(t, 200).says(t, "Clashes refused 2", "Clash, refused")
	viewer.get(t, "/b/main/keys?key=k1&clash=1").want(t, 200).says(t, "Why k1 was refused", "controller@demo.test",
		"postings[0].amount 3050 3051 Differs", "tx_id t1 t1 Same", "Entry #1", "Other clashes of this key 2026-03-31 10:00:00, The preparer")
}

func TestClashes_OfAClientGoneWildAreBounded(t *testing.T) {
	t.Parallel()
	b := setup(t)
	preparer := b.as("preparer")
	preparer.key("k1").post(t, "/entries", deposit("t1")).want(t, 201)
	for i := range 25 {
		preparer.key("k1").post(t, "/entries", deposits("t1", int64(i+1))).want(t, 422)
	}
	if kept := b.owned(t, `SELECT count(*)::text FROM key_clashes`)[0]; kept != "20" {
		t.Errorf("of 25 clashes of one key in a day %s are kept, want 20", kept)
	}
	if refused := b.owned(t, `SELECT count(*)::text FROM audit_log WHERE outcome = 'refused'`)[0]; refused != "25" {
		t.Errorf("the audit log has %s refusals, want all 25", refused)
	}
}

func TestAClashWithinAnInvitation_IsNotForEveryReader(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.owned(t, `
		INSERT INTO key_clashes SELECT b.id, 1, 'k-invite', now(), u.id, 'user.invite', '', '', 'admin@demo.test', now(), 'user.invite', NULL,
		       '[{"field":"email","first":"secret@demo.test","sent":"other@demo.test","had_first":true,"has_sent":true}]' FROM books b, users u WHERE u.email = 'admin@demo.test'`)
	shown := b.browser(t, "viewer").get(t, "/b/main/keys?key=k-invite").want(t, 200).says(t, "It is shown to who manages them")
	if strings.Contains(shown.body, "secret@demo.test") {
		t.Error("a viewer reads whom an admin invited")
	}
	b.browser(t, "auditor").get(t, "/b/main/keys?key=k-invite").want(t, 200).says(t, "email secret@demo.test other@demo.test Differs")
}

func TestAStuckClaim_IsReleasedByAnAdminWithAReason(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.liveKey(t, "stuck-1", -10)
	admin := b.browser(t, "admin")
	page := admin.get(t, "/b/main/keys?key=stuck-1").want(t, 200).says(t, "Past their lease 1", "till-1:4711", "Past its lease", "2 min")
	admin.submit(t, page, "/b/main/keys/release", url.Values{"reason": {" "}}).want(t, 422).says(t, "Reason is missing")
	answer := admin.submit(t, page, "/b/main/keys/release", url.Values{"reason": {"The till was switched off"}}).want(t, 303)
	admin.get(t, answer.location()).want(t, 200).says(t, "The claim is released", "released by admin@demo.test", "Attempt 2")
	b.browser(t, "auditor").get(t, "/b/main/audit?action=key.release").want(t, 200).says(t, "Release key", "The till was switched off", "till-1:4711")

	again := page.filled(t, "/b/main/keys/release", url.Values{"reason": {"Once more"}, "form": {"another-form"}})
	admin.post(t, "/b/main/keys/release", again).want(t, 409).says(t, "Attempt 2 is at work on the key now")
}

func TestAClaim_IsNotReleasedWhileItsLeaseRunsNorByOthers(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.liveKey(t, "running-1", 10)
	values := url.Values{"form": {"form-1"}, "key": {"running-1"}, "attempt": {"1"}, "reason": {"Impatience"}}
	admin := b.browser(t, "admin")
	admin.get(t, "/b/main/keys?key=running-1").want(t, 200).says(t, "In progress 1", "Its owner is at work")
	admin.post(t, "/b/main/keys/release", values).want(t, 409).says(t, "The owner of the key is at work")
	values.Set("key", "no-such-key")
	admin.post(t, "/b/main/keys/release", values).want(t, 404)
	controller := b.browser(t, "controller")
	controller.post(t, "/b/main/keys/release", values).want(t, 403)
	controller.post(t, "/b/main/keys/retention", url.Values{"form": {"form-2"}, "days": {"1"}}).want(t, 403)
	if attempts := b.owned(t, `SELECT attempts::text FROM idempotency_keys WHERE key = 'running-1'`)[0]; attempts != "1" {
		t.Errorf("what was refused took attempt %s", attempts)
	}
}

func TestRetention_IsChangedByAnAdminAndHoldsForKeysFromThenOn(t *testing.T) {
	t.Parallel()
	b := setup(t)
	admin := b.browser(t, "admin")
	page := admin.get(t, "/b/main/keys").want(t, 200).says(t, "A key is kept for 30 days")
	for _, days := range []string{"0", "3651", "many"} {
		admin.submit(t, page, "/b/main/keys/retention", url.Values{"days": {days}}).want(t, 422).says(t, "Give a number of days from 1 to 3650")
	}
	answer := admin.submit(t, page, "/b/main/keys/retention", url.Values{"days": {"7"}}).want(t, 303)
	admin.get(t, answer.location()).want(t, 200).says(t, "are kept for 7 days", "A key is kept for 7 days")
	b.as("preparer").key("k1").post(t, "/entries", deposit("t1")).want(t, 201)
	b.browser(t, "viewer").get(t, "/b/main/keys?key=k1").want(t, 200).says(t, "Kept until 2026-04-07")
	b.browser(t, "auditor").get(t, "/b/main/audit?action=key.retention").want(t, 200).says(t, "Before 30, After 7")
}

func TestAnExpiredKey_IsNewAndTheTxIDStillRefusesALatePosting(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.as("preparer").key("k1").post(t, "/entries", deposit("t1")).want(t, 201)
	b.owned(t, `UPDATE idempotency_keys SET expires_at = '2026-03-31T09:59:59Z' WHERE key = 'k1'`)
	b.browser(t, "viewer").get(t, "/b/main/keys?state=expired").want(t, 200).says(t, "k1", "Expired")
	// Another server was not there when the key settled.
	_, b.url = b.serve(t, 10*time.Second)
	preparer := b.as("preparer").key("k1")
	problem := preparer.post(t, "/entries", deposit("t1")).refused(t, "tx-id-exists", 409)
	if fmt.Sprint(problem["seq"]) != "1" {
		t.Errorf("the late posting is told entry %v, want 1", problem["seq"])
	}
	if receipt := preparer.post(t, "/entries", deposit("t2")).want(t, 201); fmt.Sprint(receipt["duplicate"]) != "false" || fmt.Sprint(receipt["seq"]) != "2" {
		t.Errorf("the expired key is not new: %v", receipt)
	}
}

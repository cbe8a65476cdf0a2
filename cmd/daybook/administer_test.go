package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"

	"daybook/store"
	"daybook/store/ledger"
	"daybook/store/postgres"
	"daybook/store/postgres/pgtest"
)

// office is a database of its own that commands of administration work on.
type office struct{ ownerURL, appURL string }

func setupOffice(t *testing.T) office {
	t.Helper()
	ownerURL, appURL := pgtest.New(t)
	o := office{ownerURL, appURL}
	o.runs(t, "", "book add main --name Main")
	return o
}

// run runs a command with a text on standard input.
func (o office) run(t *testing.T, stdin, args string) outcome {
	t.Helper()
	var stdout, stderr bytes.Buffer
	lookup := func(name string) (string, bool) { return o.ownerURL, name == "DAYBOOK_DATABASE_URL" }
	code := run(t.Context(), append([]string{"daybook"}, strings.Fields(args)...), lookup, strings.NewReader(stdin), &stdout, &stderr)
	return outcome{code, stdout.String(), stderr.String()}
}

// runs is run for a command that must end well; it gives what was printed.
func (o office) runs(t *testing.T, stdin, args string) string {
	t.Helper()
	out := o.run(t, stdin, args)
	if out.code != exitWell || out.stderr != "" {
		t.Fatalf("daybook %s: code %d, %q, %q", args, out.code, out.stdout, out.stderr)
	}
	return out.stdout
}

func TestAdministration(t *testing.T) {
	t.Parallel()
	o := setupOffice(t)
	for _, step := range []struct{ stdin, args, want string }{
		{"correct horse battery\n", "user add Eva@Demo.test --name Eva --role preparer --role viewer", "added eva@demo.test\neva@demo.test is preparer in book main\neva@demo.test is viewer in book main\n"},
		{"correct horse battery", "user add max@demo.test", "added max@demo.test\n"},
		{"", "user grant --book main max@demo.test approver admin", "max@demo.test is approver in book main\nmax@demo.test is admin in book main\n"},
		{"", "user revoke max@demo.test admin --book main", "max@demo.test is no longer admin in book main\n"},
		{"another good password\r\n", "user passwd max@demo.test", "max@demo.test has a new password\n"},
		{"", "user disable max@demo.test", "max@demo.test is disabled\n"},
		{"", "user list", "EMAIL          NAME  STATUS    ROLES\neva@demo.test  Eva   active    main: viewer, preparer\nmax@demo.test  max   disabled  main: approver\n"},
		{"", "user enable max@demo.test", "max@demo.test is enabled\n"},
		{"", "book add be --name Belgium --currency EUR", "opened book be\n"},
		{"", "book list", "CODE  NAME     CURRENCY\nbe    Belgium  EUR\nmain  Main     EUR\n"},
	} {
		if got := o.runs(t, step.stdin, step.args); got != step.want {
			t.Errorf("daybook %s printed\n%s\nwant\n%s", step.args, got, step.want)
		}
	}
}

func TestAccounts(t *testing.T) {
	t.Parallel()
	o := setupOffice(t)
	for _, step := range []struct{ args, want string }{
		{"account list", "CODE  NAME  TYPE  CURRENCY  NO NEGATIVE  RECONCILE FROM  STATUS\n"},
		{"account add 1010 --name Bank --type asset --reconcile-from 2026-03-01", "added account 1010 (asset, EUR) to book main\n"},
		{"account add customer:yuki --name Yuki --type liability --currency JPY --no-negative --book main", "added account customer:yuki (liability, JPY) to book main\n"},
		{"account close customer:yuki", "closed account customer:yuki of book main\n"},
		{"account reopen customer:yuki", "reopened account customer:yuki of book main\n"},
		{"account list --book main", "CODE           NAME  TYPE       CURRENCY  NO NEGATIVE  RECONCILE FROM  STATUS\n" +
			"1010           Bank  asset      EUR       no           2026-03-01      open\n" +
			"customer:yuki  Yuki  liability  JPY       yes          -               open\n"},
	} {
		if got := o.runs(t, "", step.args); got != step.want {
			t.Errorf("daybook %s printed\n%s\nwant\n%s", step.args, got, step.want)
		}
	}
	conn, err := pgx.Connect(t.Context(), o.ownerURL)
	check(t, err)
	defer conn.Close(t.Context())
	var logged int
	check(t, conn.QueryRow(t.Context(), `SELECT count(*) FROM audit_log WHERE email = 'operator' AND action = 'account.open' AND outcome = 'done'`).Scan(&logged))
	if logged != 2 {
		t.Errorf("the audit log has %d accounts opened by the operator, want 2", logged)
	}
}

func TestPaymentAccounts(t *testing.T) {
	t.Parallel()
	o := setupOffice(t)
	for code, kind := range map[string]string{"1010": "asset", "1210": "asset", "4010": "income", "6200": "expense", "6290": "expense"} {
		o.runs(t, "", "account add "+code+" --name Account --type "+kind)
	}
	const accounts = "payments accounts --book main --clearing 1210 --received 4010 --fees 6200 --chargebacks 6290 --bank 1010"
	if got := o.runs(t, "", accounts+" --currency eur --refund-limit 50.00 --customer-accounts"); got != "payments in EUR of book main are booked on 1210, 4010, 6200, 6290 and 1010\n" {
		t.Errorf("it printed %q", got)
	}
	for args, want := range map[string]string{
		strings.Replace(accounts, "6290", "6299", 1): "6299",
		accounts + " --refund-limit many":            "many",
		accounts + " --currency JPY":                 "EUR",
		"payments accounts --clearing 1210":          "bank",
	} {
		if out := o.run(t, "", args); out.code != exitBad || !strings.Contains(out.stderr, want) {
			t.Errorf("daybook %s: code %d, %q", args, out.code, out.stderr)
		}
	}
	conn, err := pgx.Connect(t.Context(), o.ownerURL)
	check(t, err)
	defer conn.Close(t.Context())
	var limit int64
	check(t, conn.QueryRow(t.Context(), `SELECT refund_limit_minor FROM payment_settings WHERE currency = 'EUR' AND customer_accounts AND user_id IS NULL`).Scan(&limit))
	if limit != 5000 {
		t.Errorf("the limit is %d", limit)
	}
}

func TestTokens(t *testing.T) {
	t.Parallel()
	o := setupOffice(t)
	o.runs(t, "correct horse battery", "user add eva@demo.test --role preparer")
	plain := strings.TrimSpace(o.runs(t, "", "token add eva@demo.test --name import --right post --expires 2999-12-31"))
	db, err := postgres.Open(t.Context(), o.appURL)
	check(t, err)
	books := store.New(db, clock)
	t.Cleanup(func() { books.Close() })
	actor, err := books.ActorByToken(t.Context(), plain, "main")
	check(t, err)
	if actor.Email != "eva@demo.test" || !actor.Can(store.RightPost) || actor.Can(store.RightRequest) {
		t.Errorf("the token acts as %+v", actor)
	}
	if list := o.runs(t, "", "token list"); !strings.Contains(list, "import  read, post") || !strings.Contains(list, "2999-12-31  active") || strings.Contains(list, plain) {
		t.Errorf("token list printed\n%s", list)
	}
	if got := o.runs(t, "", "token revoke 1"); got != "token 1 of book main is revoked\n" {
		t.Errorf("token revoke printed %q", got)
	}
	if _, err := books.ActorByToken(t.Context(), plain, "main"); ledger.KindOf(err) != ledger.KindUnauthenticated {
		t.Errorf("the revoked token: %v", err)
	}
}

func TestAdministrationRefusesInOneLine(t *testing.T) {
	t.Parallel()
	o := setupOffice(t)
	o.runs(t, "correct horse battery", "user add eva@demo.test")
	for _, c := range []struct{ stdin, args, want string }{
		{"", "user add", "daybook user add needs EMAIL: see daybook user add --help"},
		{"", "user add max@demo.test", "there is no password on standard input"},
		{"short\n", "user add max@demo.test", "use at least 12 characters"},
		{"correct horse battery\n", "user add max", `"max" is not an e-mail address`},
		{"correct horse battery\n", "user add EVA@demo.test", "there is a user with this e-mail address already"},
		{"", "user add a@demo.test b@demo.test", `takes no "b@demo.test"`},
		{"correct horse battery\n", "user add max@demo.test --role viewer --book none", `there is no book "none"`},
		{"correct horse battery\n", "user add max@demo.test --role viewer --role king", `there is no role "king"`},
		{"correct horse battery\n", "user passwd max@demo.test", `there is no user "max@demo.test"`},
		{"", "user grant eva@demo.test", "needs EMAIL ROLE"},
		{"", "user grant eva@demo.test king", `there is no role "king"`},
		{"", "user revoke eva@demo.test viewer", "does not have the role viewer in book main"},
		{"", "token add eva@demo.test", "name"},
		{"", "token add eva@demo.test --name x --right rule", `there is no right "rule"`},
		{"", "token add eva@demo.test --name x --expires soon", `"soon" is not a date`},
		{"", "token revoke x", `"x" is not the number of a token`},
		{"", "token revoke 7", "book main has no token 7"},
		{"", "book add main --name Again", "there is a book with this code already"},
		{"", "book add Main --name Again", "lower-case"},
		{"", "account add --name Bank --type asset", "daybook account add needs CODE: see daybook account add --help"},
		{"", "account add 1010 --type asset", "name"},
		{"", "account add 1010 --name Bank --type bank", "type"},
		{"", "account add 1010 --name Bank --type asset --currency XXQ", "currency"},
		{"", "account add 1010 --name Bank --type asset --reconcile-from soon", `"soon" is not a date`},
		{"", "account add 1010 --name Bank --type asset --book none", `there is no book "none"`},
		{"", "account list --book none", `there is no book "none"`},
		{"", "account close", "daybook account close needs CODE: see daybook account close --help"},
		{"", "account close 1010", `book main has no account "1010"`},
		{"", "verify --book none", `there is no book "none"`},
	} {
		out := o.run(t, c.stdin, c.args)
		if out.code != exitBad || out.stdout != "" || strings.Count(out.stderr, "\n") != 1 || !strings.Contains(out.stderr, c.want) {
			t.Errorf("daybook %s: code %d, %q, %q, want %q", c.args, out.code, out.stdout, out.stderr, c.want)
		}
	}
}

func TestVerify(t *testing.T) {
	t.Parallel()
	o := setupOffice(t)
	o.runs(t, "correct horse battery", "user add eva@demo.test --role preparer --role admin")
	o.post(t, "t1", "t2")
	if got := o.runs(t, "", "verify"); !strings.HasPrefix(got, "book main: 2 entries, chain, sums, totals, links and payments hold; head 2 ") {
		t.Errorf("verify printed %q", got)
	}
	conn, err := pgx.Connect(t.Context(), o.ownerURL)
	check(t, err)
	defer conn.Close(t.Context())
	_, err = conn.Exec(t.Context(), `ALTER TABLE entries DISABLE TRIGGER USER; UPDATE entries SET description = 'x' WHERE seq = 2`)
	check(t, err)
	out := o.run(t, "", "verify --book main")
	if want := "entry 2: is not what was recorded: its content does not have its hash\n"; out.code != exitNo || out.stdout != want {
		t.Errorf("verify after a forgery: code %d, %q, %q", out.code, out.stdout, out.stderr)
	}
	if !strings.Contains(out.stderr, "guards of the database are off") || !strings.Contains(out.stderr, "entries.entries_no_change") {
		t.Errorf("verify with triggers off says nothing of them: %q", out.stderr)
	}
	o.runs(t, "", "book add be --name Belgium")
	out = o.run(t, "", "verify")
	if lines := strings.Split(out.stdout, "\n"); out.code != exitNo || len(lines) != 3 || !strings.HasPrefix(lines[0], "book be: 0 entries, ") ||
		!strings.HasPrefix(lines[1], "entry 2: ") || !strings.HasSuffix(lines[1], " (book main)") {
		t.Errorf("verify of two books: code %d, %q, %q", out.code, out.stdout, out.stderr)
	}
}

func TestVerify_SeesWhatIsLeftOfABookThatIsGone(t *testing.T) {
	t.Parallel()
	o := setupOffice(t)
	conn, err := pgx.Connect(t.Context(), o.ownerURL)
	check(t, err)
	defer conn.Close(t.Context())
	_, err = conn.Exec(t.Context(), `SET session_replication_role = replica; DELETE FROM books`)
	check(t, err)
	out := o.run(t, "", "verify")
	if want := "book: there are records of book number 1, and there is no such book\n"; out.code != exitNo || out.stdout != want {
		t.Errorf("verify without the book: code %d, %q, %q", out.code, out.stdout, out.stderr)
	}
}

func TestVerify_MakesNoDatabase(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "none")
	out := runHere(t, nil, "verify", "--data-dir", dir)
	if _, err := os.Stat(dir); err == nil || out.code != exitBad || !strings.Contains(out.stderr, "there are no books in data directory "+dir) {
		t.Errorf("code %d, %q, %v", out.code, out.stderr, err)
	}
}

// post opens two accounts, where they are not there yet, and posts an entry for each tx id.
func (o office) post(t *testing.T, txIDs ...string) {
	t.Helper()
	db, err := postgres.Open(t.Context(), o.appURL)
	check(t, err)
	books := store.New(db, clock)
	defer books.Close()
	user, err := books.UserByEmail(t.Context(), "eva@demo.test")
	check(t, err)
	eva, err := books.Actor(t.Context(), user.ID, "main")
	check(t, err)
	for _, code := range []string{"1010", "1020"} {
		_, _, err := books.OpenAccount(t.Context(), eva, "", ledger.Account{Code: code, Name: code, Type: ledger.Asset, Currency: "EUR"})
		if ledger.KindOf(err) != ledger.KindAccountExists {
			check(t, err)
		}
	}
	for _, txID := range txIDs {
		_, err := books.PostEntry(t.Context(), eva, txID, ledger.Entry{TxID: txID, EffectiveOn: ledger.MustDate("2026-03-01"), Description: txID,
			Postings: []ledger.Posting{{Account: "1010", AmountMinor: 5, Currency: "EUR"}, {Account: "1020", AmountMinor: -5, Currency: "EUR"}}})
		check(t, err)
	}
}

func check(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

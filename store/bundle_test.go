package store_test

import (
	"context"
	"sync"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"daybook/store"
	"daybook/store/ledger"
	"daybook/store/postgres"
	"daybook/store/postgres/pgtest"
)

func TestMain(m *testing.M) { pgtest.Main(m) }

// password is that of everyone in a bundle.
const password = "a password for tests"

// bundle is a store on a database of its own, with a clock that stands still, the book main, its people and accounts.
type bundle struct {
	*store.Store
	clock    *clock
	ownerURL string
	appURL   string
	book     store.Book

	viewer, preparer, approver, auditor, admin, controller store.Actor
}

func setup(t *testing.T) bundle {
	t.Helper()
	ownerURL, appURL := pgtest.New(t)
	b := bundle{clock: &clock{at: time.Date(2026, 3, 31, 10, 0, 0, 0, time.UTC)}, ownerURL: ownerURL, appURL: appURL}
	b.Store = b.another(t)
	book, err := b.AddBook(t.Context(), "main", "Main book", "EUR")
	ok(t, err)
	b.book = book
	b.viewer = b.join(t, "viewer", store.Viewer)
	b.preparer = b.join(t, "preparer", store.Preparer)
	b.approver = b.join(t, "approver", store.Approver)
	b.auditor = b.join(t, "auditor", store.Auditor)
	b.admin = b.join(t, "admin", store.Admin)
	b.controller = b.join(t, "controller", store.Preparer, store.Approver)
	b.open(t, "1010", ledger.Asset)
	b.open(t, "customer:alice", ledger.Liability)
	b.open(t, "customer:bob", ledger.Liability)
	b.open(t, "revenue:fees", ledger.Income)
	return b
}

// another is a second store over the same database, as a second server has it.
func (b bundle) another(t *testing.T, options ...store.Option) *store.Store {
	t.Helper()
	db, err := postgres.Open(t.Context(), b.appURL)
	ok(t, err)
	s := store.New(db, b.clock.now, append(options, store.WithPasswordCost(64, 1))...)
	t.Cleanup(func() { ok(t, s.Close()) })
	return s
}

// join adds <name>@demo.test with roles in the book.
func (b bundle) join(t *testing.T, name string, roles ...store.Role) store.Actor {
	t.Helper()
	user, err := b.AddUser(t.Context(), name+"@demo.test", name, password)
	ok(t, err)
	for _, role := range roles {
		ok(t, b.GrantRole(t.Context(), b.book, user.ID, role))
	}
	actor, err := b.Actor(t.Context(), user.ID, b.book.Code)
	ok(t, err)
	return actor
}

// open opens an account in EUR, or as the options say.
func (b bundle) open(t *testing.T, code string, kind ledger.AccountType, options ...func(*ledger.Account)) ledger.Account {
	t.Helper()
	account := ledger.Account{Code: code, Name: "Account " + code, Type: kind, Currency: "EUR"}
	for _, option := range options {
		option(&account)
	}
	opened, _, err := b.OpenAccount(t.Context(), b.admin, "", account)
	ok(t, err)
	return opened
}

func inCurrency(currency string) func(*ledger.Account) {
	return func(a *ledger.Account) { a.Currency = currency }
}

func noNegative(a *ledger.Account) { a.NoNegative = true }

// post posts entries as the preparer, each under the key "key-<tx id>", and gives the last receipt.
func (b bundle) post(t *testing.T, entries ...ledger.Entry) (receipt store.Receipt) {
	t.Helper()
	for _, e := range entries {
		var err error
		receipt, err = b.PostEntry(t.Context(), b.preparer, "key-"+e.TxID, e)
		ok(t, err)
	}
	return receipt
}

// reverse lets the preparer request and the approver approve the reversal of an entry, dated as the clock stands.
func (b bundle) reverse(t *testing.T, seq int64, replacement *ledger.Entry) store.Approval {
	t.Helper()
	request := store.ReversalRequest{Reason: "wrong", EffectiveOn: ledger.DateOf(b.clock.now()), Replacement: replacement}
	approval, _, err := b.RequestReversal(t.Context(), b.preparer, "", seq, request)
	ok(t, err)
	approval, _, err = b.Decide(t.Context(), b.approver, "", approval.ID, store.Approved, "")
	ok(t, err)
	return approval
}

// owner is a connection of the superuser.
func (b bundle) owner(t *testing.T) *pgx.Conn {
	t.Helper()
	conn, err := pgx.Connect(t.Context(), b.ownerURL)
	ok(t, err)
	t.Cleanup(func() { conn.Close(context.Background()) })
	return conn
}

// sql runs statements as the superuser, on one connection.
func (b bundle) sql(t *testing.T, statements ...string) {
	t.Helper()
	conn := b.owner(t)
	for _, statement := range statements {
		if _, err := conn.Exec(t.Context(), statement); err != nil {
			t.Fatalf("%s: %v", statement, err)
		}
	}
}

// column reads a column of text as the superuser.
func (b bundle) column(t *testing.T, query string) []string {
	t.Helper()
	rows, err := b.owner(t).Query(t.Context(), query)
	ok(t, err)
	values, err := pgx.CollectRows(rows, pgx.RowTo[string])
	ok(t, err)
	return values
}

// entry is a deposit of Alice: 30.50 EUR on 2026-03-01, or as the options say.
func entry(txID string, options ...func(*ledger.Entry)) ledger.Entry {
	e := ledger.Entry{TxID: txID, EffectiveOn: ledger.MustDate("2026-03-01"), Description: "Deposit " + txID, Metadata: map[string]string{}}
	amount(3050)(&e)
	for _, option := range options {
		option(&e)
	}
	return e
}

func on(date string) func(*ledger.Entry) {
	return func(e *ledger.Entry) { e.EffectiveOn = ledger.MustDate(date) }
}

func described(text string) func(*ledger.Entry) {
	return func(e *ledger.Entry) { e.Description = text }
}

// amount is what 1010 is debited and customer:alice credited with.
func amount(minor int64) func(*ledger.Entry) { return moves("1010", "customer:alice", minor) }

// moves debits one account in EUR and credits another.
func moves(debit, credit string, minor int64) func(*ledger.Entry) {
	return postings(ledger.Posting{Account: debit, AmountMinor: minor, Currency: "EUR"}, ledger.Posting{Account: credit, AmountMinor: -minor, Currency: "EUR"})
}

func postings(lines ...ledger.Posting) func(*ledger.Entry) {
	return func(e *ledger.Entry) { e.Postings = lines }
}

func noting(key, value string) func(*ledger.Entry) {
	return func(e *ledger.Entry) { e.Metadata[key] = value }
}

// clock stands still until it is moved.
type clock struct {
	mu sync.Mutex
	at time.Time
}

func (c *clock) now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.at
}

func (c *clock) advance(d time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.at = c.at.Add(d)
}

func ok(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// refused asks for a refusal of a kind.
func refused(t *testing.T, err error, kind ledger.Kind) {
	t.Helper()
	if got := ledger.KindOf(err); err == nil || got != kind {
		t.Fatalf("got %v (kind %s), want a refusal as %s", err, got, kind)
	}
}

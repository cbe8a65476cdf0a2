package bench

import (
	"bytes"
	"context"
	"fmt"
	"math/rand/v2"
	"net/http"
	"strconv"
	"time"

	"daybook/store/ledger"
)

// scene is what posts are made of: in which book, as whom, between how many accounts, and under which name their tx ids begin. A hot one
// has the same account in every entry.
type scene struct {
	address, book, token string
	accounts             int
	hot                  bool
	name                 string
}

func accountCode(n int) string { return fmt.Sprintf("account:%d", n) }

// entries makes entries one after the other, each with a tx id of its own, which is its idempotency key too.
type entries struct {
	scene
	client, n int
	random    *rand.Rand
	today     string
}

func (s scene) entries(client int) *entries {
	return &entries{scene: s, client: client, random: rand.New(rand.NewPCG(2026, uint64(client))), today: time.Now().UTC().Format(time.DateOnly)}
}

// id appends the tx id of the current entry.
func (e *entries) id(b []byte) []byte {
	b = append(append(b, e.name...), '-')
	b = append(strconv.AppendInt(b, int64(e.client), 10), '-')
	return strconv.AppendInt(b, int64(e.n), 10)
}

// next is the movement of another entry.
func (e *entries) next() (debit, credit int, amountMinor int64) {
	e.n++
	debit, credit = e.random.IntN(e.accounts), e.random.IntN(e.accounts-1)
	if e.hot {
		debit = 0
	}
	if credit >= debit {
		credit++
	}
	return debit, credit, 1 + e.random.Int64N(100_000)
}

// body appends another entry as JSON but for its closing brace.
func (e *entries) body(b []byte) []byte {
	debit, credit, amount := e.next()
	b = append(b, `{"tx_id":"`...)
	b = append(e.id(b), `","effective_on":"`...)
	b = append(append(b, e.today...), `","description":"Bench","postings":[`...)
	b = append(posting(b, debit, amount), ',')
	return append(posting(b, credit, -amount), ']')
}

// entry is another entry as the store takes it.
func (e *entries) entry() ledger.Entry {
	debit, credit, amount := e.next()
	return ledger.Entry{TxID: string(e.id(nil)), EffectiveOn: ledger.MustDate(e.today), Description: "Bench", Postings: []ledger.Posting{
		{Account: accountCode(debit), AmountMinor: amount, Currency: "EUR"}, {Account: accountCode(credit), AmountMinor: -amount, Currency: "EUR"},
	}}
}

func posting(b []byte, account int, amount int64) []byte {
	b = append(b, `{"account":"account:`...)
	b = append(strconv.AppendInt(b, int64(account), 10), `","amount":`...)
	return append(strconv.AppendInt(b, amount, 10), `,"currency":"EUR"}`...)
}

// poster is a client that posts entry after entry.
type poster struct {
	*connection
	entries   *entries
	head      []byte
	json, out []byte
	posted    int // answered with 201, and not as a duplicate
	busy      int // answered with 503, and sent again
}

func (s scene) poster(client int) (*poster, error) {
	conn, err := dial(s.address)
	if err != nil {
		return nil, err
	}
	return &poster{connection: conn, entries: s.entries(client), head: s.head("/entries", "application/json")}, nil
}

// head begins a request to a path of the book's API.
func (s scene) head(path, contentType string) []byte {
	return fmt.Appendf(nil, "POST /api/v1/books/%s%s HTTP/1.1\r\nHost: %s\r\nAuthorization: Bearer %s\r\nContent-Type: %s\r\n",
		s.book, path, s.address, s.token, contentType)
}

// request is the next post.
func (p *poster) request() []byte {
	p.json = append(p.entries.body(p.json[:0]), '}')
	p.out = append(append(p.out[:0], p.head...), "Idempotency-Key: "...)
	p.out = append(p.entries.id(p.out), "\r\nContent-Length: "...)
	p.out = append(strconv.AppendInt(p.out, int64(len(p.json)), 10), "\r\n\r\n"...)
	p.out = append(p.out, p.json...)
	return p.out
}

// Do posts an entry and returns when the answer says that it is recorded. One that the server puts off is sent again; by then the first
// may have been recorded after all.
func (p *poster) Do(context.Context) error {
	request := p.request()
	for again := false; ; again = true {
		status, body, err := p.exchange(request)
		switch {
		case err != nil:
			return err
		case status == http.StatusServiceUnavailable:
			p.busy++
		case status != http.StatusCreated || !again && !bytes.Contains(body, first):
			return fmt.Errorf("a post was answered with %d: %s", status, body)
		default:
			p.posted++
			return nil
		}
	}
}

// first is in the answer to whoever was the first with a key.
var first = []byte(`"duplicate":false`)

// visitor is a client that asks for what costs the server nothing.
type visitor struct {
	*connection
	request []byte
}

func (s scene) visitor(int) (*visitor, error) {
	conn, err := dial(s.address)
	return &visitor{conn, fmt.Appendf(nil, "GET /healthz HTTP/1.1\r\nHost: %s\r\n\r\n", s.address)}, err
}

// Do asks, and returns when the answer is there.
func (v *visitor) Do(context.Context) error {
	status, body, err := v.exchange(v.request)
	if err == nil && status != http.StatusOK {
		return fmt.Errorf("GET /healthz was answered with %d: %s", status, body)
	}
	return err
}

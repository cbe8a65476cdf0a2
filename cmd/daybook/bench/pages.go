package bench

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/cookiejar"
	"net/url"
	"slices"
	"strings"

	"daybook/store"
)

// small is how many entries a book has whose pages are the measure for those of a grown one.
const small = 1000

// page is what a person opens of a book, under the name that the output has for it. Path is that behind the book's.
type page struct{ name, path string }

var pages = []page{
	{"overview", ""}, {"balances", "/balances"}, {"accounts", "/accounts"}, {"account", "/accounts/" + accountCode(0)}, {"journal", "/journal"},
	{"journal-of-account", "/journal?account=" + accountCode(0)}, {"journal-search", "/journal?q=bench-1-0-7"}, {"entry", "/journal/1"}, {"keys", "/keys"},
	{"periods", "/periods"},
}

// Pages measures the pages of a book over HTTP as a person who is signed in, by each number of clients, when the book is small and when it has
// grown to plan.Preload entries. It prints a line of JSON for each measurement, and what the grown is to the small. The
// error is the first page that was not answered with 200.
func Pages(ctx context.Context, ground Ground, plan Plan, out io.Writer) (err error) {
	plan.Writers = []string{Daybook}
	s := &suite{bench: "pages", Ground: ground, Plan: plan, out: out, found: map[string]measurement{}, stages: map[string]*stage{}}
	defer func() { err = s.leave(err) }()
	if err := s.enter(ctx, Daybook); err != nil {
		return err
	}
	st := s.stages[Daybook]
	cookies, err := s.signIn(ctx, st)
	if err != nil {
		return err
	}
	sizes := slices.Compact([]int64{min(small, plan.Preload), plan.Preload})
	for _, size := range sizes {
		if _, _, err := s.fill(ctx, st, size-st.posted); err != nil {
			return fmt.Errorf("fill the book with %d entries: %w", size, err)
		}
		if err := s.openPages(ctx, st, cookies); err != nil {
			return err
		}
	}
	if len(sizes) == 1 {
		return nil
	}
	for _, p := range pages {
		for _, clients := range s.Clients {
			grown, young := s.found[p.at(plan.Preload, clients)], s.found[p.at(small, clients)]
			name := fmt.Sprintf("%s at %d entries/at %d, %d clients, p50", p.name, plan.Preload, small, clients)
			if err := s.atMost(2, name, grown.P50, young.P50); err != nil {
				return err
			}
		}
	}
	return nil
}

func (p page) at(entries int64, clients int) string {
	return fmt.Sprint(p.name, " ", entries, " ", clients)
}

// signIn adds a person who may look at the book, and gives the cookies of their session.
func (s *suite) signIn(ctx context.Context, st *stage) (string, error) {
	const email = "reader@bench.test"
	password := rand.Text()
	user, err := s.Books.AddUser(ctx, email, "Reader", password)
	if err != nil {
		return "", err
	}
	if err := s.Books.GrantRole(ctx, st.book, user.ID, store.Viewer); err != nil {
		return "", err
	}
	jar, err := cookiejar.New(nil)
	if err != nil {
		return "", err
	}
	site := &url.URL{Scheme: "http", Host: st.server.Address, Path: "/"}
	form := url.Values{"email": {email}, "password": {password}, "next": {"/b/" + st.book.Code}}
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, site.JoinPath("login").String(), strings.NewReader(form.Encode()))
	if err != nil {
		return "", err
	}
	request.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	answer, err := (&http.Client{Jar: jar}).Do(request)
	if err != nil {
		return "", fmt.Errorf("sign in: %w", err)
	}
	answer.Body.Close()
	var cookies []string
	for _, cookie := range jar.Cookies(site) {
		cookies = append(cookies, cookie.String())
	}
	if answer.StatusCode != http.StatusOK || len(cookies) == 0 {
		return "", fmt.Errorf("signing in was answered with %d", answer.StatusCode)
	}
	return strings.Join(cookies, "; "), nil
}

// openPages measures each page of a book as it is now.
func (s *suite) openPages(ctx context.Context, st *stage, cookies string) error {
	for _, p := range pages {
		for _, clients := range s.Clients {
			workers, err := hire(clients, func(int) (*reader, error) { return st.reader(p, cookies) })
			if err != nil {
				return err
			}
			found, err := drive(ctx, workers, s.Window)
			m := measurement{
				Writer: Daybook, Page: p.name, Clients: clients, Accounts: s.Accounts, Preloaded: st.posted, PageBytes: workers[0].(*reader).bytes,
				ServerMiB: residentMiB(st.server.Process),
			}
			if err := errors.Join(err, dismiss(workers)); err != nil {
				return fmt.Errorf("measure the page %s: %w", p.name, err)
			}
			if err := s.note(p.at(st.posted, clients), m.of(found)); err != nil {
				return err
			}
		}
	}
	return nil
}

// reader is a client that opens a page again and again.
type reader struct {
	*connection
	path    string
	request []byte
	bytes   int // of the page
}

func (st *stage) reader(p page, cookies string) (*reader, error) {
	conn, err := dial(st.server.Address)
	path := "/b/" + st.book.Code + p.path
	request := fmt.Appendf(nil, "GET %s HTTP/1.1\r\nHost: %s\r\nCookie: %s\r\n\r\n", path, st.server.Address, cookies)
	return &reader{connection: conn, path: path, request: request}, err
}

// Do opens the page, and returns when all of it is there.
func (r *reader) Do(context.Context) error {
	status, body, err := r.exchange(r.request)
	if err == nil && status != http.StatusOK {
		return fmt.Errorf("GET %s was answered with %d", r.path, status)
	}
	r.bytes = len(body)
	return err
}

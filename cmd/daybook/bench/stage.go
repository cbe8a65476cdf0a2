package bench

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"os"
	"strconv"
	"strings"
	"time"

	"daybook/store"
	"daybook/store/ledger"
)

// stage is a writer's server, and a book of its own that it writes.
type stage struct {
	server    Server
	book      store.Book
	actor     store.Actor
	token     string
	accounts  int
	scenes    int
	posted    int64 // entries that were answered as recorded
	keyless   int64 // those of them that have no key
	preloaded int64
}

// enter makes the book, who posts into it, and its accounts, and starts the server.
func (s *suite) enter(ctx context.Context, writer string) (err error) {
	st := &stage{accounts: s.Accounts}
	if st.book, err = s.Books.AddBook(ctx, writer, "Bench of "+writer, "EUR"); err != nil {
		return err
	}
	user, err := s.Books.AddUser(ctx, writer+"@bench.test", writer, rand.Text())
	if err != nil {
		return err
	}
	if err := s.Books.GrantRole(ctx, st.book, user.ID, store.Preparer); err != nil {
		return err
	}
	if st.actor, err = s.Books.Actor(ctx, user.ID, writer); err != nil {
		return err
	}
	if _, st.token, err = s.Books.AddToken(ctx, st.book, user.ID, "bench", nil, time.Time{}, ""); err != nil {
		return err
	}
	for n := range s.Accounts {
		account := ledger.Account{Code: accountCode(n), Name: fmt.Sprint("Account ", n), Type: ledger.Liability, Currency: "EUR"}
		if _, err := s.Books.AddAccount(ctx, st.book, account); err != nil {
			return err
		}
	}
	if st.server, err = s.Serve(ctx, writer); err != nil {
		return err
	}
	s.stages[writer] = st
	return nil
}

// leave stops the servers.
func (s *suite) leave(err error) error {
	for _, st := range s.stages {
		err = errors.Join(err, st.server.Stop())
	}
	return err
}

// scene is what the next posts are made of, under a name that no others have.
func (st *stage) scene(hot bool) scene {
	st.scenes++
	return scene{address: st.server.Address, book: st.book.Code, token: st.token, accounts: st.accounts, hot: hot, name: fmt.Sprint("bench-", st.scenes)}
}

func (st *stage) visitor(client int) (*visitor, error) { return st.scene(false).visitor(client) }

// settle holds the journals against what was answered: no post lost, none doubled, every key there, and the book verifies.
func (s *suite) settle(ctx context.Context) error {
	for _, writer := range s.Writers {
		st := s.stages[writer]
		entries, keys, err := s.Yardstick.Counts(ctx, st.book.ID)
		if err != nil {
			return err
		}
		if entries != st.posted || keys != st.posted-st.keyless {
			return fmt.Errorf("%d posts of %s were answered as recorded, and the journal has %d entries and %d keys", st.posted, writer, entries, keys)
		}
		start := time.Now()
		v, err := s.Books.Verify(ctx, st.book)
		took := time.Since(start)
		if err != nil {
			return err
		}
		if v.Fault != nil {
			return fmt.Errorf("the book of %s does not verify: %s", writer, v.Fault)
		}
		if writer != Daybook {
			continue
		}
		if err := s.compareVerify(ctx, st, took); err != nil {
			return err
		}
	}
	return nil
}

// compareVerify measures COPY of the book to nowhere beside its verification.
func (s *suite) compareVerify(ctx context.Context, st *stage, took time.Duration) error {
	copied, err := s.Yardstick.CopyOut(ctx, st.book.ID)
	if err != nil {
		return err
	}
	return errors.Join(s.note("verify", once("verify", st.posted, took)), s.note("copy-out", once("copy-out", st.posted, copied)))
}

// once is the measurement of something that was done once, with so many entries.
func once(writer string, count int64, took time.Duration) measurement {
	return measurement{Writer: writer, Clients: 1, Count: count, Seconds: rounded(took.Seconds()), PerSecond: rounded(float64(count) / took.Seconds())}
}

// residentMiB is the memory of a process, 0 where the system does not tell.
func residentMiB(process int) int64 {
	status, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", process))
	if err != nil {
		return 0
	}
	_, rest, _ := strings.Cut(string(status), "VmRSS:")
	fields := strings.Fields(rest)
	if len(fields) == 0 {
		return 0
	}
	kib, _ := strconv.ParseInt(fields[0], 10, 64)
	return kib >> 10
}

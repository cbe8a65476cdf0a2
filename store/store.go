package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5/pgconn"
	"gorm.io/gorm"

	"daybook/store/gateway"
	"daybook/store/ledger"
)

// Store is the door to the books. It is safe for concurrent use.
type Store struct {
	db              *gorm.DB
	now             func() time.Time
	writers         writers
	actors          actorMemory
	bell            bell
	passwords       passwords
	verified        verifications
	readings        *readings
	jobLines        int
	machine         string          // the e-mail address of the user who takes in what comes without a token
	gateway         gateway.Gateway // nil where none is set up
	paymentAccounts bool
	plain           bool // posts are written by the plain writer, for the bench
}

// Option changes how a store works.
type Option func(*Store)

// WithPasswordCost sets the memory and the passes of a password's hash. It is for tests, which add many people.
func WithPasswordCost(memoryKiB, passes uint32) Option {
	return func(s *Store) { s.passwords.params.Memory, s.passwords.params.Iterations = memoryKiB, passes }
}

// WithJobLines has files of more than so many lines stored by a job, instead of JobLines. It is for tests.
func WithJobLines(lines int) Option {
	return func(s *Store) { s.jobLines = lines }
}

// New returns a store over an open database. The clock is handed in, so that tests can hold it still.
func New(db *gorm.DB, now func() time.Time, options ...Option) *Store {
	s := &Store{db: db, now: now, writers: writers{byBook: map[int64]*writer{}}, passwords: newPasswords(), readings: newReadings(now), jobLines: JobLines}
	for _, option := range options {
		option(s)
	}
	return s
}

// Close gives the connections back; no call may follow. Posts that are being written are written first.
func (s *Store) Close() error {
	s.writers.running.Wait()
	pool, err := s.db.DB()
	if err != nil {
		return fmt.Errorf("close the store: %w", err)
	}
	s.bell.close()
	return pool.Close()
}

// Ping reports whether the database answers.
func (s *Store) Ping(ctx context.Context) error {
	pool, err := s.db.DB()
	if err != nil {
		return fmt.Errorf("reach the database: %w", err)
	}
	return pool.PingContext(ctx)
}

// Pool tells how busy the connections to the database are.
func (s *Store) Pool() sql.DBStats {
	pool, err := s.db.DB()
	if err != nil {
		return sql.DBStats{}
	}
	return pool.Stats()
}

const transactionAttempts = 4

// codeLockTimeout is the SQLSTATE of a wait for a lock that ran out.
const codeLockTimeout = "55P03"

// inTx runs fn in a transaction and commits it. fn must be repeatable: a deadlock, a serialization failure or a key that was
// taken meanwhile runs it again, a few times at most.
func (s *Store) inTx(ctx context.Context, fn func(tx *gorm.DB) error) error {
	var err error
	for range transactionAttempts {
		err = s.db.WithContext(ctx).Transaction(fn)
		if !worthRepeating(err) {
			break
		}
	}
	return translate(orOutage(err))
}

// inSnapshot runs fn over the database as it is at one moment, for what is read in several steps and must go together.
func (s *Store) inSnapshot(ctx context.Context, fn func(tx *gorm.DB) error) error {
	return translate(orOutage(s.db.WithContext(ctx).Transaction(fn, &sql.TxOptions{Isolation: sql.LevelRepeatableRead, ReadOnly: true})))
}

func worthRepeating(err error) bool {
	var pg *pgconn.PgError
	if !errors.As(err, &pg) {
		return false
	}
	switch pg.Code {
	case "40001", "40P01":
		return true
	case "23505": // another request took the key or tx id between our look and our insert: look again
		return pg.ConstraintName == "idempotency_keys_pkey" || pg.ConstraintName == "jobs_one_of_a_file"
	}
	return false
}

// translate turns what the database refuses into the errors of the rules: by SQLSTATE first, then by constraint.
func translate(err error) error {
	var known *ledger.Error
	var pg *pgconn.PgError
	if err == nil || errors.As(err, &known) || !errors.As(err, &pg) {
		return err
	}
	switch pg.Code {
	case codeLockTimeout:
		return &ledger.Error{Kind: ledger.KindBusy, Message: "the book is busy: try again in a moment", Err: err}
	case "40001", "40P01":
		return &ledger.Error{Kind: ledger.KindBusy, Message: "others are changing the same records: try again", Err: err}
	}
	if refusal, ok := constraintRefusals[pg.ConstraintName]; ok {
		return &ledger.Error{Kind: refusal.Kind, Message: refusal.Message, Fields: refusal.Fields, Err: err}
	}
	return err
}

var constraintRefusals = map[string]ledger.Error{
	"accounts_code":                   {Kind: ledger.KindAccountExists, Message: "the book has an account with this code already", Fields: []ledger.FieldError{{Field: "code", Detail: "is taken"}}},
	"entries_tx_id":                   {Kind: ledger.KindTxIDExists, Message: "the tx id is in use"},
	"entries_reverses_once":           {Kind: ledger.KindAlreadyReversed, Message: "the entry is already reversed"},
	"approvals_one_pending":           {Kind: ledger.KindReversalPending, Message: "a reversal of this entry already waits for approval"},
	"approvals_one_pending_subject":   {Kind: ledger.KindIllegalTransition, Message: "a request about this waits for approval already: it is decided or recalled first"},
	"payments_by_charge":              {Kind: ledger.KindInvalid, Message: "the gateway's name of the payment is that of another payment", Fields: []ledger.FieldError{{Field: "charge", Detail: "is that of another payment"}}},
	"payment_calls_one_live":          {Kind: ledger.KindIllegalTransition, Message: "the gateway has not answered yet what it was asked about this payment"},
	"payment_calls_live_key":          {Kind: ledger.KindKeyReused, Message: "this idempotency key is that of a request about another payment, which the gateway has not answered"},
	"approval_decisions_pkey":         {Kind: ledger.KindAlreadyDecided, Message: "the request is already decided"},
	"approval_decisions_other_person": {Kind: ledger.KindOwnRequest, Message: "you requested this; another person must approve"},
	"signoffs_other_person":           {Kind: ledger.KindOwnRequest, Message: "you submitted this; another person must sign it off"},
	"users_email":                     {Kind: ledger.KindInvalid, Message: "there is a user with this e-mail address already", Fields: []ledger.FieldError{{Field: "email", Detail: "is taken"}}},
	"books_code":                      {Kind: ledger.KindInvalid, Message: "there is a book with this code already", Fields: []ledger.FieldError{{Field: "code", Detail: "is taken"}}},
	"user_roles_user":                 {Kind: ledger.KindNotFound, Message: "there is no such user"},
	"tokens_user":                     {Kind: ledger.KindNotFound, Message: "there is no such user"},
	"tokens_by_hash":                  {Kind: ledger.KindInvalid, Message: "the book has this token already"},
	"breaks_not_a_break":              {Kind: ledger.KindInvalid, Message: "a break with a difference cannot be called no break"},
}

package store

import (
	"errors"
	"slices"
	"time"

	"github.com/jackc/pgx/v5/pgconn"
	"gorm.io/gorm"

	"daybook/store/inbox"
	"daybook/store/jobs"
	"daybook/store/ledger"
	"daybook/store/payment"
)

// inboxTry says why a message is tried. unreadable is why nothing could be read of one that has just come, refused why nobody may act for it.
type inboxTry struct {
	event      string
	way        inbox.Way
	scheduled  bool // its pause is over
	unreadable *ledger.Error
	refused    *ledger.Error
}

// tryMessage tries a message whose row the transaction holds, and then those that waited for what it did. An error has the whole transaction undone.
func (s *Store) tryMessage(tx *gorm.DB, actor Actor, row messageRow, try inboxTry) (InboxReceipt, error) {
	receipt, err := s.tryOne(tx, actor, row, try)
	if err == nil && receipt.Result == InboxApplied && receipt.PaymentID != 0 {
		err = s.tryWaiting(tx, actor, receipt.PaymentID)
	}
	return receipt, err
}

// tryOne tries a message and keeps what came of it. What is refused is undone up to here, and no more.
func (s *Store) tryOne(tx *gorm.DB, actor Actor, row messageRow, try inboxTry) (InboxReceipt, error) {
	var done inboxEffect
	err := tx.Transaction(func(tx *gorm.DB) (err error) {
		switch {
		case try.unreadable != nil:
			return tried{InboxParked, try.unreadable}
		case try.refused != nil:
			return try.refused
		}
		done, err = s.applyMessage(tx, actor, row)
		return err
	})
	state, problem, err := triedState(err)
	if err != nil {
		return InboxReceipt{}, err
	}
	row.Seq = done.seq
	if done.paymentID != 0 {
		row.PaymentID = done.paymentID
	}
	before := row.State
	if err := s.planNext(tx, &row, state, try.scheduled); err != nil {
		return InboxReceipt{}, err
	}
	if try.event == eventTried && !try.scheduled && row.State == before {
		return row.receipt(row.State, problem), nil // it waits on, of which there is nothing to tell
	}
	return row.receipt(row.State, problem), s.keepTry(tx, actor, row, try, problem)
}

// keepTry writes what a try came to.
func (s *Store) keepTry(tx *gorm.DB, actor Actor, row messageRow, try inboxTry, problem *ledger.Error) error {
	text, err := problemText(problem)
	if err != nil {
		return err
	}
	delivered := 0
	if try.event == eventDelivered {
		delivered = 1
	}
	var next *time.Time
	if !row.NextAt.IsZero() {
		next = &row.NextAt
	}
	return s.updateMessage(tx, actor, row, inboxEvent{event: try.event, way: try.way, result: row.State, problem: problem}, `,
		state = ?, deliveries = deliveries + ?, tries = tries + 1, pauses = ?, problem = CAST(? AS jsonb), payment_id = ?, seq = ?, changed_at = ?, next_at = ?`,
		row.State, delivered, row.Pauses, text, nullable(row.PaymentID), nullable(row.Seq), s.now(), next)
}

// tried is a refusal that decides by itself what becomes of the message.
type tried struct {
	state InboxState
	why   error
}

func (t tried) Error() string { return string(t.state) + ": " + t.why.Error() }
func (t tried) Unwrap() error { return t.why }

// triedState says what the end of a try makes of its message. What is no refusal by the rules is given back: it says nothing about the message.
func triedState(err error) (InboxState, *ledger.Error, error) {
	if err == nil {
		return InboxApplied, nil, nil
	}
	if worthRepeating(err) {
		return "", nil, err
	}
	err = translate(orOutage(err))
	if fault := dataFault(err); fault != nil {
		return InboxParked, fault, nil
	}
	var problem *ledger.Error
	if !errors.As(err, &problem) || problem.Kind == ledger.KindInternal || problem.Kind == ledger.KindBusy {
		return "", nil, err
	}
	var decided tried
	switch {
	case errors.As(err, &decided):
		return decided.state, problem, nil
	case payment.Waits(err):
		return InboxWaiting, problem, nil
	}
	return InboxFailed, problem, nil
}

// dataFault is the refusal of what the database took for what it must not hold (SQLSTATE classes 22 and 23) or cannot hold (54), nil for another
// error: it would be refused again whenever it came, and must not keep out what comes after it. Operators find the statement by the code in the
// database's log.
func dataFault(err error) *ledger.Error {
	var known *ledger.Error
	var pg *pgconn.PgError
	if errors.As(err, &known) || !errors.As(err, &pg) || len(pg.Code) != 5 || !slices.Contains([]string{"22", "23", "54"}, pg.Code[:2]) {
		return nil
	}
	return &ledger.Error{Kind: ledger.KindInvalid, Message: "the message could not be kept: the books do not hold what it says (SQLSTATE " + pg.Code + ")", Err: err}
}

// inboxPauses are how long is waited before each try that a message has by itself. When the last one fails it is parked.
var inboxPauses = []time.Duration{
	5 * time.Second, 30 * time.Second, 2 * time.Minute, 10 * time.Minute, 30 * time.Minute, time.Hour, 3 * time.Hour, 6 * time.Hour,
}

// planNext gives a message its state and says when it is tried again. Only a try that was due takes it on to the next pause: who delivers it again and
// again neither hastens nor puts off its end.
func (s *Store) planNext(tx *gorm.DB, row *messageRow, state InboxState, scheduled bool) error {
	row.State = state
	if scheduled {
		row.Pauses++
	}
	if state != InboxWaiting && state != InboxFailed {
		row.NextAt = time.Time{}
		return nil
	}
	switch begun := row.NextAt.IsZero(); {
	case begun:
		row.Pauses, row.NextAt = 0, s.now().Add(inboxPauses[0])
		return addTask(tx, jobs.Message{BookID: row.BookID, Source: row.Source, ID: row.MessageID}, row.NextAt)
	case scheduled && row.Pauses == len(inboxPauses):
		row.State, row.NextAt = InboxParked, time.Time{}
	case scheduled:
		row.NextAt = s.now().Add(inboxPauses[row.Pauses])
	}
	return nil
}

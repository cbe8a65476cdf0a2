package ledger

import (
	"errors"
	"fmt"
	"strings"
)

// Kind is the kind of a refusal. Its text is the slug that the API answers with.
type Kind string

// The kinds that rules, use cases and constraints raise.
const (
	KindInvalid           Kind = "invalid"
	KindUnbalanced        Kind = "unbalanced"
	KindTooFewPostings    Kind = "too-few-postings"
	KindZeroAmount        Kind = "zero-amount"
	KindAmountOverflow    Kind = "amount-overflow"
	KindUnknownAccount    Kind = "unknown-account"
	KindClosedAccount     Kind = "closed-account"
	KindCurrencyMismatch  Kind = "currency-mismatch"
	KindInsufficientFunds Kind = "insufficient-funds"
	KindPeriodClosed      Kind = "period-closed"

	KindKeyMissing    Kind = "idempotency-key-missing"
	KindKeyInvalid    Kind = "idempotency-key-invalid"
	KindKeyReused     Kind = "idempotency-key-reused"
	KindKeyInProgress Kind = "idempotency-key-in-progress"
	KindOwnerFailed   Kind = "owner-failed"
	KindTxIDExists    Kind = "tx-id-exists"
	KindAccountExists Kind = "account-exists"
	KindMessageReused Kind = "message-id-reused"

	KindAlreadyReversed   Kind = "already-reversed"
	KindIsReversal        Kind = "is-reversal"
	KindReversalPending   Kind = "reversal-pending"
	KindOwnRequest        Kind = "own-request"
	KindAlreadyDecided    Kind = "already-decided"
	KindIllegalTransition Kind = "illegal-transition"
	KindStatementRefused  Kind = "statement-refused"

	KindUnauthenticated Kind = "unauthenticated"
	KindTooManyAttempts Kind = "too-many-attempts"
	KindForbidden       Kind = "forbidden"
	KindNotFound        Kind = "not-found"
	KindTooLarge        Kind = "too-large"
	KindBusy            Kind = "busy"
	KindInternal        Kind = "internal"
)

// FieldError says what is wrong with one field of what was sent. Field is a path such as "postings[1].amount".
type FieldError struct {
	Field  string `json:"field"`
	Detail string `json:"detail"`
}

// Error is the one error type of the rules and the use cases: Message is for people, Err for operators and never
// shown. Extra holds what a problem document of this kind carries besides (the seq of the entry that has the tx id,
// who used a key first).
type Error struct {
	Kind    Kind
	Message string
	Fields  []FieldError
	Extra   map[string]any
	Err     error
}

// Refuse returns an Error of a kind with a message for people.
func Refuse(kind Kind, format string, args ...any) *Error {
	return &Error{Kind: kind, Message: fmt.Sprintf(format, args...)}
}

// Error gives the kind, the message and the fields at fault in one line.
func (e *Error) Error() string {
	var b strings.Builder
	b.WriteString(string(e.Kind) + ": " + e.Message)
	for _, f := range e.Fields {
		b.WriteString("; " + f.Field + ": " + f.Detail)
	}
	if e.Err != nil {
		b.WriteString(": " + e.Err.Error())
	}
	return b.String()
}

// Unwrap gives the cause that is meant for operators.
func (e *Error) Unwrap() error { return e.Err }

// At adds a field at fault and returns the error.
func (e *Error) At(field, format string, args ...any) *Error {
	e.Fields = append(e.Fields, FieldError{Field: field, Detail: fmt.Sprintf(format, args...)})
	return e
}

// OrNil gives the error when it names a field at fault, and nil when it names none: rules collect faults in it and end with it.
func (e *Error) OrNil() error {
	if len(e.Fields) == 0 {
		return nil
	}
	return e
}

// With adds a member to the problem document and returns the error.
func (e *Error) With(name string, value any) *Error {
	if e.Extra == nil {
		e.Extra = map[string]any{}
	}
	e.Extra[name] = value
	return e
}

// KindOf gives the kind of an error: KindInternal for any that is not of this package.
func KindOf(err error) Kind {
	var e *Error
	if errors.As(err, &e) {
		return e.Kind
	}
	return KindInternal
}

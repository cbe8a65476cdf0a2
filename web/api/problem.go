package api

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"unicode"
	"unicode/utf8"

	"github.com/labstack/echo/v4"

	"daybook/store/ledger"
)

// KindMethodNotAllowed is the kind of a request whose address exists and takes other methods.
const KindMethodNotAllowed ledger.Kind = "method-not-allowed"

type meaning struct {
	status int
	title  string
}

// meanings gives each kind of refusal its status and its title. A kind that is not listed is answered as internal.
var meanings = map[ledger.Kind]meaning{
	ledger.KindInvalid:           {http.StatusUnprocessableEntity, "Something in the request cannot be read"},
	ledger.KindUnbalanced:        {http.StatusUnprocessableEntity, "Debits and credits differ"},
	ledger.KindTooFewPostings:    {http.StatusUnprocessableEntity, "Too few postings"},
	ledger.KindZeroAmount:        {http.StatusUnprocessableEntity, "An amount is zero"},
	ledger.KindAmountOverflow:    {http.StatusUnprocessableEntity, "An amount or total is too large"},
	ledger.KindUnknownAccount:    {http.StatusUnprocessableEntity, "Unknown account"},
	ledger.KindClosedAccount:     {http.StatusUnprocessableEntity, "Account closed"},
	ledger.KindCurrencyMismatch:  {http.StatusUnprocessableEntity, "Wrong currency for the account"},
	ledger.KindInsufficientFunds: {http.StatusUnprocessableEntity, "Insufficient funds"},
	ledger.KindPeriodClosed:      {http.StatusUnprocessableEntity, "Period closed"},

	ledger.KindKeyMissing:    {http.StatusBadRequest, "Idempotency key missing"},
	ledger.KindKeyInvalid:    {http.StatusBadRequest, "Idempotency key invalid"},
	ledger.KindKeyReused:     {http.StatusUnprocessableEntity, "Idempotency key used before for something else"},
	ledger.KindKeyInProgress: {http.StatusConflict, "Idempotency key in progress"},
	ledger.KindOwnerFailed:   {http.StatusServiceUnavailable, "The first request with this key failed"},
	ledger.KindTxIDExists:    {http.StatusConflict, "Tx id in use"},
	ledger.KindAccountExists: {http.StatusConflict, "Account exists"},
	ledger.KindMessageReused: {http.StatusConflict, "A message with this id came before and says something else"},

	ledger.KindAlreadyReversed:   {http.StatusUnprocessableEntity, "Already reversed"},
	ledger.KindIsReversal:        {http.StatusUnprocessableEntity, "A reversal cannot be reversed"},
	ledger.KindReversalPending:   {http.StatusUnprocessableEntity, "A reversal waits for approval"},
	ledger.KindOwnRequest:        {http.StatusForbidden, "Your own request"},
	ledger.KindAlreadyDecided:    {http.StatusConflict, "Already decided"},
	ledger.KindIllegalTransition: {http.StatusConflict, "Not possible in this state"},
	ledger.KindStatementRefused:  {http.StatusUnprocessableEntity, "The statement cannot be taken as it is"},

	ledger.KindUnauthenticated: {http.StatusUnauthorized, "Not signed in"},
	ledger.KindForbidden:       {http.StatusForbidden, "A right is missing"},
	ledger.KindNotFound:        {http.StatusNotFound, "Not found"},
	KindMethodNotAllowed:       {http.StatusMethodNotAllowed, "Method not allowed"},
	ledger.KindTooLarge:        {http.StatusRequestEntityTooLarge, "Too large"},
	ledger.KindTooManyAttempts: {http.StatusTooManyRequests, "Too many attempts"},
	ledger.KindBusy:            {http.StatusServiceUnavailable, "Busy"},
	ledger.KindInternal:        {http.StatusInternalServerError, "Something broke on our side"},
}

// retryAfterSeconds are for refusals that are over in a moment.
var retryAfterSeconds = map[ledger.Kind]string{ledger.KindBusy: "1", ledger.KindKeyInProgress: "1", ledger.KindOwnerFailed: "1"}

// Problem is an error as it may be shown: what kind, in which words, at which fields. RetryAfterSeconds is the value of
// the header Retry-After, empty where trying again would not help.
type Problem struct {
	Kind              ledger.Kind
	Title             string
	Status            int
	Detail            string
	Fields            []ledger.FieldError
	Extra             map[string]any
	RetryAfterSeconds string
}

// ProblemOf tells an error to whoever caused it. Of an error that is not one of the rules it tells nothing but the
// request under which the log has it.
func ProblemOf(err error, request string) Problem {
	var refusal *ledger.Error
	if !errors.As(err, &refusal) || meanings[refusal.Kind].status == 0 || refusal.Kind == ledger.KindInternal {
		refusal = ledger.Refuse(ledger.KindInternal, "the request could not be completed; when you ask about it, quote request %s", request)
	}
	m, retryAfter := meanings[refusal.Kind], retryAfterSeconds[refusal.Kind]
	if seconds, told := refusal.Extra["retry_after"]; told {
		retryAfter = fmt.Sprint(seconds)
	}
	return Problem{
		Kind: refusal.Kind, Title: m.title, Status: m.status, Detail: sentence(refusal.Message), Fields: refusal.Fields, Extra: refusal.Extra,
		RetryAfterSeconds: retryAfter,
	}
}

// MarshalJSON is the problem document of RFC 9457, with the members of Extra beside the standard ones.
func (p Problem) MarshalJSON() ([]byte, error) {
	document := map[string]any{}
	maps.Copy(document, p.Extra)
	document["type"], document["title"], document["status"], document["detail"] = "/problems/"+string(p.Kind), p.Title, p.Status, p.Detail
	document["errors"] = p.Fields
	if p.Fields == nil {
		document["errors"] = []ledger.FieldError{}
	}
	return json.Marshal(document)
}

// AnswerProblem answers with the problem document.
func AnswerProblem(c echo.Context, p Problem) error {
	if p.Status == http.StatusUnauthorized {
		c.Response().Header().Set(echo.HeaderWWWAuthenticate, "Bearer")
	}
	if c.Request().Method == http.MethodHead {
		return c.NoContent(p.Status)
	}
	document, err := json.Marshal(p)
	if err != nil {
		return err
	}
	return c.Blob(p.Status, "application/problem+json", document)
}

// sentence begins a message as a sentence does.
func sentence(message string) string {
	if message == "" {
		return ""
	}
	first, size := utf8.DecodeRuneInString(message)
	return string(unicode.ToUpper(first)) + message[size:]
}

package stripetest

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
)

// Server is Stripe as far as Daybook moves money there: payment intents of cards, and refunds. stripe-mock judges each request and gives the shape of its
// answer; what has a state is remembered here, and a key does one thing once.
type Server struct {
	URL     string
	mock    http.Handler
	mu      sync.Mutex
	intents []object
	refunds []object
	answers map[string]answer // by idempotency key
}

type object = map[string]any

type answer struct {
	request string
	status  int
	body    object
}

// Start serves it on a loopback port until the test ends.
func Start(t testing.TB) *Server {
	t.Helper()
	s := &Server{mock: mock(t), answers: map[string]answer{}}
	served := httptest.NewServer(s)
	t.Cleanup(served.Close)
	s.URL = served.URL
	return s
}

// declines are cards of Stripe's that are declined, with the reason.
var declines = map[string]string{
	"pm_card_visa_chargeDeclined":                  "generic_decline",
	"pm_card_visa_chargeDeclinedInsufficientFunds": "insufficient_funds",
	"pm_card_authenticationRequired":               "authentication_required",
}

func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(r.Body)
	if err != nil {
		return // the client is gone
	}
	r.Body = io.NopCloser(bytes.NewReader(body))
	judged := httptest.NewRecorder()
	s.mock.ServeHTTP(judged, r)
	var shape object
	if err := json.Unmarshal(judged.Body.Bytes(), &shape); err != nil || judged.Code != http.StatusOK {
		w.WriteHeader(judged.Code)
		_, _ = w.Write(judged.Body.Bytes())
		return
	}
	form, err := url.ParseQuery(string(body) + "&" + r.URL.RawQuery)
	if err != nil {
		w.WriteHeader(http.StatusBadRequest)
		return
	}
	done := s.once(r, form, shape)
	w.WriteHeader(done.status)
	_ = json.NewEncoder(w).Encode(done.body)
}

// once does what is asked, or gives the answer that the key had before.
func (s *Server) once(r *http.Request, form url.Values, shape object) answer {
	s.mu.Lock()
	defer s.mu.Unlock()
	done := answer{request: r.URL.Path + "?" + form.Encode()}
	key := r.Header.Get("Idempotency-Key")
	before, known := s.answers[key]
	switch {
	case r.Method == http.MethodPost && known && before.request == done.request:
		return before
	case r.Method == http.MethodPost && known:
		done.status, done.body = failure(http.StatusBadRequest, "idempotency_error", "", "Keys for idempotent requests can only be used with the same parameters they were first used with.")
		return done
	}
	done.status, done.body = s.route(r.Method, strings.Split(strings.TrimPrefix(r.URL.Path, "/v1/"), "/"), form, shape)
	done.body = copied(done.body) // as it is now, whatever comes
	if r.Method == http.MethodPost {
		s.answers[key] = done
	}
	return done
}

func (s *Server) route(method string, path []string, form url.Values, shape object) (int, object) {
	id := ""
	if len(path) > 1 {
		id = path[1]
	}
	switch what := method + " " + path[0] + strings.Join(path[min(len(path), 2):], "/"); what {
	case "POST payment_intents":
		if id == "" {
			return s.create(form, shape)
		}
	case "GET payment_intents":
		if id == "" {
			return http.StatusOK, list(s.intents, form)
		}
		return s.intent(id, func(object) (int, object) { return 0, nil })
	case "POST payment_intentscapture":
		return s.intent(id, func(intent object) (int, object) { return capture(intent, form) })
	case "POST payment_intentscancel":
		return s.intent(id, cancel)
	case "POST refunds":
		return s.intent(form.Get("payment_intent"), func(intent object) (int, object) { return s.refund(intent, form, shape) })
	case "GET refunds":
		of := slices.DeleteFunc(slices.Clone(s.refunds), func(r object) bool { return r["payment_intent"] != form.Get("payment_intent") })
		return http.StatusOK, list(of, form)
	}
	return failure(http.StatusNotFound, "invalid_request_error", "", "This Stripe of tests does not know %s %s.", method, path)
}

func (s *Server) create(form url.Values, intent object) (int, object) {
	charge := object{"id": fmt.Sprintf("ch_test_%d", len(s.intents)+1), "object": "charge", "status": "succeeded", "captured": false}
	intent["id"] = fmt.Sprintf("pi_test_%d", len(s.intents)+1)
	intent["amount"], intent["currency"], intent["metadata"] = number(form, "amount"), form.Get("currency"), metadata(form)
	intent["amount_received"], intent["last_payment_error"], intent["latest_charge"] = int64(0), nil, charge
	intent["status"], intent["amount_capturable"] = "requires_capture", intent["amount"]
	s.intents = append(s.intents, intent)
	code, isDeclined := declines[form.Get("payment_method")]
	if !isDeclined {
		return http.StatusOK, intent
	}
	intent["status"], intent["amount_capturable"], charge["status"] = "requires_payment_method", int64(0), "failed"
	status, body := failure(http.StatusPaymentRequired, "card_error", "card_declined", "Your card was declined.")
	fault := body["error"].(object)
	fault["decline_code"] = code
	intent["last_payment_error"] = copied(fault)
	fault["payment_intent"] = intent
	return status, body
}

// intent does something to a payment intent, and answers with it where that gives nothing else.
func (s *Server) intent(id string, do func(object) (int, object)) (int, object) {
	at := slices.IndexFunc(s.intents, func(i object) bool { return i["id"] == id })
	if at < 0 {
		return failure(http.StatusNotFound, "invalid_request_error", "resource_missing", "No such payment_intent: '%s'", id)
	}
	if status, body := do(s.intents[at]); status != 0 {
		return status, body
	}
	return http.StatusOK, s.intents[at]
}

func capture(intent object, form url.Values) (int, object) {
	amount := number(form, "amount_to_capture")
	if intent["status"] != "requires_capture" {
		return unexpected(intent, "captured")
	}
	if amount > intent["amount_capturable"].(int64) {
		return failure(http.StatusBadRequest, "invalid_request_error", "amount_too_large", "The amount to capture is greater than the amount you can capture.")
	}
	intent["status"], intent["amount_received"], intent["amount_capturable"] = "succeeded", amount, int64(0)
	for name, value := range metadata(form) {
		intent["metadata"].(object)[name] = value
	}
	return 0, nil
}

func cancel(intent object) (int, object) {
	if intent["status"] == "succeeded" || intent["status"] == "canceled" {
		return unexpected(intent, "canceled")
	}
	intent["status"], intent["amount_capturable"], intent["cancellation_reason"] = "canceled", int64(0), nil
	return 0, nil
}

func (s *Server) refund(intent object, form url.Values, refund object) (int, object) {
	left, amount := intent["amount_received"].(int64), number(form, "amount")
	for _, before := range s.refunds {
		if before["payment_intent"] == intent["id"] {
			left -= before["amount"].(int64)
		}
	}
	if amount > left {
		return failure(http.StatusBadRequest, "invalid_request_error", "", "Refund amount (%d) is greater than unrefunded amount on charge (%d)", amount, left)
	}
	refund["id"], refund["amount"], refund["currency"] = fmt.Sprintf("re_test_%d", len(s.refunds)+1), amount, intent["currency"]
	refund["payment_intent"], refund["metadata"], refund["status"] = intent["id"], metadata(form), "succeeded"
	s.refunds = append(s.refunds, refund)
	return http.StatusOK, refund
}

// list gives a page, the newest first, as all lists of Stripe's are.
func list(all []object, form url.Values) object {
	page := slices.Clone(all)
	slices.Reverse(page)
	if after := form.Get("starting_after"); after != "" {
		page = page[1+slices.IndexFunc(page, func(o object) bool { return o["id"] == after }):]
	}
	limit := min(int(number(form, "limit")), len(page))
	return object{"object": "list", "data": page[:limit], "has_more": limit < len(page), "url": "/v1"}
}

func unexpected(intent object, done string) (int, object) {
	return failure(http.StatusBadRequest, "invalid_request_error", "payment_intent_unexpected_state",
		"This PaymentIntent could not be %s because it has a status of %s.", done, intent["status"])
}

func failure(status int, kind, code, format string, args ...any) (int, object) {
	return status, object{"error": object{"type": kind, "code": code, "message": fmt.Sprintf(format, args...)}}
}

func number(form url.Values, name string) int64 {
	n, _ := strconv.ParseInt(form.Get(name), 10, 64) // stripe-mock has seen to it that it is one
	return n
}

func metadata(form url.Values) object {
	all := object{}
	for name, values := range form {
		if inner, is := strings.CutPrefix(name, "metadata["); is {
			all[strings.TrimSuffix(inner, "]")] = values[0]
		}
	}
	return all
}

func copied(o object) object {
	text, _ := json.Marshal(o) // all of it came from JSON
	var again object
	_ = json.Unmarshal(text, &again)
	return again
}

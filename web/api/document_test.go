package api

import (
	"io"
	"net/http/httptest"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/labstack/echo/v4"

	"daybook/store/ledger"
)

// FuzzReadEntry holds that any body either gives an entry or is refused as its sender's fault, never as ours.
func FuzzReadEntry(f *testing.F) {
	for _, body := range []string{
		``, `null`, `[]`, `{`, `{} x`, `{"tx_id":"t","tx_id":1}`, `{"postings":[{"amount":1e3},null,[]]}`, `{"metadata":{"a":{"b":[]}}}`,
		`{"postings":[{"account":"1010","amount":-9223372036854775808,"currency":"EUR"}]}`, "{\"a\":\"\\ud800\"}", strings.Repeat("[", 100),
	} {
		f.Add(body)
	}
	f.Fuzz(func(t *testing.T, body string) {
		c := echo.New().NewContext(httptest.NewRequest("POST", "/", strings.NewReader(body)), httptest.NewRecorder())
		read, err := readObject(c)
		if err == nil {
			read.Entry()
			err = read.Err()
		}
		if kind := ledger.KindOf(err); err != nil && kind != ledger.KindInvalid && kind != ledger.KindAmountOverflow {
			t.Fatalf("%q is refused as %s: %v", body, kind, err)
		}
	})
}

func TestReadObject_RefusesHalfACharacter(t *testing.T) {
	t.Parallel()
	for body, whole := range map[string]bool{
		`{"a":"\ud83d\ude00"}`: true, `{"a":"\\ud83d"}`: true, `{"a":"\u00fc\n\ud83d\ude00x\\"}`: true, `{"a":"\uFFFD"}`: true,
		`{"a":"\ud800"}`: false, `{"\ud800":"a"}`: false, `{"a":"\udc00\ud800"}`: false, `{"a":"\ud83dx"}`: false,
		`{"a":"\ud83d\u0041"}`: false, `{"a":"\\\uDFFF"}`: false, `{"a":"\ud83d\ud83d\ude00"}`: false,
	} {
		c := echo.New().NewContext(httptest.NewRequest("POST", "/", strings.NewReader(body)), httptest.NewRecorder())
		if _, err := readObject(c); (err == nil) != whole || (err != nil && ledger.KindOf(err) != ledger.KindInvalid) {
			t.Errorf("%s gave %v", body, err)
		}
	}
}

func TestReadObject_RefusesABodyThatBreaksOff(t *testing.T) {
	t.Parallel()
	body := io.MultiReader(strings.NewReader(`{"tx_id":"t1"`), iotest.ErrReader(io.ErrUnexpectedEOF))
	_, err := readObject(echo.New().NewContext(httptest.NewRequest("POST", "/", body), httptest.NewRecorder()))
	if ledger.KindOf(err) != ledger.KindInvalid {
		t.Errorf("gave %v", err)
	}
}

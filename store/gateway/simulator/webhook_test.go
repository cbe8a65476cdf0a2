package simulator_test

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"daybook/store/gateway/simulator"
	"daybook/store/inbox"
	"daybook/store/ledger"
)

var (
	noon   = time.Date(2026, 3, 26, 12, 0, 0, 0, time.UTC)
	reader = simulator.NewWebhook("secret", func() time.Time { return noon })
)

const told = `{"source":"simulator","message_id":"evt_1","type":"payment.captured","data":{"payment_id":17}}`

func signed(signature string) http.Header {
	header := http.Header{}
	header.Set(simulator.SignatureHeader, signature)
	return header
}

func TestWebhook_ReadsWhatIsSigned(t *testing.T) {
	t.Parallel()
	fit := simulator.Sign("secret", noon, "", []byte(told))
	for name, signature := range map[string]string{
		"now":                  fit,
		"five minutes ago":     simulator.Sign("secret", noon.Add(-5*time.Minute), "", []byte(told)),
		"one signature of two": strings.Replace(fit, "v1=", "v1=00,v1=", 1),
	} {
		messages, err := reader.Read(t.Context(), "main", signed(signature), []byte(told))
		if err != nil || len(messages) != 1 || messages[0].ID != "evt_1" || messages[0].Unreadable != nil || string(messages[0].Data) != `{"payment_id":17}` {
			t.Errorf("%s: %+v, %v", name, messages, err)
		}
	}
}

func TestWebhook_RefusesWhatIsNotSigned(t *testing.T) {
	t.Parallel()
	fit := simulator.Sign("secret", noon, "", []byte(told))
	for name, signature := range map[string]string{
		"nothing":              "",
		"no time":              fit[strings.Index(fit, "v1="):],
		"no signature":         fit[:strings.Index(fit, ",")],
		"another secret":       simulator.Sign("secrets", noon, "", []byte(told)),
		"another message":      simulator.Sign("secret", noon, "", []byte(told+" ")),
		"another time":         strings.Replace(fit, "t=17", "t=18", 1),
		"too old":              simulator.Sign("secret", noon.Add(-5*time.Minute-time.Second), "", []byte(told)),
		"of the future":        simulator.Sign("secret", noon.Add(5*time.Minute+time.Second), "", []byte(told)),
		"half a signature":     fit[:len(fit)-2],
		"no hexadecimal":       fit[:len(fit)-1] + "x",
		"another kind of hash": strings.Replace(fit, "v1=", "v0=", 1),
	} {
		if messages, err := reader.Read(t.Context(), "main", signed(signature), []byte(told)); ledger.KindOf(err) != ledger.KindUnauthenticated || messages != nil {
			t.Errorf("%s: %+v, %v", name, messages, err)
		}
	}
	open := simulator.NewWebhook("", func() time.Time { return noon })
	if _, err := open.Read(t.Context(), "main", signed(simulator.Sign("", noon, "", []byte(told))), []byte(told)); ledger.KindOf(err) != ledger.KindUnauthenticated {
		t.Errorf("without a secret: %v", err)
	}
}

func TestWebhook_KeepsWhatItCannotRead(t *testing.T) {
	t.Parallel()
	names := map[string]bool{}
	for _, body := range []string{
		"", "{", "[]", "null", `"x"`, "\xff", strings.Replace(told, "simulator", "stripe", 1), strings.Replace(told, "evt_1", "", 1), strings.Replace(told, `{"payment_id":17}`, "null", 1),
		strings.Replace(told, `{"payment_id":17}`, "[17]", 1),
	} {
		read := func() inbox.Message {
			messages, err := reader.Read(t.Context(), "main", signed(simulator.Sign("secret", noon, "", []byte(body))), []byte(body))
			if err != nil || len(messages) != 1 {
				t.Fatalf("%q: %v, %v", body, messages, err)
			}
			return messages[0]
		}
		m := read()
		if m.Unreadable == nil || m.Source != "simulator" || m.ID == "" || !strings.HasPrefix(string(m.Data), `"`) || read().ID != m.ID {
			t.Errorf("%q: %+v", body, m)
		}
		if _, _, err := m.Checked(); err != nil {
			t.Errorf("%q cannot be kept: %v", body, err)
		}
		names[m.ID] = true
	}
	if len(names) != 10 {
		t.Errorf("ten messages have %d names", len(names))
	}
}

func TestWebhook_IsReadForTheBookThatItIsAbout(t *testing.T) {
	t.Parallel()
	header := signed(simulator.Sign("secret", noon, "shop", []byte(told)))
	header.Set(simulator.BookHeader, "shop")
	taken := header.Clone()
	taken.Set(simulator.BookHeader, "main")
	if _, err := reader.Read(t.Context(), "main", taken, []byte(told)); ledger.KindOf(err) != ledger.KindUnauthenticated {
		t.Errorf("taken to another book it is %v", err)
	}
	for book, readable := range map[string]bool{"shop": true, "main": false} {
		messages, err := reader.Read(t.Context(), book, header, []byte(told))
		if err != nil || len(messages) != 1 || (messages[0].Unreadable == nil) != readable {
			t.Errorf("at the address of %s: %+v, %v", book, messages, err)
		}
	}
}

func TestFaults_NameTheFieldAtFault(t *testing.T) {
	t.Parallel()
	for body, field := range map[string]string{
		`{"decline":1.1}`: "decline", `{"decline":-0.1}`: "decline", `{"decline":"often"}`: "decline", `{"timeout_before":0.6,"timeout_after":0.6}`: "timeout_after",
		`{"latency":"soon"}`: "latency", `{"latency":15}`: "latency", `{"hang":"-1s"}`: "hang", `{"hang":"2m"}`: "hang", `{"webhook_repeat_min":0}`: "webhook_repeat_min",
		`{"webhook_repeat_min":3}`: "webhook_repeat_max", `{"webhook_repeat_max":11}`: "webhook_repeat_max", `{"webhooks":1}`: "webhooks", `{"seed":1.5}`: "seed", `{"luck":1}`: "luck",
	} {
		_, err := simulator.NoFaults().Changed([]byte(body))
		problem := simulator.Problem(err)
		if ledger.KindOf(err) != ledger.KindInvalid || len(problem.Errors) != 1 || problem.Errors[0].Field != field {
			t.Errorf("%s: %v", body, err)
		}
	}
	for _, body := range []string{"", "[]", "null", "1"} {
		if _, err := simulator.NoFaults().Changed([]byte(body)); ledger.KindOf(err) != ledger.KindInvalid {
			t.Errorf("%s: %v", body, err)
		}
	}
}

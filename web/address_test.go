package web

import (
	"net"
	"net/http/httptest"
	"testing"
)

func TestAddressOf(t *testing.T) {
	t.Parallel()
	_, proxies, err := net.ParseCIDR("10.0.0.0/8")
	if err != nil {
		t.Fatal(err)
	}
	for name, test := range map[string]struct {
		trusted         []*net.IPNet
		from, forwarded string
		want            string
	}{
		"WithoutAProxyTheHeaderIsNotBelieved": {nil, "10.0.0.1:99", "203.0.113.7", "10.0.0.1"},
		"OfATrustedProxyItIs":                 {[]*net.IPNet{proxies}, "10.0.0.1:99", "203.0.113.7", "203.0.113.7"},
		"OfAnyoneElseItIsNot":                 {[]*net.IPNet{proxies}, "192.168.0.1:99", "203.0.113.7", "192.168.0.1"},
		"AForgedFirstPartIsNot":               {[]*net.IPNet{proxies}, "10.0.0.1:99", "1.1.1.1, 203.0.113.7", "203.0.113.7"},
		"LoopbackIsNotTrustedByItself":        {[]*net.IPNet{proxies}, "127.0.0.1:99", "203.0.113.7", "127.0.0.1"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := httptest.NewRequest("GET", "/", nil)
			r.RemoteAddr = test.from
			r.Header.Set("X-Forwarded-For", test.forwarded)
			if got := addressOf(test.trusted)(r); got != test.want {
				t.Errorf("comes from %s, want %s", got, test.want)
			}
		})
	}
}

package drill

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/url"
)

type chargeAnswer struct {
	ID string `json:"id"`
}

// Handler lets other processes use a gateway.
func Handler(gateway Gateway) http.Handler {
	mux := http.NewServeMux()
	serve := func(call func(ctx context.Context, key string) (string, error)) http.HandlerFunc {
		return func(w http.ResponseWriter, r *http.Request) {
			id, err := call(r.Context(), r.URL.Query().Get("key"))
			if err != nil {
				http.Error(w, "the charge is not answered", http.StatusServiceUnavailable)
				return
			}
			_ = json.NewEncoder(w).Encode(chargeAnswer{ID: id})
		}
	}
	mux.HandleFunc("POST /charges", serve(gateway.Charge))
	mux.HandleFunc("GET /charges", serve(gateway.Charged))
	return mux
}

// remote is a gateway in another process.
type remote struct {
	url    string
	client *http.Client
}

// Remote returns the gateway that a Handler serves at a URL, for so many callers at once.
func Remote(url string, callers int) Gateway {
	return &remote{url: url, client: &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: callers}}}
}

func (r *remote) Charge(ctx context.Context, key string) (string, error) {
	return r.call(ctx, http.MethodPost, key)
}

func (r *remote) Charged(ctx context.Context, key string) (string, error) {
	return r.call(ctx, http.MethodGet, key)
}

func (r *remote) call(ctx context.Context, method, key string) (id string, err error) {
	request, err := http.NewRequestWithContext(ctx, method, r.url+"/charges?key="+url.QueryEscape(key), nil)
	if err != nil {
		return "", fmt.Errorf("call the gateway: %w", err)
	}
	response, err := r.client.Do(request)
	if err != nil {
		return "", fmt.Errorf("call the gateway: %w", err)
	}
	defer func() { err = errors.Join(err, response.Body.Close()) }()
	if response.StatusCode != http.StatusOK {
		return "", fmt.Errorf("call the gateway: it answers %s", response.Status)
	}
	var answer chargeAnswer
	if err := json.NewDecoder(response.Body).Decode(&answer); err != nil {
		return "", fmt.Errorf("read the gateway's answer: %w", err)
	}
	return answer.ID, nil
}

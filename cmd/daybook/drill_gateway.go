package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/url"

	"daybook/store/drill"
)

type chargeAnswer struct {
	ID string `json:"id"`
}

// gatewayHandler lets other processes use a gateway.
func gatewayHandler(gateway drill.Gateway) http.Handler {
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

// remoteGateway is a gateway in another process.
type remoteGateway struct {
	url    string
	client *http.Client
}

// newRemoteGateway returns the gateway that a gatewayHandler serves at a URL, for so many callers at once.
func newRemoteGateway(url string, callers int) drill.Gateway {
	return &remoteGateway{url: url, client: &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: callers}}}
}

// Charge is as drill.Gateway says.
func (r *remoteGateway) Charge(ctx context.Context, key string) (string, error) {
	return r.call(ctx, http.MethodPost, key)
}

// Charged is as drill.Gateway says.
func (r *remoteGateway) Charged(ctx context.Context, key string) (string, error) {
	return r.call(ctx, http.MethodGet, key)
}

func (r *remoteGateway) call(ctx context.Context, method, key string) (id string, err error) {
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

package drill

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"daybook/store/claim"
	"daybook/store/ledger"
)

// Way is how a caller sees to it that its key is charged once.
type Way string

// The ways.
const (
	CheckThenAct Way = "check-then-act"
	Claim        Way = "claim"
)

// receipt is what a charge settles to.
type receipt struct {
	Charge string `json:"charge"`
}

var operation = claim.Fingerprint{Operation: "drill.charge", Content: `{"amount":3050,"currency":"EUR"}`}

// charge charges under a key and gives the id of the charge.
func (w Way) charge(ctx context.Context, l *claim.Ledger, gateway Gateway, key string) (string, error) {
	if w == CheckThenAct {
		return checkThenAct(ctx, l, gateway, key)
	}
	settled, err := l.Do(ctx, key, operation, func(ctx context.Context, attempt int) ([]byte, error) {
		return chargeOnce(ctx, gateway, key, attempt)
	})
	if err != nil {
		return "", err
	}
	return chargeIn(settled)
}

// chargeOnce is the owner's work. An heir does not know how far the one before it came: it asks first.
func chargeOnce(ctx context.Context, gateway Gateway, key string, attempt int) ([]byte, error) {
	if attempt > 1 {
		if id, err := gateway.Charged(ctx, key); err != nil || id != "" {
			return written(id, err)
		}
	}
	return written(gateway.Charge(ctx, key))
}

// checkThenAct looks whether the key is there, charges when it is not, and keeps the receipt: between the look and the act is the race.
func checkThenAct(ctx context.Context, l *claim.Ledger, gateway Gateway, key string) (string, error) {
	found, err := l.Find(ctx, key)
	if ledger.KindOf(err) != ledger.KindNotFound && ledger.KindOf(err) != ledger.KindKeyInProgress {
		return receiptOr(found, err)
	}
	id, err := gateway.Charge(ctx, key)
	body, err := written(id, err)
	if err != nil {
		return "", err
	}
	kept, err := l.Claim(ctx, key, operation)
	if err != nil {
		return "", err
	}
	if kept.Answer() != claim.Own {
		return id, nil // another one has kept its own
	}
	return id, kept.Settle(ctx, body)
}

func receiptOr(found claim.Receipt, err error) (string, error) {
	if err != nil {
		return "", err
	}
	return chargeIn(found)
}

func written(id string, err error) ([]byte, error) {
	if err != nil {
		return nil, err
	}
	body, err := json.Marshal(receipt{Charge: id})
	if err != nil {
		return nil, fmt.Errorf("write a receipt: %w", err)
	}
	return body, nil
}

func chargeIn(settled claim.Receipt) (string, error) {
	var r receipt
	if err := json.Unmarshal(settled.Body, &r); err != nil {
		return "", fmt.Errorf("read a receipt: %w", err)
	}
	if r.Charge == "" {
		return "", errors.New("the receipt names no charge")
	}
	return r.Charge, nil
}

package simulator

import (
	"context"
	"net/http"

	"daybook/store/ledger"
)

// Faults asks how unreliable the simulator is just now. Error: KindBusy when it does not answer.
func (c *Client) Faults(ctx context.Context) (Faults, error) {
	var faults Faults
	return faults, c.ask(ctx, http.MethodGet, "/faults", nil, &faults)
}

// SetFaults makes the simulator so unreliable. Errors: KindInvalid, which names the fields at fault; KindBusy when it does not answer.
func (c *Client) SetFaults(ctx context.Context, faults Faults) error {
	if err := faults.Check(); err != nil {
		return err
	}
	return c.ask(ctx, http.MethodPut, "/faults", faults, &Faults{})
}

// PayOut has the simulator pay out what was not paid out yet. Errors: KindInvalid where there is nothing, or more than one currency and none is
// named; KindBusy when it does not answer.
func (c *Client) PayOut(ctx context.Context, order PayoutOrder) (Payout, error) {
	var payout struct {
		Payout
		Reason string              `json:"reason"`
		Errors []ledger.FieldError `json:"errors"`
	}
	status, err := c.call(ctx, http.MethodPost, "/payouts", "", order, &payout)
	switch {
	case err == nil && status == http.StatusCreated:
		return payout.Payout, nil
	case err == nil && (status == http.StatusConflict || status == http.StatusUnprocessableEntity):
		refusal := ledger.Refuse(ledger.KindInvalid, "%s", payout.Reason)
		refusal.Fields = payout.Errors
		return Payout{}, refusal
	}
	return Payout{}, silent(err)
}

// ask sends a request that is answered with 200 and nothing else.
func (c *Client) ask(ctx context.Context, method, path string, body, into any) error {
	status, err := c.call(ctx, method, path, "", body, into)
	if err != nil || status != http.StatusOK {
		return silent(err)
	}
	return nil
}

func silent(err error) error {
	refusal := ledger.Refuse(ledger.KindBusy, "the simulator does not answer: look whether it runs, and try again")
	refusal.Err = err
	return refusal
}

package stripe

import (
	"math"
	"strings"

	api "github.com/stripe/stripe-go/v85"

	"daybook/store/ledger"
)

// counting says how Stripe counts a currency that it does not simply count in the minor units of ISO 4217 (docs.stripe.com/currencies).
type counting struct {
	times  int64 // Stripe's number is so many times ours
	parts  int64 // ours is so many times Stripe's
	step   int64 // ours must be a multiple of it
	refuse string
}

// special are those currencies. About the Ugandan shilling Stripe's documentation says two things that are a hundredfold apart.
var special = map[string]counting{
	"ISK": {times: 100},
	"MGA": {parts: 100},
	"BHD": {step: 10}, "IQD": {step: 10}, "JOD": {step: 10}, "KWD": {step: 10}, "LYD": {step: 10}, "OMR": {step: 10}, "TND": {step: 10},
	"UGX": {refuse: "how Stripe counts UGX is not certain: it is not charged by this gateway"},
}

// toStripe gives an amount as Stripe counts it. Error: KindInvalid, for what Stripe cannot charge.
func toStripe(minor int64, currency string) (int64, error) {
	if _, known := ledger.Exponent(currency); !known {
		return 0, ledger.Refuse(ledger.KindInvalid, "%q is not a currency", currency).At("currency", "is not one of ISO 4217")
	}
	rule := special[currency]
	step := max(rule.step, rule.parts, 1)
	switch {
	case rule.refuse != "":
		return 0, ledger.Refuse(ledger.KindInvalid, "%s", rule.refuse).At("currency", "is not possible with Stripe")
	case minor%step != 0:
		return 0, ledger.Refuse(ledger.KindInvalid, "Stripe takes amounts in %s only in steps of %d minor units", currency, step).
			At("amount", "must be a multiple of %d", step)
	case rule.times > 0 && (minor > math.MaxInt64/rule.times || minor < math.MinInt64/rule.times):
		return 0, ledger.Refuse(ledger.KindInvalid, "the amount is more than Stripe takes").At("amount", "is too large")
	case rule.times > 0:
		return minor * rule.times, nil
	case rule.parts > 0:
		return minor / rule.parts, nil
	}
	return minor, nil
}

// fromStripe gives an amount of Stripe's in minor units. Error: KindInvalid, for one that we cannot count.
func fromStripe(amount int64, currency api.Currency) (int64, error) {
	code := strings.ToUpper(string(currency))
	_, known := ledger.Exponent(code)
	rule := special[code]
	if !known || rule.refuse != "" || rule.times > 0 && amount%rule.times != 0 ||
		rule.parts > 0 && (amount > math.MaxInt64/rule.parts || amount < math.MinInt64/rule.parts) {
		return 0, ledger.Refuse(ledger.KindInvalid, "an amount of %d in %q, as Stripe counts it, cannot be understood", amount, currency).
			At("amount", "is none that Stripe could have charged for us")
	}
	switch {
	case rule.times > 0:
		return amount / rule.times, nil
	case rule.parts > 0:
		return amount * rule.parts, nil
	}
	return amount, nil
}

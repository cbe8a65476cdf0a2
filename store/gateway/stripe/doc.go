// Package stripe is the gateway at Stripe: payments are payment intents that are confirmed at once and captured later, and what Stripe tells by
// webhook becomes messages of the inbox. What is asked of Stripe, and what must be set up there, stands in docs/gateways.md.
package stripe

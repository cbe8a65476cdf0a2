// Package stripetest is Stripe for tests, in the test's own process: stripe-mock, which Stripe makes, and on top of it a memory.
package stripetest

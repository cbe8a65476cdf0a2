// Package payment is the life of a payment as rules: which events move it, from which state to which, and by how much. It is pure and
// sealed: every pair of a state and an event is decided here, and a test fails for one that is not. The pairs stand in docs/payments.md.
package payment

// Package simulator is the gateway to the payment simulator: its client, the reader of its webhooks, and the words that both sides speak. The
// simulator is a real HTTP server that behaves like an unreliable payment processor; package server has it.
package simulator

// Package server is the payment simulator: an HTTP server that charges, captures, refunds and pays out as a payment processor does, sends webhooks,
// and is as unreliable as its faults say. What it did survives the end of its process: it is in a journal file before it is answered.
package server

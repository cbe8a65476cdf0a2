// Package claim is the right to decide an idempotency key, as a contract: who claims a key is told to own it, to read what it settled to,
// or to wait for whoever owns it, and there is no way to ask whether a key is free without taking it. A Ledger is the contract; a Keeper
// holds the keys: Memory here, the one on Postgres in package store. Package claimtest judges both. Nothing here reads or writes anything
// outside the process.
package claim

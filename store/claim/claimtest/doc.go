// Package claimtest is the conformance suite of claims: whatever holds keys must pass it. It races for real, and holds the histories of its
// races against a model. The clock by which leases end is moved by hand.
package claimtest
